//! What was written outside our own folder, so that it can be taken back.

use super::change::{FileChange, FileKind};
use super::refusal::Refusal;
use crate::atomic::{AtomicError, write_atomic};
use crate::project::config_file::ConfigEdit;
use crate::project::registry::root_of_common_dir;
use crate::project::stored_path::StoredPath;
use crate::read_file::{ReadError, read_file};
use serde::{Deserialize, Serialize};
use six_core::event::settings::Span;
use six_core::record::ProjectId;
use six_core::text::sha256_hex;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const SCHEMA: &str = "six.manifest/1";
/// Thousands of files.
const CAP_BYTES: u64 = 16 << 20;

/// One file that we wrote into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// The common directory, or without git the root, that it was written for. Adopted clones share one manifest.
    pub place: StoredPath,
    /// The file.
    pub path: StoredPath,
    /// What it is.
    pub kind: FileKind,
    /// SHA-256 (hex) of the file before we came; `None` if it did not exist.
    pub before: Option<String>,
    /// SHA-256 (hex) of the file as we left it.
    pub after: String,
    /// What we changed in its text, in the order of the changes.
    #[serde(default)]
    pub edits: Vec<Vec<Span>>,
}

/// One folder that we made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderEntry {
    /// As for a file.
    pub place: StoredPath,
    /// The folder.
    pub path: StoredPath,
}

/// `manifest.json` of a project, and `machine.json` for what all projects share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    schema: String,
    /// Files, in the order in which they were first written.
    #[serde(default)]
    pub files: Vec<FileEntry>,
    /// Folders, outer ones first.
    #[serde(default)]
    pub folders: Vec<FolderEntry>,
    /// Identities written into git configs.
    #[serde(default)]
    pub git_config: Vec<ConfigEdit>,
    /// Of the machine's manifest: the projects that rely on what it lists.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub projects: BTreeSet<ProjectId>,
}

impl Default for Manifest {
    fn default() -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            files: Vec::new(),
            folders: Vec::new(),
            git_config: Vec::new(),
            projects: BTreeSet::new(),
        }
    }
}

impl Manifest {
    /// The manifest of a store folder.
    pub fn path_in(store_dir: &Path) -> PathBuf {
        store_dir.join("manifest.json")
    }

    /// Reads one; a missing file is an empty manifest.
    pub fn read(path: &Path) -> Result<Self, Refusal> {
        let bytes = match read_file(path, CAP_BYTES) {
            Err(ReadError::Missing { .. }) => return Ok(Self::default()),
            read => read?,
        };
        let damaged = |why: String| Refusal::Manifest { path: path.to_owned(), why };
        let text = String::from_utf8(bytes).map_err(|error| damaged(error.to_string()))?;
        let manifest: Self = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        match manifest.schema.as_str() {
            SCHEMA => Ok(manifest),
            newer => Err(damaged(format!("its schema is {newer}, this six knows {SCHEMA}"))),
        }
    }

    /// Reads the one of a store folder, for a place of its project: a repository that was moved since takes its entries
    /// along.
    pub(super) fn read_for(store_dir: &Path, place: &Path) -> Result<Self, Refusal> {
        let mut manifest = Self::read(&Self::path_in(store_dir))?;
        if !manifest.files.iter().any(|entry| entry.place.as_ref() == place) {
            manifest.follow_to(place);
        }
        Ok(manifest)
    }

    /// Entries of places that are gone now count for this place, with their paths below its root.
    fn follow_to(&mut self, place: &Path) {
        let to = root_of_common_dir(place);
        let moved = |former: &Path, path: &Path| -> Option<PathBuf> {
            path.strip_prefix(root_of_common_dir(former)).ok().map(|inside| to.join(inside))
        };
        let mut gone: Vec<PathBuf> = Vec::new();
        let files = self.files.iter_mut().map(|entry| (&mut entry.place, &mut entry.path));
        let folders = self.folders.iter_mut().map(|entry| (&mut entry.place, &mut entry.path));
        for (former, path) in files.chain(folders).filter(|(former, _)| !former.0.is_dir()) {
            if let Some(new) = moved(&former.0, &path.0) {
                path.0 = new;
            }
            gone.push(std::mem::replace(&mut former.0, place.to_owned()));
        }
        for edit in &mut self.git_config {
            if let Some(new) = gone.iter().find_map(|former| moved(former, &edit.path.0)) {
                edit.path.0 = new;
            }
        }
    }

    /// Writes it, for the owner alone.
    pub fn write(&self, path: &Path) -> Result<(), AtomicError> {
        let mut bytes = serde_json::to_vec_pretty(self)
            .map_err(|error| AtomicError::Io { path: path.to_owned(), source: error.into() })?;
        bytes.push(b'\n');
        write_atomic(path, &bytes)
    }

