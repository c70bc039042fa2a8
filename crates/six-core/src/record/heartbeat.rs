//! Heartbeats: the row that a hook writes before it works, and completes when it ends.

use serde::{Deserialize, Serialize};

use super::{EventId, SessionId, UnixMs};
use crate::text::Redacted;

/// What leaves heartbeats: the hooks, the worker, and the commands that watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HookName {
    /// `six-session-start`.
    SessionStart,
    /// `six-user-prompt-submit`.
    UserPromptSubmit,
    /// `six-pre-tool-use`.
    PreToolUse,
    /// `six-stop`.
    Stop,
    /// `six-pre-compact`.
    PreCompact,
    /// `six-session-end`.
    SessionEnd,
    /// `six worker`.
    Worker,
    /// The health checks, at a session's start and by `six health`.
    Gate,
    /// The block of a session start.
    Render,
}

impl HookName {
    /// All that leave heartbeats.
    pub const ALL: [Self; 9] = [
        Self::SessionStart,
        Self::UserPromptSubmit,
        Self::PreToolUse,
        Self::Stop,
        Self::PreCompact,
        Self::SessionEnd,
        Self::Worker,
        Self::Gate,
        Self::Render,
    ];

    /// Whether the host starts it; the others run because of it, or because somebody asked.
    pub const fn is_started_by_host(self) -> bool {
        !matches!(self, Self::Worker | Self::Gate | Self::Render)
    }

    /// The name in the store and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SessionStart => "session-start",
            Self::UserPromptSubmit => "user-prompt-submit",
            Self::PreToolUse => "pre-tool-use",
            Self::Stop => "stop",
            Self::PreCompact => "pre-compact",
            Self::SessionEnd => "session-end",
            Self::Worker => "worker",
            Self::Gate => "gate",
            Self::Render => "render",
        }
    }

    /// The one of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|h| h.as_str() == name)
    }
}

/// How an invocation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeKind {
    /// It did what it is for; saying nothing is one way to do so.
    Ok,
    /// It had nothing to do, and says why.
    Skipped,
    /// It ended with an error or a caught panic.
    Failed,
    /// Its deadline passed.
    TimedOut,
    /// The host ended it (Esc, its own time-out): neither failure nor red.
    Cancelled,
}

impl OutcomeKind {
    /// The name in the store and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
            Self::TimedOut => "timed-out",
            Self::Cancelled => "cancelled",
        }
    }

    /// The outcome of that name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Ok, Self::Skipped, Self::Failed, Self::TimedOut, Self::Cancelled]
            .into_iter()
            .find(|o| o.as_str() == name)
    }
}

/// The end of a heartbeat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// How it ended.
    pub kind: OutcomeKind,
    /// Class of the error, or why it was skipped: a short stable name; empty when all was well.
    pub class: String,
    /// What it said, at most 500 characters.
    pub text: Redacted,
    /// When.
    pub ended: UnixMs,
    /// Microseconds that it took by a clock that nobody sets and that stands while the machine sleeps; `None` where nobody
    /// measured, as in rows that older versions left.
    #[serde(default)]
    pub took_us: Option<u64>,
    /// Rows written beside the heartbeat itself.
    pub rows_written: u32,
    /// Bytes printed on stdout.
    pub bytes_emitted: u32,
}

/// One invocation of a hook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// Unique; the same event is stored once however often it is replayed.
    pub id: EventId,
    /// Which hook.
    pub hook: HookName,
    /// The event the payload named, as far as it could be read.
    pub event: Redacted,
    /// Its session, as far as it could be read.
    pub session: Option<SessionId>,
    /// How the hook was wired (`settings`, `plugin`), from its own arguments.
    pub via: Redacted,
    /// Process id; with the start it tells a crash from a run.
    pub pid: u32,
    /// Version of the binary.
    pub version: String,
    /// When it started.
    pub started: UnixMs,
    /// Milliseconds it allowed itself.
    pub deadline_ms: u32,
    /// Benchmarks, tests and the installer's probe; reports leave these out.
    pub synthetic: bool,
    /// `None` while it runs. A row without an end whose process is gone is a crash.
    pub outcome: Option<Outcome>,
}
