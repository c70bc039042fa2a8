//! The only door to the store: what was not redacted cannot be stored, because nothing else makes a [`Redacted`].

mod context;
mod prefilter;
mod private;
mod redacted;
mod redactor;
mod rules;
mod shapes;
mod value;

pub use redacted::Redacted;
pub use redactor::Redactor;