    /// Nothing is left that would have to be taken back.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.folders.is_empty() && self.git_config.is_empty() && self.projects.is_empty()
    }

    /// The entry of a file.
    pub fn file(&self, path: &Path) -> Option<&FileEntry> {
        self.files.iter().find(|entry| entry.path.as_ref() == path)
    }

    /// Enters a change that is about to be made.
    ///
    /// A change to a file that is as we left it continues its entry, so that taking back leads to what was there before
    /// our first change. If the user changed it since, his text is what was there before.
    pub fn record(&mut self, change: &FileChange, place: &Path) {
        let before = change.before.as_deref().map(sha256_hex);
        let after = sha256_hex(&change.after);
        let edits: Vec<_> = Some(change.spans.clone()).filter(|spans| !spans.is_empty()).into_iter().collect();
        let known = self.files.iter_mut().find(|entry| entry.path.as_ref() == change.path);
        match known {
            Some(entry) if before.as_ref() == Some(&entry.after) => {
                entry.after = after;
                entry.edits.extend(edits);
            }
            Some(entry) => *entry = FileEntry { before, after, edits, ..entry.clone() },
            None => self.files.push(FileEntry {
                place: place.into(),
                path: change.path.as_path().into(),
                kind: change.kind,
                before,
                after,
                edits,
            }),
        }
    }

    /// Enters a folder that is about to be made.
    pub fn record_folder(&mut self, folder: &Path, place: &Path) {
        if !self.folders.iter().any(|entry| entry.path.as_ref() == folder) {
            self.folders.push(FolderEntry { place: place.into(), path: folder.into() });
        }
    }

    /// Enters an identity written into a git config.
    pub fn record_config(&mut self, edit: &ConfigEdit) {
        self.git_config.retain(|known| known.path != edit.path);
        self.git_config.push(edit.clone());
    }

    /// What was written into the git config of a common directory.
    pub fn config_edit(&self, common_dir: &Path) -> Option<&ConfigEdit> {
        let config = common_dir.join("config");
        let config = config.canonicalize().unwrap_or(config);
        self.git_config.iter().find(|edit| edit.path.as_ref() == config)
    }

    /// Takes all that belongs to a place out of this manifest.
    #[must_use = "what is taken out is in no manifest any more"]
    pub fn split_off(&mut self, place: &Path) -> Self {
        let config = place.join("config");
        let config = config.canonicalize().unwrap_or(config);
        Self {
            files: self.files.extract_if(.., |entry| entry.place.as_ref() == place).collect(),
            folders: self.folders.extract_if(.., |entry| entry.place.as_ref() == place).collect(),
            git_config: self.git_config.extract_if(.., |edit| edit.path.as_ref() == config).collect(),
            ..Self::default()
        }
    }
}

/// Moves what was written for a place from the manifest of the project that it leaves to that of the one it joins.
pub fn hand_over(from_store: &Path, to_store: &Path, place: &Path) -> Result<(), HandOverError> {
    let (from_path, to_path) = (Manifest::path_in(from_store), Manifest::path_in(to_store));
    let mut from = Manifest::read(&from_path)?;
    let part = from.split_off(place);
    if part.is_empty() {
        return Ok(());
    }
    let mut to = Manifest::read(&to_path)?;
    to.files.extend(part.files);
    to.folders.extend(part.folders);
    // The identity that this edit wrote has been replaced by now: its place in the file says nothing any more.
    to.write(&to_path)?;
    Ok(from.write(&from_path)?)
}

/// Enters for a copied folder what came along with it: files that are, byte for byte, what we wrote for the original.
pub fn copy_over(from_store: &Path, to_store: &Path, from: &Path, to: &Path) -> Result<(), HandOverError> {
    let (from_root, to_root) = (root_of_common_dir(from), root_of_common_dir(to));
    let copied = |path: &Path| path.strip_prefix(from_root).ok().map(|inside| StoredPath(to_root.join(inside)));
    let original = Manifest::read(&Manifest::path_in(from_store))?;
    let to_path = Manifest::path_in(to_store);
    let mut manifest = Manifest::read(&to_path)?;
    for entry in original.files.iter().filter(|entry| entry.place.as_ref() == from) {
        let Some(path) = copied(&entry.path.0).filter(|path| manifest.file(&path.0).is_none()) else { continue };
        if read_file(&path.0, CAP_BYTES).is_ok_and(|bytes| sha256_hex(&bytes) == entry.after) {
            manifest.files.push(FileEntry { place: to.into(), path, ..entry.clone() });
        }
    }
    for folder in original.folders.iter().filter(|entry| entry.place.as_ref() == from) {
        if let Some(path) = copied(&folder.path.0).filter(|path| path.0.is_dir()) {
            manifest.record_folder(&path.0, to);
        }
    }
    Ok(manifest.write(&to_path)?)
}

/// Enters an identity that was written into a git config outside an install.
pub fn record_identity(store_dir: &Path, edit: &ConfigEdit) -> Result<(), HandOverError> {
    let path = Manifest::path_in(store_dir);
    let mut manifest = Manifest::read(&path)?;
    manifest.record_config(edit);
    Ok(manifest.write(&path)?)
}

