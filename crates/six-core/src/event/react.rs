//! The seven events that six reacts to.

use super::identifier::clean_id;
use super::parse::PayloadFault;
use super::wire::{Common, HostEvent, Payload};
use crate::record::{PromptId, SessionId};
use serde_json::Value;
use std::path::PathBuf;

/// Where and in whose name an event happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// The session; never empty.
    pub session_id: SessionId,
    /// The transcript, which may not exist yet or lag behind.
    pub transcript_path: Option<PathBuf>,
    /// The current folder; it moves and is no identity.
    pub cwd: Option<PathBuf>,
    /// The prompt that the event belongs to.
    pub prompt_id: Option<PromptId>,
    /// The sub-agent that caused the event.
    pub agent: Option<Agent>,
    /// The permission mode of the turn.
    pub permission_mode: Option<String>,
}

/// A sub-agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Its id.
    pub id: String,
    /// Its type; `None` for the hidden summariser of a compaction, whose type is empty.
    pub kind: Option<String>,
}

/// Why a session start happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StartSource {
    /// A new session.
    Startup,
    /// An old session goes on; its earlier context is still in the conversation.
    Resume,
    /// `/clear`: a new session in the same process.
    Clear,
    /// The conversation was compacted; what was injected is gone.
    Compact,
    /// A copy of an old session under a new id.
    Fork,
    /// A source that this version does not know; empty if there was none.
    Other(String),
}

impl From<Option<String>> for StartSource {
    fn from(source: Option<String>) -> Self {
        match source.as_deref() {
            Some("startup") => Self::Startup,
            Some("resume") => Self::Resume,
            Some("clear") => Self::Clear,
            Some("compact") => Self::Compact,
            Some("fork") => Self::Fork,
            _ => Self::Other(source.unwrap_or_default()),
        }
    }
}

impl StartSource {
    /// The host's word.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Startup => "startup",
            Self::Resume => "resume",
            Self::Clear => "clear",
            Self::Compact => "compact",
            Self::Fork => "fork",
            Self::Other(source) => source,
        }
    }
}

/// One call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The tool; never empty.
    pub name: String,
    /// Its arguments; `Null` if the host sent none.
    pub input: Value,
    /// The call's id.
    pub use_id: Option<String>,
}

/// An event that six reacts to.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A session begins or goes on.
    SessionStart {
        /// Where and in whose name.
        context: Context,
        /// Why.
        source: StartSource,
    },
    /// A prompt was sent; its id is in the context.
    UserPromptSubmit {
        /// Where and in whose name.
        context: Context,
        /// The text as typed, or as made by the machine.
        prompt: String,
        /// Who sent it, if the host says so.
        source: Option<String>,
    },
    /// A session ends.
    SessionEnd {
        /// Where and in whose name.
        context: Context,
        /// The host's word for why, if any.
        reason: Option<String>,
    },
    /// A turn has ended.
    Stop {
        /// Where and in whose name.
        context: Context,
        /// The answer; the transcript may not have it yet.
        last_assistant_message: Option<String>,
        /// A Stop hook keeps this turn going.
        stop_hook_active: bool,
    },
    /// The conversation is about to be compacted.
    PreCompact {
        /// Where and in whose name.
        context: Context,
        /// `manual` or `auto`, if sent.
        trigger: Option<String>,
    },
    /// A tool is about to run.
    PreToolUse {
        /// Where and in whose name.
        context: Context,
        /// The call.
        call: ToolCall,
    },
    /// A tool has run.
    PostToolUse {
        /// Where and in whose name.
        context: Context,
        /// The call.
        call: ToolCall,
        /// Its result: an object, a list, a string, or `Null` if the host sent none.
        response: Value,
    },
}

