//! Between columns and the types of six-core.

use std::error::Error;

use rusqlite::types::{Type, ValueRef};
use rusqlite::{Result, Row};
use serde::Deserialize as _;
use serde::de::DeserializeOwned;
use six_core::record::{SessionId, UnixMs};
use six_core::text::Redacted;

/// A count or size as `SQLite` holds it. What does not fit in 63 bits is not a size that we meet.
pub(crate) fn int(n: impl TryInto<i64>) -> i64 {
    n.try_into().unwrap_or(i64::MAX)
}

/// A count or size out of the file; negative ones are damage and read as 0.
pub(crate) fn count(row: &Row<'_>, column: usize) -> Result<u64> {
    Ok(u64::try_from(row.get::<_, i64>(column)?).unwrap_or(0))
}

/// A count that is small by its nature.
pub(crate) fn small(row: &Row<'_>, column: usize) -> Result<u32> {
    Ok(u32::try_from(row.get::<_, i64>(column)?).unwrap_or(0))
}

/// A pair of columns that hold a first and last line.
pub(crate) fn lines(row: &Row<'_>, column: usize) -> Result<Option<(u32, u32)>> {
    let first: Option<u32> = row.get(column)?;
    let last: Option<u32> = row.get(column + 1)?;
    Ok(first.zip(last))
}

pub(crate) fn time(row: &Row<'_>, column: usize) -> Result<UnixMs> {
    row.get(column).map(UnixMs)
}

pub(crate) fn time_opt(row: &Row<'_>, column: usize) -> Result<Option<UnixMs>> {
    Ok(row.get::<_, Option<i64>>(column)?.map(UnixMs))
}

pub(crate) fn session_opt(row: &Row<'_>, column: usize) -> Result<Option<SessionId>> {
    Ok(row.get::<_, Option<String>>(column)?.map(SessionId::new))
}

/// Text out of the file was redacted when it went in.
pub(crate) fn redacted(row: &Row<'_>, column: usize) -> Result<Redacted> {
    Redacted::deserialize(serde_json::Value::String(row.get(column)?)).map_err(|e| unreadable(column, e))
}

pub(crate) fn redacted_opt(row: &Row<'_>, column: usize) -> Result<Option<Redacted>> {
    match row.get::<_, Option<String>>(column)? {
        None => Ok(None),
        Some(text) => {
            Redacted::deserialize(serde_json::Value::String(text)).map(Some).map_err(|e| unreadable(column, e))
        }
    }
}

/// A name of one of six-core's enumerations.
pub(crate) fn named<T>(row: &Row<'_>, column: usize, parse: impl Fn(&str) -> Option<T>) -> Result<T> {
    let name = row.get_ref(column)?.as_str()?;
    parse(name).ok_or_else(|| unreadable(column, format!("unknown name {name:?}")))
}

pub(crate) fn named_opt<T>(row: &Row<'_>, column: usize, parse: impl Fn(&str) -> Option<T>) -> Result<Option<T>> {
    if row.get_ref(column)? == ValueRef::Null { Ok(None) } else { named(row, column, parse).map(Some) }
}

pub(crate) fn json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> Result<T> {
    serde_json::from_str(row.get_ref(column)?.as_str()?).map_err(|e| unreadable(column, e))
}

fn unreadable(column: usize, why: impl Into<Box<dyn Error + Send + Sync>>) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, why.into())
}