/// Why a manifest was not handed over.
#[derive(Debug, thiserror::Error)]
pub enum HandOverError {
    /// One of the two can't be read.
    #[error(transparent)]
    Unreadable(#[from] Refusal),
    /// One of the two can't be written.
    #[error(transparent)]
    Unwritable(#[from] AtomicError),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(before: Option<&str>, after: &str) -> FileChange {
        FileChange {
            kind: FileKind::Settings,
            path: "/w/api/.claude/settings.json".into(),
            before: before.map(|text| text.as_bytes().to_vec()),
            after: after.as_bytes().to_vec(),
            spans: vec![Span { at: 0, inserted_bytes: 1, removed: String::new() }],
            folders: Vec::new(),
        }
    }

    #[test]
    fn a_second_change_leads_back_to_what_was_there_before_the_first() {
        let mut manifest = Manifest::default();
        manifest.record(&change(None, "one"), Path::new("/w/api"));
        manifest.record(&change(Some("one"), "two"), Path::new("/w/api"));
        let [entry] = manifest.files.as_slice() else { panic!("{manifest:?}") };
        assert_eq!((&entry.before, entry.after.as_str(), entry.edits.len()), (&None, sha256_hex(b"two").as_str(), 2));
    }

    #[test]
    fn what_the_user_wrote_in_between_is_what_was_there_before() {
        let mut manifest = Manifest::default();
        manifest.record(&change(None, "one"), Path::new("/w/api"));
        manifest.record(&change(Some("mine"), "two"), Path::new("/w/api"));
        let [entry] = manifest.files.as_slice() else { panic!("{manifest:?}") };
        assert_eq!((&entry.before, entry.edits.len()), (&Some(sha256_hex(b"mine")), 1));
    }

    #[test]
    fn it_survives_its_file_and_a_later_schema_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = Manifest::path_in(dir.path());
        assert_eq!(Manifest::read(&path).unwrap(), Manifest::default());
        let mut manifest = Manifest::default();
        manifest.record(&change(Some("a"), "b"), Path::new("/w/api"));
        manifest.write(&path).unwrap();
        assert_eq!(Manifest::read(&path).unwrap(), manifest);
        std::fs::write(&path, "{\"schema\": \"six.manifest/2\"}").unwrap();
        assert!(matches!(Manifest::read(&path), Err(Refusal::Manifest { .. })));
    }

    #[test]
    fn a_copy_knows_the_files_that_came_along_unchanged() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for folder in ["one", "two", "api/.git", "copy/.git", "copy/.claude"] {
            std::fs::create_dir_all(at(folder)).unwrap();
        }
        let mut manifest = Manifest::default();
        for name in [".claude/settings.json", "CLAUDE.md"] {
            manifest.record(&FileChange { path: at("api").join(name), ..change(None, "ours") }, &at("api/.git"));
            std::fs::write(at("copy").join(name), "ours").unwrap();
        }
        manifest.record_folder(&at("api/.claude"), &at("api/.git"));
        manifest.write(&Manifest::path_in(&at("one"))).unwrap();
        std::fs::write(at("copy/CLAUDE.md"), "changed").unwrap();
        copy_over(&at("one"), &at("two"), &at("api/.git"), &at("copy/.git")).unwrap();
        let copy = Manifest::read(&Manifest::path_in(&at("two"))).unwrap();
        let [entry] = copy.files.as_slice() else { panic!("{copy:?}") };
        assert_eq!((&entry.path.0, &entry.place.0), (&at("copy/.claude/settings.json"), &at("copy/.git")));
        assert_eq!(copy.folders[0].path.0, at("copy/.claude"));
    }

    #[test]
    fn a_clone_that_changes_its_project_takes_its_files_along() {
        let dir = tempfile::tempdir().unwrap();
        let (one, two) = (dir.path().join("one"), dir.path().join("two"));
        std::fs::create_dir_all(&one).unwrap();
        std::fs::create_dir_all(&two).unwrap();
        let mut manifest = Manifest::default();
        manifest.record(&change(None, "a"), Path::new("/w/api/.git"));
        manifest.record(&FileChange { path: "/w/web/CLAUDE.md".into(), ..change(None, "b") }, Path::new("/w/web/.git"));
        manifest.write(&Manifest::path_in(&one)).unwrap();
        hand_over(&one, &two, Path::new("/w/web/.git")).unwrap();
        let paths = |store: &Path| -> Vec<PathBuf> {
            Manifest::read(&Manifest::path_in(store)).unwrap().files.into_iter().map(|entry| entry.path.0).collect()
        };
        assert_eq!(paths(&one), [Path::new("/w/api/.claude/settings.json")]);
        assert_eq!(paths(&two), [Path::new("/w/web/CLAUDE.md")]);
    }
}
