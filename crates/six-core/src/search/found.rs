//! What a search answers.

use std::fmt;

use serde::Serialize;

use super::{Hit, Leg};
use crate::record::Why;

/// The hits of a search, best first, and what they are short of.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Found {
    /// Best first.
    pub hits: Vec<Hit>,
    /// Why there may be more to find than this search could; empty when both legs saw everything.
    pub degraded: Vec<Degraded>,
}

/// Why a search saw less than there is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Degraded {
    /// The query has no vector: only words were compared.
    NoQueryVector {
        /// Why.
        why: NoVector,
    },
    /// Not every text that should have a vector has one.
    Coverage {
        /// Distinct texts with a vector of the query's model.
        embedded: u64,
        /// Distinct texts that should have one.
        eligible: u64,
    },
    /// Texts have a vector of another model than the query's and wait for a new one.
    OtherModel {
        /// The query's.
        model: String,
        /// Distinct texts with a vector of another.
        texts: u64,
    },
    /// A leg could not answer: the hits are those of the other.
    LegFailed {
        /// Which one.
        leg: Leg,
        /// Why.
        why: Why,
    },
}

/// Why a query has no vector.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoVector {
    /// Nobody made one.
    NotEmbedded,
    /// What makes vectors failed, and said this.
    Failed(String),
}

impl fmt::Display for NoVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotEmbedded => f.write_str("the query was not embedded"),
            Self::Failed(why) => f.write_str(why),
        }
    }
}

impl fmt::Display for Degraded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoQueryVector { why } => write!(f, "found by words alone: {why}"),
            Self::Coverage { embedded, eligible } => {
                write!(f, "{embedded} of {eligible} texts can be found by meaning so far")
            }
            Self::OtherModel { model, texts } => {
                write!(f, "{texts} texts wait to be embedded by {model}; until then only words find them")
            }
            Self::LegFailed { leg: Leg::Lexical, why } => {
                write!(f, "found by meaning alone: the index of words could not be asked ({})", why.as_str())
            }
            Self::LegFailed { leg: Leg::Vector, why } => {
                write!(f, "found by words alone: the vectors could not be asked ({})", why.as_str())
            }
        }
    }
}
