//! The host's JSON as a benchmark plays it: hook payloads and transcript lines in the shape of client 2.1.332.

use serde_json::{Value, json};

/// A session that nobody holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbeSession<'a> {
    /// Its id.
    pub id: &'a str,
    /// Path of its transcript.
    pub transcript: &'a str,
    /// Its folder.
    pub cwd: &'a str,
}

/// What happens in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeEvent<'a> {
    /// It starts.
    SessionStart,
    /// A person sends this prompt.
    Prompt(&'a str),
    /// A tool is about to run this command.
    ToolBegins(&'a str),
    /// The tool has run this command and printed little.
    ToolEnded(&'a str),
    /// The model has answered this.
    Stop(&'a str),
}

impl ProbeSession<'_> {
    /// The payload of the hook, on one line.
    pub fn payload(&self, event: ProbeEvent<'_>) -> String {
        let (name, own) = match event {
            ProbeEvent::SessionStart => ("SessionStart", json!({"source": "startup"})),
            ProbeEvent::Prompt(prompt) => ("UserPromptSubmit", json!({"prompt": prompt})),
            ProbeEvent::ToolBegins(command) => ("PreToolUse", tool(command)),
            ProbeEvent::ToolEnded(command) => {
                let mut own = tool(command);
                extend(&mut own, json!({"tool_response": {"stdout": "done", "stderr": ""}, "duration_ms": 12}));
                ("PostToolUse", own)
            }
            ProbeEvent::Stop(last) => ("Stop", json!({"stop_hook_active": false, "last_assistant_message": last})),
        };
        let mut payload = json!({
            "session_id": self.id,
            "transcript_path": self.transcript,
            "cwd": self.cwd,
            "hook_event_name": name,
            "prompt_id": self.id,
            "permission_mode": "default",
        });
        extend(&mut payload, own);
        format!("{payload}\n")
    }
}

fn tool(command: &str) -> Value {
    json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "toolu_probe"})
}

fn extend(object: &mut Value, own: Value) {
    if let (Value::Object(object), Value::Object(own)) = (object, own) {
        object.extend(own);
    }
}

/// The lines of a session file, one record after the other.
#[derive(Debug)]
pub struct ProbeTranscript<'a> {
    session: ProbeSession<'a>,
    records: u32,
    lines: String,
}

impl<'a> ProbeTranscript<'a> {
    /// A session in which nothing was said yet.
    pub fn new(session: ProbeSession<'a>) -> Self {
        Self { session, records: 0, lines: String::new() }
    }

    /// Adds a prompt that a person typed.
    pub fn prompt(&mut self, text: &str) {
        self.record(json!({
            "type": "user",
            "message": {"role": "user", "content": text},
            "origin": {"kind": "human"},
            "promptSource": "typed",
        }));
    }

    /// Adds a text of the model.
    pub fn answer(&mut self, text: &str) {
        self.assistant(&json!({"type": "text", "text": text}));
    }

    /// Adds a command that the model ran, and what it printed.
    pub fn call(&mut self, command: &str, output: &str) {
        let id = format!("toolu_{}", self.records);
        self.assistant(&json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}));
        let result = json!({"type": "tool_result", "tool_use_id": id, "content": output, "is_error": false});
        self.record(json!({
            "type": "user",
            "message": {"role": "user", "content": [result]},
            "toolUseResult": {"stdout": output},
        }));
    }

    /// The lines so far.
    pub fn lines(&self) -> &str {
        &self.lines
    }

    fn assistant(&mut self, content: &Value) {
        let message = json!({"id": format!("msg_{}", self.records), "role": "assistant", "content": [content]});
        self.record(json!({"type": "assistant", "message": message}));
    }

    fn record(&mut self, own: Value) {
        let (hours, minutes, seconds) = (self.records / 3600 % 24, self.records / 60 % 60, self.records % 60);
        let mut record = json!({
            "parentUuid": self.records.checked_sub(1).map(|before| self.uuid(before)),
            "isSidechain": false,
            "uuid": self.uuid(self.records),
            "timestamp": format!("2026-01-05T{hours:02}:{minutes:02}:{seconds:02}.000Z"),
            "cwd": self.session.cwd,
            "sessionId": self.session.id,
            "version": "2.1.332",
        });
        extend(&mut record, own);
        self.lines.push_str(&record.to_string());
        self.lines.push('\n');
        self.records += 1;
    }

    /// Unique beyond the session: the last group of the session's id and the number of the record.
    fn uuid(&self, record: u32) -> String {
        let session = self.session.id.rsplit('-').next().unwrap_or_default();
        format!("{record:08x}-0000-4000-8000-{session:0>12}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Event, parse_payload};
    use super::*;
    use crate::ingest::transcript::TranscriptReader;
    use crate::record::EntryKind;
    use crate::text::{Redacted, Redactor};

    const SESSION: ProbeSession<'static> =
        ProbeSession { id: "5e550000-0000-4000-8000-000000000001", transcript: "/h/t.jsonl", cwd: "/srv/api" };

    #[test]
    fn payloads_are_read_as_those_of_the_host() {
        let read = |event| Event::try_from(parse_payload(SESSION.payload(event).as_bytes()).unwrap()).unwrap();
        let prompt = read(ProbeEvent::Prompt("add a test"));
        assert!(matches!(prompt, Event::UserPromptSubmit { prompt, .. } if prompt == "add a test"));
        assert!(matches!(read(ProbeEvent::SessionStart), Event::SessionStart { .. }));
        assert!(matches!(read(ProbeEvent::ToolBegins("ls")), Event::PreToolUse { .. }));
        assert!(matches!(read(ProbeEvent::ToolEnded("ls")), Event::PostToolUse { .. }));
        assert!(matches!(read(ProbeEvent::Stop("done")), Event::Stop { .. }));
    }

    #[test]
    fn lines_give_the_entries_that_were_played() {
        let mut transcript = ProbeTranscript::new(SESSION);
        transcript.prompt("Add a test, please.");
        transcript.call("cargo test", "ok");
        transcript.answer("It is there.");
        let mut reader = TranscriptReader::new(Redactor::new(), Redacted::literal("/h/t.jsonl"));
        transcript.lines().lines().for_each(|line| reader.line(line.as_bytes()));
        let taken = reader.take();
        let kinds: Vec<EntryKind> = taken.entries.iter().map(|entry| entry.kind).collect();
        assert_eq!(kinds, [EntryKind::Prompt, EntryKind::Tool, EntryKind::Answer]);
        assert_eq!(taken.links.len(), 4);
    }
}
