//! `body`: a distinct chunk text by its hash. Its row id is the row id in the index.

use rusqlite::{Connection, OptionalExtension as _, Result, params};
use sha2::{Digest as _, Sha256};

use six_core::record::{EntryKind, UnixMs};

use super::column;

/// The first half of the SHA-256 of a chunk's text: every body has two copies of it, and no two texts will share 128 bits.
pub(crate) type Hash = [u8; 16];

pub(crate) fn hash(text: &str) -> Hash {
    let digest: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    std::array::from_fn(|n| digest[n])
}

/// How much of a body gets a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Embeds {
    /// Nothing.
    #[default]
    Nothing = 0,
    /// All of it, where turns of transcripts get vectors.
    Turn = 1,
    /// Its first line: the subject of a commit.
    Subject = 2,
    /// All of it.
    Whole = 3,
}

impl Embeds {
    /// What a reference says that begins at this byte of an entry of this kind.
    pub(crate) fn of(kind: EntryKind, start_bytes: usize) -> Self {
        match kind {
            EntryKind::Tool | EntryKind::Subagent | EntryKind::Summary => Self::Nothing,
            EntryKind::Prompt | EntryKind::Answer => Self::Turn,
            EntryKind::Commit if start_bytes > 0 => Self::Nothing,
            EntryKind::Commit => Self::Subject,
            EntryKind::Doc
            | EntryKind::Memory
            | EntryKind::Ledger
            | EntryKind::Decision
            | EntryKind::DeadEnd
            | EntryKind::Correction
            | EntryKind::Cheatsheet
            | EntryKind::Subsystem => Self::Whole,
        }
    }

    fn from_stored(number: u8) -> Self {
        match number {
            1 => Self::Turn,
            2 => Self::Subject,
            3 => Self::Whole,
            _ => Self::Nothing,
        }
    }
}

/// What the heaviest reference lends to a body, and what is indexed beside its text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Lent {
    /// Weight of the kind of that reference.
    pub(crate) weight: u8,
    /// [`super::body_fts::RECORD`] when any reference is a confirmed record or a subsystem, else empty.
    pub(crate) scope: String,
    /// Title of its entry and of its chunk.
    pub(crate) title: String,
    /// Its path or paths.
    pub(crate) handles: String,
    /// How much of the body gets a vector.
    pub(crate) embeds: Embeds,
}

pub(crate) fn find(conn: &Connection, hash: &Hash) -> Result<Option<i64>> {
    conn.prepare_cached("SELECT id FROM body WHERE hash = ?1")?.query_row([&hash[..]], |row| row.get(0)).optional()
}

pub(crate) fn insert(conn: &Connection, hash: &Hash, lent: &Lent, newest: UnixMs) -> Result<i64> {
    conn.prepare_cached(
        "INSERT INTO body (hash, weight, scope, title, handles, embeds, newest_unix_ms) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .insert(params![&hash[..], lent.weight, lent.scope, lent.title, lent.handles, lent.embeds as u8, newest.0])
}

pub(crate) fn lent(conn: &Connection, id: i64) -> Result<Lent> {
    conn.prepare_cached("SELECT weight, scope, title, handles, embeds FROM body WHERE id = ?1")?.query_row(
        [id],
        |row| {
            Ok(Lent {
                weight: row.get(0)?,
                scope: row.get(1)?,
                title: row.get(2)?,
                handles: row.get(3)?,
                embeds: Embeds::from_stored(row.get(4)?),
            })
        },
    )
}

/// When the newest reference was said or written; 0 where none has a date.
pub(crate) fn newest(conn: &Connection, id: i64) -> Result<UnixMs> {
    conn.prepare_cached("SELECT newest_unix_ms FROM body WHERE id = ?1")?.query_row([id], |row| column::time(row, 0))
}

pub(crate) fn set_newest(conn: &Connection, id: i64, newest: UnixMs) -> Result<()> {
    conn.prepare_cached("UPDATE body SET newest_unix_ms = ?2 WHERE id = ?1")?.execute(params![id, newest.0])?;
    Ok(())
}

pub(crate) fn update(conn: &Connection, id: i64, lent: &Lent) -> Result<()> {
    conn.prepare_cached(
        "UPDATE body SET weight = ?2, scope = ?3, title = ?4, handles = ?5, embeds = ?6 WHERE id = ?1",
    )?
    .execute(params![id, lent.weight, lent.scope, lent.title, lent.handles, lent.embeds as u8])?;
    Ok(())
}

pub(crate) fn delete(conn: &Connection, id: i64) -> Result<()> {
    conn.prepare_cached("DELETE FROM body WHERE id = ?1")?.execute([id])?;
    Ok(())
}

pub(crate) fn count(conn: &Connection) -> Result<u64> {
    conn.prepare_cached("SELECT count(*) FROM body")?.query_row([], |row| column::count(row, 0))
}

/// One body picked at random.
pub(crate) fn any(conn: &Connection) -> Result<Option<i64>> {
    conn.prepare_cached(
        "SELECT id FROM body WHERE id >= (SELECT abs(random() % max(id)) + 1 FROM body) ORDER BY id LIMIT 1",
    )?
    .query_row([], |row| row.get(0))
    .optional()
}

/// Bodies that say that they have a vector.
pub(crate) fn count_embedded(conn: &Connection) -> Result<u64> {
    conn.prepare_cached("SELECT count(*) FROM body WHERE model_id IS NOT NULL")?
        .query_row([], |row| column::count(row, 0))
}

/// Of 64 bodies with a vector of the model, picked at random, the one of which the shortest text was embedded. No text is
/// read: a first line is taken to be as long as the subject of a commit should be.
pub(crate) fn any_short_embedded(conn: &Connection, model: i64) -> Result<Option<i64>> {
    conn.prepare_cached(
        "WITH RECURSIVE \
             span (low, high) AS (SELECT (SELECT min(id) FROM body WHERE model_id = ?1), \
                 (SELECT max(id) FROM body WHERE model_id = ?1)), \
             place (number, at) AS (SELECT 1, low + abs(random() % (high - low + 1)) FROM span UNION ALL \
                 SELECT number + 1, low + abs(random() % (high - low + 1)) FROM place, span WHERE number < 64) \
         SELECT b.id FROM place p \
         CROSS JOIN body b ON b.id = (SELECT min(id) FROM body WHERE model_id = ?1 AND id >= p.at) \
         WHERE b.embeds > 0 ORDER BY (SELECT iif(b.embeds = 2, min(c.end_bytes - c.start_bytes, 72), \
             octet_length(b.title) + c.end_bytes - c.start_bytes) \
             FROM chunk c WHERE c.body_id = b.id LIMIT 1) LIMIT 1",
    )?
    .query_row([model], |row| row.get(0))
    .optional()
}
