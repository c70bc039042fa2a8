//! Rows of telemetry that are old become counts: nothing that is asked of them changes.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use rusqlite::Connection;
use testkit::{Scratch, payload};

/// Rows of a hook, as `six status` counts them.
fn rows(scratch: &Scratch) -> u64 {
    let status = scratch.six(&["status", "--json"]).ok().json();
    status["hooks"]["user-prompt-submit"]["rows"].as_u64().expect("rows are counted")
}

#[test]
fn the_worker_counts_what_is_older_than_half_a_year_and_nobody_notices() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    let mut session = scratch.session(1);
    scratch.answer("session-start", &payload::session_start(&session, "startup"));
    scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, "Build a pier on oak piles."));
    scratch.answer("session-end", &payload::session_end(&session, "other"));
    scratch.work();
    let store = Connection::open(scratch.store_folder().join("memory.db")).expect("the store opens");
    store
        .execute_batch(
            "WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n LIMIT 1200) \
             INSERT INTO heartbeat (event_id, hook, event, via, pid, version, started_unix_ms, deadline_ms, synthetic, \
                 ended_unix_ms, outcome, class, text, rows_written) \
             SELECT 'old' || n, 'user-prompt-submit', '', '', 1, '', at, 500, 0, at + 4, 'ok', '', '', 1 \
             FROM (SELECT n, (unixepoch() - (200 + n % 3) * 86400) * 1000 AS at FROM n); \
             DELETE FROM meta WHERE key = 'rolled_up_unix_ms';",
        )
        .expect("rows can be added");
    let (counted, health) = (rows(&scratch), scratch.six(&["health"]).status);
    scratch.work();
    let count = |sql: &str| -> i64 { store.query_row(sql, [], |row| row.get(0)).expect("it can be counted") };
    let kept = count("SELECT count(*) FROM heartbeat WHERE event_id LIKE 'old%'");
    assert!(kept <= 4, "the last of each day stays, and the newest: {kept}");
    let gone = count("SELECT sum(count) FROM telemetry_day WHERE measure = 'invocation'");
    assert_eq!(kept + gone, 1_200);
    assert_eq!((rows(&scratch), scratch.six(&["health"]).status), (counted, health));
}
