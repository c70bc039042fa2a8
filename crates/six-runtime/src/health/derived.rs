//! The evidence of the check `derived`.

use std::collections::VecDeque;
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::Path;
use std::time::UNIX_EPOCH;

use six_core::config::DerivedConfig;
use six_core::health::{DerivedEvidence, DerivedFound, DerivedKind, DerivedOutput};
use six_core::record::UnixMs;
use six_store::{Store, StoreError};

use crate::ingest::Place;

/// Entries of a folder that are looked at, those above before those below: what a program writes is written together, and
/// its index lies on top.
const ENTRIES: usize = 1_000;

/// Looks at what is configured. In a linked work tree what is not in git lies in the main one.
pub(super) fn gather(place: &Place, config: &DerivedConfig) -> DerivedEvidence {
    let configured = [(DerivedKind::ProjectState, &config.project_state), (DerivedKind::CodeGraph, &config.code_graph)];
    let outputs = configured.into_iter().filter_map(|(kind, path)| {
        let path = path.as_deref().filter(|path| !path.is_empty())?;
        let found = [&place.root, &place.main].map(|root| look(&root.join(path)));
        Some(DerivedOutput { kind, path: path.to_owned(), found: better(found) })
    });
    DerivedEvidence { outputs: outputs.collect() }
}

/// Whether there is anything of which the store has to count the days.
pub(super) fn is_dated(evidence: &DerivedEvidence) -> bool {
    evidence.outputs.iter().any(|output| matches!(output.found, DerivedFound::Written { .. }))
}

/// Counts the days of activity since each was written.
pub(super) fn count_days(mut evidence: DerivedEvidence, store: &Store) -> Result<DerivedEvidence, StoreError> {
    for output in &mut evidence.outputs {
        if let DerivedFound::Written { at, active_days_ago } = &mut output.found {
            *active_days_ago = Some(store.active_days(*at)?);
        }
    }
    Ok(evidence)
}

fn better([one, other]: [DerivedFound; 2]) -> DerivedFound {
    let rank = |found: &DerivedFound| match found {
        DerivedFound::Missing => (0, UnixMs(0)),
        DerivedFound::Unreadable => (1, UnixMs(0)),
        DerivedFound::Empty => (2, UnixMs(0)),
        DerivedFound::Written { at, .. } => (3, *at),
    };
    if rank(&other) > rank(&one) { other } else { one }
}

fn look(path: &Path) -> DerivedFound {
    match fs::metadata(path) {
        Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => DerivedFound::Missing,
        Err(_) => DerivedFound::Unreadable,
        Ok(metadata) if metadata.is_dir() => look_into(path),
        Ok(metadata) => written(written_at(&metadata)),
    }
}

fn look_into(folder: &Path) -> DerivedFound {
    let mut folders = VecDeque::from([folder.to_owned()]);
    let mut newest: Option<UnixMs> = None;
    let mut left = ENTRIES;
    while let Some(next) = folders.pop_front() {
        let entries = match fs::read_dir(&next) {
            Ok(entries) => entries,
            Err(_) if next == folder => return DerivedFound::Unreadable,
            Err(_) => continue,
        };
        for entry in entries.flatten().take(left) {
            left -= 1;
            // Links are not followed: they lead anywhere, and in circles.
            let Ok(metadata) = entry.metadata() else { continue };
            if metadata.is_dir() {
                folders.push_back(entry.path());
            } else {
                newest = newest.max(written_at(&metadata));
            }
        }
    }
    written(newest)
}

fn written(at: Option<UnixMs>) -> DerivedFound {
    at.map_or(DerivedFound::Empty, |at| DerivedFound::Written { at, active_days_ago: None })
}

