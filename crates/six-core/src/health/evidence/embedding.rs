//! What came of embedding one text.

/// What came of embedding one text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EmbeddingEvidence {}

#[cfg(test)]
impl EmbeddingEvidence {
    /// All is well.
    pub(crate) fn sound() -> Self {
        Self {}
    }
}
