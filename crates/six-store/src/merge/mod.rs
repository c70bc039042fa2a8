//! One store out of two: what another store of the same project holds is taken in.

mod curated;
mod run;
#[cfg(test)]
mod tests;
mod text;

pub use run::{Merged, Rename, Taken};
