//! Where candidates come from, and where verdicts go.

use six_core::curate::{Ruling, RulingFault, Similar, TriageItem};
use six_core::record::ThreadId;

use crate::failure::Failure;

/// What the screen asks of the store.
pub(crate) trait Inbox {
    /// All that waits, in the order in which it is to be judged.
    fn items(&mut self) -> Result<Vec<TriageItem>, Failure>;
    /// Applies verdicts in one transaction; answers the batch by which they are taken back.
    fn apply(&mut self, rulings: &[Ruling]) -> Result<String, Refused>;
    /// Takes a batch back.
    fn undo(&mut self, batch: &str) -> Result<(), Failure>;
    /// The threads with their names.
    fn threads(&self) -> Vec<(ThreadId, String)>;
    /// Records that a candidate can be merged into or superseded by, found by words.
    fn find(&self, text: &str) -> Vec<Similar>;
}

/// Why verdicts were not applied.
#[derive(Debug)]
pub(crate) enum Refused {
    /// Something is wrong with them.
    Faults(Vec<RulingFault>),
    /// The store could not be written.
    Failed(Failure),
}
