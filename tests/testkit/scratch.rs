//! A machine of its own for one test: a home, a project under git, a place for stores, an empty environment.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use serde_json::{Map, Value};
use tempfile::TempDir;

use crate::ran::{self, HookRun, LIMIT, Ran, Stdin};
use crate::session::Session;
use crate::transcript::Transcript;
use crate::{binaries, repository};

/// How many times as long as in earnest a hook may take, if its build lets itself be told: the tests share few cores.
pub(crate) const PATIENCE: u32 = 10;

/// The installer builds the release binaries first.
const INSTALLATION: Duration = Duration::from_secs(20 * 60);

/// The scratch machine; its folders go when it is dropped.
#[derive(Debug)]
pub struct Scratch {
    root: PathBuf,
    bin: PathBuf,
    guard: TempDir,
}

impl Scratch {
    /// A machine with a project of one commit, the binaries of this tree, nothing installed.
    pub fn new() -> Self {
        Self::with_binaries(binaries())
    }

    /// The same with the binaries of another folder, those that an installer put somewhere for example.
    pub fn with_binaries(bin: &Path) -> Self {
        let folder = tempfile::Builder::new().prefix("six-test-").tempdir().expect("a temporary folder");
        let root = folder.path().canonicalize().expect("a folder just made");
        let scratch = Self { root, bin: bin.to_path_buf(), guard: folder };
        for made in [scratch.home(), scratch.project(), scratch.root.join("tmp")] {
            fs::create_dir_all(&made).expect("a scratch folder can be made");
        }
        fs::write(scratch.project().join("README.md"), "# Harbour\n\nA made-up service that counts ships.\n")
            .expect("a scratch file can be written");
        scratch.git(&["init", "--quiet", "--initial-branch=main"]);
        scratch.commit("start: a readme");
        scratch
    }

    /// Lets the machine stay on the disk, and answers where.
    pub fn keep(self) -> PathBuf {
        self.guard.keep()
    }

    /// The home folder. It lies where the rig makes the client's home, so that both are one.
    pub fn home(&self) -> PathBuf {
        self.host().join("home")
    }

    /// Where the rig leaves its files.
    pub(crate) fn host(&self) -> PathBuf {
        self.root.join("host")
    }

    /// `SIX_HOME`.
    pub fn six_home(&self) -> PathBuf {
        self.root.join("six-home")
    }

    /// The project: a git repository.
    pub fn project(&self) -> PathBuf {
        self.root.join("project")
    }

    /// Any other folder of this machine; made if it is not there.
    pub fn folder(&self, name: &str) -> PathBuf {
        let folder = self.root.join(name);
        fs::create_dir_all(&folder).expect("a scratch folder can be made");
        folder
    }

    /// Another project: a git repository of one commit in that folder.
    pub fn repository(&self, name: &str) -> PathBuf {
        let folder = self.folder(name);
        fs::write(folder.join("README.md"), "# Quay\n").expect("a scratch file can be written");
        self.git_in(&folder, &["init", "--quiet", "--initial-branch=main"]);
        self.git_in(&folder, &["add", "--all"]);
        self.git_in(&folder, &["commit", "--quiet", "--message", "start"]);
        folder
    }

    /// The folder of the only store on this machine.
    pub fn store_folder(&self) -> PathBuf {
        let projects = self.six_home().join("projects");
        let found: Vec<PathBuf> = fs::read_dir(&projects)
            .map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
            .unwrap_or_default();
        match found.as_slice() {
            [only] => only.clone(),
            _ => panic!("one store was expected in {}, there are {}", projects.display(), found.len()),
        }
    }

