//! `registry.json`: which identities live on this machine, and where.

use super::adopt::{Known, RootFacts};
use super::remote::Remote;
use super::stored_path::StoredPath;
use crate::atomic::{self, AtomicError};
use crate::home::SixHome;
use crate::ids::{NoRandomness, random_record_id};
use crate::lock::{FileLock, LockError};
use crate::read_file::{ReadError, read_file};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use six_core::record::ProjectId;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

const SCHEMA: &str = "six.registry/1";
/// Room for some ten thousand projects.
const CAP_BYTES: u64 = 8 << 20;

/// Why the registry cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// The file is there and is no registry. It is left as it is.
    #[error("{} is damaged: {why}", path.display())]
    Corrupt {
        /// The registry.
        path: PathBuf,
        /// What the parser said.
        why: String,
    },
    /// A newer six wrote it.
    #[error("{} has schema {schema}, this six knows {SCHEMA}", path.display())]
    FromTheFuture {
        /// The registry.
        path: PathBuf,
        /// The schema found.
        schema: String,
    },
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// It cannot be written.
    #[error(transparent)]
    Unwritable(#[from] AtomicError),
    /// Its folder cannot be made, or a damaged file cannot be moved aside.
    #[error("cannot prepare {}: {source}", path.display())]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Another process is writing it.
    #[error(transparent)]
    Locked(#[from] LockError),
    /// No name for a file moved aside.
    #[error(transparent)]
    NoRandomness(#[from] NoRandomness),
}

/// Where a git project's identity is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeldIn {
    /// As `six.id` in the common directory's config.
    GitConfig,
    /// In the registry alone, because that config could not be written.
    Registry,
}

/// One common directory of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommonDir {
    /// Canonical path.
    pub path: StoredPath,
    /// Where its identity is kept.
    pub held_in: HeldIn,
}

/// One project.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Canonical roots without git.
    #[serde(default)]
    pub roots: Vec<StoredPath>,
    /// Its live common directories: one, and the clones that were adopted.
    #[serde(default)]
    pub common_dirs: Vec<CommonDir>,
    /// Roots that it had before.
    #[serde(default)]
    pub aliases: Vec<StoredPath>,
    /// Identities of projects that were merged into it: a place that still holds one of them belongs here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merged: Vec<ProjectId>,
    /// Its first commit, for adoption.
    #[serde(default)]
    pub root_commit: Option<String>,
    /// Its remote, for adoption.
    #[serde(default)]
    pub remote: Option<Remote>,
    /// When it was installed first.
    #[serde(default)]
    pub created_at_unix_ms: i64,
    /// Fields of a later six, kept as they are.
    #[serde(flatten)]
    other: BTreeMap<String, Value>,
}

impl Entry {
    /// A project without any place yet.
    pub fn new(created_at_unix_ms: i64) -> Entry {
        Entry { created_at_unix_ms, ..Entry::default() }
    }

    /// Adds a common directory, or corrects where its identity is kept.
    pub fn list(&mut self, path: &Path, held_in: HeldIn) {
        self.common_dirs.retain(|listed| listed.path.as_ref() != path);
        self.common_dirs.push(CommonDir { path: path.into(), held_in });
        self.aliases.retain(|alias| alias.as_ref() != root_of_common_dir(path));
    }

    /// Removes a common directory; its root becomes an alias.
    pub fn unlist(&mut self, path: &Path) {
        self.common_dirs.retain(|listed| listed.path.as_ref() != path);
        self.alias(root_of_common_dir(path));
    }

    /// Remembers a former root.
    pub fn alias(&mut self, root: &Path) {
        if !self.aliases.iter().any(|alias| alias.as_ref() == root) {
            self.aliases.push(root.into());
        }
    }

    /// Takes what is known now and keeps what was known before.
    pub fn learn(&mut self, facts: &RootFacts) {
        if let Some(commit) = facts.root_commit.as_ref().filter(|_| !facts.shallow) {
            self.root_commit.get_or_insert_with(|| commit.clone());
        }
        if let Some(remote) = &facts.remote {
            self.remote = Some(remote.clone());
        }
    }

    /// No folder of this machine has this identity any more; the store may still be there.
    pub fn is_orphan(&self) -> bool {
        self.roots.is_empty() && self.common_dirs.is_empty()
    }
}

/// The root that people know a common directory by: the folder round `.git`, else the directory itself.
pub fn root_of_common_dir(common_dir: &Path) -> &Path {
    match (common_dir.file_name(), common_dir.parent()) {
        (Some(name), Some(root)) if name == ".git" => root,
        _ => common_dir,
    }
}

/// The whole file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Registry {
    /// By identity.
    pub projects: BTreeMap<ProjectId, Entry>,
    other: BTreeMap<String, Value>,
}

#[derive(Serialize, Deserialize)]
struct Wire {
    schema: String,
    projects: BTreeMap<ProjectId, Entry>,
    #[serde(flatten)]
    other: BTreeMap<String, Value>,
}

