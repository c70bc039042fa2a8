//! The block of a session's start over the sessions that it is shown to, what the project derives elsewhere, and the gate
//! that is off.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, params};
use serde_json::{Value, json};
use testkit::{HookRun, Scratch, Session, payload};

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;
const OUR_HOOK: &str = "/opt/six/bin/six-session-start --via settings";

fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    scratch
}

fn store(scratch: &Scratch) -> Connection {
    Connection::open(scratch.store_folder().join("memory.db")).expect("the store opens")
}

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970");
    i64::try_from(since.as_millis()).expect("a year that is near")
}

/// A time as transcripts have it.
fn stamp(unix_ms: i64) -> String {
    let sql = "SELECT strftime('%Y-%m-%dT%H:%M:%fZ', ?1 / 1000.0, 'unixepoch')";
    let store = Connection::open_in_memory().expect("a store in memory");
    store.query_row(sql, [unix_ms], |row| row.get(0)).expect("a time")
}

fn start(scratch: &Scratch, session: &Session, source: &str) -> HookRun {
    scratch.answer("session-start", &payload::session_start(session, source))
}

/// What the host writes of what hooks said at a start, in its order.
fn recorded(said: &[Value]) -> Vec<Value> {
    said.iter()
        .map(|own| {
            let mut attachment =
                json!({"hookName": "SessionStart:startup", "hookEvent": "SessionStart", "exitCode": 0});
            let members = own.as_object().expect("members of an attachment").clone();
            attachment.as_object_mut().expect("an attachment").extend(members);
            json!({"type": "attachment", "attachment": attachment})
        })
        .collect()
}

/// The model answers, an hour after `records` of the start were written, and the session ends and is read.
fn answered(scratch: &Scratch, session: &Session, records: Vec<Value>) {
    let mut transcript = scratch.transcript(session);
    for record in records {
        transcript = transcript.conversation(record);
    }
    transcript = transcript.prompt("Where is the pier?").conversation(json!({
        "type": "assistant",
        "timestamp": stamp(now_ms() + HOUR_MS),
        "message": {"id": "m", "role": "assistant", "content": [{"type": "text", "text": "Behind the mole."}]},
    }));
    transcript.write();
    scratch.answer("session-end", &payload::session_end(session, "other"));
    scratch.six(&["ingest"]).ok();
}

/// A whole session of a client that writes down what arrived.
fn good_session(scratch: &Scratch, number: u16) -> Session {
    let session = scratch.session(number);
    let context = start(scratch, &session, "startup").context().expect("a block");
    let delivered = [
        json!({"type": "hook_success", "command": OUR_HOOK, "stdout": "{}", "content": ""}),
        json!({"type": "hook_additional_context", "content": [context]}),
    ];
    answered(scratch, &session, recorded(&delivered));
    session
}

/// The fault of a check, if it is red.
fn fault(scratch: &Scratch, check: &str) -> Option<String> {
    let told = scratch.six(&["health", "--json", "--check", check]).json();
    told["checks"][0]["fault"].as_str().map(str::to_owned)
}

fn render_fault(scratch: &Scratch) -> Option<String> {
    fault(scratch, "render")
}

/// Makes every block the same as the first, as a render that is stuck would.
fn freeze(scratch: &Scratch) {
    let sql =
        "UPDATE render SET hash = (SELECT hash FROM render WHERE hash <> '' ORDER BY id LIMIT 1) WHERE hash <> ''";
    store(scratch).execute(sql, []).expect("the store is ours");
}

#[test]
fn a_block_that_stays_while_decisions_are_made_is_red_after_three_sessions_and_green_when_it_moves_again() {
    let scratch = installed();
    for number in 1..=3 {
        scratch.six(&["decision", "add", &format!("Berth {number} is for tugs only")]).ok();
        good_session(&scratch, number);
        freeze(&scratch);
        let expected = (number == 3).then(|| "render-frozen".to_owned());
        assert_eq!(render_fault(&scratch), expected, "session {number}");
    }
    let told = start(&scratch, &scratch.session(9), "startup").context().expect("the health line");
    assert!(
        told.contains("RED render: the same block in 3 sessions although the records in it changed  FIX: "),
        "{told}"
    );
    scratch.six(&["decision", "add", "Berth 4 is for tugs only"]).ok();
    good_session(&scratch, 4);
    assert_eq!(render_fault(&scratch), None);
}

