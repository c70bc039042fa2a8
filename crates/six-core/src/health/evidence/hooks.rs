//! What the programs that leave heartbeats have left.

use crate::record::{Family, HookName, UnixMs};

/// What is known of one hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookSeen {
    /// Which.
    pub hook: HookName,
    /// How the host's settings start it. `None` for what the host does not start.
    pub wired: Option<Wiring>,
    /// The newest row that is no longer running.
    pub newest: Option<NewestRow>,
    /// Sessions that have started since its newest row, up to [`HookSeen::STARTS_MAX`].
    pub starts_since: u64,
    /// Class and text of the newest failure.
    pub error: String,
    /// What had to call it lately: sessions by their transcripts, for the parts of a start the starts that ended
    /// well.
    pub due: u64,
    /// How many of those left a row of it.
    pub called: u64,
    /// What it had to answer since its newest row, by the transcripts and up to [`HookSeen::UNANSWERED_MAX`].
    pub unanswered: u64,
    /// Its runs since the gate before this one.
    pub runs: Runs,
    /// How many of its newest runs, one after the other and whenever, used their time up: what runs once in a session has
    /// no share that says anything.
    pub overran_in_a_row: u64,
}

impl HookSeen {
    /// Most that are counted of what a hook left unanswered: more says nothing else.
    pub const UNANSWERED_MAX: u64 = 20;

    /// Most starts that are counted since a hook's newest row.
    pub const STARTS_MAX: u64 = 2;

    /// A hook of which nothing is known.
    pub fn unseen(hook: HookName) -> Self {
        Self {
            hook,
            wired: None,
            newest: None,
            starts_since: 0,
            error: String::new(),
            due: 0,
            called: 0,
            unanswered: 0,
            runs: Runs::default(),
            overran_in_a_row: 0,
        }
    }
}

/// How the host's settings start a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wiring {
    /// With a program that can be started.
    Sound,
    /// Not at all.
    Absent,
    /// All hooks are switched off.
    Off {
        /// The settings file that does it.
        file: String,
    },
    /// With a program that is not there.
    Gone {
        /// Where it should be.
        program: String,
    },
    /// With a file that must not be executed.
    NotExecutable {
        /// Which.
        program: String,
    },
    /// With a program of another installation than the session's start.
    Elsewhere {
        /// Which.
        program: String,
    },
}

/// A row that is no longer running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewestRow {
    /// When it started.
    pub started: UnixMs,
    /// What came of it.
    pub family: Family,
}

impl NewestRow {
    /// Whether this one row shows that something is broken. A cancelled one is the user's Esc, and a skipped one had nothing
    /// to do; one whose time was used up is an accident until others show that it is none.
    pub fn is_failure(self) -> bool {
        self.family.is_failure() && self.family != Family::Deadline
    }
}

/// Counts of the runs of a hook.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Runs {
    /// Those that came to an end that is not somebody's Esc.
    pub ended: u64,
    /// Those of them whose time was used up.
    pub overran: u64,
    /// Milliseconds that they allowed themselves.
    pub deadline_ms: u32,
    /// Those that looked something up.
    pub looked: u64,
    /// Those of them that had to do with less than they asked for.
    pub degraded: u64,
    /// With what, of the newest of these.
    pub degraded_by: String,
    /// Turns that were answered well and have to have their account.
    pub answered: u64,
    /// Those of them that have none.
    pub unaccounted: u64,
}
