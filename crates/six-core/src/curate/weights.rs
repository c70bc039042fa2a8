//! What each sign counts for a decision, a dead end, a correction: tenths of a logarithm of odds, per speaker.
//!
//! Set by hand for kinds of wording; then, for an operator's decisions and corrections, fitted to labelled English prompts
//! with a penalty on moving away from that, rounded, and evened out where a sign stood for one writer's habit. What sums
//! have to exceed is chosen on the same prompts: for decisions most of the recall that a precision of 0.6 leaves, for
//! corrections a precision of 0.8.

use super::sign::{Sign, Thresholds, Weight};

/// What an operator's sums have to exceed.
pub(super) const OPERATOR_THRESHOLDS: Thresholds = [21, 20, 32];

/// For an operator.
#[rustfmt::skip]
pub(super) const OPERATOR: &[Weight] = &[
    (Sign::Decided,      [31, 4, 3]),
    (Sign::Chosen,       [23, 2, -2]),
    (Sign::Lean,         [9, 0, 2]),
    (Sign::Want,         [9, 0, -3]),
    (Sign::WantHead,     [17, 0, -3]),
    (Sign::Must,         [14, 0, 4]),
    (Sign::Over,         [-3, 2, 1]),
    (Sign::Failed,       [-2, 24, 5]),
    (Sign::Trouble,      [-7, 9, -4]),
    (Sign::Attempt,      [-3, 12, -1]),
    (Sign::AfterAttempt, [0, 11, -1]),
    (Sign::Tried,        [-1, 9, -2]),
    (Sign::Because,      [4, 7, 5]),
    (Sign::Until,        [-2, 5, -1]),
    (Sign::No,           [14, 0, 24]),
    (Sign::But,          [-4, 0, 10]),
    (Sign::Bar,          [10, 0, 13]),
    (Sign::Swap,         [-4, 0, 12]),
    (Sign::Wrong,        [4, 0, 28]),
    (Sign::Meant,        [-1, 0, 15]),
    (Sign::Redirect,     [4, 0, 15]),
    (Sign::Standing,     [7, 0, 21]),
    (Sign::Rule,         [9, 0, 12]),
    (Sign::Still,        [2, 0, -1]),
    (Sign::Order,        [7, 0, -2]),
    (Sign::Opens,        [1, 0, 8]),
    (Sign::Answers,      [0, 0, 4]),
    (Sign::AfterNo,      [0, 0, 5]),
    (Sign::Quotes,       [1, 0, 5]),
    (Sign::Short,        [-5, -4, -9]),
    (Sign::Long,         [6, 0, -2]),
    (Sign::Heading,      [-20, -20, -20]),
    (Sign::Impersonal,   [2, -8, -3]),
    (Sign::Plain,        [1, 2, -1]),
    (Sign::Question,     [-22, -16, -13]),
    (Sign::Tag,          [-9, -10, -8]),
    (Sign::Hypothetical, [-21, -10, -6]),
    (Sign::Conditional,  [-1, -4, -5]),
    (Sign::Future,       [-20, -20, -10]),
    (Sign::Quotation,    [-30, -30, -20]),
    (Sign::Negated,      [-24, -24, 0]),
    (Sign::StatusEcho,   [-5, -8, -7]),
    (Sign::Narration,    [3, -6, -2]),
    (Sign::Operation,    [-13, 0, -3]),
    (Sign::AboutMemory,  [-60, -60, -60]),
    (Sign::Output,       [-60, -60, -60]),
    (Sign::Hedge,        [6, -2, 0]),
];

/// What an agent's have to exceed, from whom no correction comes.
pub(super) const AGENT_THRESHOLDS: Thresholds = [17, 19, i32::MAX];

/// For an agent.
#[rustfmt::skip]
pub(super) const AGENT: &[Weight] = &[
    (Sign::Decided,      [22, 0, 0]),
    (Sign::Chosen,       [11, 0, 0]),
    (Sign::Lean,         [5, 0, 0]),
    (Sign::Want,         [2, 0, 0]),
    (Sign::Must,         [4, 0, 0]),
    (Sign::Over,         [14, 0, 0]),
    (Sign::Swap,         [4, 0, 0]),
    (Sign::Failed,       [0, 23, 0]),
    (Sign::Trouble,      [0, 9, 0]),
    (Sign::Attempt,      [0, 12, 0]),
    (Sign::AfterAttempt, [0, 11, 0]),
    (Sign::Tried,        [0, 9, 0]),
    (Sign::Because,      [6, 5, 0]),
    (Sign::Until,        [0, 2, 0]),
    (Sign::Short,        [-6, -6, 0]),
    (Sign::Heading,      [-20, -20, 0]),
    (Sign::Plain,        [2, 2, 0]),
    (Sign::Question,     [-24, -24, 0]),
    (Sign::Tag,          [-20, -20, 0]),
    (Sign::Hypothetical, [-10, -12, 0]),
    (Sign::Conditional,  [-4, -4, 0]),
    (Sign::Future,       [-20, -20, 0]),
    (Sign::Quotation,    [-30, -30, 0]),
    (Sign::Negated,      [-24, -24, 0]),
    (Sign::StatusEcho,   [-8, -8, 0]),
    (Sign::Narration,    [-8, -10, 0]),
    (Sign::AboutMemory,  [-60, -60, 0]),
    (Sign::Output,       [-60, -60, 0]),
    (Sign::Hedge,        [-2, -4, 0]),
];
