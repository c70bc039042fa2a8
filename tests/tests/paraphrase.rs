//! The same thing in other words: what was ruled out or built long ago is named although the prompt shares no word with it.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::net::TcpListener;

use serde_json::{Value, json};
use testkit::{Scratch, Session, payload};

const TRIED: &str = "Storing uploaded photos as blobs in the database";
const REASON: &str = "backups took nine hours and the vendor charged for every gigabyte";

/// What was tried, without a rare word of it.
const IN_OTHER_WORDS: &str = "Keep the images that users send us directly in a table column.";

const BUILT: [&str; 2] =
    ["Request throttle", "Limits how many calls each API client may make per minute, answers 429 beyond"];
const PLACE: &str = "src/edge/throttle.rs";

/// What was built, asked for again in three sessions.
const ASKED_AGAIN: [&str; 3] = [
    "Add rate limiting so one customer can't flood our endpoints.",
    "Build something that blocks scrapers which send too many HTTP requests.",
    "Implement a quota on how often a consumer may hit the public API.",
];

/// Work that has nothing to do with either.
const UNRELATED: [&str; 8] = [
    "Add a dark mode toggle to the settings page.",
    "Rename the column in the arrivals report and sort it by date.",
    "Write a unit test for the tide interpolation at midnight.",
    "Build a CSV importer for the crew list with German number formats.",
    "Replace the spinner on the login screen by a skeleton.",
    "Create a script that rotates the log files of the staging machine every night.",
    "Should the berth map be drawn with SVG or canvas?",
    "Fix the typo in the footer and move the imprint link to the left.",
];

fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    scratch
}

fn say(scratch: &Scratch, session: &mut Session, prompt: &str) -> Option<String> {
    scratch.answer("user-prompt-submit", &payload::user_prompt(session, prompt)).context()
}

/// The newest receipt: what was missing, and what was looked at.
fn receipt(scratch: &Scratch) -> Value {
    scratch.six(&["status"]).ok();
    let rows = scratch.store_rows("SELECT receipt_json FROM receipt ORDER BY at_unix_ms DESC, id DESC LIMIT 1");
    serde_json::from_str(rows[0]["receipt_json"].as_str().expect("a receipt")).expect("a receipt is JSON")
}

fn configure(scratch: &Scratch, settings: &Value) {
    fs::create_dir_all(scratch.six_home()).expect("a folder can be made");
    fs::write(scratch.six_home().join("config.json"), settings.to_string()).expect("a file can be written");
}

#[test]
fn what_was_ruled_out_is_named_with_its_reason_when_it_is_proposed_in_other_words() {
    let scratch = installed();
    scratch.six(&["dead-end", "add", TRIED, "--why", REASON]).ok();
    let told =
        say(&scratch, &mut scratch.session(1), IN_OTHER_WORDS).unwrap_or_else(|| panic!("{}", receipt(&scratch)));
    assert!(told.contains(TRIED) && told.contains(REASON), "{told}");
    let today = scratch.store_rows("SELECT date(created_unix_ms / 1000, 'unixepoch') AS today FROM record");
    assert!(told.contains(today[0]["today"].as_str().expect("a date")), "{told}");
    let receipt = receipt(&scratch);
    let found = &receipt["candidates"][0];
    assert!(found["cosine"].as_f64() >= receipt["limits"]["min_cosine"].as_f64(), "{receipt}");
    assert_eq!((&found["verdict"], &receipt["compared"]), (&json!("passed"), &json!(1)));
    for unrelated in UNRELATED {
        assert_eq!(say(&scratch, &mut scratch.session(1), unrelated), None, "{unrelated}");
    }
}

#[test]
fn what_nobody_has_confirmed_or_somebody_has_rejected_is_named_in_no_words() {
    let scratch = installed();
    scratch.six_as_agent(&["dead-end", "add", TRIED, "--why", REASON]).ok();
    assert_eq!(say(&scratch, &mut scratch.session(1), IN_OTHER_WORDS), None);
    let id = scratch.store_rows("SELECT id FROM record")[0]["id"].as_str().expect("an id").to_owned();
    scratch.six(&["dead-end", "reject", &id]).ok();
    assert_eq!(say(&scratch, &mut scratch.session(2), IN_OTHER_WORDS), None);
}

