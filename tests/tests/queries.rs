//! What people type, and what the query language would make of it: words are words, in every script.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use serde_json::Value;
use testkit::{Scratch, payload};

/// Operators, quotes, brackets, flags: what FTS5 or the shell would read as something else than words.
const HOSTILE: [&str; 40] = [
    "foo AND (bar",
    "don't",
    "NEAR(",
    "NEAR(a b, 2)",
    "*",
    "OR",
    "AND",
    "NOT",
    "NOT a",
    "C++",
    "a \"b",
    "\"",
    "\"\"",
    "'",
    "{a b}:c",
    "{a",
    "a-b",
    "title:foo",
    "body:",
    "-x",
    "--flag",
    "--no-verify",
    "^start",
    "a^b",
    "a/b",
    "C:\\x",
    "\\",
    "a::b",
    "a OR",
    "a AND NOT",
    "(",
    ")",
    "((((",
    ";--",
    "%s%n",
    "?:!,.",
    "\u{202e}abc",
    "\u{0301}",
    "a*b*",
    "+ - ~",
];

fn installed() -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    scratch
}

fn hits(scratch: &Scratch, query: &str) -> Vec<Value> {
    let ran = scratch.six(&["search", query, "--json"]);
    assert!(matches!(ran.status, Some(0 | 1)), "{query:?}: {:?} {}", ran.status, ran.stderr);
    let found = ran.json();
    assert_eq!(found["schema"], "six.search/1");
    let hits = found["hits"].as_array().expect("an answer has hits").clone();
    assert_eq!(hits.is_empty(), ran.status == Some(1), "{query:?}");
    hits
}

fn titles(scratch: &Scratch, query: &str) -> Vec<String> {
    let title = |hit: &Value| hit["title"].as_str().unwrap_or_default().to_owned();
    hits(scratch, query).iter().map(title).collect()
}

#[test]
fn no_query_is_an_error() {
    let scratch = installed();
    scratch.six(&["decision", "add", "Run the pre-edit hook", "--why", "foo bar of C:\\x and a::b"]).ok();
    let long = "harbour ".repeat(8_000);
    for query in HOSTILE.into_iter().chain(["", "   ", "\t\n", &long, &"x".repeat(60_000)]) {
        hits(&scratch, query);
    }
    for word in ["--json", "--limit", "-q", "--help"] {
        let ran = scratch.six(&["search", "--json", "--", word]);
        assert_eq!(ran.json()["schema"], "six.search/1", "{word} behind -- is a word");
    }
}

#[test]
fn nothing_but_blanks_or_signs_finds_nothing() {
    let scratch = installed();
    scratch.six(&["decision", "add", "Run the hook - now * (really)", "--why", "^ \" :"]).ok();
    for query in ["", "   ", "\t\n", "*", "\"\"", "()", "?:!,.", "- - -", "^"] {
        let ran = scratch.six(&["search", query]);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""), "{query:?}");
        assert_eq!(ran.stderr.trim(), "nothing found: there is no word to look for in the query", "{query:?}");
    }
}

#[test]
fn flags_stand_before_or_after_the_words() {
    let scratch = installed();
    for n in 0..4 {
        scratch.six(&["decision", "add", &format!("Lamp {n} is green --no-verify")]).ok();
    }
    for args in [
        &["search", "--json", "--limit", "2", "lamp", "green"][..],
        &["search", "lamp", "--limit", "2", "green", "--json"],
        &["search", "lamp", "--json", "--limit=2"],
        &["--json", "search", "lamp", "--limit", "2"],
        &["search", "--limit", "2", "--json", "--no-verify"],
    ] {
        let found = scratch.six(args).ok().json();
        assert_eq!(found["hits"].as_array().map(Vec::len), Some(2), "{args:?}");
    }
    let typo = scratch.six(&["search", "lamp", "--source", "docs"]);
    assert_eq!(typo.status, Some(2));
    assert!(typo.stderr.contains("did you mean --source doc?"), "{}", typo.stderr);
}

