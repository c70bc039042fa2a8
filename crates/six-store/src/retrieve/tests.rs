use std::collections::BTreeSet;

use rusqlite::params;
use six_core::ingest::Mode;
use six_core::record::UnixMs;
use six_core::search::{EmbedTranscripts, Filter, Legs, NoVector};

use super::*;
use crate::table::body_fts;
use crate::testkit::*;

fn texts(hits: &[Hit]) -> Vec<&str> {
    hits.iter().map(|h| h.text.as_str()).collect()
}

#[test]
fn any_word_finds_and_the_rarer_one_ranks() {
    let s = Scratch::new();
    s.store.commit(&doc_batch("a.md", "queue of orders\nqueue of mails\nqueue with jitter\nnothing here")).unwrap();
    let hits = s.store.search(&query("queue jitter")).unwrap().hits;
    assert_eq!(hits.len(), 3);
    assert_eq!(hits[0].text, "queue with jitter");
    assert!((hits[0].score - 1.0).abs() < 1e-9);
    assert!(s.store.search(&query("absent")).unwrap().hits.is_empty());
    assert!(s.store.search(&query("")).unwrap().hits.is_empty());
}

#[test]
fn a_title_counts_more_than_a_body() {
    let s = Scratch::new();
    let mut titled = doc("b.md", "some words of the same length");
    titled.title = text("jitter");
    s.store.commit(&doc_batch("a.md", "jitter words of the same length")).unwrap();
    s.store.commit(&batch(Source::Doc, "b.md", Mode::Replace, vec![titled])).unwrap();
    s.store.commit(&doc_batch("c.md", "something else")).unwrap();
    s.store.commit(&doc_batch("d.md", "something different")).unwrap();
    s.store.commit(&doc_batch("e.md", "something new")).unwrap();
    let hits = s.store.search(&query("jitter")).unwrap().hits;
    assert_eq!(hits.iter().map(|h| h.path.as_deref().unwrap()).collect::<Vec<_>>(), ["b.md", "a.md"]);
}

#[test]
fn no_query_is_ever_an_error() {
    let s = Scratch::new();
    s.store.commit(&doc_batch("a.md", "NEAR the jitter AND OR NOT foo-bar a::b")).unwrap();
    let hostile = [
        "\"",
        "'",
        "*",
        "(",
        ")",
        "^",
        "-",
        "--",
        ":",
        "body:",
        "NEAR",
        "NEAR(",
        "AND",
        "OR",
        "NOT",
        "a* OR",
        "{",
        "}",
        "\0",
        "a\0b",
        "x\" OR body:\"y",
        "\u{feff}",
        "+",
        ",",
        "scope : record",
        " ",
        "\n",
    ];
    for word in hostile {
        term::add(&s.store.conn, [(word.to_owned(), 1)].into()).unwrap();
    }
    for word in hostile {
        let query = Query { terms: vec![QueryTerm(word.to_owned())], ..query("") };
        s.store.search(&query).unwrap_or_else(|e| panic!("{word:?}: {e:?}"));
    }
    let all = hostile.iter().map(|w| QueryTerm((*w).to_owned())).collect();
    s.store.search(&Query { terms: all, ..query("") }).unwrap();
}

#[test]
fn terms_with_punctuation_and_other_scripts_are_found_whole() {
    let s = Scratch::new();
    s.store.commit(&doc_batch("a.md", "x")).unwrap();
    for (n, term) in ["foo_bar", "a::b", "c++", "重试", "реестр", "คิว", "é", "naïve", "--flag"].iter().enumerate()
    {
        let id = i64::try_from(n).unwrap() + 100;
        let row =
            "INSERT INTO body_fts (rowid, body, identifiers, title, handles, scope) VALUES (?1, ?2, '', '', '', '')";
        s.store.conn.execute(row, params![id, format!("one {term} two")]).unwrap();
        assert!(body_fts::finds(&s.store.conn, id, term).unwrap(), "{term}");
    }
    assert!(!body_fts::finds(&s.store.conn, 100, "foo").unwrap());
}

