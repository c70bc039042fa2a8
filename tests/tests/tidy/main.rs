//! The repository's own rules, as tests. Each names the file, the line and what to do.
//!
//! A rule is a function over the files that git tracks; beside it stands a test that plants a breach, so that a rule
//! which has stopped biting is noticed.
#![expect(clippy::expect_used, reason = "a rule that can't read the repository has to stop, and say where")]

mod crates;
mod layers;
mod shape;
mod source;
mod words;

use source::{Finding, SourceFile, tracked};

/// Fails with every finding of `rule` on the tracked files.
fn hold(rule: impl Fn(&[SourceFile]) -> Vec<Finding>) {
    let findings = rule(&tracked());
    let list: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "\n{}\n", list.join("\n"));
}

/// Fails unless `rule` finds exactly one breach in a file of this path and text.
fn catches(rule: impl Fn(&[SourceFile]) -> Vec<Finding>, path: &str, text: &str) {
    let findings = rule(&[SourceFile::new(path, text)]);
    assert_eq!(findings.len(), 1, "{path} with {text:?}: {findings:?}");
}

/// Fails if `rule` minds a file of this path and text.
fn leaves_alone(rule: impl Fn(&[SourceFile]) -> Vec<Finding>, path: &str, text: &str) {
    let findings = rule(&[SourceFile::new(path, text)]);
    assert!(findings.is_empty(), "{path} with {text:?}: {findings:?}");
}