#[test]
fn words_with_signs_in_them_find_what_contains_them() {
    let scratch = installed();
    for title in [
        "Run the pre-edit hook",
        "Call quay::mooring::bind first",
        "Logs go to C:\\harbour\\log",
        "Pass --no-verify to the tide tool",
        "Call six_home_dir for the folder",
        "Keep TideTableParser in one file",
        "Ask pier@example.invalid for keys",
        "Read docs/tide/neap.md first",
        "The gate wants C++ and F#",
    ] {
        scratch.six(&["decision", "add", title]).ok();
    }
    for (query, title) in [
        ("pre-edit", "Run the pre-edit hook"),
        ("edit", "Run the pre-edit hook"),
        ("\"pre-edit hook\"", "Run the pre-edit hook"),
        ("quay::mooring", "Call quay::mooring::bind first"),
        ("mooring::bind(", "Call quay::mooring::bind first"),
        ("C:\\harbour", "Logs go to C:\\harbour\\log"),
        ("--no-verify", "Pass --no-verify to the tide tool"),
        ("six_home_dir", "Call six_home_dir for the folder"),
        ("home dir", "Call six_home_dir for the folder"),
        ("tide_table_parser", "Keep TideTableParser in one file"),
        ("TableParser", "Keep TideTableParser in one file"),
        ("pier@example.invalid", "Ask pier@example.invalid for keys"),
        ("tide/neap.md", "Read docs/tide/neap.md first"),
        ("C++", "The gate wants C++ and F#"),
    ] {
        let found = titles(&scratch, query);
        assert_eq!(found.first().map(String::as_str), Some(title), "{query}: {found:?}");
    }
    for query in ["title:foo", "-x", "zz-top"] {
        assert_eq!(titles(&scratch, query), Vec::<String>::new(), "{query}");
    }
}

#[test]
fn an_inner_phrase_of_two_signs_or_more_is_found_in_every_script() {
    let scratch = installed();
    let notes = [
        "部署方案决定用 SQLite",
        "今日は成語しりとりをした",
        "배포는 금요일에 하지 않는다",
        "Развёртывание идёт ночью",
        "النشر يتم ليلا",
        "เราปล่อยรุ่นใหม่ทุกวันจันทร์",
        "Die Hafenmeisterverordnung gilt",
        "Le café ferme à midi",
        "Deploy at night",
    ];
    for note in notes {
        scratch.six(&["decision", "add", note]).ok();
    }
    for (query, at) in [
        ("部署", 0),
        ("方案", 0),
        ("署方", 0),
        ("决定用", 0),
        ("sqlite", 0),
        ("しりとり", 1),
        ("成語", 1),
        ("語し", 1),
        ("배포", 2),
        ("금요일", 2),
        ("развертывание", 3),
        ("ночью", 3),
        ("النشر", 4),
        ("รุ่นใหม่", 5),
        ("วันจันทร์", 5),
        ("hafenmeisterverordnung", 6),
        ("cafe", 7),
        ("CAFÉ", 7),
        ("cafe\u{301}", 7),
        ("night", 8),
        ("deploy", 8),
    ] {
        let found = titles(&scratch, query);
        assert_eq!(found.first().map(String::as_str), Some(notes[at]), "{query}: {found:?}");
    }
    assert_eq!(titles(&scratch, "鯨"), Vec::<String>::new());
}

#[test]
fn a_prompt_of_operators_is_a_turn_like_any_other() {
    let scratch = installed();
    scratch.six(&["decision", "add", "Ship manifests are kept in Parquet files"]).ok();
    let mut session = scratch.session(1);
    for prompt in HOSTILE {
        scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, prompt));
        assert_eq!(scratch.last_heartbeat().outcome.as_deref(), Some("ok"), "{prompt}");
    }
    for around in
        ["Build \"a ( Parquet* writer: for the ship-manifests^ AND NEAR(", "build Parquet OR ship: manifests {"]
    {
        let prompt = payload::user_prompt(&mut session, around);
        let told = scratch.answer("user-prompt-submit", &prompt).context();
        assert!(told.is_some_and(|told| told.contains("Parquet files")), "{around}");
    }
    assert_eq!(scratch.store_rows("SELECT 1 FROM receipt").len(), HOSTILE.len() + 2);
    assert!(scratch.store_rows("SELECT receipt_json AS r FROM receipt WHERE r LIKE '%candidates:%'").is_empty());
}
