//! The check of the hooks over the boundaries that sessions really have: what went wrong is red under its own fault, and
//! nothing else is.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, params};
use serde_json::json;
use testkit::{Scratch, Session, Transcript, binaries, payload};

/// What the check says: green, or red with this fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    Green,
    Red(&'static str),
}

use Expected::{Green, Red};

/// A project in which six was installed and one session has come and gone.
struct Ground {
    scratch: Scratch,
    sessions: u16,
}

const HOUR_MS: i64 = 3_600_000;

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970");
    i64::try_from(since.as_millis()).expect("a year that is near")
}

/// A time as transcripts have it.
fn stamp(unix_ms: i64) -> String {
    let store = Connection::open_in_memory().expect("a store in memory");
    let sql = "SELECT strftime('%Y-%m-%dT%H:%M:%fZ', ?1 / 1000.0, 'unixepoch')";
    store.query_row(sql, [unix_ms], |row| row.get(0)).expect("a time")
}

impl Ground {
    fn new() -> Self {
        let scratch = Scratch::new();
        scratch.six(&["install", "--no-templates"]).ok();
        let mut ground = Self { scratch, sessions: 0 };
        let mut first = ground.begin("startup");
        ground.turn(&mut first);
        ground.end(&first);
        ground
    }

    fn session(&mut self) -> Session {
        self.sessions += 1;
        self.scratch.session(self.sessions)
    }

    fn begin(&mut self, source: &str) -> Session {
        let session = self.session();
        self.scratch.answer("session-start", &payload::session_start(&session, source));
        session
    }

    /// A prompt, a call of a tool and the answer, with all their hooks and records.
    fn turn(&self, session: &mut Session) {
        self.prompt(session);
        self.tool(session);
        self.tell(session, |told, at| said(told, at).record_call(at, "ok"));
        self.scratch.answer("stop", &payload::stop(session, "Done."));
    }

    fn prompt(&self, session: &mut Session) {
        self.scratch.answer("user-prompt-submit", &payload::user_prompt(session, "Where is the pier?"));
    }

    fn tool(&self, session: &Session) {
        self.scratch.answer("pre-tool-use", &payload::pre_tool_use(session, "Bash", &json!({ "command": "ls" })));
    }

    fn end(&self, session: &Session) {
        self.scratch.answer("session-end", &payload::session_end(session, "prompt_input_exit"));
    }

    /// Adds records of now to the transcript of a session.
    fn tell(&self, session: &Session, told: impl FnOnce(Transcript, i64) -> Transcript) {
        told(self.scratch.transcript(session), now_ms()).write();
    }

    fn store(&self) -> Connection {
        Connection::open(self.scratch.store_folder().join("memory.db")).expect("the store opens")
    }

    fn change(&self, sql: &str) -> usize {
        self.store().execute(sql, []).expect(sql)
    }

    /// Everything that is stored happened so much earlier.
    fn age(&self, ms: i64) {
        for (table, column) in [
            ("heartbeat", "started_unix_ms"),
            ("heartbeat", "ended_unix_ms"),
            ("boundary", "at_unix_ms"),
            ("receipt", "at_unix_ms"),
            ("session", "first_unix_ms"),
            ("session", "last_unix_ms"),
            ("entry", "at_unix_ms"),
        ] {
            self.change(&format!("UPDATE {table} SET {column} = {column} - {ms}"));
        }
    }

