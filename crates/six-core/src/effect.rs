//! The only things that the outside can be asked to do.
//!
//! Effects are rows: they are applied together in one transaction, or wait in the spool and are applied once.
//! Chores are work without an answer: what does not get done in this process is done by the worker.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::health::Judged;
use crate::inject::Receipt;
use crate::record::{Boundary, HookName, ItemId, OutcomeKind, Record, SessionId, UnixMs};
use crate::text::Redacted;

/// Two equal calls within so many milliseconds are one that the host started twice; it starts both at once.
pub const TWINS_WITHIN_MS: i64 = 10_000;

/// A row to be written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// This call answers, unless its twin does: a hook that is wired twice is started twice with one payload. Stands before
    /// all others; where the twin was first, none of them is applied.
    Claim {
        /// SHA-256 (hex) of what tells the payload from others.
        call: String,
        /// How the hook is wired.
        via: Redacted,
        /// When.
        at: UnixMs,
    },
    /// The account of one turn.
    Receipt(Box<Receipt>),
    /// A session started or ended.
    Boundary(Boundary),
    /// Items were shown: damping counts them per session.
    Deliver {
        /// Session that was shown them.
        session: SessionId,
        /// What was shown.
        items: Vec<ItemId>,
        /// When.
        at: UnixMs,
    },
    /// Items had been shown with a prompt that was taken back before the model had it: they were not.
    TakeBack {
        /// Session that was not shown them.
        session: SessionId,
        /// What was not shown.
        items: Vec<ItemId>,
    },
    /// What was injected is gone from the context (compaction, clear): the counts begin again.
    ForgetDeliveries {
        /// Session whose counts end.
        session: SessionId,
    },
    /// Corrections were shown, at a session's start or in a block: each counts once more, and a start shows those first that
    /// were shown longest ago.
    Served {
        /// The corrections.
        records: Vec<crate::record::RecordId>,
        /// When.
        at: UnixMs,
    },
    /// What a session start showed.
    Render {
        /// Session it was shown to.
        session: SessionId,
        /// When.
        at: UnixMs,
        /// SHA-256 (hex) of the stable part; rotation is left out.
        hash: String,
        /// Signature of the records that it is made of: it moves when the block ought to. Empty where it was not taken.
        #[serde(default)]
        corpus: String,
        /// The first section that is longer than it may be, with both lengths; empty where none is.
        #[serde(default)]
        over: String,
        /// UTF-16 units shown.
        units: u32,
        /// The health line.
        line: String,
    },
    /// The checks were run.
    Judged {
        /// When.
        at: UnixMs,
        /// What each said.
        said: Vec<Judged>,
    },
    /// A part of this event ran. It leaves a heartbeat of its own beside that of the hook, so that its absence shows. What it
    /// printed is the hook's.
    Ran {
        /// Which.
        part: HookName,
        /// How it ended.
        kind: OutcomeKind,
        /// Class of the error, or why it was skipped.
        class: Redacted,
    },
    /// A record that waits for triage (`#remember`).
    Propose(Box<Record>),
    /// Work for the worker: consume this transcript.
    Queue(Work),
}

/// Work that the worker takes from the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// Consume a transcript to its end, then all other sources.
    Ingest {
        /// Session file as the host named it; `None` consumes all sources.
        transcript: Option<PathBuf>,
    },
}

/// What a session's start may do after its rows are written: leave what is queued to a detached worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StartWorker;

/// What the end of a turn, a context or a session does after its rows are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Chore {
    /// Consume a transcript for at most this long.
    Ingest {
        /// Session file as the host named it.
        transcript: PathBuf,
        /// Milliseconds.
        within_ms: u32,
    },
    /// Read what was said for candidates, as far as the time goes.
    Extract {
        /// Whose messages.
        session: SessionId,
    },
    /// Leave the rest to a detached worker.
    StartWorker,
}
