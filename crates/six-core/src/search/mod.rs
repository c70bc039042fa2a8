//! Query, ranking, snippets.

mod hit;
mod query;

pub use hit::{Hit, Parts};
pub use query::{Filter, MAX_TERMS, Query, QueryTerm};
