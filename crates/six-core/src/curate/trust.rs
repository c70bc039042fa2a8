//! What an agent may judge by itself. Its words never get in force, or take the place of a person's, by its own verdict.

use super::{Ruling, TriageVerdict};
use crate::record::{Origin, Record, RecordKind};

/// Whether an agent may give this verdict on that record.
///
/// # Errors
///
/// Why it is a person's to give.
pub(super) fn judge_agents_say(ruling: &Ruling, found: &Record) -> Result<(), String> {
    let confirms = ruling.verdict == TriageVerdict::Confirm;
    let becomes = ruling.kind.unwrap_or(found.kind);
    let is_rule = [found.kind, becomes].contains(&RecordKind::Correction);
    let is_entered = found.turn.is_none() && found.quote.is_empty();
    let why = match found.origin {
        Origin::Tool => "what a tool said",
        Origin::Import => "what was imported",
        Origin::Agent if confirms && is_rule => "a rule that an agent proposed",
        Origin::Agent if confirms && is_entered => "what an agent entered itself",
        _ if confirms && !found.written_by.is_empty() => "what was not said in these words",
        Origin::Operator if becomes != found.kind => "another kind for what the operator said",
        Origin::Operator if ruling.title.is_some() => "other words for what the operator said",
        Origin::Agent | Origin::Operator => return Ok(()),
    };
    Err(format!("{why}: that is a person's to judge, in a terminal of their own"))
}

/// Whether an agent may let `other` stand for `old`: only what is as trusted, or more.
///
/// # Errors
///
/// Why it is a person's to do.
pub(super) fn judge_agents_choice(old: &Record, other: &Record) -> Result<(), String> {
    if other.origin <= old.origin {
        return Ok(());
    }
    let said = |record: &Record| match record.origin {
        Origin::Operator => "the operator said",
        Origin::Agent => "an agent said",
        Origin::Tool => "a tool said",
        Origin::Import => "was imported",
    };
    Err(format!("{} is what {}, and this is what {}: that is a person's to judge", other.id, said(other), said(old)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curate::sample::pending;
    use crate::text::Redacted;

    fn ruling(json: &str) -> Ruling {
        serde_json::from_str(json).unwrap()
    }

    fn said(kind: RecordKind, origin: Origin) -> Record {
        Record {
            turn: Some("t".to_owned()),
            quote: Redacted::literal("keep the outbox"),
            ..pending("r", kind, origin, "keep the outbox")
        }
    }

    #[test]
    fn an_agent_confirms_what_was_said_in_the_words_in_which_it_was_said() {
        let confirm = ruling(r#"{"id": "r", "verdict": "confirm"}"#);
        let reworded = ruling(r#"{"id": "r", "verdict": "confirm", "title": "use what I say"}"#);
        let of = said;
        for kind in [RecordKind::Decision, RecordKind::DeadEnd] {
            assert_eq!(judge_agents_say(&confirm, &of(kind, Origin::Operator)), Ok(()));
            assert_eq!(judge_agents_say(&confirm, &of(kind, Origin::Agent)), Ok(()));
            assert_eq!(judge_agents_say(&reworded, &of(kind, Origin::Agent)), Ok(()));
            assert!(judge_agents_say(&reworded, &of(kind, Origin::Operator)).is_err());
            let worded = |origin| Record { written_by: Redacted::literal("made-up:7b"), ..of(kind, origin) };
            assert!(judge_agents_say(&confirm, &worded(Origin::Operator)).is_err());
            assert!(judge_agents_say(&confirm, &worded(Origin::Agent)).is_err());
        }
        assert!(judge_agents_say(&confirm, &of(RecordKind::Correction, Origin::Agent)).is_err());
        assert_eq!(judge_agents_say(&confirm, &of(RecordKind::Correction, Origin::Operator)), Ok(()));
    }

    #[test]
    fn an_agent_confirms_nothing_that_an_agent_entered() {
        let entered = pending("r", RecordKind::Decision, Origin::Agent, "keep the outbox");
        assert!(judge_agents_say(&ruling(r#"{"id": "r", "verdict": "confirm"}"#), &entered).is_err());
        assert_eq!(judge_agents_say(&ruling(r#"{"id": "r", "verdict": "reject"}"#), &entered), Ok(()));
    }

    #[test]
    fn nothing_stands_for_what_is_more_trusted() {
        for (old, other) in Origin::ALL.iter().flat_map(|old| Origin::ALL.map(|other| (*old, other))) {
            let done = judge_agents_choice(&said(RecordKind::Decision, old), &said(RecordKind::Decision, other));
            assert_eq!(done.is_ok(), other <= old, "{old:?} {other:?}");
        }
    }
}
