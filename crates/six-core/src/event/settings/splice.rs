//! Changing some bytes of a text and none of the others, and taking that back.

use serde::{Deserialize, Serialize};

/// A settings file after an edit that is planned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The whole new text; the old one if there was nothing to do.
    pub text: String,
    /// What was changed, in the order of the text; enough to take it back with [`undo`].
    pub spans: Vec<Span>,
    /// Entries that were not there.
    pub added: Vec<Wired>,
    /// Entries that were there with another path or other arguments.
    pub repaired: Vec<Wired>,
    /// Entries that are gone.
    pub removed: Vec<Wired>,
}

/// One place of an edited text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Where it begins in the new text, in bytes.
    pub at: usize,
    /// How many bytes of the new text are ours.
    pub inserted_bytes: usize,
    /// What stood there before.
    pub removed: String,
}

/// One of our entries in a settings file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wired {
    /// The event.
    pub event: String,
    /// The command as it stands in the file, after the edit or, if removed, before it.
    pub command: String,
}

/// One change to come; the range counts in the old text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Splice {
    pub start: usize,
    pub end: usize,
    pub inserted: String,
}

/// Applies splices that do not overlap.
pub(super) fn spliced(text: &str, mut splices: Vec<Splice>) -> (String, Vec<Span>) {
    splices.sort_by_key(|splice| (splice.start, splice.end));
    let mut new = String::with_capacity(text.len());
    let mut spans = Vec::with_capacity(splices.len());
    let mut copied = 0;
    for splice in splices {
        new.push_str(text.get(copied..splice.start).unwrap_or_default());
        spans.push(Span {
            at: new.len(),
            inserted_bytes: splice.inserted.len(),
            removed: text.get(splice.start..splice.end).unwrap_or_default().to_owned(),
        });
        new.push_str(&splice.inserted);
        copied = splice.end;
    }
    new.push_str(text.get(copied..).unwrap_or_default());
    (new, spans)
}

/// The text as it was before the edit that left these spans, byte for byte. `None` if the spans do not fit, so the text
/// is not what that edit made.
pub fn undo(text: &str, spans: &[Span]) -> Option<String> {
    let mut old = String::with_capacity(text.len());
    let mut copied = 0;
    for span in spans {
        old.push_str(text.get(copied..span.at)?);
        old.push_str(&span.removed);
        copied = span.at.checked_add(span.inserted_bytes)?;
    }
    old.push_str(text.get(copied..)?);
    Some(old)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn splice(start: usize, end: usize, inserted: &str) -> Splice {
        Splice { start, end, inserted: inserted.to_owned() }
    }

    #[test]
    fn changes_are_made_and_taken_back() {
        let (new, spans) = spliced("añb c", vec![splice(4, 5, "--"), splice(1, 3, ""), splice(6, 6, "!")]);
        assert_eq!(new, "ab--c!");
        assert_eq!(undo(&new, &spans).as_deref(), Some("añb c"));
    }

    #[test]
    fn spans_of_another_text_are_refused() {
        let (_, spans) = spliced("abc", vec![splice(3, 3, "def")]);
        assert_eq!(undo("ab", &spans), None);
        let wild = Span { at: 1, inserted_bytes: usize::MAX, removed: String::new() };
        assert_eq!(undo("abc", &[wild]), None);
    }
}