    /// Adds rows of a hook to the store, as it would have left them now.
    fn rows(&self, hook: &str, count: usize, outcome: Option<&str>, class: &str) {
        let store = self.store();
        for number in 0..count {
            store
                .execute(
                    "INSERT INTO heartbeat (event_id, hook, event, session, via, pid, version, started_unix_ms, deadline_ms,
                         synthetic, ended_unix_ms, outcome, class, text, rows_written, emitted_bytes)
                     SELECT ?1, ?2, '', session, 'settings', 999999, version, ?3, 100, 0, ?3 + 5, ?4, ?5, 'candidates:busy', 0, 0
                     FROM heartbeat WHERE hook = 'session-start' ORDER BY started_unix_ms DESC LIMIT 1",
                    params![format!("made-{hook}-{outcome:?}-{class}-{number}"), hook, now_ms(), outcome, class],
                )
                .expect("a row can be added");
        }
    }

    fn settings(&self, change: impl FnOnce(String) -> String) {
        let file = self.scratch.project().join(".claude/settings.local.json");
        let text = fs::read_to_string(&file).expect("the hooks are wired");
        fs::write(&file, change(text)).expect("a scratch file can be written");
    }

    /// What the check says to a person: its fault if it is red, and its words.
    fn said(&self) -> (Expected, String) {
        self.scratch.six(&["ingest"]).ok();
        let report = self.scratch.six(&["health", "--json"]).json();
        let checks = report["checks"].as_array().expect("checks").clone();
        let check = checks.into_iter().find(|check| check["check"] == "heartbeats").expect("the check");
        let told = check.to_string();
        match check["fault"].as_str() {
            None => (Green, told),
            Some(fault) => (Red(Box::leak(fault.to_owned().into_boxed_str())), told),
        }
    }
}

/// What the builder of transcripts does not have: records of a given time.
trait Records {
    fn record_call(self, at: i64, result: &str) -> Self;
}

impl Records for Transcript {
    fn record_call(self, at: i64, result: &str) -> Self {
        let id = format!("toolu_{at}");
        let call = json!({ "type": "tool_use", "id": id, "name": "Bash", "input": { "command": "ls" } });
        let is_error = result != "ok";
        let result = json!({ "type": "tool_result", "tool_use_id": id, "content": result, "is_error": is_error });
        self.conversation(json!({
            "type": "assistant",
            "timestamp": stamp(at),
            "uuid": uuid(at, 1),
            "message": { "id": "msg", "type": "message", "role": "assistant", "content": [call] },
        }))
        .conversation(json!({
            "type": "user",
            "timestamp": stamp(at),
            "uuid": uuid(at, 2),
            "message": { "role": "user", "content": [result] },
        }))
    }
}

fn said(told: Transcript, at: i64) -> Transcript {
    told.conversation(json!({
        "type": "user",
        "timestamp": stamp(at),
        "uuid": uuid(at, 0),
        "message": { "role": "user", "content": "Where is the pier?" },
        "origin": { "kind": "human" },
        "promptSource": "typed",
    }))
}

/// One for each time and kind of record: builders that add to one file know nothing of each other.
fn uuid(at: i64, kind: u8) -> String {
    format!("ec000000-0000-4000-800{kind}-{at:012x}")
}

const REFUSED: &str = "The user doesn't want to proceed with this tool use. The tool use was rejected";

