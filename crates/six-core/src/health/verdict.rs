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
    /// What is to be found by its meaning has its vector, and is found.
    Vectors,
    /// The configured provider makes vectors.
    Embedding,
    /// Every hook that should have fired did, and succeeded.
    Heartbeats,
    /// Candidates are being triaged.
    Queue,
    /// The stories that a model told are those of the records.
    Lineage,
    /// The host's memory folder is whole.
    MemoryFiles,
    /// The project's standing rules say nothing that is no longer so.
    Constitution,
    /// What a session start shows is alive, fits, and arrives.
    Render,
    /// What the project derives elsewhere is fresh.
    Derived,
}

impl CheckName {
    /// All checks, in the order of the report.
    pub const ALL: [Self; 11] = [
        Self::Store,
        Self::Ingest,
        Self::Vectors,
        Self::Embedding,
        Self::Heartbeats,
        Self::Queue,
        Self::Lineage,
        Self::MemoryFiles,
        Self::Constitution,
        Self::Render,
        Self::Derived,
    ];

    /// The name in text and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Store => "store",
            Self::Ingest => "ingest",
            Self::Vectors => "vectors",
            Self::Embedding => "embedding",
            Self::Heartbeats => "heartbeats",
            Self::Queue => "queue",
            Self::Lineage => "lineage",
            Self::MemoryFiles => "memory_files",
            Self::Constitution => "constitution",
            Self::Render => "render",
            Self::Derived => "derived",
        }
    }

    /// The check of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.as_str() == name)
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
    /// Green, because what it would look at is optional and not set up. That is no news at every session's start: only who
    /// asks for all notes is told.
    NotWired,
    /// Something is wrong.
    Red {
        /// What, as a type.
        fault: Fault,
        /// What, with its numbers.
        detail: String,
        /// What a person can do now: one command, or a sentence with its commands between backticks.
        fix: String,
    },
    /// It could not be looked at because another check is red. Counts as red, and is told on the cause's line.
    Blocked {
        /// The cause.
        by: CheckName,
    },
}

impl Verdict {
    /// All is well, and there is nothing to add.
    pub const fn green() -> Self {
        Self::Green { note: None }
    }

    /// What there is to add, if anything.
    pub fn note(&self) -> Option<&str> {
        match self {
            Self::Green { note } => note.as_deref(),
            Self::NotWired => Some("not wired"),
            Self::Red { .. } | Self::Blocked { .. } => None,
        }
    }

    /// All is well, with something worth knowing.
    pub fn noted(note: impl Into<String>) -> Self {
        Self::Green { note: Some(note.into()) }
    }

    /// Something is wrong.
    pub fn red(fault: Fault, detail: impl Into<String>, fix: impl Into<String>) -> Self {
        Self::Red { fault, detail: detail.into(), fix: fix.into() }
    }

    /// Whether it counts as green.
    pub const fn is_green(&self) -> bool {
        matches!(self, Self::Green { .. } | Self::NotWired)
    }

    /// What is wrong, as a type.
    pub const fn fault(&self) -> Option<Fault> {
        match self {
            Self::Green { .. } | Self::NotWired => None,
            Self::Red { fault, .. } => Some(*fault),
            Self::Blocked { .. } => Some(Fault::Blocked),
        }
    }
}

impl Fault {
    /// The name in the store and in JSON.
    pub fn name(self) -> String {
        match serde_json::to_value(self) {
            Ok(serde_json::Value::String(name)) => name,
            _ => String::new(),
        }
    }

    /// The fault of that name; `None` for one that another version knows.
    pub fn parse(name: &str) -> Option<Self> {
        serde_json::from_value(name.into()).ok()
    }

    /// Whether a check that tells this fault has seen that `other`, one of its own, is not there.
    pub fn rules_out(self, other: Self) -> bool {
        match self {
            // Nothing was looked at.
            Self::CheckFailed | Self::Blocked => false,
            _ if other == Self::CheckFailed => true,
            // A provider does one thing with one text.
            Self::EmbedderUnreachable
            | Self::EmbedderNotOllama
            | Self::EmbedderModelMissing
            | Self::EmbedderWedged
            | Self::EmbedderWidth
            | Self::EmbedderFallback
            | Self::EmbedderRefused
            | Self::EmbedderBadAnswer
            | Self::EmbedderBroken
            | Self::EmbedderUnsupported => other != self,
            // Told by their places, whatever they are.
            Self::ConstitutionTerm
            | Self::ConstitutionSlot
            | Self::ConstitutionPath
            | Self::ConstitutionCommand
            | Self::DerivedMissing
            | Self::DerivedEmpty
            | Self::DerivedStale => false,
            _ => other < self,
        }
    }
}

