//! The process's environment, read once, and the folder that everything of ours lives in.

use six_core::record::ProjectId;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Every environment variable that six looks at, read once per process and handed on as an argument, so that no other
/// function reads the environment and a test can build any surrounding by hand.
///
/// A variable that is set to the empty string counts as not set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a variable of its own; they make no state together")]
pub struct Environment {
    /// `SIX_HOME`: where stores, registry and manifests live; not validated here, see [`SixHome::resolve`].
    pub six_home: Option<PathBuf>,
    /// The user's home folder: `HOME`, else what the platform's user database says. Never a project.
    pub home: Option<PathBuf>,
    /// The platform's folder for application data (`~/.local/share`, `~/Library/Application Support`, `%APPDATA%`).
    pub data_dir: Option<PathBuf>,
    /// `CLAUDE_PROJECT_DIR`: the folder that the host's session was started in.
    pub claude_project_dir: Option<PathBuf>,
    /// `CLAUDE_CONFIG_DIR`: the host's folder when it is not `~/.claude`.
    pub claude_config_dir: Option<PathBuf>,
    /// `SIX_CHILD`: this process was started by six; its hooks stay silent.
    pub six_child: bool,
    /// `CLAUDECODE`: this process was started by the host, so a command given here comes from the agent.
    pub claudecode: bool,
    /// `SIX_SYNTHETIC`: a benchmark or a probe; its rows are marked and left out of reports.
    pub six_synthetic: bool,
    /// `SIX_SHARED`: a folder of material to measure and to test with; not validated here.
    pub six_shared: Option<PathBuf>,
    /// `NO_COLOR`: no colour on a terminal.
    pub no_color: bool,
    /// `CLAUDE_CODE_SESSION_ID`: the host's session.
    pub session: Option<String>,
    /// `CLAUDE_CODE_ENTRYPOINT`: how the host was started (`cli`, `sdk-cli`); recorded, never a reason.
    pub entrypoint: Option<String>,
    /// `SIX_PATIENCE`, in builds with debug assertions only: how many times as long as in earnest a hook may take. What a
    /// hook does is tested by such builds, many at once; how long it takes is measured with those that are shipped.
    pub patience: Option<u32>,
}

impl Environment {
    /// The surrounding of this process.
    pub fn from_process() -> Environment {
        Environment {
            six_home: path("SIX_HOME"),
            home: dirs::home_dir(),
            data_dir: dirs::data_dir(),
            claude_project_dir: path("CLAUDE_PROJECT_DIR"),
            claude_config_dir: path("CLAUDE_CONFIG_DIR"),
            six_child: variable("SIX_CHILD").is_some(),
            six_synthetic: variable("SIX_SYNTHETIC").is_some(),
            claudecode: variable("CLAUDECODE").is_some(),
            six_shared: path("SIX_SHARED"),
            no_color: variable("NO_COLOR").is_some(),
            session: text("CLAUDE_CODE_SESSION_ID"),
            entrypoint: text("CLAUDE_CODE_ENTRYPOINT"),
            patience: text("SIX_PATIENCE").filter(|_| cfg!(debug_assertions)).and_then(|times| times.parse().ok()),
        }
    }

    /// How long something of a hook may take here that may take `time` in earnest.
    pub fn allow(&self, time: Duration) -> Duration {
        time.saturating_mul(self.patience.unwrap_or(1))
    }
}

fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

fn path(name: &str) -> Option<PathBuf> {
    variable(name).map(PathBuf::from)
}

fn text(name: &str) -> Option<String> {
    variable(name).and_then(|value| value.into_string().ok())
}

/// Why there is no folder for our data.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HomeError {
    /// Neither `SIX_HOME` nor a home folder.
    #[error("no folder for six's data: neither SIX_HOME nor HOME is set")]
    Nowhere,
    /// A relative folder would be another one in every working directory.
    #[error("{variable} must be an absolute path, it is {}", path.display())]
    Relative {
        /// The variable, or what stands for it.
        variable: &'static str,
        /// Its value.
        path: PathBuf,
    },
}

/// The folder of all that six keeps on this machine: an absolute path that need not exist yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SixHome {
    root: PathBuf,
}

impl SixHome {
    /// `SIX_HOME` if set, else `six` in the platform's data folder.
    pub fn resolve(env: &Environment) -> Result<SixHome, HomeError> {
        let (variable, root) = match (&env.six_home, &env.data_dir) {
            (Some(six_home), _) => ("SIX_HOME", six_home.clone()),
            (None, Some(data_dir)) => ("the data folder", data_dir.join("six")),
            (None, None) => return Err(HomeError::Nowhere),
        };
        if root.is_absolute() { Ok(SixHome { root }) } else { Err(HomeError::Relative { variable, path: root }) }
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The store folder of one project.
    pub fn projects_dir(&self, id: &ProjectId) -> PathBuf {
        self.root.join("projects").join(id.as_str())
    }

    /// The file that maps folders to identities.
    pub fn registry_path(&self) -> PathBuf {
        self.root.join("registry.json")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(six_home: Option<&str>, data_dir: Option<&str>) -> Environment {
        Environment {
            six_home: six_home.map(PathBuf::from),
            data_dir: data_dir.map(PathBuf::from),
            ..Environment::default()
        }
    }

    #[test]
    fn six_home_wins_over_the_data_folder() {
        let home = SixHome::resolve(&env(Some("/srv/six"), Some("/home/ada/.local/share"))).unwrap();
        assert_eq!(home.root(), Path::new("/srv/six"));
        assert_eq!(home.registry_path(), Path::new("/srv/six/registry.json"));
    }

    #[test]
    fn without_six_home_it_is_a_folder_of_our_own_in_the_data_folder() {
        let home = SixHome::resolve(&env(None, Some("/home/ada/.local/share"))).unwrap();
        let id = ProjectId::parse("abcdefghijklmnopqrstuvwxyz").unwrap();
        assert_eq!(home.projects_dir(&id), Path::new("/home/ada/.local/share/six/projects/abcdefghijklmnopqrstuvwxyz"));
    }

    #[test]
    fn home_unset_is_a_typed_error() {
        assert_eq!(SixHome::resolve(&env(None, None)), Err(HomeError::Nowhere));
    }

    #[test]
    fn a_relative_folder_is_refused_and_named() {
        let error = SixHome::resolve(&env(Some("six"), Some("/data"))).unwrap_err();
        assert_eq!(error.to_string(), "SIX_HOME must be an absolute path, it is six");
        assert!(matches!(SixHome::resolve(&env(None, Some("data"))), Err(HomeError::Relative { .. })));
    }
}