#[test]
fn filters_work_inside_the_search() {
    let s = Scratch::new();
    for n in 0..80 {
        s.store.commit(&doc_batch(&format!("docs/{n}.md"), &format!("jitter jitter jitter {n}"))).unwrap();
    }
    let mut said = prompt("u1", "one jitter among many other words that make it long");
    said.at = Some(UnixMs(NOW.0 + 10));
    s.store.commit(&batch(Source::Transcript, "transcripts/t.jsonl", Mode::Append, vec![said])).unwrap();
    let found = |filter: Filter| {
        let hits = s.store.search(&Query { filter, ..query("jitter") }).unwrap().hits;
        hits.iter().map(|h| h.source).collect::<Vec<_>>()
    };
    assert_eq!(found(Filter { kinds: vec![EntryKind::Prompt], ..Filter::default() }), [Source::Transcript]);
    assert_eq!(found(Filter { sources: vec![Source::Transcript], ..Filter::default() }), [Source::Transcript]);
    assert_eq!(found(Filter { path: Some("docs/42".into()), ..Filter::default() }), [Source::Doc]);
    assert_eq!(found(Filter { path: Some("transcripts/".into()), ..Filter::default() }), [Source::Transcript]);
    assert_eq!(found(Filter { since: Some(UnixMs(NOW.0 + 1)), ..Filter::default() }), [Source::Transcript]);
    assert_eq!(found(Filter { kinds: vec![EntryKind::Commit], ..Filter::default() }), []);
}

#[test]
fn a_hit_can_be_shown_again_by_its_id() {
    let s = Scratch::new();
    s.store.commit(&doc_batch("a.md", "häßlich, 重试\nqueue with jitter")).unwrap();
    let hits = s.store.search(&query("jitter")).unwrap().hits;
    assert_eq!(texts(&hits), ["queue with jitter"]);
    assert_eq!(s.store.show(&hits[0].id).unwrap().unwrap().text, hits[0].text);
    for other in ["chunk:999", "chunk:", "chunk:x", "7", ""] {
        assert_eq!(s.store.show(other).unwrap(), None);
    }
}

#[test]
fn of_equal_references_the_live_one_is_shown() {
    let s = Scratch::new();
    let both = vec![prompt("u1", "queue with jitter"), prompt("u2", "queue with jitter")];
    s.store.commit(&batch(Source::Transcript, "t", Mode::Append, both)).unwrap();
    s.store.conn.execute("UPDATE entry SET abandoned = 1 WHERE key = ?1", ["u1"]).unwrap();
    assert_eq!(s.store.search(&query("jitter")).unwrap().hits[0].label, "");
    s.store.conn.execute("UPDATE entry SET abandoned = 1 WHERE key = ?1", ["u2"]).unwrap();
    assert_eq!(s.store.search(&query("jitter")).unwrap().hits[0].label, ABANDONED);
}

/// Gives every text that should have a vector the one that `of` makes of it.
fn embed_by(s: &Scratch, of: impl Fn(&str) -> [i8; 4]) {
    embed(&s.store, EmbedTranscripts::Off, |text| of(text).to_vec());
}

/// A query whose vector has these values.
fn meant(words: &str, values: [i8; 4]) -> Query {
    Query { vector: Ok(QueryVector { model: MODEL.to_owned(), values: values.to_vec() }), ..query(words) }
}

const SHIPS: [i8; 4] = [100, 0, 0, 0];
const MONEY: [i8; 4] = [0, 100, 0, 0];

fn by_matter(text: &str) -> [i8; 4] {
    if text.contains("pier") {
        [90, 0, 40, 0]
    } else if text.contains("ledger") {
        [0, 90, 0, 40]
    } else {
        [0, 0, 0, 100]
    }
}

#[test]
fn a_text_is_found_by_its_meaning_without_a_word_in_common() {
    let s = Scratch::new();
    s.store.commit(&doc_batch("a.md", "the pier is closed\nthe ledger is open\nnothing at all")).unwrap();
    embed_by(&s, by_matter);
    let found = s.store.search(&meant("vessels", SHIPS)).unwrap();
    assert_eq!(texts(&found.hits), ["the pier is closed"]);
    let parts = found.hits[0].parts;
    assert!(parts.lexical == 0.0 && (parts.vector - 1.0).abs() < 1e-9 && (parts.both - 1.0).abs() < 1e-9);
    assert_eq!(found.degraded, []);
}

