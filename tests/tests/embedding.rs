//! What is found by its meaning, and what happens when nothing can be embedded.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::net::TcpListener;

use memchr::memmem;
use rusqlite::Connection;
use serde_json::{Value, json};
use testkit::{Scratch, binaries, payload, repository};

/// Nothing in it has a stem of [`QUESTION`].
const ANSWER: &str = "Customer passwords are hashed with bcrypt and a salt before they reach the database.";

/// A paraphrase of what [`ANSWER`] is about.
const QUESTION: &str = "protecting login credentials";

/// Documents about other things, some with words of the question.
const OTHERS: [&str; 12] = [
    "Invoices are rendered as PDF in the billing worker every night.",
    "The harbour map is drawn with tiles of two hundred and fifty-six pixels.",
    "Queue consumers retry with jitter and give up after five attempts.",
    "Translations live in one file for each language and are sorted by key.",
    "The mobile build is signed on the release machine by hand.",
    "Ships are counted by their transponder, and a missing one by radar.",
    "Log lines are JSON and go to standard error.",
    "Dates are stored in UTC and shown in the zone of the port.",
    "The nightly backup is copied to another region and checked on Mondays.",
    "Feature flags are read once at start and never while a request runs.",
    "Weather data is fetched from the met office every ten minutes.",
    "Protecting the pier from waves is the task of the outer wall.",
];

/// A question of twelve words, of which one is in the readme of the project.
const TWELVE_WORDS: &str = "could somebody please tell me where exactly those ships might be tonight";

/// A project with the answer among other documents, installed.
fn installed() -> Scratch {
    let scratch = Scratch::new();
    for (number, text) in OTHERS.iter().enumerate() {
        scratch.write(&format!("docs/other-{number}.md"), &format!("{text}\n"));
    }
    scratch.write("docs/answer.md", &format!("{ANSWER}\n"));
    scratch.commit("docs: what we know");
    scratch.six(&["install", "--no-templates"]).ok();
    scratch
}

fn search(scratch: &Scratch, query: &str) -> Value {
    let ran = scratch.six(&["search", query, "--json"]);
    assert!(matches!(ran.status, Some(0 | 1)), "{ran:?}");
    ran.json()
}

fn paths(found: &Value) -> Vec<&str> {
    found["hits"].as_array().expect("hits").iter().filter_map(|hit| hit["path"].as_str()).collect()
}

/// What the search says about the way it was made.
fn degraded(found: &Value) -> String {
    let said = found["degraded"].as_array().expect("a list").iter();
    said.map(|degraded| degraded["text"].as_str().expect("a sentence")).collect::<Vec<_>>().join("; ")
}

fn coverage(scratch: &Scratch) -> (u64, u64) {
    let coverage = scratch.six(&["embed", "--json"]).json()["coverage"].clone();
    (coverage["embedded"].as_u64().expect("a count"), coverage["eligible"].as_u64().expect("a count"))
}

fn store(scratch: &Scratch) -> Connection {
    Connection::open(scratch.store_folder().join("memory.db")).expect("the store opens")
}

/// What the check `vectors` says: nothing when it is green.
fn red(scratch: &Scratch) -> Option<String> {
    let health = scratch.six(&["health", "--check", "vectors", "--json"]);
    let check = health.json()["checks"][0].clone();
    assert_eq!(check["check"], "vectors");
    let is_red = check["verdict"] == "red";
    assert_eq!(health.status, Some(i32::from(is_red)), "{health:?}");
    is_red.then(|| format!("{}: {}", check["fault"].as_str().unwrap_or_default(), check["detail"]))
}

/// An address of this machine that refuses connections.
fn refusing() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port can be had");
    format!("http://{}", listener.local_addr().expect("a port that is bound has an address"))
}

/// Configures all projects of the machine.
fn configure(scratch: &Scratch, settings: &Value) {
    fs::create_dir_all(scratch.six_home()).expect("a folder can be made");
    fs::write(scratch.six_home().join("config.json"), settings.to_string()).expect("a file can be written");
}

