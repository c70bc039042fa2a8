//! Query, fusion, ranking, freshness, snippets: what a person or the search tool is answered.
//!
//! There are two ways into the store's index, with types of their own so that neither can be taken for the other:
//!
//! * **tool**, this module: a [`Query`] gives [`Found`]. Generous: any word may match, the nearest in meaning are found
//!   too, what a branch left behind is labelled. Its scores are relative to the best hit: they rank and never admit.
//! * **inject**, [`crate::inject`]: a `CandidateQuery` gives `Candidates`. Strict: only confirmed records and
//!   subsystems, nothing abandoned, on absolute evidence. There is no way from a [`Hit`] to a candidate.

mod alike;
mod found;
mod freshness;
mod fuse;
mod hit;
mod parse;
mod query;
mod rank;
mod snippet;
mod vector;

pub use alike::Gist;
pub use found::{Degraded, Found, NoVector};
pub use freshness::freshness;
pub use fuse::{Fused, Fusion, LegRows, MIN_COSINE, fuse, least_cosine};
pub use hit::{Hit, Parts};
pub(crate) use parse::guess_rarity;
pub use parse::{MAX_QUERY_BYTES, parse_query};
pub use query::{Filter, Leg, Legs, MAX_TERMS, Query, QueryTerm};
pub use rank::weight_factor;
pub use snippet::{Snippet, snippet};
pub use vector::{EmbedTranscripts, Model, QueryVector, RECENT_DAYS};