/// When a file with anything in it was written.
fn written_at(metadata: &Metadata) -> Option<UnixMs> {
    if !metadata.is_file() || metadata.len() == 0 {
        return None;
    }
    let since = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok().map(UnixMs)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;

    fn found(place: &Place, path: &str) -> DerivedFound {
        let config = DerivedConfig { project_state: None, code_graph: Some(path.to_owned()) };
        let outputs = gather(place, &config).outputs;
        assert_eq!(outputs.iter().map(|output| output.kind).collect::<Vec<_>>(), [DerivedKind::CodeGraph]);
        outputs[0].found.clone()
    }

    /// Writes a file as of so many days after the first one of 1970, and answers when that is.
    fn write(path: &Path, text: &str, day: u64) -> UnixMs {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        let at = SystemTime::UNIX_EPOCH + Duration::from_secs(day * 86_400);
        fs::File::options().write(true).open(path).unwrap().set_modified(at).unwrap();
        UnixMs(i64::try_from(day).unwrap() * UnixMs::DAY_MS)
    }

    #[test]
    fn what_is_not_configured_is_not_looked_for() {
        let dir = tempfile::tempdir().unwrap();
        let config = DerivedConfig { project_state: None, code_graph: Some(String::new()) };
        assert_eq!(gather(&Place::bare(dir.path(), dir.path()), &config), DerivedEvidence::default());
    }

    #[test]
    fn a_file_or_the_newest_of_a_folder_tells_the_age_and_nothing_in_it_is_told_apart_from_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        let place = Place::bare(root, root);
        let written = |at| DerivedFound::Written { at, active_days_ago: None };
        assert_eq!(found(&place, "graph"), DerivedFound::Missing);
        assert_eq!(found(&place, "graph/below/a-file"), DerivedFound::Missing);
        fs::create_dir_all(root.join("graph/deep/er")).unwrap();
        assert_eq!(found(&place, "graph"), DerivedFound::Empty);
        write(&root.join("graph/none"), "", 900);
        assert_eq!((found(&place, "graph"), found(&place, "graph/none")), (DerivedFound::Empty, DerivedFound::Empty));
        write(&root.join("graph/index.json"), "{}", 300);
        let newest = write(&root.join("graph/deep/er/part.json"), "{}", 500);
        write(&root.join("graph/deep/part.json"), "{}", 400);
        assert_eq!(found(&place, "graph"), written(newest));
        let absolute = root.join("graph/index.json");
        assert_eq!(found(&place, absolute.to_str().unwrap()), written(UnixMs(300 * UnixMs::DAY_MS)));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_a_circle_is_not_followed_and_one_to_the_output_is() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        let at = write(&root.join("graph/index.json"), "{}", 300);
        std::os::unix::fs::symlink(root, root.join("graph/up")).unwrap();
        std::os::unix::fs::symlink(root.join("graph"), root.join("link")).unwrap();
        let written = DerivedFound::Written { at, active_days_ago: None };
        assert_eq!(found(&Place::bare(root, root), "link"), written);
    }

    #[test]
    fn in_a_linked_work_tree_the_output_of_the_main_one_counts() {
        let dir = tempfile::tempdir().unwrap();
        let (tree, main) = (dir.path().join("tree"), dir.path().join("main"));
        let place = Place::bare(&tree, &main);
        let older = write(&main.join("state.md"), "x", 300);
        assert_eq!(found(&place, "state.md"), DerivedFound::Written { at: older, active_days_ago: None });
        let newer = write(&tree.join("state.md"), "x", 400);
        assert_eq!(found(&place, "state.md"), DerivedFound::Written { at: newer, active_days_ago: None });
    }

    #[test]
    fn a_folder_of_many_thousands_is_looked_at_from_the_top() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for n in 0..ENTRIES {
            write(&root.join(format!("graph/cache/{n}")), "x", 900);
        }
        let top = write(&root.join("graph/index.json"), "{}", 800);
        let DerivedFound::Written { at, .. } = found(&Place::bare(root, root), "graph") else { panic!() };
        assert!(at >= top);
    }
}
