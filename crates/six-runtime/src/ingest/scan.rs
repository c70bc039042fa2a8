//! Which documents, ledgers and memory files a project has.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use six_core::ingest::Markup;
use six_core::record::Source;

use super::file::Found;
use super::place::Place;
use crate::git::Git;
use crate::read_file::read_file;

/// Names of files, in the project's root or any folder, that are left out of the index.
const IGNORE_FILE: &str = ".sixignore";

/// Patterns are a page at most; a larger file is something else.
const IGNORE_FILE_BYTES: u64 = 1 << 20;

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

/// The memory files, the ledgers and the documents of a project.
pub(super) fn find_documents(place: &Place) -> [Scan; 3] {
    let mut memory = find_memory_folder(place);
    let (mut docs, mut ledgers) = (Scan::of(Source::Doc), Scan::of(Source::Ledger));
    let patterns = ledger_patterns(place, &mut ledgers);
    let is_ledger = |path: &Path| patterns.matched(path, false).is_ignore();
    let listed = if place.has_git { list_tracked(place, &mut docs) } else { list_all(place, &mut docs) };
    // Rules may stand in files that git does not track, and a ledger is written before it is tracked.
    let rules = RULES.iter().map(PathBuf::from).chain(RULES.iter().map(|name| Path::new(".claude").join(name)));
    let untracked = list_named_folders(place).into_iter().filter(|path| is_ledger(path));
    let wanted = listed.into_iter().filter(|path| is_document(path) || is_ledger(path));
    let names: BTreeSet<PathBuf> = wanted.chain(untracked).collect();
    let kept = six_ignored(place, &names, &mut docs);
    for relative in kept.into_iter().chain(rules).collect::<BTreeSet<_>>() {
        let path = place.root.join(&relative);
        let is_rules = relative.file_name().is_some_and(|name| RULES.iter().any(|rules| name == *rules));
        let scan = match (is_rules, is_ledger(&relative)) {
            (true, _) => &mut memory,
            (false, true) => &mut ledgers,
            (false, false) => &mut docs,
        };
        match fs::symlink_metadata(&path) {
            // A link shows a file under a second name.
            Ok(metadata) if metadata.is_file() => scan.files.push(Found::new(path, &relative, &metadata)),
            Ok(_) => {}
            Err(error) if is_absent(&error) => {}
            Err(error) => scan.troubles.push(Trouble::new(&path, &error)),
        }
    }
    docs.proves_absence = docs.troubles.is_empty();
    // The list stands for all: without it, a rules file in a sub folder is as unproven as a document.
    memory.proves_absence = memory.troubles.is_empty() && docs.proves_absence;
    ledgers.proves_absence = ledgers.troubles.is_empty() && docs.proves_absence;
    [memory, ledgers, docs]
}

/// The files that git tracks.
fn list_tracked(place: &Place, docs: &mut Scan) -> Vec<PathBuf> {
    Git::new(&place.root).ls_files(&[]).unwrap_or_else(|error| {
        docs.troubles.push(Trouble::new(&place.root, &error));
        Vec::new()
    })
}

/// What the configuration calls a ledger. A pattern that can't be understood is named, and the others hold.
fn ledger_patterns(place: &Place, ledgers: &mut Scan) -> Gitignore {
    let mut builder = GitignoreBuilder::new("");
    for pattern in &place.ledgers {
        if let Err(error) = builder.add_line(None, pattern) {
            ledgers.troubles.push(Trouble { path: String::from("ingest.ledgers"), error: error.to_string() });
        }
    }
    builder.build().unwrap_or_else(|error| {
        ledgers.troubles.push(Trouble { path: String::from("ingest.ledgers"), error: error.to_string() });
        Gitignore::empty()
    })
}

/// What lies in the root, and in the folders that a pattern of ledgers names up to its first wild card: `docs/ledger` of
/// `docs/ledger/*.md`.
fn list_named_folders(place: &Place) -> Vec<PathBuf> {
    let literal = |pattern: &String| {
        let folders = pattern.trim_start_matches('/').rsplit_once('/').map_or("", |(folders, _)| folders);
        let folders = folders.split('/').take_while(|name| !name.contains(['*', '?', '[', '\\']) && *name != "..");
        folders.collect::<PathBuf>()
    };
    let folders: BTreeSet<PathBuf> = place.ledgers.iter().map(literal).chain([PathBuf::new()]).collect();
    let list = |folder: PathBuf| {
        let entries = fs::read_dir(place.root.join(&folder)).into_iter().flatten().flatten();
        entries.map(|entry| folder.join(entry.file_name())).collect::<Vec<_>>()
    };
    folders.into_iter().flat_map(list).collect()
}

/// Takes out what a `.sixignore` of its folder or of one above leaves out; the nearest word counts. Below one that can't be
/// read nobody knows what it leaves out, so all of it is: as a trouble is named, what the store has of it stays.
fn six_ignored(place: &Place, names: &BTreeSet<PathBuf>, docs: &mut Scan) -> Vec<PathBuf> {
    let folders: BTreeSet<&Path> = names.iter().flat_map(|name| name.ancestors().skip(1)).collect();
    let mut ignores: Vec<(&Path, Gitignore)> = Vec::new();
    let mut unknown: Vec<&Path> = Vec::new();
    for folder in folders {
        let path = place.root.join(folder).join(IGNORE_FILE);
        match read_ignore_file(&path, folder) {
            Ok(ignore) => ignores.extend(ignore.map(|ignore| (folder, ignore))),
            Err(error) => {
                docs.troubles.push(Trouble { path: path.to_string_lossy().into_owned(), error });
                unknown.push(folder);
            }
        }
    }
    let is_left_out = |name: &Path| {
        if unknown.iter().any(|folder| name.starts_with(folder)) {
            return true;
        }
        let above = ignores.iter().rev().filter(|(folder, _)| name.starts_with(folder));
        let word =
            above.map(|(_, ignore)| ignore.matched_path_or_any_parents(name, false)).find(|word| !word.is_none());
        word.is_some_and(|word| word.is_ignore())
    };
    names.iter().filter(|name| !is_left_out(name)).cloned().collect()
}

