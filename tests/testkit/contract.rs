//! What holds for every run of every hook, whatever it was given.

use std::time::Duration;

use serde_json::Value;

use crate::ran::HookRun;
use crate::scratch::Scratch;

/// The host replaces a longer context by a file name and a preview.
const CONTEXT_LIMIT_UNITS: usize = 10_000;

/// What a busy machine adds to a hook's own deadline: the start of the process, and the row that closes it.
const SLACK: Duration = Duration::from_secs(2);

/// A hook: the end of its program's name, and the host's event.
pub const HOOKS: [(&str, &str); 6] = [
    ("session-start", "SessionStart"),
    ("user-prompt-submit", "UserPromptSubmit"),
    ("pre-tool-use", "PreToolUse"),
    ("stop", "Stop"),
    ("pre-compact", "PreCompact"),
    ("session-end", "SessionEnd"),
];

/// A row that a hook left in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heartbeat {
    /// The end of the program's name.
    pub hook: String,
    /// The session, if the payload named one.
    pub session: Option<String>,
    /// How it ended; `None` if the row was never closed.
    pub outcome: Option<String>,
    /// What went wrong.
    pub class: String,
}

impl HookRun {
    /// Fails the test unless the run of hook `name` was one that the host takes: exit 0, in time, and on stdout nothing
    /// or one line with one object that is made for its event.
    #[must_use]
    pub fn keeping_the_contract(self, name: &str) -> Self {
        let stdout = String::from_utf8_lossy(&self.stdout);
        let (_, event) = HOOKS.iter().find(|(hook, _)| *hook == name).expect("a hook of ours");
        assert_eq!(self.exit, Some(0), "{name}: {stdout}\n{}", self.stderr);
        assert_eq!(self.stderr, "", "{name} complains to nobody");
        let limit = deadline(name) * self.patience + SLACK;
        assert!(self.took < limit, "{name} took {:?}, more than {limit:?}", self.took);
        let Some(output) = self.output() else { return self };
        assert!(!stdout.trim_end().contains('\n'), "{name} printed more than one line: {stdout}");
        for (field, value) in output.as_object().expect("an object") {
            match field.as_str() {
                "hookSpecificOutput" => {
                    assert_eq!(value["hookEventName"], *event, "{name}: {output}");
                    let refuses = value["permissionDecision"] == "deny" && *event == "PreToolUse";
                    assert!(refuses || value["permissionDecision"].is_null(), "{name} grants nothing: {output}");
                    let said = if refuses { "permissionDecisionReason" } else { "additionalContext" };
                    let units = value[said].as_str().expect("a text").encode_utf16().count();
                    assert!(units < CONTEXT_LIMIT_UNITS, "{name}: {units} units");
                }
                "systemMessage" => assert!(value.is_string(), "{name}: {output}"),
                _ => panic!("{name}: {field} is no field of the host's: {output}"),
            }
        }
        self
    }
}

fn deadline(hook: &str) -> Duration {
    Duration::from_millis(match hook {
        "user-prompt-submit" => 150,
        "pre-tool-use" => 100,
        "stop" => 1_000,
        "pre-compact" => 3_000,
        "session-end" => 1_400,
        _ => 2_000,
    })
}

impl Scratch {
    /// Runs a hook on a payload and holds it to the contract.
    pub fn answer(&self, name: &str, payload: &Value) -> HookRun {
        self.hook(name, payload).keeping_the_contract(name)
    }

    /// What the hooks left in the only store, oldest first. What waits in the spool is taken in first.
    pub fn heartbeats(&self) -> Vec<Heartbeat> {
        self.six(&["status"]).ok();
        let rows = self.store_rows(
            "SELECT hook, session, outcome, coalesce(class, '') AS class FROM heartbeat
             WHERE hook NOT IN ('worker', 'gate', 'render') ORDER BY started_unix_ms, id",
        );
        let text = |value: &Value| value.as_str().map(str::to_owned);
        rows.iter()
            .map(|row| Heartbeat {
                hook: text(&row["hook"]).unwrap_or_default(),
                session: text(&row["session"]),
                outcome: text(&row["outcome"]),
                class: text(&row["class"]).unwrap_or_default(),
            })
            .collect()
    }

    /// The row of the hook that ran last.
    pub fn last_heartbeat(&self) -> Heartbeat {
        self.heartbeats().pop().expect("no hook has left a row")
    }
}
