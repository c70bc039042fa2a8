//! What becomes of proposals, given what the store has.

use super::{Claim, DropReason, Extracted, Frequencies, KnownRecord, Proposal, Proposed, Sighting};
use crate::record::{Origin, Record, RecordId, RecordState, SessionId, UnixMs};

/// Content words that a sentence needs.
const MIN_WORDS: usize = 2;

/// A corpus of fewer chunks has no rarity.
const MIN_CORPUS: u64 = 50;

/// A term is rare that is in no more than one chunk of so many.
const RARE_ONE_IN: u64 = 20;

/// Judges proposals by substance and by what is known. Candidates are pending records; their anchors are left to whoever
/// can look at the project. `now` stands for the time of a message that has none.
pub fn admit(
    proposed: Proposed,
    frequencies: &Frequencies,
    known: &[KnownRecord],
    session: Option<&SessionId>,
    now: UnixMs,
) -> Extracted {
    let mut out = Extracted { dropped: proposed.dropped, ..Extracted::default() };
    let mut known: Vec<Known> = known.iter().map(Known::of).collect();
    for proposal in proposed.proposals {
        let claim = Claim::new(proposal.kind, proposal.title.as_str(), proposal.quote.as_str());
        let repeats = known.iter().find(|known| known.is_repeated_by(&proposal, &claim));
        let reason = match repeats {
            _ if lacks_substance(&proposal.terms) => Some(DropReason::NoSubstance),
            _ if lacks_rarity(&proposal.terms, frequencies) => Some(DropReason::NothingRare),
            Some(known) if known.state == RecordState::Rejected => Some(DropReason::RejectedBefore),
            Some(known) if known.state == RecordState::Retired => Some(DropReason::Repeated),
            Some(known) => {
                if known.id != proposal.id {
                    out.sightings.push(sighting(&proposal, known.id.clone(), session, now));
                }
                Some(DropReason::Repeated)
            }
            None => None,
        };
        if let Some(reason) = reason {
            *out.dropped.entry(reason).or_default() += 1;
        } else {
            known.push(Known { id: proposal.id.clone(), state: RecordState::Pending, claim });
            out.candidates.push(candidate(proposal, session, now));
        }
    }
    out
}

fn is_number(term: &str) -> bool {
    term.chars().all(|c| !c.is_alphabetic())
}

fn lacks_substance(terms: &[String]) -> bool {
    terms.iter().filter(|term| !is_number(term)).count() < MIN_WORDS
}

fn lacks_rarity(terms: &[String], frequencies: &Frequencies) -> bool {
    let rare = |term: &String| frequencies.df.get(term).is_some_and(|df| df * RARE_ONE_IN <= frequencies.corpus);
    frequencies.corpus >= MIN_CORPUS && !terms.iter().any(|term| !is_number(term) && rare(term))
}

/// A record that a proposal may repeat.
struct Known {
    id: RecordId,
    state: RecordState,
    claim: Claim,
}

impl Known {
    fn of(record: &KnownRecord) -> Self {
        let claim = Claim::new(record.kind, &record.title, &record.quote);
        Self { id: record.id.clone(), state: record.state, claim }
    }

    /// A retired record is repeated by agents only.
    fn is_repeated_by(&self, proposal: &Proposal, claim: &Claim) -> bool {
        let counts = self.state != RecordState::Retired || proposal.origin == Origin::Agent;
        self.id == proposal.id || counts && self.claim.is_repeated_by(claim)
    }
}

fn sighting(proposal: &Proposal, record: RecordId, session: Option<&SessionId>, now: UnixMs) -> Sighting {
    Sighting {
        record,
        turn: proposal.turn.clone(),
        session: session.cloned(),
        origin: proposal.origin,
        quote: proposal.quote.clone(),
        at: proposal.at.unwrap_or(now),
    }
}

