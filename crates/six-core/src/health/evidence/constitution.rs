//! What the project's standing rules say that is not so.

/// What the project's standing rules say that is not so.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConstitutionEvidence {
    /// The files that were read, from the project's root.
    pub files: Vec<String>,
    /// Files that were not read: too large, or no text.
    pub unseen: u64,
    /// What is wrong, file by file in the order of the lines.
    pub untrue: Vec<UntrueRule>,
}

/// A place in the standing rules that says what is not so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UntrueRule {
    /// From the project's root.
    pub file: String,
    /// Counted from 1.
    pub line: u32,
    /// What.
    pub what: Untrue,
}

/// What is not so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Untrue {
    /// A term that the project has given up is used.
    Term(String),
    /// A place is not filled in.
    Slot(String),
    /// A file or folder is not there.
    Path(String),
    /// A script of this name is in no `package.json`.
    Script(String),
    /// A target of this name is in no makefile.
    Target(String),
    /// A recipe of this name is not in the justfile.
    Recipe(String),
}

#[cfg(test)]
impl ConstitutionEvidence {
    /// All is well.
    pub(crate) fn sound() -> Self {
        Self { files: vec!["CLAUDE.md".into()], ..Self::default() }
    }
}
