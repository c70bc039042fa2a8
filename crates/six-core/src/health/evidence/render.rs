//! What the last session starts showed.

/// What the last session starts showed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RenderEvidence {}

#[cfg(test)]
impl RenderEvidence {
    /// All is well.
    pub(crate) fn sound() -> Self {
        Self {}
    }
}
