//! Anchors: what a record cites, so that it can be checked again when it is shown.

use serde::{Deserialize, Serialize};

use super::UnixMs;
use crate::text::Redacted;

/// A place in the project that a record stands on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    /// Path relative to the project root, with `/`.
    pub path: Redacted,
    /// First and last line, counted from 1; `None` for the whole file.
    pub lines: Option<(u32, u32)>,
    /// [`super::span_hash`] of the cited lines, or of the file, when the anchor was taken; `None` if only the place or a name
    /// was cited.
    pub hash: Option<String>,
    /// The commit that was checked out, in hex.
    pub commit: Option<String>,
    /// The branch that was checked out.
    pub branch: Option<Redacted>,
    /// The name of what is cited (a function, a type, a setting), which has to occur in the file; `None` for a place
    /// without a name.
    pub symbol: Option<Redacted>,
    /// Where the cited text was found after it left its place (`PATH` or `PATH:FIRST-LAST`, see [`super::parse_place`]),
    /// as of the last look of the worker.
    pub moved_to: Option<Redacted>,
    /// Whether what is cited is part of what is checked out although that is another branch: its commit is, or it was seen
    /// to hold there (a squashed branch leaves no commit). As of the last look of the worker; `None` if it never looked.
    pub merged: Option<bool>,
}

impl Anchor {
    /// A place that is only named: it holds as long as it exists.
    pub const fn of_path(path: Redacted) -> Self {
        Self { path, lines: None, hash: None, commit: None, branch: None, symbol: None, moved_to: None, merged: None }
    }
}

/// What became of an anchor, as far as a hook can see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnchorState {
    /// What is cited stands where it stood, unchanged. A place that was cited without a hash exists.
    Holds,
    /// The cited text stands unchanged on other lines of its file.
    Shifted {
        /// First and last line there, counted from 1.
        lines: (u32, u32),
    },
    /// What is cited stands in another file, or its file has another name.
    Moved {
        /// Path relative to the project root, with `/`.
        path: Redacted,
        /// First and last line there, counted from 1; `None` if the file went there and no lines were cited, or they were
        /// not found in it.
        lines: Option<(u32, u32)>,
    },
    /// The text at that place is another one.
    Changed {
        /// When the file was last written.
        at: Option<UnixMs>,
    },
    /// The file stands, the name that was cited no longer occurs in it.
    SymbolGone,
    /// There is no such file.
    Gone,
    /// It was cited on a branch that is not part of what is checked out, and is not here.
    OtherBranch {
        /// That branch.
        branch: Redacted,
    },
    /// It could not be looked at: too large, not to be read, or no time left.
    Unverifiable,
}

impl AnchorState {
    /// Whether what is cited is known to be there no longer as it was cited.
    pub const fn is_stale(&self) -> bool {
        !matches!(self, Self::Holds | Self::Shifted { .. } | Self::Unverifiable)
    }
}
