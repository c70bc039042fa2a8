//! Threads.

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;

use super::{ThreadId, UnixMs};
use crate::text::Redacted;

/// A line of decisions and dead ends about one matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thread {
    /// Random id.
    pub id: ThreadId,
    /// Its name, in any script.
    pub name: Redacted,
    /// One sentence; may be empty.
    pub summary: Redacted,
    /// Whether the matter is still open.
    pub open: bool,
    /// When it was opened.
    pub created: UnixMs,
    /// The thread that took its records; its id and its name lead there. That one was itself merged into none.
    #[serde(default)]
    pub merged_into: Option<ThreadId>,
}

impl Thread {
    /// Whether that is its name: the same letters, however they are composed and in whatever case. Another script or a
    /// look-alike is another name.
    pub fn is_named(&self, name: &str) -> bool {
        folded(self.name.as_str()).eq(folded(name.trim()))
    }

    /// Whether that is its name in the same case too: of two names that differ in nothing else it tells which is meant.
    pub fn is_spelled(&self, name: &str) -> bool {
        self.name.as_str().nfc().eq(name.trim().nfc())
    }
}

fn folded(name: &str) -> impl Iterator<Item = char> {
    name.nfc().flat_map(char::to_lowercase).nfc()
}

/// New values of a thread's fields; what is `None` stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ThreadEdit {
    /// Its name.
    pub name: Option<Redacted>,
    /// One sentence.
    pub summary: Option<Redacted>,
    /// Whether the matter is still open.
    pub open: Option<bool>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_same_however_its_accents_are_composed_and_in_any_case_and_no_other_one() {
        let thread = Thread {
            id: ThreadId::new("t1"),
            name: Redacted::literal("caf\u{e9} cache"),
            summary: Redacted::default(),
            open: true,
            created: UnixMs(0),
            merged_into: None,
        };
        assert!(thread.is_named("cafe\u{301} cache ") && thread.is_spelled("cafe\u{301} cache "));
        assert!(thread.is_named("CAFE\u{301} Cache") && !thread.is_spelled("CAFE\u{301} Cache"));
        // The last one has a Cyrillic letter in it.
        for other in ["cafe cache", "caf\u{e9} c\u{430}che"] {
            assert!(!thread.is_named(other), "{other}");
        }
    }
}