impl Event {
    /// The host's name of the event.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::SessionStart { .. } => "SessionStart",
            Self::UserPromptSubmit { .. } => "UserPromptSubmit",
            Self::SessionEnd { .. } => "SessionEnd",
            Self::Stop { .. } => "Stop",
            Self::PreCompact { .. } => "PreCompact",
            Self::PreToolUse { .. } => "PreToolUse",
            Self::PostToolUse { .. } => "PostToolUse",
        }
    }

    /// Where and in whose name the event happened.
    pub fn context(&self) -> &Context {
        match self {
            Self::SessionStart { context, .. }
            | Self::UserPromptSubmit { context, .. }
            | Self::SessionEnd { context, .. }
            | Self::Stop { context, .. }
            | Self::PreCompact { context, .. }
            | Self::PreToolUse { context, .. }
            | Self::PostToolUse { context, .. } => context,
        }
    }
}

impl TryFrom<Payload> for Event {
    type Error = PayloadFault;

    /// Refuses an event that six does not react to, one without a session, a prompt event without a prompt, and a tool
    /// event without a tool. All else may be missing.
    fn try_from(payload: Payload) -> Result<Self, PayloadFault> {
        let Payload { common, event } = payload;
        let name = event.name().to_owned();
        let missing = |field| PayloadFault::NoField { event: name.clone(), field };
        let call = |tool_name: Option<String>, input: Option<Value>, use_id: Option<String>| {
            let name = filled(tool_name).ok_or_else(|| missing("tool_name"))?;
            Ok(ToolCall { name, input: input.unwrap_or_default(), use_id: filled(use_id) })
        };
        Ok(match event {
            HostEvent::SessionStart(start) => {
                Self::SessionStart { context: context(common, &name)?, source: start.source.into() }
            }
            HostEvent::UserPromptSubmit(submit) => Self::UserPromptSubmit {
                context: context(common, &name)?,
                prompt: submit.prompt.ok_or_else(|| missing("prompt"))?,
                source: filled(submit.source),
            },
            HostEvent::SessionEnd(end) => {
                Self::SessionEnd { context: context(common, &name)?, reason: filled(end.reason) }
            }
            HostEvent::Stop(stop) => Self::Stop {
                context: context(common, &name)?,
                last_assistant_message: filled(stop.last_assistant_message),
                stop_hook_active: stop.stop_hook_active.unwrap_or(false),
            },
            HostEvent::PreCompact(compact) => {
                Self::PreCompact { context: context(common, &name)?, trigger: filled(compact.trigger) }
            }
            HostEvent::PreToolUse(tool) => Self::PreToolUse {
                context: context(common, &name)?,
                call: call(tool.tool_name, tool.tool_input, tool.tool_use_id)?,
            },
            HostEvent::PostToolUse(tool) => Self::PostToolUse {
                context: context(common, &name)?,
                call: call(tool.tool_name, tool.tool_input, tool.tool_use_id)?,
                response: tool.tool_response.unwrap_or_default(),
            },
            _ => return Err(PayloadFault::NotHandled { event: name }),
        })
    }
}

fn context(common: Common, event: &str) -> Result<Context, PayloadFault> {
    let session_id = filled(common.session_id).ok_or_else(|| PayloadFault::NoSession { event: event.to_owned() })?;
    Ok(Context {
        session_id: SessionId::new(clean_id(&session_id)),
        transcript_path: filled(common.transcript_path).map(PathBuf::from),
        cwd: filled(common.cwd).map(PathBuf::from),
        prompt_id: filled(common.prompt_id).map(|id| PromptId::new(clean_id(&id))),
        agent: filled(common.agent_id).map(|id| Agent { id, kind: filled(common.agent_type) }),
        permission_mode: filled(common.permission_mode),
    })
}

