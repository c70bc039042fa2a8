//! Entries in and out of the index, with bodies, their index rows, document frequencies and counters kept in step.

use std::collections::{BTreeMap, HashMap, HashSet};

use rusqlite::Connection;
use six_core::record::{Chunk, Entry, Source, UnixMs};

use crate::error::Result;
use crate::table::body::{Embeds, Hash, Lent};
use crate::table::body_fts::{RECORD, Terms};
use crate::table::{body, body_fts, chunk, entry, meta, term, vector};

/// What can be worked out about an entry's chunks before the transaction opens.
#[derive(Debug, Default)]
pub(crate) struct Prepared {
    /// One per chunk, in order; `None` where the range is no text.
    chunks: Vec<Option<Piece>>,
}

#[derive(Debug)]
struct Piece {
    hash: Hash,
    /// `None` where a body with that hash was there already.
    terms: Option<Terms>,
}

impl Prepared {
    /// Hashes every chunk and cuts those that are new into terms. `met` keeps the hashes of one batch, so that a text that
    /// it repeats is cut once.
    pub(crate) fn of(conn: &Connection, entry: &Entry, met: &mut HashSet<Hash>) -> Result<Self> {
        let mut chunks = Vec::with_capacity(entry.chunks.len());
        for piece in &entry.chunks {
            let Some(text) = entry.text.as_str().get(piece.range.clone()) else {
                chunks.push(None);
                continue;
            };
            let hash = body::hash(text);
            let known = !met.insert(hash) || body::find(conn, &hash)?.is_some();
            let terms = if known { None } else { Some(Terms::of(text, &lent_by(entry, piece))) };
            chunks.push(Some(Piece { hash, terms }));
        }
        Ok(Self { chunks })
    }
}

/// What a reference lends to a body that has no other.
fn lent_by(entry: &Entry, piece: &Chunk) -> Lent {
    Lent {
        weight: entry.kind.weight(),
        scope: if entry.source == Source::Record { RECORD.to_owned() } else { String::new() },
        title: chunk::joined_title(entry.title.as_str(), piece.title.as_str()),
        handles: chunk::handles(entry.source, entry.path.as_ref().map(six_core::text::Redacted::as_str)),
        embeds: Embeds::of(entry.kind, piece.range.start),
    }
}

/// By how much document frequencies change.
#[derive(Debug, Default)]
pub(crate) struct Counts(HashMap<String, i64>);

impl Counts {
    pub(crate) fn add(&mut self, terms: &Terms, by: i64) {
        for term in terms.distinct() {
            match self.0.get_mut(term) {
                Some(count) => *count += by,
                None => drop(self.0.insert(term.to_owned(), by)),
            }
        }
    }

    pub(crate) fn into_deltas(self) -> HashMap<String, i64> {
        self.0
    }
}

/// Changes of one transaction. Counts are gathered in memory and written once, by [`Indexer::finish`], without which the
/// transaction must not be committed.
#[derive(Debug)]
pub(crate) struct Indexer<'c> {
    conn: &'c Connection,
    df: Counts,
    /// Bodies whose references changed, with their text: settled at the end, when all references are known.
    unsettled: BTreeMap<i64, String>,
    bodies: i64,
    chunks: i64,
    text_bytes: i64,
}

impl<'c> Indexer<'c> {
    pub(crate) fn new(conn: &'c Connection) -> Self {
        Self { conn, df: Counts::default(), unsettled: BTreeMap::new(), bodies: 0, chunks: 0, text_bytes: 0 }
    }

    /// Adds an entry whose key is new; answers its chunks.
    pub(crate) fn add(&mut self, file: Option<i64>, new: &Entry, prepared: Prepared) -> Result<u64> {
        let id = entry::insert(self.conn, file, new)?;
        self.text_bytes += len(new.text.as_str());
        let mut added = 0;
        for (piece, made) in new.chunks.iter().zip(prepared.chunks) {
            let Some(made) = made else { continue };
            let body = self.body_for(new, piece, made)?;
            chunk::insert(self.conn, id, body, piece)?;
            added += 1;
        }
        self.chunks += i64::try_from(added).unwrap_or(0);
        Ok(added)
    }

    /// Puts `new` in the place of the entry `id`. Chunks whose text stays keep their ids. Answers the chunks added.
    pub(crate) fn replace(&mut self, id: i64, file: Option<i64>, new: &Entry, prepared: Prepared) -> Result<u64> {
        let old_text = entry::text(self.conn, id)?;
        let mut held: HashMap<i64, Vec<chunk::Held>> = HashMap::new();
        for old in chunk::of_entry(self.conn, id)?.into_iter().rev() {
            self.unsettle(old.body, old_text.get(old.range.clone()).unwrap_or_default());
            held.entry(old.body).or_default().push(old);
        }
        entry::update(self.conn, id, file, new)?;
        self.text_bytes += len(new.text.as_str()) - len(&old_text);
        let mut added = 0;
        for (piece, made) in new.chunks.iter().zip(prepared.chunks) {
            let Some(made) = made else { continue };
            let body = self.body_for(new, piece, made)?;
            if let Some(old) = held.get_mut(&body).and_then(Vec::pop) {
                chunk::move_to(self.conn, old.id, piece)?;
            } else {
                chunk::insert(self.conn, id, body, piece)?;
                added += 1;
            }
        }
        self.chunks += i64::try_from(added).unwrap_or(0);
        for old in held.into_values().flatten() {
            chunk::delete(self.conn, old.id)?;
            self.chunks -= 1;
        }
        Ok(added)
    }

