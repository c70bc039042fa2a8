//! `health_observation`: what the gate said, so that how long a fault lasted is a query.

use rusqlite::{Connection, Result, params};
use six_core::health::{CheckName, Fault, Verdict};
use six_core::record::UnixMs;

/// Stores the fault under the name that it has in JSON; green rows have none.
pub(crate) fn insert(conn: &Connection, at: UnixMs, check: CheckName, verdict: &Verdict) -> Result<()> {
    let (fault, detail) = match verdict {
        Verdict::Green { note } => (None, note.as_deref().unwrap_or_default()),
        Verdict::Red { fault, detail, .. } => (serde_json::to_value(fault).ok(), detail.as_str()),
        Verdict::Blocked { by } => (serde_json::to_value(Fault::Blocked).ok(), by.as_str()),
    };
    conn.prepare_cached("INSERT INTO health_observation (at_unix_ms, name, fault, detail) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![at.0, check.as_str(), fault.as_ref().and_then(serde_json::Value::as_str), detail])?;
    Ok(())
}
