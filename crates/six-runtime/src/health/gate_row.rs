//! The heartbeat of a gate that somebody asked for. That of a session's start is one of its effects.

use std::time::Instant;

use six_core::health::HealthReport;
use six_core::record::{EventId, Heartbeat, HookName, Outcome};
use six_core::text::Redacted;
use six_store::Store;

use crate::home::Environment;
use crate::{clock, ids};

/// What a person waits for at most before the row counts as that of a process that hangs: a server that loads its model.
const DEADLINE_MS: u32 = 60_000;

/// A row that was opened before any check looked.
#[derive(Debug)]
pub struct GateRow {
    id: EventId,
    began: Instant,
}

impl GateRow {
    /// Leaves the row; `None` where the store can't be written, which is what the check `store` says.
    pub fn open(store: &Store, env: &Environment) -> Option<Self> {
        let began = Instant::now();
        let id = EventId::new(ids::random_record_id().ok()?);
        let row = Heartbeat {
            id: id.clone(),
            hook: HookName::Gate,
            event: Redacted::literal("six health"),
            session: None,
            via: Redacted::literal(""),
            pid: std::process::id(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started: clock::now(),
            deadline_ms: DEADLINE_MS,
            synthetic: env.six_synthetic,
            outcome: None,
        };
        store.open_heartbeat(&row).ok().map(|()| Self { id, began })
    }

    /// Completes it.
    pub fn close(self, store: &Store, report: &HealthReport) {
        let (kind, class) = report.gate_end();
        let outcome = Outcome {
            kind,
            class: class.to_owned(),
            text: Redacted::literal(""),
            ended: clock::now(),
            took_us: Some(clock::micros_since(self.began)),
            rows_written: 0,
            bytes_emitted: 0,
        };
        // A row that stays open is one of a gate that crashed: no lie, if the store broke meanwhile.
        let _ = store.close_heartbeat(&self.id, &outcome);
    }
}
