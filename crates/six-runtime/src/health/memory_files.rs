//! The evidence of the check `memory_files`.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use six_core::convention::{IndexAnchor, MemoryIndex, Naming, conflict_line, parse_memory_index};
use six_core::health::{AnchorSeen, IndexRead, IndexSeen, MemoryFilesEvidence, MemoryFolder};
use six_core::ingest::{decode, parse_front_matter};
use six_core::record::{UnixMs, Why};

use crate::clock;
use crate::ingest::Place;
use crate::install::{Manifest, is_memory_off};
use crate::read_file::{ReadError, open_regular, read_file};

/// Entries of the folder that are listed. A folder that the host's model keeps has tens.
const MAX_ENTRIES: usize = 5_000;
/// Topic files that are read; those after them in the order of names are counted.
const MAX_TOPICS: usize = 300;
/// Largest file that is read: forty times what the host loads of `MEMORY.md`.
const FILE_CAP_BYTES: u64 = 1 << 20;
/// Bytes of topic files that are read.
const TOPICS_CAP_BYTES: usize = 4 << 20;
/// Links of `MEMORY.md` that are followed: five for each line that the host loads.
const MAX_LINKS: usize = 1_000;
/// The host's model writes a topic file first and its line of `MEMORY.md` after that, with a person's permission perhaps:
/// a file that was written a moment ago is no orphan yet.
const SETTLING_MS: i64 = 10 * 60 * 1_000;

/// Looks into the folder. What was seeded is noted in the store's folder.
pub(super) fn gather(place: &Place, store_dir: &Path, now: UnixMs) -> Result<MemoryFilesEvidence, Why> {
    let (Some(host), Some(folder)) = (&place.host, &place.memory) else { return Ok(MemoryFilesEvidence::Empty) };
    if is_memory_off(host, &place.root) {
        return Ok(MemoryFilesEvidence::Off);
    }
    let index = read_index(folder)?;
    let names = topic_names(folder)?;
    if index.is_none() && names.is_empty() {
        return Ok(MemoryFilesEvidence::Empty);
    }
    let mut seen = MemoryFolder { index_path: folder.join(INDEX).display().to_string(), ..MemoryFolder::default() };
    let topics = read_topics(folder, &names, &mut seen);
    let text = index.as_ref().and_then(|index| index.as_ref().ok()).map_or("", String::as_str);
    // Of an index that is too long to be read nobody knows what it names.
    if !matches!(index, Some(Err(_))) {
        seen.orphans = orphans(folder, &names, text, &topics, now);
    }
    if let Some(line) = conflict_line(text) {
        seen.conflicts.insert(0, (INDEX.to_owned(), line));
    }
    seen.index = index.map(|index| match index {
        Ok(text) => {
            let index = parse_memory_index(&text);
            let is_adopted = index.has_invariants && is_seeded(store_dir, &folder.join(INDEX));
            IndexSeen::Read(look_along(&index, is_adopted, folder, place))
        }
        Err(bytes) => IndexSeen::TooLarge { bytes },
    });
    Ok(MemoryFilesEvidence::Seen(Box::new(seen)))
}

const INDEX: &str = "MEMORY.md";
const ARCHIVE: &str = "MEMORY_ARCHIVE.md";

/// The text of `MEMORY.md`, or its size where it is too large to be read; `None` where there is none.
fn read_index(folder: &Path) -> Result<Option<Result<String, u64>>, Why> {
    let path = folder.join(INDEX);
    match read_file(&path, FILE_CAP_BYTES) {
        Ok(bytes) => Ok(Some(Ok(text_of(&bytes).ok_or(Why::Unreadable)?))),
        Err(ReadError::Missing { .. }) => Ok(None),
        Err(ReadError::TooLarge { .. }) => Ok(Some(Err(fs::metadata(&path).map_or(FILE_CAP_BYTES, |file| file.len())))),
        Err(_) => Err(Why::Unreadable),
    }
}

/// Whether six made the file. Somebody else's own owes it nothing, whatever its headings are.
fn is_seeded(store_dir: &Path, index: &Path) -> bool {
    Manifest::read(&Manifest::path_in(store_dir)).is_ok_and(|manifest| manifest.file(index).is_some())
}

fn text_of(bytes: &[u8]) -> Option<String> {
    decode(bytes).ok().map(|decoded| decoded.text.into_owned())
}

