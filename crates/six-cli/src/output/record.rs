//! A record, its place in a list and its history, for a person and for programs.

mod json;
mod step;
mod text;

pub(crate) use json::{record_json, step_json};
pub(crate) use step::{Known, step_line};
pub(crate) use text::{record_head, record_line, record_text};
