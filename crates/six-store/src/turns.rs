//! The turns that were decided, as they are asked about later; silences; what people thought of firings.

use six_core::inject::Receipt;
use six_core::record::{EventId, Judgement, Mute, OutcomeKind, PromptId, SessionId, UnixMs};

use crate::error::{Result, StoreError};
use crate::open::Store;
use crate::table::{judgement, mute, receipt};

/// One turn as it was decided.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// The number of its row: small, and the same as long as the store lives.
    pub number: i64,
    /// The invocation of the hook.
    pub event: EventId,
    /// The account.
    pub receipt: Receipt,
    /// How the hook ended, and how many bytes it printed; `None` while it runs, or when it was killed.
    pub ended: Option<(OutcomeKind, u32)>,
    /// What people thought of it, by rater.
    pub judgements: Vec<Judgement>,
}

impl Turn {
    /// Whether something was shown, or in shadow would have been.
    pub fn fired(&self) -> bool {
        !self.receipt.blocks.is_empty()
    }
}

impl Store {
    /// The newest turns, of one session or of all.
    pub fn turns(&self, session: Option<&SessionId>, limit: usize) -> Result<Vec<Turn>> {
        self.read(|conn| {
            let rows = receipt::newest(conn, session, limit)?;
            rows.into_iter().map(|row| turn(conn, row)).collect()
        })
    }

    /// The turn of that number, or the one whose event id begins so; [`StoreError::NotOne`] when none does, or several do.
    pub fn turn(&self, name: &str) -> Result<Turn> {
        self.read(|conn| {
            let numbered = name.parse().ok().map(|id| receipt::numbered(conn, id)).transpose()?.flatten();
            if let Some(row) = numbered {
                return turn(conn, row);
            }
            let mut rows = receipt::of_event(conn, name, 2)?;
            match (rows.len(), rows.pop()) {
                (1, Some(row)) => turn(conn, row),
                (found, _) => Err(StoreError::NotOne { found }),
            }
        })
    }

    /// Stores what a person thought of a turn, in the place of what the same person thought before.
    pub fn judge(&self, event: &EventId, new: &Judgement) -> Result<()> {
        self.write(|conn| Ok(judgement::set(conn, event, new)?))
    }

    /// Begins a silence, and forgets those that are over.
    pub fn mute(&self, new: &Mute) -> Result<()> {
        self.write(|conn| {
            mute::end_over(conn, new.since)?;
            Ok(mute::set(conn, new)?)
        })
    }

    /// Ends the silence of a session, or of the project; `false` when there was none.
    pub fn unmute(&self, session: Option<&SessionId>) -> Result<bool> {
        self.write(|conn| Ok(mute::end(conn, session)?))
    }

    /// Whether a session, or the project with it, is silent at `now`.
    pub fn is_muted(&self, session: &SessionId, now: UnixMs) -> Result<bool> {
        Ok(mute::is_in_force(&self.conn, session, now)?)
    }

    /// Whether the person who sent this prompt wanted nothing said on it.
    pub fn is_skipped(&self, session: &SessionId, prompt: &PromptId) -> Result<bool> {
        Ok(receipt::silenced(&self.conn, session, prompt)?.as_deref() == Some("#skip"))
    }

    /// The silences in force at `now`, that of the project first.
    pub fn mutes(&self, now: UnixMs) -> Result<Vec<Mute>> {
        Ok(mute::in_force(&self.conn, now)?)
    }
}

fn turn(conn: &rusqlite::Connection, (number, event, receipt, ended): receipt::Row) -> Result<Turn> {
    let judgements = judgement::of_event(conn, &event)?;
    Ok(Turn { number, event, receipt, ended, judgements })
}

#[cfg(test)]
mod tests {
    use six_core::effect::Effect;
    use six_core::inject::{Emission, Limits};
    use six_core::record::{HookName, Worth};

    use super::*;
    use crate::testkit::*;

    fn receipt(session: &str, at: i64) -> Receipt {
        Receipt {
            tool: None,
            compared: 0,
            session: SessionId::new(session),
            prompt_id: None,
            at: UnixMs(NOW.0 + at),
            prompt_hash: "h".into(),
            head: text("fix it"),
            mode: Emission::Shadow,
            human: true,
            silenced: Some("no-intent".into()),
            intents: Vec::new(),
            terms: Vec::new(),
            corpus: 0,
            candidates: Vec::new(),
            blocks: Vec::new(),
            degraded: Vec::new(),
            limits: Limits::default(),
            stages_us: Vec::new(),
            took_us: 900,
        }
    }

    fn put(s: &Scratch, event: &str, session: &str, at: i64) {
        let beat = heartbeat(event, HookName::UserPromptSubmit);
        s.store.open_heartbeat(&beat).unwrap();
        s.store.apply(&beat.id, &[Effect::Receipt(Box::new(receipt(session, at)))], NOW).unwrap();
    }

    fn events(turns: &[Turn]) -> Vec<&str> {
        turns.iter().map(|turn| turn.event.as_str()).collect()
    }

