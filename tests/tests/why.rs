//! That every turn can be asked about afterwards, and that silence which somebody asked for is kept everywhere.

use std::fs;

use serde_json::{Value, json};
use testkit::{HookRun, Ran, Scratch, Session, payload};

const DECIDED: &str = "Ship manifests are kept in Parquet files";
const BUILD: &str = "Build a Parquet writer for the ship manifests.";

fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    scratch.six(&["decision", "add", DECIDED, "--why", "row stores took an hour"]).ok();
    scratch
}

fn say(scratch: &Scratch, session: &mut Session, prompt: &str) -> Option<String> {
    scratch.answer("user-prompt-submit", &payload::user_prompt(session, prompt)).context()
}

/// The same matter in other words: the same words would be a prompt that was taken back and sent again.
fn again(take: usize) -> String {
    format!("{BUILD} Take {take}.")
}

fn why(scratch: &Scratch, args: &[&str]) -> Value {
    scratch.six(&[&["why", "--json"], args].concat()).ok().json()
}

fn verdicts(told: &Value) -> Vec<&str> {
    let all = told["candidates"].as_array().into_iter().flatten();
    all.filter_map(|one| one["verdict"].as_str()).collect()
}

/// What a turn leaves in rows, without what differs from run to run.
fn traces(scratch: &Scratch) -> Vec<Value> {
    let told = why(scratch, &[]);
    let same = ["human", "silenced", "fired", "intents", "intent_words", "terms", "corpus", "degraded", "limits"];
    let blocks = told["blocks"].as_array().into_iter().flatten();
    let blocks = blocks.map(|block| json!([block["kind"], block["bytes"], block["tokens"], block["left_out"]]));
    let candidates = told["candidates"].as_array().into_iter().flatten();
    let candidates =
        candidates.map(|one| json!([one["tokens"], one["sum"], one["delivered"], one["units"], one["verdict"]]));
    let delivered = scratch.store_rows("SELECT count FROM delivery ORDER BY item").into_iter().map(Value::Object);
    let fields = same.iter().map(|field| told[*field].clone());
    fields.chain(blocks).chain(candidates).chain(delivered).collect()
}

fn inside(scratch: &Scratch, session: &Session, args: &[&str]) -> Ran {
    let mut command = scratch.six_command(args);
    command.env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", &session.id);
    scratch.run(command)
}

