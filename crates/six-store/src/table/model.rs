//! `model`: who made vectors. A model is its name and its width.

use rusqlite::{Connection, OptionalExtension as _, Result, params};
use six_core::search::Model;

use super::column;

/// The row of a model, when it has made any vector.
pub(crate) fn id(conn: &Connection, model: &Model) -> Result<Option<i64>> {
    conn.prepare_cached("SELECT id FROM model WHERE name = ?1 AND width = ?2")?
        .query_row(params![model.name, column::int(model.width)], |row| row.get(0))
        .optional()
}

/// Values of the vectors that bodies have from a model of this name; of two models, of the younger one.
pub(crate) fn width_in_use(conn: &Connection, name: &str) -> Result<Option<usize>> {
    conn.prepare_cached(
        "SELECT m.width FROM model m WHERE m.name = ?1 AND EXISTS (SELECT 1 FROM body b WHERE b.model_id = m.id) \
         ORDER BY m.id DESC LIMIT 1",
    )?
    .query_row([name], |row| column::count(row, 0).map(|width| usize::try_from(width).unwrap_or(usize::MAX)))
    .optional()
}

/// The row of a model, made where there is none.
pub(crate) fn id_for(conn: &Connection, model: &Model) -> Result<i64> {
    conn.prepare_cached("INSERT INTO model (name, width) VALUES (?1, ?2) ON CONFLICT DO NOTHING")?
        .execute(params![model.name, column::int(model.width)])?;
    id(conn, model)?.ok_or(rusqlite::Error::QueryReturnedNoRows)
}
