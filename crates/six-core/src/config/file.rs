//! A configuration file: one JSON object whose members are keys.

use std::collections::BTreeMap;

use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::{Map, Value};
use thiserror::Error;

use super::key::{Key, Takes};
use super::settings::Config;

/// Why a file is not read, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct ConfigFault {
    /// Counted from 1.
    pub line: usize,
    /// What it is.
    pub problem: ConfigProblem,
}

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ConfigProblem {
    /// In the parser's words.
    #[error("not JSON: {0}")]
    Syntax(String),
    /// The bytes are no UTF-8.
    #[error("not JSON: bytes that are no text")]
    NotText,
    /// A list, a text or the like.
    #[error("the file has to hold one object")]
    NotAnObject,
    /// A name that is no key.
    #[error("\"{0}\" is no key")]
    UnknownKey(String),
    /// A key that is there already.
    #[error("\"{0}\" stands here for the second time")]
    Duplicate(&'static str),
    /// A value that the key does not take.
    #[error("\"{name}\" takes {takes}, not {found}")]
    BadValue {
        /// The key.
        name: &'static str,
        /// What it takes.
        takes: Takes,
        /// What is there, as JSON, cut short.
        found: String,
    },
}

/// Longest piece of a wrong value that is shown, in characters.
const SHOWN_CHARS: usize = 60;

/// What a file sets. All of it fits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConfigValues {
    values: BTreeMap<&'static str, Value>,
}

impl ConfigValues {
    /// Whether the file sets the key.
    pub fn sets(&self, key: &Key) -> bool {
        self.values.contains_key(key.name)
    }

    /// Puts what the file sets into a configuration, over what is there.
    pub fn apply(&self, config: &mut Config) {
        for (name, value) in &self.values {
            if let Some(key) = Key::find(name) {
                key.write(config, value);
            }
        }
    }
}

/// Reads a file. A blank one sets nothing. One fault makes the whole file unread: half a configuration is a third one
/// that nobody wrote.
pub fn parse_config(bytes: &[u8]) -> Result<ConfigValues, ConfigFault> {
    let (text, members) = parse_object(bytes)?;
    let mut values = ConfigValues::default();
    for (line, name) in places_of(text)? {
        let fault = |problem| ConfigFault { line, problem };
        let key = Key::find(&name).ok_or_else(|| fault(ConfigProblem::UnknownKey(name.clone())))?;
        let value = members.get(&name).cloned().unwrap_or_default();
        if values.sets(key) {
            return Err(fault(ConfigProblem::Duplicate(key.name)));
        }
        if !key.fits(&value) {
            let found = key.takes.show_unfit(&value.to_string()).chars().take(SHOWN_CHARS).collect();
            return Err(fault(ConfigProblem::BadValue { name: key.name, takes: key.takes, found }));
        }
        values.values.insert(key.name, value);
    }
    Ok(values)
}

/// What a change makes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigChange {
    /// The new text: a member a line, sorted.
    pub text: String,
    /// The file had a member of that name.
    pub was_set: bool,
}

/// Plans to set a key to a value that [`Key::parse`] gave. A file with a fault is refused, unless this puts it right.
pub fn plan_set(bytes: &[u8], key: &Key, value: Value) -> Result<ConfigChange, ConfigFault> {
    let (_, mut members) = parse_object(bytes)?;
    let was_set = members.insert(key.name.to_owned(), value).is_some();
    let text = render(&members);
    if parse_config(text.as_bytes()).is_err() {
        parse_config(bytes)?;
    }
    Ok(ConfigChange { text, was_set })
}

/// Plans to take a member out, be it a key or not: what is wrong in a file has to be easy to take out.
pub fn plan_unset(bytes: &[u8], name: &str) -> Result<ConfigChange, ConfigFault> {
    let (_, mut members) = parse_object(bytes)?;
    let was_set = members.remove(name).is_some();
    Ok(ConfigChange { text: render(&members), was_set })
}

fn render(members: &Map<String, Value>) -> String {
    let lines: Vec<String> =
        members.iter().map(|(name, value)| format!("  {}: {value}", Value::from(name.as_str()))).collect();
    if lines.is_empty() { String::from("{}\n") } else { format!("{{\n{}\n}}\n", lines.join(",\n")) }
}

/// The text without a byte order mark, and its object. A blank text is an empty one.
fn parse_object(bytes: &[u8]) -> Result<(&str, Map<String, Value>), ConfigFault> {
    let text = std::str::from_utf8(bytes).map_err(|fault| {
        let before = bytes.get(..fault.valid_up_to()).unwrap_or_default();
        let line = before.split(|byte| *byte == b'\n').count();
        ConfigFault { line, problem: ConfigProblem::NotText }
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Ok(("{}", Map::new()));
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(members)) => Ok((text, members)),
        Ok(_) => Err(ConfigFault { line: 1, problem: ConfigProblem::NotAnObject }),
        Err(fault) => {
            // The parser repeats its own count of lines and bytes at the end of its words.
            let words = fault.to_string();
            let words = words.split(" at line ").next().unwrap_or_default().to_owned();
            Err(ConfigFault { line: fault.line(), problem: ConfigProblem::Syntax(words) })
        }
    }
}

