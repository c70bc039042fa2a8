//! Identifiers: random, lower case letters and digits, safe as a file name and in a git config everywhere.

use sha2::{Digest as _, Sha256};
use six_core::record::ProjectId;

/// Characters of a random record id: 82 bits, unique among the records of one project and short enough to type.
pub const RECORD_ID_CHARS: usize = 16;

const SYMBOLS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// The system gave no random bytes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no random numbers from the system: {0}")]
pub struct NoRandomness(String);

/// A new identity for a project.
pub fn random_project_id() -> Result<ProjectId, NoRandomness> {
    let text = random_text(ProjectId::LEN)?;
    ProjectId::parse(&text).map_err(|fault| NoRandomness(fault.to_string()))
}

/// A new id of [`RECORD_ID_CHARS`] characters for a record that is entered directly.
pub fn random_record_id() -> Result<String, NoRandomness> {
    random_text(RECORD_ID_CHARS)
}

/// The id of [`RECORD_ID_CHARS`] characters that `parts` always give; others give another one.
pub fn derived_record_id(parts: &[&str]) -> String {
    let digest = Sha256::digest(parts.join("\0").as_bytes());
    let symbol = |byte: &u8| SYMBOLS.get(usize::from(byte % 36)).map(|symbol| char::from(*symbol));
    digest.iter().filter_map(symbol).take(RECORD_ID_CHARS).collect()
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
        let ids: BTreeSet<ProjectId> = (0..100).map(|_| random_project_id().unwrap()).collect();
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
}
