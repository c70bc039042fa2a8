//! What a session's messages propose.
//!
//! A message is split into sentences (`spoken.rs`), of which code, quotations and output are no evidence. A sentence is
//! read by the words of its language (`cue.rs`, `reading.rs`), shows signs of named sorts, and these are weighed
//! (`sign.rs`, `weights.rs`). What states something is worded as a record (`wording.rs`).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::cue::Cues;
use super::meant::{is_laughed, takes_back, takes_itself_back};
use super::one_of_kinds::main_kind;
use super::proposal::extracted_id;
use super::reading::{MAX_BYTES, Reading};
use super::sign::{Sign, Signs, Stand, Verdict, read_signs, weigh};
use super::spoken::{Spoken, mask, spoken};
use super::tongue::cues_for;
use super::unlabelled;
use super::weights::{AGENT, AGENT_THRESHOLDS, OPERATOR, OPERATOR_THRESHOLDS};
use super::wording::{Said, word};
use super::{DropReason, Message, Proposal, Proposed, Speaker};
use crate::inject::{Turn, judge_words};
use crate::record::{Origin, RecordKind};

/// Proposals of one kind that a message may make: as many as may wait of a whole session. What states more is a document.
const MAX_OF_A_KIND: usize = 12;

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
            let before = at.checked_sub(1).and_then(|before| readings.get(before));
            signs.note(Sign::AfterAttempt, before.is_some_and(|before| before.has(Cues::ATTEMPT)));
            let known = stated.len();
            self.judge(at, signs, list.labelled, &mut stated);
            let next = sentences.get(at + 1).map(own).unwrap_or_default();
            let this = own(sentence);
            if stated.len() > known && (is_laughed(this) || takes_itself_back(this) || takes_back(next)) {
                stated.truncate(known);
                *self.dropped.entry(DropReason::NotMeant).or_default() += 1;
            }
            after_no |= at == 0 && signs.has(Sign::No);
        }
        let all = stated.len();
        let stated = strongest(stated);
        let left_out = (all - stated.len()) as u64;
        if left_out > 0 {
            *self.dropped.entry(DropReason::TooMany).or_default() += left_out;
        }
        for one in stated {
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
        let kinds: Vec<_> = stated.iter().skip(before).map(|one| (one.kind, one.strength)).collect();
        let main = main_kind(&kinds, signs);
        stated.retain(|one| one.at != at || Some(one.kind) == main);
        let others = kinds.len().saturating_sub(1) as u64;
        if others > 0 {
            *self.dropped.entry(DropReason::OtherKind).or_default() += others;
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
mod tests {
    use proptest::prelude::*;

    use super::super::wording::GAP;
    use super::*;
    use crate::record::Record;
    use crate::text::{Redactor, sentences};

    fn message(turn: &str, speaker: Speaker, text: &str) -> Message {
        Message { turn: turn.to_owned(), speaker, text: Redactor::new().redact(text), at: None }
    }

    fn ids(messages: &[Message]) -> Vec<String> {
        propose(messages).proposals.iter().map(|proposal| proposal.id.to_string()).collect()
    }

    #[test]
    fn a_turn_gives_the_same_ids_wherever_it_is_read() {
        let text = "First a word.\n\n```\ncode. code.\n```\nWe decided to keep the ledger in one file.";
        let (one, other) = (message("t-1", Speaker::Agent, text), message("t-2", Speaker::Agent, text));
        let both = ids(&[one.clone(), other.clone()]);
        assert_eq!(both.len(), 2);
        assert_ne!(both[0], both[1], "another turn is another record");
        assert_eq!([&one, &other].map(|message| ids(std::slice::from_ref(message))).concat(), both);
        assert_eq!(ids(&[other, one]), [both[1].clone(), both[0].clone()]);
        let ordinal = sentences(text).position(|range| text[range].starts_with("We decided")).unwrap();
        assert_eq!(both[0], extracted_id("t-1", RecordKind::Decision, ordinal).to_string());
    }

    #[test]
    fn what_a_program_sent_and_what_the_client_put_round_a_prompt_is_none_of_it() {
        let sent = "<task-notification>\nno, use pnpm not npm\n</task-notification>";
        assert_eq!(propose(&[message("t", Speaker::Operator, sent)]), Proposed::default());
        let wrapped = "<ide_opened_file>The user opened a file that may or may not be related to the current task.</ide_opened_file>\nno, use pnpm not npm";
        let proposals = propose(&[message("t", Speaker::Operator, wrapped)]).proposals;
        assert!(!proposals.is_empty() && proposals.iter().all(|one| one.quote.as_str() == "no, use pnpm not npm"));
    }

    #[test]
    fn right_after_an_answer_less_is_needed_to_be_a_correction() {
        let answer = message("t-1", Speaker::Agent, "I have put the limit into the client.");
        let prompts = ["but it should be per user and not per host", "not the client, the gateway checks the limit"];
        for prompt in prompts {
            let prompt = message("t-2", Speaker::Operator, prompt);
            let kinds =
                |messages: &[Message]| propose(messages).proposals.iter().map(|one| one.kind).collect::<Vec<_>>();
            assert!(kinds(&[answer.clone(), prompt.clone()]).contains(&RecordKind::Correction), "{prompt:?}");
        }
    }

    #[test]
    fn a_message_makes_a_few_proposals_of_a_kind_at_most_and_the_clearest_ones() {
        let more = MAX_OF_A_KIND + 2;
        let text: Vec<String> =
            (0..more).map(|number| format!("We decided to keep the files{number} in one table.")).collect();
        let text = text.join("\n");
        let Proposed { proposals, dropped } = propose(&[message("t", Speaker::Agent, &text)]);
        assert_eq!((proposals.len(), dropped.get(&DropReason::TooMany)), (MAX_OF_A_KIND, Some(&2)));
        assert!(proposals.is_sorted_by_key(|one| text.find(one.quote.as_str())));
    }

    #[test]
    fn one_sentence_is_one_record() {
        use RecordKind::{Correction, DeadEnd, Decision};
        for (text, kind) in [
            ("no, we decided to use pnpm instead of npm", Decision),
            ("we use pnpm here, never npm", Correction),
            ("no, don't use Prophet for the forecast, we tried it and it was too slow to train", DeadEnd),
            ("no, render dates in the UI as ISO dates, not as relative words", Correction),
        ] {
            let proposed = propose(&[message("t", Speaker::Operator, text)]);
            assert_eq!(proposed.proposals.iter().map(|one| one.kind).collect::<Vec<_>>(), [kind], "{text}");
        }
    }

    #[test]
    fn a_joke_a_need_and_what_is_taken_back_in_the_next_sentence_are_not_proposed() {
        for text in [
            "My boss said we should always use Oracle. lol no",
            "haha, never do that on a Friday",
            "we don't need the badge, I think. hmm, no, keep it",
            "we need auth for the tablets. staff won't type passwords",
        ] {
            assert_eq!(propose(&[message("t", Speaker::Operator, text)]).proposals, [], "{text}");
        }
    }

    #[test]
    fn what_is_said_of_the_memory_is_no_statement_of_its_own() {
        for text in [
            "The memory says that Prophet was too slow to train for the forecast.",
            "Last time we chose plain text because the printers can't render HTML.",
            "As decided before, we keep the outbox in one table.",
            "You told me earlier that we decided to keep the outbox in one table.",
            "Per our notes we decided to keep the outbox in one table.",
        ] {
            assert_eq!(propose(&[message("t", Speaker::Agent, text)]).proposals, [], "{text}");
        }
    }

    #[test]
    fn a_secret_stays_out_of_every_field() {
        let secret = ["gh", "p_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].concat();
        let text = format!("no, we decided to use the token {secret} instead of {secret}, until {secret} expires");
        let proposals = propose(&[message("t", Speaker::Operator, &text)]).proposals;
        assert!(!proposals.is_empty() && !format!("{proposals:?}").contains(&secret));
    }

    #[test]
    fn a_long_session_takes_linear_time() {
        for unit in ["no, ", "we decided ", "instead of ", "tried a ", "(", "**", "<a-b>", "\n> ", "`", "不用"] {
            let text = unit.repeat(100_000 / unit.len());
            let found = propose(&[message("t", Speaker::Operator, &text), message("u", Speaker::Agent, &text)]);
            assert!(found.proposals.len() <= 2 * KINDS.len() * MAX_OF_A_KIND, "{unit:?}");
        }
    }

    proptest! {
        #[test]
        fn every_text_is_read_and_what_is_proposed_is_in_it(
            text in "(\\PC|no, |we decided |instead of |tried |it failed |until |don't |in web/ |\\n|`|> |\"|\\. |，|不用|ß){0,60}",
            agent in any::<bool>(),
        ) {
            let speaker = if agent { Speaker::Agent } else { Speaker::Operator };
            let message = message("t", speaker, &text);
            let proposed = propose(std::slice::from_ref(&message));
            let whole = message.text.as_str();
            for proposal in &proposed.proposals {
                prop_assert!(whole.contains(proposal.quote.as_str()) && !proposal.quote.is_empty());
                prop_assert!(proposal.body.as_str().split(GAP).all(|part| whole.contains(part)));
                let chars = proposal.title.as_str().chars().count();
                prop_assert!((1..=Record::TITLE_MAX_CHARS).contains(&chars), "{}", chars);
                prop_assert!(!proposal.title.as_str().contains('\n'));
                prop_assert!(!agent || proposal.kind != RecordKind::Correction);
            }
            let twice = [message.clone(), Message { turn: String::from("u"), ..message }];
            prop_assert_eq!(&propose(&twice).proposals[..proposed.proposals.len()], &proposed.proposals[..]);
        }
    }
}