impl Registry {
    /// Reads the file; a missing one is an empty registry, a damaged one an error.
    pub fn read(path: &Path) -> Result<Registry, RegistryError> {
        let bytes = match read_file(path, CAP_BYTES) {
            Err(ReadError::Missing { .. }) => return Ok(Registry::default()),
            read => read?,
        };
        let corrupt = |why: String| RegistryError::Corrupt { path: path.into(), why };
        let text = String::from_utf8(bytes).map_err(|error| corrupt(error.to_string()))?;
        // The schema first: what a newer version holds need not have the shape that we know.
        let value: Value = serde_json::from_str(&text).map_err(|error| corrupt(error.to_string()))?;
        match value.get("schema").and_then(Value::as_str) {
            Some(schema) if schema != SCHEMA => {
                Err(RegistryError::FromTheFuture { path: path.into(), schema: schema.to_owned() })
            }
            _ => {
                let wire: Wire = serde_json::from_value(value).map_err(|error| corrupt(error.to_string()))?;
                Ok(Registry { projects: wire.projects, other: wire.other })
            }
        }
    }

    /// The project whose root without git is exactly this canonical folder.
    pub fn project_at_root(&self, root: &Path) -> Option<&ProjectId> {
        self.find(|entry| entry.roots.iter().any(|listed| listed.as_ref() == root))
    }

    /// The project whose identity is kept here for this common directory.
    pub fn project_at_common_dir(&self, common_dir: &Path) -> Option<&ProjectId> {
        self.find(|entry| {
            entry
                .common_dirs
                .iter()
                .any(|listed| listed.held_in == HeldIn::Registry && listed.path.as_ref() == common_dir)
        })
    }

    /// The project that an identity stands for: the one that it was merged into, else itself.
    pub fn current<'r>(&'r self, id: &'r ProjectId) -> &'r ProjectId {
        self.find(|entry| entry.merged.contains(id)).unwrap_or(id)
    }

    /// Everything that adoption compares with.
    pub fn known(&self) -> Vec<Known> {
        self.projects
            .iter()
            .map(|(id, entry)| Known {
                id: id.clone(),
                root_commit: entry.root_commit.clone(),
                remote: entry.remote.clone(),
                orphaned_from: if entry.is_orphan() {
                    entry.aliases.iter().map(|alias| alias.0.clone()).collect()
                } else {
                    Vec::new()
                },
            })
            .collect()
    }

    fn find(&self, holds: impl Fn(&Entry) -> bool) -> Option<&ProjectId> {
        self.projects.iter().find(|(_, entry)| holds(entry)).map(|(id, _)| id)
    }

    fn write(&self, path: &Path) -> Result<(), RegistryError> {
        let wire = Wire { schema: SCHEMA.into(), projects: self.projects.clone(), other: self.other.clone() };
        let mut bytes = serde_json::to_vec_pretty(&wire)
            .map_err(|error| RegistryError::Corrupt { path: path.into(), why: error.to_string() })?;
        bytes.push(b'\n');
        Ok(atomic::write_atomic(path, &bytes)?)
    }
}

/// What to do with a registry that cannot be parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damaged {
    /// Fail and touch nothing.
    Refuse,
    /// Rename it beside itself and begin with an empty one.
    SetAside,
}

/// The registry under its lock: nobody else writes it until this is dropped.
#[derive(Debug)]
pub struct LockedRegistry {
    /// To be changed in place, then [saved](LockedRegistry::save).
    pub registry: Registry,
    /// Where a damaged file was moved to.
    pub set_aside: Option<PathBuf>,
    path: PathBuf,
    read: Registry,
    _lock: FileLock,
}

impl LockedRegistry {
    /// Takes the lock and reads the file.
    pub fn lock(home: &SixHome, wait: Duration, damaged: Damaged) -> Result<LockedRegistry, RegistryError> {
        let folder = |source| RegistryError::Folder { path: home.root().into(), source };
        atomic::create_private_dir(home.root()).map_err(folder)?;
        let path = home.registry_path();
        let lock = FileLock::acquire(&path.with_extension("lock"), wait)?;
        let (registry, set_aside) = match Registry::read(&path) {
            Err(RegistryError::Corrupt { .. }) if damaged == Damaged::SetAside => {
                (Registry::default(), Some(set_aside(&path)?))
            }
            read => (read?, None),
        };
        Ok(LockedRegistry { read: registry.clone(), registry, set_aside, path, _lock: lock })
    }

    /// Writes the file if anything changed.
    pub fn save(&mut self) -> Result<(), RegistryError> {
        if self.registry != self.read {
            self.registry.write(&self.path)?;
            self.read = self.registry.clone();
        }
        Ok(())
    }
}