#[test]
fn a_firing_can_be_told_with_its_arithmetic() {
    let scratch = installed();
    let mut session = scratch.session(1);
    let said = say(&scratch, &mut session, BUILD).expect("there is something to say");
    let told = why(&scratch, &[]);
    assert_eq!((&told["schema"], &told["session"]), (&json!("six.why/1"), &json!(session.id)));
    assert_eq!((&told["mode"], &told["human"], &told["fired"]), (&json!("on"), &json!(true), &json!(true)));
    assert_eq!((&told["intents"], &told["intent_words"]["build"]), (&json!(["build"]), &json!(["build"])));
    let candidate = &told["candidates"][0];
    let id = candidate["id"].as_str().expect("an id");
    assert!(id.starts_with("decision:") && said.contains(id), "{id}");
    assert_eq!((&candidate["verdict"], &candidate["title"]), (&json!("passed"), &json!(DECIDED)));
    let tokens = candidate["tokens"].as_array().expect("tokens");
    assert!(tokens.iter().all(|token| token["t"].is_string() && token["df"].is_u64() && token["idf"].is_f64()));
    let sum: f64 = tokens.iter().filter_map(|token| token["idf"].as_f64()).sum();
    assert!(candidate["sum"].as_f64().is_some_and(|told| (told - sum).abs() < 1e-9));
    let block = &told["blocks"][0];
    assert_eq!((&block["kind"], &block["items"]), (&json!("do-not-rebuild"), &json!([id])));
    assert!(
        block["bytes"].as_u64() > Some(0) && block["tokens"].as_u64() > Some(0) && told["took_us"].as_u64() > Some(0)
    );
    let fate = why(&scratch, &["--not", id]);
    assert_eq!((&fate["candidate"], &fate["verdict"]), (&json!(true), &json!("passed")));
    let text = scratch.six(&["why"]).ok().stdout.clone();
    for part in ["a person", "do-not-rebuild", DECIDED, "idf", "took"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn every_kind_of_turn_is_decided_again_with_the_same_outcome() {
    let scratch = installed();
    for n in 0..7 {
        let title = format!("Ship manifests number {n} are kept in Parquet files");
        scratch.six(&["decision", "add", &title, "--why", &"the quay master said so ".repeat(20)]).ok();
    }
    let mut session = scratch.session(1);
    for take in 1..5 {
        say(&scratch, &mut session, &again(take));
    }
    for prompt in ["Thanks!", "Build a kite for the beach holiday."] {
        say(&scratch, &mut session, prompt);
    }
    let turns = why(&scratch, &["--list"]);
    let turns = turns["turns"].as_array().expect("turns");
    assert_eq!(turns.len(), 6);
    let all: Vec<&str> = turns.iter().flat_map(verdicts).collect();
    for verdict in ["passed", "damped", "over-budget"] {
        assert!(all.contains(&verdict), "{verdict}: {all:?}");
    }
    for turn in turns {
        let told = why(&scratch, &[&turn["turn"].to_string(), "--replay"]);
        assert_eq!((&told["agrees"], &told["differences"]), (&json!(true), &json!([])), "{turn}");
        assert_eq!(told["rules"]["then"], told["rules"]["now"]);
    }
}

#[test]
fn a_turn_is_named_by_its_number_its_event_or_as_the_last_of_a_session() {
    let scratch = installed();
    let (mut one, mut two) = (scratch.session(1), scratch.session(2));
    say(&scratch, &mut one, BUILD);
    say(&scratch, &mut two, "Thanks!");
    let last = why(&scratch, &["last"]);
    assert_eq!(last["session"], two.id.as_str());
    let first = why(&scratch, &["--session", &one.id]);
    assert_eq!(first["session"], one.id.as_str());
    let event = first["event"].as_str().expect("an event");
    assert_eq!(why(&scratch, &[event]), first);
    assert_eq!(why(&scratch, &[&first["turn"].to_string()]), first);
    assert_eq!(why(&scratch, &["--list", "--limit", "1"])["turns"].as_array().map(Vec::len), Some(1));
    for (args, status) in [
        (vec!["why", "999"], 1),
        (vec!["why", "--session", "nobody"], 1),
        (vec!["why", "--list", "--session", "nobody"], 1),
        (vec!["why", "last", "--not", "nothing-of-that-name"], 1),
        (vec!["why", "--replay", "--list"], 2),
        (vec!["why", "--judge", "noise"], 2),
    ] {
        assert_eq!(scratch.six(&args).status, Some(status), "{args:?}");
    }
}

#[test]
fn an_item_that_never_was_a_candidate_is_explained() {
    let scratch = installed();
    let pending = scratch.six_as_agent(&["decision", "add", "Parquet manifests are zipped", "--json"]).ok().json()["record"]["id"].as_str().expect("an id").to_owned();
    let other = scratch.six(&["decision", "add", "Lamps are lit at dusk", "--json"]).ok().json();
    let other = other["record"]["id"].as_str().expect("an id").to_owned();
    let mut session = scratch.session(1);
    say(&scratch, &mut session, BUILD);
    let later = scratch.six(&["decision", "add", "Parquet manifests have a footer", "--json"]).ok().json();
    let later = later["record"]["id"].as_str().expect("an id").to_owned();
    for (item, part) in [(&pending, "pending"), (&other, "shares no word"), (&later, "entered after this turn")] {
        let fate = why(&scratch, &["--not", item]);
        assert_eq!((&fate["candidate"], &fate["known"]), (&json!(false), &json!(true)), "{fate}");
        assert!(fate["why"].as_str().is_some_and(|why| why.contains(part)), "{part}: {fate}");
    }
    say(&scratch, &mut session, "Thanks!");
    let fate = why(&scratch, &["--not", &other]);
    assert!(fate["why"].as_str().is_some_and(|why| why.contains("nothing was looked up")), "{fate}");
}

#[test]
fn a_person_judges_what_was_said_and_an_agent_does_not() {
    let scratch = installed();
    let mut session = scratch.session(1);
    say(&scratch, &mut session, BUILD);
    let judge = ["why", "--judge", "noise", "--rater", "ada", "--note", "known"];
    assert_eq!(inside(&scratch, &session, &judge).status, Some(2));
    assert_eq!(why(&scratch, &[])["judgements"], json!([]));
    scratch.six(&judge).ok();
    scratch.six(&["why", "--judge", "justified", "--rater", "bo"]).ok();
    let told = why(&scratch, &[]);
    let judged: Vec<_> = told["judgements"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|one| [&one["rater"], &one["verdict"], &one["note"]])
        .collect();
    assert_eq!(
        judged,
        [[&json!("ada"), &json!("noise"), &json!("known")], [&json!("bo"), &json!("justified"), &json!("")]]
    );
    assert!(scratch.six(&["why"]).ok().stdout.contains("noise by ada"));
    say(&scratch, &mut session, "Thanks!");
    assert_eq!(scratch.six(&judge).status, Some(2), "nothing was said");
}

#[test]
fn in_shadow_all_is_recorded_as_if_it_were_said_and_nothing_is_printed() {
    let (on, shadow) = (installed(), installed());
    shadow.six(&["config", "set", "inject.emission", "shadow"]).ok();
    let (mut spoken, mut silent) = (on.session(1), shadow.session(1));
    for turn in 1..5 {
        let said = say(&on, &mut spoken, &again(turn)).is_some();
        assert_eq!(said, turn < 4, "damped after three");
        let run = shadow.answer("user-prompt-submit", &payload::user_prompt(&mut silent, &again(turn)));
        assert!(run.stdout.is_empty(), "{:?}", run.stdout);
        let told = why(&shadow, &[]);
        assert_eq!((&told["mode"], &told["emitted_bytes"]), (&json!("shadow"), &json!(0)));
        assert_eq!(traces(&shadow), traces(&on));
    }
    let start = shadow.answer("session-start", &payload::session_start(&silent, "startup"));
    assert!(start.context().is_some_and(|told| told.contains(DECIDED)), "the start stays as it is");
}

#[test]
fn switched_off_nothing_is_looked_up_and_the_turn_is_recorded() {
    let scratch = installed();
    scratch.six(&["config", "set", "inject.emission", "off"]).ok();
    assert_eq!(say(&scratch, &mut scratch.session(1), BUILD), None);
    let told = why(&scratch, &[]);
    assert_eq!((&told["mode"], &told["silenced"], &told["candidates"]), (&json!("off"), &json!("off"), &json!([])));
    scratch.six(&["config", "unset", "inject.emission"]).ok();
    assert!(say(&scratch, &mut scratch.session(1), BUILD).is_some());
}

#[test]
fn thresholds_are_configuration_and_stand_in_the_receipt() {
    let scratch = installed();
    scratch.six(&["config", "set", "inject.min_matches", "9"]).ok();
    scratch.six(&["config", "set", "inject.rare_idf", "4.5"]).ok();
    scratch.six(&["config", "set", "inject.min_cosine", "1"]).ok();
    assert_eq!(say(&scratch, &mut scratch.session(1), BUILD), None);
    let told = why(&scratch, &[]);
    assert_eq!(verdicts(&told), ["too-few-matches"]);
    assert_eq!((&told["limits"]["min_matches"], &told["limits"]["rare_idf"]), (&json!(9), &json!(4.5)));
    assert_eq!(scratch.six(&["config", "set", "inject.min_cosine", "2"]).status, Some(2));
}

#[test]
fn a_broken_configuration_is_the_default_one_and_the_receipt_says_so() {
    let scratch = installed();
    fs::write(scratch.store_folder().join("config.json"), "{ \"inject.emission\": \"off\", }").expect("a file");
    assert!(say(&scratch, &mut scratch.session(1), BUILD).is_some());
    let told = why(&scratch, &[]);
    assert!(told["degraded"].as_array().is_some_and(|all| all.contains(&json!("config:project"))), "{told}");
}

#[test]
fn sub_agents_are_answered_only_where_that_is_set() {
    let scratch = installed();
    let mut session = scratch.session(1);
    let mut ask = || {
        let mut prompt = payload::user_prompt(&mut session, BUILD);
        prompt["agent_id"] = json!("a1b2c3");
        prompt["agent_type"] = json!("general-purpose");
        scratch.answer("user-prompt-submit", &prompt).context().is_some()
    };
    assert!(!ask());
    scratch.six(&["config", "set", "inject.subagents", "true"]).ok();
    assert!(ask());
    assert_eq!(why(&scratch, &[])["human"], false);
}

/// All hooks of a session, with what each printed.
fn run_all(scratch: &Scratch, session: &mut Session) -> Vec<HookRun> {
    let start = payload::session_start(session, "startup");
    let prompt = payload::user_prompt(session, BUILD);
    let end = payload::session_end(session, "other");
    [("session-start", start), ("user-prompt-submit", prompt), ("session-end", end)]
        .map(|(hook, payload)| scratch.answer(hook, &payload))
        .into()
}

fn printed(scratch: &Scratch, session: &mut Session) -> usize {
    run_all(scratch, session).iter().map(|run| run.stdout.len()).sum()
}

#[test]
fn a_muted_session_gets_nothing_from_any_hook_and_every_row_is_written() {
    let scratch = installed();
    let (mut one, mut two) = (scratch.session(1), scratch.session(2));
    let muted = inside(&scratch, &one, &["mute", "--json"]).ok().json();
    assert_eq!(muted["mutes"][0]["session"], one.id.as_str());
    let before = scratch.heartbeats().len();
    assert_eq!(printed(&scratch, &mut one), 0);
    assert_eq!(scratch.heartbeats().len(), before + 3);
    let told = why(&scratch, &["--session", &one.id]);
    assert_eq!((&told["silenced"], &told["emitted_bytes"]), (&json!("muted"), &json!(0)));
    assert!(printed(&scratch, &mut two) > 0, "another session goes on");
    assert!(scratch.six(&["status"]).ok().stdout.contains(&format!("session {}", one.id)));
    assert_eq!(scratch.six(&["status", "--json"]).ok().json()["mutes"][0]["scope"], "session");
    inside(&scratch, &one, &["mute", "--off"]).ok();
    assert!(printed(&scratch, &mut one) > 0);
    assert_eq!(inside(&scratch, &one, &["mute", "--off"]).status, Some(1), "it was not muted");
}

#[test]
fn a_muted_project_gets_nothing_in_any_session_until_a_person_ends_it() {
    let scratch = installed();
    let mut session = scratch.session(1);
    for refused in [vec!["mute", "--whole-project"], vec!["mute", "--session", "another"]] {
        assert_eq!(inside(&scratch, &session, &refused).status, Some(2), "{refused:?}");
    }
    assert_eq!(scratch.six(&["mute", "--list"]).status, Some(1), "nothing is muted");
    let told = scratch.six(&["mute", "--for", "2h"]).ok().stdout.clone();
    assert!(told.contains("the whole project"), "{told}");
    assert_eq!(printed(&scratch, &mut session), 0);
    assert_eq!(inside(&scratch, &session, &["mute", "--off"]).status, Some(1), "the session itself was not muted");
    assert_eq!(printed(&scratch, &mut session), 0);
    scratch.six(&["mute", "--list"]).ok();
    scratch.six(&["mute", "--off"]).ok();
    assert!(printed(&scratch, &mut session) > 0);
    assert_eq!(scratch.six(&["mute", "--for", "soon"]).status, Some(2));
}

#[test]
fn the_first_start_after_a_mute_shows_everything() {
    let scratch = installed();
    let session = scratch.session(1);
    scratch.six(&["mute"]).ok();
    scratch.answer("session-start", &payload::session_start(&session, "startup"));
    scratch.six(&["mute", "--off"]).ok();
    let start = scratch.answer("session-start", &payload::session_start(&session, "resume"));
    assert!(start.context().is_some_and(|told| told.contains(DECIDED)), "nothing of it was shown before");
}

#[test]
fn what_a_prompt_holds_reaches_no_terminal_raw() {
    let scratch = installed();
    say(
        &scratch,
        &mut scratch.session(1),
        "Build a Parquet writer\u{1b}[2J for the\u{202e} ship manifests.\r\n  said  x",
    );
    for args in [vec!["why"], vec!["why", "--list"]] {
        let text = scratch.six(&args).ok().stdout.clone();
        assert!(!text.contains(['\u{1b}', '\u{202e}', '\r']), "{text:?}");
        assert!(!text.lines().any(|line| line.trim_start().starts_with("said  x")), "{text}");
    }
}
