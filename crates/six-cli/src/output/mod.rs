//! What is printed, for people and for programs.

mod human;
mod json;
mod progress;

pub(crate) use human::{age, bytes, fit};
pub(crate) use json::object;
pub(crate) use progress::Bar;