#[test]
fn an_idle_project_one_of_which_only_transcripts_grow_and_one_that_goes_on_in_one_session_are_no_fault() {
    let scratch = installed();
    for title in ["A", "B", "C", "D", "E", "F"] {
        scratch.six(&["decision", "add", &format!("Pier {title} stays closed in winter")]).ok();
    }
    for number in 1..=4 {
        good_session(&scratch, number);
        assert_eq!(render_fault(&scratch), None, "session {number}");
    }
    let hashes = scratch.store_rows("SELECT DISTINCT hash, corpus FROM render");
    assert_eq!(hashes.len(), 1, "nothing was decided: {hashes:?}");

    scratch.six(&["decision", "add", "Pier G stays closed in winter"]).ok();
    let long = good_session(&scratch, 5);
    for source in ["resume", "compact", "resume", "fork", "compact"] {
        start(&scratch, &long, source);
    }
    freeze(&scratch);
    assert_eq!(
        render_fault(&scratch),
        Some("render-frozen".into()),
        "three whole blocks, and the newest is that of session 5"
    );
    store(&scratch).execute("DELETE FROM render WHERE session <> ?1", [&long.id]).expect("the store is ours");
    assert_eq!(render_fault(&scratch), None, "one session is one session");
}

#[test]
fn sessions_that_were_silenced_and_a_fresh_install_have_nothing_to_be_red_of() {
    let scratch = installed();
    assert_eq!(render_fault(&scratch), None);
    scratch.six(&["mute", "--for", "1h"]).ok();
    for number in 1..=3 {
        scratch.six(&["decision", "add", &format!("Berth {number} is for tugs only")]).ok();
        let session = scratch.session(number);
        assert_eq!(start(&scratch, &session, "startup").context(), None);
        let other = json!({"type": "hook_success", "command": "date", "stdout": "today", "content": "today"});
        answered(&scratch, &session, recorded(&[other]));
        assert_eq!(render_fault(&scratch), None, "session {number}");
    }
}

#[test]
fn a_block_over_its_budget_is_red_and_at_its_limit_green() {
    let scratch = installed();
    good_session(&scratch, 1);
    let with = |units: u32, over: &str| {
        store(&scratch)
            .execute("UPDATE render SET units = ?1, over = ?2", params![units, over])
            .expect("the store is ours");
        render_fault(&scratch)
    };
    assert_eq!(with(8_000, ""), None);
    assert_eq!(with(8_001, ""), Some("render-large".into()));
    assert_eq!(with(900, "corrections 905 of 900"), Some("render-large".into()));
}

#[test]
fn a_session_that_answered_without_its_block_is_red_and_the_next_with_it_green() {
    let scratch = installed();
    let session = scratch.session(1);
    start(&scratch, &session, "startup");
    answered(&scratch, &session, Vec::new());
    assert_eq!(render_fault(&scratch), None, "whether this client writes such things down is not known yet");

    good_session(&scratch, 2);
    assert_eq!(render_fault(&scratch), None);
    let swallowed = scratch.session(3);
    start(&scratch, &swallowed, "startup");
    assert_eq!(render_fault(&scratch), None, "nothing is known of a session that has just begun");
    answered(&scratch, &swallowed, Vec::new());
    assert_eq!(render_fault(&scratch), Some("render-undelivered".into()), "this version wrote it down in session 2");
    good_session(&scratch, 4);
    assert_eq!(render_fault(&scratch), None);
}

#[test]
fn what_other_hooks_said_or_an_error_of_ours_proves_that_the_block_is_missed() {
    for said in [
        json!({"type": "hook_success", "command": "date", "stdout": "today", "content": "today"}),
        json!({"type": "hook_non_blocking_error", "command": OUR_HOOK, "stderr": "no such file", "exitCode": 127}),
        json!({"type": "hook_cancelled", "command": OUR_HOOK, "timedOut": true, "timeoutMs": 1000}),
    ] {
        let scratch = installed();
        let session = scratch.session(1);
        start(&scratch, &session, "startup");
        answered(&scratch, &session, recorded(std::slice::from_ref(&said)));
        let health = scratch.six(&["health"]);
        assert_eq!(health.status, Some(1), "{said}");
        let red = format!("RED render: built, but not delivered to session {}", session.id);
        assert!(health.stdout.contains(&red), "{}", health.stdout);
    }
}

