//! Which session files of the host belong to a project.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use six_core::event::{parse_records, slug};
use six_core::record::Source;

use super::file::Found;
use super::lines::{Line, read_line};
use super::place::Place;
use super::scan::{Scan, Trouble};
use crate::read_file::open_regular;

/// The host cuts longer names of folders, and adds a hash.
const SLUG_CUT: usize = 200;

/// Lines of a session file in which its folder is looked for; the first record of a conversation names it.
const CWD_LINES: usize = 100;

/// A line longer than this has no word on the folder that a shorter one has not.
const CWD_LINE_BYTES: usize = 1024 * 1024;

/// The session files of a project: those that hooks named, and those under the host's projects folder whose own words
/// say that they were started in one of its work trees. Newest first.
///
/// `known` tells by the hash of its path whether a file is known already; such a one is not opened. Without a place only
/// the named ones are looked at.
pub(super) fn find_sessions(place: Option<&Place>, named: &[PathBuf], known: &dyn Fn(&str) -> bool) -> Scan {
    let checkouts = place.map(|place| place.checkouts.as_slice()).unwrap_or_default();
    let mut finding = Finding { checkouts, known, seen: BTreeSet::new(), scan: Scan::of(Source::Transcript) };
    for path in named {
        finding.take(path, true);
    }
    if let Some(host) = place.and_then(|place| place.host.as_ref()) {
        finding.search(&host.join("projects"));
    }
    finding.scan.files.sort_by_key(|file| std::cmp::Reverse(file.mtime_ns));
    finding.scan
}

struct Finding<'a> {
    checkouts: &'a [PathBuf],
    known: &'a dyn Fn(&str) -> bool,
    /// Canonical paths: a folder that is a link to another one shows the same files.
    seen: BTreeSet<PathBuf>,
    scan: Scan,
}

impl Finding<'_> {
    fn search(&mut self, projects: &Path) {
        let slugs: Vec<String> = self.checkouts.iter().map(|path| slug(&path.to_string_lossy())).collect();
        for folder in self.list(projects) {
            let fits = folder.file_name().is_some_and(|name| {
                let name = name.to_string_lossy();
                slugs.iter().any(|slug| could_be_in(&name, slug))
            });
            if !fits {
                continue;
            }
            for file in self.list(&folder) {
                if is_session_file(&file) {
                    self.take(&file, false);
                }
            }
        }
    }

    /// What is in a folder; that it does not exist is no trouble.
    fn list(&mut self, folder: &Path) -> Vec<PathBuf> {
        match fs::read_dir(folder) {
            Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Vec::new(),
            Err(error) => {
                self.scan.troubles.push(Trouble::new(folder, &error));
                Vec::new()
            }
        }
    }

    /// Takes a session file with its sub-agents, unless it belongs to somebody else.
    fn take(&mut self, path: &Path, is_named: bool) {
        // It does not exist before the first prompt, and may be anything: only what can be looked at is taken.
        let Ok(path) = fs::canonicalize(path) else { return };
        let Ok(metadata) = fs::metadata(&path) else { return };
        if !metadata.is_file() || !self.seen.insert(path.clone()) {
            return;
        }
        let found = Found::new(path.clone(), &path, &metadata);
        let is_ours = is_named || (self.known)(&found.path_hash) || self.says_it_is_ours(&path);
        if !is_ours {
            return;
        }
        self.scan.files.push(found);
        for side in self.list(&path.with_extension("").join("subagents")) {
            if is_session_file(&side) {
                self.take(&side, true);
            }
        }
    }

    fn says_it_is_ours(&self, path: &Path) -> bool {
        recorded_cwd(path).is_some_and(|cwd| self.is_in_checkout(Path::new(&cwd)))
    }

    /// The nearest work tree above a folder is one of the project's. A repository inside one is another project.
    fn is_in_checkout(&self, cwd: &Path) -> bool {
        let real = fs::canonicalize(cwd).unwrap_or_else(|_| cwd.to_owned());
        for folder in real.ancestors() {
            if self.checkouts.iter().any(|checkout| checkout == folder) {
                return true;
            }
            if folder.join(".git").exists() {
                return false;
            }
        }
        false
    }
}

/// Whether a folder of that name could hold sessions of the folder with that slug, or of one below it.
fn could_be_in(name: &str, slug: &str) -> bool {
    let start = slug.get(..SLUG_CUT).unwrap_or(slug);
    let rest = name.strip_prefix(start);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

fn is_session_file(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "jsonl")
}

/// The first working directory that a session file records.
fn recorded_cwd(path: &Path) -> Option<String> {
    let mut from = BufReader::new(open_regular(path).ok()?.0);
    let mut line = Vec::new();
    for _ in 0..CWD_LINES {
        match read_line(&mut from, CWD_LINE_BYTES, &mut line).ok()?.0 {
            Line::Whole | Line::Partial => {
                let records = parse_records(&line);
                if let Some(cwd) = records.into_iter().flatten().find_map(|record| record.head.cwd) {
                    return Some(cwd);
                }
            }
            Line::TooLong => {}
            Line::PartialTooLong | Line::End => return None,
        }
    }
    None
}