#[test]
fn what_words_and_meaning_agree_on_comes_first() {
    let s = Scratch::new();
    s.store.commit(&doc_batch("a.md", "tide tables of the ledger\ntide tables of the pier\nanother pier")).unwrap();
    embed_by(&s, by_matter);
    let hits = s.store.search(&meant("tide", SHIPS)).unwrap().hits;
    assert_eq!(hits[0].text, "tide tables of the pier");
    let rest: BTreeSet<&str> = texts(&hits[1..]).into_iter().collect();
    assert_eq!(rest, BTreeSet::from(["tide tables of the ledger", "another pier"]));
    let only = |leg| s.store.search(&Query { legs: Legs::Only(leg), ..meant("tide", SHIPS) }).unwrap().hits;
    assert!(texts(&only(Leg::Lexical)).iter().all(|text| text.contains("tide")));
    assert!(texts(&only(Leg::Vector)).iter().all(|text| text.contains("pier")));
}

#[test]
fn a_filter_holds_in_both_legs() {
    let s = Scratch::new();
    s.store.commit(&doc_batch("docs/a.md", "the pier by day")).unwrap();
    s.store.commit(&doc_batch("docs/b.md", "the pier by night")).unwrap();
    embed_by(&s, by_matter);
    let filter = Filter { path: Some("b.md".into()), ..Filter::default() };
    let hits = s.store.search(&Query { filter, ..meant("pier", SHIPS) }).unwrap().hits;
    assert_eq!(texts(&hits), ["the pier by night"]);
}

#[test]
fn a_search_without_a_vector_answers_by_words_and_says_so() {
    let s = Scratch::new();
    s.store.commit(&doc_batch("a.md", "the pier is closed")).unwrap();
    let found = s.store.search(&query("which pier of the twelve that we have is closed today")).unwrap();
    assert_eq!(texts(&found.hits), ["the pier is closed"]);
    assert_eq!(found.degraded, [Degraded::NoQueryVector { why: NoVector::NotEmbedded }]);
    let words = Query { legs: Legs::Only(Leg::Lexical), ..query("pier") };
    assert_eq!(s.store.search(&words).unwrap().degraded, []);
}

#[test]
fn texts_that_still_wait_for_a_vector_or_have_one_of_another_model_are_counted() {
    let s = Scratch::new();
    s.store.commit(&doc_batch("a.md", "the pier is closed")).unwrap();
    embed_by(&s, by_matter);
    s.store.commit(&doc_batch("b.md", "the ledger is open")).unwrap();
    let found = s.store.search(&meant("pier", SHIPS)).unwrap();
    assert_eq!(found.degraded, [Degraded::Coverage { embedded: 1, eligible: 2 }]);
    let other = QueryVector { model: "another".to_owned(), values: vec![1; 8] };
    let found = s.store.search(&Query { vector: Ok(other), ..query("pier") }).unwrap();
    assert_eq!(texts(&found.hits), ["the pier is closed"]);
    assert_eq!(
        found.degraded,
        [
            Degraded::Coverage { embedded: 0, eligible: 2 },
            Degraded::OtherModel { model: "another".to_owned(), texts: 1 }
        ]
    );
}

#[test]
fn a_leg_that_fails_leaves_the_answer_to_the_other() {
    let s = Scratch::new();
    s.store.commit(&doc_batch("a.md", "the pier is closed")).unwrap();
    embed_by(&s, by_matter);
    s.store.conn.execute_batch("DROP TABLE body_fts").unwrap();
    let found = s.store.search(&meant("pier", SHIPS)).unwrap();
    assert_eq!(texts(&found.hits), ["the pier is closed"]);
    assert!(matches!(found.degraded[..], [Degraded::LegFailed { leg: Leg::Lexical, .. }]), "{:?}", found.degraded);
    assert!(s.store.search(&meant("pier", MONEY)).is_err(), "an index that is gone must not look like an empty one");

    let s = Scratch::new();
    s.store.commit(&doc_batch("a.md", "the pier is closed")).unwrap();
    s.store.conn.execute_batch("DROP TABLE vector").unwrap();
    s.store.conn.execute_batch("DROP TABLE model").unwrap();
    let found = s.store.search(&meant("pier", SHIPS)).unwrap();
    assert_eq!(texts(&found.hits), ["the pier is closed"]);
    assert!(matches!(found.degraded[..], [Degraded::LegFailed { leg: Leg::Vector, .. }]), "{:?}", found.degraded);
}

#[test]
fn near_duplicates_are_one_hit_that_names_the_others_and_make_room_for_the_next() {
    let s = Scratch::new();
    s.store.commit(&doc_batch("a.md", "Retry the upload with jitter.\nretry the upload, with jitter")).unwrap();
    s.store.commit(&doc_batch("b.md", "Retry the  UPLOAD with jitter!\nretry the upload with jitter 3 times")).unwrap();
    let found = s.store.search(&Query { limit: 2, ..query("retry upload jitter") }).unwrap();
    let [first, second] = &found.hits[..] else { panic!("{:?}", found.hits) };
    assert_eq!((first.duplicates.len(), second.duplicates.len()), (2, 0));
    assert!(second.text.ends_with("3 times"));
    for id in &first.duplicates {
        assert!(s.store.show(id).unwrap().unwrap().text.to_lowercase().contains("jitter"));
    }
}