/// The members of the object with their lines, in the order of the file, also those that are there twice: a second
/// parser, since the first knows no places.
fn places_of(text: &str) -> Result<Vec<(usize, String)>, ConfigFault> {
    let line_of = |at: usize| text.get(..at).unwrap_or_default().matches('\n').count() + 1;
    let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default()).map_err(|error| {
        ConfigFault { line: line_of(error.range().start), problem: ConfigProblem::Syntax(error.kind().to_string()) }
    })?;
    let object = parsed.value.as_ref().and_then(|value| value.as_object());
    let members = object.map(|object| object.properties.as_slice()).unwrap_or_default();
    Ok(members.iter().map(|member| (line_of(member.start()), member.name.as_str().to_owned())).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::config::{EmbedProvider, KEYS};
    use crate::search::Fusion;

    fn fault(text: &str) -> String {
        parse_config(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn what_a_file_sets_wins_over_what_is_there() {
        let mut config = Config::default();
        let machine = "\u{feff}{\"search.fusion\": \"rrf\", \"store.quota_mib\": 7}\r\n";
        parse_config(machine.as_bytes()).unwrap().apply(&mut config);
        parse_config(br#"{"store.quota_mib": 9, "embed.provider": "ollama"}"#).unwrap().apply(&mut config);
        let rest = Config {
            embed: crate::config::EmbedConfig { provider: EmbedProvider::Ollama, ..Config::default().embed },
            ..Config::default()
        };
        assert_eq!((config.search.fusion, config.store.quota_mib), (Fusion::rrf(), 9));
        assert_eq!(config.embed, rest.embed);
    }

    #[test]
    fn a_blank_file_sets_nothing() {
        for text in ["", " \n", "{}", "\u{feff}"] {
            assert_eq!(parse_config(text.as_bytes()), Ok(ConfigValues::default()), "{text:?}");
        }
    }

    #[test]
    fn a_fault_names_its_line_and_what_would_be_right() {
        insta::assert_snapshot!(fault("{\n  \"search.fusion\": \"rrf\",\n}"), @"line 3: not JSON: trailing comma");
        insta::assert_snapshot!(fault("{\n\n  \"serach.fusion\": \"rrf\"\n}"), @r#"line 3: "serach.fusion" is no key"#);
        insta::assert_snapshot!(fault("{\n  \"search.fusion\": \"rank\"}"), @r#"line 2: "search.fusion" takes one of convex, rrf, not "rank""#);
        insta::assert_snapshot!(fault("{\"store.quota_mib\": 0}"), @r#"line 1: "store.quota_mib" takes a whole number from 1 to 1073741824, not 0"#);
        insta::assert_snapshot!(fault("{\"store\": {\"quota_mib\": 5}}"), @r#"line 1: "store" is no key"#);
        insta::assert_snapshot!(fault("{\"store.quota_mib\": 5,\n\"store.quota_mib\": 6}"), @r#"line 2: "store.quota_mib" stands here for the second time"#);
        insta::assert_snapshot!(fault("// mine\n{}"), @"line 1: not JSON: expected value");
        insta::assert_snapshot!(fault("[1]"), @"line 1: the file has to hold one object");
        insta::assert_snapshot!(parse_config(b"{\n\xff}").unwrap_err(), @"line 2: not JSON: bytes that are no text");
    }

    fn set(text: &str, name: &str, value: Value) -> Result<String, ConfigFault> {
        plan_set(text.as_bytes(), Key::find(name).unwrap(), value).map(|change| change.text)
    }

    #[test]
    fn a_file_is_written_a_key_a_line() {
        let one = set("", "store.quota_mib", 7.into()).unwrap();
        let two = set(&one, "ingest.ledgers", vec!["a.md", "b \"c\".md"].into()).unwrap();
        insta::assert_snapshot!(two, @r#"
        {
          "ingest.ledgers": ["a.md","b \"c\".md"],
          "store.quota_mib": 7
        }
        "#);
        let without = plan_unset(two.as_bytes(), "ingest.ledgers").unwrap();
        assert_eq!(without, ConfigChange { text: one.clone(), was_set: true });
        assert_eq!(plan_unset(one.as_bytes(), "search.fusion").unwrap(), ConfigChange { text: one, was_set: false });
    }

    #[test]
    fn a_change_may_put_a_fault_right_and_never_hides_one() {
        let bad = r#"{"store.quota_mib": "lots"}"#;
        assert_eq!(set(bad, "store.quota_mib", 7.into()).unwrap(), "{\n  \"store.quota_mib\": 7\n}\n");
        assert_eq!(set(bad, "search.fusion", "rrf".into()), Err(parse_config(bad.as_bytes()).unwrap_err()));
        assert_eq!(plan_unset(br#"{"serach": 1}"#, "serach").unwrap().text, "{}\n");
        plan_unset(b"{", "serach").unwrap_err();
    }

    fn value() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            (0_u32..200).prop_map(|n| Value::from(f64::from(n) / 8.0)),
            prop::sample::select(vec!["rrf", "ollama", "all", "http://127.0.0.1:1", "", "x"]).prop_map(Value::from),
            prop::collection::vec("[a-z*/.]{0,6}", 0..3).prop_map(Value::from),
        ]
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_odd(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse_config(&bytes);
        }

        #[test]
        fn no_text_is_too_odd(text in r#"[{}\[\]:,"\\ \n/*a-z0-9.é-]{0,80}"#) {
            if let Err(fault) = parse_config(text.as_bytes()) {
                prop_assert!((1..=text.matches('\n').count() + 1).contains(&fault.line));
            }
        }

        #[test]
        fn what_is_written_is_read_again(members in prop::collection::btree_map(0..KEYS.len(), value(), 0..6)) {
            let mut text = String::new();
            let mut expected = Config::default();
            for (at, value) in members.into_iter().filter(|(at, value)| KEYS[*at].fits(value)) {
                KEYS[at].write(&mut expected, &value);
                text = set(&text, KEYS[at].name, value).unwrap();
            }
            let mut config = Config::default();
            parse_config(text.as_bytes()).unwrap().apply(&mut config);
            prop_assert_eq!(config, expected);
        }
    }
}
