//! `six bench`: what it measures, on a set that was made up for it and on a real one where there is one.
#![expect(clippy::expect_used, clippy::panic, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use testkit::{Scratch, shared};

const MEASURES: [&str; 4] = ["recall@5", "recall@10", "ndcg@10", "mrr"];

fn set(scratch: &Scratch, name: &str, groups: &Value) -> PathBuf {
    let file = scratch.folder("sets").join(name);
    fs::write(&file, json!({ "groups": groups }).to_string()).expect("a scratch file can be written");
    file
}

fn argument(path: &Path) -> &str {
    path.to_str().expect("scratch paths are UTF-8")
}

fn measured(scratch: &Scratch, args: &[&str]) -> Value {
    let args: Vec<&str> = ["bench", "retrieval", "--json"].iter().chain(args).copied().collect();
    let ran = scratch.six(&args);
    let answer = ran.ok().json();
    assert_eq!(answer["schema"], "six.bench-retrieval/1");
    answer
}

fn value(set: &Value, way: &str, measure: &str) -> f64 {
    set[way][measure].as_f64().unwrap_or_else(|| panic!("no {way} {measure} in {set}"))
}

/// One document for each thing, and questions whose right answers are told by words in some and by meaning in others.
fn harbour() -> Value {
    json!([{
        "docs": [
            ["cranes", "The cranes on the north quay lift containers of up to forty tons."],
            ["pilot", "Every tanker takes a pilot on board before it enters the canal."],
            ["fees", "Mooring fees are charged per metre of length and per night."],
            ["night", "Between ten in the evening and six in the morning no horn may be sounded."],
            ["same", "Mooring fees are charged per metre of length and per night."],
        ],
        "queries": [
            ["q1", "what do mooring fees depend on?", "words"],
            ["q2", "which cranes lift containers?", "words"],
            ["q3", "when is it forbidden to make noise?", "meaning"],
            ["q4", "who owns the lighthouse?"],
        ],
        "qrels": {"q1": ["same"], "q2": {"cranes": 2}, "q3": ["night"]},
    }])
}

#[test]
fn a_set_of_ones_own_is_measured_by_words_by_meaning_and_by_both() {
    let scratch = Scratch::new();
    let file = set(&scratch, "harbour.json", &harbour());
    let answer = measured(&scratch, &["--set", argument(&file)]);
    let set = &answer["sets"][0];
    assert_eq!((&set["name"], &set["queries"], &set["left_out"]), (&json!("harbour"), &json!(3), &json!(1)));
    assert_eq!(set["documents"], 4, "two documents of equal text are one");
    for (way, measure) in ["lexical", "vector", "fused"].into_iter().flat_map(|way| MEASURES.map(|m| (way, m))) {
        assert!((0.0..=1.0).contains(&value(set, way, measure)), "{way} {measure}");
    }
    assert!(value(&set["kinds"]["words"], "lexical", "mrr") > 0.999, "words that stand there are found by words");
    assert!(value(&set["kinds"]["meaning"], "lexical", "recall@10") < 0.001, "words that stand nowhere are not");
    assert!(value(&set["kinds"]["meaning"], "vector", "recall@5") > 0.999, "what is meant is found by meaning");
    assert!(value(set, "fused", "ndcg@10") > value(set, "lexical", "ndcg@10"));
    assert_eq!(answer["losses"], json!([]));
    assert!(answer["verdict"].as_str().is_some_and(|line| line.contains("on 1 of 1 sets")), "{answer}");
    assert!(answer["versions"]["model"].is_string() && answer["machine"]["cores"].is_number());
}

#[test]
fn a_folder_of_sessions_and_questions_is_a_set_too() {
    let scratch = Scratch::new();
    let folder = scratch.folder("talks");
    let sessions = json!([
        {"sessionId": "S1", "messages": [{"role": "user", "content": "We use pnpm, never npm."}]},
        {"sessionId": "S2", "messages": [{"role": "user", "content": "The retry budget of the queue is five."}]},
    ]);
    let questions = json!([
        {"questionId": "1", "questionType": "preference", "question": "pnpm or npm?", "haystackSessionIds": ["S1"]},
        {"questionId": "2", "questionType": "abstention", "question": "Which cloud?", "haystackSessionIds": []},
    ]);
    for (name, text) in [("sessions.json", &sessions), ("questions.json", &questions)] {
        fs::write(folder.join(name), text.to_string()).expect("a scratch file can be written");
    }
    let answer = measured(&scratch, &["--set", argument(&folder)]);
    let set = &answer["sets"][0];
    assert_eq!((&set["queries"], &set["left_out"]), (&json!(1), &json!(1)));
    assert!(value(&set["kinds"]["preference"], "fused", "mrr") > 0.999);
}

