//! What sentences of the eight other languages state (`english.rs` has those of English): `cue/samples/*.txt`, a section for each kind and one for none.

use super::tongue::cues_for;
use super::{Frequencies, Message, Speaker, admit, propose};
use crate::record::{Record, RecordKind, UnixMs};
use crate::text::Redactor;

const SAMPLES: [&str; 8] = [
    include_str!("cue/samples/de.txt"),
    include_str!("cue/samples/es.txt"),
    include_str!("cue/samples/fr.txt"),
    include_str!("cue/samples/ja.txt"),
    include_str!("cue/samples/ko.txt"),
    include_str!("cue/samples/pt.txt"),
    include_str!("cue/samples/ru.txt"),
    include_str!("cue/samples/zh.txt"),
];

/// Sentences of a section, of all languages.
fn samples(section: &str) -> impl Iterator<Item = &'static str> {
    let of = move |text: &'static str| {
        let behind = text.split_once(&format!("[{section}]\n")).map_or("", |(_, behind)| behind);
        behind.split("\n[").next().unwrap_or_default().lines().filter(|line| !line.is_empty())
    };
    SAMPLES.into_iter().flat_map(of)
}

fn candidates(text: &str, speaker: Speaker) -> Vec<Record> {
    let message = Message { turn: "t".into(), speaker, text: Redactor::new().redact(text), at: None };
    admit(propose(&[message]), &Frequencies::default(), &[], None, UnixMs(0)).candidates
}

/// Sentences of a section that make no candidate of the kind.
fn missed(section: &str, kind: RecordKind, speaker: Speaker) -> Vec<&'static str> {
    let found = |text: &str| candidates(text, speaker).iter().any(|record| record.kind == kind);
    let all: Vec<_> = samples(section).collect();
    assert!(all.len() >= 8 * SAMPLES.len(), "a table that is empty proves nothing");
    all.into_iter().filter(|text| !found(text)).collect()
}

#[test]
fn a_choice_is_a_decision_in_every_language() {
    for speaker in [Speaker::Operator, Speaker::Agent] {
        assert_eq!(missed("decision", RecordKind::Decision, speaker), Vec::<&str>::new(), "{speaker:?}");
    }
}

#[test]
fn what_was_tried_or_ruled_out_is_a_dead_end_in_every_language() {
    for speaker in [Speaker::Operator, Speaker::Agent] {
        assert_eq!(missed("dead-end", RecordKind::DeadEnd, speaker), Vec::<&str>::new(), "{speaker:?}");
    }
}

#[test]
fn what_redirects_the_agent_is_a_correction_in_every_language() {
    assert_eq!(missed("correction", RecordKind::Correction, Speaker::Operator), Vec::<&str>::new());
}

#[test]
fn questions_conditions_wishes_quotations_symptoms_and_orders_make_nothing_in_every_language() {
    let all: Vec<_> = samples("none").collect();
    assert!(all.len() >= 12 * SAMPLES.len(), "a table that is empty proves nothing");
    for speaker in [Speaker::Operator, Speaker::Agent] {
        let made: Vec<_> = all.iter().filter(|text| !candidates(text, speaker).is_empty()).collect();
        assert_eq!(made, Vec::<&&str>::new(), "{speaker:?}");
    }
}

#[test]
fn a_title_is_a_clause_that_fits_whatever_the_language() {
    for text in ["decision", "dead-end", "correction"].into_iter().flat_map(samples) {
        for record in candidates(text, Speaker::Operator) {
            let title = record.title.as_str();
            assert!(
                title.chars().count() <= Record::TITLE_MAX_CHARS && !title.ends_with(['.', '。', ',', '、']),
                "{title}"
            );
        }
    }
}

#[test]
fn the_option_that_was_not_taken_is_named_in_every_language() {
    let rejected = |text: &str| {
        let made = candidates(text, Speaker::Operator);
        let decision = made.into_iter().find(|record| record.kind == RecordKind::Decision);
        decision.map(|record| record.rejected.iter().map(|option| option.as_str().to_owned()).collect::<Vec<_>>())
    };
    for text in [
        "Wir nehmen Postgres statt MySQL, weil wir JSONB brauchen.",
        "On part sur Postgres plutôt que MySQL, à cause du JSONB.",
        "Vamos con Postgres en vez de MySQL porque necesitamos JSONB.",
        "Vamos de Postgres em vez de MySQL porque precisamos de JSONB.",
        "Берём Postgres вместо MySQL, нам нужен JSONB.",
        "我们用 Postgres 而不是 MySQL，因为需要 JSONB。",
        "データベースは MySQL ではなく Postgres を使うことにした。",
        "JSONB가 필요해서 MySQL 대신 Postgres를 쓰기로 했다.",
    ] {
        assert_eq!(rejected(text), Some(vec!["MySQL".to_owned()]), "{text}");
    }
}

#[test]
fn a_short_order_is_read_in_its_own_language() {
    for (text, other) in [
        ("Verwende pnpm statt npm.", "use pnpm instead of npm"),
        ("¡Nunca hagas push directo a main!", "never push to main"),
    ] {
        let is_same = |a: &str, b: &str| std::ptr::eq(cues_for(a).unwrap(), cues_for(b).unwrap());
        assert!(!is_same(text, other), "{text}");
        assert!(is_same("No, use pnpm and not npm", other), "English stays English");
    }
}
