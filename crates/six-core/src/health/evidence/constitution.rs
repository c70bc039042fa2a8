//! What the project's standing rules refer to.

/// What the project's standing rules refer to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConstitutionEvidence {}

#[cfg(test)]
impl ConstitutionEvidence {
    /// All is well.
    pub(crate) fn sound() -> Self {
        Self {}
    }
}