fn set_aside(path: &Path) -> Result<PathBuf, RegistryError> {
    let aside = path.with_extension(format!("damaged-{}.json", random_record_id()?));
    std::fs::rename(path, &aside).map_err(|source| RegistryError::Folder { path: path.into(), source })?;
    Ok(aside)
}

#[cfg(test)]
mod tests {
    use super::super::scratch::Scratch;
    use super::*;

    fn id(letter: char) -> ProjectId {
        ProjectId::parse(&letter.to_string().repeat(26)).unwrap()
    }

    fn lock(home: &SixHome) -> LockedRegistry {
        LockedRegistry::lock(home, Duration::from_secs(10), Damaged::Refuse).unwrap()
    }

    fn put(home: &SixHome, letter: char) {
        let mut locked = lock(home);
        let entry = Entry { roots: vec![Path::new("/srv/plain").into()], ..Entry::default() };
        locked.registry.projects.insert(id(letter), entry);
        locked.save().unwrap();
    }

    #[test]
    fn the_file_is_readable_and_says_its_schema() {
        let scratch = Scratch::new();
        let mut locked = lock(&scratch.six_home());
        let mut entry = Entry { created_at_unix_ms: 7, root_commit: Some("c1".into()), ..Entry::default() };
        entry.list(Path::new("/w/api/.git"), HeldIn::GitConfig);
        entry.alias(Path::new("/w/old"));
        entry.remote = Some(Remote::Hosted("example.invalid/a/api".into()));
        locked.registry.projects.insert(id('a'), entry);
        locked.save().unwrap();
        let text = std::fs::read_to_string(scratch.six_home().registry_path()).unwrap();
        insta::assert_snapshot!(text, @r#"
        {
          "schema": "six.registry/1",
          "projects": {
            "aaaaaaaaaaaaaaaaaaaaaaaaaa": {
              "roots": [],
              "common_dirs": [
                {
                  "path": "/w/api/.git",
                  "held_in": "git_config"
                }
              ],
              "aliases": [
                "/w/old"
              ],
              "root_commit": "c1",
              "remote": {
                "hosted": "example.invalid/a/api"
              },
              "created_at_unix_ms": 7
            }
          }
        }
        "#);
    }

    #[test]
    fn twenty_writers_lose_nothing() {
        let scratch = Scratch::new();
        std::thread::scope(|scope| {
            for letter in 'a'..='t' {
                let home = scratch.six_home();
                scope.spawn(move || put(&home, letter));
            }
        });
        assert_eq!(Registry::read(&scratch.six_home().registry_path()).unwrap().projects.len(), 20);
    }

    #[test]
    fn a_damaged_file_is_an_error_until_it_is_set_aside_and_then_it_is_kept() {
        let scratch = Scratch::new();
        let home = scratch.six_home();
        put(&home, 'a');
        std::fs::write(home.registry_path(), b"{\"schema\": \"six.reg").unwrap();
        assert!(matches!(Registry::read(&home.registry_path()), Err(RegistryError::Corrupt { .. })));
        let refused = LockedRegistry::lock(&home, Duration::ZERO, Damaged::Refuse);
        assert!(matches!(refused, Err(RegistryError::Corrupt { .. })));
        drop(refused);
        let locked = LockedRegistry::lock(&home, Duration::ZERO, Damaged::SetAside).unwrap();
        assert_eq!(std::fs::read(locked.set_aside.as_ref().unwrap()).unwrap(), b"{\"schema\": \"six.reg");
        assert!(locked.registry.projects.is_empty());
    }

    #[test]
    fn a_newer_schema_is_not_touched() {
        let scratch = Scratch::new();
        let home = scratch.six_home();
        put(&home, 'a');
        let newer = br#"{"schema": "six.registry/2", "projects": [], "more": 1}"#;
        std::fs::write(home.registry_path(), newer).unwrap();
        let refused = LockedRegistry::lock(&home, Duration::ZERO, Damaged::SetAside);
        assert!(matches!(refused, Err(RegistryError::FromTheFuture { schema, .. }) if schema == "six.registry/2"));
        assert_eq!(std::fs::read(home.registry_path()).unwrap(), newer);
    }

    #[test]
    fn fields_of_a_later_six_survive_our_writing() {
        let scratch = Scratch::new();
        let home = scratch.six_home();
        put(&home, 'a');
        let text = format!(
            r#"{{"schema": "six.registry/1", "theme": "dark", "projects": {{"{}": {{"pinned": true}}}}}}"#,
            id('b')
        );
        std::fs::write(home.registry_path(), text).unwrap();
        put(&home, 'a');
        let text = std::fs::read_to_string(home.registry_path()).unwrap();
        assert!(text.contains("\"pinned\": true") && text.contains("\"theme\": \"dark\""), "{text}");
    }

    #[test]
    fn saving_without_a_change_writes_nothing() {
        let scratch = Scratch::new();
        lock(&scratch.six_home()).save().unwrap();
        assert!(!scratch.six_home().registry_path().exists());
    }
}
