//! What a record cites is looked at again when it is shown, and what is said of it is true.

use std::fs;

use rusqlite::Connection;
use testkit::{Scratch, payload};

/// A file whose lines 3 to 5 are cited. The name `settle_votes` stands on the first of them.
const LEDGER: &str = "//! Counts votes of the berth.\n\n\
                      pub fn settle_votes(votes: u32) -> u32 {\n    votes.div_ceil(2) + 1\n}\n\n\
                      pub fn open_berth() {}\n";

const TITLE: &str = "Berth quorum rounds upwards";

/// What a prompt is answered, in a session of its own.
fn told(scratch: &Scratch, session: u16, prompt: &str) -> String {
    let mut session = scratch.session(session);
    scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, prompt)).context().unwrap_or_default()
}

/// A project with a decision on `place` of the ledger, and a counter of sessions.
struct Harbour {
    scratch: Scratch,
    sessions: u16,
}

fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    scratch.write("src/ledger.rs", LEDGER);
    scratch.commit("ledger");
    scratch
}

impl Harbour {
    fn citing(place: &str) -> Self {
        let scratch = installed();
        scratch.six(&["decision", "add", TITLE, "--why", "A tie sinks ships", "--anchor", place]).ok();
        Self { scratch, sessions: 0 }
    }

    fn build(&mut self) -> String {
        self.sessions += 1;
        told(&self.scratch, self.sessions, "Add a berth quorum to the harbour scheduler.")
    }

    fn investigate(&mut self) -> String {
        self.sessions += 1;
        told(&self.scratch, self.sessions, "Investigate why the berth quorum fails at night.")
    }

    fn worker(&self) {
        self.scratch.six(&["worker"]).ok();
    }

    /// The decision is told as a stale claim, with all of these words, and as nothing else.
    fn is_stale(&mut self, words: &[&str]) {
        for text in [self.build(), self.investigate()] {
            assert!(text.contains("<stale-claim>") && text.contains(TITLE), "{text}");
            assert!(!text.contains("<do-not-rebuild>"), "{text}");
            for word in words {
                assert!(text.contains(word), "{word}: {text}");
            }
        }
    }

    /// The decision is told as one that stands, and only to somebody who builds.
    fn holds(&mut self) {
        let text = self.build();
        assert!(text.contains("<do-not-rebuild>") && text.contains(TITLE), "{text}");
        assert!(!text.contains("<stale-claim>"), "{text}");
        assert_eq!(self.investigate(), "");
    }
}

#[test]
fn lines_that_stand_as_they_were_cited_hold() {
    let mut harbour = Harbour::citing("src/ledger.rs:3-5");
    harbour.holds();
    harbour.scratch.write("src/ledger.rs", &LEDGER.replace('\n', "\r\n"));
    harbour.holds();
    harbour.scratch.write("src/ledger.rs", &LEDGER.replace("open_berth", "close_berth"));
    harbour.holds();
}

#[test]
fn lines_that_were_pushed_down_are_said_to_be_where_they_are() {
    let mut harbour = Harbour::citing("src/ledger.rs:3-5");
    harbour.scratch.write("src/ledger.rs", &format!("//! One.\n//! Two.\n{LEDGER}"));
    harbour.holds();
    assert!(harbour.build().contains("now at \"src/ledger.rs:5-7\""));
}

#[test]
fn lines_that_were_edited_are_said_to_be_changed() {
    let mut harbour = Harbour::citing("src/ledger.rs:3-5");
    harbour.scratch.write("src/ledger.rs", &LEDGER.replace("div_ceil(2)", "div_floor(2)"));
    harbour.is_stale(&["CHANGED", "src/ledger.rs:3-5"]);
    harbour.worker();
    harbour.is_stale(&["CHANGED", "src/ledger.rs:3-5"]);
}

#[test]
fn a_file_that_was_moved_is_found_again_by_the_worker() {
    let mut harbour = Harbour::citing("src/ledger.rs:3-5");
    harbour.scratch.git(&["mv", "src/ledger.rs", "src/quay.rs"]);
    harbour.scratch.write("src/quay.rs", &format!("//! Of the quay.\n{LEDGER}"));
    harbour.scratch.commit("the ledger is the quay's");
    harbour.is_stale(&["GONE", "src/ledger.rs"]);
    harbour.worker();
    harbour.is_stale(&["moved", "src/quay.rs:4-6"]);
    fs::remove_file(harbour.scratch.project().join("src/quay.rs")).expect("it is there");
    harbour.is_stale(&["GONE", "src/ledger.rs"]);
}

