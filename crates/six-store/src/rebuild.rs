//! The index made anew from the text: after damage to it, and after a change of the tokenizer.

use six_core::text::TOKENIZER_VERSION;

use crate::error::Result;
use crate::index::Counts;
use crate::open::Store;
use crate::table::{body, body_fts, chunk, entry, meta, term, vector};

impl Store {
    /// Whether the index was made by this binary's tokenizer. When not, queries miss words until
    /// [`Store::rebuild_index`], which the worker calls.
    pub fn index_is_current(&self) -> Result<bool> {
        Ok(self.meta(meta::TOKENIZER)? == Some(TOKENIZER_VERSION.to_string()))
    }

    /// Makes index, frequencies and counters anew from bodies and their text, in one transaction that lasts as long as
    /// indexing everything does; answers the bodies indexed. Sound vectors of texts that are there stay.
    pub fn rebuild_index(&self) -> Result<u64> {
        self.write(|conn| {
            body_fts::recreate(conn)?;
            term::clear(conn)?;
            let mut counts = Counts::default();
            let mut bodies = 0;
            chunk::each_body(conn, |id, text| {
                let lent = body::lent(conn, id)?;
                let terms = body_fts::Terms::of(text, &lent);
                body_fts::insert(conn, id, &terms, &lent.scope)?;
                counts.add(&terms, 1);
                bodies += 1;
                Ok(())
            })?;
            term::add(conn, counts.into_deltas())?;
            vector::repair(conn)?;
            meta::set(conn, meta::BODIES, &bodies.to_string())?;
            meta::set(conn, meta::CHUNKS, &chunk::count_all(conn)?.to_string())?;
            meta::set(conn, meta::TEXT_BYTES, &entry::all_text_bytes(conn)?.to_string())?;
            meta::set(conn, meta::TOKENIZER, &TOKENIZER_VERSION.to_string())?;
            Ok(bodies)
        })
    }
}

#[cfg(test)]
mod tests {
    use six_core::search::EmbedTranscripts;

    use crate::testkit::*;

    #[test]
    fn an_index_that_was_dropped_or_lost_rows_is_made_anew() {
        for damage in ["DROP TABLE body_fts", "DELETE FROM body_fts", "DELETE FROM term", "UPDATE meta SET value = '7'"]
        {
            let s = Scratch::new();
            s.store.commit(&doc_batch("a.md", "retry with jitter\nand an outbox\nretry with jitter")).unwrap();
            s.store.conn.execute_batch(damage).unwrap();
            assert_eq!(s.store.rebuild_index().unwrap(), 2, "{damage}");
            assert_eq!(s.store.search(&query("jitter")).unwrap().hits.len(), 1, "{damage}");
            s.assert_whole();
            s.store.commit(&doc_batch("b.md", "another jitter")).unwrap();
            s.assert_whole();
        }
    }

    #[test]
    fn vectors_that_are_sound_stay_and_others_go() {
        for damage in [
            "UPDATE vector SET value_i8 = x'00' WHERE body_id = 1",
            "UPDATE vector SET signs = x'' WHERE body_id = 1",
            "UPDATE vector SET body_id = 99 WHERE body_id = 1",
            "DELETE FROM vector WHERE body_id = 1",
            "UPDATE body SET model_id = NULL WHERE id = 1; DELETE FROM vector WHERE body_id = 1",
        ] {
            let s = Scratch::new();
            s.store.commit(&doc_batch("a.md", "one\ntwo\nthree")).unwrap();
            embed(&s.store, EmbedTranscripts::Off, made_vector);
            s.store.conn.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
            s.store.conn.execute_batch(damage).unwrap();
            let sound = s.store.full_check(NOW).unwrap().vectors.is_empty();
            assert_eq!(sound, damage.starts_with("UPDATE body"), "{damage}");
            s.store.rebuild_index().unwrap();
            s.assert_whole();
            assert_eq!(embed(&s.store, EmbedTranscripts::Off, made_vector), 1, "{damage}");
            s.assert_vectors_current();
        }
    }

    #[test]
    fn a_new_tokenizer_is_noticed() {
        let s = Scratch::new();
        assert!(s.store.index_is_current().unwrap());
        s.store.set_meta("tokenizer_version", "0").unwrap();
        assert!(!s.store.index_is_current().unwrap());
        s.store.rebuild_index().unwrap();
        assert!(s.store.index_is_current().unwrap());
    }
}
