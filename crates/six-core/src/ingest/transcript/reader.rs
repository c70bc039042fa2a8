//! The state machine that lines of a session file are fed to.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};

use super::skip::Skip;
use super::tool::{call_line, outcome, refusal_reason, words_errors};
use super::wrapper::{as_typed, shell_line, without_attached};
use crate::event::{
    Assistant, Attachment, Author, Block, Body, Head, HookTrace, LineFault, Link, QueuedCommand, RECORD_START, Record,
    User, parse_records,
};
use crate::ingest::chunk::chunks_of;
use crate::ingest::{SessionSeen, StartTrace};
use crate::record::{Entry, EntryKind, Origin, SessionId, Source, UnixMs};
use crate::text::{Redacted, Redactor, cut_bytes, sha256_hex};

/// Calls whose result is awaited. Parallel calls of one answer are a handful; what falls out keeps no outcome.
const OPEN_CALLS: usize = 64;

/// Longest title, in bytes: the name of a tool. Of what was said the beginning is shown, which is not stored twice.
const TITLE_BYTES: usize = 80;

/// How often one line is searched for it: a line can break off once or twice, a hostile one as often as it likes.
const BREAKS: usize = 8;

/// What the host writes in the assistant's name when there was nothing to answer.
const PLACEHOLDER: &str = "No response requested.";

/// What a run of lines gave.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Taken {
    /// Entries in file order.
    pub entries: Vec<Entry>,
    /// Tree links in file order.
    pub links: Vec<Link<String>>,
    /// The last record that can be the leaf of the tree.
    pub leaf: Option<String>,
    /// Sessions met.
    pub sessions: Vec<SessionSeen>,
    /// What was left out, by reason.
    pub skipped: BTreeMap<&'static str, u64>,
}

/// Reads the lines of one session file, in order. Memory is bounded by what is taken out of it: see
/// [`TranscriptReader::take`].
pub struct TranscriptReader {
    redactor: Redactor,
    path: Redacted,
    taken: Taken,
    text_bytes: usize,
    open_calls: VecDeque<OpenCall>,
    branch: (String, Option<Redacted>),
}

/// A tool call without its result: its id and where its entry stands.
struct OpenCall {
    id: String,
    entry: usize,
}

/// What is kept of a record, before it is an entry.
struct Said {
    kind: EntryKind,
    origin: Origin,
    title: Option<Redacted>,
    text: Redacted,
}

impl TranscriptReader {
    /// For a file of that path.
    pub fn new(redactor: Redactor, path: Redacted) -> Self {
        Self {
            redactor,
            path,
            taken: Taken::default(),
            text_bytes: 0,
            open_calls: VecDeque::new(),
            branch: (String::new(), None),
        }
    }

    /// Reads a complete line, with or without its line end.
    pub fn line(&mut self, line: &[u8]) {
        let mut rest = Some(line);
        for _ in 0..BREAKS {
            let Some(line) = rest.take() else { return };
            for record in parse_records(line) {
                match record {
                    Ok(record) => self.record(&record, line),
                    Err(LineFault::Blank) => {}
                    Err(fault @ (LineFault::NotJson | LineFault::BadUtf8)) => {
                        self.skip(fault.as_str());
                        rest = written_on(line);
                    }
                    Err(fault) => self.skip(fault.as_str()),
                }
            }
        }
    }

    /// Counts a line that was too long to be held.
    pub fn long_line(&mut self, bytes: usize) {
        self.skip(LineFault::TooLong { bytes }.as_str());
    }

    /// A tool call waits for its result: a batch that ends here stores the call without its outcome.
    pub fn awaits_result(&self) -> bool {
        !self.open_calls.is_empty()
    }

    /// Bytes of text that [`TranscriptReader::take`] would give.
    pub fn text_bytes(&self) -> usize {
        self.text_bytes
    }

    /// Takes what has been read since the last call.
    pub fn take(&mut self) -> Taken {
        self.open_calls.clear();
        self.text_bytes = 0;
        std::mem::take(&mut self.taken)
    }

    fn record(&mut self, record: &Record, line: &[u8]) {
        let head = &record.head;
        if let Some(link) = record.link() {
            if record.can_be_leaf() {
                self.taken.leaf = Some(link.uuid.to_owned());
            }
            self.taken.links.push(Link {
                uuid: link.uuid.to_owned(),
                parent: link.parent.map(str::to_owned),
                is_prompt: link.is_prompt,
            });
        }
        self.session(head);
        let mut keys = Keys { head, line, given: 0 };
        match &record.body {
            Body::User(user) => self.user(&mut keys, user),
            Body::Assistant(answer) => self.assistant(&mut keys, answer),
            Body::Attachment(Attachment::QueuedCommand(queued)) => self.queued(&mut keys, queued),
            Body::Attachment(Attachment::Hook(hook)) => {
                self.trace_start(head, hook);
                self.skip(Skip::Attachment.as_str());
            }
            Body::Attachment(Attachment::Other(_)) => self.skip(Skip::Attachment.as_str()),
            Body::System(_) => self.skip(Skip::System.as_str()),
            Body::QueueOperation(_) | Body::Other(_) => self.skip(Skip::State.as_str()),
        }
    }

