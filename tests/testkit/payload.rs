//! Every builder answers the object that client 2.1.332 sends for the event; change a field to try another case.

use serde_json::{Value, json};

use crate::session::Session;

/// The session starts: `source` is startup, resume, clear, compact or fork.
pub fn session_start(session: &Session, source: &str) -> Value {
    event(session, "SessionStart", json!({ "source": source }))
}

/// The person sends a prompt; from here on it is the session's running one.
pub fn user_prompt(session: &mut Session, prompt: &str) -> Value {
    let prompt_id = session.next_prompt_id();
    event(
        session,
        "UserPromptSubmit",
        json!({ "prompt_id": prompt_id, "permission_mode": "default", "prompt": prompt }),
    )
}

/// The client is about to run a tool.
pub fn pre_tool_use(session: &Session, tool: &str, input: &Value) -> Value {
    turn_event(
        session,
        "PreToolUse",
        json!({ "tool_name": tool, "tool_input": input, "tool_use_id": tool_use_id(session, tool) }),
    )
}

/// A tool has run.
pub fn post_tool_use(session: &Session, tool: &str, input: &Value, response: &Value) -> Value {
    turn_event(
        session,
        "PostToolUse",
        json!({
            "tool_name": tool,
            "tool_input": input,
            "tool_response": response,
            "tool_use_id": tool_use_id(session, tool),
            "duration_ms": 12,
        }),
    )
}

/// The model has answered.
pub fn stop(session: &Session, last_message: &str) -> Value {
    turn_event(
        session,
        "Stop",
        json!({
            "stop_hook_active": false,
            "last_assistant_message": last_message,
            "background_tasks": [],
            "session_crons": [],
        }),
    )
}

/// A compaction begins: `trigger` is manual or auto.
pub fn pre_compact(session: &Session, trigger: &str) -> Value {
    event(
        session,
        "PreCompact",
        json!({ "prompt_id": session.prompt_id(), "trigger": trigger, "custom_instructions": null }),
    )
}

/// The session ends: `reason` is clear, resume, `prompt_input_exit`, other or logout.
pub fn session_end(session: &Session, reason: &str) -> Value {
    event(session, "SessionEnd", json!({ "prompt_id": session.prompt_id(), "reason": reason }))
}

/// What the events of a running turn carry beside their own fields.
fn turn_event(session: &Session, name: &str, own: Value) -> Value {
    let mut payload = event(
        session,
        name,
        json!({ "prompt_id": session.prompt_id(), "permission_mode": "default", "effort": { "level": "medium" } }),
    );
    extend(&mut payload, own);
    payload
}

fn event(session: &Session, name: &str, own: Value) -> Value {
    let mut payload = json!({
        "session_id": session.id,
        "transcript_path": session.transcript,
        "cwd": session.cwd,
        "hook_event_name": name,
    });
    extend(&mut payload, own);
    payload
}

fn extend(payload: &mut Value, own: Value) {
    if let (Value::Object(payload), Value::Object(own)) = (payload, own) {
        payload.extend(own);
    }
}

/// One call of a tool in a turn has one id, before and after it.
fn tool_use_id(session: &Session, tool: &str) -> String {
    format!("toolu_{}{tool}", session.prompt_id().replace('-', ""))
}