#[test]
fn what_shares_no_word_with_the_question_is_found_by_its_meaning() {
    let scratch = installed();
    let found = search(&scratch, QUESTION);
    let hit = found["hits"].as_array().expect("hits").iter().find(|hit| hit["path"] == "docs/answer.md");
    let hit = hit.unwrap_or_else(|| panic!("{:?}", paths(&found)));
    assert_eq!(hit["parts"]["lexical"], 0.0);
    assert!(hit["parts"]["vector"].as_f64().is_some_and(|part| part > 0.0), "{hit}");
    assert_eq!(degraded(&found), "");
    let rank = paths(&found).iter().position(|path| *path == "docs/answer.md").expect("it is there");
    assert!(rank < 3, "{:?}", paths(&found));
}

#[test]
fn vectors_that_are_gone_are_told_and_made_again() {
    let scratch = installed();
    assert_eq!(red(&scratch), None);
    store(&scratch).execute("DELETE FROM vector", []).expect("the store is ours");
    let told = red(&scratch).expect("a store without its vectors is red");
    assert!(told.starts_with("vectors-lost"), "{told}");
    let lost = search(&scratch, QUESTION);
    assert!(!paths(&lost).contains(&"docs/answer.md"), "{:?}", paths(&lost));
    let (_, eligible) = coverage(&scratch);
    assert!(degraded(&lost).contains(&format!("0 of {eligible}")), "{}", degraded(&lost));
    scratch.six(&["embed", "--backfill"]).ok();
    assert_eq!(red(&scratch), None);
    assert!(paths(&search(&scratch, QUESTION)).contains(&"docs/answer.md"));
}

#[test]
fn vectors_that_say_something_else_than_their_texts_are_told_and_made_again() {
    let scratch = installed();
    let next = "SELECT o.value_i8 FROM vector o WHERE o.body_id > vector.body_id ORDER BY o.body_id LIMIT 1";
    let mixed_up = format!("UPDATE vector SET value_i8 = coalesce(({next}), zeroblob(length(value_i8)))");
    store(&scratch).execute(&mixed_up, []).expect("the store is ours");
    let told = red(&scratch).expect("vectors of other texts are red");
    assert!(told.starts_with("vectors-unfound"), "{told}");
    scratch.six(&["embed", "--backfill"]).ok();
    assert_eq!(red(&scratch), None);
}

#[test]
fn without_a_provider_words_are_found_and_it_is_said_why_nothing_more() {
    let scratch = Scratch::new();
    let address = refusing();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    configure(&scratch, &json!({"embed.provider": "ollama", "embed.ollama.endpoint": address}));
    let ingested = scratch.six(&["ingest", "--json"]).ok().json();
    assert_eq!(ingested["vectors"]["ended"], "failing");
    let place = address.trim_start_matches("http://");
    assert!(ingested["vectors"]["error"].as_str().is_some_and(|why| why.contains(place)), "{ingested}");

    let found = search(&scratch, TWELVE_WORDS);
    assert!(paths(&found).contains(&"README.md"), "{found}");
    assert!(degraded(&found).contains(place), "{}", degraded(&found));
    let (embedded, eligible) = coverage(&scratch);
    assert!(embedded == 0 && eligible >= 2, "{embedded} of {eligible}");
    let told = red(&scratch).expect("nothing can be embedded");
    assert!(told.starts_with("blocked"), "{told}");
    let start = scratch.answer("session-start", &payload::session_start(&scratch.session(1), "startup"));
    let told = start.context().expect("the health line");
    assert!(told.contains("RED embedding: ") && told.contains(place) && told.contains("(blocks vectors)"), "{told}");
    let backfill = scratch.six(&["embed", "--backfill"]);
    assert_eq!(backfill.status, Some(2), "{backfill:?}");
    assert!(backfill.stderr.contains(place) && backfill.stderr.contains("next: "), "{}", backfill.stderr);

    configure(&scratch, &json!({}));
    scratch.six(&["embed", "--backfill"]).ok();
    assert_eq!(coverage(&scratch), (eligible, eligible));
    assert_eq!(red(&scratch), None);
    assert_eq!(degraded(&search(&scratch, TWELVE_WORDS)), "");
}