/// What happens after the first session, and what the check says then.
type Situation = (&'static str, Expected, fn(&mut Ground));

const SITUATIONS: &[Situation] = &[
    ("a session that came and went", Green, |_| ()),
    ("another session, whole", Green, |ground| {
        let mut session = ground.begin("startup");
        ground.turn(&mut session);
        ground.end(&session);
    }),
    ("two days off", Green, |ground| ground.age(48 * HOUR_MS)),
    ("a session over days that goes on", Green, |ground| {
        let mut session = ground.begin("startup");
        ground.turn(&mut session);
        ground.age(72 * HOUR_MS);
        ground.turn(&mut session);
    }),
    ("a machine that slept while a hook ran", Green, |ground| {
        ground.begin("startup");
        ground.rows("pre-tool-use", 1, Some("ok"), "");
        ground.change("UPDATE heartbeat SET started_unix_ms = started_unix_ms - 28800000 WHERE event_id LIKE 'made-%'");
    }),
    ("a clock that was a year ahead for a while", Green, |ground| {
        let mut session = ground.begin("startup");
        ground.turn(&mut session);
        ground.end(&session);
        ground.age(-365 * 24 * HOUR_MS);
        let mut session = ground.begin("startup");
        ground.turn(&mut session);
    }),
    ("two sessions at once", Green, |ground| {
        let mut one = ground.begin("startup");
        ground.prompt(&mut one);
        let mut other = ground.begin("startup");
        ground.turn(&mut other);
        ground.tell(&one, |told, at| said(told, at - 5).record_call(at, REFUSED));
        ground.end(&other);
        ground.tool(&one);
        ground.tell(&one, |told, at| told.record_call(at, "ok"));
    }),
    ("a session that is resumed under its id, and one that is forked", Green, |ground| {
        let mut session = ground.begin("startup");
        ground.turn(&mut session);
        ground.end(&session);
        ground.scratch.answer("session-start", &payload::session_start(&session, "resume"));
        let fork = ground.session();
        let records = fs::read_to_string(&session.transcript).expect("it was written").replace(&session.id, &fork.id);
        fs::write(&fork.transcript, records).expect("a scratch file can be written");
        ground.scratch.answer("session-start", &payload::session_start(&fork, "fork"));
    }),
    ("a session that began before six came and is resumed", Green, |ground| {
        let session = ground.session();
        ground.tell(&session, |told, at| said(told, at - 40 * HOUR_MS).record_call(at - 40 * HOUR_MS, "ok"));
        ground.scratch.answer("session-start", &payload::session_start(&session, "resume"));
    }),
    ("compaction", Green, |ground| {
        let mut session = ground.begin("startup");
        ground.turn(&mut session);
        ground.scratch.answer("pre-compact", &payload::pre_compact(&session, "auto"));
        ground.scratch.answer("session-start", &payload::session_start(&session, "compact"));
        ground.turn(&mut session);
    }),
    ("a terminal that was closed, and a turn that was interrupted", Green, |ground| {
        let mut session = ground.begin("startup");
        ground.prompt(&mut session);
        ground.rows("pre-tool-use", 1, Some("cancelled"), "signal");
        ground.tell(&session, |told, at| said(told, at).record_call(at, REFUSED));
        ground.begin("startup");
    }),
    ("only commands of the client and tools that no hook is wired to", Green, |ground| {
        let session = ground.begin("startup");
        ground.tell(&session, |told, at| {
            told.conversation(json!({
                "type": "user", "timestamp": stamp(at), "uuid": uuid(at, 3),
                "message": { "role": "user", "content": "<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args></command-args>" },
            }))
            .tool("Read", &json!({ "file_path": "README.md" }), "# Harbour")
        });
    }),
    ("a turn that a background task started, and one of a muted session", Green, |ground| {
        let mut session = ground.begin("startup");
        let note = "<task-notification>\n<task-id>1</task-id>\n</task-notification>";
        ground.scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, note));
        ground.scratch.six(&["mute"]).ok();
        ground.turn(&mut session);
    }),
    ("an upgrade", Green, |ground| {
        ground.change("UPDATE heartbeat SET version = '0.0.1'");
        ground.change("DELETE FROM heartbeat WHERE hook IN ('gate', 'render')");
        ground.change("DELETE FROM receipt");
        ground.begin("startup");
    }),
    ("rows of a benchmark", Green, |ground| {
        ground.rows("pre-tool-use", 9, Some("failed"), "panic");
        ground.change("UPDATE heartbeat SET synthetic = 1 WHERE event_id LIKE 'made-%'");
    }),
    ("a run that used its time up, the last of all", Green, |ground| {
        ground.rows("stop", 1, Some("timed-out"), "deadline");
    }),
    ("a compaction that failed two starts ago", Green, |ground| {
        ground.rows("pre-compact", 1, Some("failed"), "panic");
        ground.begin("startup");
        ground.begin("startup");
    }),
    ("two degraded answers", Green, |ground| ground.rows("pre-tool-use", 2, Some("ok"), "degraded")),
    ("a prompt that called no hook", Red("hook-missing"), |ground| {
        let session = ground.begin("startup");
        ground.tell(&session, said);
    }),
    ("a hook before tools that fell quiet", Red("hook-missing"), |ground| {
        for _ in 0..3 {
            let mut session = ground.begin("startup");
            ground.prompt(&mut session);
            ground.tell(&session, |told, at| said(told, at).record_call(at + 1, "ok"));
            ground.end(&session);
        }
    }),
    ("a session without hooks", Red("session-unseen"), |ground| {
        let session = ground.session();
        ground.tell(&session, said);
        let mut next = ground.begin("startup");
        ground.turn(&mut next);
    }),
    ("a hook that was killed", Red("hook-failed"), |ground| {
        ground.begin("startup");
        ground.rows("stop", 1, None, "");
        ground.change("UPDATE heartbeat SET ended_unix_ms = NULL WHERE event_id LIKE 'made-%'");
    }),
    ("a hook that failed", Red("hook-failed"), |ground| ground.rows("stop", 1, Some("failed"), "panic")),
    ("a compaction that failed before the last start", Red("hook-failed"), |ground| {
        ground.rows("pre-compact", 1, Some("failed"), "panic");
        ground.begin("startup");
    }),
    ("a hook that got no payload", Red("hook-failed"), |ground| {
        let hook = ground.scratch.hook_command("stop");
        ground.scratch.hook_bytes(hook, b"{\n");
    }),
    ("a hook that is slow more often than not", Red("hook-slow"), |ground| {
        ground.rows("pre-tool-use", 3, Some("timed-out"), "deadline");
        ground.rows("pre-tool-use", 1, Some("ok"), "");
    }),
    ("degraded answers", Red("hook-degraded"), |ground| ground.rows("pre-tool-use", 3, Some("ok"), "degraded")),
    ("degraded answers among calls that had nothing to look up", Red("hook-degraded"), |ground| {
        ground.rows("pre-tool-use", 3, Some("ok"), "degraded");
        ground.rows("pre-tool-use", 60, Some("ok"), "idle");
    }),
    ("a turn whose account is gone", Red("turn-unaccounted"), |ground| {
        let mut session = ground.begin("startup");
        ground.turn(&mut session);
        ground.change("DELETE FROM receipt");
    }),
    ("a start without its gate", Red("gate-missing"), |ground| {
        let session = ground.begin("startup");
        ground.change(&format!("DELETE FROM heartbeat WHERE hook = 'gate' AND session = '{}'", session.id));
    }),
    ("a start without its block", Red("hook-missing"), |ground| {
        let session = ground.begin("startup");
        ground.change(&format!("DELETE FROM heartbeat WHERE hook = 'render' AND session = '{}'", session.id));
    }),
    ("a start that was silenced", Green, |ground| {
        ground.scratch.six(&["mute"]).ok();
        ground.begin("startup");
    }),
    ("an unwired hook", Red("hook-unwired"), |ground| {
        ground.settings(|text| text.replace("\"Stop\"", "\"SubagentStop\""));
    }),
    ("a hook whose program is gone", Red("hook-program"), |ground| {
        ground.settings(|text| text.replace("/six-stop", "/gone/six-stop"));
    }),
    ("a program that must not be executed", Red("hook-program"), |ground| {
        let blunt = ground.scratch.folder("blunt").join("six-stop");
        fs::write(&blunt, "").expect("a scratch file can be written");
        fs::set_permissions(&blunt, fs::Permissions::from_mode(0o600)).expect("a mode can be set");
        rewire_stop(ground, &blunt);
    }),
    ("a hook of another installation", Red("hook-program"), |ground| {
        let other = ground.scratch.folder("other").join("six-stop");
        fs::copy(binaries().join("six-stop"), &other).expect("a program can be copied");
        rewire_stop(ground, &other);
    }),
    ("hooks that are switched off", Red("hooks-off"), |ground| {
        ground.settings(|text| text.replacen('{', "{\"disableAllHooks\": true,", 1));
    }),
];

