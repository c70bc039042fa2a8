//! Vectors over time: when embedding last got on, and vectors that went astray.

use rusqlite::Connection;
use six_core::health::{CheckName, Fault};
use six_core::record::UnixMs;
use six_core::search::Model;

use crate::error::Result;
use crate::open::Store;
use crate::table::{boundary, health_observation, meta, model, vector};

impl Store {
    /// A run of embedding has stored vectors, or found none to make.
    pub fn note_embedding(&self, at: UnixMs) -> Result<()> {
        self.set_meta(meta::EMBEDDED, &at.0.to_string())
    }

    /// The project was given another model, of which there are no vectors yet.
    pub fn note_model_change(&self, at: UnixMs) -> Result<()> {
        self.set_meta(meta::MODEL_CHANGED, &at.0.to_string())
    }

    /// Starts and ends of sessions since embedding last got on, or since there was reason to begin anew; all of them where
    /// neither ever was.
    pub fn boundaries_since_embedding(&self, now: UnixMs) -> Result<u32> {
        self.read(|conn| {
            let since = last_embedding(conn)?.max(time_of(conn, meta::MODEL_CHANGED)?);
            Ok(boundary::count_between(conn, since, now)?)
        })
    }

    /// Whether health saw a text that its vector does not find since then. That it was found at another time proves
    /// nothing: another text was looked for.
    pub fn was_unfound_since_embedding(&self, now: UnixMs) -> Result<bool> {
        self.read(|conn| {
            let (check, fault) = (CheckName::Vectors, Fault::VectorsUnfound);
            Ok(health_observation::has_found(conn, check, fault, last_embedding(conn)?, now)?)
        })
    }

    /// Removes vectors that no body can have, and lets bodies whose vector is not there say so, so that it is made again.
    /// Answers how many vectors were removed.
    pub fn settle_vectors(&self) -> Result<u64> {
        if self.read(|conn| Ok(vector::faults(conn)?.is_none()))? {
            return Ok(0);
        }
        self.write(|conn| {
            let before = vector::count(conn)?;
            vector::repair(conn)?;
            Ok(before.saturating_sub(vector::count(conn)?))
        })
    }

    /// Values of the vectors that the store has from the model of this name, if it has any.
    pub fn indexed_width(&self, name: &str) -> Result<Option<usize>> {
        self.read(|conn| Ok(model::width_in_use(conn, name)?))
    }

    /// Removes all vectors of a model; answers how many.
    pub fn discard_vectors(&self, of: &Model) -> Result<u64> {
        self.write(|conn| match model::id(conn, of)? {
            None => Ok(0),
            Some(model) => Ok(vector::delete_of(conn, model)?),
        })
    }
}

fn last_embedding(conn: &Connection) -> Result<UnixMs> {
    time_of(conn, meta::EMBEDDED)
}

fn time_of(conn: &Connection, key: &str) -> Result<UnixMs> {
    Ok(meta::get(conn, key)?.and_then(|at| at.parse().ok()).map_or(UnixMs(i64::MIN), UnixMs))
}

#[cfg(test)]
mod tests {
    use six_core::effect::Effect;
    use six_core::health::Verdict;
    use six_core::record::{Boundary, Edge, EventId, HookName, SessionId};
    use six_core::search::EmbedTranscripts;

    use super::*;
    use crate::Coverage;
    use crate::testkit::*;

    fn model(name: &str) -> Model {
        Model { name: name.to_owned(), width: 2 }
    }

