//! What the last session starts showed, and whether it arrived.

use crate::record::{SessionId, UnixMs};

/// What the last session starts showed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RenderEvidence {
    /// The newest whole blocks, those of starts that have nothing before them, one for each session, newest first; as many
    /// as [`Self::COMPARED`], where there are so many.
    pub whole: Vec<BlockShown>,
    /// The newest block of any start.
    pub newest: Option<BlockSize>,
    /// What became of the newest whole block of which that can be told.
    pub arrival: Option<Arrival>,
}

/// A block that a session was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockShown {
    /// Whom.
    pub session: SessionId,
    /// When.
    pub at: UnixMs,
    /// Hash of its stable part.
    pub hash: String,
    /// Signature of the records that it is made of, as they were then.
    pub corpus: String,
}

/// How long a block was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockSize {
    /// When it was shown.
    pub at: UnixMs,
    /// UTF-16 units of the whole.
    pub units: u32,
    /// Its first section that was longer than it may be, with both lengths; empty where none was.
    pub over: String,
}

/// What became of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrival {
    /// Whose it was.
    pub session: SessionId,
    /// When it was shown.
    pub at: UnixMs,
    /// Its transcript has it. Else the model answered without it.
    pub arrived: bool,
}

impl RenderEvidence {
    /// Sessions that are compared: the same twice is a coincidence of a quiet day.
    pub const COMPARED: usize = 3;
}

#[cfg(test)]
impl RenderEvidence {
    /// All is well.
    pub(crate) fn sound() -> Self {
        let at = crate::health::sample::days_ago;
        let block = |n: i64| BlockShown {
            session: SessionId::new(format!("s-{n}")),
            at: at(n),
            hash: "the same".into(),
            corpus: "idle".into(),
        };
        Self {
            whole: (1..=3).map(block).collect(),
            newest: Some(BlockSize { at: at(1), units: 1_157, over: String::new() }),
            arrival: Some(Arrival { session: SessionId::new("s-1"), at: at(1), arrived: true }),
        }
    }
}
