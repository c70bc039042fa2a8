//! Who changed a record.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Origin;

/// What the name of a model begins with.
const MODEL: &str = "model:";

/// Who changed a record, by the name that the history keeps. Only the first two ever put one in force or refuse one of
/// their own accord; a rule refuses what says the same as what was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Author {
    /// A person.
    Operator,
    /// An agent, or the memory files that it writes.
    Agent,
    /// Extraction, which found it in what was said.
    Extraction,
    /// Arithmetic: what says the same, what nobody said again, what was taken back.
    Rule,
    /// A local model of that name, which worded it.
    Model(String),
    /// Who is unknown to this version.
    Other(String),
}

impl Author {
    /// The name in the history and in JSON.
    pub fn name(&self) -> String {
        match self {
            Self::Operator => Origin::Operator.as_str().to_owned(),
            Self::Agent => Origin::Agent.as_str().to_owned(),
            Self::Extraction => String::from("extraction"),
            Self::Rule => String::from("rule"),
            Self::Model(name) => format!("{MODEL}{name}"),
            Self::Other(name) => name.clone(),
        }
    }
}

impl From<&str> for Author {
    fn from(name: &str) -> Self {
        let plain = [Self::Operator, Self::Agent, Self::Extraction, Self::Rule];
        let model = || name.strip_prefix(MODEL).map(|model| Self::Model(model.to_owned()));
        plain
            .into_iter()
            .find(|author| author.name() == name)
            .or_else(model)
            .unwrap_or_else(|| Self::Other(name.to_owned()))
    }
}

impl From<String> for Author {
    fn from(name: String) -> Self {
        Self::from(name.as_str())
    }
}

impl From<Origin> for Author {
    fn from(origin: Origin) -> Self {
        Self::from(origin.as_str())
    }
}

impl From<Author> for String {
    fn from(author: Author) -> Self {
        author.name()
    }
}

impl fmt::Display for Author {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_history_reads_whom_it_wrote_and_keeps_a_name_that_it_does_not_know() {
        for name in ["operator", "agent", "extraction", "rule", "model:made-up:7b", "model:", "somebody", ""] {
            assert_eq!(Author::from(name).name(), name);
        }
        assert_eq!(Author::from("model:made-up:7b"), Author::Model("made-up:7b".to_owned()));
        assert_eq!((Author::from(Origin::Agent), Author::from(Origin::Operator)), (Author::Agent, Author::Operator));
        assert_eq!(serde_json::to_string(&Author::Rule).unwrap(), r#""rule""#);
    }
}