    fn user(&mut self, keys: &mut Keys, user: &User) {
        let author = Author::of_user(keys.head, user);
        if author == Author::Tool {
            return self.results(keys, &user.content);
        }
        self.said_by(keys, author, &user.content);
    }

    fn queued(&mut self, keys: &mut Keys, queued: &QueuedCommand) {
        self.said_by(keys, Author::of_queued(queued), &queued.content);
    }

    fn said_by(&mut self, keys: &mut Keys, author: Author, content: &[Block]) {
        if let Some(skip) = Skip::of_author(author) {
            return self.skip(skip.as_str());
        }
        self.pictures(content);
        let text = texts(content);
        let (kind, origin, text) = match author {
            Author::SlashCommand => (EntryKind::Prompt, Origin::Operator, Cow::Owned(as_typed(&text))),
            Author::ShellInput => (EntryKind::Tool, Origin::Operator, Cow::Owned(shell_line(&text))),
            Author::CompactSummary => (EntryKind::Summary, Origin::Agent, Cow::Borrowed(text.as_ref())),
            Author::Subagent => (EntryKind::Subagent, Origin::Agent, without_attached(&text)),
            Author::Plan => (EntryKind::Answer, Origin::Agent, without_attached(&text)),
            _ => (EntryKind::Prompt, Origin::Operator, without_attached(&text)),
        };
        if text.trim().is_empty() {
            return self.skip(Skip::Empty.as_str());
        }
        if kind == EntryKind::Prompt {
            self.count_prompt(keys.head);
        }
        let text = self.redactor.redact(&text);
        self.push(keys, Said { kind, origin, title: None, text });
    }

    fn assistant(&mut self, keys: &mut Keys, answer: &Assistant) {
        if answer.is_api_error {
            return self.skip(Skip::ApiError.as_str());
        }
        let is_subagent = keys.head.is_sidechain || keys.head.agent_id.is_some();
        let kind = if is_subagent { EntryKind::Subagent } else { EntryKind::Answer };
        for block in &answer.content {
            match block {
                Block::Text(text) if text.trim() == PLACEHOLDER => self.skip(Skip::Placeholder.as_str()),
                Block::Text(text) if text.trim().is_empty() => self.skip(Skip::Empty.as_str()),
                Block::Text(text) => {
                    let text = self.redactor.redact(text);
                    self.push(keys, Said { kind, origin: Origin::Agent, title: None, text });
                }
                Block::ToolUse { id, name, input } => {
                    let text = call_line(name, input, self.redactor);
                    let title = Some(self.redactor.redact(cut_bytes(name, TITLE_BYTES)));
                    self.push(keys, Said { kind: EntryKind::Tool, origin: Origin::Agent, title, text });
                    self.await_result(id);
                }
                Block::Thinking(_) => self.skip(Skip::Thinking.as_str()),
                Block::Image => self.skip(Skip::Image.as_str()),
                Block::ToolResult { .. } | Block::Other(_) => self.skip(Skip::Block.as_str()),
            }
        }
    }

    fn results(&mut self, keys: &mut Keys, content: &[Block]) {
        for block in content {
            match block {
                Block::ToolResult { tool_use_id, is_error, text } => {
                    self.skip(Skip::ToolOutput.as_str());
                    self.result(keys, tool_use_id, *is_error, text);
                }
                Block::Image => self.skip(Skip::Image.as_str()),
                _ => self.skip(Skip::Block.as_str()),
            }
        }
    }

    /// Writes the outcome to the call's line. An error whose call went into an earlier batch is an entry of its own.
    fn result(&mut self, keys: &mut Keys, id: &str, is_error: bool, text: &str) {
        let came = outcome(is_error, text, self.redactor);
        let call = self.open_calls.iter().position(|call| call.id == id).and_then(|at| self.open_calls.remove(at));
        let entry = call.and_then(|call| self.taken.entries.get_mut(call.entry));
        let by_host = entry.as_ref().is_some_and(|entry| words_errors(entry.title.as_str()));
        match entry {
            Some(entry) => {
                entry.text = Redacted::join(&[entry.text.clone(), came], " → ");
                entry.chunks = chunks_of(&entry.text);
            }
            None if is_error => {
                self.push(keys, Said { kind: EntryKind::Tool, origin: Origin::Tool, title: None, text: came });
            }
            None => {}
        }
        if let Some(reason) = refusal_reason(text).filter(|_| is_error) {
            let text = self.redactor.redact(reason);
            let (kind, origin) =
                if by_host { (EntryKind::Prompt, Origin::Operator) } else { (EntryKind::Tool, Origin::Tool) };
            self.push(keys, Said { kind, origin, title: None, text });
        }
    }

