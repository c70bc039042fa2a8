//! What is printed, for people and for programs.

mod human;
mod json;
mod print;
mod progress;
mod screen;

pub(crate) use human::{ago, bytes, count, fit, quoted};
pub(crate) use json::object;
pub(crate) use print::{complain, print};
pub(crate) use progress::Bar;
pub(crate) use screen::Screen;
