//! What is printed, for people and for programs.

mod human;
mod json;
mod print;
mod progress;
mod record;
mod screen;
mod turn;

pub(crate) use human::{ago, bytes, count, fit, quoted};
pub(crate) use json::object;
pub(crate) use print::{complain, print};
pub(crate) use progress::Bar;
pub(crate) use record::{Known, record_head, record_json, record_line, record_text, step_json, step_line};
pub(crate) use screen::Screen;
#[cfg(test)]
pub(crate) use turn::sample;
pub(crate) use turn::{
    Titles, asked, fate_words, replay_json, replay_text, silence_words, turn_json, turn_line, turn_text,
};