/// The patterns of a `.sixignore`, or of the file that it is a link to; `None` where there is none. Patterns are matched by
/// relative paths, so their root is relative, too.
fn read_ignore_file(path: &Path, folder: &Path) -> Result<Option<Gitignore>, String> {
    match fs::symlink_metadata(path) {
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(error.to_string()),
        Ok(_) => {}
    }
    // Opening is what a FIFO or a device must be spared.
    if !fs::metadata(path).map_err(|error| error.to_string())?.is_file() {
        return Err(String::from("it is not a regular file"));
    }
    let bytes = read_file(path, IGNORE_FILE_BYTES).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
    let text = text.ok_or("it is not UTF-8 text")?;
    let mut builder = GitignoreBuilder::new(folder);
    for line in text.trim_start_matches('\u{feff}').lines() {
        builder.add_line(None, line).map_err(|error| error.to_string())?;
    }
    builder.build().map(Some).map_err(|error| error.to_string())
}

/// The files under the root, without git. Links are not followed, so a loop of them ends.
fn list_all(place: &Place, docs: &mut Scan) -> Vec<PathBuf> {
    let walk = WalkBuilder::new(&place.root).require_git(false).follow_links(false).build();
    let mut files = Vec::new();
    for entry in walk {
        match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                files.extend(entry.path().strip_prefix(&place.root).map(Path::to_owned));
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
    let Some(folder) = &place.memory else { return scan };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if is_absent(&error) => return scan,
        Err(error) => {
            scan.troubles.push(Trouble::new(folder, &error));
            return scan;
        }
    };
    let mut seen = BTreeSet::new();
    for entry in entries {
        let path = match entry {
            Ok(entry) => entry.path(),
            Err(error) => {
                scan.troubles.push(Trouble::new(folder, &error));
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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    use six_core::config::IngestConfig;
    use tempfile::TempDir;

    use super::*;

    /// A folder with a document, and two more and a ledger below `docs`.
    fn with_documents() -> (TempDir, Place) {
        let dir = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(dir.path()).unwrap().join("app");
        for (path, text) in [("a.md", "a"), ("docs/b.md", "b"), ("docs/drafts/c.md", "c"), ("docs/ledger/d.md", "d")] {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let place = Place {
            checkouts: vec![root.clone()],
            main: root.clone(),
            has_git: false,
            host: None,
            memory: None,
            keep_days: 30,
            ledgers: IngestConfig::default().ledgers,
            quota_bytes: u64::MAX,
            root,
        };
        (dir, place)
    }

    fn names(scans: &[Scan]) -> Vec<&str> {
        let mut names: Vec<&str> = scans.iter().flat_map(|scan| &scan.files).map(|found| found.name.as_str()).collect();
        names.sort_unstable();
        names
    }

    /// Puts something at a path.
    type Make = fn(&Path);

    /// What a `.sixignore` can be that can't be read.
    const UNREADABLE: [(&str, Make); 8] = [
        ("a FIFO", |path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success())),
        ("a folder", |path| fs::create_dir(path).unwrap()),
        ("a link to a device", |path| symlink("/dev/zero", path).unwrap()),
        ("a link to nothing", |path| symlink("nothing", path).unwrap()),
        ("a link to itself", |path| symlink(path, path).unwrap()),
        ("UTF-16 with its mark", |path| fs::write(path, b"\xff\xfed\0r\0a\0f\0t\0s\0/\0").unwrap()),
        ("UTF-16 without", |path| fs::write(path, b"d\0r\0a\0f\0t\0s\0/\0").unwrap()),
        ("no pattern", |path| fs::write(path, "drafts/\na{b\n").unwrap()),
    ];

    #[test]
    fn nothing_is_taken_in_or_given_up_below_a_sixignore_that_can_not_be_read() {
        for (what, make) in UNREADABLE {
            let (_dir, place) = with_documents();
            let path = place.root.join("docs/.sixignore");
            make(&path);
            let scans = find_documents(&place);
            assert_eq!(names(&scans), ["a.md"], "{what}");
            let troubles: Vec<&str> =
                scans.iter().flat_map(|scan| &scan.troubles).map(|trouble| trouble.path.as_str()).collect();
            assert_eq!(troubles, [path.to_str().unwrap()], "{what}");
            assert!(scans.iter().all(|scan| !scan.proves_absence), "{what}");
        }
    }

    #[test]
    fn a_sixignore_may_be_a_link_to_a_file_begin_with_a_mark_and_have_any_line_ends() {
        let (_dir, place) = with_documents();
        let elsewhere = place.root.join("patterns");
        fs::write(&elsewhere, "\u{feff}drafts/\r\n# no pattern\r\nledger/").unwrap();
        symlink(&elsewhere, place.root.join("docs/.sixignore")).unwrap();
        let scans = find_documents(&place);
        assert_eq!(names(&scans), ["a.md", "docs/b.md"]);
        assert!(scans.iter().filter(|scan| scan.source != Source::Memory).all(|scan| scan.proves_absence));
    }
}