    /// A store whose three texts have a vector of the model `a`.
    fn embedded() -> Scratch {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "one\ntwo\nthree")).unwrap();
        embed(&s, &model("a"));
        s
    }

    fn embed(s: &Scratch, model: &Model) {
        let texts = s.store.unembedded(model, EmbedTranscripts::Off, NOW, None, 10).unwrap();
        let vectors: Vec<_> = texts.iter().map(|text| (text.body, text.hash, vec![1, 2])).collect();
        s.store.put_vectors(model, &vectors).unwrap();
    }

    fn coverage(s: &Scratch) -> Coverage {
        s.store.coverage(&model("a"), EmbedTranscripts::Off, NOW).unwrap()
    }

    #[test]
    fn vectors_that_were_lost_are_counted_and_handed_out_again() {
        let s = embedded();
        assert_eq!((coverage(&s).embedded, coverage(&s).lost), (3, 0));
        assert_eq!(s.store.settle_vectors().unwrap(), 0);
        s.store.conn.execute("DELETE FROM vector WHERE body_id = (SELECT min(body_id) FROM vector)", []).unwrap();
        assert_eq!((coverage(&s).embedded, coverage(&s).lost), (2, 1));
        s.store.settle_vectors().unwrap();
        assert_eq!((coverage(&s).embedded, coverage(&s).lost), (2, 0));
        embed(&s, &model("a"));
        assert_eq!(coverage(&s).embedded, 3);
        s.assert_whole();
    }

    #[test]
    fn vectors_of_no_text_are_removed() {
        let s = embedded();
        s.store.conn.pragma_update(None, "foreign_keys", false).unwrap();
        s.store
            .conn
            .execute("INSERT INTO vector SELECT 4711, model_id, signs, value_i8 FROM vector LIMIT 1", [])
            .unwrap();
        assert_eq!(coverage(&s).orphans, 1);
        assert_eq!(s.store.settle_vectors().unwrap(), 1);
        assert_eq!((coverage(&s).orphans, coverage(&s).embedded), (0, 3));
    }

    #[test]
    fn discarding_takes_the_vectors_of_one_model_only() {
        let s = embedded();
        assert_eq!(s.store.discard_vectors(&model("b")).unwrap(), 0);
        assert_eq!(s.store.discard_vectors(&model("a")).unwrap(), 3);
        assert_eq!((coverage(&s).embedded, coverage(&s).lost, coverage(&s).orphans), (0, 0, 0));
        s.assert_whole();
    }

    #[test]
    fn the_width_of_a_model_is_that_of_the_vectors_that_are_there() {
        let s = embedded();
        assert_eq!(s.store.indexed_width("a").unwrap(), Some(2));
        assert_eq!(s.store.indexed_width("b").unwrap(), None);
        s.store.discard_vectors(&model("a")).unwrap();
        assert_eq!(s.store.indexed_width("a").unwrap(), None, "whatever it made before, nothing keeps it to its width");
    }

    #[test]
    fn an_unfound_text_is_remembered_until_a_run_got_on_whatever_health_saw_after_it() {
        let s = Scratch::new();
        let at = |ms: i64| UnixMs(NOW.0 + ms);
        let saw = |ms, verdict: Verdict| s.store.note_health(at(ms), &[judged(CheckName::Vectors, verdict)]).unwrap();
        let unfound = || Verdict::red(Fault::VectorsUnfound, "", "");
        let is_remembered = |ms| s.store.was_unfound_since_embedding(at(ms)).unwrap();
        saw(1, Verdict::red(Fault::VectorsLost, "", ""));
        assert!(!is_remembered(9));
        saw(2, unfound());
        saw(3, Verdict::green());
        assert!(is_remembered(9));
        assert!(!is_remembered(1), "what a clock dated later than now proves nothing");
        s.store.note_embedding(at(4)).unwrap();
        assert!(!is_remembered(9));
        saw(5, unfound());
        assert!(is_remembered(9));
    }

    /// Sessions that ended so many milliseconds after now.
    fn with_ends(after_ms: &[i64]) -> Scratch {
        let s = Scratch::new();
        s.store.open_heartbeat(&heartbeat("1", HookName::SessionStart)).unwrap();
        let end = |ms: &i64| {
            let (session, at) = (SessionId::new("s1"), UnixMs(NOW.0 + ms));
            Effect::Boundary(Boundary { session, edge: Edge::End, detail: text("other"), at })
        };
        s.store.apply(&EventId::new("1"), &after_ms.iter().map(end).collect::<Vec<_>>(), NOW).unwrap();
        s
    }

    #[test]
    fn boundaries_are_counted_from_the_last_run_that_got_on() {
        let s = with_ends(&[1, 2, 3, 99]);
        let now = UnixMs(NOW.0 + 10);
        assert_eq!(s.store.boundaries_since_embedding(now).unwrap(), 3, "never, and none from later than now");
        s.store.note_embedding(UnixMs(NOW.0 + 2)).unwrap();
        assert_eq!(s.store.boundaries_since_embedding(now).unwrap(), 1);
    }

    #[test]
    fn another_model_has_its_own_time_to_begin() {
        let s = with_ends(&[2, 3, 6]);
        s.store.note_embedding(UnixMs(NOW.0 + 1)).unwrap();
        s.store.note_model_change(UnixMs(NOW.0 + 5)).unwrap();
        let now = UnixMs(NOW.0 + 10);
        assert_eq!(s.store.boundaries_since_embedding(now).unwrap(), 1);
        s.store.note_embedding(UnixMs(NOW.0 + 7)).unwrap();
        assert_eq!(s.store.boundaries_since_embedding(now).unwrap(), 0);
    }
}
