//! What a model is called on the server.

use std::fmt;

use thiserror::Error;

/// No model of a public library has a name this long.
const LONGEST: usize = 200;

/// The name of a model, with its tag: `nomic-embed-text:latest`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelName(String);

/// A text that can't be the name of a model: it stands in commands that people are told to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "not the name of a model: 1 to {LONGEST} letters, digits and ._-:/ are expected, starting with a letter or digit"
)]
pub struct BadModelName;

impl ModelName {
    /// Reads `text`; a name without a tag gets `latest`, as the server does it.
    pub fn parse(text: &str) -> Result<Self, BadModelName> {
        let is_plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "._-:/".contains(c));
        let starts = text.starts_with(|c: char| c.is_ascii_alphanumeric());
        if !is_plain || !starts || text.len() > LONGEST {
            return Err(BadModelName);
        }
        let base = text.rsplit('/').next().unwrap_or(text);
        Ok(Self(if base.contains(':') { text.to_owned() } else { format!("{text}:latest") }))
    }

    /// The whole name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Without the names of the library and its owner, and without the tag.
    #[cfg(feature = "ollama")]
    pub(crate) fn base(&self) -> &str {
        let base = self.0.rsplit('/').next().unwrap_or_default();
        base.split(':').next().unwrap_or_default()
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_a_tag_is_the_latest() {
        let name = |text| ModelName::parse(text).map(|name| name.to_string());
        assert_eq!(name("all-minilm"), Ok("all-minilm:latest".to_owned()));
        assert_eq!(name("all-minilm:33m"), Ok("all-minilm:33m".to_owned()));
        assert_eq!(name("host.invalid:80/me/bge-m3"), Ok("host.invalid:80/me/bge-m3:latest".to_owned()));
    }

    #[test]
    fn a_name_that_is_no_word_of_a_command_is_refused() {
        for text in ["", "-x", ":latest", "a b", "a;b", "a\n", "$(a)", "ä", "`a`", &"a".repeat(LONGEST + 1)] {
            assert_eq!(ModelName::parse(text), Err(BadModelName), "{text:?}");
        }
    }
}
