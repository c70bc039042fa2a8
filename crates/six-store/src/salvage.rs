//! Rows out of a file that `SQLite` may not be able to read whole, table by table, into a new one of the same schema.
//!
//! A damaged page hides its rows and nothing else: reading goes on behind it.

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, ErrorCode, Row, Statement, params_from_iter};
use six_core::record::{EntryKind, HookName, Origin, OutcomeKind, RecordKind, RecordState, Source, SubsystemState};

use crate::error::{Result, StoreError};

/// What could be read of one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRead {
    /// Its name.
    pub table: String,
    /// Rows that were read and kept.
    pub read: u64,
    /// Rows that it held; `None` when not even that can be told.
    pub held: Option<u64>,
}

impl TableRead {
    /// Whether nothing of it is lost.
    pub fn is_whole(&self) -> bool {
        self.held == Some(self.read)
    }
}

/// Tables that are made anew from the others.
const DERIVED: [&str; 1] = ["term"];

/// Numbers of rows that are tried one after the other behind damage: more than one page of the tree's lowest level holds.
const TRIES: u32 = 256;

/// Damaged places of one table that are stepped over. Numbers on a damaged page can lead to it again and again.
const DAMAGES: u32 = 20_000;

/// What a column must hold for its row to be read at all.
type Sound = fn(&str) -> bool;

/// Columns that hold one of our names. A page whose end is missing gives rows whose values are nothing but zeros.
const NAMES: [(&str, &str, Sound); 14] = [
    ("entry", "source", |name| Source::parse(name).is_some()),
    ("entry", "kind", |name| EntryKind::parse(name).is_some()),
    ("entry", "origin", |name| Origin::parse(name).is_some()),
    ("record", "kind", |name| RecordKind::parse(name).is_some()),
    ("record", "state", |name| RecordState::parse(name).is_some()),
    ("record", "origin", |name| Origin::parse(name).is_some()),
    ("record_history", "state_from", |name| RecordState::parse(name).is_some()),
    ("record_history", "state_to", |name| RecordState::parse(name).is_some()),
    ("sighting", "origin", |name| Origin::parse(name).is_some()),
    ("subsystem", "state", |name| SubsystemState::parse(name).is_some()),
    ("subsystem", "origin", |name| Origin::parse(name).is_some()),
    ("source_file", "source", |name| Source::parse(name).is_some()),
    ("heartbeat", "hook", |name| HookName::parse(name).is_some()),
    ("heartbeat", "outcome", |name| OutcomeKind::parse(name).is_some()),
];

/// What is asked of a column, if anything.
fn sound(table: &str, column: &str) -> Option<Sound> {
    if column.ends_with("_json") {
        return Some(|json| serde_json::from_str::<serde::de::IgnoredAny>(json).is_ok());
    }
    NAMES.iter().find(|(of, name, _)| (*of, *name) == (table, column)).map(|(_, _, sound)| *sound)
}

/// Copies every table that holds what can't be made again. `to` is empty and inside a transaction.
pub(crate) fn copy_tables(from: &Connection, to: &Connection) -> Result<Vec<TableRead>> {
    tables(to)?.iter().map(|table| copy_table(from, to, table)).collect()
}

struct Table {
    name: String,
    columns: Vec<String>,
    /// What is asked of each column.
    sound: Vec<Option<Sound>>,
    /// What its rows are ordered by in the file.
    key: Vec<String>,
    has_rowid: bool,
}

