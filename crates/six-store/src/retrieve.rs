//! Search for the tool policy: generous, any word may match, filters inside the leg.

use rusqlite::{Connection, OptionalExtension as _};
use six_core::record::{EntryKind, Source};
use six_core::search::{Hit, MAX_TERMS, Parts, Query, QueryTerm, min_max, weight_factor};
use six_core::text::first_line;

use crate::error::Result;
use crate::leg::{self, Reference};
use crate::open::Store;
use crate::table::{chunk, column, entry, meta, term};

/// Rows that the leg ranks, whatever the limit: the scale of a score should not depend on how many are shown.
const LEG_ROWS: usize = 50;

/// Terms of a query whose frequency is looked up. The parser gives far fewer; this bounds what a hostile caller costs.
const LOOKED_UP: usize = 4 * MAX_TERMS;

/// Bytes of a text's beginning that stand for a title.
const TITLE_BYTES: usize = 80;

/// Label of what was said on a branch that was left behind.
const ABANDONED: &str = "abandoned branch";

impl Store {
    /// The best hits for a query, best first. A query without a known term has none.
    pub fn search(&self, query: &Query) -> Result<Vec<Hit>> {
        self.read(|conn| {
            let terms = rarest(conn, &query.terms)?;
            if terms.is_empty() || query.limit == 0 {
                return Ok(Vec::new());
            }
            let rows = LEG_ROWS.max(query.limit.saturating_mul(5));
            let corpus = meta::counter(conn, meta::BODIES)?;
            let ranked = best_first(leg::lexical(conn, corpus, &terms, &query.filter, rows)?);
            let top = ranked.first().map_or(1.0, |(_, parts)| product(*parts)).max(f64::MIN_POSITIVE);
            let mut hits = Vec::with_capacity(query.limit.min(ranked.len()));
            for (id, parts) in ranked.into_iter().take(query.limit) {
                hits.extend(hit(conn, id)?.map(|h| Hit { score: product(parts) / top, parts, ..h }));
            }
            Ok(hits)
        })
    }

    /// One chunk by the id that a hit carries.
    pub fn show(&self, id: &str) -> Result<Option<Hit>> {
        let Some(number) = id.strip_prefix("chunk:").and_then(|n| n.parse().ok()) else { return Ok(None) };
        self.read(|conn| hit(conn, number))
    }
}

/// At most [`MAX_TERMS`] of the terms, the rarest ones; terms that occur nowhere are left out.
fn rarest(conn: &Connection, asked: &[QueryTerm]) -> Result<Vec<(u64, String)>> {
    let mut known = Vec::new();
    for QueryTerm(term) in asked.iter().take(LOOKED_UP) {
        let df = term::df(conn, term)?;
        if df > 0 {
            known.push((df, term.clone()));
        }
    }
    known.sort();
    known.dedup();
    known.truncate(MAX_TERMS);
    Ok(known)
}

fn product(parts: Parts) -> f64 {
    parts.lexical * parts.weight * parts.freshness
}

/// Scales over the leg, weighs, sorts.
fn best_first(leg: Vec<(Reference, f64)>) -> Vec<(i64, Parts)> {
    let scores: Vec<f64> = leg.iter().map(|(_, score)| *score).collect();
    let parts = |((reference, _), lexical): ((Reference, f64), f64)| {
        let weight = weight_factor(reference.kind.weight());
        (reference.chunk, Parts { lexical, vector: 0.0, weight, freshness: 1.0 })
    };
    let mut ranked: Vec<(i64, Parts)> = leg.into_iter().zip(min_max(&scores)).map(parts).collect();
    ranked.sort_by(|(a, pa), (b, pb)| product(*pb).total_cmp(&product(*pa)).then(a.cmp(b)));
    ranked
}

