//! Looking at the place that an anchor cites: regular files of the project, within bounds, never waiting.

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use six_core::inject::{CitedText, Sight};
use six_core::record::{Anchor, Place, UnixMs, find_span, has_word, span_hash};

use crate::clock;
use crate::read_file::read_file;

/// Looks at one place after the other.
pub(super) struct Eyes<'a> {
    root: &'a Path,
    cap_bytes: u64,
    /// The anchors of a record often cite one file.
    last: Option<(PathBuf, Option<Vec<u8>>)>,
}

impl<'a> Eyes<'a> {
    /// `root` is the canonical folder of the project; no file of more than `cap_bytes` bytes is read.
    pub(super) fn new(root: &'a Path, cap_bytes: u64) -> Eyes<'a> {
        Eyes { root, cap_bytes, last: None }
    }

    /// What is at the anchor's own place.
    pub(super) fn look(&mut self, anchor: &Anchor) -> Sight {
        let place = Place { path: anchor.path.as_str(), lines: anchor.lines, symbol: None };
        self.look_at(place, anchor)
    }

    /// What of that which the anchor cites is at another place.
    pub(super) fn look_at(&mut self, place: Place<'_>, anchor: &Anchor) -> Sight {
        let (real, written) = match resolve(self.root, place.path) {
            Resolved::File(real, written) => (real, Some(written)),
            Resolved::Folder => return Sight::Folder,
            Resolved::Nothing => return Sight::Nothing,
            Resolved::Unseen => return Sight::Unseen,
        };
        if anchor.hash.is_none() && anchor.symbol.is_none() {
            return Sight::File { text: CitedText::None, has_symbol: true, written };
        }
        if anchor.symbol.as_ref().is_some_and(|name| was_redacted(name.as_str())) {
            return Sight::Unseen;
        }
        let Some(bytes) = self.read(real) else { return Sight::Unseen };
        let has_symbol = anchor.symbol.as_ref().is_none_or(|name| has_word(bytes, name.as_str()));
        let text = match anchor.hash.as_deref() {
            None => CitedText::None,
            wanted if span_hash(bytes, place.lines).as_deref() == wanted => CitedText::InPlace,
            Some(wanted) => place
                .lines
                .and_then(|was| find_span(bytes, was, wanted))
                .map_or(CitedText::Nowhere, |(first, last)| CitedText::At(first, last)),
        };
        Sight::File { text, has_symbol, written }
    }

    fn read(&mut self, real: PathBuf) -> Option<&[u8]> {
        if self.last.as_ref().is_none_or(|(known, _)| *known != real) {
            let bytes = read_file(&real, self.cap_bytes).ok();
            self.last = Some((real, bytes));
        }
        self.last.as_ref().and_then(|(_, bytes)| bytes.as_deref())
    }
}

/// What a path of the project leads to.
pub(super) enum Resolved {
    /// A regular file inside the project, and when it was last written.
    File(PathBuf, UnixMs),
    /// A folder inside the project.
    Folder,
    /// Nothing is there.
    Nothing,
    /// It leads out of the project, to something else, or can't be followed.
    Unseen,
}

/// Follows a path that counts from the root of the project. Links are followed, and where they lead has to be inside too.
pub(super) fn resolve(root: &Path, path: &str) -> Resolved {
    if !is_inside(path) {
        return Resolved::Unseen;
    }
    let real = match root.join(path).canonicalize() {
        Ok(real) if real.starts_with(root) => real,
        Err(fault) if matches!(fault.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Resolved::Nothing;
        }
        _ => return Resolved::Unseen,
    };
    match real.metadata() {
        Ok(metadata) if metadata.is_file() => Resolved::File(real, UnixMs(clock::modified_unix_ms(&metadata))),
        Ok(metadata) if metadata.is_dir() => Resolved::Folder,
        _ => Resolved::Unseen,
    }
}

/// Whether a path can be looked at at all: it stays below the root, and is spelt as it was when it was cited.
fn is_inside(path: &str) -> bool {
    let is_path = !path.is_empty() && !path.contains(['\0', char::REPLACEMENT_CHARACTER]) && !was_redacted(path);
    is_path && Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// A name that the redactor changed is none that could be missing.
fn was_redacted(name: &str) -> bool {
    name.contains("[redacted:")
}
