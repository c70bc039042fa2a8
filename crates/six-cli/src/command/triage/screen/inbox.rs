//! Where candidates come from, and where verdicts go.

use six_core::curate::{self, Ruling, RulingFault, Similar};
use six_core::record::{RecordKind, RecordState, ThreadId};

use crate::failure::Failure;

/// What the screen asks of the store.
pub(crate) trait Inbox {
    /// What waits, in the order in which it is to be judged; perhaps not all of it at once.
    fn waiting(&self) -> Result<curate::Inbox, Failure>;
    /// Applies verdicts in one transaction; answers the batch by which they are taken back.
    fn apply(&mut self, rulings: &[Ruling]) -> Result<String, Refused>;
    /// Takes a batch back.
    fn undo(&mut self, batch: &str) -> Result<(), Failure>;
    /// The threads with their names.
    fn threads(&self) -> Result<Vec<(ThreadId, String)>, Failure>;
    /// The records with these words.
    fn find(&self, wanted: &Wanted) -> Result<Vec<Similar>, Failure>;
}

/// Records that a candidate could be merged into or superseded by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// Words that all occur in them.
    pub(crate) words: String,
    /// Of this kind; `None` = of any.
    pub(crate) kind: Option<RecordKind>,
    /// In one of these states.
    pub(crate) states: &'static [RecordState],
}

/// Why verdicts were not applied.
#[derive(Debug)]
pub(crate) enum Refused {
    /// Something is wrong with them.
    Faults(Vec<RulingFault>),
    /// The store could not be written.
    Failed(Failure),
}
