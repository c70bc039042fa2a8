//! What confirmed records cite, for the worker that looks where it went.

use six_core::record::{Anchor, RecordId};

use crate::error::Result;
use crate::open::Store;
use crate::table::{anchor, meta};

/// An anchor and whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cited {
    /// The record.
    pub record: RecordId,
    /// Its place among the record's anchors, from 0.
    pub ordinal: u32,
    /// The anchor.
    pub anchor: Anchor,
}

impl Store {
    /// All that confirmed records cite; the newest records first.
    pub fn cited_anchors(&self) -> Result<Vec<Cited>> {
        self.read(|conn| {
            let all = anchor::of_confirmed(conn)?;
            Ok(all.into_iter().map(|(record, ordinal, anchor)| Cited { record, ordinal, anchor }).collect())
        })
    }

    /// What the anchors stood on when they were last looked at, as it was handed to [`Store::note_anchors`].
    pub fn anchors_looked(&self) -> Result<Option<String>> {
        self.read(|conn| Ok(meta::get(conn, meta::ANCHORS_LOOKED)?))
    }

    /// Stores `moved_to` and `merged` of the anchors that were found, and `stood_on` once all were looked at.
    pub fn note_anchors(&self, found: &[Cited], stood_on: Option<&str>) -> Result<()> {
        self.write(|conn| {
            for one in found {
                anchor::set_found(conn, &one.record, one.ordinal, &one.anchor)?;
            }
            if let Some(stood_on) = stood_on {
                meta::set(conn, meta::ANCHORS_LOOKED, stood_on)?;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use six_core::record::{RecordKind, RecordState};

    use super::*;
    use crate::testkit::*;

    #[test]
    fn what_was_found_of_an_anchor_comes_back_with_its_record() {
        let s = Scratch::new();
        let of = |path: &str| Anchor { branch: Some(text("pier")), ..Anchor::of_path(text(path)) };
        for (id, state) in [("r1", RecordState::Confirmed), ("r2", RecordState::Pending)] {
            let mut new = record(id, RecordKind::Decision, state, id, "");
            new.anchors = vec![of("a.rs"), of("b.rs")];
            s.store.add_record(&new, "operator").unwrap();
        }
        let mut cited = s.store.cited_anchors().unwrap();
        assert_eq!(cited.iter().map(|one| one.record.as_str()).collect::<Vec<_>>(), ["r1", "r1"]);
        assert_eq!(s.store.anchors_looked().unwrap(), None);
        let mut found = cited.remove(1);
        found.anchor.moved_to = Some(text("c.rs:3-9"));
        found.anchor.merged = Some(false);
        s.store.note_anchors(std::slice::from_ref(&found), None).unwrap();
        assert_eq!(
            (s.store.anchors_looked().unwrap(), s.store.cited_anchors().unwrap()[0].clone()),
            (None, cited.remove(0))
        );
        found.anchor.moved_to = None;
        s.store.note_anchors(std::slice::from_ref(&found), Some("h")).unwrap();
        assert_eq!(s.store.record("r1").unwrap().anchors[1], found.anchor);
        assert_eq!(s.store.anchors_looked().unwrap().as_deref(), Some("h"));
    }
}