#[test]
fn measuring_leaves_nothing_behind() {
    let scratch = Scratch::new();
    let file = set(&scratch, "harbour.json", &harbour());
    measured(&scratch, &["--set", argument(&file)]);
    assert!(!scratch.six_home().exists(), "the user's stores are not touched");
    assert_eq!(fs::read_dir(scratch.folder("tmp")).expect("a scratch folder").count(), 0);
}

#[test]
fn where_there_is_nothing_to_measure_with_the_next_step_is_named() {
    let scratch = Scratch::new();
    let ran = scratch.six(&["bench", "retrieval"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.contains("there are no sets in") && ran.stderr.contains("--set FILE"), "{}", ran.stderr);

    let broken = set(&scratch, "broken.json", &json!([{"docs": [], "queries": [], "qrels": {"q9": ["a"]}}]));
    let ran = scratch.six(&["bench", "retrieval", "--set", argument(&broken)]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("broken.json") && ran.stderr.contains("\"q9\""), "{}", ran.stderr);
}

#[test]
fn on_real_questions_both_legs_are_no_worse_than_words_alone() {
    let Some(folder) = shared("data/bench/devmembench") else { return };
    let answer = measured(&Scratch::new(), &["--set", argument(&folder)]);
    let set = &answer["sets"][0];
    assert_eq!((&set["queries"], &set["left_out"]), (&json!(175), &json!(25)));
    let (fused, lexical) = (value(set, "fused", "ndcg@10"), value(set, "lexical", "ndcg@10"));
    assert!(fused >= lexical, "fused {fused}, lexical {lexical}");
}

#[test]
fn speed_is_measured_beside_its_budgets_and_kept() {
    let scratch = Scratch::new();
    let ran = scratch.six(&["bench", "speed", "--sizes", "200", "--runs", "3", "--sessions", "1", "--json"]);
    let answer = ran.ok().json();
    assert_eq!(answer["schema"], "six.bench-speed/1");
    let figures = answer["figures"].as_array().expect("a list");
    for what in ["first ingest", "embedding, all cores", "search in the library, words", "prompt hook, no intent"] {
        let of = figures.iter().find(|figure| figure["what"] == what).unwrap_or_else(|| panic!("no {what}: {answer}"));
        assert!(of["value"].as_f64().is_some_and(|value| value > 0.0), "{of}");
    }
    let history = fs::read_to_string(scratch.six_home().join("bench-history.jsonl")).expect("the history");
    let kept: Value = serde_json::from_str(history.lines().next().expect("a line")).expect("JSON");
    assert_eq!(kept["figures"], answer["figures"]);
    assert!(!scratch.six_home().join("projects").exists(), "the user's stores are not touched");
}

/// Labels of one's own: each intent, nothing, and a program's turn.
fn labels(scratch: &Scratch) -> PathBuf {
    let lines = [
        json!({"id": "a", "text": "add a retry budget to the sync queue", "intent": "build", "lang": "en"}),
        json!({"id": "b", "text": "why does the sync queue drop messages?", "intent": ["investigate"], "source": "quay"}),
        json!({"id": "c", "text": "should we use Postgres or SQLite for the outbox?", "intent": "decide"}),
        json!({"id": "d", "text": "thanks, that's all", "intent": "none", "unsure": true}),
        json!({"id": "e", "text": "<task-notification>\nadd a cache\n</task-notification>", "intent": "build", "machine": true}),
    ];
    let file = scratch.folder("sets").join("mine.jsonl");
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    fs::write(&file, lines.join("\n")).expect("a scratch file can be written");
    file
}

fn share(of: &Value, name: &str) -> f64 {
    let value = of[name].as_f64().unwrap_or_else(|| panic!("no {name} in {of}"));
    assert!((0.0..=1.0).contains(&value), "{name} {value}");
    value
}

#[test]
fn the_gate_is_measured_on_labels_of_ones_own_and_on_what_is_planted() {
    let scratch = Scratch::new();
    let file = labels(&scratch);
    let ran = scratch.six(&["bench", "gate", "--labels", argument(&file), "--json"]);
    let answer = ran.ok().json();
    assert_eq!(answer["schema"], "six.bench-gate/1");
    let intent = &answer["intent"];
    for name in ["build", "investigate", "decide"] {
        assert_eq!(
            (&intent[name]["precision"], &intent[name]["recall"]),
            (&json!(1.0), &json!(1.0)),
            "{name}: {intent}"
        );
    }
    assert_eq!((&intent["none_silent"], &intent["prompts"]), (&json!(1.0), &json!(4)));
    assert_eq!(intent["by_source"]["quay"]["investigate"]["tp"], 1);
    assert_eq!(intent["by_source"]["mine"]["prompts"], 3);
    assert_eq!(intent["by_lang"]["en"]["build"]["recall"], 1.0);
    assert_eq!((&intent["sure"]["prompts"], &intent["sure"]["none_silent"]), (&json!(3), &Value::Null));
    assert_eq!(intent["machine"]["silent"], json!({"share": 1.0, "hit": 1, "of": 1}));

    assert!(share(&answer, "unrelated_silent") > 0.8 && share(&answer, "negatives_silent") > 0.5);
    let (recall, precision) = (share(&answer, "planted_recall"), share(&answer, "block_precision"));
    assert!(recall > 0.1 && precision > 0.5, "{recall} {precision}");
    assert_eq!(answer["planted_by_how"]["words"]["of"], 180);
    assert_eq!(answer["unrelated_by_lang"]["ja"]["of"], 10);
    assert!(answer["bytes"]["most"].as_u64().is_some_and(|most| (1..=8_000).contains(&most)));
    let sweep = answer["sweep"].as_array().expect("a list");
    for threshold in ["rare_idf", "min_matches", "min_weight", "min_cosine"] {
        let rows: Vec<&Value> = sweep.iter().filter(|row| row["threshold"] == threshold).collect();
        let in_force: Vec<&&Value> = rows.iter().filter(|row| row["in_force"] == true).collect();
        assert!(rows.len() >= 3 && in_force.len() == 1, "{threshold}: {rows:?}");
        for name in ["unrelated_silent", "planted_recall", "negatives_silent"] {
            assert_eq!(in_force[0][name], answer[name], "{threshold} {name}");
        }
    }
    let fires = |value: f64| {
        let row = sweep.iter().find(|row| row["threshold"] == "rare_idf" && row["value"] == value).expect("a row");
        1.0 - share(row, "unrelated_silent")
    };
    assert!(fires(2.0) >= fires(4.0), "what asks for rarer words says less");
    assert_eq!(answer["store"], Value::Null);
    assert!(!scratch.six_home().exists(), "the user's stores are not touched");
    assert_eq!(fs::read_dir(scratch.folder("tmp")).expect("a scratch folder").count(), 0);
}

#[test]
fn the_gate_is_tried_in_a_copy_of_ones_own_store_which_stays_as_it_is() {
    let scratch = Scratch::new();
    scratch.write("docs/queue.md", "# Queue\n\nThe sync queue drops what is older than a week.\n");
    scratch.six(&["install", "."]).ok();
    scratch.six(&["decision", "add", "The outbox keeps order"]).ok();
    let rows = "SELECT id, title, state FROM record UNION ALL SELECT id, name, state FROM subsystem";
    let before = scratch.store_rows(rows);
    let file = labels(&scratch);
    // No words weigh that much and nothing is that near: what is still found are rules on tools.
    scratch.six(&["config", "set", "inject.min_weight", "100"]).ok();
    scratch.six(&["config", "set", "inject.min_cosine", "1"]).ok();
    let ran = scratch.six(&["bench", "gate", "--store", "--labels", argument(&file)]);
    let text = ran.ok().stdout.as_str();
    let (_, own) = text.split_once("blocks in a copy of the project's own store of ").expect("a part of its own");
    let chunks: u32 = own.split_whitespace().next().and_then(|count| count.parse().ok()).expect("a count");
    assert!((1..100).contains(&chunks), "what is planted does not count: {own}");
    let percent = |figure| percentages(own, figure).first().copied().expect("a figure");
    assert!(percent("unrelated silent") > 90.0, "{own}");
    let found = percent("planted found");
    assert!((1.0..25.0).contains(&found), "the project's own thresholds: {own}");
    assert_eq!(scratch.store_rows(rows), before, "what is planted is in the copy only");
    assert_eq!(before.len(), 1);
}

#[test]
fn labels_that_are_none_are_named_with_their_line() {
    let scratch = Scratch::new();
    let file = scratch.folder("sets").join("broken.jsonl");
    fs::write(&file, "{\"text\": \"x\", \"intent\": \"biuld\"}\n").expect("a scratch file can be written");
    for (path, why) in [(argument(&file), "line 1: there is no intent \"biuld\""), ("absent.jsonl", "can't be read")] {
        let ran = scratch.six(&["bench", "gate", "--labels", path]);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""));
        assert!(ran.stderr.contains(why) && ran.stderr.contains("docs/benchmarks.md"), "{}", ran.stderr);
    }
}