    #[test]
    fn the_newest_turn_comes_first_whenever_its_row_was_written() {
        let s = Scratch::new();
        for (event, session, at) in [("a1", "s1", 10), ("a2", "s2", 30), ("b3", "s1", 20)] {
            put(&s, event, session, at);
        }
        assert_eq!(events(&s.store.turns(None, 9).unwrap()), ["a2", "b3", "a1"]);
        assert_eq!(events(&s.store.turns(None, 1).unwrap()), ["a2"]);
        assert_eq!(events(&s.store.turns(Some(&SessionId::new("s1")), 9).unwrap()), ["b3", "a1"]);
        assert_eq!(s.store.turns(None, 1).unwrap()[0].receipt, receipt("s2", 30));
    }

    #[test]
    fn a_turn_is_found_by_its_number_and_by_the_beginning_of_its_event() {
        let s = Scratch::new();
        for event in ["a1", "a2", "7x"] {
            put(&s, event, "s1", 0);
        }
        let found = |name: &str| s.store.turn(name).map(|turn| turn.event.to_string()).map_err(|why| why.to_string());
        assert_eq!(found("2").as_deref(), Ok("a2"));
        assert_eq!(found("a1").as_deref(), Ok("a1"));
        assert_eq!(found("7").as_deref(), Ok("7x"), "an id may begin with a digit");
        assert!(found("a").is_err_and(|why| why.starts_with('2')));
        assert!(found("%").is_err_and(|why| why.starts_with('0')));
    }

    #[test]
    fn a_turn_tells_how_its_hook_ended() {
        let s = Scratch::new();
        put(&s, "a1", "s1", 0);
        assert_eq!(s.store.turn("a1").unwrap().ended, None);
        s.store.close_heartbeat(&EventId::new("a1"), &outcome(OutcomeKind::TimedOut)).unwrap();
        assert_eq!(s.store.turn("a1").unwrap().ended, Some((OutcomeKind::TimedOut, 0)));
    }

    #[test]
    fn one_rater_has_one_judgement_of_a_turn() {
        let s = Scratch::new();
        put(&s, "a1", "s1", 0);
        let judged = |rater: &str, verdict| Judgement { rater: text(rater), verdict, note: text("n"), at: NOW };
        for (rater, verdict) in [("bo", Worth::Noise), ("al", Worth::Noise), ("bo", Worth::Justified)] {
            s.store.judge(&EventId::new("a1"), &judged(rater, verdict)).unwrap();
        }
        let expected = [judged("al", Worth::Noise), judged("bo", Worth::Justified)];
        assert_eq!(s.store.turn("a1").unwrap().judgements, expected);
    }

    #[test]
    fn a_prompt_is_skipped_by_its_own_word_and_by_no_other() {
        let s = Scratch::new();
        let sent = |event: &str, at: i64, human: bool, prompt: &str, silenced: Option<&str>| {
            let beat = heartbeat(event, HookName::UserPromptSubmit);
            s.store.open_heartbeat(&beat).unwrap();
            let (prompt_id, silenced) = (Some(PromptId::new(prompt)), silenced.map(str::to_owned));
            let new = Receipt { prompt_id, silenced, human, ..receipt("s1", at) };
            s.store.apply(&beat.id, &[Effect::Receipt(Box::new(new))], NOW).unwrap();
        };
        sent("a", 1, true, "p1", Some("#skip"));
        sent("b", 2, false, "p1", None);
        sent("c", 3, true, "p2", None);
        sent("d", 4, true, "p3", Some("no-intent"));
        let skipped =
            |session: &str, prompt: &str| s.store.is_skipped(&SessionId::new(session), &PromptId::new(prompt)).unwrap();
        assert!(skipped("s1", "p1"), "what a tool left does not end it");
        assert!(!skipped("s1", "p2") && !skipped("s1", "p3") && !skipped("s1", "p4") && !skipped("s2", "p1"));
    }

    #[test]
    fn a_mute_holds_for_its_session_or_all_of_them_until_its_end() {
        let s = Scratch::new();
        let (one, two, later) = (SessionId::new("s1"), SessionId::new("s2"), UnixMs(NOW.0 + 1_000));
        let muted = |session: &SessionId, now| s.store.is_muted(session, now).unwrap();
        assert!(!muted(&one, NOW));
        let of_one = Mute { session: Some(one.clone()), since: NOW, until: Some(later) };
        s.store.mute(&of_one).unwrap();
        assert!(muted(&one, NOW) && !muted(&two, NOW) && !muted(&one, later));
        let of_all = Mute { session: None, since: NOW, until: None };
        s.store.mute(&of_all).unwrap();
        assert!(muted(&two, UnixMs(i64::MAX)));
        assert_eq!(s.store.mutes(NOW).unwrap(), [of_all.clone(), of_one]);
        assert_eq!(s.store.mutes(later).unwrap(), [of_all]);
        assert!(s.store.unmute(None).unwrap() && !s.store.unmute(None).unwrap());
        assert!(muted(&one, NOW) && !muted(&two, NOW));
    }
}
