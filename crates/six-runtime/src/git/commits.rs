//! Commits out of the fields that [`super::Git::log_since`] asks git for.

use std::ops::ControlFlow;

/// What is kept of one subject, message or path.
const FIELD_BYTES: usize = 1 << 20;
/// A commit that touches more (a vendored tree) says nothing more with the rest.
const MAX_FILES: usize = 1000;
/// No entry of a tree can have this name, so no path is this.
const COMMIT_MARK: &[u8] = b"//";

/// One commit as git tells it. Text that is not UTF-8 is read with U+FFFD.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawCommit {
    /// Full hash.
    pub hash: String,
    /// When it was committed.
    pub committed_at_unix_s: i64,
    /// First line of the message.
    pub subject: String,
    /// The rest of the message.
    pub body: String,
    /// Paths touched, from the root, at most a thousand; none for a merge.
    pub files: Vec<String>,
    /// Paths touched beyond those.
    pub files_left_out: usize,
}

/// Cuts a stream into its NUL-terminated fields, each bounded.
#[derive(Default)]
pub(super) struct Fields {
    open: Vec<u8>,
}

impl Fields {
    pub(super) fn feed(&mut self, bytes: &[u8], each: &mut dyn FnMut(&[u8]) -> ControlFlow<()>) -> ControlFlow<()> {
        for piece in bytes.split_inclusive(|byte| *byte == 0) {
            let text = piece.strip_suffix(b"\0").unwrap_or(piece);
            let room = FIELD_BYTES.saturating_sub(self.open.len()).min(text.len());
            self.open.extend(text.iter().take(room));
            if piece.ends_with(b"\0") {
                each(&self.open)?;
                self.open.clear();
            }
        }
        ControlFlow::Continue(())
    }
}

/// Makes commits of the fields that [`super::Git::log_since`] asks for.
#[derive(Default)]
pub(super) struct Commits {
    pub(super) current: Option<RawCommit>,
    /// Fields of the current commit so far.
    seen: usize,
}

impl Commits {
    /// Takes one field; gives the commit that it ends.
    pub(super) fn take(&mut self, field: &[u8]) -> Option<RawCommit> {
        if field == COMMIT_MARK {
            self.seen = 0;
            return self.current.replace(RawCommit::default());
        }
        let commit = self.current.as_mut()?;
        let text = || String::from_utf8_lossy(field).into_owned();
        match self.seen {
            0 => commit.hash = text(),
            1 => commit.committed_at_unix_s = text().parse().unwrap_or_default(),
            2 => commit.subject = text(),
            3 => text().trim_end().clone_into(&mut commit.body),
            _ if field.is_empty() => {}
            _ if commit.files.len() == MAX_FILES => commit.files_left_out += 1,
            // Git puts a line end between the message and the first path.
            _ if commit.files.is_empty() => commit.files.push(text().trim_start_matches('\n').to_owned()),
            _ => commit.files.push(text()),
        }
        self.seen += 1;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_huge_commit_is_cut_and_says_how_much() {
        let mut commits = Commits::default();
        let fields = [COMMIT_MARK, b"abc", b"1", b"vendor", b"", b""];
        assert!(fields.iter().all(|field| commits.take(field).is_none()));
        assert!((0..MAX_FILES + 7).all(|_| commits.take(b"f").is_none()));
        let commit = commits.take(COMMIT_MARK).unwrap();
        assert_eq!((commit.files.len(), commit.files_left_out), (MAX_FILES, 7));
    }

    #[test]
    fn fields_are_found_wherever_the_chunks_are_cut_and_bounded() {
        let whole = b"one\0\0three\0".as_slice();
        for size in 1..=whole.len() {
            let (mut fields, mut found) = (Fields::default(), Vec::new());
            for chunk in whole.chunks(size) {
                let _ = fields.feed(chunk, &mut |field| {
                    found.push(field.to_vec());
                    ControlFlow::Continue(())
                });
            }
            assert_eq!(found, [b"one".as_slice(), b"", b"three"], "{size}");
        }
        let (mut fields, mut length) = (Fields::default(), 0);
        let _ = fields.feed(&vec![b'x'; FIELD_BYTES + 5], &mut |_| ControlFlow::Continue(()));
        let _ = fields.feed(b"y\0", &mut |field| {
            length = field.len();
            ControlFlow::Continue(())
        });
        assert_eq!(length, FIELD_BYTES);
    }
}
