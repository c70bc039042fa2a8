//! What became of a record, change by change.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Author, Record, RecordState, UnixMs};
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
    /// Who changed it.
    pub author: Author,
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

/// A change, with the values that it gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The change.
    pub change: Change,
    /// The fields that got another value, by name.
    pub fields: Vec<FieldChange>,
}

/// All changes of a record, oldest first, each with what its fields became.
///
/// # Errors
///
/// When the record can't be told as JSON.
pub fn steps(changes: Vec<Change>, now: &Record) -> serde_json::Result<Vec<Step>> {
    let mut after = fields(now)?;
    let mut steps = Vec::with_capacity(changes.len());
    for change in changes.into_iter().rev() {
        let fields = change.before.iter().map(|(name, before)| {
            let after = after.insert(name.clone(), before.clone()).unwrap_or_default();
            FieldChange { name: name.clone(), before: before.clone(), after }
        });
        steps.push(Step { fields: fields.collect(), change });
    }
    steps.reverse();
    Ok(steps)
}

fn fields(record: &Record) -> serde_json::Result<Before> {
    match serde_json::to_value(record)? {
        Value::Object(fields) => Ok(fields),
        _ => Ok(Before::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::ThreadId;
    use crate::record::curated::tests::record;

    fn change(old: &Record, new: &Record) -> Change {
        Change {
            from: Some(old.state),
            to: new.state,
            author: Author::Operator,
            at: UnixMs(1),
            reason: Redacted::default(),
            before: old.before(new).unwrap(),
            batch: None,
        }
    }

    #[test]
    fn a_change_keeps_what_was_before_of_all_that_it_changed_and_of_nothing_else() {
        let old = record("outbox", "it survives a restart");
        let new = Record {
            title: Redacted::literal("inbox"),
            rejected: vec![Redacted::literal("polling")],
            thread: Some(ThreadId::new("t1")),
            state: RecordState::Retired,
            ..old.clone()
        };
        let before = old.before(&new).unwrap();
        insta::assert_snapshot!(Value::Object(before), @r#"{"rejected":[],"thread":null,"title":"outbox"}"#);
        assert!(old.before(&old).unwrap().is_empty());
    }

    #[test]
    fn what_was_changed_can_be_taken_back() {
        let old = record("outbox", "it survives a restart");
        let new = Record {
            title: Redacted::literal("inbox"),
            superseded_by: Some(crate::record::RecordId::new("r2")),
            state: RecordState::Superseded,
            validated: UnixMs(7),
            ..old.clone()
        };
        let before = old.before(&new).unwrap();
        assert_eq!(new.taken_back(RecordState::Confirmed, &before).unwrap(), old);
    }

    #[test]
    fn each_change_is_told_with_what_its_fields_became() {
        let first = record("outbox", "");
        let second = Record { title: Redacted::literal("inbox"), ..first.clone() };
        let third = Record { title: Redacted::literal("mailbox"), body: Redacted::literal("order"), ..second.clone() };
        let made = Change { from: None, before: Before::new(), ..change(&first, &first) };
        let changes = [made, change(&first, &second), change(&second, &third)];
        let told = steps(changes.to_vec(), &third).unwrap();
        let told: Vec<Vec<String>> = told
            .into_iter()
            .map(|step| step.fields.into_iter().map(|f| format!("{}: {} -> {}", f.name, f.before, f.after)).collect())
            .collect();
        assert_eq!(
            told,
            [
                vec![],
                vec![String::from("title: \"outbox\" -> \"inbox\"")],
                vec![String::from("body: \"\" -> \"order\""), String::from("title: \"inbox\" -> \"mailbox\"")],
            ]
        );
    }
}
