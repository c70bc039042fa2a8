//! Vectors in and out: what still needs one, what was made, how much there is, and whether it is found.

use rusqlite::{Connection, params};
use six_core::record::UnixMs;
use six_core::search::{EmbedTranscripts, Filter, Model, QueryVector, RECENT_DAYS};

use crate::error::{Result, StoreError};
use crate::leg;
use crate::open::Store;
use crate::table::body::{self, Hash, Lent};
use crate::table::{chunk, column, model, vector};

/// Characters of a text that are handed out: more than any chunk has, and about what a small model reads.
const MAX_CHARS: usize = 2_000;

/// A number that no row of `model` has.
const NO_MODEL: i64 = 0;

const DAY_MS: i64 = 86_400_000;

/// A body that has no vector of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unembedded {
    /// The body.
    pub body: i64,
    /// Of `text`; [`Store::put_vectors`] tells by it whether the body still says the same.
    pub hash: Hash,
    /// What is to be embedded: its title, where it does not begin with it, and its text; at most 2 000 characters.
    pub text: String,
    place: Place,
}

/// Where a body stands in the order in which bodies are handed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    weight: i64,
    newest: i64,
}

/// How many of the bodies that should have a vector have one. Counts bodies, which are distinct texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Coverage {
    /// Bodies that should have one.
    pub eligible: u64,
    /// Those of them with a vector of the model.
    pub embedded: u64,
    /// Those of them with a vector of another.
    pub other_model: u64,
    /// Bodies that say that they have a vector of whatever model, and have none; always 0 in a sound store.
    pub lost: u64,
    /// Vectors whose body is not there or does not know of them; always 0 in a sound store.
    pub orphans: u64,
}

impl Store {
    /// Bodies that should have a vector of `model` and have none, most trusted and newest first, at most `limit`. `after` is
    /// the last one of the batch before: what was handed out and failed is not handed out again.
    pub fn unembedded(
        &self,
        model: &Model,
        transcripts: EmbedTranscripts,
        now: UnixMs,
        after: Option<&Unembedded>,
        limit: usize,
    ) -> Result<Vec<Unembedded>> {
        self.read(|conn| {
            let model = model::id(conn, model)?.unwrap_or(NO_MODEL);
            let mut found = Vec::new();
            for (id, place) in places(conn, model, oldest_turn(transcripts, now), after, limit)? {
                let Some(text) = embedded_text(conn, id)? else { continue };
                found.push(Unembedded { body: id, hash: body::hash(&text), text, place });
            }
            Ok(found)
        })
    }

    /// Stores vectors in one short transaction; answers how many. A vector of another width than the model's is refused with
    /// all others. Bodies that are gone, or say something else by now, are passed over. A vector of another model is replaced.
    pub fn put_vectors(&self, model: &Model, vectors: &[(i64, Hash, Vec<i8>)]) -> Result<u64> {
        if let Some((_, _, values)) = vectors.iter().find(|(_, _, values)| values.len() != model.width) {
            return Err(StoreError::WrongWidth { found: values.len(), expected: model.width });
        }
        self.write(|conn| {
            let model = model::id_for(conn, model)?;
            let mut put = 0;
            for (id, hash, values) in vectors {
                if embedded_text(conn, *id)?.is_some_and(|text| body::hash(&text) == *hash) {
                    vector::put(conn, *id, model, values)?;
                    put += 1;
                }
            }
            Ok(put)
        })
    }

    /// How far embedding has come.
    pub fn coverage(&self, model: &Model, transcripts: EmbedTranscripts, now: UnixMs) -> Result<Coverage> {
        self.read(|conn| {
            let model = model::id(conn, model)?.unwrap_or(NO_MODEL);
            let mut coverage = count(conn, model, "embeds > 1", i64::MIN)?;
            if let Some(oldest) = oldest_turn(transcripts, now) {
                let turns = count(conn, model, "embeds = 1", oldest)?;
                coverage.eligible += turns.eligible;
                coverage.embedded += turns.embedded;
                coverage.other_model += turns.other_model;
            }
            less_astray(conn, coverage)
        })
    }

