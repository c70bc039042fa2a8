//! `subsystem`: the inventory of what exists.

use rusqlite::{Connection, OptionalExtension as _, Result, Row, params};
use six_core::record::{Origin, Subsystem, SubsystemId, SubsystemState};
use six_core::text::Redacted;

use super::column;

const COLUMNS: &str = "id, name, purpose, paths_json, state, origin, created_unix_ms, \
                       source_path, entry_points_json";

/// Adds a subsystem, or puts it in the place of the one with its id.
pub(crate) fn upsert(conn: &Connection, new: &Subsystem, paths_json: &str, entry_points_json: &str) -> Result<()> {
    conn.prepare_cached(&format!(
        "INSERT OR REPLACE INTO subsystem ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
    ))?
    .execute(params![
        new.id.as_str(),
        new.name.as_str(),
        new.purpose.as_str(),
        paths_json,
        new.state.as_str(),
        new.origin.as_str(),
        new.created.0,
        new.source_path.as_ref().map(Redacted::as_str),
        entry_points_json
    ])?;
    Ok(())
}

pub(crate) fn all(conn: &Connection) -> Result<Vec<Subsystem>> {
    conn.prepare_cached(&format!("SELECT {COLUMNS} FROM subsystem ORDER BY name, id"))?
        .query_map([], subsystem)?
        .collect()
}

/// Those that come from this inventory file.
pub(crate) fn of_source(conn: &Connection, path: &Redacted) -> Result<Vec<Subsystem>> {
    conn.prepare_cached(&format!("SELECT {COLUMNS} FROM subsystem WHERE source_path = ?1 ORDER BY id"))?
        .query_map([path.as_str()], subsystem)?
        .collect()
}

pub(crate) fn delete(conn: &Connection, id: &SubsystemId) -> Result<usize> {
    conn.prepare_cached("DELETE FROM subsystem WHERE id = ?1")?.execute([id.as_str()])
}

pub(crate) fn one(conn: &Connection, id: &SubsystemId) -> Result<Option<Subsystem>> {
    conn.prepare_cached(&format!("SELECT {COLUMNS} FROM subsystem WHERE id = ?1"))?
        .query_row([id.as_str()], subsystem)
        .optional()
}

fn subsystem(row: &Row<'_>) -> Result<Subsystem> {
    Ok(Subsystem {
        id: SubsystemId::new(row.get::<_, String>(0)?),
        name: column::redacted(row, 1)?,
        purpose: column::redacted(row, 2)?,
        paths: column::json(row, 3)?,
        state: column::named(row, 4, SubsystemState::parse)?,
        origin: column::named(row, 5, Origin::parse)?,
        created: column::time(row, 6)?,
        source_path: column::redacted_opt(row, 7)?,
        entry_points: column::json(row, 8)?,
    })
}

pub(crate) fn count(conn: &Connection) -> Result<u64> {
    conn.prepare_cached("SELECT count(*) FROM subsystem")?.query_row([], |row| column::count(row, 0))
}
