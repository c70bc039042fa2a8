//! Threads.

use serde::{Deserialize, Serialize};

use super::{ThreadId, UnixMs};
use crate::text::Redacted;

/// A line of decisions and dead ends about one matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thread {
    /// Random id.
    pub id: ThreadId,
    /// Its name, in any script.
    pub name: Redacted,
    /// One sentence; may be empty.
    pub summary: Redacted,
    /// Whether the matter is still open.
    pub open: bool,
    /// When it was opened.
    pub created: UnixMs,
}
