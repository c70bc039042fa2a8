//! What the host says and what it may be told: hook payloads, hook output, transcripts, settings.
//!
//! This is the only place that knows the host's JSON. Everything here was measured on client 2.1.332 and reads older
//! clients too.

mod action;
mod author;
mod content;
mod envelope;
mod identifier;
mod json;
mod output;
mod parse;
mod probe;
mod react;
pub mod settings;
mod slug;
mod transcript;
mod tree;
mod whole;
pub mod wire;

pub use action::Action;
pub use author::Author;
pub use content::Block;
pub(crate) use envelope::{Said, judge_said, without_notes};
pub use output::{CONTEXT_LIMIT_UNITS, HookOutput, OutputFault};
pub use parse::{PayloadFault, parse_payload};
pub use probe::{ProbeEvent, ProbeSession, ProbeTranscript};
pub use react::{Agent, Context, Event, StartSource, ToolCall};
pub use slug::slug;
pub use transcript::{
    Assistant, Attachment, Body, Head, HookTrace, LINE_LIMIT_BYTES, LineFault, QueueOperation, QueuedCommand,
    RECORD_START, Record, System, Timestamp, User, parse_line, parse_records,
};
pub use tree::{Link, judge_abandoned};
pub use whole::Wholeness;