#[test]
fn vectors_of_another_model_are_not_compared_and_are_made_again() {
    let scratch = installed();
    let (embedded, eligible) = coverage(&scratch);
    assert_eq!(embedded, eligible);
    store(&scratch).execute("UPDATE model SET name = 'elsewhere', width = 512", []).expect("the store is ours");
    let found = search(&scratch, TWELVE_WORDS);
    assert!(paths(&found).contains(&"README.md"), "{found}");
    assert!(degraded(&found).contains(&format!("0 of {eligible}")), "{}", degraded(&found));
    assert_eq!(red(&scratch), None, "they follow: a note");
    assert_eq!(coverage(&scratch), (0, eligible));
    assert_eq!(scratch.six(&["embed", "--json"]).ok().json()["coverage"]["other_model"], eligible);
    scratch.six(&["ingest"]).ok();
    assert_eq!(coverage(&scratch), (eligible, eligible));
    assert_eq!(degraded(&search(&scratch, QUESTION)), "");
}

#[test]
fn stores_of_none_one_and_two_items_are_well() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    for items in 0..3 {
        assert_eq!(red(&scratch), None, "{items}");
        let found = search(&scratch, TWELVE_WORDS);
        assert_eq!(degraded(&found), "", "{items}");
        let title = format!("Ships of kind {items} are counted at night");
        scratch.six(&["decision", "add", &title]).ok();
        assert_eq!(red(&scratch), None, "{items} and one more");
        assert_eq!(coverage(&scratch), (items + 1, items + 1));
        assert_eq!(paths(&search(&scratch, TWELVE_WORDS)).len() as u64, 0, "records have no path");
        assert!(!search(&scratch, TWELVE_WORDS)["hits"].as_array().expect("hits").is_empty());
    }
}

#[test]
fn a_text_is_found_by_its_words_before_it_has_a_vector() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    configure(&scratch, &json!({"embed.provider": "ollama", "embed.ollama.endpoint": refusing()}));
    scratch.six(&["decision", "add", "Quartz lamps light the pier"]).ok();
    configure(&scratch, &json!({}));
    assert_eq!(coverage(&scratch), (0, 1));
    let found = search(&scratch, "quartz");
    assert_eq!(found["hits"].as_array().map(Vec::len), Some(1));
    assert!(degraded(&found).contains("0 of 1"), "{}", degraded(&found));
    let status = scratch.six(&["status", "--json"]).ok().json();
    assert_eq!((&status["store"]["vectors"], &status["store"]["embeddable"]), (&0.into(), &1.into()));
    scratch.six(&["embed", "--backfill"]).ok();
    assert_eq!(coverage(&scratch), (1, 1));
}

/// Holds that what looks for meaning contains `piece`, and no other hook does.
fn is_for_what_looks_for_meaning(piece: &[u8]) {
    let contains = |name: &str| memmem::find(&fs::read(binaries().join(name)).expect("a binary"), piece).is_some();
    for name in ["six", "six-session-start", "six-user-prompt-submit"] {
        assert!(contains(name), "{name}");
    }
    for name in ["six-pre-tool-use", "six-stop", "six-pre-compact", "six-session-end"] {
        assert!(!contains(name), "{name}");
    }
}

#[test]
fn only_what_looks_for_meaning_carries_the_model() {
    let model = repository().join("crates/six-embed/model");
    let file = fs::read_dir(model).expect("a folder").flatten().map(|entry| entry.path());
    let file = file.max_by_key(|path| path.metadata().map_or(0, |metadata| metadata.len())).expect("the weights");
    let weights = fs::read(file).expect("the weights can be read");
    is_for_what_looks_for_meaning(&weights[weights.len() / 2..][..4096]);
}

/// The tree of crates can't tell: all hooks are binaries of one package.
#[test]
fn only_what_looks_for_meaning_speaks_http() {
    is_for_what_looks_for_meaning(b"transfer-encoding");
    is_for_what_looks_for_meaning(b"/api/embed");
}