    /// A body with a vector of the model, picked at random, and the text that its vector was made of.
    pub fn any_embedded(&self, model: &Model) -> Result<Option<(i64, String)>> {
        self.read(|conn| {
            let Some(model) = model::id(conn, model)? else { return Ok(None) };
            let Some(id) = body::any_embedded(conn, model)? else { return Ok(None) };
            Ok(embedded_text(conn, id)?.map(|text| (id, text)))
        })
    }

    /// Whether a body is found by its meaning alone: through the leg that searches use, by the vector of its own text. Other
    /// bodies may be as near as it is.
    pub fn finds_by_vector(&self, body: i64, vector: &QueryVector) -> Result<bool> {
        self.read(|conn| {
            let found = leg::nearest(conn, vector, &Filter::default(), PROBED_ROWS)?;
            let nearest = found.first().map_or(0.0, |(_, cosine)| *cosine);
            Ok(found.iter().any(|(reference, cosine)| reference.body == body && *cosine >= nearest))
        })
    }
}

/// Rows among which a body is looked for by its own vector.
const PROBED_ROWS: usize = 50;

/// From when on a turn gets a vector; `None` where none does.
fn oldest_turn(transcripts: EmbedTranscripts, now: UnixMs) -> Option<i64> {
    match transcripts {
        EmbedTranscripts::Off => None,
        EmbedTranscripts::Recent => Some(now.0.saturating_sub(i64::from(RECENT_DAYS) * DAY_MS)),
        EmbedTranscripts::All => Some(i64::MIN),
    }
}

/// What the vector of a body is made of; `None` when the body is not there or gets none.
fn embedded_text(conn: &Connection, id: i64) -> Result<Option<String>> {
    let Some(text) = chunk::body_text(conn, id)? else { return Ok(None) };
    Ok(body::lent(conn, id)?.embedded_text(&text))
}

fn places(
    conn: &Connection,
    model: i64,
    oldest_turn: Option<i64>,
    after: Option<&Unembedded>,
    limit: usize,
) -> Result<Vec<(i64, Place)>> {
    let which = match oldest_turn {
        None => "embeds > 1 AND ?2 IS NULL",
        Some(_) => "(embeds > 1 OR embeds = 1 AND newest_unix_ms >= ?2)",
    };
    let place = after.map_or(Place { weight: i64::MAX, newest: i64::MAX }, |a| a.place);
    Ok(conn
        .prepare_cached(&format!(
            "SELECT id, weight, newest_unix_ms FROM body \
             WHERE {which} AND model_id IS NOT ?1 AND (weight, newest_unix_ms, id) < (?3, ?4, ?5) \
             ORDER BY weight DESC, newest_unix_ms DESC, id DESC LIMIT ?6"
        ))?
        .query_map(
            params![
                model,
                oldest_turn,
                place.weight,
                place.newest,
                after.map_or(i64::MAX, |a| a.body),
                column::int(limit)
            ],
            |row| Ok((row.get(0)?, Place { weight: row.get(1)?, newest: row.get(2)? })),
        )?
        .collect::<rusqlite::Result<_>>()?)
}

fn count(conn: &Connection, model: i64, which: &str, oldest: i64) -> Result<Coverage> {
    Ok(conn
        .prepare_cached(&format!(
            "SELECT count(*), ifnull(sum(model_id = ?1), 0), count(model_id) FROM body \
             WHERE {which} AND newest_unix_ms >= ?2"
        ))?
        .query_row(params![model, oldest], |row| {
            let (embedded, any) = (column::count(row, 1)?, column::count(row, 2)?);
            Ok(Coverage {
                eligible: column::count(row, 0)?,
                embedded,
                other_model: any - embedded,
                lost: 0,
                orphans: 0,
            })
        })?)
}

