//! Why a settings file is left alone.

use thiserror::Error;

/// What stands in the way of an edit, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct SettingsFault {
    /// 1-based.
    pub line: usize,
    /// 1-based, in characters.
    pub column: usize,
    /// What it is.
    pub problem: SettingsProblem,
}

/// What stands in the way of an edit.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SettingsProblem {
    /// The host reads strict JSON, so the whole file is dead to it.
    #[error("a comment, which the host does not accept in its settings")]
    Comment,
    /// The host reads strict JSON, so the whole file is dead to it.
    #[error("a comma with nothing after it, which the host does not accept in its settings")]
    TrailingComma,
    /// Any other error of syntax, in the parser's words.
    #[error("not JSON that can be edited: {0}")]
    Syntax(String),
    /// The file holds a list, a string or the like.
    #[error("the settings are not an object")]
    NotAnObject,
    /// A member of which only the last one counts to the host.
    #[error("\"{0}\" stands here for the second time")]
    Duplicate(String),
    /// A value of the wrong type.
    #[error("{what} must be {expected}")]
    WrongShape {
        /// The value.
        what: String,
        /// The right type.
        expected: &'static str,
    },
}

impl SettingsFault {
    /// The fault at byte `offset` of `text`.
    pub(super) fn at(text: &str, offset: usize, problem: SettingsProblem) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let before = before.strip_prefix('\u{feff}').unwrap_or(before);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
            problem,
        }
    }
}
