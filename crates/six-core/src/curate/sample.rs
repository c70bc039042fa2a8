//! Made-up records and receipts for the tests of this module.

use crate::inject::{Emission, Limits, Receipt, judge_intents, prompt_terms};
use crate::record::{Origin, Record, RecordId, RecordKind, RecordState, SessionId, UnixMs};
use crate::text::{Redacted, Redactor};

pub(super) const NOW: UnixMs = UnixMs(1_770_000_000_000);

pub(super) fn pending(id: &str, kind: RecordKind, origin: Origin, title: &str) -> Record {
    Record {
        id: RecordId::new(id),
        kind,
        state: RecordState::Pending,
        origin,
        title: Redactor::new().redact(title),
        body: Redacted::default(),
        quote: Redacted::default(),
        rejected: Vec::new(),
        revive_if: Redacted::default(),
        scope: Redacted::default(),
        thread: None,
        superseded_by: None,
        session: None,
        turn: None,
        anchors: Vec::new(),
        created: NOW,
        validated: NOW,
        evidence: Redacted::default(),
        commits: Vec::new(),
        source_path: None,
        written_by: Redacted::default(),
    }
}

/// The receipt of a person's prompt in session `s-1`.
pub(super) fn receipt(text: &str) -> Receipt {
    let limits = Limits::default();
    Receipt {
        session: SessionId::new("s-1"),
        prompt_id: None,
        at: NOW,
        tool: None,
        prompt_hash: String::new(),
        head: Redactor::new().redact(text),
        mode: Emission::On,
        human: true,
        silenced: None,
        intents: judge_intents(text).into_found(),
        terms: prompt_terms(text, &limits),
        corpus: 1_000,
        compared: 0,
        candidates: Vec::new(),
        blocks: Vec::new(),
        degraded: Vec::new(),
        limits,
        stages_us: Vec::new(),
        took_us: 0,
    }
}