#[test]
fn what_somebody_confirms_is_found_in_other_words_from_then_on() {
    let scratch = installed();
    scratch.six_as_agent(&["dead-end", "add", TRIED, "--why", REASON]).ok();
    let id = scratch.store_rows("SELECT id FROM record")[0]["id"].as_str().expect("an id").to_owned();
    scratch.six(&["dead-end", "confirm", &id]).ok();
    assert!(say(&scratch, &mut scratch.session(1), IN_OTHER_WORDS).is_some_and(|told| told.contains(REASON)));
}

#[test]
fn a_dormant_subsystem_is_named_with_its_path_whoever_asks_for_it_in_other_words() {
    let scratch = installed();
    let [name, purpose] = BUILT;
    scratch.six(&["subsystem", "add", name, "--purpose", purpose, "--path", PLACE, "--state", "dormant"]).ok();
    scratch.six(&["dead-end", "add", TRIED, "--why", REASON]).ok();
    for (number, prompt) in (1..).zip(ASKED_AGAIN) {
        let told = say(&scratch, &mut scratch.session(number), prompt);
        let told = told.unwrap_or_else(|| panic!("{prompt}: {}", receipt(&scratch)));
        assert!(told.contains(name) && told.contains(PLACE) && told.contains("dormant"), "{prompt}: {told}");
        assert!(!told.contains(TRIED), "{prompt}: {told}");
    }
    for (number, prompt) in (9..).zip(UNRELATED) {
        assert_eq!(say(&scratch, &mut scratch.session(number), prompt), None, "{prompt}");
    }
}

#[test]
fn a_prompt_that_shares_words_by_chance_and_means_something_else_is_left_alone() {
    let scratch = installed();
    let [name, purpose] = BUILT;
    scratch.six(&["subsystem", "add", name, "--purpose", purpose, "--path", PLACE]).ok();
    let by_chance = "Add the throttle lever and the minute hand of the station clock to the drawing of the old locomotive in the brochure.";
    assert_eq!(say(&scratch, &mut scratch.session(1), by_chance), None);
    assert_eq!(receipt(&scratch)["candidates"][0]["verdict"], "other-meaning");
}

#[test]
fn a_language_that_the_model_does_not_read_is_matched_by_its_words_alone() {
    let scratch = installed();
    scratch
        .six(&[
            "dead-end",
            "add",
            "Fotos als Blobs in der Datenbank ablegen",
            "--why",
            "die Sicherung dauerte neun Stunden",
        ])
        .ok();
    let mut session = scratch.session(1);
    assert_eq!(say(&scratch, &mut session, "Baue bitte eine neue Anzeige für die Liegeplätze der Gäste ein."), None);
    assert_eq!(receipt(&scratch)["degraded"][1], "meaning:not-english");
    let told = say(&scratch, &mut session, "Baue bitte ein, dass Fotos als Blobs in die Datenbank kommen.");
    assert!(told.is_some_and(|told| told.contains("neun Stunden")));
}

#[test]
fn a_server_is_asked_only_where_the_project_gives_it_time_and_its_failure_costs_nothing_else() {
    let scratch = installed();
    scratch.six(&["dead-end", "add", TRIED, "--why", REASON]).ok();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port can be had");
    let address = format!("http://{}", listener.local_addr().expect("a port that is bound has an address"));
    drop(listener);
    let server = json!({"embed.provider": "ollama", "embed.ollama.endpoint": address});
    let mut session = scratch.session(1);
    for (deadline, why) in [(0, "meaning:server"), (400, "meaning:failed")] {
        let mut settings = server.clone();
        settings["embed.deadline_ms"] = json!(deadline);
        configure(&scratch, &settings);
        let told = say(&scratch, &mut session, "Add a page for photos that are stored as blobs in the database.");
        assert!(told.is_some_and(|told| told.contains(REASON)), "{deadline}");
        let degraded = receipt(&scratch)["degraded"].clone();
        assert!(degraded.as_array().is_some_and(|all| all.contains(&json!(why))), "{degraded}");
    }
}