    /// `program`, ready to run in the project with this machine's environment and nothing of the caller's but PATH.
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command
            .current_dir(self.project())
            .env_clear()
            .env("PATH", env::var_os("PATH").expect("PATH is set"))
            .env("HOME", self.home())
            .env("LANG", "C.UTF-8")
            .env("TMPDIR", self.root.join("tmp"))
            .env("SIX_HOME", self.six_home())
            .env("SIX_PATIENCE", PATIENCE.to_string())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null");
        command
    }

    /// Runs `program` to its end.
    pub fn run(&self, command: Command) -> Ran {
        ran::run(command, &[], LIMIT).into()
    }

    /// Runs `six ARGS` in the project.
    pub fn six(&self, args: &[&str]) -> Ran {
        self.run(self.six_command(args))
    }

    /// Runs `six ARGS` as an agent in a session does.
    pub fn six_as_agent(&self, args: &[&str]) -> Ran {
        let mut command = self.six_command(args);
        command.env("CLAUDECODE", "1");
        self.run(command)
    }

    /// Runs `six ARGS` with a text on its stdin.
    pub fn six_with(&self, args: &[&str], stdin: &str) -> Ran {
        ran::run(self.six_command(args), stdin.as_bytes(), LIMIT).into()
    }

    /// Runs `six ARGS` in another folder.
    pub fn six_in(&self, folder: &Path, args: &[&str]) -> Ran {
        let mut command = self.six_command(args);
        command.current_dir(folder);
        self.run(command)
    }

    /// `six ARGS`, to be changed before it runs.
    pub fn six_command(&self, args: &[&str]) -> Command {
        let mut command = self.command(self.bin.join("six"));
        command.args(args);
        command
    }

    /// The hook `six-NAME` with the variables that the host adds, to be changed before it runs.
    pub fn hook_command(&self, name: &str) -> Command {
        let mut command = self.command(self.bin.join(format!("six-{name}")));
        command.env("CLAUDE_PROJECT_DIR", self.project()).env("CLAUDECODE", "1").env("CLAUDE_CODE_ENTRYPOINT", "cli");
        command
    }

    /// The same hook with no more time than it has in earnest.
    pub fn impatient_hook(&self, name: &str) -> Command {
        let mut command = self.hook_command(name);
        command.env_remove("SIX_PATIENCE");
        command
    }

    /// Runs the hook `six-NAME` as the host would: the payload as one line on stdin, in the folder that it names.
    pub fn hook(&self, name: &str, payload: &Value) -> HookRun {
        let mut command = self.hook_command(name);
        if let Some(folder) = payload["cwd"].as_str().map(Path::new).filter(|folder| folder.is_dir()) {
            command.current_dir(folder).env("CLAUDE_PROJECT_DIR", folder);
        }
        self.hook_bytes(command, format!("{payload}\n").as_bytes())
    }

    /// Runs a hook with any bytes on its stdin.
    pub fn hook_bytes(&self, command: Command, stdin: &[u8]) -> HookRun {
        ran::run(command, stdin, LIMIT)
    }

    /// The same, and stdin stays open until the hook has ended.
    pub fn hook_held_open(&self, command: Command, stdin: &[u8]) -> HookRun {
        ran::run_with(command, stdin, Stdin::Open, LIMIT)
    }

    /// Runs git in the project; answers what it printed.
    pub fn git(&self, args: &[&str]) -> String {
        self.git_in(&self.project(), args)
    }

    /// Runs git in another folder; answers what it printed.
    pub fn git_in(&self, folder: &Path, args: &[&str]) -> String {
        let mut command = self.command("git");
        command
            .current_dir(folder)
            .args(args)
            .env("GIT_AUTHOR_NAME", "Robin Sample")
            .env("GIT_AUTHOR_EMAIL", "robin@example.invalid")
            .env("GIT_AUTHOR_DATE", "2026-01-05T08:00:00Z")
            .env("GIT_COMMITTER_NAME", "Robin Sample")
            .env("GIT_COMMITTER_EMAIL", "robin@example.invalid")
            .env("GIT_COMMITTER_DATE", "2026-01-05T08:00:00Z");
        self.run(command).ok().stdout.clone()
    }

    /// Writes a file of the project, folders included.
    pub fn write(&self, path: &str, text: &str) {
        let file = self.project().join(path);
        fs::create_dir_all(file.parent().expect("a file has a folder")).expect("a scratch folder can be made");
        fs::write(file, text).expect("a scratch file can be written");
    }

    /// Commits everything that the project holds.
    pub fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", message]);
    }

    /// Session number `number` in the project; the same number is the same session.
    pub fn session(&self, number: u16) -> Session {
        Session::new(number, &self.home(), &self.project())
    }

    /// The same for a session that was started in another folder.
    pub fn session_in(&self, number: u16, folder: &Path) -> Session {
        Session::new(number, &self.home(), folder)
    }

    /// A transcript for `session`, empty as yet.
    pub fn transcript(&self, session: &Session) -> Transcript {
        Transcript::new(session)
    }

    /// The rows of a query on the only store, each an object by column name; a blob is given by its length.
    pub fn store_rows(&self, sql: &str) -> Vec<Map<String, Value>> {
        let file = self.store_folder().join("memory.db");
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let store = Connection::open_with_flags(&file, flags).expect("the store opens");
        let mut statement = store.prepare(sql).unwrap_or_else(|why| panic!("{sql}: {why}"));
        let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let rows = statement.query_map([], |row| {
            names
                .iter()
                .enumerate()
                .map(|(column, name)| Ok((name.clone(), json_of(row.get_ref(column)?))))
                .collect::<rusqlite::Result<Map<String, Value>>>()
        });
        rows.and_then(Iterator::collect).unwrap_or_else(|why| panic!("{sql}: {why}"))
    }

    /// Runs the repository's `install.sh ARGS` on this machine. The toolchain is the caller's: it is no part of what a
    /// project or a home holds.
    pub fn install_script(&self, args: &[&str]) -> Ran {
        let mut command = self.command("sh");
        command.arg(repository().join("install.sh")).args(args);
        let home = env::home_dir().expect("a home");
        for (name, default) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
            command.env(name, env::var_os(name).unwrap_or_else(|| home.join(default).into_os_string()));
        }
        for name in ["CARGO_TARGET_DIR", "RUSTUP_TOOLCHAIN"] {
            if let Some(value) = env::var_os(name) {
                command.env(name, value);
            }
        }
        ran::run(command, &[], INSTALLATION).into()
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

fn json_of(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).into(),
        ValueRef::Blob(bytes) => bytes.len().into(),
    }
}
