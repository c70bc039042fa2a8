//! Material that lies beside the checkout and is no part of it.

use std::env;
use std::fs;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};

use crate::repository;

/// `PATH` in the folder of shared material: `SIX_SHARED`, by default `../shared` beside the checkout.
///
/// Says that the test is skipped, and why, and answers `None` when it is not there.
pub fn shared(path: &str) -> Option<PathBuf> {
    let folder = env::var_os("SIX_SHARED").map_or_else(|| repository().join("../shared"), PathBuf::from);
    let found = folder.join(path);
    if found.exists() {
        return Some(found.canonicalize().expect("what exists has a path"));
    }
    // Not eprintln!: a test that passes has its prints swallowed, and a skipped one must not look like one that passed.
    let _ =
        writeln!(stderr(), "SKIPPED: {} is not there; set SIX_SHARED to the folder that holds {path}", found.display());
    None
}

/// The session files below a folder, by name.
pub fn session_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of session files can be listed");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder can be listed to its end").path())
        .flat_map(|path| if path.is_dir() { session_files(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    files.sort();
    files
}
