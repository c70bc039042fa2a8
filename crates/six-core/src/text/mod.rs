//! Text as six sees it: tokens, sentences, cuts, identifiers, language data, and the only door to the store.

pub mod cut;
pub mod fold;
mod hex;
mod identifier;
pub mod redact;
mod script;
pub mod sentence;
mod stem;
pub mod stopword;
mod stopword_table;
pub mod token;
mod writing;

pub use cut::{cut_bytes, cut_utf16, first_line, one_line, printable, printable_line, strip_control, utf16_len};
pub use fold::fold;
pub(crate) use hex::PartsHash;
pub use hex::{hex, sha256_hex};
pub use redact::{REDACTION_VERSION, Redacted, Redactor};
pub use sentence::sentences;
pub use stopword::is_stop;
pub use token::{TOKENIZER_VERSION, Token, TokenKind, TokenRef, for_each_token, tokens};
pub(crate) use writing::{Writing, writing_of};