/// A chunk as a hit without a score.
fn hit(conn: &Connection, id: i64) -> Result<Option<Hit>> {
    let found = conn
        .prepare_cached(&format!(
            "SELECT c.id, e.kind, e.source, e.title, c.title, {}, c.first_line, c.last_line, s.name, e.at_unix_ms, \
                 e.abandoned, c.start_bytes, c.end_bytes, e.text \
             FROM chunk c JOIN entry e ON e.id = c.entry_id LEFT JOIN session s ON s.id = e.session_id WHERE c.id = ?1",
            entry::PATH
        ))?
        .query_row([id], |row| {
            Ok(Hit {
                id: format!("chunk:{}", row.get::<_, i64>(0)?),
                kind: column::named(row, 1, EntryKind::parse)?,
                source: column::named(row, 2, Source::parse)?,
                title: shown_title(
                    chunk::joined_title(row.get_ref(3)?.as_str()?, row.get_ref(4)?.as_str()?),
                    row.get_ref(13)?.as_str()?,
                ),
                path: row.get(5)?,
                lines: column::lines(row, 6)?,
                session: column::session_opt(row, 8)?,
                at: column::time_opt(row, 9)?,
                label: if row.get(10)? { ABANDONED.to_owned() } else { String::new() },
                text: row.get_ref(13)?.as_str()?.get(chunk::range(row, 11)?).unwrap_or_default().to_owned(),
                score: 1.0,
                parts: Parts::default(),
            })
        })
        .optional()?;
    Ok(found)
}

/// What was said has no title of its own: its beginning is shown.
fn shown_title(own: String, text: &str) -> String {
    if own.is_empty() { first_line(text, TITLE_BYTES).to_owned() } else { own }
}

#[cfg(test)]
mod tests {
    use rusqlite::params;
    use six_core::ingest::Mode;
    use six_core::record::UnixMs;
    use six_core::search::Filter;

    use super::*;
    use crate::table::body_fts;
    use crate::testkit::*;

    fn texts(hits: &[Hit]) -> Vec<&str> {
        hits.iter().map(|h| h.text.as_str()).collect()
    }

