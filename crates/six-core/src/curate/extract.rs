//! Stand-in for the rules of extraction until they are there.

use std::collections::BTreeMap;

use super::{
    DropReason, Extracted, Frequencies, KnownRecord, Message, Proposal, Proposed, Sighting, Speaker, extracted_id,
};
use crate::record::{Origin, Record, RecordKind, RecordState, SessionId, UnixMs};
use crate::text::Redacted;

const CUES: [(&str, RecordKind); 3] = [
    ("We decided", RecordKind::Decision),
    ("was a dead end", RecordKind::DeadEnd),
    ("No, use", RecordKind::Correction),
];

/// Stand-in.
pub fn propose(messages: &[Message]) -> Proposed {
    let mut proposed = Proposed::default();
    for message in messages {
        for (ordinal, line) in message.text.as_str().split_inclusive(". ").enumerate() {
            let Some((_, kind)) = CUES.iter().find(|(cue, _)| line.contains(cue)) else { continue };
            if line.contains('?') {
                *proposed.dropped.entry(DropReason::Question).or_default() += 1;
                continue;
            }
            let at = line.as_ptr() as usize - message.text.as_str().as_ptr() as usize;
            let quote = message.text.slice(at..at + line.trim_end().len()).unwrap_or_default();
            proposed.proposals.push(Proposal {
                id: extracted_id(&message.turn, *kind, ordinal),
                kind: *kind,
                origin: if message.speaker == Speaker::Operator { Origin::Operator } else { Origin::Agent },
                title: quote.cut(120),
                body: Redacted::default(),
                quote,
                rejected: Vec::new(),
                revive_if: Redacted::default(),
                scope: Redacted::default(),
                turn: message.turn.clone(),
                at: message.at,
                terms: line.split_whitespace().map(str::to_lowercase).collect(),
            });
        }
    }
    proposed
}

/// Stand-in.
pub fn admit(
    proposed: Proposed,
    _frequencies: &Frequencies,
    known: &[KnownRecord],
    session: Option<&SessionId>,
    now: UnixMs,
) -> Extracted {
    let mut out = Extracted { dropped: proposed.dropped, ..Extracted::default() };
    let mut seen: BTreeMap<String, (crate::record::RecordId, RecordState)> =
        known.iter().map(|k| (k.quote.clone(), (k.id.clone(), k.state))).collect();
    for p in proposed.proposals {
        if let Some((id, state)) = seen.get(p.quote.as_str()) {
            let reason =
                if *state == RecordState::Rejected { DropReason::RejectedBefore } else { DropReason::Repeated };
            *out.dropped.entry(reason).or_default() += 1;
            if *state != RecordState::Rejected {
                out.sightings.push(Sighting {
                    record: id.clone(),
                    turn: p.turn,
                    session: session.cloned(),
                    origin: p.origin,
                    quote: p.quote,
                    at: p.at.unwrap_or(now),
                });
            }
            continue;
        }
        seen.insert(p.quote.as_str().to_owned(), (p.id.clone(), RecordState::Pending));
        out.candidates.push(Record {
            id: p.id,
            kind: p.kind,
            state: RecordState::Pending,
            origin: p.origin,
            title: p.title,
            body: p.body,
            quote: p.quote,
            rejected: p.rejected,
            revive_if: p.revive_if,
            scope: p.scope,
            thread: None,
            superseded_by: None,
            session: session.cloned(),
            turn: Some(p.turn),
            anchors: Vec::new(),
            created: p.at.unwrap_or(now),
            validated: now,
            evidence: Redacted::default(),
            commits: Vec::new(),
            source_path: None,
            written_by: Redacted::default(),
        });
    }
    out
}
