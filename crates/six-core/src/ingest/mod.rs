//! From files to entries.

mod batch;
mod chunk;
mod commit;
mod decode;
mod document;
mod front_matter;
mod heading;
mod inventory;
mod ledger;
mod rule;
pub mod transcript;

pub use batch::{Batch, Committed, FileState, Mode, SessionSeen, StartTrace, TreePart};
pub use chunk::{OVERLAP_CHARS, WINDOW_CHARS, windows};
pub use commit::{CommitSeen, parse_commit};
pub use decode::{DecodeFault, Decoded, decode};
pub use document::{DOCUMENT_LIMIT_BYTES, Document, DocumentFile, parse_document};
pub use front_matter::{FrontMatter, FrontMatterFault, Parts, parse_front_matter};
pub use heading::Markup;
pub use inventory::{INVENTORY_PATHS, is_inventory, parse_inventory};
pub use ledger::{LEDGER_LIMIT_BYTES, Ledger, parse_ledger};
pub use rule::{parse_rule, rule_source};
