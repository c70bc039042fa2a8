//! The table of keys.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::gate::Gate;
use super::guard::OnDeadEnd;
use super::provider::EmbedProvider;
use super::settings::Config;
use crate::inject::{CEILING_UNITS, Emission};
use crate::search::{EmbedTranscripts, Fusion};

/// Largest quota: 1 PiB. What is larger is a slip of the finger.
const QUOTA_MIB_MAX: u64 = 1 << 30;

/// Smallest budget of blocks: with less not even one item with its frame fits.
const BUDGET_LEAST: u64 = 400;

/// More often than this no session is long enough to be shown anything.
const DELIVERIES_MOST: u64 = 1_000;
/// Longest time that loading a model may add to a session's start: the host ends the hook after twenty seconds.
const WARMUP_MS_MAX: u64 = 15_000;
/// Longest time that a server may add to a prompt: the host ends the hook after five seconds.
const DEADLINE_MS_MAX: u64 = 2_000;

/// What a key takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// One of some words.
    Word(&'static [&'static str]),
    /// Any text but a blank one.
    Text,
    /// [`Text`](Self::Text), or `null` for none.
    OptionalText,
    /// The address of a server. Without encryption, since it is meant for this machine.
    HttpAddress,
    /// `true` or `false`.
    Flag,
    /// A whole number from the first to the second.
    Number(u64, u64),
    /// A number, with a point or without, from the first to the second.
    Decimal(u32, u32),
    /// A list of patterns, which may be empty.
    Patterns,
}

impl Takes {
    /// Whether a value of a file will do.
    fn fits(self, value: &Value) -> bool {
        let is_said = |value: &Value| value.as_str().is_some_and(|text| !text.trim().is_empty());
        match self {
            Self::Word(words) => value.as_str().is_some_and(|word| words.contains(&word)),
            Self::Text => is_said(value),
            Self::OptionalText => value.is_null() || is_said(value),
            Self::HttpAddress => value
                .as_str()
                .and_then(|text| text.strip_prefix("http://"))
                .is_some_and(|host| !host.is_empty() && !host.contains(char::is_whitespace) && !names_user(host)),
            Self::Flag => value.is_boolean(),
            Self::Number(least, most) => value.as_u64().is_some_and(|n| (least..=most).contains(&n)),
            Self::Decimal(least, most) => {
                value.as_f64().is_some_and(|n| (f64::from(least)..=f64::from(most)).contains(&n))
            }
            Self::Patterns => value.as_array().is_some_and(|patterns| patterns.iter().all(is_said)),
        }
    }

    /// A value that does not fit, for a message: a password is not repeated.
    pub fn show_unfit(self, value: &str) -> String {
        match self {
            Self::HttpAddress if names_user(value) => String::from("one that has (which is not shown)"),
            _ => value.to_owned(),
        }
    }

    /// The value that somebody meant who typed `text` on a command line: lists and `null` are typed as JSON, a list of
    /// one also bare.
    fn read_typed(self, text: &str) -> Value {
        let word = || json!(text);
        match self {
            Self::OptionalText if text == "null" => Value::Null,
            Self::Word(_) | Self::Text | Self::OptionalText | Self::HttpAddress => word(),
            Self::Flag | Self::Number(..) | Self::Decimal(..) => serde_json::from_str(text).unwrap_or_else(|_| word()),
            Self::Patterns => match serde_json::from_str(text) {
                Ok(Value::Array(patterns)) => Value::Array(patterns),
                _ => json!([text]),
            },
        }
    }
}

/// Whether an address has a user, and maybe a password, before its host.
fn names_user(address: &str) -> bool {
    address.contains('@')
}

impl fmt::Display for Takes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(words) => write!(f, "one of {}", words.join(", ")),
            Self::Text => f.write_str("a text"),
            Self::OptionalText => f.write_str("a text, or null for none"),
            Self::HttpAddress => f.write_str("an address that begins with http:// and has no user or password in it"),
            Self::Flag => f.write_str("true or false"),
            Self::Number(least, most) => write!(f, "a whole number from {least} to {most}"),
            Self::Decimal(least, most) => write!(f, "a number from {least} to {most}, such as 0.5"),
            Self::Patterns => f.write_str("a list of patterns, such as [\"docs/ledger/*.md\"]"),
        }
    }
}

/// One key. Its default is what [`read`](Self::read) finds in `Config::default()`, so it stands in one place.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// As it is written in files and on the command line.
    pub name: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// What it does, in a clause.
    pub what: &'static str,
    read: fn(&Config) -> Value,
    write: fn(&mut Config, &Value),
}

