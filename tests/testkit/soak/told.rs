//! A session's transcript while it grows, and what of it must be found afterwards.

use std::fs;

use chrono::DateTime;
use serde_json::{Value, json};

use super::call::now_ms;
use crate::scratch::Scratch;
use crate::session::Session;
use crate::transcript::Transcript;

/// What every text begins with that nobody else says: found by it, each is counted.
pub(super) const MARK: &str = "soak";

/// A prompt that many send, word for word.
pub(super) const EQUAL: &str = "Build the same ship counter everywhere.";

/// What was written into transcripts.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// The mark of every prompt and every answer: each is stored once.
    pub(super) marks: Vec<String>,
    /// The mark of every output of a tool: stored once at most.
    pub(super) outputs: Vec<String>,
    /// Prompts that all have one text.
    pub(super) equal: usize,
}

/// The transcript of one session.
#[derive(Debug)]
pub(super) struct Told {
    transcript: Transcript,
}

impl Told {
    pub(super) fn new(scratch: &Scratch, session: &Session) -> Self {
        Self { transcript: scratch.transcript(session) }
    }

    /// The transcript of a fork: the records of the other session, and what follows hangs on the last of them.
    pub(super) fn fork(scratch: &Scratch, from: &Session, told: &Self, to: &Session) -> Self {
        if let Ok(records) = fs::read_to_string(&from.transcript) {
            fs::write(&to.transcript, records.replace(&from.id, &to.id)).expect("a scratch file can be written");
        }
        Self { transcript: scratch.transcript(to).rewind_to(told.transcript.leaf()) }
    }

    pub(super) fn prompt(&mut self, text: &str) {
        self.add(json!({
            "type": "user",
            "message": { "role": "user", "content": text },
            "origin": { "kind": "human" },
            "promptSource": "typed",
        }));
    }

    pub(super) fn answer(&mut self, text: &str) {
        self.assistant(&json!({ "type": "text", "text": text }));
    }

    pub(super) fn tool(&mut self, output: &str) {
        let id = format!("toolu_{}", self.transcript.leaf().unwrap_or_default());
        self.assistant(&json!({ "type": "tool_use", "id": id, "name": "Bash", "input": { "command": "ls" } }));
        let result = json!({ "type": "tool_result", "tool_use_id": id, "content": output, "is_error": false });
        self.add(json!({ "type": "user", "message": { "role": "user", "content": [result] } }));
    }

    pub(super) fn compaction(&mut self) {
        let leaf = self.transcript.leaf();
        self.add(json!({
            "type": "system", "subtype": "compact_boundary", "parentUuid": null, "logicalParentUuid": leaf,
            "compactMetadata": { "trigger": "auto", "preTokens": 150_000 },
        }));
        self.add(json!({
            "type": "user", "isCompactSummary": true, "isVisibleInTranscriptOnly": true,
            "message": { "role": "user", "content": "This session is continued. Ships were counted." },
        }));
    }

    fn assistant(&mut self, content: &Value) {
        self.add(json!({
            "type": "assistant",
            "message": { "id": "msg", "type": "message", "role": "assistant", "content": [content] },
        }));
    }

    /// Records have the time of now, so that health compares them with the rows of the hooks.
    fn add(&mut self, mut record: Value) {
        let now = DateTime::from_timestamp_millis(now_ms()).expect("a year that is near");
        record["timestamp"] = now.format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string().into();
        self.transcript = self.transcript.clone().conversation(record);
        self.transcript.write();
    }
}
