//! Query, ranking, snippets.

mod hit;
mod parse;
mod query;
mod rank;
mod snippet;
mod vector;

pub use hit::{Hit, Parts};
pub(crate) use parse::guess_rarity;
pub use parse::{MAX_QUERY_BYTES, parse_query};
pub use query::{Filter, MAX_TERMS, Query, QueryTerm};
pub use rank::{min_max, weight_factor};
pub use snippet::{Snippet, snippet};
pub use vector::{EmbedTranscripts, Model, QueryVector, RECENT_DAYS};