    fn await_result(&mut self, id: &str) {
        let Some(entry) = self.taken.entries.len().checked_sub(1) else { return };
        if self.open_calls.len() >= OPEN_CALLS {
            self.open_calls.pop_front();
        }
        self.open_calls.push_back(OpenCall { id: id.to_owned(), entry });
    }

    fn push(&mut self, keys: &mut Keys, said: Said) {
        let head = keys.head;
        let chunks = chunks_of(&said.text);
        self.text_bytes += said.text.as_str().len();
        let branch = self.branch_of(head);
        self.taken.entries.push(Entry {
            key: keys.next(),
            source: Source::Transcript,
            kind: said.kind,
            origin: said.origin,
            session: head.session_id.clone().map(SessionId::new),
            path: Some(self.path.clone()),
            title: said.title.unwrap_or_else(|| Redacted::literal("")),
            text: said.text,
            at: at(head),
            branch,
            chunks,
        });
    }

    /// The branch, redacted once as long as it stays the same.
    fn branch_of(&mut self, head: &Head) -> Option<Redacted> {
        let branch = head.git_branch.as_deref().filter(|branch| !branch.is_empty())?;
        if self.branch.0 != branch {
            self.branch = (branch.to_owned(), Some(self.redactor.redact(branch)));
        }
        self.branch.1.clone()
    }

    fn session(&mut self, head: &Head) {
        let Some(id) = head.session_id.as_deref().filter(|id| !id.is_empty()) else { return };
        let at = at(head);
        let Some(seen) = self.taken.sessions.iter_mut().rfind(|seen| seen.id.as_str() == id) else {
            self.taken.sessions.push(SessionSeen {
                id: SessionId::new(id),
                first: at,
                last: at,
                client: head.version.clone().unwrap_or_default(),
                entrypoint: head.entrypoint.clone().unwrap_or_default(),
                prompts: 0,
                start: StartTrace::Nothing,
            });
            return;
        };
        seen.first = seen.first.into_iter().chain(at).min();
        seen.last = seen.last.into_iter().chain(at).max();
        for (field, value) in [(&mut seen.client, &head.version), (&mut seen.entrypoint, &head.entrypoint)] {
            if let Some(value) = value.as_ref().filter(|value| *value != field) {
                field.clone_from(value);
            }
        }
    }

    fn count_prompt(&mut self, head: &Head) {
        if let Some(seen) = self.session_of(head) {
            seen.prompts += 1;
        }
    }

    fn trace_start(&mut self, head: &Head, hook: &HookTrace) {
        let trace = if hook.has_our_block { StartTrace::Block } else { StartTrace::Hooks };
        if hook.event.as_deref() == Some("SessionStart")
            && let Some(seen) = self.session_of(head)
        {
            seen.start = seen.start.max(trace);
        }
    }

    fn session_of(&mut self, head: &Head) -> Option<&mut SessionSeen> {
        self.taken.sessions.iter_mut().rfind(|seen| head.session_id.as_deref() == Some(seen.id.as_str()))
    }

    fn pictures(&mut self, content: &[Block]) {
        for _ in content.iter().filter(|block| matches!(block, Block::Image)) {
            self.skip(Skip::Image.as_str());
        }
    }

    fn skip(&mut self, reason: &'static str) {
        *self.taken.skipped.entry(reason).or_default() += 1;
    }
}

/// Keys of the entries that one record gives: its uuid, then the uuid with a running number.
struct Keys<'a> {
    head: &'a Head,
    line: &'a [u8],
    given: usize,
}

impl Keys<'_> {
    fn next(&mut self) -> String {
        // Old clients and other writers leave the uuid out; the line itself is then the only name that a repeat shares.
        let record = self.head.uuid.clone().unwrap_or_else(|| {
            let mut name = format!("line-{}", sha256_hex(self.line.trim_ascii()));
            name.truncate("line-".len() + 32);
            name
        });
        self.given += 1;
        if self.given == 1 { record } else { format!("{record}#{}", self.given - 1) }
    }
}

/// What was written on in a line that broke off.
fn written_on(line: &[u8]) -> Option<&[u8]> {
    let after = line.get(1..)?;
    let at = after.windows(RECORD_START.len()).position(|window| window == RECORD_START)?;
    after.get(at..)
}

fn at(head: &Head) -> Option<UnixMs> {
    head.timestamp.as_ref().and_then(|timestamp| timestamp.unix_ms).map(UnixMs)
}

/// The text blocks of a message, one paragraph each. A single one, which may be megabytes, is not copied.
fn texts(content: &[Block]) -> Cow<'_, str> {
    let texts = content.iter().filter_map(|block| match block {
        Block::Text(text) => Some(text.as_str()),
        _ => None,
    });
    match texts.collect::<Vec<_>>().as_slice() {
        [one] => Cow::Borrowed(one),
        several => Cow::Owned(several.join("\n")),
    }
}

#[cfg(test)]
mod tests;
