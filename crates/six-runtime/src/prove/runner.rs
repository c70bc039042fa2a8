//! Runs programs that find nothing of the user's: not the home, not the stores, not the session that this may run in.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::injection::Unproven;

/// Longest time that a command may take: the embedding of a few hundred texts without optimisation.
const LIMIT: Duration = Duration::from_secs(180);

/// How often a command is asked whether it has ended.
const POLL: Duration = Duration::from_millis(2);

/// See the module.
#[derive(Debug)]
pub(super) struct Runner {
    /// The folder of the scratch machine.
    pub(super) root: PathBuf,
    /// The command `six`.
    pub(super) exe: PathBuf,
}

impl Runner {
    /// The home of the scratch machine.
    pub(super) fn home(&self) -> PathBuf {
        self.root.join("live")
    }

    /// Runs `six` with these arguments in the project; answers what it printed.
    pub(super) fn six(&self, arguments: &[String]) -> Result<String, Unproven> {
        let shown = format!("six {}", arguments.join(" "));
        self.run(self.command(&self.exe).args(arguments), &shown)
    }

    /// A program that finds nothing of the user's: not the home, not the stores, not the session that this may run in.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        let live = self.home();
        command
            .current_dir(live.join("app"))
            .env("HOME", &live)
            .env("SIX_HOME", live.join("six"))
            .env("CLAUDE_CONFIG_DIR", live.join(".claude"))
            .env("NO_COLOR", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CEILING_DIRECTORIES", &live);
        let of_a_session = ["CLAUDE_PROJECT_DIR", "CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT"];
        let ours = ["SIX_CHILD", "SIX_SYNTHETIC", "SIX_SHARED", "GIT_DIR", "GIT_WORK_TREE"];
        for name in of_a_session.into_iter().chain(ours) {
            command.env_remove(name);
        }
        command
    }

    /// Runs a program to its end; answers what it printed. Its exit code is no matter, a wrong use is.
    pub(super) fn run(&self, command: &mut Command, shown: &str) -> Result<String, Unproven> {
        let failed = |why: String| Unproven::Command { command: shown.to_owned(), why };
        let (out, err) = (self.root.join("out"), self.root.join("err"));
        let mut child = command
            .stdin(Stdio::null())
            .stdout(File::create(&out)?)
            .stderr(File::create(&err)?)
            .spawn()
            .map_err(|fault| failed(format!("could not be started: {fault}")))?;
        let began = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if began.elapsed() > LIMIT {
                let _ = child.kill();
                let _ = child.wait();
                return Err(failed(format!("did not end within {} s", LIMIT.as_secs())));
            }
            std::thread::sleep(POLL);
        };
        let said = |path: &Path| Ok::<_, Unproven>(String::from_utf8_lossy(&fs::read(path)?).into_owned());
        match status.code() {
            Some(0 | 1) => said(&out),
            code => {
                let code = code.map_or_else(|| "by a signal".to_owned(), |code| format!("with {code}"));
                Err(failed(format!("ended {code}: {}", said(&err)?.trim())))
            }
        }
    }
}
