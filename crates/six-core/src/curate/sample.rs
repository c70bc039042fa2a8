//! Made-up records and receipts for the tests of this module.

use crate::inject::{Emission, Limits, Receipt, judge_intents, prompt_terms};
use crate::record::{Origin, Record, RecordId, RecordKind, SessionId, UnixMs};
use crate::text::Redactor;

pub(super) const NOW: UnixMs = UnixMs(1_770_000_000_000);

pub(super) fn pending(id: &str, kind: RecordKind, origin: Origin, title: &str) -> Record {
    Record::pending(RecordId::new(id), kind, origin, Redactor::new().redact(title), NOW)
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