/// How far embedding with the model of a query has come among the bodies that always get a vector.
pub(crate) fn covered(conn: &Connection, query: &QueryVector) -> Result<Coverage> {
    let asked = Model { name: query.model.clone(), width: query.values.len() };
    less_astray(conn, count(conn, model::id(conn, &asked)?.unwrap_or(NO_MODEL), "embeds > 1", i64::MIN)?)
}

/// The coverage without the vectors that bodies say they have, and have not.
fn less_astray(conn: &Connection, coverage: Coverage) -> Result<Coverage> {
    let (there, said) = (vector::count(conn)?, body::count_embedded(conn)?);
    let lost = said.saturating_sub(there);
    let orphans = there.saturating_sub(said);
    Ok(Coverage { embedded: coverage.embedded.saturating_sub(lost), lost, orphans, ..coverage })
}

impl Lent {
    /// What the vector of a body with this text is made of.
    pub(crate) fn embedded_text(&self, text: &str) -> Option<String> {
        use body::Embeds;
        let told = match self.embeds {
            Embeds::Nothing => return None,
            Embeds::Subject => text.lines().next().unwrap_or_default().to_owned(),
            Embeds::Turn | Embeds::Whole if self.title.is_empty() || text.starts_with(&self.title) => text.to_owned(),
            Embeds::Turn | Embeds::Whole => format!("{}\n{text}", self.title),
        };
        let end = told.char_indices().nth(MAX_CHARS).map_or(told.len(), |(at, _)| at);
        told.get(..end).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::*;

    fn model() -> Model {
        Model { name: "made-up".to_owned(), width: 8 }
    }

    fn asked(values: Vec<i8>) -> QueryVector {
        QueryVector { model: model().name, values }
    }

    /// Embeds all that is to be embedded by looking the vector up.
    fn embed_by(store: &Store, vector: impl Fn(&str) -> Vec<i8>) -> u64 {
        let waiting = store.unembedded(&model(), EmbedTranscripts::Off, NOW, None, 1_000).unwrap();
        let made: Vec<_> = waiting.iter().map(|u| (u.body, u.hash, vector(&u.text))).collect();
        store.put_vectors(&model(), &made).unwrap()
    }

    #[test]
    fn what_shares_no_word_with_the_query_but_is_its_nearest_is_found() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "retry with jitter\nthe outbox\nmoney is rounded down")).unwrap();
        assert_eq!(embed_by(&s.store, |text| if text.contains("jitter") { vec![9; 8] } else { vec![-1; 8] }), 3);
        let found = s.store.read(|conn| leg::nearest(conn, &asked(vec![7; 8]), &Filter::default(), 2)).unwrap();
        assert_eq!(found.len(), 2);
        let (body, text) = (found[0].0.body, "retry with jitter");
        assert_eq!(chunk::body_text(&s.store.conn, body).unwrap().as_deref(), Some(text));
        assert!(found[0].1 > 0.999 && found[1].1 < -0.999);
        assert!(s.store.finds_by_vector(body, &asked(vec![7; 8])).unwrap());
        assert!(!s.store.finds_by_vector(body, &asked(vec![-7; 8])).unwrap());
        s.assert_whole();
    }

    #[test]
    fn a_vector_of_another_width_is_refused_with_its_whole_batch() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "one\ntwo")).unwrap();
        let waiting = s.store.unembedded(&model(), EmbedTranscripts::Off, NOW, None, 9).unwrap();
        let made = [(waiting[0].body, waiting[0].hash, vec![1; 8]), (waiting[1].body, waiting[1].hash, vec![1; 7])];
        let refused = s.store.put_vectors(&model(), &made).unwrap_err();
        assert!(matches!(refused, StoreError::WrongWidth { found: 7, expected: 8 }));
        let none = Coverage { eligible: 2, ..Coverage::default() };
        assert_eq!(s.store.coverage(&model(), EmbedTranscripts::Off, NOW).unwrap(), none);
    }
}
