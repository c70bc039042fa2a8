//! Where text comes from.

use serde::{Deserialize, Serialize};

/// The six sources of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Session files of the host.
    Transcript,
    /// Documents of the project.
    Doc,
    /// The host's memory folder and `CLAUDE.md` files.
    Memory,
    /// Append-only ledgers.
    Ledger,
    /// Commits.
    Git,
    /// Curated records and subsystems.
    Record,
}

impl Source {
    /// All sources, in the order in which ingest works through them: small and trusted first.
    pub const ALL: [Self; 6] = [Self::Record, Self::Memory, Self::Ledger, Self::Transcript, Self::Doc, Self::Git];

    /// The name in the store, in JSON and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Transcript => "transcript",
            Self::Doc => "doc",
            Self::Memory => "memory",
            Self::Ledger => "ledger",
            Self::Git => "git",
            Self::Record => "record",
        }
    }

    /// The source of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.as_str() == name)
    }
}
