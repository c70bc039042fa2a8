//! What a text means, as a vector: the model inside the binary, and how vectors are kept and compared.
//!
//! [`Embedded`] is all-MiniLM-L6-v2 in eight bits on an engine of our own. The weights are part of the binary and are
//! used where they lie, so that nothing happens between the start of the process and the first vector but that vector.
//!
//! | module | knows |
//! |---|---|
//! | `weights` | the file that is compiled in |
//! | `model` | what that file holds, checked section by section |
//! | `vocabulary`, `tokenizer` | text to word pieces |
//! | `forward` | word pieces to a vector: one pass through the layers |
//! | `kernel` | the arithmetic of a pass for each kind of processor; the only unsafe code |
//! | `embedder`, `bulk` | one text, and many on all cores |
//! | `known` | the vector of one text, to check the kernels by |
//! | `vector` | how a vector is kept and compared |
//! | `ollama` | the other embedder: a model on a server of this machine (feature `ollama`) |
//! | `circuit`, `guarded` | one failure per process, one width per index |
//!
//! Every path through `kernel` gives the same bits: a store may move between machines.

mod bulk;
mod circuit;
mod embedder;
mod forward;
mod guarded;
#[expect(clippy::inline_always, reason = "plain code is compiled once for each kind of processor, inside its caller")]
#[expect(clippy::cast_precision_loss, reason = "lengths and sums of bytes fit a float, or are rounded as meant")]
#[expect(clippy::needless_range_loop, reason = "loops over lanes read as the vector code that they become")]
mod kernel;
mod known;
mod model;
pub mod ollama;
mod tokenizer;
mod vector;
mod vocabulary;
mod weights;

pub use bulk::{Delivered, embed_each};
pub use circuit::Circuit;
pub use embedder::{EmbedError, Embedded, Embedder, QUERY_PIECES};
pub use guarded::Guarded;
pub use kernel::Path;
pub use known::{KNOWN_TEXT, is_known};
pub use model::{ModelError, PIECES, WIDTH};
pub use vector::{OtherWidth, Vector};
