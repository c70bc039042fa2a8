//! What each sign counts: tenths of a logarithm of odds, per speaker.

use super::sign::{Sign, Thresholds, Weight};

/// For an operator.
pub(super) const OPERATOR_THRESHOLDS: Thresholds = [20, 20, 20];

/// For an operator.
#[rustfmt::skip]
pub(super) const OPERATOR: &[Weight] = &[
    (Sign::Decided,      [24, 4, 0]),
    (Sign::Chosen,       [11, 2, 2]),
    (Sign::Want,         [7, 0, 2]),
    (Sign::WantHead,     [6, 0, 0]),
    (Sign::Must,         [6, 0, 3]),
    (Sign::Over,         [4, 2, 5]),
    (Sign::Failed,       [0, 24, 0]),
    (Sign::Trouble,      [0, 7, 2]),
    (Sign::Tried,        [0, 8, 0]),
    (Sign::Because,      [2, 7, 2]),
    (Sign::Until,        [0, 5, 0]),
    (Sign::No,           [2, 0, 14]),
    (Sign::Wrong,        [0, 0, 16]),
    (Sign::Meant,        [0, 0, 14]),
    (Sign::Redirect,     [2, 0, 8]),
    (Sign::Rule,         [3, 0, 9]),
    (Sign::Still,        [0, 0, 5]),
    (Sign::Build,        [3, 0, 0]),
    (Sign::Decide,       [5, 0, 4]),
    (Sign::Investigate,  [-5, -4, -3]),
    (Sign::Opens,        [0, 0, 2]),
    (Sign::Answers,      [0, 0, 4]),
    (Sign::AfterNo,      [0, 0, 5]),
    (Sign::Quotes,       [1, 0, 1]),
    (Sign::Short,        [-4, -4, -4]),
    (Sign::Long,         [0, 0, 0]),
    (Sign::Heading,      [-10, -10, -20]),
    (Sign::Plain,        [2, 2, 2]),
    (Sign::Question,     [-16, -16, -6]),
    (Sign::Tag,          [-6, -10, -2]),
    (Sign::Hypothetical, [-8, -10, -5]),
    (Sign::Conditional,  [-2, -4, -2]),
    (Sign::Future,       [-20, -20, -10]),
    (Sign::Quotation,    [-30, -30, -20]),
    (Sign::Negated,      [-24, -24, 0]),
    (Sign::StatusEcho,   [-6, -8, -6]),
    (Sign::Narration,    [-4, -6, -6]),
    (Sign::Operation,    [-12, 0, -4]),
    (Sign::AboutMemory,  [-60, -60, -60]),
    (Sign::Output,       [-60, -60, -60]),
    (Sign::Hedge,        [0, -2, 2]),
];

/// For an agent, from which no correction comes.
pub(super) const AGENT_THRESHOLDS: Thresholds = [20, 20, i32::MAX];

/// For an agent.
#[rustfmt::skip]
pub(super) const AGENT: &[Weight] = &[
    (Sign::Decided,      [22, 0, 0]),
    (Sign::Chosen,       [10, 0, 0]),
    (Sign::Want,         [2, 0, 0]),
    (Sign::Must,         [4, 0, 0]),
    (Sign::Over,         [14, 0, 0]),
    (Sign::Failed,       [0, 23, 0]),
    (Sign::Trouble,      [0, 8, 0]),
    (Sign::Tried,        [0, 8, 0]),
    (Sign::Because,      [4, 6, 0]),
    (Sign::Until,        [0, 2, 0]),
    (Sign::Short,        [-6, -6, 0]),
    (Sign::Heading,      [-10, -10, 0]),
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
