//! Identifiers: random, lower case letters and digits, safe as a file name and in a git config everywhere.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Characters of a project id: 26 of 36 symbols are 134 bits, so two projects never meet by chance.
pub const PROJECT_ID_CHARS: usize = 26;
/// Characters of a random record id: 82 bits, unique among the records of one project and short enough to type.
pub const RECORD_ID_CHARS: usize = 16;

const SYMBOLS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// The identity of a project: `[a-z0-9]{26}`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ProjectId(String);

/// A text that is no project id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a project id is 26 lower case letters and digits, this is {0:?}")]
pub struct BadProjectId(
    /// The text as it was found, cut to 60 characters.
    pub String,
);

/// The system gave no random bytes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no random numbers from the system: {0}")]
pub struct NoRandomness(String);

impl ProjectId {
    /// Accepts exactly `[a-z0-9]{26}`; nothing is trimmed or folded.
    pub fn parse(text: &str) -> Result<ProjectId, BadProjectId> {
        if text.len() == PROJECT_ID_CHARS && text.bytes().all(|byte| SYMBOLS.contains(&byte)) {
            Ok(ProjectId(text.to_owned()))
        } else {
            Err(BadProjectId(text.chars().take(60).collect()))
        }
    }

    /// A new identity.
    pub fn random() -> Result<ProjectId, NoRandomness> {
        random_text(PROJECT_ID_CHARS).map(ProjectId)
    }

    /// The 26 characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for ProjectId {
    type Error = BadProjectId;

    fn try_from(text: String) -> Result<ProjectId, BadProjectId> {
        ProjectId::parse(&text)
    }
}

impl From<ProjectId> for String {
    fn from(id: ProjectId) -> String {
        id.0
    }
}

/// A new id of [`RECORD_ID_CHARS`] characters for a record that is entered directly.
pub fn random_record_id() -> Result<String, NoRandomness> {
    random_text(RECORD_ID_CHARS)
}

fn random_text(chars: usize) -> Result<String, NoRandomness> {
    let mut text = String::with_capacity(chars);
    let mut bytes = [0_u8; 64];
    while text.len() < chars {
        getrandom::fill(&mut bytes).map_err(|error| NoRandomness(error.to_string()))?;
        text.extend(bytes.iter().filter_map(|byte| symbol(*byte)).take(chars - text.len()));
    }
    Ok(text)
}

/// One symbol per byte; the bytes above the last multiple of 36 are dropped, so that every symbol is equally likely.
fn symbol(byte: u8) -> Option<char> {
    (byte < 252).then(|| SYMBOLS.get(usize::from(byte % 36)).map(|symbol| char::from(*symbol))).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn random_ids_are_valid_and_differ() {
        let ids: BTreeSet<ProjectId> = (0..100).map(|_| ProjectId::random().unwrap()).collect();
        assert_eq!(ids.len(), 100);
        assert!(ids.iter().all(|id| ProjectId::parse(id.as_str()).as_ref() == Ok(id)));
        assert_eq!(random_record_id().unwrap().len(), RECORD_ID_CHARS);
    }

    #[test]
    fn every_symbol_is_equally_likely() {
        let mut counts = std::collections::BTreeMap::new();
        for symbol in (0..=255).filter_map(symbol) {
            *counts.entry(symbol).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 36);
        assert!(counts.values().all(|count| *count == 7));
    }

    #[test]
    fn only_26_lower_case_letters_and_digits_are_an_id() {
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
        assert!(ProjectId::parse("0123456789abcdefghijklmnop").is_ok());
    }

    #[test]
    fn json_holds_plain_text_and_a_bad_id_does_not_come_in() {
        let id = ProjectId::parse("0123456789abcdefghijklmnop").unwrap();
        assert_eq!(serde_json::to_string(&id).unwrap(), "\"0123456789abcdefghijklmnop\"");
        assert!(serde_json::from_str::<ProjectId>("\"../x\"").is_err());
    }
}
