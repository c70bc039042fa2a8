//! A session file as the client writes it: one record a line, a tree by `parentUuid`.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::session::Session;

/// Builds the records of one session and appends them to its file.
#[derive(Debug, Clone)]
pub struct Transcript {
    session: Session,
    leaf: Option<String>,
    records: usize,
    pending: String,
}

impl Transcript {
    pub(crate) fn new(session: &Session) -> Self {
        Self { session: session.clone(), leaf: None, records: 0, pending: String::new() }
    }

    /// A prompt that the person typed.
    #[must_use]
    pub fn prompt(mut self, text: &str) -> Self {
        let prompt_id = self.session.next_prompt_id();
        self.conversation(json!({
            "type": "user",
            "promptId": prompt_id,
            "message": { "role": "user", "content": text },
            "permissionMode": "default",
            "origin": { "kind": "human" },
            "promptSource": "typed",
            "turnOrigin": "human",
        }))
    }

    /// A text that the model answered.
    #[must_use]
    pub fn answer(self, text: &str) -> Self {
        let content = json!({ "type": "text", "text": text });
        self.assistant(&content, "end_turn")
    }

    /// A tool call of the model and its result.
    #[must_use]
    pub fn tool(self, name: &str, input: &Value, output: &str) -> Self {
        self.call(name, input, output, false)
    }

    /// A tool call that failed with `error`.
    #[must_use]
    pub fn failed_tool(self, name: &str, input: &Value, error: &str) -> Self {
        self.call(name, input, error, true)
    }

    /// Takes back everything after record `uuid` (see [`Transcript::leaf`]): what was written stays in the file, what
    /// follows hangs on `uuid`.
    #[must_use]
    pub fn rewind_to(mut self, uuid: Option<String>) -> Self {
        self.leaf = uuid;
        self
    }

    /// The uuid of the newest record, `None` before the first.
    pub fn leaf(&self) -> Option<String> {
        self.leaf.clone()
    }

    /// Any record of the conversation: the fields that all of them carry are added, a field of the same name stays as
    /// given.
    #[must_use]
    pub fn conversation(mut self, own: Value) -> Self {
        let uuid = self.session.record_id(self.records);
        let mut record = json!({
            "parentUuid": self.leaf,
            "isSidechain": false,
            "uuid": uuid,
            "timestamp": self.time(),
            "userType": "external",
            "entrypoint": "cli",
            "cwd": self.session.cwd,
            "sessionId": self.session.id,
            "version": "2.1.332",
            "gitBranch": "main",
        });
        if let (Value::Object(record), Value::Object(own)) = (&mut record, own) {
            record.extend(own);
        }
        self.records += 1;
        self.leaf = Some(uuid);
        self.line(&record.to_string())
    }

    /// Any line at all.
    #[must_use]
    pub fn line(mut self, line: &str) -> Self {
        self.pending.push_str(line);
        self.pending.push('\n');
        self
    }

    /// Appends what is new to the session's file and answers its path.
    pub fn write(&mut self) -> PathBuf {
        let path = self.session.transcript.clone();
        fs::create_dir_all(path.parent().expect("a transcript has a folder")).expect("a scratch folder can be made");
        let mut file = OpenOptions::new().create(true).append(true).open(&path).expect("a scratch file opens");
        file.write_all(self.pending.as_bytes()).expect("a scratch file can be written");
        self.pending.clear();
        path
    }

    fn call(self, name: &str, input: &Value, output: &str, failed: bool) -> Self {
        let id = format!("toolu_{:04}", self.records);
        let call = json!({ "type": "tool_use", "id": id, "name": name, "input": input });
        let result = json!({ "type": "tool_result", "tool_use_id": id, "content": output, "is_error": failed });
        let structured = if failed { json!(format!("Error: {output}")) } else { json!({ "stdout": output }) };
        self.assistant(&call, "tool_use").conversation(json!({
            "type": "user",
            "message": { "role": "user", "content": [result] },
            "toolUseResult": structured,
        }))
    }

    fn assistant(self, content: &Value, stop_reason: &str) -> Self {
        let message = format!("msg_{:04}", self.records);
        self.conversation(json!({
            "type": "assistant",
            "message": {
                "id": message,
                "type": "message",
                "role": "assistant",
                "model": "claude-opus-5-5",
                "content": [content],
                "stop_reason": stop_reason,
                "usage": { "input_tokens": 1200, "output_tokens": 25 },
            },
        }))
    }

    /// A second a record from a fixed morning on.
    fn time(&self) -> String {
        let (minutes, second) = (self.records / 60, self.records % 60);
        format!("2026-01-05T{:02}:{:02}:{second:02}.000Z", 9 + minutes / 60, minutes % 60)
    }
}