    #[test]
    fn any_word_finds_and_the_rarer_one_ranks() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "queue of orders\nqueue of mails\nqueue with jitter\nnothing here")).unwrap();
        let hits = s.store.search(&query("queue jitter")).unwrap();
        assert_eq!(hits.len(), 3);
        assert_eq!(hits[0].text, "queue with jitter");
        assert!((hits[0].score - 1.0).abs() < 1e-9);
        assert!(s.store.search(&query("absent")).unwrap().is_empty());
        assert!(s.store.search(&query("")).unwrap().is_empty());
    }

    #[test]
    fn a_title_counts_more_than_a_body() {
        let s = Scratch::new();
        let mut titled = doc("b.md", "some words of the same length");
        titled.title = text("jitter");
        s.store.commit(&doc_batch("a.md", "jitter words of the same length")).unwrap();
        s.store.commit(&batch(Source::Doc, "b.md", Mode::Replace, vec![titled])).unwrap();
        s.store.commit(&doc_batch("c.md", "something else")).unwrap();
        s.store.commit(&doc_batch("d.md", "something different")).unwrap();
        s.store.commit(&doc_batch("e.md", "something new")).unwrap();
        let hits = s.store.search(&query("jitter")).unwrap();
        assert_eq!(hits.iter().map(|h| h.path.as_deref().unwrap()).collect::<Vec<_>>(), ["b.md", "a.md"]);
    }

    #[test]
    fn no_query_is_ever_an_error() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "NEAR the jitter AND OR NOT foo-bar a::b")).unwrap();
        let hostile = [
            "\"",
            "'",
            "*",
            "(",
            ")",
            "^",
            "-",
            "--",
            ":",
            "body:",
            "NEAR",
            "NEAR(",
            "AND",
            "OR",
            "NOT",
            "a* OR",
            "{",
            "}",
            "\0",
            "a\0b",
            "x\" OR body:\"y",
            "\u{feff}",
            "+",
            ",",
            "scope : record",
            " ",
            "\n",
        ];
        for word in hostile {
            term::add(&s.store.conn, [(word.to_owned(), 1)].into()).unwrap();
        }
        for word in hostile {
            let query = Query { terms: vec![QueryTerm(word.to_owned())], filter: Filter::default(), limit: 5 };
            s.store.search(&query).unwrap_or_else(|e| panic!("{word:?}: {e:?}"));
        }
        let all = hostile.iter().map(|w| QueryTerm((*w).to_owned())).collect();
        s.store.search(&Query { terms: all, filter: Filter::default(), limit: 5 }).unwrap();
    }

    #[test]
    fn terms_with_punctuation_and_other_scripts_are_found_whole() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "x")).unwrap();
        for (n, term) in ["foo_bar", "a::b", "c++", "重试", "реестр", "คิว", "é", "naïve", "--flag"].iter().enumerate()
        {
            let id = i64::try_from(n).unwrap() + 100;
            let row = "INSERT INTO body_fts (rowid, body, identifiers, title, handles, scope) VALUES (?1, ?2, '', '', '', '')";
            s.store.conn.execute(row, params![id, format!("one {term} two")]).unwrap();
            assert!(body_fts::finds(&s.store.conn, id, term).unwrap(), "{term}");
        }
        assert!(!body_fts::finds(&s.store.conn, 100, "foo").unwrap());
    }

    #[test]
    fn filters_work_inside_the_search() {
        let s = Scratch::new();
        for n in 0..80 {
            s.store.commit(&doc_batch(&format!("docs/{n}.md"), &format!("jitter jitter jitter {n}"))).unwrap();
        }
        let mut said = prompt("u1", "one jitter among many other words that make it long");
        said.at = Some(UnixMs(NOW.0 + 10));
        s.store.commit(&batch(Source::Transcript, "transcripts/t.jsonl", Mode::Append, vec![said])).unwrap();
        let found = |filter: Filter| {
            let hits = s.store.search(&Query { filter, ..query("jitter") }).unwrap();
            hits.iter().map(|h| h.source).collect::<Vec<_>>()
        };
        assert_eq!(found(Filter { kinds: vec![EntryKind::Prompt], ..Filter::default() }), [Source::Transcript]);
        assert_eq!(found(Filter { sources: vec![Source::Transcript], ..Filter::default() }), [Source::Transcript]);
        assert_eq!(found(Filter { path: Some("docs/42".into()), ..Filter::default() }), [Source::Doc]);
        assert_eq!(found(Filter { path: Some("transcripts/".into()), ..Filter::default() }), [Source::Transcript]);
        assert_eq!(found(Filter { since: Some(UnixMs(NOW.0 + 1)), ..Filter::default() }), [Source::Transcript]);
        assert_eq!(found(Filter { kinds: vec![EntryKind::Commit], ..Filter::default() }), []);
    }

    #[test]
    fn a_hit_can_be_shown_again_by_its_id() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "häßlich, 重试\nqueue with jitter")).unwrap();
        let hits = s.store.search(&query("jitter")).unwrap();
        assert_eq!(texts(&hits), ["queue with jitter"]);
        assert_eq!(s.store.show(&hits[0].id).unwrap().unwrap().text, hits[0].text);
        for other in ["chunk:999", "chunk:", "chunk:x", "7", ""] {
            assert_eq!(s.store.show(other).unwrap(), None);
        }
    }

    #[test]
    fn of_equal_references_the_live_one_is_shown() {
        let s = Scratch::new();
        let both = vec![prompt("u1", "queue with jitter"), prompt("u2", "queue with jitter")];
        s.store.commit(&batch(Source::Transcript, "t", Mode::Append, both)).unwrap();
        s.store.conn.execute("UPDATE entry SET abandoned = 1 WHERE key = ?1", ["u1"]).unwrap();
        assert_eq!(s.store.search(&query("jitter")).unwrap()[0].label, "");
        s.store.conn.execute("UPDATE entry SET abandoned = 1 WHERE key = ?1", ["u2"]).unwrap();
        assert_eq!(s.store.search(&query("jitter")).unwrap()[0].label, ABANDONED);
    }
}
