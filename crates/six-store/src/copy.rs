//! A copy of a store, for whatever must not touch the store itself.

use std::path::Path;

use crate::error::Result;
use crate::open::{Store, private_file};

impl Store {
    /// Writes the store as it is at this moment to a new file, which only its owner can read. Others may write meanwhile.
    /// Fails when there is a file already.
    pub fn copy_to(&self, path: &Path) -> Result<()> {
        private_file(path)?;
        self.conn.execute("VACUUM INTO ?1", [path.to_string_lossy()])?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use six_core::record::{RecordKind, RecordState};

    use crate::testkit::*;
    use crate::{Access, Store};

    #[test]
    fn a_copy_has_all_that_the_store_has_and_goes_its_own_way() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "the outbox keeps order")).unwrap();
        let path = s.dir.path().join("copy.db");
        s.open(Access::Read).copy_to(&path).unwrap();
        let copy = Store::open(&path, Access::Write, Duration::ZERO).unwrap();
        assert_eq!(copy.search(&query("outbox")).unwrap().hits.len(), 1);
        copy.add_record(&record("r1", RecordKind::Decision, RecordState::Confirmed, "outbox", ""), "x").unwrap();
        assert_eq!(copy.full_check(NOW).unwrap().faults, Vec::<String>::new());
        assert_eq!(
            (
                copy.records(None, &RecordState::ALL).unwrap().len(),
                s.store.records(None, &RecordState::ALL).unwrap().len()
            ),
            (1, 0)
        );
        assert!(s.store.copy_to(&path).is_err(), "a file that is there stays");
    }
}