/// Every fault that a check can find. Those of a check stand in the order in which it looks for them: of several the first
/// is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The store can't be opened; the reason is in the detail.
    StoreUnusable,
    /// The schema is older or newer than this binary's.
    StoreSchema,
    /// The full check of the file found damage.
    StoreDamaged,
    /// Chunks, index rows and the counter disagree, or a chunk is not found through the index.
    StoreParity,
    /// The file or folder can be read by others.
    StoreMode,
    /// Too little free disk.
    DiskFull,
    /// The store is near its quota.
    Quota,
    /// A file of configuration is not used, and hooks go by the defaults.
    Configuration,
    /// Events wait in the spool for longer than one boundary.
    SpoolStuck,
    /// The journal grows and is not written back.
    JournalLarge,
    /// The last full check of the file is too old.
    StoreUnchecked,
    /// A source fails again and again.
    IngestFailing,
    /// A source changed and was not consumed.
    IngestLag,
    /// Texts that had a vector have none any more.
    VectorsLost,
    /// Texts wait for their vectors, and nothing adds any.
    VectorsStuck,
    /// Vectors belong to no text.
    VectorsOrphaned,
    /// A text is not found by its vector.
    VectorsUnfound,
    /// No server listens where the vectors are to come from.
    EmbedderUnreachable,
    /// What listens there is not Ollama.
    EmbedderNotOllama,
    /// The server does not have the model.
    EmbedderModelMissing,
    /// The server takes requests and does not answer.
    EmbedderWedged,
    /// The provider's vectors are not as wide as those of the index.
    EmbedderWidth,
    /// The configured fallback could never stand in.
    EmbedderFallback,
    /// The provider is configured in a way that can't be meant.
    EmbedderRefused,
    /// The server failed, or what it answered are no vectors.
    EmbedderBadAnswer,
    /// The model inside six makes wrong vectors or none.
    EmbedderBroken,
    /// The model inside six can't run here.
    EmbedderUnsupported,
    /// The host's settings switch all hooks off.
    HooksOff,
    /// A hook is not wired.
    HookUnwired,
    /// A wired hook's program is gone, can't be started, or belongs to another installation.
    HookProgram,
    /// The newest row of a hook failed or crashed.
    HookFailed,
    /// A hook, or the render of a start, left no row although it had to run.
    HookMissing,
    /// A session started, and the checks did not run.
    GateMissing,
    /// A session left a transcript and no heartbeat.
    SessionUnseen,
    /// A hook answered turns and left no account of them.
    TurnUnaccounted,
    /// A hook uses its time up too often.
    HookSlow,
    /// Hooks too often had to do with less than they asked for.
    HookDegraded,
    /// Too many candidates wait, or for too long.
    QueueLong,
    /// A thread has changed since a model told its story.
    LineageStale,
    /// A merge left a conflict in a file of the host's memory folder.
    MemoryConflict,
    /// `MEMORY.md` is longer than what the host loads of it.
    MemoryOverLimit,
    /// A link of `MEMORY.md` leads to no file.
    MemoryLinkBroken,
    /// The front matter of a memory file can't be read.
    MemoryFrontMatter,
    /// A memory file is not named in `MEMORY.md`.
    MemoryOrphan,
    /// `MEMORY.md` has lost the section that says where work is to be taken up.
    AnchorMissing,
    /// Where work is to be taken up has not been written for too long.
    AnchorStale,
    /// The standing rules use a term that the project has given up.
    ConstitutionTerm,
    /// The standing rules have a place that was to be filled in.
    ConstitutionSlot,
    /// The standing rules name a file that is not there.
    ConstitutionPath,
    /// The standing rules name a command that is not defined.
    ConstitutionCommand,
    /// The block of a session start was made, and the session does not have it.
    RenderUndelivered,
    /// Session starts show the same although what they are made of has changed.
    RenderFrozen,
    /// The block of a session start is longer than it may be.
    RenderLarge,
    /// What the project derives elsewhere is not where it should be, or can't be read.
    DerivedMissing,
    /// What the project derives elsewhere is empty.
    DerivedEmpty,
    /// What the project derives elsewhere is too old.
    DerivedStale,
    /// The check itself failed or could not look.
    CheckFailed,
    /// The check could not run because another one is red.
    Blocked,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_gone_when_its_check_tells_one_that_it_looks_for_later() {
        assert!(Fault::StoreUnchecked.rules_out(Fault::StoreMode));
        assert!(!Fault::StoreMode.rules_out(Fault::StoreUnchecked), "it was not looked for");
        assert!(!Fault::StoreMode.rules_out(Fault::StoreMode));
        assert!(Fault::EmbedderUnreachable.rules_out(Fault::EmbedderWedged));
        assert!(!Fault::ConstitutionPath.rules_out(Fault::ConstitutionTerm), "it may stand below");
        assert!(Fault::DerivedStale.rules_out(Fault::CheckFailed));
        for blind in [Fault::CheckFailed, Fault::Blocked] {
            assert!(!blind.rules_out(Fault::StoreMode), "nothing was looked at");
        }
    }

    #[test]
    fn a_fault_is_found_by_its_name() {
        assert_eq!(Fault::parse("hooks-off"), Some(Fault::HooksOff));
        assert_eq!(Fault::parse("of a newer six"), None);
    }
}
