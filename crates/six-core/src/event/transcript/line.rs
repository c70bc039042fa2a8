//! From the bytes of a line to the records that it holds.

use std::borrow::Cow;
use std::fmt;

use chrono::DateTime;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use thiserror::Error;

use super::{
    Assistant, Attachment, Body, Head, HookTrace, QueueOperation, QueuedCommand, Record, System, Timestamp, User,
};
use crate::event::content::Block;
use crate::event::identifier::clean_id;
use crate::event::json::{first_value, lenient, mend_surrogates};

/// Longest line that is read, in bytes. Reading one takes about twice its length; an ingest has 200 MB in all.
pub const LINE_LIMIT_BYTES: usize = 32 * 1024 * 1024;

/// How the host writes the records of what it sent to the model, the longest lines of a transcript.
const API_REQUEST: &str = "api-request";
const API_REQUEST_PREFIX: &[u8] = br#"{"type":"api-request"#;

/// How a record of a conversation starts: what is looked for in a line that broke off and was written on by the next one.
pub const RECORD_START: &[u8] = br#"{"parentUuid":"#;

/// How a block of six begins.
const BLOCK_OPEN: &str = "<six-memory>";

/// Why a line gave no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LineFault {
    /// Only white space.
    #[error("the line is blank")]
    Blank,
    /// Only NUL bytes: the hole that a crash leaves.
    #[error("the line holds only NUL bytes")]
    Nul,
    /// Over [`LINE_LIMIT_BYTES`].
    #[error("the line of {bytes} bytes is over the limit of {LINE_LIMIT_BYTES}")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// Not JSON, or cut off.
    #[error("the line is not JSON")]
    NotJson,
    /// Not JSON, and not UTF-8 either.
    #[error("the line is neither UTF-8 nor JSON")]
    BadUtf8,
    /// JSON, but no object.
    #[error("the line is not a JSON object")]
    NotAnObject,
    /// JSON that can't be held: nested more than 127 deep, or a number out of range.
    #[error("the line is nested too deeply or holds a number out of range")]
    BeyondLimits,
    /// An object without a `type`.
    #[error("the record has no type")]
    NoType,
    /// Something follows the record; [`parse_records`] reads it too.
    #[error("the line holds more than one record")]
    Trailing,
}

impl LineFault {
    /// A short stable word for counting.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Blank => "blank",
            Self::Nul => "nul",
            Self::TooLong { .. } => "too-long",
            Self::NotJson => "not-json",
            Self::BadUtf8 => "bad-utf8",
            Self::NotAnObject => "not-an-object",
            Self::BeyondLimits => "beyond-limits",
            Self::NoType => "no-type",
            Self::Trailing => "trailing",
        }
    }
}

/// Reads a line, with or without its line end, that holds one record.
///
/// NUL bytes round the record are dropped, bytes that are no UTF-8 become U+FFFD. An `api-request` record is recognised
/// by its first bytes and not read.
pub fn parse_line(line: &[u8]) -> Result<Record, LineFault> {
    let Some(text) = decode(line)? else { return Ok(Record::api_request()) };
    let (record, end) = parse_first(&text)?;
    if padding_trimmed(text.get(end..).unwrap_or_default()).is_empty() { Ok(record) } else { Err(LineFault::Trailing) }
}

/// Reads a line into all its records: one, or several where a client wrote a record without the line end before it.
pub fn parse_records(line: &[u8]) -> Vec<Result<Record, LineFault>> {
    let text = match decode(line) {
        Ok(Some(text)) => text,
        Ok(None) => return vec![Ok(Record::api_request())],
        Err(fault) => return vec![Err(fault)],
    };
    let mut records = Vec::new();
    let mut rest: &str = &text;
    while !rest.is_empty() {
        match parse_first(rest) {
            Ok((record, end)) => {
                records.push(Ok(record));
                rest = padding_trimmed(rest.get(end..).unwrap_or_default());
            }
            Err(fault) => {
                records.push(Err(fault));
                break;
            }
        }
    }
    records
}

