//! The story of one decision, for a person and for programs.

mod json;
#[cfg(test)]
pub(crate) mod sample;
mod text;
mod words;

use std::collections::BTreeMap;

use six_core::record::ItemId;

pub(crate) use json::{replay_json, turn_json};
pub(crate) use text::{replay_text, turn_line, turn_text};
pub(crate) use words::{asked, fate_words, silence_words};

/// What items are called today; one that is gone has no entry.
pub(crate) type Titles = BTreeMap<ItemId, String>;
