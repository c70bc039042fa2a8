//! What each sign counts: tenths of a logarithm of odds, per speaker.

use super::sign::{Sign, Thresholds, Weight};

/// For an operator.
pub(super) const OPERATOR_THRESHOLDS: Thresholds = [21, 20, 27];

/// For an operator.
#[rustfmt::skip]
pub(super) const OPERATOR: &[Weight] = &[
    (Sign::Decided,      [26, 4, 3]),
    (Sign::Chosen,       [15, 2, 1]),
    (Sign::Want,         [9, 0, -2]),
    (Sign::WantHead,     [10, 0, -2]),
    (Sign::Must,         [8, 0, 5]),
    (Sign::Over,         [-1, 2, 2]),
    (Sign::Failed,       [-1, 24, 5]),
    (Sign::Trouble,      [-4, 7, -4]),
    (Sign::Tried,        [-3, 8, -4]),
    (Sign::Because,      [2, 7, 3]),
    (Sign::Until,        [-1, 5, -1]),
    (Sign::No,           [9, 0, 19]),
    (Sign::But,          [-3, 0, 9]),
    (Sign::Bar,          [6, 0, 12]),
    (Sign::Swap,         [-1, 0, 10]),
    (Sign::Wrong,        [3, 0, 27]),
    (Sign::Meant,        [0, 0, 15]),
    (Sign::Redirect,     [-1, 0, 10]),
    (Sign::Standing,     [4, 0, 20]),
    (Sign::Rule,         [5, 0, 11]),
    (Sign::Still,        [1, 0, 2]),
    (Sign::Build,        [10, 0, -2]),
    (Sign::Decide,       [9, 0, 6]),
    (Sign::Investigate,  [-8, -4, -2]),
    (Sign::Opens,        [-2, 0, 5]),
    (Sign::Answers,      [0, 0, 4]),
    (Sign::AfterNo,      [0, 0, 5]),
    (Sign::Quotes,       [1, 0, 4]),
    (Sign::Short,        [-4, -4, -9]),
    (Sign::Long,         [5, 0, -1]),
    (Sign::Heading,      [-10, -10, -20]),
    (Sign::Impersonal,   [2, -8, -4]),
    (Sign::Plain,        [0, 2, 0]),
    (Sign::Question,     [-19, -16, -10]),
    (Sign::Tag,          [-8, -10, -6]),
    (Sign::Hypothetical, [-12, -10, -6]),
    (Sign::Conditional,  [0, -4, -2]),
    (Sign::Future,       [-20, -20, -10]),
    (Sign::Quotation,    [-30, -30, -20]),
    (Sign::Negated,      [-24, -24, 0]),
    (Sign::StatusEcho,   [-5, -8, -6]),
    (Sign::Narration,    [1, -6, -4]),
    (Sign::Operation,    [-12, 0, -4]),
    (Sign::AboutMemory,  [-60, -60, -60]),
    (Sign::Output,       [-60, -60, -60]),
    (Sign::Hedge,        [4, -2, 1]),
];

/// For an agent, from which no correction comes.
pub(super) const AGENT_THRESHOLDS: Thresholds = [19, 19, i32::MAX];

/// For an agent.
#[rustfmt::skip]
pub(super) const AGENT: &[Weight] = &[
    (Sign::Decided,      [22, 0, 0]),
    (Sign::Chosen,       [10, 0, 0]),
    (Sign::Want,         [2, 0, 0]),
    (Sign::Must,         [4, 0, 0]),
    (Sign::Over,         [14, 0, 0]),
    (Sign::Swap,         [4, 0, 0]),
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
