//! A hook's stdin, bytes to payload. Nothing that arrives there may crash a hook or be taken for something it is not.

use super::json::{Broken, first_value, flat_object, mend_surrogates};
use super::wire::Payload;
use serde_json::{Map, Value};
use thiserror::Error;

/// Why a hook's input can't be worked with.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PayloadFault {
    /// Nothing, or only white space, arrived.
    #[error("the hook input is empty")]
    Empty,
    /// The input ended inside the JSON.
    #[error("the hook input ends early, at line {line}, column {column}")]
    Truncated {
        /// 1-based.
        line: usize,
        /// 1-based, in bytes.
        column: usize,
    },
    /// The input is no JSON.
    #[error("the hook input is not JSON: line {line}, column {column}")]
    NotJson {
        /// 1-based.
        line: usize,
        /// 1-based, in bytes.
        column: usize,
    },
    /// The input is a list, a string, a number or `null`.
    #[error("the hook input is not a JSON object")]
    NotAnObject,
    /// `hook_event_name` is missing, empty or not a string.
    #[error("the hook input names no event")]
    NoEventName,
    /// `session_id` is missing, empty or not a string. A session is never made up: all such calls would share it.
    #[error("the {event} input names no session")]
    NoSession {
        /// The event.
        event: String,
    },
    /// A field without which the event means nothing is missing.
    #[error("the {event} input has no {field}")]
    NoField {
        /// The event.
        event: String,
        /// The field.
        field: &'static str,
    },
    /// An event that six does not react to.
    #[error("six does not react to {event}")]
    NotHandled {
        /// The event.
        event: String,
    },
}

impl PayloadFault {
    /// A short stable word for counting.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Truncated { .. } => "truncated",
            Self::NotJson { .. } => "not-json",
            Self::NotAnObject => "not-an-object",
            Self::NoEventName => "no-event-name",
            Self::NoSession { .. } => "no-session",
            Self::NoField { .. } => "no-field",
            Self::NotHandled { .. } => "not-handled",
        }
    }
}

/// Reads the first JSON value of a hook's stdin; what follows it is ignored.
///
/// Invalid UTF-8 becomes U+FFFD. A payload with a member that is nested more than 127 deep is read without its objects
/// and lists, so that its session and event are still known.
pub fn parse_payload(bytes: &[u8]) -> Result<Payload, PayloadFault> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err(PayloadFault::Empty);
    }
    let mut members = parse_object(text)?;
    let name = match members.remove("hook_event_name") {
        Some(Value::String(name)) if !name.is_empty() => name,
        _ => return Err(PayloadFault::NoEventName),
    };
    Ok(Payload::read(&name, members))
}

