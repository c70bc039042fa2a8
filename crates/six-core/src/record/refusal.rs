//! What may be done to a record or a thread, and by whom.

use super::{Origin, Record, RecordId, RecordKind, RecordState, ThreadId};

/// Why a change of a record or a thread was refused; nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Only a person may do it.
    #[error("that is a person's word, and an agent asked for it")]
    NotAPerson,
    /// An agent would have reworded what is not its own, or is no longer a proposal.
    #[error("an agent rewords only what it entered itself and nobody has judged; {id} is {}, said by {}", state.as_str(), origin.as_str())]
    NotItsOwn {
        /// The record.
        id: RecordId,
        /// Its state.
        state: RecordState,
        /// Who said it.
        origin: Origin,
    },
    /// It has that state.
    #[error("{id} is {} already", state.as_str())]
    Already {
        /// The record.
        id: RecordId,
        /// Its state.
        state: RecordState,
    },
    /// Nothing leads from the state that it has to that one.
    #[error("{id} is {} and can't become {}", from.as_str(), to.as_str())]
    NoWay {
        /// The record.
        id: RecordId,
        /// Its state.
        from: RecordState,
        /// The state that was asked for.
        to: RecordState,
    },
    /// A record would have replaced itself.
    #[error("{id} can't replace itself")]
    Itself {
        /// The record.
        id: RecordId,
    },
    /// A record would have replaced one of another kind.
    #[error("a {} can't replace a {}: change its kind first, while it waits", new.as_str(), old.as_str())]
    OtherKind {
        /// Of the record that would have been replaced.
        old: RecordKind,
        /// Of the one that would have replaced it.
        new: RecordKind,
    },
    /// Its kind would have changed after it was judged, or to one that extraction and operators do not mean.
    #[error("{id} is a {} {}: only a candidate changes its kind, and a cheatsheet is no other kind", state.as_str(), kind.as_str())]
    KindStays {
        /// The record.
        id: RecordId,
        /// Its state.
        state: RecordState,
        /// Its kind.
        kind: RecordKind,
    },
    /// What would have replaced a record is not in force, so that nothing would have been.
    #[error("{id} is {} and can replace nothing before it is in force", state.as_str())]
    NotInForce {
        /// The record that would have replaced another.
        id: RecordId,
        /// Its state.
        state: RecordState,
        /// What replaced it in its turn.
        superseded_by: Option<RecordId>,
    },
    /// Another thread has that name, or had it when it was merged.
    #[error("there is a thread of that name: {id}")]
    NameTaken {
        /// That thread.
        id: ThreadId,
    },
    /// A thread would have been merged into itself.
    #[error("both names lead to one thread: {id}")]
    SameThread {
        /// That thread.
        id: ThreadId,
    },
}

/// Refuses whoever is no person.
pub const fn judge_person(by: Origin) -> Result<(), Refusal> {
    if matches!(by, Origin::Operator) { Ok(()) } else { Err(Refusal::NotAPerson) }
}

impl RecordState {
    /// Whether a person's word leads from this state to `to`. A person may have another mind later, and what was replaced
    /// or was in force is closed by another word than what was only proposed.
    pub const fn leads_to(self, to: Self) -> bool {
        use RecordState::{Confirmed, Expired, Pending, Rejected, Retired, Superseded};
        matches!(
            (self, to),
            (Pending | Rejected | Expired | Retired, Confirmed)
                | (Pending | Expired | Retired, Rejected)
                | (Confirmed, Retired)
                | (Pending | Confirmed | Expired | Retired, Superseded)
        )
    }
}

impl Record {
    /// Whether a person may move it to that state.
    pub fn judge_state(&self, to: RecordState) -> Result<(), Refusal> {
        let (id, from) = (self.id.clone(), self.state);
        if from == to {
            return Err(Refusal::Already { id, state: to });
        }
        if from.leads_to(to) { Ok(()) } else { Err(Refusal::NoWay { id, from, to }) }
    }

