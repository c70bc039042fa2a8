//! The text that is injected.

use serde::{Deserialize, Serialize};

/// What a block is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BlockKind {
    /// What exists or was decided, so that it is not built or decided again.
    DoNotRebuild,
}
