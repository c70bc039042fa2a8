//! Anchors: what a record cites, so that it can be checked again when it is shown.

use serde::{Deserialize, Serialize};

use crate::text::Redacted;

/// A place in the project that a record stands on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    /// Path relative to the project root, with `/`.
    pub path: Redacted,
    /// First and last line, counted from 1; `None` for the whole file.
    pub lines: Option<(u32, u32)>,
    /// SHA-256 (hex) of the cited lines, or of the file, when the anchor was taken; `None` if it did not exist.
    pub hash: Option<String>,
    /// The commit that was checked out, in hex.
    pub commit: Option<String>,
    /// The branch that was checked out.
    pub branch: Option<Redacted>,
}
