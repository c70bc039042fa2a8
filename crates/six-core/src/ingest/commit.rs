//! Commits.

use super::chunk::chunks_of;
use crate::record::{Entry, EntryKind, Origin, Source, UnixMs};
use crate::text::{Redacted, Redactor};

/// How many of a commit's files are named. A commit that touches more says little by their names.
const FILES: usize = 50;

/// A commit as git tells it. Who made it is not asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitSeen<'a> {
    /// Its hash in hex.
    pub hash: &'a str,
    /// When it was committed.
    pub at: Option<UnixMs>,
    /// First line of the message.
    pub subject: &'a str,
    /// The rest of the message.
    pub body: &'a str,
    /// Paths touched, relative to the root of the checkout.
    pub files: Vec<&'a str>,
}

/// The entry of a commit: the subject as title; subject, body and files as text.
pub fn parse_commit(commit: &CommitSeen<'_>, redactor: Redactor) -> Entry {
    let mut text = commit.subject.trim().to_owned();
    if !commit.body.trim().is_empty() {
        text.push_str("\n\n");
        text.push_str(commit.body.trim());
    }
    if !commit.files.is_empty() {
        text.push_str("\n\n");
        let named: Vec<&str> = commit.files.iter().take(FILES).copied().collect();
        text.push_str(&named.join("\n"));
        if let Some(more) = commit.files.len().checked_sub(FILES).filter(|more| *more > 0) {
            text.push_str("\nand ");
            text.push_str(&more.to_string());
            text.push_str(" more files");
        }
    }
    let text = redactor.redact(&text);
    Entry {
        key: commit.hash.to_owned(),
        source: Source::Git,
        kind: EntryKind::Commit,
        origin: Origin::Operator,
        session: None,
        path: Some(redactor.redact(short(commit.hash))),
        title: title_of(&text),
        chunks: chunks_of(&text),
        text,
        at: commit.at,
        branch: None,
    }
}

/// Enough of a hash to name a commit to git and to a person.
fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

/// The subject, taken out of the redacted text so that it is not redacted twice.
fn title_of(text: &Redacted) -> Redacted {
    let end = text.as_str().find('\n').unwrap_or(text.as_str().len());
    text.slice(0..end).unwrap_or_else(|| Redacted::literal(""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_is_found_by_subject_body_and_files() {
        let commit = CommitSeen {
            hash: "0a1b",
            at: Some(UnixMs(1)),
            subject: "money: round down",
            body: "The tax office asks for it.\n",
            files: vec!["src/money.rs", "docs/money.md"],
        };
        let entry = parse_commit(&commit, Redactor::new());
        assert_eq!((entry.key.as_str(), entry.title.as_str()), ("0a1b", "money: round down"));
        assert_eq!(
            entry.text.as_str(),
            "money: round down\n\nThe tax office asks for it.\n\nsrc/money.rs\ndocs/money.md"
        );
        assert_eq!((entry.chunks.len(), entry.path.as_ref().map(Redacted::as_str)), (1, Some("0a1b")));
    }

    #[test]
    fn a_commit_of_a_thousand_files_names_some_and_counts_the_rest() {
        let commit = CommitSeen { hash: "0a", at: None, subject: "s", body: "", files: vec!["a"; 1000] };
        let entry = parse_commit(&commit, Redactor::new());
        assert!(entry.text.as_str().ends_with("and 950 more files"));
    }
}
