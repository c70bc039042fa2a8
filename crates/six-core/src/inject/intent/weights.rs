//! What each sign counts for each intent.
//!
//! The numbers are tenths of a logarithm of odds against no intent, fitted to labelled prompts of several sources (a
//! multinomial logistic regression with a penalty on large weights, rounded), so that kinds of evidence that
//! contradict each other are weighed in one place. Positive speaks for the intent.

use super::sign::Sign;

/// What the sum has to exceed.
pub(super) const THRESHOLDS: [i32; 3] = [9, 3, 14];

/// What a sign counts for build, investigate, decide.
#[rustfmt::skip]
pub(super) const WEIGHTS: [(Sign, [i32; 3]); Sign::COUNT] = [
    (Sign::Change, [17, 0, 7]),
    (Sign::ChangeNeeded, [6, -2, 3]),
    (Sign::ChangeWeighed, [6, 1, -2]),
    (Sign::ChangeBarred, [2, -3, 4]),
    (Sign::Request, [-3, -10, -3]),
    (Sign::Wish, [9, 3, 5]),
    (Sign::Required, [19, -2, 6]),
    (Sign::Contrast, [10, -1, 2]),
    (Sign::Comment, [10, -2, -2]),
    (Sign::Thing, [5, -2, 4]),
    (Sign::Find, [-2, 20, 2]),
    (Sign::Finding, [2, 8, 4]),
    (Sign::Glance, [-2, 12, 1]),
    (Sign::Operate, [-11, -11, -12]),
    (Sign::AskWhat, [-1, 11, 5]),
    (Sign::AskWhether, [-4, 9, 6]),
    (Sign::AskTag, [1, 5, 7]),
    (Sign::AskPlain, [-2, 4, -1]),
    (Sign::AskChoice, [0, 2, 7]),
    (Sign::Weigh, [-1, 0, 8]),
    (Sign::Propose, [-1, 6, 11]),
    (Sign::Settle, [7, -2, 3]),
    (Sign::Prefer, [2, -3, 4]),
    (Sign::Opinion, [0, -6, 16]),
    (Sign::Lean, [1, 0, 18]),
    (Sign::Hedge, [3, 3, 12]),
    (Sign::Symptom, [9, 16, 4]),
    (Sign::Unexpected, [4, 3, 0]),
    (Sign::Report, [-3, 9, 0]),
    (Sign::Approve, [-18, -20, -13]),
    (Sign::Condition, [2, -1, 8]),
    (Sign::Statement, [0, 0, -7]),
    (Sign::Fragment, [4, -2, 4]),
    (Sign::Answer, [0, 0, 3]),
    (Sign::Bare, [-7, -8, -6]),
    (Sign::Short, [-21, -22, -18]),
    (Sign::Long, [6, -1, 0]),
    (Sign::Impersonal, [9, 0, 3]),
    (Sign::Listed, [-4, 5, 10]),
    (Sign::Named, [6, 8, 0]),
    (Sign::Output, [2, 11, 0]),
    (Sign::MainChange, [19, -2, 3]),
    (Sign::MainFind, [6, 10, 8]),
    (Sign::MainAsk, [2, 16, 2]),
    (Sign::MainOperate, [-11, -11, -12]),
    (Sign::MainWeigh, [10, 9, 23]),
];