    /// Whether it may become a record of that kind: a candidate, of the kinds that are told apart by what they say.
    pub fn judge_kind(&self, to: RecordKind) -> Result<(), Refusal> {
        if self.state == RecordState::Pending && ![self.kind, to].contains(&RecordKind::Cheatsheet) {
            return Ok(());
        }
        Err(Refusal::KindStays { id: self.id.clone(), state: self.state, kind: self.kind })
    }

    /// Whether `new` may replace it: a step of a thread (a decision, a dead end) may follow any other, a rule only a rule.
    /// What is replaced is in force no longer and what replaces is, so that no ring of them comes about.
    pub fn judge_successor(&self, new: &Self) -> Result<(), Refusal> {
        if self.id == new.id {
            return Err(Refusal::Itself { id: self.id.clone() });
        }
        let is_step = |kind| matches!(kind, RecordKind::Decision | RecordKind::DeadEnd);
        if self.kind != new.kind && !(is_step(self.kind) && is_step(new.kind)) {
            return Err(Refusal::OtherKind { old: self.kind, new: new.kind });
        }
        self.judge_state(RecordState::Superseded)?;
        if new.state == RecordState::Confirmed {
            return Ok(());
        }
        Err(Refusal::NotInForce { id: new.id.clone(), state: new.state, superseded_by: new.superseded_by.clone() })
    }

    /// Whether its fields may be changed. An agent's words never get into force by rewording what a person confirmed, nor
    /// get another origin by rewording what a person said.
    pub fn judge_edit(&self, by: Origin) -> Result<(), Refusal> {
        let is_its_own = by == Origin::Agent && self.origin == by && self.state == RecordState::Pending;
        if is_its_own || by == Origin::Operator {
            return Ok(());
        }
        Err(Refusal::NotItsOwn { id: self.id.clone(), state: self.state, origin: self.origin })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::curated::tests::record;

    #[test]
    fn an_agent_rewords_nothing_but_its_own_proposals() {
        let of = |origin, state| Record { state, origin, ..record("outbox", "") };
        for state in RecordState::ALL {
            for origin in Origin::ALL {
                let allowed = of(origin, state).judge_edit(Origin::Agent).is_ok();
                assert_eq!(allowed, origin == Origin::Agent && state == RecordState::Pending, "{origin:?} {state:?}");
                assert!(of(origin, state).judge_edit(Origin::Operator).is_ok());
                assert!(of(origin, state).judge_edit(Origin::Import).is_err());
            }
        }
    }

    #[test]
    fn a_person_may_have_another_mind_and_nothing_is_judged_twice() {
        let ways = RecordState::ALL.map(|from| {
            let to = RecordState::ALL.into_iter().filter(|to| from.leads_to(*to)).map(RecordState::as_str);
            format!("{} -> {}", from.as_str(), to.collect::<Vec<_>>().join(", ")).trim_end().to_owned()
        });
        insta::assert_snapshot!(ways.join("\n"), @r"
        pending -> confirmed, rejected, superseded
        confirmed -> superseded, retired
        rejected -> confirmed
        superseded ->
        expired -> confirmed, rejected, superseded
        retired -> confirmed, rejected, superseded
        ");
    }

    #[test]
    fn no_ring_of_records_that_replace_each_other_comes_about() {
        let of = |id: &str, state| Record { id: RecordId::new(id), state, ..record(id, "") };
        let (old, new) = (of("a", RecordState::Confirmed), of("b", RecordState::Confirmed));
        assert_eq!(old.judge_successor(&new), Ok(()));
        let replaced = Record { superseded_by: Some(new.id.clone()), ..of("a", RecordState::Superseded) };
        let fault = new.judge_successor(&replaced).unwrap_err();
        assert_eq!(fault.to_string(), "a is superseded and can replace nothing before it is in force");
        assert_eq!(old.judge_successor(&old), Err(Refusal::Itself { id: old.id.clone() }));
        let failed = Record { kind: RecordKind::DeadEnd, ..new.clone() };
        assert_eq!((old.judge_successor(&failed), failed.judge_successor(&old)), (Ok(()), Ok(())), "steps of a thread");
        let rule = Record { kind: RecordKind::Correction, ..new };
        assert_eq!(
            old.judge_successor(&rule).unwrap_err().to_string(),
            "a correction can't replace a decision: change its kind first, while it waits"
        );
    }
}
