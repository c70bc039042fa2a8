//! What is printed, for people and for programs.

mod human;
mod json;
mod progress;

pub use human::{age, bytes, fit};
pub use json::object;
pub use progress::Bar;