fn candidate(proposal: Proposal, session: Option<&SessionId>, now: UnixMs) -> Record {
    let created = proposal.at.unwrap_or(now);
    Record {
        body: proposal.body,
        quote: proposal.quote,
        rejected: proposal.rejected,
        revive_if: proposal.revive_if,
        scope: proposal.scope,
        session: session.cloned(),
        turn: Some(proposal.turn),
        ..Record::pending(proposal.id, proposal.kind, proposal.origin, proposal.title, created)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::{Message, Speaker, propose};
    use super::*;
    use crate::record::RecordKind;
    use crate::text::{Redactor, tokens};

    const NOW: UnixMs = UnixMs(1_000);

    fn said(turn: &str, text: &str) -> Message {
        Message { turn: turn.to_owned(), speaker: Speaker::Agent, text: Redactor::new().redact(text), at: None }
    }

    fn admitted(messages: &[Message], known: &[KnownRecord]) -> Extracted {
        admit(propose(messages), &Frequencies::default(), known, Some(&SessionId::new("s-1")), NOW)
    }

    fn known(state: RecordState, title: &str) -> KnownRecord {
        let quote = String::new();
        KnownRecord { id: RecordId::new("r-1"), kind: RecordKind::Decision, state, title: title.to_owned(), quote }
    }

    const KEEP: &str = "We decided to keep the ledger in one sqlite file.";

    #[test]
    fn a_candidate_is_a_pending_record_of_its_turn() {
        let message = Message { at: Some(UnixMs(7)), ..said("t-1", KEEP) };
        let record = admitted(&[message], &[]).candidates.remove(0);
        assert_eq!((record.state, record.kind), (RecordState::Pending, RecordKind::Decision));
        assert_eq!((record.turn.as_deref(), record.session), (Some("t-1"), Some(SessionId::new("s-1"))));
        assert_eq!((record.created, record.validated), (UnixMs(7), UnixMs(7)));
        assert!(record.anchors.is_empty() && record.thread.is_none());
        assert_eq!(admitted(&[said("t-1", KEEP)], &[]).candidates[0].created, NOW);
    }

    #[test]
    fn the_same_said_again_is_evidence_of_the_first() {
        let again = "so we decided to keep the ledger in one sqlite file";
        let extracted = admitted(&[said("t-1", KEEP), said("t-2", again)], &[]);
        assert_eq!(extracted.candidates.len(), 1);
        let sighting = &extracted.sightings[0];
        assert_eq!((&sighting.record, sighting.turn.as_str()), (&extracted.candidates[0].id, "t-2"));
        assert_eq!(extracted.dropped, BTreeMap::from([(DropReason::Repeated, 1)]));
    }

    #[test]
    fn what_repeats_a_record_is_evidence_of_it_and_what_was_rejected_stays_rejected() {
        for state in [RecordState::Pending, RecordState::Confirmed] {
            let extracted = admitted(&[said("t-1", KEEP)], &[known(state, "keep the ledger in one sqlite file")]);
            assert_eq!((extracted.candidates.len(), extracted.sightings.len()), (0, 1));
            assert_eq!(extracted.sightings[0].record, RecordId::new("r-1"));
        }
        let rejected =
            admitted(&[said("t-1", KEEP)], &[known(RecordState::Rejected, "keep the ledger in one sqlite file")]);
        assert_eq!((rejected.candidates.len(), rejected.sightings.len()), (0, 0));
        assert_eq!(rejected.dropped, BTreeMap::from([(DropReason::RejectedBefore, 1)]));
    }

    #[test]
    fn a_turn_that_is_read_again_is_no_evidence_of_itself() {
        let id = admitted(&[said("t-1", KEEP)], &[]).candidates[0].id.clone();
        let own = KnownRecord { id, ..known(RecordState::Confirmed, "an edited title") };
        let extracted = admitted(&[said("t-1", KEEP)], &[own]);
        assert_eq!((extracted.candidates.len(), extracted.sightings.len()), (0, 0));
        assert_eq!(extracted.dropped, BTreeMap::from([(DropReason::Repeated, 1)]));
    }

    #[test]
    fn another_order_number_or_matter_is_no_repetition() {
        for (said_now, title) in [
            ("We decided to use pnpm over npm in the shop.", "use npm over pnpm in the shop"),
            ("We decided to keep ten backups for 30 days.", "keep ten backups for 90 days"),
            ("We decided to keep the ledger in postgres tables.", "keep the ledger in one sqlite file"),
        ] {
            let extracted = admitted(&[said("t-1", said_now)], &[known(RecordState::Rejected, title)]);
            assert_eq!(extracted.candidates.len(), 1, "{said_now}");
        }
    }

    #[test]
    fn a_record_of_another_kind_is_repeated_as_well() {
        let other = |state| KnownRecord { kind: RecordKind::Correction, ..known(state, KEEP) };
        let again = |state| admitted(&[said("t-1", KEEP)], &[other(state)]);
        assert_eq!(again(RecordState::Confirmed).sightings.len(), 1);
        assert_eq!(again(RecordState::Rejected).dropped, BTreeMap::from([(DropReason::RejectedBefore, 1)]));
        let failed = KnownRecord { kind: RecordKind::DeadEnd, ..known(RecordState::Confirmed, KEEP) };
        assert_eq!(admitted(&[said("t-1", KEEP)], &[failed]).candidates.len(), 1, "what failed is not what is so");
    }

    #[test]
    fn a_record_with_another_title_is_known_by_its_sentence() {
        let retitled =
            KnownRecord { quote: KEEP.to_owned(), ..known(RecordState::Confirmed, "One file holds everything") };
        let extracted = admitted(&[said("t-1", KEEP)], &[retitled]);
        assert_eq!((extracted.candidates.len(), extracted.sightings.len()), (0, 1));
    }

    #[test]
    fn what_was_retired_is_no_news_from_an_agent_and_may_be_from_a_person() {
        let retired = || [known(RecordState::Retired, "keep the ledger in one sqlite file")];
        let by_agent = admitted(&[said("t-1", KEEP)], &retired());
        assert_eq!((by_agent.candidates.len(), by_agent.sightings.len()), (0, 0));
        let person = Message { speaker: Speaker::Operator, ..said("t-1", KEEP) };
        assert_eq!(admitted(&[person], &retired()).candidates.len(), 1);
    }

    #[test]
    fn a_sentence_without_substance_makes_no_candidate() {
        let extracted = admitted(&[said("t-1", "We decided to do it.")], &[]);
        assert_eq!(extracted.candidates, []);
        assert_eq!(extracted.dropped, BTreeMap::from([(DropReason::NoSubstance, 1)]));
    }

    #[test]
    fn one_word_has_to_be_rare_in_a_project_that_is_large_enough_to_tell() {
        let everywhere = |corpus: u64, df: u64| Frequencies {
            corpus,
            df: tokens(KEEP).into_iter().map(|token| (token.term, df)).collect(),
        };
        let admitted = |frequencies: &Frequencies| {
            let extracted = admit(propose(&[said("t-1", KEEP)]), frequencies, &[], None, NOW);
            (extracted.candidates.len(), extracted.dropped.contains_key(&DropReason::NothingRare))
        };
        assert_eq!(admitted(&everywhere(1_000, 50)), (1, false));
        assert_eq!(admitted(&everywhere(1_000, 51)), (0, true));
        assert_eq!(admitted(&everywhere(49, 49)), (1, false), "a small corpus has no rarity");
        assert_eq!(
            admitted(&Frequencies { corpus: 1_000, df: BTreeMap::new() }),
            (0, true),
            "unknown counts as common"
        );
    }
}