/// The text to read, or `None` for an `api-request` record.
fn decode(line: &[u8]) -> Result<Option<Cow<'_, str>>, LineFault> {
    let is_padding = |byte: &u8| *byte == 0 || byte.is_ascii_whitespace();
    let start = line.iter().position(|byte| !is_padding(byte));
    let end = line.iter().rposition(|byte| !is_padding(byte));
    let (Some(start), Some(end)) = (start, end) else {
        return Err(if line.contains(&0) { LineFault::Nul } else { LineFault::Blank });
    };
    let line = line.get(start..=end).unwrap_or_default();
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    if line.starts_with(API_REQUEST_PREFIX) {
        return Ok(None);
    }
    if line.len() > LINE_LIMIT_BYTES {
        return Err(LineFault::TooLong { bytes: line.len() });
    }
    Ok(Some(String::from_utf8_lossy(line)))
}

fn padding_trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c == '\0' || c.is_whitespace())
}

/// The first record of `text` and the byte at which it ends.
fn parse_first(text: &str) -> Result<(Record, usize), LineFault> {
    if !text.starts_with('{') {
        return Err(if first_value::<IgnoredAny>(text).is_ok() { LineFault::NotAnObject } else { not_json(text) });
    }
    let (line, end) = first_value::<Line>(text).or_else(|_| parse_repaired(text))?;
    Ok((line.into_record()?, end))
}

/// The second try, for what a strict reader refuses: half characters and repeated members.
fn parse_repaired(text: &str) -> Result<(Line, usize), LineFault> {
    let mended = mend_surrogates(text);
    let parsed = first_value::<Value>(&mended).and_then(|(value, end)| Ok((Line::deserialize(value)?, end)));
    parsed.map_err(|_| if first_value::<IgnoredAny>(text).is_ok() { LineFault::BeyondLimits } else { not_json(text) })
}

fn not_json(text: &str) -> LineFault {
    if text.contains('\u{fffd}') { LineFault::BadUtf8 } else { LineFault::NotJson }
}

/// A record as the host writes it.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Line {
    #[serde(deserialize_with = "lenient")]
    r#type: Option<String>,
    #[serde(deserialize_with = "lenient")]
    uuid: Option<String>,
    #[serde(deserialize_with = "lenient")]
    parent_uuid: Option<String>,
    #[serde(deserialize_with = "lenient")]
    logical_parent_uuid: Option<String>,
    #[serde(deserialize_with = "lenient")]
    session_id: Option<String>,
    #[serde(deserialize_with = "lenient")]
    timestamp: Option<String>,
    #[serde(deserialize_with = "lenient")]
    cwd: Option<String>,
    #[serde(deserialize_with = "lenient")]
    git_branch: Option<String>,
    #[serde(deserialize_with = "lenient")]
    version: Option<String>,
    #[serde(deserialize_with = "lenient")]
    is_sidechain: Option<bool>,
    #[serde(deserialize_with = "lenient")]
    is_meta: Option<bool>,
    #[serde(deserialize_with = "lenient")]
    is_compact_summary: Option<bool>,
    #[serde(deserialize_with = "lenient")]
    is_api_error_message: Option<bool>,
    #[serde(deserialize_with = "lenient")]
    entrypoint: Option<String>,
    #[serde(deserialize_with = "lenient")]
    agent_id: Option<String>,
    #[serde(deserialize_with = "lenient")]
    origin: Option<Origin>,
    #[serde(deserialize_with = "lenient")]
    prompt_source: Option<String>,
    #[serde(deserialize_with = "lenient")]
    row_source: Option<String>,
    #[serde(deserialize_with = "lenient")]
    message: Option<Message>,
    #[serde(deserialize_with = "lenient")]
    attachment: Option<AttachmentWire>,
    #[serde(deserialize_with = "lenient")]
    subtype: Option<String>,
    #[serde(deserialize_with = "lenient")]
    operation: Option<String>,
    #[serde(deserialize_with = "lenient")]
    content: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Origin {
    #[serde(deserialize_with = "lenient")]
    kind: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Message {
    #[serde(deserialize_with = "lenient")]
    id: Option<String>,
    content: Value,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct AttachmentWire {
    #[serde(deserialize_with = "lenient")]
    r#type: Option<String>,
    prompt: Value,
    #[serde(deserialize_with = "lenient")]
    origin: Option<Origin>,
    #[serde(deserialize_with = "lenient")]
    command_mode: Option<String>,
    #[serde(deserialize_with = "lenient")]
    hook_event: Option<String>,
    stdout: HoldsOurBlock,
    content: HoldsOurBlock,
}

/// Whether a text, or one of a list of texts, is a block of six. Nothing of it is kept: of other attachments this is a
/// whole file.
#[derive(Default)]
struct HoldsOurBlock(bool);

impl<'de> Deserialize<'de> for HoldsOurBlock {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LookForBlock).map(Self)
    }
}

