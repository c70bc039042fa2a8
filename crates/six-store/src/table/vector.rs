//! `vector`: what a body means, in the bytes that its model's values were rounded to. Its row id is the body's.

use rusqlite::{Connection, Result, params};

use super::column;

/// Puts the vector of a body in the place of the one that it has.
pub(crate) fn put(conn: &Connection, body: i64, model: i64, values: &[i8]) -> Result<()> {
    let bytes: Vec<u8> = values.iter().map(|value| value.cast_unsigned()).collect();
    conn.prepare_cached(
        "INSERT INTO vector (body_id, model_id, value_i8) VALUES (?1, ?2, ?3) \
         ON CONFLICT (body_id) DO UPDATE SET model_id = excluded.model_id, value_i8 = excluded.value_i8",
    )?
    .execute(params![body, model, bytes])?;
    conn.prepare_cached("UPDATE body SET model_id = ?2 WHERE id = ?1")?.execute([body, model])?;
    Ok(())
}

/// Removes the vector of a body, if it has one.
pub(crate) fn delete(conn: &Connection, body: i64) -> Result<()> {
    if conn.prepare_cached("DELETE FROM vector WHERE body_id = ?1")?.execute([body])? > 0 {
        conn.prepare_cached("UPDATE body SET model_id = NULL WHERE id = ?1")?.execute([body])?;
    }
    Ok(())
}

/// Visits all vectors of a model.
pub(crate) fn each(conn: &Connection, model: i64, mut visit: impl FnMut(i64, &[u8])) -> Result<()> {
    let mut stmt = conn.prepare_cached("SELECT body_id, value_i8 FROM vector WHERE model_id = ?1")?;
    let mut rows = stmt.query([model])?;
    while let Some(row) = rows.next()? {
        visit(row.get(0)?, row.get_ref(1)?.as_blob()?);
    }
    Ok(())
}

/// Removes vectors whose body is not there, or says that it has none; answers how many.
pub(crate) fn delete_strays(conn: &Connection) -> Result<u64> {
    let removed = conn.execute(
        "DELETE FROM vector WHERE NOT EXISTS (SELECT 1 FROM body WHERE body.id = body_id AND body.model_id IS NOT NULL)",
        [],
    )?;
    Ok(u64::try_from(removed).unwrap_or(u64::MAX))
}

/// Removes all vectors of a model; answers how many.
pub(crate) fn delete_of(conn: &Connection, model: i64) -> Result<u64> {
    conn.execute("UPDATE body SET model_id = NULL WHERE model_id = ?1", [model])?;
    let removed = conn.execute("DELETE FROM vector WHERE model_id = ?1", [model])?;
    Ok(u64::try_from(removed).unwrap_or(u64::MAX))
}

pub(crate) fn count(conn: &Connection) -> Result<u64> {
    conn.prepare_cached("SELECT count(*) FROM vector")?.query_row([], |row| column::count(row, 0))
}
