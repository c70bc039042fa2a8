//! A row of telemetry, reduced to what is counted of it.

use crate::record::UnixMs;

/// One row. Names are those of the store: what another version wrote is counted under the name that it gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TelemetryRow {
    /// An invocation of a hook or of the worker.
    Heartbeat {
        /// Which.
        hook: String,
        /// When it began.
        started: UnixMs,
        /// When and how it ended, and the class of its failure; `None` for a crash.
        ended: Option<(UnixMs, String, String)>,
        /// Rows that it wrote.
        rows_written: u64,
        /// Of a benchmark, a test, the installer's probe.
        synthetic: bool,
    },
    /// The account of a prompt, or of a call of a tool.
    Receipt {
        /// When.
        at: UnixMs,
        /// Of a call of a tool.
        tool: bool,
        /// A person wrote it.
        human: bool,
        /// Something was said.
        fired: bool,
        /// Why it was not looked at any further.
        silenced: Option<String>,
        /// Of a benchmark, a test, the installer's probe.
        synthetic: bool,
    },
    /// What a health check said.
    Health {
        /// When.
        at: UnixMs,
        /// Which check.
        check: String,
        /// What was wrong; `None` when it was green.
        fault: Option<String>,
    },
    /// A block that a session's start showed.
    Render {
        /// When.
        at: UnixMs,
    },
    /// A start or an end of a session.
    Boundary {
        /// When.
        at: UnixMs,
        /// Which side.
        edge: String,
        /// The host's word for it.
        detail: String,
    },
    /// How often a session was shown an item.
    Delivery {
        /// When it was last.
        last: UnixMs,
        /// Which (`decision:4k2…`); its kind is counted.
        item: String,
        /// How often.
        count: u64,
    },
    /// A piece of work that is done.
    Work {
        /// When it was done.
        done: UnixMs,
        /// What kind of work.
        kind: String,
    },
}
