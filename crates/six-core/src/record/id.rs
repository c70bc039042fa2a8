//! Identifiers as types of their own, so that a session can't be passed where a record is meant.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Wraps an identifier that comes from where such identifiers are made.
            pub fn new(value: impl Into<String>) -> Self {
                Self(value.into())
            }

            /// The identifier as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id! {
    /// One session of the host, as its payloads name it.
    SessionId
}
id! {
    /// The host's id of a prompt; a message typed during a turn carries the running turn's.
    PromptId
}
id! {
    /// One invocation of a hook or of the worker. Random, made by the runtime; rows of one event are stored once.
    EventId
}
id! {
    /// A decision, dead end, correction or cheatsheet. Random, made by the runtime; never built from a date or a title.
    RecordId
}
id! {
    /// A line of decisions and dead ends about one matter. Random: two names never merge by accident.
    ThreadId
}
id! {
    /// A subsystem of the project's inventory.
    SubsystemId
}
id! {
    /// Whatever a block can show, written `kind:id` (`decision:4k2…`): the key of damping and of receipts.
    ItemId
}

/// A project: `[a-z0-9]{26}`. Anything else means that the project is not installed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ProjectId(String);

/// Why a text is no project id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a project id (26 characters of a-z and 0-9)")]
pub struct IdFault(pub String);

impl ProjectId {
    /// Length of an id in characters; 26 of 36 letters are 134 bits.
    pub const LEN: usize = 26;

    /// Accepts exactly `[a-z0-9]{26}`.
    pub fn parse(text: &str) -> Result<Self, IdFault> {
        let good = text.len() == Self::LEN && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        if good { Ok(Self(text.to_owned())) } else { Err(IdFault(text.chars().take(64).collect())) }
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for ProjectId {
    type Error = IdFault;

    fn try_from(value: String) -> Result<Self, IdFault> {
        Self::parse(&value)
    }
}

impl From<ProjectId> for String {
    fn from(id: ProjectId) -> Self {
        id.0
    }
}

impl fmt::Display for ProjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_26_lower_case_letters_and_digits_are_a_project_id() {
        assert!(ProjectId::parse("0123456789abcdefghijklmnop").is_ok());
        for bad in [
            "",
            "undefined",
            "abcdefghijklmnopqrstuvwxy",
            "abcdefghijklmnopqrstuvwxyz0",
            "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
            "abcdefghijklmnopqrstuvwxy\n",
            "../../../../../etc/passwd.",
            "abcdefghijklmnopqrstuvwx\u{e9}",
        ] {
            assert!(ProjectId::parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_project_id_from_a_file_is_checked_too() {
        let id = ProjectId::parse("0123456789abcdefghijklmnop").unwrap();
        assert_eq!(serde_json::to_string(&id).unwrap(), "\"0123456789abcdefghijklmnop\"");
        assert!(serde_json::from_str::<ProjectId>("\"../../etc\"").is_err());
    }
}
