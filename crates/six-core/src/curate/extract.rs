//! What a session's messages propose.
//!
//! A message is split into sentences (`spoken.rs`), of which code, quotations and output are no evidence. A sentence is
//! read by the words of its language (`cue.rs`, `reading.rs`), shows signs of named sorts, and these are weighed
//! (`sign.rs`, `weights.rs`). What states something is worded as a record (`wording.rs`).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::cue::Cues;
use super::reading::{MAX_BYTES, Reading};
use super::sign::{Sign, Signs, Stand, Verdict, read_signs, weigh};
use super::spoken::{Spoken, mask, spoken};
use super::tongue::cues_for;
use super::unlabelled;
use super::weights::{AGENT, AGENT_THRESHOLDS, OPERATOR, OPERATOR_THRESHOLDS};
use super::wording::{Said, word};
use super::{DropReason, Message, Proposal, Proposed, Speaker, extracted_id};
use crate::inject::{Turn, judge_words};
use crate::record::{Origin, RecordKind};

/// Proposals of one kind that a message may make.
const MAX_OF_A_KIND: usize = 3;

/// Kinds in the order of the tables of weights.
const KINDS: [RecordKind; 3] = [RecordKind::Decision, RecordKind::DeadEnd, RecordKind::Correction];

/// What messages of one session, in reading order, propose. A message without others before it is judged by itself.
pub fn propose(messages: &[Message]) -> Proposed {
    let mut proposed = Proposed::default();
    let mut after_agent = false;
    for message in messages {
        let is_own =
            message.speaker == Speaker::Agent || matches!(judge_words(message.text.as_str()), Turn::Human { .. });
        if is_own {
            Reader { message, after_agent, dropped: &mut proposed.dropped }.read(&mut proposed.proposals);
        }
        after_agent = message.speaker == Speaker::Agent;
    }
    proposed
}

/// A sentence that states something, and how clearly.
struct Stated {
    at: usize,
    kind: RecordKind,
    strength: i32,
}

struct Reader<'a> {
    message: &'a Message,
    after_agent: bool,
    dropped: &'a mut BTreeMap<DropReason, u64>,
}

impl Reader<'_> {
    fn read(&mut self, proposals: &mut Vec<Proposal>) {
        let text = self.message.text.as_str();
        let masked = mask(text);
        let Some(list) = cues_for(&masked) else { return };
        let sentences = spoken(text, &masked);
        let own = |sentence: &Spoken| {
            masked.get(sentence.range.clone()).filter(|own| own.len() <= MAX_BYTES).unwrap_or_default()
        };
        let readings: Vec<Reading> = sentences.iter().map(|sentence| Reading::of(own(sentence), list)).collect();
        let impersonal = is_impersonal(&readings);
        let mut stated = Vec::new();
        let mut after_no = false;
        for (at, (sentence, reading)) in sentences.iter().zip(&readings).enumerate() {
            let stand = Stand { speaker: self.message.speaker, opens: at == 0, answers: self.after_agent, after_no };
            let mut signs = read_signs(reading, own(sentence), stand);
            signs.note(Sign::Heading, sentence.heading);
            signs.note(Sign::Impersonal, impersonal);
            self.judge(at, signs, list.labelled, &mut stated);
            after_no |= at == 0 && signs.has(Sign::No);
        }
        for one in strongest(stated) {
            proposals.extend(self.word(&sentences, &readings, &one));
        }
    }

    fn judge(&mut self, at: usize, signs: Signs, labelled: bool, stated: &mut Vec<Stated>) {
        let (weights, thresholds) = match (self.message.speaker, labelled) {
            (Speaker::Operator, true) => (OPERATOR, OPERATOR_THRESHOLDS),
            (Speaker::Agent, true) => (AGENT, AGENT_THRESHOLDS),
            (Speaker::Operator, false) => (unlabelled::OPERATOR, unlabelled::OPERATOR_THRESHOLDS),
            (Speaker::Agent, false) => (unlabelled::AGENT, unlabelled::AGENT_THRESHOLDS),
        };
        let mut reason = None;
        let before = stated.len();
        for (number, kind) in KINDS.into_iter().enumerate() {
            match weigh(signs, number, weights, thresholds) {
                Verdict::States(strength) => stated.push(Stated { at, kind, strength }),
                Verdict::Dropped(why) => reason = reason.or(Some(why)),
                Verdict::Silent => {}
            }
        }
        if let Some(why) = reason.filter(|_| stated.len() == before) {
            *self.dropped.entry(why).or_default() += 1;
        }
    }

    fn word(&self, sentences: &[Spoken], readings: &[Reading], one: &Stated) -> Option<Proposal> {
        let message = self.message;
        let sentence = sentences.get(one.at)?;
        let said = Said { text: &message.text, sentences, at: one.at, reading: readings.get(one.at)? };
        let worded = word(&said, one.kind)?;
        Some(Proposal {
            id: extracted_id(&message.turn, one.kind, sentence.ordinal),
            kind: one.kind,
            origin: match message.speaker {
                Speaker::Operator => Origin::Operator,
                Speaker::Agent => Origin::Agent,
            },
            title: worded.title,
            body: worded.body,
            quote: worded.quote,
            rejected: worded.rejected,
            revive_if: worded.revive_if,
            scope: worded.scope,
            turn: message.turn.clone(),
            at: message.at,
            terms: worded.terms,
        })
    }
}

