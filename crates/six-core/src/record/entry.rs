//! Text that is indexed: one entry per message, document, commit or record, cut into chunks.

use std::ops::Range;

use super::{Origin, SessionId, Source, UnixMs};
use crate::text::Redacted;

/// What an entry is. Decides its weight and how hits are labelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// A prompt that a person wrote.
    Prompt,
    /// What the assistant answered.
    Answer,
    /// A tool call in one line: tool, path or command, outcome.
    Tool,
    /// What a sub-agent was told or said.
    Subagent,
    /// The summary that the host made when it compacted. Kept, but never evidence.
    Summary,
    /// A document of the project.
    Doc,
    /// A file of the memory folder or a `CLAUDE.md`.
    Memory,
    /// An append-only ledger.
    Ledger,
    /// A commit.
    Commit,
    /// A confirmed decision.
    Decision,
    /// A confirmed dead end.
    DeadEnd,
    /// A confirmed correction.
    Correction,
    /// A confirmed cheatsheet.
    Cheatsheet,
    /// A subsystem of the inventory.
    Subsystem,
}

impl EntryKind {
    /// All kinds.
    pub const ALL: [Self; 14] = [
        Self::Prompt,
        Self::Answer,
        Self::Tool,
        Self::Subagent,
        Self::Summary,
        Self::Doc,
        Self::Memory,
        Self::Ledger,
        Self::Commit,
        Self::Decision,
        Self::DeadEnd,
        Self::Correction,
        Self::Cheatsheet,
        Self::Subsystem,
    ];

    /// The name in the store, in JSON and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Answer => "answer",
            Self::Tool => "tool",
            Self::Subagent => "subagent",
            Self::Summary => "summary",
            Self::Doc => "doc",
            Self::Memory => "memory",
            Self::Ledger => "ledger",
            Self::Commit => "commit",
            Self::Decision => "decision",
            Self::DeadEnd => "dead_end",
            Self::Correction => "correction",
            Self::Cheatsheet => "cheatsheet",
            Self::Subsystem => "subsystem",
        }
    }

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.as_str() == name)
    }

    /// How much an entry of this kind counts in ranking, 0 to 100 (a person's text 10, assistant 5, commits 15,
    /// documents 20, ledgers 30, memory files 40, records from 60 up). 0 is kept and findable by filter, never ranked up.
    pub const fn weight(self) -> u8 {
        match self {
            Self::Summary => 0,
            Self::Tool | Self::Subagent => 3,
            Self::Answer => 5,
            Self::Prompt => 10,
            Self::Commit => 15,
            Self::Doc => 20,
            Self::Ledger => 30,
            Self::Memory => 40,
            Self::Cheatsheet => 60,
            Self::Subsystem => 70,
            Self::Decision | Self::DeadEnd => 80,
            Self::Correction => 100,
        }
    }
}

/// One message, document, commit or record, redacted, with the chunks it is cut into. Its text is stored once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Unique within its source: the uuid of a transcript record, the path of a document, the hash of a commit, the id of
    /// a record. An equal key in a transcript means the same message (forks and checkpoints repeat it).
    pub key: String,
    /// Where it comes from.
    pub source: Source,
    /// What it is.
    pub kind: EntryKind,
    /// Who said it.
    pub origin: Origin,
    /// The session it was said in.
    pub session: Option<SessionId>,
    /// Path relative to the project root (documents), or of the transcript.
    pub path: Option<Redacted>,
    /// Heading path, subject or first clause; shown in results and searched with more weight. Empty where nothing but the
    /// text has one: results show its beginning.
    pub title: Redacted,
    /// The whole text.
    pub text: Redacted,
    /// When it was said, written or committed, as far as known.
    pub at: Option<UnixMs>,
    /// The git branch it was said on.
    pub branch: Option<Redacted>,
    /// Byte ranges into `text`, in order. May overlap; together they cover all that is not blank.
    pub chunks: Vec<Chunk>,
}

/// A piece of an entry that is indexed and can be retrieved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Bytes of the entry's text, at character boundaries.
    pub range: Range<usize>,
    /// First and last line in the source file, counted from 1; `None` where lines mean nothing (messages, commits).
    pub lines: Option<(u32, u32)>,
    /// The heading path above this chunk; empty where the entry's title says it all.
    pub title: Redacted,
}