fn tables(conn: &Connection) -> Result<Vec<Table>> {
    let mut names = conn.prepare(
        "SELECT name, wr FROM pragma_table_list \
         WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )?;
    let names: Vec<(String, bool)> =
        names.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
    names
        .into_iter()
        .filter(|(name, _)| !DERIVED.contains(&name.as_str()))
        .map(|(name, is_without_rowid)| describe(conn, name, !is_without_rowid))
        .collect()
}

fn describe(conn: &Connection, name: String, has_rowid: bool) -> Result<Table> {
    let mut stmt = conn.prepare("SELECT name, pk FROM pragma_table_info(?1)")?;
    let columns: Vec<(String, i64)> =
        stmt.query_map([&name], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
    let mut key: Vec<_> = columns.iter().filter(|(_, place)| *place > 0).collect();
    key.sort_unstable_by_key(|(_, place)| *place);
    let key =
        if has_rowid { vec!["rowid".to_owned()] } else { key.into_iter().map(|(name, _)| quoted(name)).collect() };
    let sound = columns.iter().map(|(column, _)| sound(&name, column)).collect();
    let columns = columns.iter().map(|(name, _)| quoted(name)).collect();
    Ok(Table { name, columns, sound, key, has_rowid })
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

impl Table {
    /// Its rows with their number before them: in order from the row ?1 on, or all of them from the end.
    fn select(&self, from_end: bool) -> String {
        let order = if from_end { " DESC" } else { "" };
        let key: Vec<String> = self.key.iter().map(|column| format!("{column}{order}")).collect();
        let (number, condition) = if self.has_rowid { ("rowid", " WHERE rowid >= ?1") } else { ("0", "") };
        let (columns, table) = (self.columns.join(", "), quoted(&self.name));
        format!("SELECT {number}, {columns} FROM {table}{condition} ORDER BY {}", key.join(", "))
    }

    /// A row that is there already stays.
    fn insert(&self) -> String {
        let places: Vec<String> = (1..=self.columns.len()).map(|n| format!("?{n}")).collect();
        let (columns, table) = (self.columns.join(", "), quoted(&self.name));
        format!("INSERT OR IGNORE INTO {table} ({columns}) VALUES ({})", places.join(", "))
    }
}

fn copy_table(from: &Connection, to: &Connection, table: &Table) -> Result<TableRead> {
    let unread = |read| TableRead { table: table.name.clone(), read, held: held(from, table).filter(|n| *n >= read) };
    let Some(select) = readable(from.prepare(&table.select(false)))? else { return Ok(unread(0)) };
    let mut copy = Copy { select, insert: to.prepare(&table.insert())?, sound: &table.sound, seen: 0, kept: 0 };
    let is_whole = if table.has_rowid { copy.all_by_number()? } else { copy.until_damage(None, &mut 0)? };
    if is_whole {
        return Ok(TableRead { table: table.name.clone(), read: copy.kept, held: Some(copy.seen) });
    }
    if let Some(select) = readable(from.prepare(&table.select(true)))? {
        copy.select = select;
        copy.until_damage(table.has_rowid.then_some(0), &mut 0)?;
    }
    Ok(unread(copy.kept))
}

/// How many rows a table has, as far as any of its trees still tells.
fn held(conn: &Connection, table: &Table) -> Option<u64> {
    let count = |how: &str| {
        let sql = format!("SELECT count(*) FROM {}{how}", quoted(&table.name));
        conn.query_row(&sql, [], |row| row.get::<_, i64>(0)).ok().and_then(|n| u64::try_from(n).ok())
    };
    count("").or_else(|| count(" NOT INDEXED"))
}

/// `None` where the table is damaged or gone.
fn readable<T>(done: rusqlite::Result<T>) -> Result<Option<T>> {
    match done.map_err(StoreError::from) {
        Ok(value) => Ok(Some(value)),
        Err(StoreError::Corrupt | StoreError::MissingTable) => Ok(None),
        Err(error) => Err(error),
    }
}

/// How `SQLite` refuses a value.
const REFUSALS: [Option<ErrorCode>; 2] = [Some(ErrorCode::ConstraintViolation), Some(ErrorCode::TypeMismatch)];

struct Copy<'f, 't, 's> {
    select: Statement<'f>,
    insert: Statement<'t>,
    sound: &'s [Option<Sound>],
    seen: u64,
    kept: u64,
}

impl Copy<'_, '_, '_> {
    /// Copies by number of row, and goes on behind every damage. Whether all could be read.
    fn all_by_number(&mut self) -> Result<bool> {
        let (mut next, mut tries, mut is_whole) = (0, 0, true);
        for _ in 0..DAMAGES {
            let first = next;
            if self.until_damage(Some(first), &mut next)? {
                return Ok(is_whole);
            }
            is_whole = false;
            tries = if next == first { tries + 1 } else { 0 };
            if tries > TRIES {
                let Some(behind) = self.behind_damage(next)? else { return Ok(false) };
                next = behind;
                tries = 0;
            } else if tries > 0 {
                next += 1;
            }
        }
        Ok(false)
    }

    /// The first number behind a large damage from which on rows can be read again: one that is far enough, then halved.
    /// `None` when the damage goes on to the end of the table.
    fn behind_damage(&mut self, damaged: i64) -> Result<Option<i64>> {
        let (mut damaged, mut step) = (damaged, 1_i64);
        let mut readable = loop {
            let Some(far) = damaged.checked_add(step) else { return Ok(None) };
            if self.is_readable(far)? {
                break far;
            }
            damaged = far;
            step = step.saturating_mul(2);
        };
        while readable - damaged > 1 {
            let middle = damaged + (readable - damaged) / 2;
            if self.is_readable(middle)? {
                readable = middle;
            } else {
                damaged = middle;
            }
        }
        Ok(Some(readable))
    }

    fn is_readable(&mut self, first: i64) -> Result<bool> {
        let Some(mut rows) = readable(self.select.query([first]))? else { return Ok(false) };
        Ok(readable(rows.next())?.is_some())
    }

    /// Copies rows until there is none, which it tells, or until one can't be read. `next` is the number after the last.
    fn until_damage(&mut self, first: Option<i64>, next: &mut i64) -> Result<bool> {
        let Some(mut rows) = readable(self.select.query(params_from_iter(first)))? else { return Ok(false) };
        loop {
            let Some(row) = readable(rows.next())? else { return Ok(false) };
            let Some(row) = row else { return Ok(true) };
            // On a damaged page numbers may go back.
            *next = row.get::<_, i64>(0)?.saturating_add(1).max(*next);
            self.seen += 1;
            let Some(values) = sound_values(row, self.sound)? else { continue };
            match self.insert.execute(params_from_iter(values)) {
                Ok(kept) => self.kept += u64::try_from(kept).unwrap_or(0),
                // Damage that its page does not show: a value that the table refuses.
                Err(error) if REFUSALS.contains(&error.sqlite_error_code()) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// The values of a row as they are, text that is none any more made readable; `None` where one makes the row unreadable.
fn sound_values<'r>(row: &'r Row<'_>, sound: &[Option<Sound>]) -> Result<Option<Vec<ToSqlOutput<'r>>>> {
    let mut values = Vec::with_capacity(sound.len());
    for (column, sound) in (1..).zip(sound) {
        let value = match row.get_ref(column)? {
            ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) if !text.contains('\0') => ToSqlOutput::Borrowed(ValueRef::Text(bytes)),
                _ => ToSqlOutput::Owned(Value::Text(String::from_utf8_lossy(bytes).replace('\0', "\u{fffd}"))),
            },
            value => ToSqlOutput::Borrowed(value),
        };
        let text = match &value {
            ToSqlOutput::Borrowed(ValueRef::Text(bytes)) => std::str::from_utf8(bytes).ok(),
            ToSqlOutput::Owned(Value::Text(text)) => Some(text.as_str()),
            _ => None,
        };
        if text.is_some_and(|text| sound.is_some_and(|sound| !sound(text))) {
            return Ok(None);
        }
        values.push(value);
    }
    Ok(Some(values))
}
