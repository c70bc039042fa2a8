//! A part of a whole.

use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

use crate::command::bench::rates::quotient;

/// So many of so many; in JSON with the quotient as `share`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Share {
    /// The part.
    pub(super) hit: usize,
    /// The whole.
    pub(super) of: usize,
}

impl Share {
    /// Counts one more, and whether it belongs to the part.
    pub(super) fn add(&mut self, is_hit: bool) {
        self.hit += usize::from(is_hit);
        self.of += 1;
    }

    /// How many of these are so.
    pub(super) fn count(all: impl IntoIterator<Item = bool>) -> Self {
        let mut share = Self::default();
        all.into_iter().for_each(|is_hit| share.add(is_hit));
        share
    }

    /// From 0 to 1; `None` of nothing.
    pub(super) fn value(self) -> Option<f64> {
        quotient(self.hit, self.of)
    }

    /// `97.4 %`, or `-` of nothing.
    pub(super) fn percent(self) -> String {
        percent(self.value())
    }
}

impl Serialize for Share {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Share", 3)?;
        fields.serialize_field("share", &self.value())?;
        fields.serialize_field("hit", &self.hit)?;
        fields.serialize_field("of", &self.of)?;
        fields.end()
    }
}

/// `97.4 %`, or `-` where there is nothing to tell.
pub(super) fn percent(value: Option<f64>) -> String {
    value.map_or_else(|| String::from("-"), |value| format!("{:.1} %", value * 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_nothing_is_not_told_as_a_number() {
        assert_eq!((Share::default().value(), Share::default().percent().as_str()), (None, "-"));
        let share = Share::count([true, false, true]);
        assert_eq!((share, share.percent().as_str()), (Share { hit: 2, of: 3 }, "66.7 %"));
        assert_eq!(serde_json::to_string(&Share { hit: 1, of: 2 }).unwrap(), r#"{"share":0.5,"hit":1,"of":2}"#);
    }
}
