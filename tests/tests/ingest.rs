//! What is read, however odd the files: large, cut, padded, late, in another encoding.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::{Ran, Scratch, Session, payload};

fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    scratch
}

/// How many are found by their words. Something is near in meaning to everything.
fn hits(scratch: &Scratch, query: &str) -> usize {
    let ran = scratch.six(&["search", query, "--json", "--limit", "100"]);
    assert!(matches!(ran.status, Some(0 | 1)), "{query:?}: {:?} {}", ran.status, ran.stderr);
    let found = ran.json();
    let by_words = |hit: &&Value| hit["parts"]["lexical"].as_f64().is_some_and(|part| part > 0.0);
    found["hits"].as_array().into_iter().flatten().filter(by_words).count()
}

fn ingest(scratch: &Scratch) -> Value {
    scratch.six(&["ingest", "--json"]).ok().json()
}

/// How often entries with this text are in the store.
fn stored(scratch: &Scratch, text: &str) -> usize {
    let like = text.replace('\'', "''");
    scratch.store_rows(&format!("SELECT 1 FROM entry WHERE text LIKE '%{like}%'")).len()
}

fn append(file: &Path, bytes: &[u8]) {
    let mut file = OpenOptions::new().append(true).create(true).open(file).expect("a scratch file opens");
    file.write_all(bytes).expect("a scratch file can be written");
}

/// A prompt's line as the host writes it.
fn line(session: &Session, number: usize, text: &str) -> String {
    json!({
        "parentUuid": null, "isSidechain": false, "userType": "external", "cwd": session.cwd,
        "sessionId": session.id, "version": "2.1.332", "type": "user",
        "message": { "role": "user", "content": text },
        "uuid": format!("ab000000-0000-4000-8000-{number:012x}"), "timestamp": "2026-01-05T09:00:00.000Z",
    })
    .to_string()
}

/// An empty session file in its place.
fn session_file(session: &Session) -> PathBuf {
    fs::create_dir_all(session.transcript.parent().expect("a file has a folder")).expect("a folder can be made");
    session.transcript.clone()
}

fn end(scratch: &Scratch, session: &Session) {
    let _ = scratch.answer("session-end", &payload::session_end(session, "other"));
}