/// Words from which on a message that speaks of nobody is no longer a short order.
const IMPERSONAL_WORDS: usize = 20;

fn is_impersonal(readings: &[Reading]) -> bool {
    let words: usize = readings.iter().map(|reading| reading.words).sum();
    words >= IMPERSONAL_WORDS && !readings.iter().any(|reading| reading.has(Cues::PERSON))
}

/// The clearest few of each kind, in reading order.
fn strongest(mut stated: Vec<Stated>) -> Vec<Stated> {
    stated.sort_by_key(|one| (Reverse(one.strength), one.at));
    let mut counts: BTreeMap<RecordKind, usize> = BTreeMap::new();
    stated.retain(|one| {
        let count = counts.entry(one.kind).or_default();
        *count += 1;
        *count <= MAX_OF_A_KIND
    });
    stated.sort_by_key(|one| (one.at, one.kind));
    stated
}

#[cfg(test)]
mod dump {
    use super::*;
    use crate::curate::Frequencies;
    use crate::record::SessionId;
    use crate::text::{Redacted, Redactor, for_each_token};

    #[test]
    fn dump() {
        let Ok(out) = std::env::var("DUMP_OUT") else { return };
        let dir = std::env::var("DUMP_LABELS").unwrap();
        let redactor = Redactor::new();
        let mut rows = Vec::new();
        for (file, speaker) in [("prompts.jsonl", Speaker::Operator), ("assistant_turns.jsonl", Speaker::Agent)] {
            for line in std::fs::read_to_string(format!("{dir}/{file}")).unwrap().lines() {
                let v: serde_json::Value = serde_json::from_str(line).unwrap();
                let text = redactor.redact(v["text"].as_str().unwrap());
                rows.push((v, Message { turn: "t".into(), speaker, text, at: None }));
            }
        }
        let mut frequencies = Frequencies { corpus: rows.len() as u64, ..Frequencies::default() };
        for (_, m) in &rows {
            let mut set = std::collections::BTreeSet::new();
            for_each_token(m.text.as_str(), |t| {
                set.insert(t.term.to_owned());
            });
            for t in set {
                *frequencies.df.entry(t).or_default() += 1;
            }
        }
        let mut lines = String::new();
        for (v, m) in &rows {
            let own = m.speaker == Speaker::Agent || matches!(judge_words(m.text.as_str()), Turn::Human { .. });
            let masked = mask(m.text.as_str());
            let mut ss = Vec::new();
            if own && let Some(list) = cues_for(&masked) {
                let sp = spoken(m.text.as_str(), &masked);
                let own = |s: &Spoken| masked.get(s.range.clone()).filter(|o| o.len() <= MAX_BYTES).unwrap_or_default();
                let rs: Vec<Reading> = sp.iter().map(|s| Reading::of(own(s), list)).collect();
                let imp = is_impersonal(&rs);
                let mut after_no = false;
                for (at, (s, r)) in sp.iter().zip(&rs).enumerate() {
                    let mut signs =
                        read_signs(r, own(s), Stand { speaker: m.speaker, opens: at == 0, answers: false, after_no });
                    signs.note(Sign::Heading, s.heading);
                    signs.note(Sign::Impersonal, imp);
                    after_no |= at == 0 && signs.has(Sign::No);
                    let cues: Vec<&str> = r.found.iter().filter_map(|f| r.text.get(f.start..f.end)).collect();
                    ss.push(serde_json::json!({"bits": signs.bits(), "text": &m.text.as_str()[s.range.clone()], "cues": cues}));
                }
            }
            let p = propose(std::slice::from_ref(m));
            let props: Vec<_> = p
                .proposals
                .iter()
                .map(|p| {
                    serde_json::json!([p.kind.as_str(), p.title.as_str(), p.rejected, p.scope, p.revive_if, p.terms])
                })
                .collect();
            let e = crate::curate::admit(p, &frequencies, &[], Some(&SessionId::new("s")), crate::record::UnixMs(0));
            let kinds: Vec<_> = e.candidates.iter().map(|r| r.kind.as_str()).collect();
            let d: Vec<_> = e.dropped.iter().map(|(r, n)| format!("{}:{n}", r.as_str())).collect();
            lines.push_str(&serde_json::json!({"row": v, "own": own, "agent": m.speaker == Speaker::Agent, "sentences": ss, "props": props, "kinds": kinds, "dropped": d}).to_string());
            lines.push('\n');
        }
        std::fs::write(out, lines).unwrap();
        let _ = Redacted::default();
    }
}
