//! What a person or an agent changes of a record's fields.

use super::{Anchor, Origin, Record, RecordKind, ThreadId};
use crate::text::Redacted;

/// New values of a record's fields; what is `None` stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordEdit {
    /// Its kind, which only a candidate may change.
    pub kind: Option<RecordKind>,
    /// The one clause.
    pub title: Option<Redacted>,
    /// Why.
    pub body: Option<Redacted>,
    /// All options that were rejected.
    pub rejected: Option<Vec<Redacted>>,
    /// When to try again.
    pub revive_if: Option<Redacted>,
    /// Where it holds.
    pub scope: Option<Redacted>,
    /// Its thread, or none.
    pub thread: Option<Option<ThreadId>>,
    /// What shows that it is so.
    pub evidence: Option<Redacted>,
    /// All commits that carried it out.
    pub commits: Option<Vec<String>>,
    /// All that it stands on.
    pub anchors: Option<Vec<Anchor>>,
}

impl RecordEdit {
    /// The record with these values. A person who rewrites title or body answers for both from then on, whoever worded
    /// them before. What an agent rewrites is marked as the agent's, and as a model's while any of the model's words is left.
    pub fn edited(&self, old: &Record, by: Origin) -> Record {
        let mut new = old.clone();
        let is_reworded =
            (self.title.is_some() || old.title.is_empty()) && (self.body.is_some() || old.body.is_empty());
        let is_another = |value: &Option<Redacted>, old: &Redacted| value.as_ref().is_some_and(|new| new != old);
        let is_rewritten = is_another(&self.title, &old.title) || is_another(&self.body, &old.body);
        match by {
            Origin::Operator if is_rewritten || is_reworded => new.written_by = Redacted::default(),
            Origin::Agent if is_rewritten && (is_reworded || old.written_by.is_empty()) => {
                new.written_by = Redacted::literal(Origin::Agent.as_str());
            }
            _ => {}
        }
        put(&mut new.kind, self.kind.as_ref());
        put(&mut new.title, self.title.as_ref());
        put(&mut new.body, self.body.as_ref());
        put(&mut new.rejected, self.rejected.as_ref());
        put(&mut new.revive_if, self.revive_if.as_ref());
        put(&mut new.scope, self.scope.as_ref());
        put(&mut new.thread, self.thread.as_ref());
        put(&mut new.evidence, self.evidence.as_ref());
        put(&mut new.commits, self.commits.as_ref());
        put(&mut new.anchors, self.anchors.as_ref());
        new
    }
}

fn put<T: Clone>(field: &mut T, value: Option<&T>) {
    if let Some(value) = value {
        field.clone_from(value);
    }
}

/// Shortest and longest name of a commit: what git abbreviates to, and a SHA-256.
const COMMIT_DIGITS: std::ops::RangeInclusive<usize> = 7..=64;

/// The name of a commit in lower case; `None` for what is none: 7 to 64 hexadecimal digits.
pub fn parse_commit(text: &str) -> Option<String> {
    let text = text.trim();
    let is_name = COMMIT_DIGITS.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_name.then(|| text.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::curated::tests::record;

    #[test]
    fn only_what_is_given_changes() {
        let old = record("outbox", "it survives a restart");
        assert_eq!(RecordEdit::default().edited(&old, Origin::Operator), old);
        let thread = ThreadId::new("t1");
        let new = RecordEdit {
            title: Some(Redacted::literal("inbox")),
            thread: Some(Some(thread.clone())),
            ..RecordEdit::default()
        };
        let new = new.edited(&old, Origin::Operator);
        assert_eq!(new, Record { title: Redacted::literal("inbox"), thread: Some(thread), ..old });
        let out = RecordEdit { thread: Some(None), ..RecordEdit::default() };
        assert_eq!(out.edited(&new, Origin::Operator).thread, None);
    }

    #[test]
    fn what_a_person_rewrites_is_no_models_any_more() {
        let mut old = record("outbox", "it survives a restart");
        old.written_by = Redacted::literal("made-up:7b");
        let title = RecordEdit { title: Some(Redacted::literal("inbox")), ..RecordEdit::default() };
        let body = RecordEdit { body: Some(Redacted::literal("it keeps order")), ..RecordEdit::default() };
        for edit in [&title, &body] {
            assert!(edit.edited(&old, Origin::Operator).written_by.is_empty());
        }
        let same = RecordEdit { title: Some(old.title.clone()), ..RecordEdit::default() };
        let scope = RecordEdit { scope: Some(Redacted::literal("src/**")), ..RecordEdit::default() };
        for edit in [same, scope] {
            assert_eq!(edit.edited(&old, Origin::Operator).written_by, old.written_by);
        }
    }

    #[test]
    fn beside_an_agents_words_a_model_is_named_as_long_as_words_of_it_are_left() {
        let mut old = record("outbox", "it survives a restart");
        old.written_by = Redacted::literal("made-up:7b");
        let title = RecordEdit { title: Some(Redacted::literal("inbox")), ..RecordEdit::default() };
        assert_eq!(title.edited(&old, Origin::Agent).written_by, old.written_by);
        let both = RecordEdit { body: Some(Redacted::literal("it keeps order")), ..title };
        assert_eq!(both.edited(&old, Origin::Agent).written_by.as_str(), "agent");
    }

    #[test]
    fn a_commit_is_7_to_64_hexadecimal_digits() {
        assert_eq!(parse_commit(" 0A1b2C3 ").as_deref(), Some("0a1b2c3"));
        assert!(parse_commit(&"f".repeat(64)).is_some());
        for bad in ["", "abcdef", "HEAD~1", "main", "0a1b2c3-dirty", &"f".repeat(65)] {
            assert_eq!(parse_commit(bad), None, "{bad:?}");
        }
    }
}
