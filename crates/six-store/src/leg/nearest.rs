//! The vector leg: bodies whose vector points where the query's does, filters inside.
//!
//! Two passes. The signs of all vectors choose the candidates, their whole bytes rank them. Comparing all bytes of 20 000
//! vectors of 384 values would take 22 ms; the two passes take less than 4.

use rusqlite::{Connection, params};
use six_core::search::{Filter, Model, QueryVector};

use super::{Reference, Wanted, best_reference, wanted_sql};
use crate::error::Result;
use crate::extension;
use crate::table::{column, model, vector};

/// Candidates of the first pass for every row that is wanted. Of 3 581 sentences of technical prose in the embedded model's
/// vectors, eight for each of fifty rows held 99.9 % of the ten nearest and 97.9 % of the fifty; four held 99.0 and 92.7 %.
/// Where there are no more vectors than candidates the answer is exact.
const POOL: usize = 8;

/// How many more are taken where a filter may let only some of them through. Where that is too little the filter works on
/// every vector, which costs two microseconds each.
const OVERFETCH: usize = 2;

/// The best `rows` references, nearest first, with their cosine. Empty where the query's model has made no vector: those of
/// other models, and of another width, are never compared with it.
pub(crate) fn nearest(
    conn: &Connection,
    query: &QueryVector,
    filter: &Filter,
    rows: usize,
) -> Result<Vec<(Reference, f64)>> {
    let asked = Model { name: query.model.clone(), width: query.values.len() };
    let Some(model) = model::id(conn, &asked)? else { return Ok(Vec::new()) };
    let wanted = Wanted::of(filter);
    let least_weight = filter.kinds.iter().map(|kind| kind.weight()).min().unwrap_or(0);
    let signs = vector::signs(&query.values);
    let bytes = vector::bytes(&query.values);
    let candidates = candidates(conn, model, &signs, &wanted, least_weight, rows.saturating_mul(POOL))?;
    let mut ranked = vector::cosines(conn, &candidates, &bytes)?;
    ranked.sort_by(|(a, ca), (b, cb)| cb.total_cmp(ca).then(a.cmp(b)));
    let mut found = Vec::new();
    for (body, cosine) in ranked {
        if found.len() == rows {
            break;
        }
        found.extend(best_reference(conn, body, &wanted)?.map(|reference| (reference, cosine)));
    }
    Ok(found)
}

/// Of the bodies that the filter lets through, those that have the most signs in common with the query.
fn candidates(
    conn: &Connection,
    model: i64,
    signs: &[u8],
    wanted: &Wanted<'_>,
    least_weight: u8,
    pool: usize,
) -> Result<Vec<i64>> {
    if wanted.all() {
        return Ok(vector::by_signs(conn, model, signs, pool)?);
    }
    let some = pool.saturating_mul(OVERFETCH);
    let bodies = vector::by_signs(conn, model, signs, some)?;
    let were_all = bodies.len() < some;
    let mut through = Vec::new();
    for body in bodies {
        if through.len() == pool {
            break;
        }
        through.extend(best_reference(conn, body, wanted)?.map(|_| body));
    }
    if were_all || through.len() == pool {
        return Ok(through);
    }
    by_signs_wanted(conn, model, signs, wanted, least_weight, pool)
}

