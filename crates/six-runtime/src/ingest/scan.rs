//! Which documents and memory files a project has.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use six_core::event::slug;
use six_core::ingest::Markup;
use six_core::record::Source;

use super::file::Found;
use super::place::Place;
use crate::git::Git;

/// Names of files, in the project's root or any folder, that are left out of the index.
const IGNORE_FILE: &str = ".sixignore";

/// Files that the host reads as its rules.
const RULES: [&str; 2] = ["CLAUDE.md", "CLAUDE.local.md"];

/// The files of one source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scan {
    pub(super) source: Source,
    pub(super) files: Vec<Found>,
    /// What could not be looked at.
    pub(super) troubles: Vec<Trouble>,
    /// Everything was looked at: a file that was not found is gone.
    pub(super) proves_absence: bool,
}

/// A place that could not be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trouble {
    pub(super) path: String,
    pub(super) error: String,
}

impl Trouble {
    pub(super) fn new(path: &Path, error: &dyn Display) -> Self {
        Self { path: path.to_string_lossy().into_owned(), error: error.to_string() }
    }
}

impl Scan {
    pub(super) fn of(source: Source) -> Self {
        Self { source, files: Vec::new(), troubles: Vec::new(), proves_absence: false }
    }
}

/// The memory files and the documents of a project.
pub(super) fn find_documents(place: &Place) -> [Scan; 2] {
    let mut memory = find_memory_folder(place);
    let mut docs = Scan::of(Source::Doc);
    let listed = if place.has_git { list_tracked(place, &mut docs) } else { list_all(place, &mut docs) };
    // Rules may stand in files that git does not track.
    let rules = RULES.iter().map(PathBuf::from).chain(RULES.iter().map(|name| Path::new(".claude").join(name)));
    let names: BTreeSet<PathBuf> = listed.into_iter().chain(rules).collect();
    for relative in names {
        let path = place.root.join(&relative);
        let is_rules = relative.file_name().is_some_and(|name| RULES.iter().any(|rules| name == *rules));
        let scan = if is_rules { &mut memory } else { &mut docs };
        match fs::symlink_metadata(&path) {
            // A link shows a file under a second name.
            Ok(metadata) if metadata.is_file() => scan.files.push(Found::new(path, &relative, &metadata)),
            Ok(_) => {}
            Err(error) if is_absent(&error) => {}
            Err(error) => scan.troubles.push(Trouble::new(&path, &error)),
        }
    }
    docs.proves_absence = docs.troubles.is_empty();
    // The list stands for both: without it, a rules file in a sub folder is as unproven as a document.
    memory.proves_absence = memory.troubles.is_empty() && docs.proves_absence;
    [memory, docs]
}

/// The documents that git tracks.
fn list_tracked(place: &Place, docs: &mut Scan) -> Vec<PathBuf> {
    let files = match Git::new(&place.root).ls_files(&[]) {
        Ok(files) => files,
        Err(error) => {
            docs.troubles.push(Trouble::new(&place.root, &error));
            return Vec::new();
        }
    };
    let ignored = ignored_by_six(&place.root, docs);
    let is_wanted = |path: &PathBuf| is_document(path) && !ignored.matched_path_or_any_parents(path, false).is_ignore();
    files.into_iter().filter(is_wanted).collect()
}

fn ignored_by_six(root: &Path, docs: &mut Scan) -> Gitignore {
    // Matched by relative paths, so the root of the patterns is empty.
    let mut builder = GitignoreBuilder::new("");
    let path = root.join(IGNORE_FILE);
    if path.exists()
        && let Some(error) = builder.add(&path)
    {
        docs.troubles.push(Trouble::new(&path, &error));
    }
    builder.build().unwrap_or_else(|error| {
        docs.troubles.push(Trouble::new(&path, &error));
        Gitignore::empty()
    })
}

/// The documents under the root, without git. Links are not followed, so a loop of them ends.
fn list_all(place: &Place, docs: &mut Scan) -> Vec<PathBuf> {
    let walk = WalkBuilder::new(&place.root)
        .require_git(false)
        .follow_links(false)
        .add_custom_ignore_filename(IGNORE_FILE)
        .build();
    let mut files = Vec::new();
    for entry in walk {
        match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                if let Ok(relative) = entry.path().strip_prefix(&place.root).map(Path::to_owned)
                    && is_document(&relative)
                {
                    files.push(relative);
                }
            }
            Ok(_) => {}
            Err(error) => docs.troubles.push(Trouble::new(&place.root, &error)),
        }
    }
    files
}

fn is_document(path: &Path) -> bool {
    Markup::of_path(&path.to_string_lossy()).is_some()
}

/// The Markdown files of the host's memory folder.
fn find_memory_folder(place: &Place) -> Scan {
    let mut scan = Scan::of(Source::Memory);
    let by_slug =
        || Some(place.host.as_ref()?.join("projects").join(slug(&place.main.to_string_lossy())).join("memory"));
    let Some(folder) = place.memory.clone().or_else(by_slug) else { return scan };
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if is_absent(&error) => return scan,
        Err(error) => {
            scan.troubles.push(Trouble::new(&folder, &error));
            return scan;
        }
    };
    let mut seen = BTreeSet::new();
    for entry in entries {
        let path = match entry {
            Ok(entry) => entry.path(),
            Err(error) => {
                scan.troubles.push(Trouble::new(&folder, &error));
                continue;
            }
        };
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        match fs::canonicalize(&path).and_then(|real| Ok((fs::metadata(&real)?, real))) {
            Ok((metadata, real)) if metadata.is_file() && seen.insert(real.clone()) => {
                scan.files.push(Found::new(real.clone(), &real, &metadata));
            }
            Ok(_) => {}
            Err(error) if is_absent(&error) => {}
            Err(error) => scan.troubles.push(Trouble::new(&path, &error)),
        }
    }
    scan.files.sort_by(|a, b| a.name.cmp(&b.name));
    scan
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