fn rewire_stop(ground: &Ground, program: &std::path::Path) {
    let before = binaries().join("six-stop").display().to_string();
    let after = program.display().to_string();
    ground.settings(|text| {
        assert!(text.contains(&before), "{text}");
        text.replace(&before, &after)
    });
}

#[test]
fn what_went_wrong_with_the_hooks_is_told_and_what_sessions_do_is_no_fault() {
    let mut wrong = Vec::new();
    for (what, expected, happen) in SITUATIONS {
        let mut ground = Ground::new();
        happen(&mut ground);
        let (said, told) = ground.said();
        if said != *expected {
            wrong.push(format!("{what}: {expected:?} was expected: {told}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), SITUATIONS.len(), wrong.join("\n"));
}

#[test]
fn before_the_first_session_ends_nothing_is_missing() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    let ground = Ground { scratch, sessions: 0 };
    assert_eq!(ground.said().0, Green);
    let session = ground.scratch.session(1);
    ground.tell(&session, said);
    assert_eq!(ground.said().0, Green);
}

#[test]
fn what_is_missing_is_told_where_no_session_ever_ends() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    let mut ground = Ground { scratch, sessions: 0 };
    for _ in 0..2 {
        let mut session = ground.begin("startup");
        ground.turn(&mut session);
    }
    assert_eq!(ground.said().0, Green);
    let session = ground.begin("startup");
    ground.tell(&session, said);
    assert_eq!(ground.said().0, Red("hook-missing"));
}

#[test]
fn a_quiet_hook_is_named_at_the_next_start_with_the_time_of_its_last_row_and_its_next_row_clears_it() {
    let mut ground = Ground::new();
    ground.age(48 * HOUR_MS);
    for _ in 0..3 {
        let mut session = ground.begin("startup");
        ground.prompt(&mut session);
        ground.tell(&session, |told, at| said(told, at).record_call(at + 1, "ok"));
        ground.end(&session);
        ground.scratch.six(&["ingest"]).ok();
    }
    let session = ground.session();
    let told = ground.scratch.answer("session-start", &payload::session_start(&session, "startup"));
    let told = told.context().expect("the health line");
    let last = stamp(now_ms() - 48 * HOUR_MS);
    let day = last.get(..10).expect("a date");
    let red = format!("RED heartbeats: pre-tool-use: no row in 3 of 3 sessions since {day}");
    assert!(told.contains(&red), "{red}\n{told}");
    ground.tool(&session);
    ground.tell(&session, |told, at| told.record_call(at, "ok"));
    assert_eq!(ground.said().0, Green);
}

#[test]
fn what_is_still_red_at_the_next_start_is_told_with_its_command_alone() {
    let mut ground = Ground::new();
    ground.rows("pre-compact", 1, Some("failed"), "panic");
    let fixes = [0, 1].map(|_| {
        let session = ground.session();
        let told = ground.scratch.answer("session-start", &payload::session_start(&session, "startup"));
        let told = told.context().expect("the health line").clone();
        told.lines().find(|line| line.contains("RED heartbeats")).expect(&told).to_owned()
    });
    assert!(fixes[0].contains("FIX: verify green at the next boundary"), "{}", fixes[0]);
    assert!(fixes[1].contains("FIX: six install "), "{}", fixes[1]);
}

#[test]
fn an_answer_that_had_to_do_without_the_index_says_so_in_its_row() {
    let mut ground = Ground::new();
    let mut session = ground.begin("startup");
    ground.store().execute_batch("DROP TABLE body_fts").expect("the index is there");
    let prompt = payload::user_prompt(&mut session, "Build a pier of oak for the harbour.");
    ground.scratch.answer("user-prompt-submit", &prompt);
    let newest =
        "SELECT outcome, class, text FROM heartbeat WHERE hook = 'user-prompt-submit' ORDER BY id DESC LIMIT 1";
    let row = ground.scratch.store_rows(newest).remove(0);
    assert_eq!((&row["outcome"], &row["class"]), (&"ok".into(), &"degraded".into()), "{row:?}");
    assert!(row["text"].as_str().is_some_and(|text| text.starts_with("candidates:")), "{row:?}");
}