fn parse_object(text: &str) -> Result<Map<String, Value>, PayloadFault> {
    let mended = mend_surrogates(text);
    match first_value::<Value>(&mended) {
        Ok((Value::Object(members), _)) => Ok(members),
        Ok(_) => Err(PayloadFault::NotAnObject),
        Err(error) => flat_object(&mended).map_err(|_| match Broken::from(error) {
            Broken { line, column, truncated: true } => PayloadFault::Truncated { line, column },
            Broken { line, column, truncated: false } => PayloadFault::NotJson { line, column },
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::wire::HostEvent;
    use proptest::prelude::*;

    const STOP: &str = r#"{"session_id":"s-1","hook_event_name":"Stop","stop_hook_active":false}"#;

    fn fault(text: &str) -> PayloadFault {
        parse_payload(text.as_bytes()).unwrap_err()
    }

    #[test]
    fn hostile_input_is_refused_with_its_reason() {
        assert_eq!(fault(""), PayloadFault::Empty);
        assert_eq!(fault(" \r\n\t"), PayloadFault::Empty);
        assert_eq!(fault("{}"), PayloadFault::NoEventName);
        assert_eq!(fault("[]"), PayloadFault::NotAnObject);
        assert_eq!(fault("null"), PayloadFault::NotAnObject);
        assert_eq!(fault("\"Stop\""), PayloadFault::NotAnObject);
        assert_eq!(fault(r#"{"session_id":"s-1","hook_ev"#), PayloadFault::Truncated { line: 1, column: 28 });
        assert_eq!(fault("{\n  'a': 1}"), PayloadFault::NotJson { line: 2, column: 3 });
        assert_eq!(fault(r#"{"hook_event_name":null}"#), PayloadFault::NoEventName);
        assert_eq!(fault(r#"{"hook_event_name":7}"#), PayloadFault::NoEventName);
    }

    #[test]
    fn an_unknown_event_keeps_its_name_and_the_common_part() {
        let payload = parse_payload(br#"{"session_id":"s-1","hook_event_name":"MoonRise","phase":3}"#).unwrap();
        assert_eq!(payload.event, HostEvent::Unknown("MoonRise".into()));
        assert_eq!(payload.event.name(), "MoonRise");
        assert_eq!(payload.common.session_id.as_deref(), Some("s-1"));
    }

    #[test]
    fn a_field_of_a_wrong_type_costs_only_itself() {
        let text =
            br#"{"session_id":["x"],"cwd":null,"effort":"high","transcript_path":"/t.jsonl","hook_event_name":"Stop",
            "stop_hook_active":"yes","last_assistant_message":"Done.","background_tasks":{}}"#;
        let payload = parse_payload(text).unwrap();
        assert_eq!(payload.common.session_id, None);
        assert_eq!(payload.common.cwd, None);
        assert_eq!(payload.common.effort, None);
        assert_eq!(payload.common.transcript_path.as_deref(), Some("/t.jsonl"));
        let HostEvent::Stop(stop) = payload.event else { panic!("not a Stop") };
        assert_eq!(stop.stop_hook_active, None);
        assert_eq!(stop.last_assistant_message.as_deref(), Some("Done."));
        assert_eq!(stop.background_tasks, None);
    }

    #[test]
    fn a_tool_response_may_be_of_any_type() {
        for response in [r#""text""#, r#"[1,"a"]"#, r#"{"stdout":""}"#, "false"] {
            let text = format!(
                r#"{{"session_id":"s-1","hook_event_name":"PostToolUse","tool_name":"Bash","tool_response":{response}}}"#
            );
            let HostEvent::PostToolUse(tool) = parse_payload(text.as_bytes()).unwrap().event else { panic!() };
            assert_eq!(tool.tool_response.unwrap().to_string(), response);
        }
    }

    #[test]
    fn a_repeated_field_counts_once_the_last_time() {
        let text = br#"{"session_id":"old","session_id":"new","hook_event_name":"Stop"}"#;
        assert_eq!(parse_payload(text).unwrap().common.session_id.as_deref(), Some("new"));
    }

    #[test]
    fn deep_nesting_leaves_session_and_event_readable() {
        let deep = format!(
            r#"{{"session_id":"s-1","hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{}{}}}"#,
            "[".repeat(200),
            "]".repeat(200)
        );
        let payload = parse_payload(deep.as_bytes()).unwrap();
        assert_eq!(payload.common.session_id.as_deref(), Some("s-1"));
        let HostEvent::PreToolUse(tool) = payload.event else { panic!() };
        assert_eq!(tool.tool_name.as_deref(), Some("Write"));
        assert_eq!(tool.tool_input, None);
    }

    #[test]
    fn bytes_that_are_no_text_and_half_characters_are_replaced() {
        let mut bytes = br#"{"session_id":"s-1","hook_event_name":"UserPromptSubmit","prompt":"a"#.to_vec();
        bytes.extend_from_slice(&[0xFF, b'b']);
        bytes.extend_from_slice(br#"\ud83d c"}"#);
        let HostEvent::UserPromptSubmit(submit) = parse_payload(&bytes).unwrap().event else { panic!() };
        assert_eq!(submit.prompt.as_deref(), Some("a\u{fffd}b\u{fffd} c"));
    }

    #[test]
    fn byte_order_mark_layout_and_trailing_text_do_no_harm() {
        let wrapped = format!("\u{feff}\r\n{STOP}\n{{\"hook_event_name\":\"Other\"}} rest");
        assert_eq!(parse_payload(wrapped.as_bytes()), parse_payload(STOP.as_bytes()));
    }

    proptest! {
        #[test]
        fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = parse_payload(&bytes);
        }

        #[test]
        fn any_cut_or_flipped_byte_is_answered(end in 0_usize..STOP.len(), at in 0_usize..STOP.len(), byte in any::<u8>()) {
            let mut bytes = STOP.as_bytes().to_vec();
            bytes[at] = byte;
            let _ = parse_payload(&bytes[..end]);
            if let Ok(payload) = parse_payload(&bytes) {
                prop_assert!(!payload.event.name().is_empty());
            }
        }
    }
}