#[test]
fn on_real_prompts_every_rate_is_told_by_source_and_language() {
    let Some(file) = shared("data/labels/prompts.jsonl") else { return };
    let scratch = Scratch::new();
    let ran = scratch.six(&["bench", "gate", "--labels", argument(&file)]);
    let text = ran.ok().stdout.as_str();
    assert!(
        text.starts_with("intents of 492 prompts: ") && text.contains("of 42 turns that a program wrote"),
        "{text}"
    );
    for (row, least) in [("build", 50.0), ("investigate", 50.0), ("decide", 50.0), ("none silent", 50.0)] {
        let rates = percentages(text, row);
        assert!(!rates.is_empty() && rates.iter().all(|rate| *rate > least), "{row}: {text}");
    }
    let (_, by_source) = text.split_once("by source").expect("a table");
    assert_eq!(by_source.lines().skip(1).take_while(|line| !line.is_empty()).count(), 12);
}

/// The numbers with a point in the first line that begins with `row`.
fn percentages(text: &str, row: &str) -> Vec<f64> {
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix(row)).unwrap_or_default();
    line.split_whitespace().filter(|word| word.contains('.')).filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn extraction_is_measured_by_turns_and_speakers() {
    let scratch = Scratch::new();
    let folder = scratch.folder("labels");
    let write = |name: &str, lines: &[Value]| {
        let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
        let file = folder.join(name);
        fs::write(&file, lines.join("\n")).expect("a scratch file can be written");
        file
    };
    let label = |text: &str, decision: bool, dead_end: bool, correction: bool| json!({ "text": text, "decision": decision, "dead_end": dead_end, "correction": correction, "lang": "en" });
    let prompts = write(
        "prompts.jsonl",
        &[
            label("No, that's the wrong crane, use the one on the north quay.", false, false, true),
            label("run the harbour tests and push the branch", false, false, false),
        ],
    );
    let answers = write(
        "answers.jsonl",
        &[
            label("We decided to keep the mooring ledger in one file.", true, false, false),
            label("We tried polling the tide gauge, but it times out on every spring tide.", false, true, false),
        ],
    );
    let ran =
        scratch.six(&["bench", "extract", "--json", "--labels", argument(&prompts), "--turns", argument(&answers)]);
    let answer = ran.ok().json();
    assert_eq!(answer["schema"], "six.bench-extract/1");
    for kind in ["decision", "dead_end", "correction"] {
        assert_eq!(
            (&answer[kind]["tp"], &answer[kind]["fp"], &answer[kind]["fn"]),
            (&json!(1), &json!(0), &json!(0)),
            "{kind}"
        );
    }
    assert_eq!(answer["by_speaker"]["agent"]["turns"], 2);
    let text = scratch.six(&["bench", "extract", "--labels", argument(&prompts), "--show", "all"]);
    assert!(text.ok().stdout.contains("correction"));
}
