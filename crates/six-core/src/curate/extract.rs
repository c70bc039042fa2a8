//! What a session's messages propose.
//!
//! A message is split into sentences (`spoken.rs`), of which code, quotations and output are no evidence. A sentence is
//! read by the words of its language (`cue.rs`, `reading.rs`), shows signs of named sorts, and these are weighed
//! (`sign.rs`, `weights.rs`). What states something is worded as a record (`wording.rs`).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::cue::Cues;
use super::tongue::cues_for;
use super::reading::{MAX_BYTES, Reading};
use super::sign::{Sign, Stand, Verdict, read_signs, weigh};
use super::spoken::{Spoken, mask, spoken};
use super::weights::{AGENT, AGENT_THRESHOLDS, OPERATOR, OPERATOR_THRESHOLDS};
use super::wording::{Said, word};
use super::unlabelled;
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
        let mut readings = Vec::with_capacity(sentences.len());
        let mut stated = Vec::new();
        let mut after_no = false;
        for (at, sentence) in sentences.iter().enumerate() {
            let own = masked.get(sentence.range.clone()).filter(|own| own.len() <= MAX_BYTES).unwrap_or_default();
            let reading = Reading::of(own, list);
            self.judge(&reading, own, (at, sentence, after_no), &mut stated);
            after_no |= at == 0 && reading.found.iter().any(|found| found.heads && found.cues.any(Cues::NO));
            readings.push(reading);
        }
        for one in strongest(stated) {
            proposals.extend(self.word(&sentences, &readings, &one));
        }
    }

    fn judge(
        &mut self,
        reading: &Reading,
        own: &str,
        (at, sentence, after_no): (usize, &Spoken, bool),
        stated: &mut Vec<Stated>,
    ) {
        let speaker = self.message.speaker;
        let stand = Stand { speaker, opens: at == 0, answers: self.after_agent, after_no };
        let mut signs = read_signs(reading, own, stand);
        signs.note(Sign::Heading, sentence.heading);
        let (weights, thresholds) = match (speaker, reading.labelled) {
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
