//! Reading JSON that a foreign program wrote: what is wrong in one place must not lose the rest.

use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;

/// For `#[serde(deserialize_with)]`: a field of the wrong type, or `null`, is `None` and not an error.
pub(super) fn lenient<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let value = Value::deserialize(deserializer)?;
    Ok(if value.is_null() { None } else { serde_json::from_value(value).ok() })
}

/// Where a text stopped being one JSON value.
pub(super) struct Broken {
    /// 1-based.
    pub line: usize,
    /// 1-based, in bytes.
    pub column: usize,
    /// The text ended inside the value.
    pub truncated: bool,
}

impl From<serde_json::Error> for Broken {
    fn from(error: serde_json::Error) -> Self {
        Self { line: error.line(), column: error.column().max(1), truncated: error.is_eof() }
    }
}

/// The first JSON value of `text` and the byte at which it ends.
pub(super) fn first_value<T: DeserializeOwned>(text: &str) -> Result<(T, usize), serde_json::Error> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<T>();
    match values.next() {
        Some(value) => value.map(|value| (value, values.byte_offset())),
        None => serde_json::from_str::<T>("").map(|value| (value, 0)),
    }
}

/// The members of the first JSON object of `text` whose values are not objects or lists; those become `null`.
///
/// It has no depth limit and never looks into what it drops, so it reads an object of which some member is nested too
/// deeply, or holds a number out of range.
pub(super) fn flat_object(text: &str) -> Result<Map<String, Value>, serde_json::Error> {
    let members = first_value::<Flat>(text)?.0.0;
    Ok(members.into_iter().map(|(name, Scalar(value))| (name, value)).collect())
}

/// Replaces each `\uD8xx` or `\uDCxx` escape that has no partner by `\ufffd`.
///
/// The host counts and cuts in UTF-16 units and writes the half of a character that is left as such an escape. That is
/// valid JSON to it, and an error to a parser whose strings are UTF-8.
pub(super) fn mend_surrogates(text: &str) -> Cow<'_, str> {
    // Other escapes are common, a megabyte of line ends for one.
    if !text.contains("\\ud") && !text.contains("\\uD") {
        return Cow::Borrowed(text);
    }
    let mut mended = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
        let escape = at + found;
        match (unit_at(text, escape), unit_at(text, escape + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => at = escape + 12,
            (Some(0xD800..=0xDFFF), _) => {
                mended.push_str(text.get(copied..escape).unwrap_or_default());
                mended.push_str("\\ufffd");
                at = escape + 6;
                copied = at;
            }
            (Some(_), _) => at = escape + 6,
            (None, _) => at = escape + 2,
        }
        // A backslash before a multi-byte character is invalid JSON; step to the next boundary to stay on characters.
        while !text.is_char_boundary(at) && at < text.len() {
            at += 1;
        }
    }
    if mended.is_empty() {
        return Cow::Borrowed(text);
    }
    mended.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(mended)
}

/// The UTF-16 unit of a `\uXXXX` escape that begins at byte `at`.
fn unit_at(text: &str, at: usize) -> Option<u16> {
    let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
    u16::from_str_radix(digits, 16).ok()
}

struct Flat(Vec<(String, Scalar)>);

impl<'de> Deserialize<'de> for Flat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Flat;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Flat, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Flat(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

struct Scalar(Value);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Scalar;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("any value")
            }
            fn visit_unit<E>(self) -> Result<Scalar, E> {
                Ok(Scalar(Value::Null))
            }
            fn visit_bool<E>(self, value: bool) -> Result<Scalar, E> {
                Ok(Scalar(value.into()))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Scalar, E> {
                Ok(Scalar(value.into()))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Scalar, E> {
                Ok(Scalar(value.into()))
            }
            fn visit_f64<E>(self, value: f64) -> Result<Scalar, E> {
                Ok(Scalar(value.into()))
            }
            fn visit_str<E>(self, value: &str) -> Result<Scalar, E> {
                Ok(Scalar(value.into()))
            }
            fn visit_string<E>(self, value: String) -> Result<Scalar, E> {
                Ok(Scalar(value.into()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Scalar, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Scalar(Value::Null))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scalar, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Scalar(Value::Null))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn halves_of_characters_are_replaced_and_whole_ones_kept() {
        let cut = r#"{"a":"\ud83d","b":"\ud83d\ude00","c":"\\ud83d","d":"\ude00x","e":"\n\u00e9"}"#;
        let mended = mend_surrogates(cut);
        let value: Value = serde_json::from_str(&mended).unwrap();
        assert_eq!(value["a"], "\u{fffd}");
        assert_eq!(value["b"], "\u{1f600}");
        assert_eq!(value["c"], "\\ud83d");
        assert_eq!(value["d"], "\u{fffd}x");
        assert_eq!(value["e"], "\n\u{e9}");
    }

    #[test]
    fn a_text_without_halves_is_not_copied() {
        assert!(matches!(mend_surrogates(r#"{"a":"\u00e9 \\ud83d"}"#), Cow::Borrowed(_)));
    }

    #[test]
    fn a_flat_read_survives_any_depth() {
        let deep = format!(r#"{{"name":"x","n":1,"deep":{}1{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
        let object = flat_object(&deep).ok().unwrap();
        assert_eq!(object["name"], "x");
        assert_eq!(object["n"], 1);
        assert_eq!(object["deep"], Value::Null);
    }

    proptest! {
        #[test]
        fn mending_never_panics_and_is_idempotent(text in r#"(\\u[dD][89abAB][0-9a-f]{2}|\\u[dD][c-fC-F][0-9a-f]{2}|\\|é|x|\\u|"){0,12}"#) {
            let once = mend_surrogates(&text).into_owned();
            prop_assert_eq!(mend_surrogates(&once).into_owned(), once.clone());
        }
    }
}
