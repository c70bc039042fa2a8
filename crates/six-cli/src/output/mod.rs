//! What is printed, for people and for programs.

mod human;
mod json;
mod print;
mod progress;

pub(crate) use human::{age, bytes, fit};
pub(crate) use json::object;
pub(crate) use print::{complain, print};
pub(crate) use progress::Bar;
