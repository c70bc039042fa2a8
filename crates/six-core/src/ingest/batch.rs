//! What one step of ingest hands to the store: entries and the new state of their file, committed together.

use std::collections::BTreeMap;

use crate::event::Link;
use crate::record::{Entry, Record, SessionId, Source, Subsystem, UnixMs};
use crate::text::Redacted;

/// How far a source file has been consumed. State is kept per file, so that a run that is stopped loses nothing and a
/// file that arrives with an old time is seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileState {
    /// Which source it belongs to.
    pub source: Source,
    /// SHA-256 (hex) of the path as found: what identifies the file, since the stored path is redacted.
    pub path_hash: String,
    /// The path, relative to the project root for documents, absolute for the host's files. For git: `HEAD`.
    pub path: Redacted,
    /// Size when it was last read.
    pub size_bytes: u64,
    /// Modification time when it was last read, nanoseconds since 1970.
    pub mtime_ns: i64,
    /// SHA-256 (hex) of the whole content (documents), or of the first bytes (transcripts: at most 4 KiB, which tells an
    /// append from a rewrite). For git: the tip that was consumed.
    pub content_hash: String,
    /// Bytes consumed; only complete lines count.
    pub consumed_bytes: u64,
    /// Lines consumed, so that line numbers go on.
    pub consumed_lines: u64,
    /// Tries that failed since the last good one.
    pub fails: u32,
    /// What the last try said; empty when it was good.
    pub last_error: Redacted,
    /// When it was last tried.
    pub tried: UnixMs,
    /// Lines and pieces that were skipped so far, by reason.
    pub skipped: BTreeMap<String, u64>,
}

/// Whether a batch adds to what the file gave before or takes its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Lines were appended.
    Append,
    /// The file was rewritten: entries that it gave before and does not give now are removed. Transcripts that were
    /// rewritten shorter keep their earlier entries, since raw evidence stays: they use `Append`.
    Replace,
}

/// What a batch adds to a transcript's tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreePart {
    /// Links in file order, of all records with a uuid: also of those that give no entry, because the way from the leaf to
    /// the root leads over them.
    pub links: Vec<Link<String>>,
    /// The last record that can be the leaf, if there is one.
    pub leaf: Option<String>,
    /// The file's end was reached. Branches are judged then and not before: each judgement reads the file's whole tree.
    pub is_last: bool,
}

/// What a transcript tells about its session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionSeen {
    /// Its id.
    pub id: SessionId,
    /// Time of the first and last record in this batch.
    pub first: Option<UnixMs>,
    /// See `first`.
    pub last: Option<UnixMs>,
    /// Version of the host.
    pub client: String,
    /// How the host was started (`cli`, `sdk-cli`): recorded, never a reason.
    pub entrypoint: String,
    /// Prompts of a person in this batch: what the prompt hook should have been called for.
    pub prompts: u64,
    /// What this batch shows of the session's start.
    pub start: StartTrace,
}

/// What a transcript shows of what hooks said at a session's start, from little to much.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum StartTrace {
    /// Nothing: the client writes no such thing down, or no hook said anything.
    #[default]
    Nothing,
    /// What hooks said, and no block of six in it.
    Hooks,
    /// A block of six.
    Block,
}

/// One transaction's worth of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// The state after this batch.
    pub file: FileState,
    /// See [`Mode`].
    pub mode: Mode,
    /// Entries in file order.
    pub entries: Vec<Entry>,
    /// `None` for anything but transcripts.
    pub tree: Option<TreePart>,
    /// Sessions met in this batch.
    pub sessions: Vec<SessionSeen>,
    /// What exists by this file, in the place of what it named before; `None` for all but the inventory.
    pub inventory: Option<Vec<Subsystem>>,
    /// The rules that this file states, in the place of those that it stated before; `None` for all but the memory folder.
    pub rules: Option<Vec<Record>>,
}

/// What a commit did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Committed {
    /// Entries that were new.
    pub entries: u64,
    /// Entries that were there already (forks, checkpoints).
    pub repeated: u64,
    /// Chunks added.
    pub chunks: u64,
    /// Entries removed.
    pub removed: u64,
}