/// Puts a heartbeat on each of these days before today.
fn active_on(scratch: &Scratch, days: std::ops::RangeInclusive<i64>) {
    let store = store(scratch);
    for day in days {
        let sql = "INSERT INTO heartbeat (event_id, hook, event, via, pid, version, started_unix_ms, deadline_ms, synthetic, \
                   ended_unix_ms, outcome, applied) \
                   VALUES (?1, 'stop', 'Stop', 'settings', 1, '0', ?2, 1, 0, ?2, 'ok', 1)";
        store.execute(sql, params![format!("day {day}"), now_ms() - day * DAY_MS]).expect("a row");
    }
}

#[test]
fn what_the_project_derives_is_red_the_day_it_is_missing_and_stale_only_after_days_of_work() {
    for (key, most) in [("derived.project_state", 14), ("derived.code_graph", 21)] {
        let scratch = installed();
        let verbose = scratch.six(&["health", "--verbose"]);
        assert!(verbose.ok().stdout.contains("note derived: not wired"), "{}", verbose.stdout);
        assert!(!scratch.six(&["health"]).stdout.contains("not wired"), "what is optional is not told unasked");

        scratch.six(&["config", "set", key, "generated/now.json"]).ok();
        assert_eq!(fault(&scratch, "derived").as_deref(), Some("derived-missing"));
        scratch.write("generated/now.json", "");
        assert_eq!(fault(&scratch, "derived").as_deref(), Some("derived-empty"));
        scratch.write("generated/now.json", "{}");
        assert_eq!(fault(&scratch, "derived"), None);

        let file = fs::File::options().write(true).open(scratch.project().join("generated/now.json")).expect("a file");
        file.set_modified(SystemTime::now() - Duration::from_secs(90 * 24 * 60 * 60)).expect("a time can be set");
        assert_eq!(fault(&scratch, "derived"), None, "three months old, and nobody was here");
        // Today is one of them.
        active_on(&scratch, 1..=most - 1);
        assert_eq!(fault(&scratch, "derived"), None, "{key}: exactly at the limit");
        active_on(&scratch, most..=most);
        assert_eq!(fault(&scratch, "derived").as_deref(), Some("derived-stale"), "{key}");
        let told = scratch.six(&["health"]).stdout;
        assert!(told.contains(&format!("FIX: run what writes it, or `six config unset {key}`")), "{told}");

        scratch.write("generated/now.json", "{\"new\": 1}");
        assert_eq!(fault(&scratch, "derived"), None, "written anew");
        scratch.six(&["config", "unset", key]).ok();
        assert_eq!(fault(&scratch, "derived"), None);
    }
}

#[test]
fn a_gate_that_is_off_runs_no_check_says_so_everywhere_and_is_not_missed_afterwards() {
    const OFF: &str = "MEMORY-HEALTH: off (ablation)";
    let scratch = installed();
    good_session(&scratch, 1);
    scratch.six(&["config", "set", "derived.code_graph", "nowhere"]).ok();
    assert_eq!(scratch.six(&["health"]).status, Some(1));
    let count = || scratch.store_rows("SELECT count(*) AS n FROM health_observation")[0]["n"].as_i64();
    let judged = count();

    scratch.six(&["config", "set", "health.gate", "off"]).ok();
    for args in [["health"].as_slice(), &["health", "--verbose"], &["health", "--check", "derived"]] {
        let told = scratch.six(args);
        assert_eq!((told.status, told.stdout.trim()), (Some(0), OFF), "{args:?}");
    }
    let told = scratch.six(&["health", "--json"]);
    assert_eq!(told.ok().json(), json!({"schema": "six.health/1", "line": OFF, "green": 0, "total": 0, "checks": []}));
    let run = start(&scratch, &scratch.session(2), "startup");
    assert!(run.context().expect("the block").starts_with(&format!("<six-memory>\n{OFF}\n")), "{:?}", run.context());
    let printed = String::from_utf8_lossy(&run.stdout);
    assert!(printed.contains(&format!(r#""systemMessage":"six: {OFF}"#)), "{printed}");
    assert_eq!(count(), judged, "nothing was judged");

    scratch.six(&["config", "unset", "derived.code_graph"]).ok();
    scratch.six(&["config", "unset", "health.gate"]).ok();
    good_session(&scratch, 3);
    let on = scratch.six(&["health"]);
    assert!(on.ok().stdout.starts_with("MEMORY-HEALTH: 11/11 GREEN"), "{}", on.stdout);
}
