//! What the project derives elsewhere.

use super::ActiveDays;
use crate::health::HealthLimits;
use crate::record::UnixMs;

/// What the project derives elsewhere: one for each thing that is configured.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DerivedEvidence {
    /// In the order of [`DerivedKind`].
    pub outputs: Vec<DerivedOutput>,
}

/// Something that another program writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DerivedOutput {
    /// Which.
    pub kind: DerivedKind,
    /// Its path, as it is configured.
    pub path: String,
    /// What is there.
    pub found: DerivedFound,
}

/// What can be derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DerivedKind {
    /// `derived.project_state`
    ProjectState,
    /// `derived.code_graph`
    CodeGraph,
}

/// What is at the path of an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DerivedFound {
    /// Nothing.
    Missing,
    /// Something that can't be looked at.
    Unreadable,
    /// A file or a folder without a byte in it.
    Empty,
    /// A file, or a folder with files.
    Written {
        /// When the newest of it was written.
        at: UnixMs,
        /// Days with any heartbeat since then; `None` where the store can't tell.
        active_days_ago: Option<ActiveDays>,
    },
}

impl DerivedOutput {
    /// When it became too old; `None` where it did not, or the store can't tell.
    pub(in crate::health) fn stale_since(&self, limits: &HealthLimits) -> Option<UnixMs> {
        match &self.found {
            DerivedFound::Written { active_days_ago, .. } => {
                active_days_ago.as_ref()?.passed(limits.max_derived_days(self.kind))
            }
            DerivedFound::Missing | DerivedFound::Unreadable | DerivedFound::Empty => None,
        }
    }
}

impl DerivedKind {
    /// The key of the configuration.
    pub const fn key(self) -> &'static str {
        match self {
            Self::ProjectState => "derived.project_state",
            Self::CodeGraph => "derived.code_graph",
        }
    }
}

#[cfg(test)]
impl DerivedEvidence {
    /// All is well: nothing is configured.
    pub(crate) fn sound() -> Self {
        Self::default()
    }
}