    /// Writes `new` in the place of the words of its entry, whose chunks are now at `pieces` (in the order of their ids).
    /// All ids stay; a chunk whose text changed gets another body.
    pub(crate) fn reword(&mut self, new: &entry::Words, pieces: &[(std::ops::Range<usize>, String)]) -> Result<()> {
        let old_text = entry::text(self.conn, new.id)?;
        let held = chunk::of_entry(self.conn, new.id)?;
        for old in &held {
            self.unsettle(old.body, old_text.get(old.range.clone()).unwrap_or_default());
        }
        entry::set_words(self.conn, new)?;
        self.text_bytes += len(&new.text) - len(&old_text);
        for (old, (range, title)) in held.iter().zip(pieces) {
            let text = new.text.get(range.clone()).unwrap_or_default();
            let hash = body::hash(text);
            let lent = || Lent {
                weight: new.kind.weight(),
                scope: if new.source == Source::Record { RECORD.to_owned() } else { String::new() },
                title: chunk::joined_title(&new.title, title),
                handles: chunk::handles(new.source, new.path.as_deref()),
                ..Lent::default()
            };
            let body = match body::find(self.conn, &hash)? {
                Some(id) => id,
                // What it lends but its words, and its date, are settled at the end.
                None => self.new_body(&hash, &lent(), &Terms::of(text, &lent()), UnixMs(0))?,
            };
            chunk::reword(self.conn, old.id, body, range, title)?;
            self.unsettle(body, text);
        }
        Ok(())
    }

    /// Removes an entry with all that hangs on it.
    pub(crate) fn remove(&mut self, id: i64) -> Result<()> {
        let text = entry::text(self.conn, id)?;
        for held in chunk::of_entry(self.conn, id)? {
            self.unsettle(held.body, text.get(held.range).unwrap_or_default());
            chunk::delete(self.conn, held.id)?;
            self.chunks -= 1;
        }
        self.text_bytes -= len(&text);
        Ok(entry::delete(self.conn, id)?)
    }

    /// Brings bodies, frequencies and counters in line with the references.
    pub(crate) fn finish(mut self) -> Result<()> {
        for (body, text) in std::mem::take(&mut self.unsettled) {
            self.settle(body, &text)?;
        }
        term::add(self.conn, self.df.into_deltas())?;
        meta::move_counter(self.conn, meta::BODIES, self.bodies)?;
        meta::move_counter(self.conn, meta::CHUNKS, self.chunks)?;
        meta::move_counter(self.conn, meta::TEXT_BYTES, self.text_bytes)?;
        Ok(())
    }

    /// The body of a piece of text: found by its hash, or made.
    fn body_for(&mut self, new: &Entry, piece: &Chunk, made: Piece) -> Result<i64> {
        let text = new.text.as_str().get(piece.range.clone()).unwrap_or_default();
        let lent = lent_by(new, piece);
        if let Some(id) = body::find(self.conn, &made.hash)? {
            let now = body::lent(self.conn, id)?;
            if lent.weight > now.weight || (!lent.scope.is_empty() && now.scope.is_empty()) {
                self.unsettle(id, text);
            } else if at(new) > body::newest(self.conn, id)? {
                body::set_newest(self.conn, id, at(new))?;
            }
            return Ok(id);
        }
        let terms = made.terms.unwrap_or_else(|| Terms::of(text, &lent));
        self.new_body(&made.hash, &lent, &terms, at(new))
    }

    fn new_body(&mut self, hash: &Hash, lent: &Lent, terms: &Terms, newest: UnixMs) -> Result<i64> {
        let id = body::insert(self.conn, hash, lent, newest)?;
        body_fts::insert(self.conn, id, terms, &lent.scope)?;
        self.df.add(terms, 1);
        self.bodies += 1;
        Ok(id)
    }

    fn unsettle(&mut self, body: i64, text: &str) {
        self.unsettled.entry(body).or_insert_with(|| text.to_owned());
    }

    fn settle(&mut self, id: i64, text: &str) -> Result<()> {
        let indexed = body::lent(self.conn, id)?;
        let lent = chunk::lent(self.conn, id)?;
        let newest = chunk::newest(self.conn, id)?;
        if newest != body::newest(self.conn, id)? {
            body::set_newest(self.conn, id, newest)?;
        }
        if lent.as_ref() == Some(&indexed) {
            return Ok(());
        }
        body_fts::delete(self.conn, id)?;
        self.df.add(&Terms::of(text, &indexed), -1);
        let Some(lent) = lent else {
            self.bodies -= 1;
            vector::delete(self.conn, id)?;
            return Ok(body::delete(self.conn, id)?);
        };
        if lent.embedded_text(text) != indexed.embedded_text(text) {
            vector::delete(self.conn, id)?;
        }
        let terms = Terms::of(text, &lent);
        body_fts::insert(self.conn, id, &terms, &lent.scope)?;
        self.df.add(&terms, 1);
        Ok(body::update(self.conn, id, &lent)?)
    }
}

fn at(entry: &Entry) -> UnixMs {
    entry.at.unwrap_or(UnixMs(0))
}

fn len(text: &str) -> i64 {
    i64::try_from(text.len()).unwrap_or(i64::MAX)
}
