//! Counts for `six status`.

use std::collections::BTreeMap;

use rusqlite::Connection;
use six_core::record::{HookName, RecordKind, RecordState, Source, UnixMs};

use crate::error::Result;
use crate::open::Store;
use crate::table::{
    chunk, entry, extraction, heartbeat, meta, record, session, skip, source_file, subsystem, telemetry_day,
};

/// What the store holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreStatus {
    /// References to bodies.
    pub chunks: u64,
    /// Distinct chunk texts.
    pub bodies: u64,
    /// Messages, documents, commits, records.
    pub entries: u64,
    /// Bytes of text in entries.
    pub text_bytes: u64,
    /// In the order of [`Source::ALL`].
    pub sources: Vec<SourceStatus>,
    /// Sessions met in transcripts.
    pub sessions: u64,
    /// Records by kind and state; only pairs that occur.
    pub records: Vec<(RecordKind, RecordState, u64)>,
    /// Messages of followed sessions that were not read for candidates.
    pub unread_messages: u64,
    /// Entries of the inventory.
    pub subsystems: u64,
    /// In the order of [`HookName::ALL`].
    pub hooks: Vec<HookStatus>,
}

/// What a source gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceStatus {
    /// Which.
    pub source: Source,
    /// Files that are known.
    pub files: u64,
    /// Files whose last try failed.
    pub failing: u64,
    /// Chunks.
    pub chunks: u64,
    /// Bytes of text.
    pub text_bytes: u64,
    /// When a file was last consumed.
    pub consumed: Option<UnixMs>,
    /// Lines and pieces that were skipped, by reason.
    pub skipped: BTreeMap<String, u64>,
}

/// What a hook did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookStatus {
    /// Which.
    pub hook: HookName,
    /// When the newest row that ended well began.
    pub newest_ok: Option<UnixMs>,
    /// When the newest row that failed or timed out began, and what it said.
    pub newest_failed: Option<(UnixMs, String)>,
    /// Rows, with those that are only counts by now.
    pub rows: u64,
}

impl Store {
    /// Counts everything; reads an index or two per source.
    pub fn status(&self) -> Result<StoreStatus> {
        self.read(|conn| {
            Ok(StoreStatus {
                chunks: meta::counter(conn, meta::CHUNKS)?,
                bodies: meta::counter(conn, meta::BODIES)?,
                entries: entry::count(conn)?,
                text_bytes: meta::counter(conn, meta::TEXT_BYTES)?,
                sources: Source::ALL.into_iter().map(|s| source_status(conn, s)).collect::<Result<_>>()?,
                sessions: session::count(conn)?,
                records: record::counts(conn)?,
                unread_messages: extraction::count_unread(conn, None)?,
                subsystems: subsystem::count(conn)?,
                hooks: HookName::ALL.into_iter().map(|h| hook_status(conn, h)).collect::<Result<_>>()?,
            })
        })
    }
}

fn source_status(conn: &Connection, source: Source) -> Result<SourceStatus> {
    let (files, failing, consumed) = source_file::summary(conn, source)?;
    Ok(SourceStatus {
        source,
        files,
        failing,
        chunks: chunk::count(conn, source)?,
        text_bytes: entry::text_bytes(conn, source)?,
        consumed,
        skipped: skip::totals(conn, source)?,
    })
}

fn hook_status(conn: &Connection, hook: HookName) -> Result<HookStatus> {
    Ok(HookStatus {
        hook,
        newest_ok: heartbeat::newest_ended(conn, hook, true)?.map(|(at, _)| at),
        newest_failed: heartbeat::newest_ended(conn, hook, false)?,
        rows: heartbeat::count_after(conn, hook, UnixMs(i64::MIN))? + telemetry_day::invocations(conn, hook)?,
    })
}
