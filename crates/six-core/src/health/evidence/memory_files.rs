//! What the host's memory folder holds.

/// What the host's memory folder holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemoryFilesEvidence {}

#[cfg(test)]
impl MemoryFilesEvidence {
    /// All is well.
    pub(crate) fn sound() -> Self {
        Self {}
    }
}