struct LookForBlock;

impl<'de> Visitor<'de> for LookForBlock {
    type Value = bool;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_str<E>(self, text: &str) -> Result<bool, E> {
        Ok(text.contains(BLOCK_OPEN))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut texts: A) -> Result<bool, A::Error> {
        let mut found = false;
        while let Some(HoldsOurBlock(holds)) = texts.next_element()? {
            found |= holds;
        }
        Ok(found)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<bool, A::Error> {
        while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(false)
    }

    fn visit_bool<E>(self, _: bool) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_i64<E>(self, _: i64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_u64<E>(self, _: u64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_f64<E>(self, _: f64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_unit<E>(self) -> Result<bool, E> {
        Ok(false)
    }
}

impl Record {
    fn api_request() -> Self {
        Self { head: Head::default(), body: Body::Other(API_REQUEST.to_owned()) }
    }
}

impl Line {
    fn into_record(mut self) -> Result<Record, LineFault> {
        let kind = self.r#type.take().filter(|kind| !kind.is_empty()).ok_or(LineFault::NoType)?;
        let head = self.take_head();
        let message = self.message.unwrap_or_default();
        let body = match kind.as_str() {
            "user" => Body::User(User {
                content: Block::read_all(message.content),
                origin_kind: self.origin.and_then(|origin| origin.kind),
                prompt_source: self.prompt_source,
                row_source: self.row_source,
                is_compact_summary: self.is_compact_summary.unwrap_or(false),
            }),
            "assistant" => Body::Assistant(Assistant {
                message_id: message.id,
                content: Block::read_all(message.content),
                is_api_error: self.is_api_error_message.unwrap_or(false),
            }),
            "attachment" => Body::Attachment(self.attachment.unwrap_or_default().into_attachment()),
            "system" => Body::System(System { subtype: self.subtype, content: self.content }),
            "queue-operation" => {
                Body::QueueOperation(QueueOperation { operation: self.operation, content: self.content })
            }
            _ => Body::Other(kind),
        };
        Ok(Record { head, body })
    }

    fn take_head(&mut self) -> Head {
        let clean = |id: String| clean_id(&id);
        Head {
            uuid: self.uuid.take().map(clean),
            parent_uuid: self.parent_uuid.take().map(clean),
            logical_parent_uuid: self.logical_parent_uuid.take().map(clean),
            session_id: self.session_id.take().map(clean),
            timestamp: self.timestamp.take().map(|raw| {
                let unix_ms = DateTime::parse_from_rfc3339(&raw).ok().map(|time| time.timestamp_millis());
                Timestamp { raw, unix_ms }
            }),
            cwd: self.cwd.take(),
            git_branch: self.git_branch.take(),
            version: self.version.take().map(clean),
            is_sidechain: self.is_sidechain.unwrap_or(false),
            is_meta: self.is_meta.unwrap_or(false),
            entrypoint: self.entrypoint.take().map(clean),
            agent_id: self.agent_id.take().map(clean),
        }
    }
}

impl AttachmentWire {
    fn into_attachment(self) -> Attachment {
        let kind = self.r#type.unwrap_or_default();
        match kind.as_str() {
            "queued_command" => Attachment::QueuedCommand(QueuedCommand {
                content: Block::read_all(self.prompt),
                origin_kind: self.origin.and_then(|origin| origin.kind),
                mode: self.command_mode,
            }),
            "hook_success" | "hook_additional_context" => {
                Attachment::Hook(HookTrace { event: self.hook_event, has_our_block: self.stdout.0 || self.content.0 })
            }
            _ if kind.starts_with("hook_") => {
                Attachment::Hook(HookTrace { event: self.hook_event, has_our_block: false })
            }
            _ => Attachment::Other(kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PROMPT: &str = r#"{"parentUuid":"u-0","isSidechain":false,"type":"user","message":{"role":"user","content":"Use pnpm."},"uuid":"u-1","timestamp":"2026-02-03T04:05:06.789Z","cwd":"/home/sam/app","sessionId":"s-1","version":"2.1.332","gitBranch":"main","entrypoint":"cli","origin":{"kind":"human"},"promptSource":"typed","rowSource":"local","somethingNew":{"a":[1]}}"#;
    const OLD_PROMPT: &str = r#"{"type":"user","message":{"role":"user","content":["Use ",{"type":"text","text":"pnpm."}]},"uuid":"u-1","parentUuid":null,"sessionId":"s-1"}"#;

    fn user(line: &str) -> User {
        match parse_line(line.as_bytes()).unwrap().body {
            Body::User(user) => user,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_prompt_is_read_with_all_that_tells_its_author() {
        let record = parse_line(PROMPT.as_bytes()).unwrap();
        assert_eq!(
            record.head,
            Head {
                uuid: Some("u-1".into()),
                parent_uuid: Some("u-0".into()),
                logical_parent_uuid: None,
                session_id: Some("s-1".into()),
                timestamp: Some(Timestamp { raw: "2026-02-03T04:05:06.789Z".into(), unix_ms: Some(1_770_091_506_789) }),
                cwd: Some("/home/sam/app".into()),
                git_branch: Some("main".into()),
                version: Some("2.1.332".into()),
                is_sidechain: false,
                is_meta: false,
                entrypoint: Some("cli".into()),
                agent_id: None,
            }
        );
        let Body::User(user) = record.body else { panic!() };
        assert_eq!(user.content, [Block::Text("Use pnpm.".into())]);
        assert_eq!(user.origin_kind.as_deref(), Some("human"));
        assert_eq!(user.prompt_source.as_deref(), Some("typed"));
        assert_eq!(user.row_source.as_deref(), Some("local"));
    }

    #[test]
    fn what_an_old_client_lacks_is_absent() {
        let user = user(OLD_PROMPT);
        assert_eq!(user.content, [Block::Text("Use ".into()), Block::Text("pnpm.".into())]);
        assert_eq!((user.origin_kind, user.prompt_source, user.row_source), (None, None, None));
    }

    #[test]
    fn a_member_of_a_wrong_type_costs_only_itself() {
        let line = r#"{"type":"user","uuid":7,"timestamp":"soon","isMeta":"no","origin":"human","message":{"id":1,"content":"x"}}"#;
        let record = parse_line(line.as_bytes()).unwrap();
        assert_eq!(record.head.uuid, None);
        assert_eq!(record.head.timestamp, Some(Timestamp { raw: "soon".into(), unix_ms: None }));
        assert!(!record.head.is_meta);
        assert_eq!(user(line).content, [Block::Text("x".into())]);
        assert_eq!(user(r#"{"type":"user","message":"gone"}"#).content, []);
    }

    #[test]
    fn a_message_typed_during_a_turn_is_an_attachment() {
        let line = r#"{"type":"attachment","attachment":{"type":"queued_command","prompt":"Check the docs.","commandMode":"prompt","origin":{"kind":"human"}}}"#;
        let Body::Attachment(Attachment::QueuedCommand(queued)) = parse_line(line.as_bytes()).unwrap().body else {
            panic!()
        };
        assert_eq!(queued.content, [Block::Text("Check the docs.".into())]);
        assert_eq!((queued.origin_kind.as_deref(), queued.mode.as_deref()), (Some("human"), Some("prompt")));
        let other = parse_line(br#"{"type":"attachment","attachment":{"type":"date","date":"today"}}"#).unwrap();
        assert_eq!(other.body, Body::Attachment(Attachment::Other("date".into())));
    }

    #[test]
    fn the_other_kinds_are_read_as_far_as_they_matter() {
        let boundary = parse_line(
            br#"{"type":"system","subtype":"compact_boundary","content":"Compacted","parentUuid":null,"logicalParentUuid":"u-9","uuid":"u-10"}"#,
        )
        .unwrap();
        assert_eq!(boundary.head.logical_parent_uuid.as_deref(), Some("u-9"));
        let system = System { subtype: Some("compact_boundary".into()), content: Some("Compacted".into()) };
        assert_eq!(boundary.body, Body::System(system));

        let queued = parse_line(br#"{"type":"queue-operation","operation":"enqueue","content":"Hi"}"#).unwrap();
        let operation = QueueOperation { operation: Some("enqueue".into()), content: Some("Hi".into()) };
        assert_eq!(queued.body, Body::QueueOperation(operation));

        let answer = parse_line(
            br#"{"type":"assistant","isApiErrorMessage":true,"message":{"id":"m-1","content":[{"type":"text","text":"API Error"}]}}"#,
        )
        .unwrap();
        let Body::Assistant(answer) = answer.body else { panic!() };
        assert_eq!(answer.message_id.as_deref(), Some("m-1"));
        assert!(answer.is_api_error);

        assert_eq!(parse_line(br#"{"type":"moon-phase"}"#).unwrap().body, Body::Other("moon-phase".into()));
    }

    #[test]
    fn a_request_record_is_known_by_its_first_bytes() {
        let mut line = br#"{"type":"api-request-blob","blob":"#.to_vec();
        line.resize(LINE_LIMIT_BYTES + 1, b'x');
        assert_eq!(parse_line(&line).unwrap().body, Body::Other("api-request".into()));
        assert_eq!(parse_records(&line).len(), 1);
    }

    #[test]
    fn each_fault_has_its_word() {
        for (line, word) in [
            ("", "blank"),
            (" \r\n", "blank"),
            ("\0\0\0\n", "nul"),
            ("{\"type\":\"user\"", "not-json"),
            ("// a comment", "not-json"),
            ("[1]", "not-an-object"),
            ("\"user\"", "not-an-object"),
            ("{}", "no-type"),
            ("{\"type\":\"\"}", "no-type"),
            ("{\"type\":\"mode\"}{\"type\":\"mode\"}", "trailing"),
            ("{\"type\":\"user\",\"message\":{\"n\":1e999}}", "beyond-limits"),
        ] {
            assert_eq!(parse_line(line.as_bytes()).unwrap_err().as_str(), word, "{line:?}");
        }
        assert_eq!(parse_line(b"{\"type\xFF").unwrap_err(), LineFault::BadUtf8);
        let deep = format!(r#"{{"type":"user","message":{}{}}}"#, "[".repeat(200), "]".repeat(200));
        assert_eq!(parse_line(deep.as_bytes()).unwrap_err(), LineFault::BeyondLimits);
        let long = vec![b'x'; LINE_LIMIT_BYTES + 1];
        assert_eq!(parse_line(&long).unwrap_err(), LineFault::TooLong { bytes: LINE_LIMIT_BYTES + 1 });
    }

    #[test]
    fn padding_bad_bytes_half_characters_and_repeats_lose_no_record() {
        let padded = format!("\0\0{PROMPT}\0\0\0\r\n");
        assert_eq!(parse_line(padded.as_bytes()), parse_line(PROMPT.as_bytes()));

        let mut bytes = PROMPT.as_bytes().to_vec();
        let at = PROMPT.find("pnpm").unwrap();
        bytes[at] = 0xFF;
        let Body::User(user_record) = parse_line(&bytes).unwrap().body else { panic!() };
        assert_eq!(user_record.content, [Block::Text("Use \u{fffd}npm.".into())]);

        assert_eq!(user(&PROMPT.replace("pnpm", "\\ud83d")).content, [Block::Text("Use \u{fffd}.".into())]);

        let repeated = PROMPT.replace(r#""uuid":"u-1""#, r#""uuid":"u-1","uuid":"u-2""#);
        assert_eq!(parse_line(repeated.as_bytes()).unwrap().head.uuid.as_deref(), Some("u-2"));
    }

    #[test]
    fn records_written_without_a_line_end_are_all_read() {
        let glued = format!("{PROMPT}\0 {OLD_PROMPT}{{\"type\":\"summary\"");
        let records = parse_records(glued.as_bytes());
        assert_eq!(records.len(), 3);
        assert_eq!(records[0], parse_line(PROMPT.as_bytes()));
        assert_eq!(records[1], parse_line(OLD_PROMPT.as_bytes()));
        assert_eq!(records[2], Err(LineFault::NotJson));

        let mended = format!("{}{OLD_PROMPT}", PROMPT.replace("pnpm", "\\ud83d"));
        assert_eq!(parse_records(mended.as_bytes())[1], parse_line(OLD_PROMPT.as_bytes()));
    }

    proptest! {
        #[test]
        fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let records = parse_records(&bytes);
            prop_assert_eq!(parse_line(&bytes).is_ok(), records.len() == 1 && records[0].is_ok());
        }

        #[test]
        fn any_cut_or_flipped_byte_is_answered(end in 0_usize..PROMPT.len(), at in 0_usize..PROMPT.len(), byte in any::<u8>()) {
            let mut bytes = PROMPT.as_bytes().to_vec();
            prop_assert!(parse_line(&bytes[..end]).is_err());
            bytes[at] = byte;
            let _ = parse_records(&bytes);
        }
    }
}