#[test]
fn one_meaning_in_nearly_the_same_words_is_one_hit_and_two_meanings_are_two() {
    let s = Scratch::new();
    s.store.commit(&doc_batch("a.md", "send every mail through the pier\nsend each mail through the pier")).unwrap();
    embed_by(&s, by_matter);
    assert_eq!(s.store.search(&meant("mail", SHIPS)).unwrap().hits.len(), 1);
    embed_again(&s, |text| if text.contains("every") { SHIPS } else { MONEY });
    assert_eq!(s.store.search(&meant("mail", SHIPS)).unwrap().hits.len(), 2);
}

/// Replaces the vectors by those of a model of the same name.
fn embed_again(s: &Scratch, of: impl Fn(&str) -> [i8; 4]) {
    s.store.conn.execute_batch("DELETE FROM vector; UPDATE body SET model_id = NULL").unwrap();
    embed_by(s, of);
}

#[test]
fn what_holds_does_not_vanish_behind_what_was_left_behind() {
    let s = Scratch::new();
    let both = vec![prompt("u1", "retry the upload with jitter"), prompt("u2", "Retry the upload with jitter!")];
    s.store.commit(&batch(Source::Transcript, "t", Mode::Append, both)).unwrap();
    assert_eq!(s.store.search(&query("jitter")).unwrap().hits.len(), 1);
    s.store.conn.execute("UPDATE entry SET abandoned = 1 WHERE key = ?1", ["u1"]).unwrap();
    let hits = s.store.search(&query("jitter")).unwrap().hits;
    assert_eq!(hits.iter().map(|hit| hit.label.as_str()).collect::<BTreeSet<_>>(), BTreeSet::from(["", ABANDONED]));
}

#[test]
fn an_order_and_its_answer_are_two_hits_though_the_words_are_the_same() {
    let s = Scratch::new();
    let both = vec![prompt("u1", "Use mongodb."), answer("a1", "Using mongodb."), prompt("u2", "use mongodb")];
    s.store.commit(&batch(Source::Transcript, "t", Mode::Append, both)).unwrap();
    s.store.commit(&doc_batch("a.md", "Use mongodb!")).unwrap();
    let hits = s.store.search(&query("mongodb")).unwrap().hits;
    let kinds: BTreeSet<_> = hits.iter().map(|hit| (hit.kind, hit.duplicates.len())).collect();
    assert_eq!(kinds, BTreeSet::from([(EntryKind::Prompt, 1), (EntryKind::Answer, 0), (EntryKind::Doc, 0)]));
}

fn decision(s: &Scratch, id: &str, title: &str, days_ago: i64) {
    let mut new = record(id, RecordKind::Decision, RecordState::Confirmed, title, "");
    new.validated = UnixMs(NOW.0 - days_ago * UnixMs::DAY_MS);
    assert!(s.store.add_record(&new, "operator").unwrap());
}

#[test]
fn of_equal_records_the_one_that_was_validated_last_comes_first_and_the_clock_is_the_callers() {
    let s = Scratch::new();
    decision(&s, "old", "use the outbox for mails", 360);
    decision(&s, "new", "use the outbox for orders", 90);
    let hits = s.store.search(&query("outbox")).unwrap().hits;
    assert_eq!(texts(&hits), ["use the outbox for orders", "use the outbox for mails"]);
    assert!((hits[1].parts.freshness - 0.25).abs() < 1e-9 && (hits[0].parts.freshness - 0.5_f64.sqrt()).abs() < 1e-9);
    let then = Query { now: UnixMs(NOW.0 - 360 * UnixMs::DAY_MS), ..query("outbox") };
    assert!(s.store.search(&then).unwrap().hits.iter().all(|hit| (hit.parts.freshness - 1.0).abs() < 1e-9));
    s.store.set_state("old", RecordState::Confirmed, "operator", NOW).unwrap();
    assert!(s.store.search(&query("mails")).unwrap().hits[0].parts.freshness > 0.999, "confirmed anew is fresh");
}

