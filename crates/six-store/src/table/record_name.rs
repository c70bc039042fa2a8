//! How the names of transcript records are stored.

use serde::{Deserialize, Serialize};

/// A uuid as its 16 bytes, any other name as its text: a third of the space for what every record has.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Name(Vec<u8>);

impl Name {
    pub(crate) fn of(text: &str) -> Self {
        if let Some(bytes) = uuid_bytes(text) {
            return Self(bytes);
        }
        let mut bytes = text.as_bytes().to_vec();
        if bytes.len() == 16 {
            bytes.push(0);
        }
        Self(bytes)
    }

    /// Of the bytes of a uuid.
    pub(crate) fn of_uuid(bytes: [u8; 16]) -> Self {
        Self(bytes.to_vec())
    }

    /// As a column holds it.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// What [`Self::bytes`] gave.
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The name as transcripts write it.
    pub(crate) fn text(&self) -> String {
        if self.0.len() != 16 {
            return String::from_utf8_lossy(self.0.strip_suffix(&[0]).unwrap_or(&self.0)).into_owned();
        }
        let mut out = String::with_capacity(36);
        for (i, byte) in self.0.iter().enumerate() {
            if [4, 6, 8, 10].contains(&i) {
                out.push('-');
            }
            for half in [byte >> 4, byte & 15] {
                out.push(char::from_digit(u32::from(half), 16).unwrap_or('0'));
            }
        }
        out
    }
}

/// Only the form that [`Name::text`] gives back: lower case, with its four dashes.
pub(crate) fn uuid_bytes(text: &str) -> Option<Vec<u8>> {
    if text.len() != 36 {
        return None;
    }
    let mut bytes = Vec::with_capacity(16);
    let mut high = None;
    for (i, c) in text.bytes().enumerate() {
        if [8, 13, 18, 23].contains(&i) {
            if c != b'-' {
                return None;
            }
            continue;
        }
        let digit = match c {
            b'0'..=b'9' => c - b'0',
            b'a'..=b'f' => c - b'a' + 10,
            _ => return None,
        };
        match high.take() {
            None => high = Some(digit),
            Some(h) => bytes.push(h << 4 | digit),
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuids_and_other_names_come_back_as_they_were() {
        let names = [
            "11111111-1111-4111-8111-11111111abcd",
            "11111111-1111-4111-8111-11111111ABCD",
            "u1",
            "",
            "sixteen letters.",
            "11111111x1111-4111-8111-11111111abcd",
        ];
        for name in names {
            assert_eq!(Name::of(name).text(), name);
        }
    }
}