/// What `body` says of its references, the weight of the heaviest and the date of the newest, spares looking at most of
/// them. Its row is looked up, never joined the other way round: the order of the signs is what is asked for.
fn by_signs_wanted(
    conn: &Connection,
    model: i64,
    signs: &[u8],
    wanted: &Wanted<'_>,
    least_weight: u8,
    rows: usize,
) -> Result<Vec<i64>> {
    extension::ensure(conn)?;
    Ok(conn
        .prepare_cached(&format!(
            "SELECT v.body_id FROM vector v CROSS JOIN body b ON b.id = v.body_id \
             WHERE v.model_id = ?5 AND octet_length(v.signs) = octet_length(?7) \
             AND b.weight >= ?6 AND b.newest_unix_ms >= ifnull(?4, b.newest_unix_ms) AND EXISTS (\
                 SELECT 1 FROM chunk c JOIN entry e ON e.id = c.entry_id WHERE c.body_id = v.body_id AND {}) \
             ORDER BY vec_distance_hamming(vec_bit(v.signs), vec_bit(?7)) LIMIT ?8",
            wanted_sql()
        ))?
        .query_map(
            params![
                wanted.kinds,
                wanted.sources,
                wanted.path,
                wanted.since,
                model,
                least_weight,
                signs,
                column::int(rows)
            ],
            |row| row.get(0),
        )?
        .collect::<rusqlite::Result<_>>()?)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;
    use six_core::record::{EntryKind, Source, UnixMs};
    use six_core::search::EmbedTranscripts;

    use super::*;
    use crate::table::{body, chunk};
    use crate::testkit::*;

    /// Numbers that look like chance and are the same in every run.
    struct Dice(u64);

    impl Dice {
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }

        /// Values whose amount is below `limit`.
        fn values(&mut self, width: usize, limit: i8) -> Vec<i8> {
            (0..width).map(|_| self.next().to_be_bytes()[0].cast_signed() % limit).collect()
        }
    }

    fn near(centre: &[i8], dice: &mut Dice, limit: i8) -> Vec<i8> {
        let shift = dice.values(centre.len(), limit);
        centre.iter().zip(shift).map(|(c, s)| c.saturating_add(s).max(-127)).collect()
    }

    fn asked(values: &[i8]) -> QueryVector {
        QueryVector { model: MODEL.to_owned(), values: values.to_vec() }
    }

    /// Puts vectors in without texts: the leg asks for texts only at its end.
    fn fill(s: &Scratch, vectors: &[Vec<i8>], from: i64) {
        let conn = &s.store.conn;
        let model = model::id_for(conn, &Model { name: MODEL.to_owned(), width: vectors[0].len() }).unwrap();
        conn.execute_batch("BEGIN").unwrap();
        for (id, values) in (from..).zip(vectors) {
            let lent = body::Lent::default();
            let hash = body::hash(&id.to_string());
            let row = body::insert(conn, &hash, &lent, UnixMs(0)).unwrap();
            conn.execute("UPDATE body SET id = ?2 WHERE id = ?1", [row, id]).unwrap();
            vector::put(conn, id, model, values).unwrap();
        }
        conn.execute_batch("COMMIT").unwrap();
    }

    fn exact(vectors: &[Vec<i8>], query: &[i8], rows: usize) -> HashSet<i64> {
        let dot = |a: &[i8], b: &[i8]| -> f64 { a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum() };
        let mut all: Vec<(f64, i64)> = (1_i64..)
            .zip(vectors)
            .map(|(id, v)| (dot(v, query) / (dot(v, v) * dot(query, query)).sqrt(), id))
            .collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        all.into_iter().take(rows).map(|(_, id)| id).collect()
    }

    #[test]
    fn candidates_by_sign_hold_the_nearest() {
        let s = Scratch::new();
        let mut dice = Dice(88_172_645_463_325_252);
        let centres: Vec<Vec<i8>> = (0..20).map(|_| dice.values(128, 60)).collect();
        let vectors: Vec<Vec<i8>> = (0..2_000).map(|n| near(&centres[n % 20], &mut dice, 40)).collect();
        fill(&s, &vectors, 1);
        let model = model::id(&s.store.conn, &Model { name: MODEL.to_owned(), width: 128 }).unwrap().unwrap();
        let (mut held, mut all) = (0, 0);
        for centre in &centres {
            let query = near(centre, &mut dice, 40);
            let chosen = vector::by_signs(&s.store.conn, model, &vector::signs(&query), 50 * POOL).unwrap();
            let nearest = exact(&vectors, &query, 50);
            held += chosen.iter().filter(|id| nearest.contains(id)).count();
            all += nearest.len();
        }
        assert_eq!((held, all), (1_000, 1_000));
    }

    #[test]
    fn the_nearest_of_more_than_twenty_thousand_is_found_without_a_common_word() {
        let s = Scratch::new();
        let mut dice = Dice(7);
        let vectors: Vec<Vec<i8>> = (0..20_500).map(|_| dice.values(32, 100)).collect();
        s.store.commit(&doc_batch("a.md", "retry with jitter")).unwrap();
        let meant = dice.values(32, 100);
        assert_eq!(embed(&s.store, EmbedTranscripts::Off, |_| meant.clone()), 1);
        fill(&s, &vectors, 2);
        let query = near(&meant, &mut dice, 5);
        let found = nearest(&s.store.conn, &asked(&query), &Filter::default(), 50).unwrap();
        let text = chunk::body_text(&s.store.conn, found[0].0.body).unwrap();
        assert_eq!(text.as_deref(), Some("retry with jitter"));
        assert!(found[0].1 > 0.98);
        assert!(s.store.search(&crate::testkit::query("backoff")).unwrap().hits.is_empty());
    }

    #[test]
    fn a_filter_that_lets_few_through_still_gives_all_that_there_are() {
        let s = Scratch::new();
        for n in 0..400 {
            let at = UnixMs(NOW.0 + n);
            let mut new = doc(&format!("docs/{n}.md"), &format!("text {n}"));
            new.at = Some(at);
            s.store
                .commit(&batch(Source::Doc, &format!("docs/{n}.md"), six_core::ingest::Mode::Replace, vec![new]))
                .unwrap();
        }
        let ledger = entry(Source::Ledger, EntryKind::Ledger, "one", "far away");
        s.store.commit(&batch(Source::Ledger, "l", six_core::ingest::Mode::Append, vec![ledger])).unwrap();
        embed(
            &s.store,
            EmbedTranscripts::Off,
            |text| if text.contains("far") { vec![-9; 8] } else { made_vector(text) },
        );
        let found = |filter: Filter, rows| {
            let found = nearest(&s.store.conn, &asked(&[9; 8]), &filter, rows).unwrap();
            assert!(found.is_sorted_by(|a, b| a.1 >= b.1));
            found.len()
        };
        assert_eq!(found(Filter { kinds: vec![EntryKind::Ledger], ..Filter::default() }, 5), 1);
        assert_eq!(found(Filter { sources: vec![Source::Ledger], ..Filter::default() }, 5), 1);
        assert_eq!(found(Filter { path: Some("docs/37.md".into()), ..Filter::default() }, 5), 1);
        assert_eq!(found(Filter { since: Some(UnixMs(NOW.0 + 397)), ..Filter::default() }, 5), 3);
        assert_eq!(found(Filter { kinds: vec![EntryKind::Doc], ..Filter::default() }, 5), 5);
        assert_eq!(found(Filter { kinds: vec![EntryKind::Correction], ..Filter::default() }, 5), 0);
        assert_eq!(found(Filter::default(), 0), 0);
        assert_eq!(found(Filter::default(), 401), 401);
        assert_eq!(found(Filter::default(), usize::MAX), 401);
    }

    #[test]
    fn a_store_of_nothing_or_next_to_nothing_answers() {
        let s = Scratch::new();
        let found = || nearest(&s.store.conn, &asked(&[1; 8]), &Filter::default(), 50).unwrap().len();
        for n in 0..3 {
            assert_eq!(found(), n);
            s.store.commit(&doc_batch(&format!("{n}.md"), &format!("text {n}"))).unwrap();
            assert_eq!(found(), n, "a text without a vector is not near to anything");
            embed(&s.store, EmbedTranscripts::Off, made_vector);
        }
    }

    #[test]
    fn vectors_of_another_model_or_width_are_never_compared() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "one\ntwo")).unwrap();
        embed(&s.store, EmbedTranscripts::Off, made_vector);
        let found = |query: &QueryVector| nearest(&s.store.conn, query, &Filter::default(), 5).unwrap().len();
        assert_eq!(found(&asked(&[1; 8])), 2);
        assert_eq!(found(&asked(&[1; 16])), 0);
        assert_eq!(found(&asked(&[])), 0);
        assert_eq!(found(&QueryVector { model: "another".to_owned(), values: vec![1; 8] }), 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_cosine_is_that_of_the_angle(
            (left, right) in (1..40_usize).prop_flat_map(|n| {
                (prop::collection::vec(-127..=127_i8, n), prop::collection::vec(-127..=127_i8, n))
            })
        ) {
            let s = Scratch::new();
            fill(&s, std::slice::from_ref(&left), 1);
            let found = vector::cosines(&s.store.conn, &[1, 2], &vector::bytes(&right)).unwrap();
            prop_assert_eq!(found.len(), 1);
            let found = found[0].1;
            let dot = |a: &[i8], b: &[i8]| -> f64 { a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum() };
            let squares = dot(&left, &left) * dot(&right, &right);
            let angle = if squares == 0.0 { 0.0 } else { dot(&left, &right) / squares.sqrt() };
            prop_assert!((found - angle).abs() < 1e-5, "{} {}", found, angle);
        }
    }
}