#[test]
fn a_record_that_is_no_longer_in_force_is_never_a_hit_even_if_the_index_still_has_it() {
    let s = Scratch::new();
    decision(&s, "r", "use the outbox for mails", 0);
    embed_by(&s, |_| SHIPS);
    assert_eq!(s.store.search(&meant("outbox", SHIPS)).unwrap().hits.len(), 1);
    for state in ["superseded", "expired", "retired", "rejected", "pending"] {
        s.store.conn.execute("UPDATE record SET state = ?1", [state]).unwrap();
        assert_eq!(s.store.search(&meant("outbox", SHIPS)).unwrap().hits, [], "{state}");
    }
}

#[test]
fn signs_in_words_are_searched_for_as_they_stand() {
    let s = Scratch::new();
    let lines = [
        "run the pre-edit hook",
        "call quay::mooring::bind first",
        "logs go to C:\\harbour\\log",
        "pass --no-verify to the tide tool",
        "call six_home_dir for the folder",
        "keep TideTableParser in one file",
        "ask pier@example.invalid for keys",
        "read docs/tide/neap.md first",
        "the gate wants C++ and F#",
    ];
    s.store.commit(&doc_batch("a.md", &lines.join("\n"))).unwrap();
    for (words, expected) in [
        ("pre-edit", 0),
        ("pre_edit", 0),
        ("quay::mooring", 1),
        ("mooring", 1),
        ("C:\\harbour", 2),
        ("--no-verify", 3),
        ("home_dir", 4),
        ("tide table parser", 5),
        ("TideTableParser", 5),
        ("pier@example.invalid", 6),
        ("neap.md", 7),
        ("C++", 8),
        ("F#", 8),
    ] {
        let hits = s.store.search(&query(words)).unwrap().hits;
        assert_eq!(hits.first().map(|hit| hit.text.as_str()), Some(lines[expected]), "{words}");
    }
}

#[test]
fn an_inner_phrase_is_found_in_every_script() {
    let s = Scratch::new();
    let told = [
        ("部署方案决定用 SQLite", &["部署", "方案", "sqlite"][..]),
        ("今日は成語しりとりをした", &["しりとり", "成語"]),
        ("サーバーの設定を変更", &["設定", "サーバー"]),
        ("데이터베이스를 선택했다", &["데이터베이스", "선택"]),
        ("Мы решили использовать базу данных", &["базу данных", "РЕШИЛИ"]),
        ("قررنا استخدام قاعدة البيانات", &["قاعدة البيانات", "قاعدة"]),
        ("เราเลือกใช้ฐานข้อมูลนี้", &["ฐานข้อมูล", "เลือก"]),
        ("Die Datenbankverbindungsgröße wächst", &["datenbankverbindungsgröße", "GRÖSSE wächst", "Datenbank"]),
        ("La sauvegarde a échoué à Orléans", &["echoue", "ORLÉANS", "orle\u{301}ans"]),
        ("हमने डेटाबेस चुना", &["डेटाबेस"]),
        ("החלטנו להשתמש בתור", &["להשתמש"]),
    ];
    let lines: Vec<&str> = told.iter().map(|(line, _)| *line).collect();
    s.store.commit(&doc_batch("a.md", &lines.join("\n"))).unwrap();
    for (line, asked) in told {
        for words in asked {
            let hits = s.store.search(&query(words)).unwrap().hits;
            assert_eq!(hits.first().map(|hit| hit.text.as_str()), Some(line), "{words}");
        }
    }
    for absent in ["署案", "くり", "данныx"] {
        assert_eq!(s.store.search(&query(absent)).unwrap().hits, [], "{absent}");
    }
    s.assert_whole();
}

#[test]
fn a_word_that_no_text_has_stands_for_those_that_begin_with_it() {
    let s = Scratch::new();
    s.store.commit(&doc_batch("a.md", "die Datenbankverbindung steht\nthe PostgreSQL server\nnothing here")).unwrap();
    let found =
        |words: &str| s.store.search(&query(words)).unwrap().hits.into_iter().map(|h| h.text).collect::<Vec<_>>();
    assert_eq!(found("Datenbank"), ["die Datenbankverbindung steht"]);
    assert_eq!(found("postgre"), ["the PostgreSQL server"]);
    assert!(found("data").is_empty(), "a short word begins too many");
    s.store.commit(&doc_batch("b.md", "die Datenbank steht")).unwrap();
    assert_eq!(found("Datenbank"), ["die Datenbank steht"], "a word that is there stands for itself");
}
