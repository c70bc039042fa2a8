//! Records and threads have a whole life: they are proposed, judged, reworded, replaced, given up, and nothing that they
//! were is lost.

use serde_json::{Value, json};
use testkit::{Ran, Scratch, payload};

fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    scratch
}

fn id_of(added: &Ran) -> String {
    added.ok().json()["record"]["id"].as_str().unwrap_or_default().to_owned()
}

fn added(scratch: &Scratch, args: &[&str]) -> String {
    id_of(&scratch.six(&[&args[..1], &["add"], &args[1..], &["--json"]].concat()))
}

/// The titles that a search finds.
fn found(scratch: &Scratch, query: &str) -> Vec<String> {
    let answer = scratch.six(&["search", query, "--json"]).json();
    let hits = answer["hits"].as_array().into_iter().flatten();
    hits.map(|hit| hit["title"].as_str().unwrap_or_default().to_owned()).collect()
}

/// All that the store holds of records and threads.
fn held(scratch: &Scratch) -> Vec<Value> {
    ["record", "record_history", "thread", "anchor"]
        .iter()
        .flat_map(|table| scratch.store_rows(&format!("SELECT * FROM {table} ORDER BY 1, 2")))
        .map(Value::Object)
        .collect()
}

fn refused(ran: &Ran, words: &[&str]) {
    assert_eq!(ran.status, Some(2), "{ran:?}");
    for word in words {
        assert!(ran.stderr.contains(word), "{word:?} is not in: {}", ran.stderr);
    }
    assert!(ran.stderr.contains("next: "), "{}", ran.stderr);
    assert!(ran.stdout.is_empty(), "{}", ran.stdout);
}

fn log(scratch: &Scratch, id: &str) -> Vec<Value> {
    scratch.six(&["log", id, "--json"]).ok().json()["changes"].as_array().cloned().unwrap_or_default()
}

