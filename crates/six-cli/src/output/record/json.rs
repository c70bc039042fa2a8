//! A record with all that is known about it, as JSON.

use serde_json::{Value, json};
use six_core::record::{AnchorState, Record, Step, UnixMs};
use six_store::WholeRecord;

use super::text::cited;

/// The fields of a record that is shown whole.
pub(crate) fn record_json(whole: &WholeRecord, states: &[AnchorState]) -> Value {
    let anchors = whole.record.anchors.iter().zip(states);
    json!({
        "record": whole.record,
        "thread": whole.thread,
        "anchors": anchors
            .map(|(anchor, state)| json!({"place": cited(anchor), "state": state}))
            .collect::<Vec<_>>(),
        "sightings": whole.sightings,
        "history": whole.history.iter().map(step_json).collect::<Vec<_>>(),
        "served": {"count": whole.served.0, "last": whole.served.1.map(UnixMs::rfc3339)},
        "delivered": {"count": whole.delivered.0, "sessions": whole.delivered.1},
        "supersedes": whole.supersedes.iter().map(named).collect::<Vec<_>>(),
        "superseded_by": whole.superseded_by.as_ref().map(named),
    })
}

fn named(record: &Record) -> Value {
    json!({"id": record.id, "state": record.state, "title": record.title})
}

/// One change.
pub(crate) fn step_json(step: &Step) -> Value {
    let change = &step.change;
    let fields = step.fields.iter();
    json!({
        "at": change.at.rfc3339(),
        "author": change.author,
        "from": change.from,
        "to": change.to,
        "reason": change.reason,
        "batch": change.batch,
        "fields": fields
            .map(|field| json!({"name": field.name, "before": field.before, "after": field.after}))
            .collect::<Vec<_>>(),
    })
}
