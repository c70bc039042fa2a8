//! The only door to the store: what was not redacted cannot be stored, because nothing else makes a [`Redacted`].

mod bare;
mod command;
mod context;
mod header;
mod key;
#[cfg(test)]
mod known;
mod name;
mod pem;
mod placeholder;
mod prefilter;
mod private;
mod redacted;
mod redactor;
mod rules;
mod shapes;
#[cfg(test)]
mod tests;
mod value;

pub use redacted::Redacted;
pub use redactor::{REDACTION_VERSION, Redactor};
