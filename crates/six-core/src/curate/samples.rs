//! Sentences of eight languages and what they state: `cue/samples/*.txt`.

use std::collections::BTreeMap;

use super::{Message, Speaker, propose};
use crate::text::Redactor;

/// Sentences under the kind that they state, `none` among them.
fn parse(text: &'static str) -> Vec<(&'static str, &'static str)> {
    let mut kind = "none";
    let mut found = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(name) => kind = name,
            None => found.push((kind, line)),
        }
    }
    found
}

fn kinds(text: &str, speaker: Speaker) -> Vec<&'static str> {
    let text = Redactor::new().redact(text);
    let message = Message { turn: "t".into(), speaker, text: text.clone(), at: None };
    let proposed = propose(&[message]);
    let admitted = crate::curate::admit(proposed, &crate::curate::Frequencies::default(), &[], None, crate::record::UnixMs(0));
    if !admitted.dropped.is_empty() { println!("DROP {:?} {text:?}", admitted.dropped); }
    admitted.candidates.iter().map(|record| record.kind.as_str()).collect()
}

#[test]
fn dump_misses() {
    let lists = [
        ("de", include_str!("cue/samples/de.txt")),
        ("es", include_str!("cue/samples/es.txt")),
        ("fr", include_str!("cue/samples/fr.txt")),
        ("pt", include_str!("cue/samples/pt.txt")),
        ("ru", include_str!("cue/samples/ru.txt")),
        ("zh", include_str!("cue/samples/zh.txt")),
        ("ja", include_str!("cue/samples/ja.txt")),
        ("ko", include_str!("cue/samples/ko.txt")),
    ];
    let mut counts: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for (language, text) in lists {
        let second: &'static str = std::env::var("SECOND").map_or(text, |dir| Box::leak(std::fs::read_to_string(format!("{dir}/{language}.txt")).unwrap().into_boxed_str()));
        let text = second;
        for (kind, line) in parse(text) {
            let kind = if kind == "dead-end" { "dead_end" } else { kind };
            let mut speakers = vec![Speaker::Operator];
            if kind != "correction" {
                speakers.push(Speaker::Agent);
            }
            for speaker in speakers {
                let found = kinds(line, speaker);
                let masked = super::spoken::mask(line);
                let lang = crate::inject::language_of(&masked);
                let ok = if kind == "none" { found.is_empty() } else { found.contains(&kind) };
                let count = counts.entry(format!("{kind:11} {language} {speaker:?}")).or_default();
                count[usize::from(!ok)] += 1;
                let extra = kind != "none" && found.iter().any(|f| *f != kind);
                if !ok || lang != language || extra {
                    let list = super::tongue::cues_for(&masked).unwrap();
                    let reading = super::reading::Reading::of(&masked, list);
                    let cues: Vec<_> = reading.found.iter().map(|f| format!("{}={}", f.cues.names(), &reading.text[f.start..f.end])).collect();
                    let signs = super::sign::read_signs(&reading, &masked, super::sign::Stand { speaker, opens: true, answers: false, after_no: false });
                    let table = if speaker == Speaker::Operator { super::unlabelled::OPERATOR } else { super::unlabelled::AGENT };
                    let shown: Vec<_> = table.iter().filter(|(sign, _)| signs.has(*sign)).map(|(sign, w)| format!("{sign:?}{w:?}")).collect();
                    println!("        {}", shown.join(" "));
                    println!("{} {language}>{lang} {kind} {speaker:?} {found:?} | {line}\n        {}", if ok { "x" } else { "MISS" }, cues.join(" "));
                }
            }
        }
    }
    for (name, [ok, miss]) in counts {
        println!("{name} ok {ok} miss {miss}");
    }
}
