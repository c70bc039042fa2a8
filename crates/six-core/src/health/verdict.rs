//! Typed verdicts and typed faults. No free text is ever compared.

use serde::{Deserialize, Serialize};

/// The checks that exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckName {
    /// The file opens, is ours, is whole, private, and has room.
    Store,
    /// Nothing that changed is left out.
    Ingest,
    /// Every hook that should have fired did, and succeeded.
    Heartbeats,
    /// Candidates are being triaged.
    Queue,
}

impl CheckName {
    /// The name in text and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Store => "store",
            Self::Ingest => "ingest",
            Self::Heartbeats => "heartbeats",
            Self::Queue => "queue",
        }
    }

    /// The check of that name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Store, Self::Ingest, Self::Heartbeats, Self::Queue].into_iter().find(|c| c.as_str() == name)
    }
}

/// What a check says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// All is well.
    Green {
        /// Something worth knowing (first run, idle); printed after the line.
        note: Option<String>,
    },
    /// Something is wrong.
    Red {
        /// What, as a type.
        fault: Fault,
        /// What, with its numbers.
        detail: String,
        /// The command that a person can run now.
        fix: String,
    },
}

/// Every fault that a check can find.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The store can't be opened; the reason is in the detail.
    StoreUnusable,
    /// The schema is older or newer than this binary's.
    StoreSchema,
    /// Chunks, index rows and term counts disagree.
    StoreParity,
    /// The full check of the file found damage.
    StoreDamaged,
    /// The file or folder can be read by others.
    StoreMode,
    /// Too little free disk.
    DiskFull,
    /// The store is near its quota.
    Quota,
    /// Events wait in the spool for longer than one boundary.
    SpoolStuck,
    /// A source changed and was not consumed.
    IngestLag,
    /// A source fails again and again.
    IngestFailing,
    /// The newest row of a hook failed or crashed.
    HookFailed,
    /// A hook left no row at a boundary that was seen.
    HookMissing,
    /// A wired hook's program is gone, or a hook is not wired.
    HookUnwired,
    /// A session left a transcript and no heartbeat.
    SessionUnseen,
    /// Too many candidates wait, or for too long.
    QueueLong,
    /// The check itself failed or overran.
    CheckFailed,
    /// The check could not run because another one is red.
    Blocked,
}
