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

/// Rows among which a body is looked for by its own vector: as many as a search ranks.
const PROBED_ROWS: usize = 50;

/// Cosines that differ by less are equal: a server may give a text a slightly different vector every time.
const AS_NEAR: f64 = 1e-3;

/// A number that no row of `model` has.
const NO_MODEL: i64 = 0;

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

    /// A body with a vector of the model and the text that its vector was made of: the shortest of a random few, since
    /// embedding a text takes as long as it is.
    pub fn any_short_embedded(&self, model: &Model) -> Result<Option<(i64, String)>> {
        self.read(|conn| {
            let Some(model) = model::id(conn, model)? else { return Ok(None) };
            let Some(id) = body::any_short_embedded(conn, model)? else { return Ok(None) };
            Ok(embedded_text(conn, id)?.map(|text| (id, text)))
        })
    }

    /// Whether a body is found by its meaning alone: through the leg that searches use, by the vector of its own text. Others
    /// may be as near as it is; where they fill the leg, to be as near as they are is to be found.
    pub fn finds_by_vector(&self, body: i64, asked: &QueryVector) -> Result<bool> {
        self.read(|conn| {
            let found = leg::nearest(conn, asked, &Filter::default(), PROBED_ROWS)?;
            let (Some((_, nearest)), Some((_, last))) = (found.first(), found.last()) else { return Ok(false) };
            let own = vector::cosines(conn, &[body], &vector::bytes(&asked.values))?;
            let Some((_, own)) = own.first() else { return Ok(false) };
            let is_among = found.iter().any(|(reference, _)| reference.body == body);
            let is_full = found.len() == PROBED_ROWS && last + AS_NEAR >= *nearest;
            Ok(*own + AS_NEAR >= *nearest && (is_among || is_full))
        })
    }
}

/// From when on a turn gets a vector; `None` where none does.
fn oldest_turn(transcripts: EmbedTranscripts, now: UnixMs) -> Option<i64> {
    match transcripts {
        EmbedTranscripts::Off => None,
        EmbedTranscripts::Recent => Some(now.0.saturating_sub(i64::from(RECENT_DAYS) * UnixMs::DAY_MS)),
        EmbedTranscripts::All => Some(i64::MIN),
    }
}