#[test]
fn of_a_file_that_grew_only_the_new_end_is_read() {
    let scratch = installed();
    let session = scratch.session(1);
    let file = session_file(&session);
    let mut text = String::new();
    for n in 0..12_000 {
        text.push_str(&line(&session, n, &format!("Count the ships of berth {n}, please.")));
        text.push('\n');
    }
    fs::write(&file, &text).expect("a scratch file can be written");
    let first = scratch.six(&["ingest", "--json"]).ok().json();
    assert!(first["bytes"].as_u64() >= Some(text.len() as u64), "{first}");
    assert_eq!(stored(&scratch, "Count the ships"), 12_000);
    let more: String = (0..3).map(|n| line(&session, 20_000 + n, "Where is the zebrawood pier?") + "\n").collect();
    append(&file, more.as_bytes());
    let second = ingest(&scratch);
    assert!(second["bytes"].as_u64() <= Some(more.len() as u64 + 64 * 1024), "the whole file was read again: {second}");
    assert_eq!(stored(&scratch, "zebrawood"), 3);
    assert_eq!(stored(&scratch, "Count the ships"), 12_000);
    let third = ingest(&scratch);
    assert_eq!(third["entries"], 0, "{third}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_line_of_a_picture_costs_no_memory_and_hides_nothing() {
    let scratch = installed();
    let session = scratch.session(1);
    let file = session_file(&session);
    for n in 1..=10 {
        let text = if n == 5 {
            let image = json!({ "type": "image", "source": { "type": "base64", "data": "A".repeat(30_000_000) } });
            let result = json!([{ "type": "tool_result", "tool_use_id": "t", "content": [image] }]);
            line(&session, n, "").replace("\"content\":\"\"", &format!("\"content\":{result}"))
        } else {
            line(&session, n, &format!("Count the ships of berth {n}."))
        };
        append(&file, format!("{text}\n").as_bytes());
    }
    let six = scratch.six_command(&["ingest"]);
    let mut bounded = scratch.command("sh");
    bounded.env("SIX", six.get_program()).args(["-c", "ulimit -v 400000 && exec \"$SIX\" ingest"]);
    scratch.run(bounded).ok();
    assert_eq!(stored(&scratch, "Count the ships"), 9);
    assert_eq!(stored(&scratch, "AAAAAAAA"), 0);
    let size = fs::metadata(scratch.store_folder().join("memory.db")).expect("it is there").len();
    assert!(size < 4_000_000, "{size} bytes");
}

#[test]
fn a_cut_line_is_left_out_in_the_middle_and_waited_for_at_the_end() {
    let scratch = installed();
    let session = scratch.session(1);
    let file = session_file(&session);
    let cut = line(&session, 2, "This one was cut by a crash.");
    let late = line(&session, 4, "This one comes in two parts: ünïcödé 🚢.");
    let at = late.find('🚢').expect("it is there") + 2;
    append(&file, format!("{}\n", line(&session, 1, "The first prompt.")).as_bytes());
    append(&file, format!("{}\n", &cut[..cut.len() / 2]).as_bytes());
    append(&file, format!("{}\n", line(&session, 3, "The third prompt.")).as_bytes());
    append(&file, &late.as_bytes()[..at]);
    end(&scratch, &session);
    ingest(&scratch);
    let texts = ["The first prompt", "cut by a crash", "The third prompt", "in two parts"];
    assert_eq!(texts.map(|text| stored(&scratch, text)), [1, 0, 1, 0]);
    append(&file, &late.as_bytes()[at..]);
    ingest(&scratch);
    append(&file, format!("\n{}\n", line(&session, 5, "The fifth prompt.")).as_bytes());
    end(&scratch, &session);
    ingest(&scratch);
    assert_eq!(texts.map(|text| stored(&scratch, text)), [1, 0, 1, 1]);
    assert_eq!(stored(&scratch, "The fifth prompt"), 1);
}

#[test]
fn zero_bytes_are_never_stored_and_hide_nothing() {
    let scratch = installed();
    let session = scratch.session(1);
    let file = session_file(&session);
    append(&file, &[vec![0; 600], b"\n".to_vec()].concat());
    append(&file, format!("{}\n", line(&session, 1, "The first prompt.")).as_bytes());
    append(&file, line(&session, 2, "The padded prompt.").as_bytes());
    append(&file, &[vec![0; 9_000], b"\n".to_vec()].concat());
    append(&file, format!("{}\n", line(&session, 3, "The zebra\u{0}wood prompt.")).as_bytes());
    append(&file, &[vec![0; 143_000], b"\n".to_vec()].concat());
    append(&file, format!("{}\n", line(&session, 4, "The last prompt.")).as_bytes());
    ingest(&scratch);
    for text in ["first prompt", "padded prompt", "last prompt"] {
        assert_eq!(stored(&scratch, text), 1, "{text}");
        assert!(hits(&scratch, text) > 0, "{text}");
    }
    assert_eq!(scratch.store_rows("SELECT 1 FROM entry WHERE instr(text, char(0)) > 0").len(), 0);
    let mut prompts = scratch.session(2);
    let _ = scratch.answer("user-prompt-submit", &payload::user_prompt(&mut prompts, "Build \u{0} a lamp\u{0}."));
    assert_eq!(scratch.last_heartbeat().outcome.as_deref(), Some("ok"));
    assert_eq!(scratch.store_rows("SELECT 1 FROM receipt WHERE receipt_json LIKE '%\\u0000%'").len(), 0);
}

#[test]
fn lines_of_any_shape_are_read_or_skipped_and_counted() {
    let scratch = installed();
    let session = scratch.session(1);
    let file = session_file(&session);
    let with = |own: Value| {
        let mut record: Value = serde_json::from_str(&line(&session, 900, "")).expect("it is JSON");
        for (name, value) in own.as_object().expect("an object") {
            record[name] = value.clone();
        }
        record.to_string()
    };
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let shapes = [
        String::from("42"),
        String::from("\"x\""),
        String::from("[]"),
        String::from("{}"),
        String::from("null"),
        String::new(),
        String::from("   "),
        String::from("}{"),
        deep.clone(),
        format!("{{\"type\":\"user\",\"message\":{deep}}}"),
        with(json!({ "message": null })),
        with(json!({ "message": 7 })),
        with(json!({ "message": { "content": 7 } })),
        with(json!({ "message": { "role": "user", "content": [1, null, "loose words", { "type": "moon" }] } })),
        with(json!({ "type": "atis-latch" })),
        with(json!({ "type": "bridge-session" })),
        with(json!({ "type": 5 })),
        with(json!({ "type": "file-history-delta", "message": { "content": "x" } })),
        with(json!({ "uuid": 5 })),
        with(json!({ "uuid": null, "timestamp": "yesterday" })),
        with(json!({ "timestamp": 1e300 })),
        with(json!({ "parentUuid": "ab000000-0000-4000-8000-000000000384" })),
        with(json!({ "cwd": [1] })),
        with(json!({ "sessionId": { "a": 1 } })),
        with(json!({ "isSidechain": "maybe" })),
    ];
    for (number, shape) in shapes.iter().enumerate() {
        append(&file, format!("{shape}\n{}\n", line(&session, number, "Count the ships.")).as_bytes());
    }
    append(&file, b"\xff\xfe\xfd not UTF-8\n\r\n\xef\xbb\xbf");
    append(&file, format!("{}\r\n", line(&session, 500, "After the mark.")).as_bytes());
    let report = ingest(&scratch);
    assert_eq!(report["failures"], json!([]), "{report:#}");
    assert_eq!(stored(&scratch, "Count the ships"), shapes.len());
    assert_eq!(stored(&scratch, "After the mark"), 1);
    let status = scratch.six(&["status", "--json"]).ok().json();
    let sources = status["sources"].as_array().expect("sources");
    let transcript = sources.iter().find(|source| source["source"] == "transcript").expect("a line for transcripts");
    assert!(transcript["skipped"].as_object().is_some_and(|skipped| !skipped.is_empty()), "{transcript:#}");
}

#[test]
fn documents_that_are_not_utf8_are_read_as_far_as_possible_or_named() {
    let scratch = installed();
    fs::create_dir_all(scratch.project().join("docs")).expect("a folder can be made");
    let put = |name: &str, bytes: &[u8]| {
        fs::write(scratch.project().join("docs").join(name), bytes).expect("a scratch file can be written");
    };
    let mut noise = 7_u32;
    let random: Vec<u8> = (0..1 << 20)
        .map(|_| {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            noise.to_be_bytes()[0]
        })
        .collect();
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    put("good.md", "# Pier\n\nThe zebrawood pier is green.\n".as_bytes());
    put("latin1.md", b"# Quay\n\nThe mahogany m\xfcnster stands.\n");
    put("utf16.md", &[vec![0xff, 0xfe], utf16("# Lamp\n\nThe teakwood lamp shines.\n")].concat());
    put("bin.md", &random);
    put("cut.md", &"# Cut\n\nThe rosewood hull: 港".as_bytes()[..28]);
    put("empty.md", b"");
    put("long.md", format!("# Long\n\n{}\n", "ebonywood".repeat(200_000)).as_bytes());
    put("cr.md", b"# Old\r\rThe cedarwood mast.\r");
    put("front.md", b"---\ntitle: [broken\n\n# Front\n\nThe ashwood oar.\n");
    scratch.commit("docs: in every encoding");
    let report = ingest(&scratch);
    for word in ["zebrawood", "mahogany", "rosewood", "cedarwood", "ashwood", "teakwood"] {
        assert!(hits(&scratch, word) > 0, "{word}: {report:#}");
    }
    let status = scratch.six(&["status", "--json"]).ok().json();
    let sources = status["sources"].as_array().expect("sources");
    let docs = sources.iter().find(|source| source["source"] == "doc").expect("a line for documents");
    let named = docs["skipped"].as_object().is_some_and(|skipped| !skipped.is_empty())
        || report["failures"].as_array().is_some_and(|failures| !failures.is_empty());
    assert!(named, "a file of noise is not silently left out: {docs:#} {report:#}");
    scratch.six(&["health"]).ok();
}

#[test]
fn a_transcript_that_comes_late_is_taken_once() {
    let scratch = installed();
    let session = scratch.session(1);
    end(&scratch, &session);
    let file = session_file(&session);
    fs::write(&file, "").expect("a scratch file can be written");
    end(&scratch, &session);
    ingest(&scratch);
    let mut transcript = scratch.transcript(&session).prompt("Where is the zebrawood pier?");
    transcript.write();
    end(&scratch, &session);
    let mut transcript = transcript
        .answer("Behind the mahogany mole.")
        .conversation(json!({ "type": "system", "subtype": "turn_duration", "durationMs": 5 }))
        .conversation(json!({ "type": "attachment", "attachment": { "type": "todo" } }));
    transcript.write();
    end(&scratch, &session);
    end(&scratch, &session);
    ingest(&scratch);
    assert_eq!(["zebrawood pier", "mahogany mole"].map(|text| stored(&scratch, text)), [1, 1]);
    assert!(scratch.heartbeats().iter().all(|beat| beat.outcome.as_deref() == Some("ok")));
}

#[test]
fn a_place_that_is_no_transcript_is_no_error_of_the_hook() {
    let scratch = installed();
    let mut session = scratch.session(1);
    let real = session.transcript.clone();
    scratch.transcript(&session).prompt("Where is the zebrawood pier?").write();
    for odd in [scratch.folder("odd"), PathBuf::from("/nonexistent/a.jsonl"), PathBuf::from("/dev/null")] {
        session.transcript = odd;
        end(&scratch, &session);
    }
    session.transcript = real;
    ingest(&scratch);
    assert_eq!(stored(&scratch, "zebrawood"), 1);
    wait_for_worker(&scratch);
    assert!(scratch.heartbeats().iter().all(|beat| beat.outcome.as_deref() == Some("ok")));
}

#[test]
fn a_transcript_rewritten_shorter_loses_nothing_that_was_read() {
    let scratch = installed();
    let session = scratch.session(1);
    let file = session_file(&session);
    let text: String = (0..50).map(|n| line(&session, n, &format!("The zebrawood pier {n}.")) + "\n").collect();
    fs::write(&file, &text).expect("a scratch file can be written");
    ingest(&scratch);
    let shorter = line(&session, 77, "The mahogany mole.") + "\n";
    fs::write(&file, &shorter).expect("a scratch file can be written");
    ingest(&scratch);
    append(&file, (line(&session, 78, "The teakwood lamp.") + "\n").as_bytes());
    ingest(&scratch);
    assert_eq!(["zebrawood", "mahogany", "teakwood"].map(|text| stored(&scratch, text)), [50, 1, 1]);
    fs::remove_file(&file).expect("a file can be removed");
    ingest(&scratch);
    assert_eq!(["zebrawood", "mahogany", "teakwood"].map(|text| stored(&scratch, text)), [50, 1, 1]);
}

/// Waits until the worker that a hook left behind has done its work.
fn wait_for_worker(scratch: &Scratch) {
    let limit = Instant::now() + Duration::from_secs(30);
    let open = || scratch.store_rows("SELECT 1 FROM work WHERE done_unix_ms IS NULL").len();
    while open() > 0 {
        assert!(Instant::now() < limit, "the worker has not done its work");
        std::thread::yield_now();
    }
}

#[test]
fn a_session_end_leaves_the_session_to_be_found_without_any_command() {
    let scratch = installed();
    let session = scratch.session(1);
    scratch.transcript(&session).prompt("Where is the zebrawood pier?").answer("Behind the mole.").write();
    end(&scratch, &session);
    wait_for_worker(&scratch);
    assert_eq!(hits(&scratch, "zebrawood pier"), 1);
    let sessions = scratch.six(&["status", "--json"]).ok().json()["sessions"].clone();
    assert_eq!(sessions, 1);
}

#[cfg(unix)]
#[test]
fn an_end_that_is_killed_is_completed_by_the_next_start() {
    let scratch = installed();
    let session = scratch.session(1);
    let file = session_file(&session);
    let text: String = (0..20_000).map(|n| line(&session, n, &format!("The zebrawood pier {n}.")) + "\n").collect();
    fs::write(&file, &text).expect("a scratch file can be written");
    let hook = scratch.hook_command("session-end");
    let mut command = scratch.command("sh");
    let stdin = payload::session_end(&session, "other").to_string();
    command
        .env("HOOK", hook.get_program())
        .env("CLAUDE_PROJECT_DIR", scratch.project())
        .args(["-c", "exec timeout -s KILL 0.3 \"$HOOK\" --via settings"]);
    scratch.hook_bytes(command, stdin.as_bytes());
    let next = scratch.session(2);
    scratch.answer("session-start", &payload::session_start(&next, "startup"));
    let ran: Ran = scratch.six(&["ingest"]);
    ran.ok();
    assert_eq!(stored(&scratch, "zebrawood"), 20_000);
    let twice = scratch.store_rows("SELECT key FROM entry GROUP BY source, key HAVING count(*) > 1");
    assert_eq!(twice.len(), 0);
}

#[test]
fn sessions_that_end_at_once_while_all_is_read_lose_nothing() {
    let scratch = installed();
    let sessions: Vec<Session> = (1..=8).map(|number| scratch.session(number)).collect();
    for session in &sessions {
        let mut transcript = scratch.transcript(session);
        for n in 0..20 {
            transcript = transcript.prompt(&format!("Berth {n} of {}?", session.id)).answer("It is free.");
        }
        transcript.write();
    }
    std::thread::scope(|scope| {
        scope.spawn(|| ingest(&scratch));
        for session in &sessions {
            scope.spawn(|| end(&scratch, session));
        }
        let mut asking = scratch.session(99);
        let _ = scratch.answer("user-prompt-submit", &payload::user_prompt(&mut asking, "Build a lamp."));
    });
    ingest(&scratch);
    assert_eq!(stored(&scratch, "Berth "), 8 * 20);
    let beats = scratch.heartbeats();
    assert_eq!(beats.iter().filter(|beat| beat.hook == "session-end").count(), 8);
    // The prompt has the least time of all, and may have used it up.
    let is_well = |outcome: &str, hook: &str| outcome == "ok" || outcome == "timed-out" && hook == "user-prompt-submit";
    assert!(beats.iter().all(|beat| is_well(beat.outcome.as_deref().unwrap_or_default(), &beat.hook)), "{beats:#?}");
    let _ = scratch.answer("user-prompt-submit", &payload::user_prompt(&mut scratch.session(100), "Hello."));
    scratch.six(&["health"]).ok();
}
