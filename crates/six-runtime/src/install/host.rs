//! Where the host keeps its files.

use crate::home::Environment;
use crate::project::registry::root_of_common_dir;
use crate::read_file::read_file;
use six_core::event::slug;
use std::path::{Path, PathBuf};

/// Settings are a few kilobytes; what is larger is no settings file.
pub(super) const SETTINGS_CAP_BYTES: u64 = 4 << 20;

/// Which settings file of the host the hooks go into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// `.claude/settings.local.json` of one checkout; covers starts at its root.
    Local,
    /// `.claude/settings.json`, shared by everyone who works on the project.
    Project,
    /// `settings.json` in the host's own folder; covers every start of this user.
    User,
}

impl Scope {
    /// As it is written on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Project => "project",
            Self::User => "user",
        }
    }

    /// The file; `None` for the user's without a home folder.
    pub fn settings_path(self, root: &Path, claude_dir: Option<&Path>) -> Option<PathBuf> {
        match self {
            Self::Local => Some(root.join(".claude/settings.local.json")),
            Self::Project => Some(root.join(".claude/settings.json")),
            Self::User => claude_dir.map(|dir| dir.join("settings.json")),
        }
    }
}

/// The host's own folder: `CLAUDE_CONFIG_DIR`, else `~/.claude`; `None` without a home folder.
pub fn claude_dir(env: &Environment) -> Option<PathBuf> {
    let configured = env.claude_config_dir.clone().filter(|dir| dir.is_absolute());
    configured.or_else(|| env.home.as_ref().filter(|home| home.is_absolute()).map(|home| home.join(".claude")))
}

/// The folder of the host's memory files for a project: named after the git root of the main checkout, which sub folders
/// and worktrees share, unless a settings file moves it (`autoMemoryDirectory`).
pub fn memory_folder(claude_dir: &Path, root: &Path, common_dir: Option<&Path>) -> PathBuf {
    let moved = setting(claude_dir, root, |settings| {
        let folder = PathBuf::from(settings.get("autoMemoryDirectory")?.as_str()?);
        folder.is_absolute().then_some(folder)
    });
    moved.unwrap_or_else(|| {
        let checkout = common_dir.map(root_of_common_dir).filter(|main| Some(*main) != common_dir).unwrap_or(root);
        claude_dir.join("projects").join(slug(&checkout.to_string_lossy())).join("memory")
    })
}

/// Whether a settings file switches the host's own memory off (`autoMemoryEnabled`).
pub fn is_memory_off(claude_dir: &Path, root: &Path) -> bool {
    setting(claude_dir, root, |settings| settings.get("autoMemoryEnabled")?.as_bool()) == Some(false)
}

/// Days for which the host keeps session files where no settings file says otherwise.
const CLEANUP_DAYS: u64 = 30;

/// Days after which the host deletes session files (`cleanupPeriodDays`).
pub fn cleanup_days(claude_dir: &Path, root: &Path) -> u64 {
    setting(claude_dir, root, |settings| settings.get("cleanupPeriodDays")?.as_u64()).unwrap_or(CLEANUP_DAYS)
}

/// What the first of the settings files that the host honours says: the checkout's, the project's, the user's.
fn setting<T>(claude_dir: &Path, root: &Path, said: impl Fn(&serde_json::Value) -> Option<T>) -> Option<T> {
    let paths = [Scope::Local, Scope::Project, Scope::User].map(|scope| scope.settings_path(root, Some(claude_dir)));
    paths.into_iter().flatten().find_map(|path| {
        let bytes = read_file(&path, SETTINGS_CAP_BYTES).ok()?;
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
        said(&serde_json::from_str(str::from_utf8(bytes).ok()?).ok()?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worktrees_share_the_memory_of_the_main_checkout_and_a_bare_repository_has_none_to_share() {
        let dir = tempfile::tempdir().unwrap();
        let of = |root: &str, common: Option<&str>| {
            memory_folder(dir.path(), Path::new(root), common.map(Path::new))
                .strip_prefix(dir.path())
                .unwrap()
                .to_owned()
        };
        assert_eq!(of("/w/api", None), Path::new("projects/-w-api/memory"));
        assert_eq!(of("/w/api", Some("/w/api/.git")), Path::new("projects/-w-api/memory"));
        assert_eq!(of("/w/fix", Some("/w/api/.git")), Path::new("projects/-w-api/memory"));
        assert_eq!(of("/w/fix", Some("/srv/api.git")), Path::new("projects/-w-fix/memory"));
    }

    #[test]
    fn a_settings_file_may_move_the_memory() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("settings.json"), "\u{feff}{\"autoMemoryDirectory\": \"/notes/api\"}").unwrap();
        assert_eq!(memory_folder(dir.path(), Path::new("/w/api"), None), Path::new("/notes/api"));
        std::fs::write(dir.path().join("settings.json"), "{\"autoMemoryDirectory\": \"notes\"}").unwrap();
        assert_eq!(memory_folder(dir.path(), Path::new("/w/api"), None), dir.path().join("projects/-w-api/memory"));
    }

    #[test]
    fn a_settings_file_may_say_how_long_sessions_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(cleanup_days(dir.path(), Path::new("/w/api")), 30);
        std::fs::write(dir.path().join("settings.json"), "{\"cleanupPeriodDays\": 90}").unwrap();
        assert_eq!(cleanup_days(dir.path(), Path::new("/w/api")), 90);
    }

    #[test]
    fn without_a_home_only_a_configured_folder_is_known() {
        let env = |home: Option<&str>, configured: Option<&str>| Environment {
            home: home.map(PathBuf::from),
            claude_config_dir: configured.map(PathBuf::from),
            ..Environment::default()
        };
        assert_eq!(claude_dir(&env(None, None)), None);
        assert_eq!(claude_dir(&env(Some("/home/ada"), None)), Some("/home/ada/.claude".into()));
        assert_eq!(claude_dir(&env(Some("/home/ada"), Some("/etc/claude"))), Some("/etc/claude".into()));
        assert_eq!(claude_dir(&env(Some("/home/ada"), Some("here"))), Some("/home/ada/.claude".into()));
    }
}