/// What the vector of a body is made of; `None` when the body is not there or gets none.
pub(crate) fn embedded_text(conn: &Connection, id: i64) -> Result<Option<String>> {
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
    use six_core::ingest::Mode;
    use six_core::record::{EntryKind, RecordKind, RecordState, Source};

    use super::*;
    use crate::testkit::*;

    fn model() -> Model {
        Model { name: MODEL.to_owned(), width: 8 }
    }

    fn waiting(s: &Scratch, transcripts: EmbedTranscripts) -> Vec<String> {
        let all = s.store.unembedded(&model(), transcripts, NOW, None, 100).unwrap();
        all.into_iter().map(|u| u.text).collect()
    }

    fn coverage(s: &Scratch, model: &Model) -> Coverage {
        s.store.coverage(model, EmbedTranscripts::Off, NOW).unwrap()
    }

    /// One of each kind, each of one line that is its name.
    fn one_of_each(s: &Scratch) {
        for kind in EntryKind::ALL {
            let source = match kind {
                EntryKind::Doc => Source::Doc,
                EntryKind::Memory => Source::Memory,
                EntryKind::Ledger => Source::Ledger,
                EntryKind::Commit => Source::Git,
                EntryKind::Decision
                | EntryKind::DeadEnd
                | EntryKind::Correction
                | EntryKind::Cheatsheet
                | EntryKind::Subsystem => Source::Record,
                _ => Source::Transcript,
            };
            let new = entry(source, kind, kind.as_str(), kind.as_str());
            s.store.commit(&batch(source, kind.as_str(), Mode::Append, vec![new])).unwrap();
        }
    }

    #[test]
    fn what_is_trusted_most_is_embedded_first_and_turns_only_when_asked_for() {
        let s = Scratch::new();
        one_of_each(&s);
        let always =
            ["correction", "dead_end", "decision", "subsystem", "cheatsheet", "memory", "ledger", "doc", "commit"];
        assert_eq!(waiting(&s, EmbedTranscripts::Off), always);
        let with_turns = [&always[..], &["prompt", "answer"]].concat();
        assert_eq!(waiting(&s, EmbedTranscripts::All), with_turns);
        assert_eq!(waiting(&s, EmbedTranscripts::Recent), with_turns);
        assert_eq!(coverage(&s, &model()).eligible, 9);
        let later = UnixMs(NOW.0 + 31 * UnixMs::DAY_MS);
        let at = |transcripts| s.store.coverage(&model(), transcripts, later).unwrap().eligible;
        assert_eq!((at(EmbedTranscripts::Recent), at(EmbedTranscripts::All)), (9, 11));
        let old = s.store.unembedded(&model(), EmbedTranscripts::Recent, later, None, 100).unwrap();
        assert_eq!(old.len(), 9);
    }

    #[test]
    fn the_newest_of_equal_trust_come_first_and_what_was_handed_out_is_not_handed_out_again() {
        let s = Scratch::new();
        for (path, at) in [("a", 1), ("b", 3), ("c", 2)] {
            let mut new = doc(path, path);
            new.at = Some(UnixMs(at));
            s.store.commit(&batch(Source::Doc, path, Mode::Replace, vec![new])).unwrap();
        }
        let mut seen = Vec::new();
        let mut last = None;
        while let Some(next) = s.store.unembedded(&model(), EmbedTranscripts::Off, NOW, last.as_ref(), 1).unwrap().pop()
        {
            seen.push(next.text.clone());
            last = Some(next);
        }
        assert_eq!(seen, ["b", "c", "a"]);
        let mut again = prompt("u1", "a");
        again.at = Some(UnixMs(4));
        s.store.commit(&batch(Source::Transcript, "t", Mode::Append, vec![again])).unwrap();
        assert_eq!(waiting(&s, EmbedTranscripts::Off), ["a", "b", "c"], "a text is as new as its newest place");
    }

    #[test]
    fn a_title_is_embedded_with_its_text_once() {
        let s = Scratch::new();
        let mut new = doc("a.md", "Retries wait\nwith jitter");
        new.title = text("Retries");
        s.store.commit(&batch(Source::Doc, "a.md", Mode::Replace, vec![new])).unwrap();
        let mut told = waiting(&s, EmbedTranscripts::Off);
        told.sort();
        assert_eq!(told, ["Retries\nwith jitter", "Retries wait"]);
    }

    #[test]
    fn of_a_commit_the_subject_is_embedded_and_of_a_long_text_its_beginning() {
        let s = Scratch::new();
        let mut commit =
            entry(Source::Git, EntryKind::Commit, "0a1b", "money: round down\nThe tax office asks for it.");
        let end = commit.text.as_str().len();
        commit.title = text("money: round down");
        commit.chunks.truncate(1);
        commit.chunks[0].range = 0..end;
        let second = six_core::record::Chunk { range: 20..end, ..commit.chunks[0].clone() };
        commit.chunks.push(second);
        s.store.commit(&batch(Source::Git, "git", Mode::Append, vec![commit])).unwrap();
        assert_eq!(waiting(&s, EmbedTranscripts::All), ["money: round down"]);

        s.store.commit(&doc_batch("long.md", &"\u{e4}".repeat(3_000))).unwrap();
        assert_eq!(waiting(&s, EmbedTranscripts::Off)[0].chars().count(), MAX_CHARS);
    }

    #[test]
    fn a_vector_that_came_too_late_is_passed_over() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "one\ntwo\nthree")).unwrap();
        let made: Vec<_> = s
            .store
            .unembedded(&model(), EmbedTranscripts::Off, NOW, None, 9)
            .unwrap()
            .into_iter()
            .map(|u| (u.body, u.hash, made_vector(&u.text)))
            .collect();
        let mut titled = doc("a.md", "two\nfour");
        titled.title = text("Numbers");
        s.store.commit(&batch(Source::Doc, "a.md", Mode::Replace, vec![titled])).unwrap();
        assert_eq!(s.store.put_vectors(&model(), &made).unwrap(), 0, "two has a title by now, the others are gone");
        s.assert_whole();
        assert_eq!(embed(&s.store, EmbedTranscripts::Off, made_vector), 2);
        s.assert_vectors_current();
    }

    #[test]
    fn another_model_replaces_the_vectors_one_by_one() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "one\ntwo")).unwrap();
        assert_eq!(embed(&s.store, EmbedTranscripts::Off, made_vector), 2);
        let new = Model { name: "new".to_owned(), width: 4 };
        assert_eq!(coverage(&s, &new), Coverage { eligible: 2, other_model: 2, ..Coverage::default() });
        let first = s.store.unembedded(&new, EmbedTranscripts::Off, NOW, None, 1).unwrap();
        s.store.put_vectors(&new, &[(first[0].body, first[0].hash, vec![1, 2, 3, 4])]).unwrap();
        assert_eq!(coverage(&s, &new), Coverage { eligible: 2, embedded: 1, other_model: 1, lost: 0, orphans: 0 });
        assert_eq!(coverage(&s, &model()), Coverage { eligible: 2, embedded: 1, other_model: 1, lost: 0, orphans: 0 });
        let asked = QueryVector { model: new.name.clone(), values: vec![1, 2, 3, 4] };
        let found = leg::nearest(&s.store.conn, &asked, &Filter::default(), 9).unwrap();
        assert_eq!(found.iter().map(|(r, _)| r.body).collect::<Vec<_>>(), [first[0].body]);
        s.assert_whole();
    }

    #[test]
    fn a_vector_of_another_width_is_refused_with_its_whole_batch() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "one\ntwo")).unwrap();
        let all = s.store.unembedded(&model(), EmbedTranscripts::Off, NOW, None, 9).unwrap();
        let made = [(all[0].body, all[0].hash, vec![1; 8]), (all[1].body, all[1].hash, vec![1; 7])];
        let refused = s.store.put_vectors(&model(), &made).unwrap_err();
        assert!(matches!(refused, StoreError::WrongWidth { found: 7, expected: 8 }));
        assert_eq!(coverage(&s, &model()), Coverage { eligible: 2, ..Coverage::default() });
    }

    #[test]
    fn a_record_that_is_taken_back_takes_its_vector_along() {
        let s = Scratch::new();
        let new = record("r1", RecordKind::Decision, RecordState::Confirmed, "jitter", "retries wait");
        s.store.add_record(&new, "operator").unwrap();
        assert_eq!(embed(&s.store, EmbedTranscripts::Off, made_vector), 1);
        s.store.set_state("r1", RecordState::Retired, "operator", NOW).unwrap();
        assert_eq!(vector::count(&s.store.conn).unwrap(), 0);
        s.assert_whole();
    }

    #[test]
    fn what_has_a_vector_is_found_by_it_and_only_by_it() {
        let s = Scratch::new();
        assert_eq!(s.store.any_short_embedded(&model()).unwrap(), None);
        s.store.commit(&doc_batch("a.md", "retry with jitter\nthe outbox\nmoney is rounded down")).unwrap();
        assert_eq!(s.store.any_short_embedded(&model()).unwrap(), None);
        embed(&s.store, EmbedTranscripts::Off, made_vector);
        let (body, text) = s.store.any_short_embedded(&model()).unwrap().unwrap();
        assert_eq!(text, "the outbox", "the shortest, unless 64 throws of three all miss it");
        let asked = |values| QueryVector { model: MODEL.to_owned(), values };
        assert!(s.store.finds_by_vector(body, &asked(made_vector(&text))).unwrap());
        let opposite: Vec<i8> = made_vector(&text).into_iter().map(|value| -value).collect();
        assert!(!s.store.finds_by_vector(body, &asked(opposite)).unwrap());
        let many: Vec<String> = (0..60).map(|n| format!("a text like {n} others")).collect();
        s.store.commit(&doc_batch("many.md", &many.join("\n"))).unwrap();
        embed(&s.store, EmbedTranscripts::Off, |_| vec![5; 8]);
        let like: Vec<i64> = (4..=63).collect();
        assert!(like.iter().all(|body| s.store.finds_by_vector(*body, &asked(vec![5; 8])).unwrap()));
        s.store.remove_files(Source::Doc, &["hash of many.md".to_owned()], NOW).unwrap();
        s.store.conn.execute("DELETE FROM vector", []).unwrap();
        assert!(!s.store.finds_by_vector(body, &asked(made_vector(&text))).unwrap());
        assert_eq!(s.store.full_check(NOW).unwrap().vectors, ["3 texts have lost their vector"]);
    }

    #[test]
    fn counting_and_the_first_pass_read_an_index_and_no_text() {
        let s = Scratch::new();
        let plan = |sql: &str| -> String {
            let mut stmt = s.store.conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let lines = stmt.query_map([], |row| row.get::<_, String>(3)).unwrap();
            lines.collect::<rusqlite::Result<Vec<_>>>().unwrap().join("\n")
        };
        let counted = plan(
            "SELECT count(*), sum(model_id = 1), count(model_id) FROM body WHERE embeds > 1 AND newest_unix_ms >= 0",
        );
        assert!(counted.contains("COVERING INDEX body_embed"), "{counted}");
        let chosen = plan("SELECT body_id, signs FROM vector WHERE model_id = 1");
        assert!(chosen.contains("COVERING INDEX vector_signs"), "{chosen}");
    }
}
