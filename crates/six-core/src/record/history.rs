//! What became of a record, change by change.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Record, RecordState, UnixMs};
use crate::text::Redacted;

/// Fields of a record as they were before a change, by their names in JSON.
pub type Before = Map<String, Value>;

/// The field that a change holds as `from` and `to`.
const STATE: &str = "state";

/// One change of a record. The first one made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Its state before; `None` of the change that made it.
    pub from: Option<RecordState>,
    /// Its state from then on.
    pub to: RecordState,
    /// Who changed it: `operator`, `agent`, `extraction`, `rule`, or `model:NAME`.
    pub author: String,
    /// When.
    pub at: UnixMs,
    /// Why; empty where nobody said.
    pub reason: Redacted,
    /// What was before, of all that changed besides the state.
    pub before: Before,
    /// The batch of verdicts that it belongs to.
    pub batch: Option<String>,
}

/// A field that a change gave another value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldChange {
    /// Its name in JSON.
    pub name: String,
    /// What it was.
    pub before: Value,
    /// What it became.
    pub after: Value,
}

impl Record {
    /// What of `self` another value takes the place of in `next`, besides the state.
    ///
    /// # Errors
    ///
    /// When a record can't be told as JSON.
    pub fn before(&self, next: &Self) -> serde_json::Result<Before> {
        let next = fields(next)?;
        let changed = fields(self)?.into_iter().filter(|(name, value)| name != STATE && next.get(name) != Some(value));
        Ok(changed.collect())
    }

    /// The record as it was when these fields had these values and it was in that state: what takes a change back.
    ///
    /// # Errors
    ///
    /// When a field is none of a record, or its value none that it can have.
    pub fn taken_back(&self, state: RecordState, before: &Before) -> serde_json::Result<Self> {
        let mut all = fields(self)?;
        all.extend(before.clone());
        Ok(Self { state, ..serde_json::from_value(Value::Object(all))? })
    }
}

/// For each change of a record, oldest first, the fields that it gave another value.
///
/// # Errors
///
/// When the record can't be told as JSON.
pub fn field_changes(changes: &[Change], now: &Record) -> serde_json::Result<Vec<Vec<FieldChange>>> {
    let mut after = fields(now)?;
    let mut told = Vec::with_capacity(changes.len());
    for change in changes.iter().rev() {
        let fields = change.before.iter().map(|(name, before)| {
            let after = after.insert(name.clone(), before.clone()).unwrap_or_default();
            FieldChange { name: name.clone(), before: before.clone(), after }
        });
        told.push(fields.collect());
    }
    told.reverse();
    Ok(told)
}

fn fields(record: &Record) -> serde_json::Result<Before> {
    match serde_json::to_value(record)? {
        Value::Object(fields) => Ok(fields),
        _ => Ok(Before::new()),
    }
}
