//! What each sign counts for each intent.
//!
//! The numbers are tenths of a logarithm of odds against no intent, fitted to labelled prompts of several sources (a
//! multinomial logistic regression with a penalty on large weights, rounded), so that kinds of evidence that
//! contradict each other are weighed in one place. Positive speaks for the intent.

use super::sign::Sign;

/// What the sum has to exceed.
pub(super) const THRESHOLDS: [i32; 3] = [6, 2, 10];

/// What a sign counts for build, investigate, decide.
#[rustfmt::skip]
pub(super) const WEIGHTS: [(Sign, [i32; 3]); Sign::COUNT] = [
    (Sign::Change, [20, -1, 5]),
    (Sign::ChangeNeeded, [5, -2, 4]),
    (Sign::ChangeWeighed, [4, -1, 3]),
    (Sign::ChangeBarred, [0, -1, 3]),
    (Sign::Request, [0, -7, -1]),
    (Sign::Wish, [6, 1, 2]),
    (Sign::Required, [17, -2, 3]),
    (Sign::Contrast, [9, -1, 4]),
    (Sign::Comment, [7, -4, -2]),
    (Sign::Thing, [4, 0, 2]),
    (Sign::Find, [-2, 19, 3]),
    (Sign::Finding, [2, 6, 3]),
    (Sign::Glance, [-1, 10, 1]),
    (Sign::Operate, [-10, -9, -11]),
    (Sign::AskWhat, [-1, 11, 4]),
    (Sign::AskWhether, [-2, 8, 7]),
    (Sign::AskTag, [0, 5, 5]),
    (Sign::AskPlain, [4, 4, 1]),
    (Sign::AskChoice, [0, 1, 7]),
    (Sign::Weigh, [-1, 0, 7]),
    (Sign::Propose, [-1, 5, 8]),
    (Sign::Settle, [5, -1, 1]),
    (Sign::Prefer, [0, -2, 6]),
    (Sign::Opinion, [0, -4, 14]),
    (Sign::Lean, [1, 1, 16]),
    (Sign::Hedge, [3, 3, 11]),
    (Sign::Symptom, [7, 14, 4]),
    (Sign::Unexpected, [3, 4, 0]),
    (Sign::Report, [-3, 8, -1]),
    (Sign::Approve, [-13, -16, -11]),
    (Sign::Condition, [2, 0, 7]),
    (Sign::Statement, [2, 1, -2]),
    (Sign::Fragment, [1, -6, 1]),
    (Sign::Answer, [0, 0, 2]),
    (Sign::Bare, [-7, -7, -6]),
    (Sign::Short, [-18, -19, -16]),
    (Sign::Long, [6, -1, 1]),
    (Sign::Impersonal, [7, 2, 4]),
    (Sign::Listed, [-3, 4, 9]),
    (Sign::Named, [6, 7, -1]),
    (Sign::Output, [1, 8, 0]),
    (Sign::LastChange, [14, 0, 2]),
    (Sign::LastFind, [7, 10, 6]),
    (Sign::LastAsk, [3, 16, 4]),
    (Sign::LastOperate, [-10, -9, -11]),
    (Sign::LastWeigh, [9, 8, 19]),
];