#[test]
fn the_history_of_a_record_is_complete_from_its_proposal_to_its_end() {
    let scratch = installed();
    let old = id_of(&scratch.six_as_agent(&["decision", "add", "Manifests are kept in Parquet files", "--json"]));
    scratch.six_as_agent(&["decision", "edit", &old, "--why", "columns are read alone"]).ok();
    assert!(found(&scratch, "manifests").is_empty(), "a proposal is not found");
    scratch.six(&["decision", "reject", &old, "--reason", "too early"]).ok();
    scratch.six(&["decision", "confirm", &old, "--reason", "on second thoughts"]).ok();
    assert_eq!(found(&scratch, "manifests"), ["Manifests are kept in Parquet files"]);

    let title = "Cargo lists are kept in Parquet files";
    let edit = ["decision", "edit", &old, "--title", title, "--rejected", "CSV: no types", "--commit", "0A1B2C3D"];
    scratch.six(&[&edit[..], &["--thread", "Storage"]].concat()).ok();
    assert_eq!((found(&scratch, "manifests"), found(&scratch, "cargo")), (vec![], vec![title.to_owned()]));
    scratch.six(&["decision", "edit", &old, "--title", title]).ok();

    scratch.six(&["decision", "retire", &old, "--reason", "no reader is left"]).ok();
    assert!(found(&scratch, "cargo").is_empty());
    let new = added(&scratch, &["decision", "Lists are kept in one table"]);
    scratch.six(&["decision", "supersede", &old[..8], &new[..8], "--reason", "one place for all"]).ok();
    assert!(found(&scratch, "cargo").is_empty());

    let changes = log(&scratch, &old);
    let told: Vec<Value> = changes.iter().map(|c| json!([c["author"], c["from"], c["to"], c["reason"]])).collect();
    assert_eq!(
        told,
        [
            json!(["agent", null, "pending", ""]),
            json!(["agent", "pending", "pending", ""]),
            json!(["operator", "pending", "rejected", "too early"]),
            json!(["operator", "rejected", "confirmed", "on second thoughts"]),
            json!(["operator", "confirmed", "confirmed", ""]),
            json!(["operator", "confirmed", "retired", "no reader is left"]),
            json!(["operator", "retired", "superseded", "one place for all"]),
        ]
    );
    let fields = changes[4]["fields"].as_array().expect("fields");
    let field = |name: &str| {
        let field = fields.iter().find(|field| field["name"] == name).unwrap_or(&Value::Null);
        (field["before"].clone(), field["after"].clone())
    };
    assert_eq!(field("title"), (json!("Manifests are kept in Parquet files"), json!(title)));
    assert_eq!(field("rejected"), (json!([]), json!(["CSV: no types"])));
    assert_eq!(field("commits"), (json!([]), json!(["0a1b2c3d"])));
    assert_eq!(field("body"), (Value::Null, Value::Null), "what did not change is not told");

    let shown = scratch.six(&["decision", "show", &old, "--json"]).ok().json();
    assert_eq!(shown["schema"], "six.decision/1");
    assert_eq!((&shown["record"]["state"], &shown["superseded_by"]["id"]), (&json!("superseded"), &json!(new)));
    assert_eq!(shown["history"].as_array().map(Vec::len), Some(7));
    let successor = scratch.six(&["show", &new, "--json"]).ok().json();
    assert_eq!(successor["supersedes"][0]["id"], json!(old));

    let lines = scratch.six(&["log", &old]).ok().stdout.clone();
    assert_eq!(lines.lines().count(), 8, "{lines}");
    let order = ["made, pending", "-> rejected", "-> confirmed", "title: \"Manifests", "-> retired", "-> superseded"];
    let places: Vec<_> = order.iter().map(|words| lines.find(words)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{lines}");
    let newest = scratch.six(&["log", "--limit", "2", "--json"]).ok().json()["changes"].clone();
    assert_eq!((&newest[0]["to"], &newest[1]["record"]), (&json!("superseded"), &json!(new)));
}

#[test]
fn what_is_replaced_or_given_up_is_said_on_no_prompt() {
    let scratch = Scratch::new();
    let parts: Vec<String> = (0..400).map(|n| format!("## Part {n}\n\nThe rope of part {n} is checked.\n")).collect();
    scratch.write("docs/parts.md", &parts.join("\n"));
    scratch.commit("docs: the parts");
    scratch.six(&["install", "--no-templates"]).ok();
    let told = |number: u16| {
        let mut session = scratch.session(number);
        let prompt = payload::user_prompt(&mut session, "Install the date picker package.");
        scratch.answer("user-prompt-submit", &prompt).context().unwrap_or_default()
    };
    let old = added(&scratch, &["correction", "Use pnpm, not npm"]);
    assert!(told(1).contains("Use pnpm, not npm"));

    let new = added(&scratch, &["correction", "Packages come from the mirror, never from npm"]);
    scratch.six(&["correction", "supersede", &old, &new]).ok();
    let both = told(2);
    assert!(both.contains("from the mirror") && !both.contains("Use pnpm"), "{both}");

    scratch.six(&["correction", "retire", &new]).ok();
    assert!(!told(3).contains("from the mirror"));
    scratch.six(&["correction", "confirm", &new]).ok();
    assert!(told(4).contains("from the mirror"));
}

#[test]
fn an_agent_may_propose_and_reword_its_proposal_and_nothing_else() {
    let scratch = installed();
    scratch.six(&["thread", "add", "Storage"]).ok();
    scratch.six(&["thread", "add", "Mooring"]).ok();
    let said = added(&scratch, &["decision", "Lists are kept in one table"]);
    let other = added(&scratch, &["decision", "Lists are sorted by harbour"]);
    let own = id_of(&scratch.six_as_agent(&["decision", "add", "Tides come from a file", "--json"]));
    let before = held(&scratch);
    let verdicts: [&[&str]; 9] = [
        &["decision", "confirm", &own],
        &["decision", "reject", &own],
        &["decision", "retire", &said],
        &["decision", "supersede", &said, &other],
        &["thread", "close", "Storage"],
        &["thread", "reopen", "Storage"],
        &["thread", "rename", "Storage", "Tables"],
        &["thread", "merge", "Storage", "Mooring"],
        &["thread", "edit", "Storage", "--summary", "where all is kept"],
    ];
    for verdict in verdicts {
        refused(&scratch.six_as_agent(verdict), &["a person's word", "ask the operator"]);
    }
    let next = format!("six decision add TITLE, then ask the operator to run: six decision supersede {said} NEW");
    let reword = ["decision", "edit", &said, "--title", "Lists are kept nowhere", "--thread", "Elsewhere"];
    refused(&scratch.six_as_agent(&reword), &[&next]);
    assert_eq!(held(&scratch), before, "nothing changed");

    scratch.six_as_agent(&["decision", "edit", &own, "--title", "Tides come from a table"]).ok();
    let shown = scratch.six(&["show", &own, "--json"]).ok().json();
    assert_eq!((&shown["record"]["state"], &shown["history"][1]["author"]), (&json!("pending"), &json!("agent")));
    scratch.six(&["decision", "confirm", &own]).ok();
    refused(&scratch.six_as_agent(&["decision", "edit", &own, "--title", "Tides come from the web"]), &["confirmed"]);
}

#[test]
fn what_can_not_be_done_is_refused_with_what_can_and_loses_nothing() {
    let scratch = installed();
    let one = added(&scratch, &["decision", "Lists are kept in one table"]);
    let two = added(&scratch, &["decision", "Lists are kept in two tables"]);
    let dead = added(&scratch, &["dead-end", "Lists in a file", "--evidence", "sort took 90 s"]);
    let own = id_of(&scratch.six_as_agent(&["decision", "add", "Lists are kept in three tables", "--json"]));
    scratch.six(&["decision", "supersede", &one, &two]).ok();
    let before = held(&scratch);
    let wrong: [(&[&str], &[&str]); 14] = [
        (&["decision", "supersede", &two, &two], &["can't replace itself"]),
        (&["decision", "supersede", &two, &one], &["superseded", &format!("replaced it in its turn: {two}")]),
        (&["decision", "supersede", &one, &two], &["superseded already"]),
        (&["decision", "supersede", &two, &own], &["before it is in force", &format!("six decision confirm {own}")]),
        (&["decision", "supersede", &two, &dead], &[&format!("six dead-end show {dead}")]),
        (&["decision", "supersede", &two, "nobody"], &["there is no record"]),
        (&["decision", "confirm", &one], &["can't become confirmed", &format!("six decision show {one}")]),
        (&["decision", "reject", &two], &["can't become rejected", &format!("six decision retire {two}")]),
        (&["decision", "retire", &two, &own], &["can't become retired", &format!("six decision reject {own}")]),
        (&["decision", "edit", &two], &["nothing was given"]),
        (&["decision", "edit", &two, "--title", " "], &["title is empty"]),
        (&["decision", "edit", &two, "--commit", "HEAD~1"], &["no name of a commit"]),
        (&["decision", "add", "Lists are sorted", "--commit", "abc"], &["no name of a commit"]),
        (&["decision", "edit", &two, "--anchor", "nowhere.rs", "--thread", "New"], &["nowhere.rs"]),
    ];
    for (command, words) in wrong {
        refused(&scratch.six(command), words);
    }
    assert_eq!(held(&scratch), before, "nothing changed, and no thread was opened");
    let unchanged = scratch.six(&["decision", "edit", &two, "--title", "Lists are kept in two tables", "--json"]);
    assert_eq!(unchanged.ok().json()["changed"], json!(false));
    assert_eq!(held(&scratch), before);
    assert_eq!(scratch.six(&["log", "nobody"]).status, Some(1));
    assert_eq!(scratch.six(&["show", "nobody"]).status, Some(1));
}

#[test]
fn names_of_threads_never_become_one_by_themselves() {
    let scratch = installed();
    // The same to the eye: the second has a Cyrillic letter in it. The third is the first in another script.
    let names = ["cache", "cach\u{435}", "\u{43a}\u{44d}\u{448}", "\u{7f13}\u{5b58}"];
    for name in names {
        added(&scratch, &["decision", &format!("Decided on {name}"), "--thread", name]);
    }
    let threads = scratch.six(&["thread", "list", "--json"]).ok().json()["threads"].clone();
    assert_eq!(threads.as_array().map(Vec::len), Some(4));
    for name in names {
        let shown = scratch.six(&["thread", "show", name, "--json"]).ok().json();
        assert_eq!(shown["records"].as_array().map(Vec::len), Some(1));
        assert_eq!(shown["records"][0]["title"], json!(format!("Decided on {name}")));
    }
    // An accent may be composed in two ways, and is the same.
    scratch.six(&["thread", "add", "caf\u{e9}"]).ok();
    refused(&scratch.six(&["thread", "add", "cafe\u{301}"]), &["there is a thread of that name"]);
    refused(&scratch.six(&["thread", "rename", "cache", "cafe\u{301}"]), &["there is a thread of that name"]);
    refused(&scratch.six(&["thread", "show", "caches"]), &["there is no thread", "did you mean \"cache\""]);
    refused(&scratch.six(&["decision", "list", "--thread", "caches"]), &["did you mean \"cache\""]);
}

#[test]
fn a_thread_is_closed_renamed_and_merged_and_its_old_names_still_lead_to_its_records() {
    let scratch = installed();
    let first = added(&scratch, &["decision", "Events go through an outbox", "--thread", "Queue"]);
    added(&scratch, &["dead-end", "Events are polled", "--thread", "Events"]);
    let queue = scratch.six(&["thread", "show", "Queue", "--json"]).ok().json()["thread"]["id"].clone();
    let moved = ["thread", "merge", "Queue", "Events", "--reason", "one matter", "--json"];
    assert_eq!(scratch.six(&moved).ok().json()["moved"], json!(1));

    let id = queue.as_str().expect("an id");
    for name in ["Queue", id, "Events"] {
        let shown = scratch.six(&["thread", "show", name, "--json"]).ok().json();
        assert_eq!((&shown["thread"]["name"], &shown["merged"][0]["name"]), (&json!("Events"), &json!("Queue")));
        let titles: Vec<_> =
            shown["records"].as_array().into_iter().flatten().map(|record| record["title"].clone()).collect();
        assert_eq!(titles, ["Events go through an outbox", "Events are polled"], "in order");
        let decisions = scratch.six(&["decision", "list", "--thread", name, "--json"]).ok().json();
        assert_eq!(decisions["records"].as_array().map(Vec::len), Some(1));
    }
    let last = log(&scratch, &first).pop().expect("a change");
    assert_eq!((&last["fields"][0]["before"], &last["reason"]), (&queue, &json!("one matter")));
    refused(&scratch.six(&["thread", "add", "Queue"]), &["there is a thread of that name"]);
    refused(&scratch.six(&["thread", "merge", "Queue", "Events"]), &["one thread"]);

    added(&scratch, &["decision", "The outbox is emptied in order", "--thread", "Queue"]);
    scratch.six(&["thread", "rename", "Queue", "Delivery"]).ok();
    scratch.six(&["thread", "edit", "Delivery", "--summary", "how events leave"]).ok();
    scratch.six(&["thread", "close", "Delivery"]).ok();
    let shown = scratch.six(&["thread", "show", "Queue", "--json"]).ok().json();
    assert_eq!(shown["records"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        [&shown["thread"]["name"], &shown["thread"]["summary"], &shown["thread"]["open"]],
        [&json!("Delivery"), &json!("how events leave"), &json!(false)]
    );
    scratch.six(&["thread", "reopen", "Delivery"]).ok();
    assert!(scratch.six(&["thread", "list"]).ok().stdout.contains("open   Delivery"));
}

#[test]
fn a_record_is_shown_with_what_it_stands_on_as_that_is_now() {
    let scratch = installed();
    scratch.write("src/tide.rs", "fn tide() {}\nfn ebb() {}\n");
    scratch.commit("tide: a start");
    let title = "Tides are computed\u{1b}[31m";
    let id = added(&scratch, &["decision", title, "--why", "no feed is free", "--anchor", "src/tide.rs:1-2"]);
    let state = || scratch.six(&["show", &id, "--json"]).ok().json()["anchors"][0]["state"].clone();
    assert_eq!(state(), json!("holds"));
    let shown = scratch.six(&["decision", "show", &id]).ok().stdout.clone();
    assert!(shown.contains("stands on: verified today, unchanged: \"src/tide.rs:1-2\""), "{shown}");
    assert!(!shown.contains('\u{1b}'), "{shown:?}");

    scratch.write("src/tide.rs", "fn flood() {}\nfn ebb() {}\n");
    let shown = scratch.six(&["show", &id]).ok().stdout.clone();
    assert!(shown.contains("CHANGED"), "{shown}");
    scratch.six(&["decision", "edit", &id, "--why", "a feed costs"]).ok();
    assert_eq!(state(), json!("holds"), "whoever rewords it says that it holds for what is there today");
    scratch.six(&["decision", "edit", &id, "--no-anchor"]).ok();
    assert_eq!(state(), Value::Null);

    scratch.write("src/moon.rs", "fn moon() {}\n");
    for file in ["src/tide.rs", "src/moon.rs"] {
        scratch.six(&["decision", "edit", &id, "--why", &format!("{file} has the formula")]).ok();
        let anchors = scratch.six(&["show", &id, "--json"]).ok().json()["anchors"].clone();
        assert_eq!(anchors, json!([{"place": file, "state": "holds"}]), "what the text no longer mentions is gone");
    }
}

fn state_of(scratch: &Scratch, id: &str) -> Value {
    scratch.six(&["show", id, "--json"]).ok().json()["record"]["state"].clone()
}

#[test]
fn a_single_command_says_what_it_hit_and_is_taken_back_like_a_batch() {
    let scratch = installed();
    let id = id_of(&scratch.six_as_agent(&["decision", "add", "Tides come from a table", "--json"]));
    let other = added(&scratch, &["decision", "Tides come from a feed"]);
    let title = "Tides come from a formula";
    let commands: [(&[&str], &str, &str); 5] = [
        (&["decision", "reject", &id], "pending", "rejected: Tides come from a table"),
        (&["decision", "confirm", &id], "pending", "confirmed: Tides come from a table"),
        (&["decision", "edit", &id, "--title", title], "pending", "changed: Tides come from a formula"),
        (&["decision", "retire", &other], "confirmed", "retired: Tides come from a feed"),
        (&["decision", "supersede", &id, &other], "pending", "superseded: Tides come from a table"),
    ];
    for (command, before, told) in commands {
        let done = scratch.six(command).ok().stdout.clone();
        let batch = done.split_once("take it back: six triage --undo ").map(|(_, batch)| batch.trim().to_owned());
        assert!(done.contains(told) && batch.is_some(), "{done}");
        let asked = if before == "pending" { batch.unwrap_or_default() } else { String::from("last") };
        scratch.six(&["triage", "--undo", &asked]).ok();
        assert_eq!(state_of(&scratch, command[2]), json!(before), "{command:?}");
        assert_eq!(found(&scratch, "tides"), ["Tides come from a feed"], "{command:?}");
    }
    assert_eq!(scratch.six(&["triage", "--undo", "last"]).status, Some(1), "nothing else was done");
}

#[test]
fn a_change_of_mind_is_one_command_and_a_persons_word() {
    let scratch = installed();
    let old = added(&scratch, &["correction", "Use npm"]);
    let ask = format!("six correction add TITLE, then ask the operator to run: six correction supersede {old} NEW");
    let by_agent = scratch.six_as_agent(&["correction", "add", "Use pnpm", "--supersedes", &old]);
    refused(&by_agent, &["a person's word", &ask]);
    refused(&scratch.six(&["decision", "add", "Use pnpm", "--supersedes", &old]), &["is a correction, not a decision"]);
    let new = added(&scratch, &["correction", "Use pnpm", "--supersedes", &old[..8]]);
    let shown = scratch.six(&["show", &old, "--json"]).ok().json();
    assert_eq!((&shown["record"]["state"], &shown["superseded_by"]["id"]), (&json!("superseded"), &json!(new)));
    let history = scratch.six(&["log", &old]).ok().stdout.clone();
    assert!(history.contains(&format!("superseded by: {new} \"Use pnpm\"")), "{history}");
    refused(&scratch.six(&["correction", "add", "Use yarn", "--supersedes", &old]), &["superseded already"]);

    let undone = scratch.six(&["triage", "--undo", "last"]).ok().stdout.clone();
    assert!(undone.contains("was added by it and is retired: Use pnpm"), "{undone}");
    assert_eq!((state_of(&scratch, &old), state_of(&scratch, &new)), (json!("confirmed"), json!("retired")));
}

#[test]
fn what_stands_there_in_the_same_words_is_not_entered_again() {
    let scratch = installed();
    let rule = added(&scratch, &["correction", "Use pnpm, never npm"]);
    let edit = format!("six correction edit {rule}");
    refused(&scratch.six(&["correction", "add", "use  pnpm, never NPM."]), &["Use pnpm, never npm", "in force", &edit]);
    let own = id_of(&scratch.six_as_agent(&["decision", "add", "Tides come from a table", "--json"]));
    let confirm = format!("six decision confirm {own}");
    refused(&scratch.six(&["decision", "add", "Tides come from a table"]), &["waits for a verdict", &confirm]);
    added(&scratch, &["decision", "Use pnpm, never npm"]);
    scratch.six(&["correction", "retire", &rule]).ok();
    added(&scratch, &["correction", "Use pnpm, never npm"]);
}

#[test]
fn a_thread_is_found_by_its_name_in_any_case() {
    let scratch = installed();
    added(&scratch, &["decision", "Tides come from a table", "--thread", "Forecast"]);
    added(&scratch, &["decision", "Winds come from a feed", "--thread", "forecast"]);
    let shown = scratch.six(&["thread", "show", "FORECAST", "--json"]).ok().json();
    assert_eq!((&shown["thread"]["name"], shown["records"].as_array().map(Vec::len)), (&json!("Forecast"), Some(2)));
    refused(&scratch.six(&["thread", "add", "forecast"]), &["there is a thread of that name"]);
    assert!(scratch.six(&["lineage", "forecast"]).ok().stdout.contains("in force today: "));
}

#[test]
fn a_hit_names_the_record_that_its_commands_take() {
    let scratch = installed();
    let id = added(&scratch, &["decision", "Tides come from a table"]);
    let hit = scratch.six(&["search", "tides", "--json"]).ok().json()["hits"][0].clone();
    assert_eq!((&hit["record"], &hit["kind"]), (&json!(id), &json!("decision")));
    let chunk = hit["id"].as_str().expect("an id").to_owned();
    assert_eq!(scratch.six(&["show", &chunk, "--json"]).ok().json()["record"], json!(id));
    for told in [scratch.six(&["search", "tides"]), scratch.six(&["show", &chunk])] {
        assert!(told.stdout.contains(&format!("decision {id}")), "{}", told.stdout);
    }
}
