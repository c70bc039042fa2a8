//! What the project derives elsewhere.

/// What the project derives elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DerivedEvidence {}

#[cfg(test)]
impl DerivedEvidence {
    /// All is well.
    pub(crate) fn sound() -> Self {
        Self {}
    }
}