#[test]
fn a_file_that_was_deleted_is_said_to_be_gone() {
    let mut harbour = Harbour::citing("src/ledger.rs");
    harbour.scratch.git(&["rm", "--quiet", "src/ledger.rs"]);
    harbour.scratch.commit("no ledger");
    harbour.worker();
    harbour.is_stale(&["GONE", "src/ledger.rs"]);
}

#[test]
fn a_name_holds_through_every_edit_until_it_is_gone() {
    let mut harbour = Harbour::citing("src/ledger.rs#settle_votes");
    harbour.scratch.write("src/ledger.rs", &LEDGER.replace("div_ceil", "div_floor"));
    harbour.holds();
    harbour.scratch.write("src/ledger.rs", &LEDGER.replace("settle_votes", "settle_all_votes"));
    harbour.is_stale(&["GONE", "src/ledger.rs"]);
}

#[test]
fn what_was_cited_on_a_branch_is_told_apart_until_it_is_merged() {
    let scratch = installed();
    scratch.git(&["checkout", "--quiet", "-b", "pier"]);
    scratch.write("src/pier.rs", "pub fn moor_the_ship() {\n    ropes();\n}\n");
    scratch.six(&["decision", "add", "Piers moor ships by rope", "--anchor", "src/pier.rs:1-3"]).ok();
    scratch.commit("a pier");
    let ask = |number| told(&scratch, number, "Add ropes so that piers moor ships at night.");
    scratch.git(&["checkout", "--quiet", "main"]);
    scratch.work();
    let text = ask(1);
    assert!(text.contains("<stale-claim>") && text.contains("branch \"pier\""), "{text}");
    assert!(!text.contains("GONE"), "{text}");

    scratch.git(&["merge", "--quiet", "--no-edit", "pier"]);
    let text = ask(2);
    assert!(text.contains("<do-not-rebuild>") && !text.contains("branch \"pier\""), "{text}");
    scratch.write("src/pier.rs", "pub fn moor_the_ship() {\n    chains();\n}\n");
    scratch.work();
    let text = ask(3);
    assert!(text.contains("CHANGED") && !text.contains("branch \"pier\""), "{text}");
}

#[test]
fn what_was_superseded_is_never_told_as_current() {
    let mut harbour = Harbour::citing("src/ledger.rs:3-5");
    harbour.holds();
    let store = Connection::open(harbour.scratch.store_folder().join("memory.db")).expect("the store opens");
    store.execute("UPDATE record SET state = 'superseded'", []).expect("a record can be replaced");
    harbour.scratch.write("src/ledger.rs", "");
    assert_eq!((harbour.build(), harbour.investigate()), (String::new(), String::new()));
}

#[test]
fn a_file_that_the_text_mentions_is_looked_at_without_being_asked_for() {
    let scratch = installed();
    let why = "`settle_votes` in src/ledger.rs:3 has no ties";
    scratch.six(&["decision", "add", "Tugboats wait for the lantern", "--why", why]).ok();
    let ask = |number| told(&scratch, number, "Add a lantern for tugboats.");
    assert!(ask(1).contains("<do-not-rebuild>"));
    scratch.write("src/ledger.rs", &format!("//! Changed.\n{LEDGER}"));
    assert!(ask(2).contains("<do-not-rebuild>"));
    fs::remove_file(scratch.project().join("src/ledger.rs")).expect("it is there");
    let text = ask(3);
    assert!(text.contains("<stale-claim>") && text.contains("GONE"), "{text}");
}

#[test]
fn a_worker_with_nothing_new_writes_nothing_about_anchors() {
    let harbour = Harbour::citing("src/ledger.rs:3-5");
    harbour.scratch.write("src/ledger.rs", "");
    harbour.worker();
    let looked = || harbour.scratch.store_rows("SELECT value FROM meta WHERE key = 'anchors_looked'");
    let first = looked();
    assert_eq!(first.len(), 1);
    harbour.worker();
    assert_eq!(looked(), first);
    harbour.scratch.write("src/ledger.rs", LEDGER);
    harbour.worker();
    assert_ne!(looked(), first);
}
