//! What each sign counts in the languages of which there are no labelled prompts.
//!
//! English weighs broad words against each other, as its labelled prompts teach. The other lists name whole wordings of a
//! choice, a failure, a rule, so one phrase of a strong section is enough and everything else tips the scales at most.

use super::sign::{Sign, Thresholds, Weight};

/// For an operator.
pub(super) const OPERATOR_THRESHOLDS: Thresholds = [16, 15, 18];

/// For an operator.
#[rustfmt::skip]
pub(super) const OPERATOR: &[Weight] = &[
    (Sign::Decided,      [24, -6, -8]),
    (Sign::Chosen,       [11, 0, 2]),
    (Sign::Want,         [8, 0, 0]),
    (Sign::Must,         [9, 0, 2]),
    (Sign::Over,         [14, 0, 4]),
    (Sign::Failed,       [0, 24, 0]),
    (Sign::Trouble,      [-2, 8, 0]),
    (Sign::Tried,        [0, 12, 0]),
    (Sign::InVain,       [0, 8, 0]),
    (Sign::Because,      [6, 12, 2]),
    (Sign::No,           [0, 0, 18]),
    (Sign::Wrong,        [0, 0, 21]),
    (Sign::Meant,        [0, 0, 17]),
    (Sign::Redirect,     [2, 0, 17]),
    (Sign::Standing,     [2, 0, 22]),
    (Sign::Still,        [0, 0, 3]),
    (Sign::Opens,        [0, 0, 2]),
    (Sign::Answers,      [0, 0, 4]),
    (Sign::AfterNo,      [0, 0, 6]),
    (Sign::Short,        [-4, -4, -4]),
    (Sign::Heading,      [-10, -10, -20]),
    (Sign::Plain,        [2, 2, 2]),
    (Sign::Question,     [-40, -40, -16]),
    (Sign::Tag,          [-12, -12, -4]),
    (Sign::Hypothetical, [-12, -12, -8]),
    (Sign::Conditional,  [-24, -8, -4]),
    (Sign::Future,       [-24, -24, -10]),
    (Sign::Quotation,    [-30, -30, -24]),
    (Sign::Negated,      [-24, -24, 0]),
    (Sign::StatusEcho,   [-4, -4, -4]),
    (Sign::Narration,    [-12, -8, -8]),
    (Sign::Operation,    [-12, 0, -4]),
    (Sign::AboutMemory,  [-60, -60, -60]),
    (Sign::Output,       [-60, -60, -60]),
    (Sign::Hedge,        [-4, -4, 0]),
];

/// For an agent, from which no correction comes.
pub(super) const AGENT_THRESHOLDS: Thresholds = [16, 15, i32::MAX];

/// For an agent.
#[rustfmt::skip]
pub(super) const AGENT: &[Weight] = &[
    (Sign::Decided,      [24, -6, 0]),
    (Sign::Chosen,       [11, 0, 0]),
    (Sign::Want,         [4, 0, 0]),
    (Sign::Must,         [7, 0, 0]),
    (Sign::Over,         [14, 0, 0]),
    (Sign::Failed,       [0, 24, 0]),
    (Sign::Trouble,      [0, 8, 0]),
    (Sign::Tried,        [0, 12, 0]),
    (Sign::InVain,       [0, 8, 0]),
    (Sign::Because,      [8, 12, 0]),
    (Sign::Short,        [-4, -4, 0]),
    (Sign::Heading,      [-10, -10, 0]),
    (Sign::Plain,        [2, 2, 0]),
    (Sign::Question,     [-40, -40, 0]),
    (Sign::Tag,          [-24, -24, 0]),
    (Sign::Hypothetical, [-12, -12, 0]),
    (Sign::Conditional,  [-24, -10, 0]),
    (Sign::Future,       [-24, -24, 0]),
    (Sign::Quotation,    [-30, -30, 0]),
    (Sign::Negated,      [-24, -24, 0]),
    (Sign::StatusEcho,   [-4, -4, 0]),
    (Sign::Narration,    [-12, -8, 0]),
    (Sign::AboutMemory,  [-60, -60, 0]),
    (Sign::Output,       [-60, -60, 0]),
    (Sign::Hedge,        [-4, -4, 0]),
];