impl Key {
    /// The key of that name.
    pub fn find(name: &str) -> Option<&'static Self> {
        KEYS.iter().find(|key| key.name == name)
    }

    /// Its value in a configuration, as it stands in a file.
    pub fn read(&self, config: &Config) -> Value {
        (self.read)(config)
    }

    /// Its value where nobody set it.
    pub fn default(&self) -> Value {
        self.read(&Config::default())
    }

    /// The value that was typed on a command line; `None` if the key does not take it.
    pub fn parse(&self, typed: &str) -> Option<Value> {
        Some(self.takes.read_typed(typed)).filter(|value| self.takes.fits(value))
    }

    /// Whether it takes a value of a file.
    pub(super) fn fits(&self, value: &Value) -> bool {
        self.takes.fits(value)
    }

    /// Puts a value that [fits](Self::fits) into a configuration.
    pub(super) fn write(&self, config: &mut Config, value: &Value) {
        (self.write)(config, value);
    }
}

/// A value that fits has the type of its place, which a test holds for every key.
fn put<T: DeserializeOwned>(place: &mut T, value: &Value) {
    if let Ok(value) = T::deserialize(value) {
        *place = value;
    }
}

/// All keys, by name.
pub static KEYS: &[Key] = &[
    Key {
        name: "capture.model",
        takes: Takes::Text,
        what: "the model of the Ollama server that words candidates and tells stories",
        read: |config| json!(config.capture.model),
        write: |config, value| put(&mut config.capture.model, value),
    },
    Key {
        name: "capture.synthesis",
        takes: Takes::Flag,
        what: "let a model of the Ollama server word candidates and tell stories, in the background; it decides nothing",
        read: |config| json!(config.capture.synthesis),
        write: |config, value| put(&mut config.capture.synthesis, value),
    },
    Key {
        name: "derived.code_graph",
        takes: Takes::OptionalText,
        what: "the file or folder of a code graph, whose age health watches; null = there is none",
        read: |config| json!(config.derived.code_graph),
        write: |config, value| put(&mut config.derived.code_graph, value),
    },
    Key {
        name: "derived.project_state",
        takes: Takes::OptionalText,
        what: "the file or folder that a script writes the project's state to, whose age health watches; null = none",
        read: |config| json!(config.derived.project_state),
        write: |config, value| put(&mut config.derived.project_state, value),
    },
    Key {
        name: "embed.deadline_ms",
        takes: Takes::Number(0, DEADLINE_MS_MAX),
        what: "how many milliseconds longer a prompt may take for the Ollama server; 0 never asks it there",
        read: |config| json!(config.embed.deadline_ms),
        write: |config, value| put(&mut config.embed.deadline_ms, value),
    },
    Key {
        name: "embed.ollama.allow_remote",
        takes: Takes::Flag,
        what: "let the Ollama server be another machine, which then reads every text that it gets a vector or words for",
        read: |config| json!(config.embed.ollama.allow_remote),
        write: |config, value| put(&mut config.embed.ollama.allow_remote, value),
    },
    Key {
        name: "embed.ollama.endpoint",
        takes: Takes::HttpAddress,
        what: "where the Ollama server listens",
        read: |config| json!(config.embed.ollama.endpoint),
        write: |config, value| put(&mut config.embed.ollama.endpoint, value),
    },
    Key {
        name: "embed.ollama.fallback",
        takes: Takes::OptionalText,
        what: "the model of the Ollama server for when the first can't be used",
        read: |config| json!(config.embed.ollama.fallback),
        write: |config, value| put(&mut config.embed.ollama.fallback, value),
    },
    Key {
        name: "embed.ollama.model",
        takes: Takes::Text,
        what: "the model of the Ollama server",
        read: |config| json!(config.embed.ollama.model),
        write: |config, value| put(&mut config.embed.ollama.model, value),
    },
    Key {
        name: "embed.provider",
        takes: Takes::Word(EmbedProvider::WORDS),
        what: "what makes vectors: the model inside six, or an Ollama server",
        read: |config| json!(config.embed.provider),
        write: |config, value| put(&mut config.embed.provider, value),
    },
    Key {
        name: "embed.transcripts",
        takes: Takes::Word(EmbedTranscripts::WORDS),
        what: "which messages of sessions get vectors; all are found by their words",
        read: |config| json!(config.embed.transcripts),
        write: |config, value| put(&mut config.embed.transcripts, value),
    },
    Key {
        name: "guard.dead_ends",
        takes: Takes::Word(OnDeadEnd::WORDS),
        what: "what happens before a tool does what a dead end warns of: a note, or one refusal with the reason",
        read: |config| json!(config.guard.dead_ends),
        write: |config, value| put(&mut config.guard.dead_ends, value),
    },
    Key {
        name: "health.deprecated_terms",
        takes: Takes::Patterns,
        what: "words and phrases that the project has given up, which its CLAUDE.md must not use",
        read: |config| json!(config.health.deprecated_terms),
        write: |config, value| put(&mut config.health.deprecated_terms, value),
    },
    Key {
        name: "health.gate",
        takes: Takes::Word(Gate::WORDS),
        what: "whether the health checks run: off says so in their line",
        read: |config| json!(config.health.gate),
        write: |config, value| put(&mut config.health.gate, value),
    },
    Key {
        name: "health.warmup_ms",
        takes: Takes::Number(0, WARMUP_MS_MAX),
        what: "how many milliseconds a session's start may wait for an Ollama server to load its model",
        read: |config| json!(config.health.warmup_ms),
        write: |config, value| put(&mut config.health.warmup_ms, value),
    },
    Key {
        name: "ingest.ledgers",
        takes: Takes::Patterns,
        what: "which documents are append-only ledgers, as patterns of a .gitignore",
        read: |config| json!(config.ingest.ledgers),
        write: |config, value| put(&mut config.ingest.ledgers, value),
    },
    Key {
        name: "inject.budget",
        takes: Takes::Number(BUDGET_LEAST, CEILING_UNITS as u64),
        what: "characters (UTF-16 units) that all blocks of one prompt may take",
        read: |config| json!(config.inject.limits.budget_units),
        write: |config, value| put(&mut config.inject.limits.budget_units, value),
    },
    Key {
        name: "inject.emission",
        takes: Takes::Word(Emission::WORDS),
        what: "what happens with a block: print it, only decide and record it, or decide nothing",
        read: |config| json!(config.inject.emission),
        write: |config, value| put(&mut config.inject.emission, value),
    },
    Key {
        name: "inject.max_deliveries",
        takes: Takes::Number(1, DELIVERIES_MOST),
        what: "times that one subsystem, decision or dead end is shown in one session",
        read: |config| json!(config.inject.limits.max_deliveries),
        write: |config, value| put(&mut config.inject.limits.max_deliveries, value),
    },
    Key {
        name: "inject.max_items",
        takes: Takes::Number(1, 9),
        what: "items in one block",
        read: |config| json!(config.inject.limits.max_items),
        write: |config, value| put(&mut config.inject.limits.max_items, value),
    },
    Key {
        name: "inject.max_rule_deliveries",
        takes: Takes::Number(1, DELIVERIES_MOST),
        what: "times that one correction or cheatsheet is shown in one session",
        read: |config| json!(config.inject.limits.max_rule_deliveries),
        write: |config, value| put(&mut config.inject.limits.max_rule_deliveries, value),
    },
    Key {
        name: "inject.max_stale_deliveries",
        takes: Takes::Number(1, DELIVERIES_MOST),
        what: "times that one item is told to be stale in one session",
        read: |config| json!(config.inject.limits.max_stale_deliveries),
        write: |config, value| put(&mut config.inject.limits.max_stale_deliveries, value),
    },
    Key {
        name: "inject.max_thread_deliveries",
        takes: Takes::Number(1, DELIVERIES_MOST),
        what: "times that one thread is told in one session",
        read: |config| json!(config.inject.limits.max_thread_deliveries),
        write: |config, value| put(&mut config.inject.limits.max_thread_deliveries, value),
    },
    Key {
        name: "inject.min_cosine",
        takes: Takes::Decimal(0, 1),
        what: "likeness in meaning from which an item passes alone; 0.08 more for every tenfold of items; 1 = never",
        read: |config| json!(config.inject.limits.min_cosine),
        write: |config, value| put(&mut config.inject.limits.min_cosine, value),
    },
    Key {
        name: "inject.min_matches",
        takes: Takes::Number(1, 32),
        what: "words of a prompt that have to stand in an item",
        read: |config| json!(config.inject.limits.min_matches),
        write: |config, value| put(&mut config.inject.limits.min_matches, value),
    },
    Key {
        name: "inject.min_rare",
        takes: Takes::Number(0, 32),
        what: "rare ones among them",
        read: |config| json!(config.inject.limits.min_rare),
        write: |config, value| put(&mut config.inject.limits.min_rare, value),
    },
    Key {
        name: "inject.min_weight",
        takes: Takes::Decimal(0, 100),
        what: "what they have to weigh together (idf; half for those outside the title), in weights of a word found nowhere",
        read: |config| json!(config.inject.limits.min_weight),
        write: |config, value| put(&mut config.inject.limits.min_weight, value),
    },
    Key {
        name: "inject.rare_idf",
        takes: Takes::Decimal(0, 20),
        what: "idf from which a word is rare: 3 = in one chunk of twenty, 4.6 = in one of a hundred",
        read: |config| json!(config.inject.limits.rare_idf),
        write: |config, value| put(&mut config.inject.limits.rare_idf, value),
    },
    Key {
        name: "inject.subagents",
        takes: Takes::Flag,
        what: "look at prompts inside sub-agents as well",
        read: |config| json!(config.inject.subagents),
        write: |config, value| put(&mut config.inject.subagents, value),
    },
    Key {
        name: "inject.word_cosine",
        takes: Takes::Decimal(0, 1),
        what: "likeness in meaning that words need beside them, where it is known; grows likewise",
        read: |config| json!(config.inject.limits.word_cosine),
        write: |config, value| put(&mut config.inject.limits.word_cosine, value),
    },
    Key {
        name: "search.fusion",
        takes: Takes::Word(Fusion::WORDS),
        what: "how what words find and what vectors find become one ranking",
        read: |config| json!(config.search.fusion.as_str()),
        write: |config, value| {
            if let Some(fusion) = value.as_str().and_then(Fusion::parse) {
                config.search.fusion = fusion;
            }
        },
    },
    Key {
        name: "store.quota_mib",
        takes: Takes::Number(1, QUOTA_MIB_MAX),
        what: "size of the store from which on no more transcripts and commits are taken in",
        read: |config| json!(config.store.quota_mib),
        write: |config, value| put(&mut config.store.quota_mib, value),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_listed_once_and_takes_its_own_default() {
        assert!(KEYS.windows(2).all(|pair| pair[0].name < pair[1].name), "sorted, none twice");
        for key in KEYS {
            assert!(key.fits(&key.default()), "{}", key.name);
            assert!(std::ptr::eq(Key::find(key.name).unwrap(), key));
        }
    }

    #[test]
    fn every_value_that_a_key_takes_comes_back_from_the_configuration() {
        for key in KEYS {
            let values = match key.takes {
                Takes::Word(words) => words.iter().map(|word| json!(word)).collect(),
                Takes::Text => vec![json!("mxbai-embed-large")],
                Takes::OptionalText => vec![json!("mxbai-embed-large"), Value::Null],
                Takes::HttpAddress => vec![json!("http://ollama.example.invalid:80")],
                Takes::Flag => vec![json!(true), json!(false)],
                Takes::Number(least, most) => vec![json!(least), json!(most)],
                Takes::Decimal(least, most) => vec![json!(f64::from(least)), json!(0.25), json!(f64::from(most))],
                Takes::Patterns => vec![json!([]), json!(["a/*.md", "b.md"])],
            };
            for value in values {
                let mut config = Config::default();
                assert!(key.fits(&value), "{} {value}", key.name);
                key.write(&mut config, &value);
                assert_eq!(key.read(&config), value, "{}", key.name);
            }
        }
    }

    #[test]
    fn what_is_typed_is_read_as_the_key_needs_it() {
        let parse = |name: &str, typed: &str| Key::find(name).unwrap().parse(typed);
        assert_eq!(parse("store.quota_mib", "512"), Some(json!(512)));
        assert_eq!(parse("embed.ollama.model", "42"), Some(json!("42")));
        assert_eq!(parse("embed.ollama.fallback", "null"), Some(Value::Null));
        assert_eq!(parse("inject.rare_idf", "4"), Some(json!(4)));
        assert_eq!(parse("inject.min_cosine", "0.7"), Some(json!(0.7)));
        assert_eq!(parse("inject.emission", "shadow"), Some(json!("shadow")));
        assert_eq!(parse("ingest.ledgers", "notes/*.md"), Some(json!(["notes/*.md"])));
        assert_eq!(parse("ingest.ledgers", r#"["a.md", "b.md"]"#), Some(json!(["a.md", "b.md"])));
        assert_eq!(parse("ingest.ledgers", "[]"), Some(json!([])));
        for (name, typed) in [
            ("store.quota_mib", "0"),
            ("store.quota_mib", "-1"),
            ("store.quota_mib", "1.5"),
            ("store.quota_mib", "lots"),
            ("embed.ollama.allow_remote", "yes"),
            ("embed.ollama.endpoint", "https://ollama.example.invalid"),
            ("embed.ollama.endpoint", "http://bob:xylophone@127.0.0.1:1"),
            ("embed.ollama.model", " "),
            ("ingest.ledgers", "[1]"),
            ("ingest.ledgers", ""),
            ("search.fusion", "RRF"),
            ("inject.min_cosine", "1.01"),
            ("inject.min_weight", "-0.1"),
            ("inject.rare_idf", "NaN"),
            ("inject.budget", "9000"),
            ("inject.emission", "quiet"),
        ] {
            assert_eq!(parse(name, typed), None, "{name} {typed}");
        }
    }
}
