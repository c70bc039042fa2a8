//! `meta`: odds and ends, and the running counters that parity is checked against.

use rusqlite::{Connection, OptionalExtension as _, Result, params};

/// When the store was made.
pub(crate) const CREATED: &str = "created_unix_ms";
/// Version of the tokenizer that made the index.
pub(crate) const TOKENIZER: &str = "tokenizer_version";
/// Version of the rules under which all that is stored was redacted.
pub(crate) const REDACTION: &str = "redaction_version";
/// How far a re-scan under newer rules has come, as JSON.
pub(crate) const RESCAN: &str = "redaction_rescan";
/// Running count of bodies, which must equal the rows of `body` and of the index.
pub(crate) const BODIES: &str = "bodies";
/// Running count of chunks.
pub(crate) const CHUNKS: &str = "chunks";
/// Running count of bytes of text in entries.
pub(crate) const TEXT_BYTES: &str = "text_bytes";
/// Result of the last full check, as JSON.
pub(crate) const FULL_CHECK: &str = "full_check";

/// Whose backup this is: an id, only in a copy that is kept.
pub(crate) const PROJECT: &str = "project";

/// When old telemetry was last rolled up, all of it.
pub(crate) const ROLLED_UP: &str = "rolled_up_unix_ms";

/// When a run of embedding last stored vectors, or found none to make: milliseconds since 1970.
pub(crate) const EMBEDDED: &str = "embedded_unix_ms";

/// When the project was last given another model: milliseconds since 1970.
pub(crate) const MODEL_CHANGED: &str = "model_changed_unix_ms";

/// What the anchors stood on when they were last looked at, as a hash.
pub(crate) const ANCHORS_LOOKED: &str = "anchors_looked";

/// Set in a copy that may be spoiled to see whether the health checks notice, and in no other store.
pub(crate) const PROOF: &str = "proof";

pub(crate) fn get(conn: &Connection, key: &str) -> Result<Option<String>> {
    conn.prepare_cached("SELECT value FROM meta WHERE key = ?1")?.query_row([key], |row| row.get(0)).optional()
}

pub(crate) fn set(conn: &Connection, key: &str, value: &str) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    )?
    .execute([key, value])?;
    Ok(())
}

pub(crate) fn remove(conn: &Connection, key: &str) -> Result<()> {
    conn.prepare_cached("DELETE FROM meta WHERE key = ?1")?.execute([key])?;
    Ok(())
}

/// A counter; 0 before it was first moved.
pub(crate) fn counter(conn: &Connection, key: &str) -> Result<u64> {
    Ok(get(conn, key)?.and_then(|v| v.parse().ok()).unwrap_or(0))
}

pub(crate) fn move_counter(conn: &Connection, key: &str, by: i64) -> Result<()> {
    if by == 0 {
        return Ok(());
    }
    conn.prepare_cached(
        "INSERT INTO meta (key, value) VALUES (?1, CAST(?2 AS TEXT)) \
         ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + ?2 AS TEXT)",
    )?
    .execute(params![key, by])?;
    Ok(())
}
