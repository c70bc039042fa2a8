//! The records of a transcript.
//!
//! Clients from 1.0 on are read; what an old one lacks is absent. Lines are judged one by one: a bad one is a typed
//! [`LineFault`] that can be counted, and never a reason to stop.

mod line;

use super::content::Block;

pub use line::{LINE_LIMIT_BYTES, LineFault, RECORD_START, parse_line, parse_records};

/// One record of a transcript.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// What all conversation records share.
    pub head: Head,
    /// What is the record's own.
    pub body: Body,
}

/// The part that all conversation records share; records of the client's state have little of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Head {
    /// The record. Forks and checkpoints repeat a record under the same one.
    pub uuid: Option<String>,
    /// The record before it.
    pub parent_uuid: Option<String>,
    /// On a compaction's boundary, which has no parent: the record before it.
    pub logical_parent_uuid: Option<String>,
    /// The session.
    pub session_id: Option<String>,
    /// When it was written.
    pub timestamp: Option<Timestamp>,
    /// The current folder.
    pub cwd: Option<String>,
    /// The branch.
    pub git_branch: Option<String>,
    /// The client's version.
    pub version: Option<String>,
    /// It belongs to a sub-agent.
    pub is_sidechain: bool,
    /// The client wrote it, not a person.
    pub is_meta: bool,
    /// `cli`, `sdk-cli`, ...
    pub entrypoint: Option<String>,
    /// The sub-agent.
    pub agent_id: Option<String>,
}

/// A record's time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timestamp {
    /// As written.
    pub raw: String,
    /// Milliseconds since 1970, if `raw` is RFC 3339.
    pub unix_ms: Option<i64>,
}

/// The record's own part.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// A prompt, a tool's result, or what the client puts in a user's mouth; [`super::Author`] tells.
    User(User),
    /// A block of the model's answer.
    Assistant(Assistant),
    /// Something that went to the model beside the conversation.
    Attachment(Attachment),
    /// A word of the client about the session.
    System(System),
    /// A prompt entered or left the queue.
    QueueOperation(QueueOperation),
    /// A record that six has no use for, by its type.
    Other(String),
}

/// A `user` record.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct User {
    /// What was said.
    pub content: Vec<Block>,
    /// `origin.kind`: `human`, `task-notification`, ...
    pub origin_kind: Option<String>,
    /// `typed`, `sdk`, `system`, ...
    pub prompt_source: Option<String>,
    /// `local`, `harness`, `hook`, `recorded`, ...
    pub row_source: Option<String>,
    /// It is the summary of a compaction.
    pub is_compact_summary: bool,
}

/// An `assistant` record. An answer has one per block.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Assistant {
    /// Shared by the blocks of one answer.
    pub message_id: Option<String>,
    /// What was said.
    pub content: Vec<Block>,
    /// The client wrote it because the API failed.
    pub is_api_error: bool,
}

/// An `attachment` record.
#[derive(Debug, Clone, PartialEq)]
pub enum Attachment {
    /// A message that came while a turn ran. It has no user record.
    QueuedCommand(QueuedCommand),
    /// What became of a hook. Clients from 2.1 on write it, and none for a hook that said nothing.
    Hook(HookTrace),
    /// Any other, by its type.
    Other(String),
}

/// What became of a hook.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HookTrace {
    /// The event that it was called for.
    pub event: Option<String>,
    /// What it said was taken, and is a block of six.
    pub has_our_block: bool,
}

/// A message that came while a turn ran.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueuedCommand {
    /// What was said.
    pub content: Vec<Block>,
    /// `human`, `task-notification`, ...
    pub origin_kind: Option<String>,
    /// `prompt`, `task-notification`, ...
    pub mode: Option<String>,
}

/// A `system` record.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct System {
    /// `compact_boundary`, `turn_duration`, `informational`, ...
    pub subtype: Option<String>,
    /// What the user reads.
    pub content: Option<String>,
}

/// A `queue-operation` record.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueueOperation {
    /// `enqueue`, `dequeue`, `remove`, `popAll`.
    pub operation: Option<String>,
    /// The prompt.
    pub content: Option<String>,
}
