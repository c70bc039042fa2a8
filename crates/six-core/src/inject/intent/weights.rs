//! What each sign counts for each intent.
//!
//! The numbers are tenths of a logarithm of odds against no intent, fitted to labelled prompts in English of many
//! writers (a multinomial logistic regression with a penalty on large weights, rounded): kinds of evidence that
//! contradict each other are weighed in one place, and for all languages alike. Positive speaks for the intent.

use super::sign::Sign;

/// What the sum has to exceed.
pub(super) const THRESHOLDS: [i32; 3] = [6, 3, 9];

/// What a sign counts for build, investigate, decide.
#[rustfmt::skip]
pub(super) const WEIGHTS: [(Sign, [i32; 3]); Sign::COUNT] = [
    (Sign::Change, [16, 1, 4]),
    (Sign::ChangeNeeded, [4, -1, 4]),
    (Sign::ChangeWeighed, [5, -2, 3]),
    (Sign::ChangeBarred, [1, -2, 3]),
    (Sign::Request, [-4, -8, -2]),
    (Sign::Wish, [12, 4, 6]),
    (Sign::Required, [22, 0, 8]),
    (Sign::Contrast, [13, 3, 3]),
    (Sign::Comment, [12, -3, -3]),
    (Sign::Thing, [11, -4, 4]),
    (Sign::Find, [-2, 23, 2]),
    (Sign::Finding, [5, 12, 5]),
    (Sign::Glance, [-5, 9, -1]),
    (Sign::Operate, [-14, -13, -14]),
    (Sign::AskWhat, [-2, 12, 3]),
    (Sign::AskWhether, [-4, 10, 4]),
    (Sign::AskTag, [0, 4, 6]),
    (Sign::AskPlain, [0, 3, -2]),
    (Sign::AskChoice, [1, 3, 4]),
    (Sign::Weigh, [-1, -1, 9]),
    (Sign::Propose, [-2, 6, 10]),
    (Sign::Settle, [1, -4, 11]),
    (Sign::Prefer, [1, -3, 9]),
    (Sign::Opinion, [-1, -5, 15]),
    (Sign::Lean, [4, 1, 22]),
    (Sign::Hedge, [3, 3, 12]),
    (Sign::Symptom, [10, 18, 4]),
    (Sign::Unexpected, [5, 9, 0]),
    (Sign::Report, [-1, 11, -2]),
    (Sign::Approve, [-20, -20, -17]),
    (Sign::Condition, [2, 0, 6]),
    (Sign::Statement, [-4, -4, -8]),
    (Sign::Fragment, [2, -2, 3]),
    (Sign::Answer, [-1, -1, 3]),
    (Sign::Bare, [-10, -11, -9]),
    (Sign::Short, [-23, -22, -22]),
    (Sign::Long, [6, -2, 2]),
    (Sign::Impersonal, [7, 0, 2]),
    (Sign::Listed, [-5, 6, 10]),
    (Sign::Named, [6, 8, -1]),
    (Sign::Output, [1, 9, -2]),
    (Sign::MainChange, [19, -4, 2]),
    (Sign::MainFind, [4, 9, 5]),
    (Sign::MainAsk, [2, 16, 3]),
    (Sign::MainOperate, [-14, -13, -14]),
    (Sign::MainWeigh, [8, 9, 28]),
];