/// The topic files: Markdown in the folder itself but for the index, its archive, and what hides behind a dot or an
/// underscore. Folders in it are nobody's topic.
fn topic_names(folder: &Path) -> Result<Vec<String>, Why> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(Vec::new()),
        Err(_) => return Err(Why::Unreadable),
    };
    let mut names: Vec<String> = entries
        .flatten()
        .take(MAX_ENTRIES)
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| is_topic(name))
        .collect();
    names.sort();
    Ok(names)
}

fn is_topic(name: &str) -> bool {
    let is_markdown = Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md"));
    is_markdown && !name.starts_with(['.', '_']) && ![INDEX, ARCHIVE].iter().any(|own| name.eq_ignore_ascii_case(own))
}

/// The texts of the topic files, with what is wrong with them put into `seen`.
fn read_topics(folder: &Path, names: &[String], seen: &mut MemoryFolder) -> Vec<String> {
    let mut texts = Vec::new();
    let mut bytes_left = TOPICS_CAP_BYTES;
    for name in names {
        let read = (texts.len() < MAX_TOPICS && bytes_left > 0).then(|| read_file(&folder.join(name), FILE_CAP_BYTES));
        let Some(text) = read.and_then(Result::ok).and_then(|bytes| text_of(&bytes)) else {
            seen.unseen += 1;
            continue;
        };
        bytes_left = bytes_left.saturating_sub(text.len());
        seen.topics += 1;
        if let Some(line) = conflict_line(&text) {
            seen.conflicts.push((name.clone(), line));
        } else if let Some(Err(fault)) = parse_front_matter(&text).front {
            seen.unreadable_fronts.push((name.clone(), fault));
        }
        texts.push(text);
    }
    texts
}

/// The topic files that nothing names. One that only another topic file names is found by way of that.
fn orphans(folder: &Path, names: &[String], index: &str, topics: &[String], now: UnixMs) -> Vec<String> {
    let is_settled = |name: &String| {
        modified(&folder.join(name)).is_some_and(|written| now.0.saturating_sub(written.0) >= SETTLING_MS)
    };
    let naming = Naming::of(index);
    let unnamed = names.iter().filter(|name| !naming.names(name));
    let unnamed = unnamed.filter(|name| is_settled(name));
    unnamed.filter(|name| !topics.iter().any(|topic| links(topic, name))).cloned().collect()
}

fn links(topic: &str, name: &str) -> bool {
    topic.contains(&format!("]({name})")) || topic.contains(&format!("](./{name})"))
}

fn modified(path: &Path) -> Option<UnixMs> {
    open_regular(path).ok().map(|(_, metadata)| UnixMs(clock::modified_unix_ms(&metadata)))
}

/// What the index says, with its links followed.
fn look_along(index: &MemoryIndex, is_adopted: bool, folder: &Path, place: &Place) -> IndexRead {
    let mut broken = Vec::new();
    let mut once = BTreeSet::new();
    let mut twice = BTreeSet::new();
    for link in index.links.iter().take(MAX_LINKS) {
        let Some(written) = link.spellings.first() else { continue };
        if existing(&link.spellings, folder, place).is_none() {
            broken.push((link.line, written.clone()));
        } else if !link.is_in_anchor && !once.insert(written) {
            twice.insert(written.clone());
        }
    }
    IndexRead {
        lines: index.lines,
        units: index.units,
        longest: index.longest.clone(),
        broken,
        linked_twice: twice.into_iter().collect(),
        anchor: index.anchor.as_ref().and_then(|anchor| look_at_anchor(anchor, folder, place)),
        is_adopted,
    }
}

/// The file that a link leads to: from the folder, else from a root of the project, as a person reads it.
fn existing(spellings: &[String], folder: &Path, place: &Place) -> Option<PathBuf> {
    let bases = [folder, place.root.as_path(), place.main.as_path()];
    let paths = spellings.iter().flat_map(|spelling| bases.map(|base| base.join(spelling)));
    paths.into_iter().find(|path| path.exists())
}

fn look_at_anchor(anchor: &IndexAnchor, folder: &Path, place: &Place) -> Option<AnchorSeen> {
    let named = existing(&anchor.file, folder, place).and_then(|path| Some((modified(&path)?, anchor.file.first()?)));
    let (changed, file) = match named {
        Some((changed, file)) => (changed, file.clone()),
        None => (modified(&folder.join(INDEX))?, INDEX.to_owned()),
    };
    Some(AnchorSeen { line: anchor.line, file, changed, active_days: None, is_at_rest: anchor.is_at_rest })
}
