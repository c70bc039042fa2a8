//! What each sign counts for each intent.
//!
//! The numbers are tenths of a logarithm of odds against no intent, fitted to labelled prompts of several sources (a
//! multinomial logistic regression with a penalty on large weights, rounded), so that kinds of evidence that
//! contradict each other are weighed in one place. Positive speaks for the intent.

use super::sign::Sign;

/// What the sum has to exceed.
pub(super) const THRESHOLDS: [i32; 3] = [4, 1, 9];

/// What a sign counts for build, investigate, decide.
#[rustfmt::skip]
pub(super) const WEIGHTS: [(Sign, [i32; 3]); Sign::COUNT] = [
    (Sign::Change, [19, -1, 4]),
    (Sign::ChangeNeeded, [4, -2, 4]),
    (Sign::ChangeWeighed, [5, -1, 3]),
    (Sign::ChangeBarred, [0, -1, 3]),
    (Sign::Request, [0, -6, -1]),
    (Sign::Wish, [8, 1, 4]),
    (Sign::Required, [19, -4, 3]),
    (Sign::Contrast, [9, -2, 3]),
    (Sign::Thing, [4, 1, 4]),
    (Sign::Find, [-4, 18, 4]),
    (Sign::Finding, [2, 6, 3]),
    (Sign::Glance, [-1, 9, 3]),
    (Sign::Operate, [-12, -11, -12]),
    (Sign::AskWhat, [0, 11, 4]),
    (Sign::AskWhether, [-4, 8, 7]),
    (Sign::AskTag, [0, 4, 4]),
    (Sign::AskPlain, [3, 3, 1]),
    (Sign::AskChoice, [1, 1, 8]),
    (Sign::Weigh, [0, -1, 6]),
    (Sign::Propose, [-1, 4, 9]),
    (Sign::Settle, [5, -1, 1]),
    (Sign::Prefer, [0, -2, 6]),
    (Sign::Opinion, [1, -5, 15]),
    (Sign::Lean, [0, 0, 16]),
    (Sign::Hedge, [2, 2, 10]),
    (Sign::Symptom, [8, 16, 5]),
    (Sign::Unexpected, [3, 3, 0]),
    (Sign::Report, [-5, 7, -2]),
    (Sign::Approve, [-13, -16, -11]),
    (Sign::Condition, [2, 0, 6]),
    (Sign::Statement, [0, 1, -6]),
    (Sign::Fragment, [2, -4, 2]),
    (Sign::Answer, [1, -2, 1]),
    (Sign::Bare, [-8, -10, -8]),
    (Sign::Short, [-16, -13, -13]),
    (Sign::Long, [6, -1, 1]),
    (Sign::Listed, [-3, 3, 9]),
    (Sign::Named, [6, 7, 0]),
    (Sign::Output, [2, 8, 0]),
    (Sign::LastChange, [16, 2, 3]),
    (Sign::LastFind, [7, 11, 5]),
    (Sign::LastAsk, [4, 16, 6]),
    (Sign::LastOperate, [-12, -11, -12]),
    (Sign::LastWeigh, [10, 10, 18]),
];
