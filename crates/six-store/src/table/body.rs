//! `body`: a distinct chunk text by its hash. Its row id is the row id in the index.

use rusqlite::{Connection, OptionalExtension as _, Result, params};
use sha2::{Digest as _, Sha256};

use super::column;

/// The first half of the SHA-256 of a chunk's text: every body has two copies of it, and no two texts will share 128 bits.
pub(crate) type Hash = [u8; 16];

pub(crate) fn hash(text: &str) -> Hash {
    let digest: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    std::array::from_fn(|n| digest[n])
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
}

pub(crate) fn find(conn: &Connection, hash: &Hash) -> Result<Option<i64>> {
    conn.prepare_cached("SELECT id FROM body WHERE hash = ?1")?.query_row([&hash[..]], |row| row.get(0)).optional()
}

pub(crate) fn insert(conn: &Connection, hash: &Hash, lent: &Lent) -> Result<i64> {
    conn.prepare_cached("INSERT INTO body (hash, weight, scope, title, handles) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .insert(params![&hash[..], lent.weight, lent.scope, lent.title, lent.handles])
}

pub(crate) fn lent(conn: &Connection, id: i64) -> Result<Lent> {
    conn.prepare_cached("SELECT weight, scope, title, handles FROM body WHERE id = ?1")?.query_row([id], |row| {
        Ok(Lent { weight: row.get(0)?, scope: row.get(1)?, title: row.get(2)?, handles: row.get(3)? })
    })
}

pub(crate) fn update(conn: &Connection, id: i64, lent: &Lent) -> Result<()> {
    conn.prepare_cached("UPDATE body SET weight = ?2, scope = ?3, title = ?4, handles = ?5 WHERE id = ?1")?
        .execute(params![id, lent.weight, lent.scope, lent.title, lent.handles])?;
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
