//! What each sign counts for each intent.
//!
//! The numbers are tenths of a logarithm of odds against no intent, fitted to labelled prompts of several sources (a
//! multinomial logistic regression with a penalty on large weights, rounded), so that kinds of evidence that
//! contradict each other are weighed in one place. Positive speaks for the intent.

use super::sign::Sign;

/// What the sum has to exceed.
pub(super) const THRESHOLDS: [i32; 3] = [9, 5, 13];

/// What a sign counts for build, investigate, decide.
#[rustfmt::skip]
pub(super) const WEIGHTS: [(Sign, [i32; 3]); Sign::COUNT] = [
    (Sign::Change, [16, 1, 6]),
    (Sign::ChangeNeeded, [5, -1, 3]),
    (Sign::ChangeWeighed, [5, 0, 0]),
    (Sign::ChangeBarred, [1, -2, 3]),
    (Sign::Request, [-3, -8, -3]),
    (Sign::Wish, [7, 2, 4]),
    (Sign::Required, [16, -2, 4]),
    (Sign::Contrast, [9, -1, 3]),
    (Sign::Comment, [8, -2, -2]),
    (Sign::Thing, [3, -1, 3]),
    (Sign::Find, [-2, 18, 2]),
    (Sign::Finding, [2, 7, 4]),
    (Sign::Glance, [-2, 9, 1]),
    (Sign::Operate, [-11, -11, -11]),
    (Sign::AskWhat, [-1, 10, 4]),
    (Sign::AskWhether, [-4, 8, 6]),
    (Sign::AskTag, [1, 4, 5]),
    (Sign::AskPlain, [-2, 3, 0]),
    (Sign::AskChoice, [0, 2, 6]),
    (Sign::Weigh, [-1, 0, 6]),
    (Sign::Propose, [-1, 5, 10]),
    (Sign::Settle, [6, -2, 3]),
    (Sign::Prefer, [1, -2, 6]),
    (Sign::Opinion, [0, -5, 14]),
    (Sign::Lean, [0, 0, 16]),
    (Sign::Hedge, [3, 2, 11]),
    (Sign::Symptom, [7, 15, 4]),
    (Sign::Unexpected, [4, 3, 0]),
    (Sign::Report, [-3, 9, -1]),
    (Sign::Approve, [-16, -18, -12]),
    (Sign::Condition, [3, 0, 7]),
    (Sign::Statement, [0, -1, -5]),
    (Sign::Fragment, [3, -2, 2]),
    (Sign::Answer, [0, 0, 2]),
    (Sign::Bare, [-7, -7, -6]),
    (Sign::Short, [-18, -19, -16]),
    (Sign::Long, [5, -1, 1]),
    (Sign::Impersonal, [8, 0, 3]),
    (Sign::Listed, [-3, 4, 9]),
    (Sign::Named, [6, 7, 0]),
    (Sign::Output, [2, 9, 0]),
    (Sign::MainChange, [18, -2, 3]),
    (Sign::MainFind, [4, 10, 6]),
    (Sign::MainAsk, [1, 15, 2]),
    (Sign::MainOperate, [-11, -11, -11]),
    (Sign::MainWeigh, [8, 7, 21]),
];
