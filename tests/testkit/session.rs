//! One session of the host, as far as payloads and transcripts need it.

use std::path::{Path, PathBuf};

/// The shape of a session: ids are made of its number, so that a test runs the same every time.
#[derive(Debug, Clone)]
pub struct Session {
    /// The host's session id.
    pub id: String,
    /// Where the host keeps the transcript. The file is there only once a test has written one.
    pub transcript: PathBuf,
    /// The current folder of the session; `cd` moves it.
    pub cwd: PathBuf,
    number: u16,
    prompts: u32,
}

impl Session {
    pub(crate) fn new(number: u16, home: &Path, project: &Path) -> Self {
        let id = format!("5e550000-0000-4000-8000-{number:012x}");
        let transcript = home.join(".claude/projects").join(slug(project)).join(format!("{id}.jsonl"));
        Self { id, transcript, cwd: project.to_path_buf(), number, prompts: 0 }
    }

    /// The id of the running prompt.
    pub(crate) fn prompt_id(&self) -> String {
        format!("90000000-0000-4000-8000-{:04x}{:08x}", self.number, self.prompts)
    }

    /// The id of the next prompt; it is the running one from here on.
    pub(crate) fn next_prompt_id(&mut self) -> String {
        self.prompts += 1;
        self.prompt_id()
    }

    /// The uuid of a record of the transcript.
    pub(crate) fn record_id(&self, record: usize) -> String {
        format!("ec000000-0000-4000-8000-{:04x}{record:08x}", self.number)
    }
}

/// The host's name for the folder of a project's transcripts (its short form; scratch paths stay below 200).
fn slug(project: &Path) -> String {
    let path = project.to_str().expect("a scratch path is UTF-8");
    let plain = |unit| u8::try_from(unit).ok().map(char::from).filter(char::is_ascii_alphanumeric);
    path.encode_utf16().map(|unit| plain(unit).unwrap_or('-')).collect()
}
