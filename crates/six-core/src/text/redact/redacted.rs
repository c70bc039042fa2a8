use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Deserializer, Serialize};

use super::redactor::Redactor;
use crate::text::cut::cut_bytes;

/// Text from which secrets have been taken: all that the store, a log or an embedder accepts.
///
/// It comes from [`Redactor::redact`], from a literal of our own source, or from another `Redacted`. Reading one from a
/// file redacts it again, so that an edited file is no second door.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(transparent)]
pub struct Redacted(String);

impl Redacted {
    /// Only the redactor has text that it may pass here.
    pub(super) fn from_redactor(text: String) -> Self {
        Self(text)
    }

    /// Words of our own source.
    pub fn literal(text: &'static str) -> Self {
        Self(text.to_owned())
    }

    /// The text in `range` (bytes), or `None` if that is not inside the text or splits a character.
    pub fn slice(&self, range: Range<usize>) -> Option<Self> {
        self.0.get(range).map(|text| Self(text.to_owned()))
    }

    /// The longest start of at most `max_bytes` bytes that splits no visible character.
    #[must_use]
    pub fn cut(&self, max_bytes: usize) -> Self {
        Self(cut_bytes(&self.0, max_bytes).to_owned())
    }

    /// All `parts` with `sep` between them.
    pub fn join(parts: &[Self], sep: &'static str) -> Self {
        let parts: Vec<_> = parts.iter().map(Self::as_str).collect();
        Self(parts.join(sep))
    }

    /// Whether there is no text at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl<'de> Deserialize<'de> for Redacted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Redactor::new().redact(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_no_second_door() {
        let json = format!("{:?}", format!("use {}{} here", "gh", "p_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"));
        let read: Redacted = serde_json::from_str(&json).unwrap();
        assert_eq!(read.as_str(), "use [redacted:github-token] here");
        assert_eq!(serde_json::to_string(&read).unwrap(), r#""use [redacted:github-token] here""#);
    }

    #[test]
    fn pieces_of_redacted_text_are_redacted() {
        let text = Redacted::literal("größe");
        assert_eq!(text.slice(0..4), Some(Redacted::literal("grö")));
        assert_eq!(text.slice(0..3), None);
        assert_eq!(text.slice(5..99), None);
        assert_eq!(text.cut(3), Redacted::literal("gr"));
        assert_eq!(Redacted::join(&[text.clone(), text], ", ").to_string(), "größe, größe");
        assert!(Redacted::join(&[], ", ").is_empty());
    }
}
