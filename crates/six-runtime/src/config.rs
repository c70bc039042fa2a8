//! The two files of configuration: the machine's in [`SixHome`], and the project's in its store folder, which wins. Both
//! lie outside every work tree, so nothing that is checked out can set anything.

use std::path::{Path, PathBuf};
use std::time::Duration;

use ignore::gitignore::GitignoreBuilder;
use six_core::config::{
    Config, ConfigChange, ConfigFault, ConfigValues, Key, Takes, parse_config, plan_set, plan_unset,
};

use crate::atomic::{AtomicError, create_private_dir, write_atomic};
use crate::home::{Environment, HomeError, SixHome};
use crate::lock::{FileLock, LockError};
use crate::read_file::{ReadError, read_file};

/// The name of both files.
const FILE: &str = "config.json";

/// A file has a few lines; what is larger is none.
const CAP_BYTES: u64 = 256 * 1024;

/// How long a change waits for another one.
const WAIT: Duration = Duration::from_secs(5);

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Of all projects of this machine.
    Machine,
    /// Of one project.
    Project,
}

impl Level {
    /// As it is printed.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Machine => "machine",
            Self::Project => "project",
        }
    }
}

/// Why a file can't be used or changed.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// What it says is wrong.
    #[error("{}: {fault}", path.display())]
    Fault {
        /// Whose file it is.
        level: Level,
        /// The file.
        path: PathBuf,
        /// Where and why.
        fault: ConfigFault,
    },
    /// A pattern that can't be understood.
    #[error("{key} takes patterns of a .gitignore: {source}")]
    Pattern {
        /// The key.
        key: &'static str,
        /// What is wrong with it.
        source: ignore::Error,
    },
    /// It can't be read.
    #[error(transparent)]
    Unread(#[from] ReadError),
    /// It can't be written.
    #[error(transparent)]
    Unwritten(#[from] AtomicError),
    /// Another process changes it.
    #[error(transparent)]
    Locked(#[from] LockError),
    /// There is no place for it.
    #[error(transparent)]
    Homeless(#[from] HomeError),
    /// Its folder can't be made.
    #[error("cannot create {}: {source}", path.display())]
    NoFolder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// One of the two files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigFile {
    level: Level,
    path: PathBuf,
}

impl ConfigFile {
    /// That of the machine.
    pub fn of_machine(home: &SixHome) -> Self {
        Self { level: Level::Machine, path: home.root().join(FILE) }
    }

    /// That of the project with this store folder.
    pub fn of_project(store_dir: &Path) -> Self {
        Self { level: Level::Project, path: store_dir.join(FILE) }
    }

    /// Whose file it is.
    pub const fn level(&self) -> Level {
        self.level
    }

    /// Where it lies, whether it exists or not.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Sets a key to a value that [`Key::parse`] gave.
    pub fn set(&self, key: &Key, value: serde_json::Value) -> Result<(), ConfigError> {
        if key.takes == Takes::Patterns {
            judge_patterns(key, &value)?;
        }
        self.change(|bytes| plan_set(bytes, key, value)).map(drop)
    }

    /// Takes a member out, be it a key or not; answers whether it was there.
    pub fn unset(&self, name: &str) -> Result<bool, ConfigError> {
        self.change(|bytes| plan_unset(bytes, name))
    }

    fn read(&self) -> Result<ConfigValues, ConfigError> {
        parse_config(&self.bytes()?).map_err(|fault| self.fault(fault))
    }

    /// No file is an empty one.
    fn bytes(&self) -> Result<Vec<u8>, ConfigError> {
        match read_file(&self.path, CAP_BYTES) {
            Err(ReadError::Missing { .. }) => Ok(Vec::new()),
            read => Ok(read?),
        }
    }

    fn change(&self, plan: impl FnOnce(&[u8]) -> Result<ConfigChange, ConfigFault>) -> Result<bool, ConfigError> {
        if let Some(folder) = self.path.parent() {
            create_private_dir(folder).map_err(|source| ConfigError::NoFolder { path: folder.to_owned(), source })?;
        }
        let _lock = FileLock::acquire(&self.path.with_extension("lock"), WAIT)?;
        let bytes = self.bytes()?;
        let change = plan(&bytes).map_err(|fault| self.fault(fault))?;
        if change.text.as_bytes() != bytes {
            write_atomic(&self.path, change.text.as_bytes())?;
        }
        Ok(change.was_set)
    }

    fn fault(&self, fault: ConfigFault) -> ConfigError {
        ConfigError::Fault { level: self.level, path: self.path.clone(), fault }
    }
}

/// Whether all patterns can be understood. One that is written into the file by hand is told of by the next ingest.
fn judge_patterns(key: &Key, patterns: &serde_json::Value) -> Result<(), ConfigError> {
    let mut builder = GitignoreBuilder::new("");
    for pattern in patterns.as_array().into_iter().flatten().filter_map(serde_json::Value::as_str) {
        builder.add_line(None, pattern).map_err(|source| ConfigError::Pattern { key: key.name, source })?;
    }
    Ok(())
}

/// What both files say together.
#[derive(Debug, Default)]
pub struct Configuration {
    /// All settings. A file that can't be used sets nothing.
    pub config: Config,
    /// What is wrong with the files: none, one or both.
    pub faults: Vec<ConfigError>,
    broken: Vec<Level>,
    machine: ConfigValues,
    project: ConfigValues,
}

impl Configuration {
    /// Reads the files; without a store folder only that of the machine. Never fails: hooks go on with the defaults, and
    /// `six status` names the faults.
    pub fn read(env: &Environment, store_dir: Option<&Path>) -> Self {
        let mut read = Self::default();
        read.machine = match SixHome::resolve(env) {
            Ok(home) => read.values_of(&ConfigFile::of_machine(&home)),
            Err(_) => ConfigValues::default(),
        };
        read.project = store_dir.map(|dir| read.values_of(&ConfigFile::of_project(dir))).unwrap_or_default();
        read.machine.apply(&mut read.config);
        read.project.apply(&mut read.config);
        read
    }

    /// The settings, unless something is wrong with a file: for commands, which refuse rather than do what nobody set.
    pub fn whole(mut self) -> Result<Config, ConfigError> {
        match self.faults.pop() {
            None => Ok(self.config),
            Some(fault) => Err(fault),
        }
    }

    /// The files that set nothing because they can't be used, for a receipt: `config:project`.
    pub fn doubts(&self) -> Vec<String> {
        self.broken.iter().map(|level| format!("config:{}", level.as_str())).collect()
    }

    /// Whose file sets the key; `None` for the default.
    pub fn set_by(&self, key: &Key) -> Option<Level> {
        let levels = [(Level::Project, &self.project), (Level::Machine, &self.machine)];
        levels.into_iter().find(|(_, values)| values.sets(key)).map(|(level, _)| level)
    }

    fn values_of(&mut self, file: &ConfigFile) -> ConfigValues {
        file.read().unwrap_or_else(|fault| {
            self.faults.push(fault);
            self.broken.push(file.level);
            ConfigValues::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use six_core::search::Fusion;

    use super::*;

    struct World {
        _dir: tempfile::TempDir,
        env: Environment,
        machine: ConfigFile,
        project: ConfigFile,
    }

    impl World {
        fn new() -> Self {
            let dir = tempfile::tempdir().unwrap();
            let env = Environment { six_home: Some(dir.path().join("six")), ..Environment::default() };
            let home = SixHome::resolve(&env).unwrap();
            let store_dir = home.root().join("projects/a");
            Self { machine: ConfigFile::of_machine(&home), project: ConfigFile::of_project(&store_dir), _dir: dir, env }
        }

        fn read(&self) -> Configuration {
            Configuration::read(&self.env, self.project.path().parent())
        }
    }

    fn key(name: &str) -> &'static Key {
        Key::find(name).unwrap()
    }

    #[test]
    fn the_projects_file_wins_over_the_machines_and_both_over_the_default() {
        let world = World::new();
        assert_eq!(world.read().config, Config::default());
        world.machine.set(key("search.fusion"), "rrf".into()).unwrap();
        world.machine.set(key("store.quota_mib"), 7.into()).unwrap();
        world.project.set(key("store.quota_mib"), 9.into()).unwrap();
        let read = world.read();
        assert_eq!((read.config.search.fusion, read.config.store.quota_mib), (Fusion::rrf(), 9));
        assert_eq!(
            ["search.fusion", "store.quota_mib", "embed.provider"].map(|name| read.set_by(key(name))),
            [Some(Level::Machine), Some(Level::Project), None]
        );
        assert!(world.project.unset("store.quota_mib").unwrap());
        assert!(!world.project.unset("store.quota_mib").unwrap());
        assert_eq!(world.read().config.store.quota_mib, 7);
        assert_eq!(Configuration::read(&world.env, None).config.store.quota_mib, 7);
    }

    #[test]
    fn a_broken_file_sets_nothing_and_says_where_it_is_broken() {
        let world = World::new();
        world.machine.set(key("store.quota_mib"), 7.into()).unwrap();
        world.project.set(key("search.fusion"), "rrf".into()).unwrap();
        fs::write(world.project.path(), "{\n  \"search.fusion\": \"rrf\",\n}\n").unwrap();
        let read = world.read();
        assert_eq!((read.config.search.fusion, read.config.store.quota_mib), (Fusion::default(), 7));
        assert_eq!(read.doubts(), ["config:project"]);
        let fault = read.whole().unwrap_err();
        assert_eq!(fault.to_string(), format!("{}: line 3: not JSON: trailing comma", world.project.path().display()));
        // A change does not paper over it.
        let before = fs::read(world.project.path()).unwrap();
        assert!(matches!(world.project.unset("search.fusion"), Err(ConfigError::Fault { level: Level::Project, .. })));
        assert_eq!(fs::read(world.project.path()).unwrap(), before);
    }

    #[test]
    fn a_pattern_that_nothing_understands_is_not_set() {
        let world = World::new();
        let refused = world.project.set(key("ingest.ledgers"), vec!["a.md", "b{c"].into()).unwrap_err().to_string();
        assert!(refused.starts_with("ingest.ledgers takes patterns of a .gitignore: ") && refused.contains("b{c"));
        assert!(!world.project.path().exists());
        world.project.set(key("ingest.ledgers"), vec!["a.md", "b{c,d}/*.md"].into()).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_for_its_owner_alone() {
        use std::os::unix::fs::PermissionsExt;
        let world = World::new();
        world.machine.set(key("search.fusion"), "rrf".into()).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(world.machine.path()), mode(world.machine.path().parent().unwrap())), (0o600, 0o700));
    }

    #[test]
    fn changes_at_the_same_time_are_all_kept() {
        let world = World::new();
        let changes = [("search.fusion", "rrf"), ("embed.provider", "ollama"), ("embed.transcripts", "all")];
        std::thread::scope(|threads| {
            for (name, value) in changes {
                threads.spawn(|| world.machine.set(key(name), value.into()).unwrap());
            }
        });
        let read = world.read();
        assert!(changes.iter().all(|(name, _)| read.set_by(key(name)) == Some(Level::Machine)));
    }
}