fn filled(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::parse_payload;

    fn event(text: &str) -> Result<Event, PayloadFault> {
        Event::try_from(parse_payload(text.as_bytes()).unwrap())
    }

    #[test]
    fn a_prompt_comes_with_its_context() {
        let event = event(
            r#"{"session_id":"s-1","transcript_path":"/t.jsonl","cwd":"/home/sam/app","prompt_id":"p-1","permission_mode":"plan",
                "hook_event_name":"UserPromptSubmit","prompt":"Why?"}"#,
        )
        .unwrap();
        let context = Context {
            session_id: SessionId::new("s-1"),
            transcript_path: Some("/t.jsonl".into()),
            cwd: Some("/home/sam/app".into()),
            prompt_id: Some(PromptId::new("p-1")),
            agent: None,
            permission_mode: Some("plan".into()),
        };
        assert_eq!(event, Event::UserPromptSubmit { context, prompt: "Why?".into(), source: None });
    }

    #[test]
    fn every_source_of_a_start_is_told_apart() {
        for (word, source) in [
            (r#""startup""#, StartSource::Startup),
            (r#""resume""#, StartSource::Resume),
            (r#""clear""#, StartSource::Clear),
            (r#""compact""#, StartSource::Compact),
            (r#""fork""#, StartSource::Fork),
            (r#""teleport""#, StartSource::Other("teleport".into())),
            ("null", StartSource::Other(String::new())),
        ] {
            let text = format!(r#"{{"session_id":"s-1","hook_event_name":"SessionStart","source":{word}}}"#);
            let Ok(Event::SessionStart { source: read, .. }) = event(&text) else { panic!("{word}") };
            assert_eq!(read, source);
        }
    }

    #[test]
    fn tool_events_of_a_sub_agent_name_it() {
        let event = event(
            r#"{"session_id":"s-1","agent_id":"a-1","agent_type":"","hook_event_name":"PostToolUse","tool_name":"Read",
                "tool_use_id":"t-1","tool_response":"x"}"#,
        )
        .unwrap();
        assert_eq!(event.context().agent, Some(Agent { id: "a-1".into(), kind: None }));
        let Event::PostToolUse { call, response, .. } = event else { panic!() };
        assert_eq!(call, ToolCall { name: "Read".into(), input: Value::Null, use_id: Some("t-1".into()) });
        assert_eq!(response, "x");
    }

    #[test]
    fn a_key_is_no_id_and_a_long_id_is_cut() {
        let key = format!("ghp_{}", "a1B2".repeat(9));
        let text = format!(r#"{{"session_id":"{key}","hook_event_name":"Stop"}}"#);
        assert!(!event(&text).unwrap().context().session_id.as_str().contains(&key));
        let text = format!(r#"{{"session_id":"{}","hook_event_name":"Stop"}}"#, "é".repeat(5_000));
        assert_eq!(event(&text).unwrap().context().session_id.as_str().len(), crate::event::identifier::ID_MAX_BYTES);
    }

    #[test]
    fn no_session_is_made_up() {
        for session in ["null", r#""""#, r#"" ""#, "1"] {
            let text = format!(r#"{{"session_id":{session},"hook_event_name":"Stop"}}"#);
            assert_eq!(event(&text), Err(PayloadFault::NoSession { event: "Stop".into() }));
        }
    }

    #[test]
    fn what_means_nothing_without_a_field_is_refused() {
        let no_prompt = event(r#"{"session_id":"s-1","hook_event_name":"UserPromptSubmit","prompt":null}"#);
        assert_eq!(no_prompt.unwrap_err().to_string(), "the UserPromptSubmit input has no prompt");
        let no_tool = event(r#"{"session_id":"s-1","hook_event_name":"PreToolUse"}"#);
        assert_eq!(no_tool.unwrap_err().to_string(), "the PreToolUse input has no tool_name");
    }

    #[test]
    fn other_events_are_not_handled() {
        for name in ["SubagentStop", "Notification", "MoonRise"] {
            let text = format!(r#"{{"session_id":"s-1","hook_event_name":"{name}"}}"#);
            assert_eq!(event(&text), Err(PayloadFault::NotHandled { event: name.into() }));
        }
    }

    #[test]
    fn a_stop_without_an_answer_is_still_a_stop() {
        let Ok(Event::Stop { last_assistant_message, stop_hook_active, .. }) =
            event(r#"{"session_id":"s-1","hook_event_name":"Stop","last_assistant_message":""}"#)
        else {
            panic!()
        };
        assert_eq!((last_assistant_message, stop_hook_active), (None, false));
    }
}
