//! What each sign counts for each intent.
//!
//! The numbers are tenths of a logarithm of odds against no intent, fitted to labelled prompts in English of many
//! writers (a multinomial logistic regression with a penalty on large weights, rounded): kinds of evidence that
//! contradict each other are weighed in one place, and for all languages alike. Positive speaks for the intent.

use super::sign::Sign;

/// What the sum has to exceed.
pub(super) const THRESHOLDS: [i32; 3] = [5, 2, 8];

/// What a sign counts for build, investigate, decide.
#[rustfmt::skip]
pub(super) const WEIGHTS: [(Sign, [i32; 3]); Sign::COUNT] = [
    (Sign::Change, [16, 0, 4]),
    (Sign::ChangeNeeded, [4, -1, 4]),
    (Sign::ChangeWeighed, [6, -2, 1]),
    (Sign::ChangeBarred, [1, -2, 3]),
    (Sign::Request, [-4, -9, -2]),
    (Sign::Wish, [12, 4, 5]),
    (Sign::Required, [21, -1, 8]),
    (Sign::Contrast, [13, 2, 2]),
    (Sign::Comment, [12, -4, -3]),
    (Sign::Thing, [11, -3, 5]),
    (Sign::Find, [-2, 21, 1]),
    (Sign::Finding, [2, 9, 3]),
    (Sign::Glance, [-3, 12, 1]),
    (Sign::Operate, [-14, -13, -13]),
    (Sign::AskWhat, [-2, 12, 4]),
    (Sign::AskWhether, [-4, 9, 4]),
    (Sign::AskTag, [0, 4, 6]),
    (Sign::AskPlain, [0, 3, -2]),
    (Sign::AskChoice, [1, 3, 4]),
    (Sign::Weigh, [-1, -1, 9]),
    (Sign::Propose, [-2, 6, 10]),
    (Sign::Settle, [-1, -3, 11]),
    (Sign::Prefer, [0, -3, 9]),
    (Sign::Opinion, [0, -5, 15]),
    (Sign::Lean, [2, 0, 20]),
    (Sign::Hedge, [3, 2, 12]),
    (Sign::Symptom, [9, 17, 3]),
    (Sign::Unexpected, [4, 8, 0]),
    (Sign::Report, [-3, 10, -2]),
    (Sign::Approve, [-21, -21, -19]),
    (Sign::Condition, [2, 1, 6]),
    (Sign::Statement, [-2, -3, -7]),
    (Sign::Fragment, [2, -1, 2]),
    (Sign::Answer, [-1, -1, 3]),
    (Sign::Bare, [-10, -11, -9]),
    (Sign::Short, [-24, -23, -23]),
    (Sign::Long, [6, -2, 2]),
    (Sign::Impersonal, [6, 0, 2]),
    (Sign::Listed, [-4, 6, 10]),
    (Sign::Named, [6, 7, 0]),
    (Sign::Output, [0, 7, -2]),
    (Sign::MainChange, [18, -4, 2]),
    (Sign::MainFind, [5, 11, 6]),
    (Sign::MainAsk, [1, 16, 3]),
    (Sign::MainOperate, [-14, -13, -13]),
    (Sign::MainWeigh, [7, 8, 28]),
];
