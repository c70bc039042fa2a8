//! The one place that starts `git`. For ingest and install; a hook never comes here.
//!
//! Only plumbing commands are run, and nothing that a repository configures can make them start another program, wait
//! for a person or reach for the network.

mod child;
mod commits;
mod renames;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::{self, ErrorKind, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::project::stored_path::path_of_bytes;
use child::{Clock, Running, complaint, pump};
pub use commits::RawCommit;
use commits::{Commits, Fields};
pub use renames::Renames;

/// How long git may keep us waiting in one call. A root commit of a million commits takes about ten seconds.
const LIMIT: Duration = Duration::from_secs(30);
/// Output of one call: the hashes of ten million commits.
const CAP_BYTES: usize = 512 << 20;

/// Why git gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no `git` on the path.
    #[error("git is not installed, or not on the PATH")]
    NotFound,
    /// It was ended after the time limit.
    #[error("git {command} took longer than {} s", limit.as_secs_f32())]
    TimedOut {
        /// The subcommand.
        command: String,
        /// The limit.
        limit: Duration,
    },
    /// It refused.
    #[error("git {command} failed ({}): {stderr}", code.map_or("signal".into(), |code| code.to_string()))]
    Failed {
        /// The subcommand.
        command: String,
        /// Its exit code; `None` if a signal ended it.
        code: Option<i32>,
        /// The beginning of what it said.
        stderr: String,
    },
    /// It said more than the cap allows.
    #[error("git {command} printed more than {cap_bytes} bytes")]
    TooMuch {
        /// The subcommand.
        command: String,
        /// The cap.
        cap_bytes: usize,
    },
    /// The system would not start it or let us read from it.
    #[error("cannot run git: {0}")]
    Io(#[from] io::Error),
}

/// Git in one repository.
#[derive(Debug, Clone)]
pub struct Git {
    root: PathBuf,
    program: PathBuf,
    limit: Duration,
    cap_bytes: usize,
}

impl Git {
    /// For the repository whose work tree is `root`.
    pub fn new(root: impl Into<PathBuf>) -> Git {
        Git { root: root.into(), program: PathBuf::from("git"), limit: LIMIT, cap_bytes: CAP_BYTES }
    }

    /// The same with another time limit per call (only time that git keeps us waiting counts).
    #[must_use]
    pub fn with_limit(self, limit: Duration) -> Git {
        Git { limit, ..self }
    }

    /// Hash of HEAD; `None` before the first commit.
    pub fn head(&self) -> Result<Option<String>, GitError> {
        self.resolve("HEAD")
    }

    /// Hash of the first commit on the first-parent line of HEAD; `None` before the first commit. In a shallow
    /// repository it is where the history was cut.
    pub fn root_commit(&self) -> Result<Option<String>, GitError> {
        match self.head()? {
            Some(head) => Ok(Some(self.line(&["rev-list", "--max-parents=0", "--first-parent", &head])?)),
            None => Ok(None),
        }
    }

    /// URL of the remote `origin`, else of the only remote, as it is configured (credentials included: normalise it
    /// before it is stored or shown).
    pub fn remote_url(&self) -> Result<Option<String>, GitError> {
        let args = ["config", "--local", "--includes", "-z", "--get-regexp", r"^remote\..*\.url$"];
        let Some(list) = absent_on_exit_1(self.text(&args))? else { return Ok(None) };
        let urls: Vec<(&str, &str)> = list.split('\0').filter_map(|entry| entry.split_once('\n')).collect();
        let origin = urls.iter().find(|(key, _)| *key == "remote.origin.url");
        let only = urls.first().filter(|(first, _)| urls.iter().all(|(key, _)| key == first));
        Ok(origin.or(only).map(|(_, url)| (*url).to_owned()))
    }

    /// Whether the history is cut.
    pub fn is_shallow(&self) -> Result<bool, GitError> {
        Ok(self.line(&["rev-parse", "--is-shallow-repository"])? == "true")
    }

    /// Tracked files, relative to the root, sorted; those that fit one of the pathspecs, or all without any.
    pub fn ls_files(&self, patterns: &[&str]) -> Result<Vec<PathBuf>, GitError> {
        let args = [&["ls-files", "-z", "--cached", "--"], patterns].concat();
        let mut files = Vec::new();
        let mut fields = Fields::default();
        self.run(&args, None, &mut |bytes| {
            fields.feed(bytes, &mut |path| {
                files.push(path_of_bytes(path));
                ControlFlow::Continue(())
            })
        })?;
        // A file in conflict is listed once per side.
        files.sort();
        files.dedup();
        Ok(files)
    }

    /// Every commit that HEAD reaches and `tip` does not, parents before children, until `each` breaks. A `tip` that
    /// is gone (a rewritten history) means all of them. Whoever stops may go on from the last commit that it took:
    /// some others may come twice, none is missed.
    pub fn log_since(
        &self,
        tip: Option<&str>,
        mut each: impl FnMut(RawCommit) -> ControlFlow<()>,
    ) -> Result<(), GitError> {
        let Some(head) = self.head()? else { return Ok(()) };
        let hex = tip.filter(|tip| !tip.is_empty() && tip.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let tip = hex.map(|tip| self.resolve(tip)).transpose()?.flatten();
        let except = tip.map(|tip| format!("^{tip}"));
        let mut args = vec!["rev-list", "--topo-order", "--reverse", &head];
        args.extend(except.as_deref());
        let mut hashes = Vec::new();
        self.run(&args, None, &mut |bytes| {
            hashes.extend_from_slice(bytes);
            ControlFlow::Continue(())
        })?;
        let show = [
            "diff-tree",
            "--stdin",
            "--always",
            "--root",
            "-r",
            "-z",
            "--name-only",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--ignore-submodules=none",
            "--encoding=UTF-8",
            "--pretty=tformat://%x00%H%x00%ct%x00%s%x00%b%x00",
        ];
        let (mut fields, mut commits) = (Fields::default(), Commits::default());
        let mut going = ControlFlow::Continue(());
        self.run(&show, Some(hashes), &mut |bytes| {
            going = fields.feed(bytes, &mut |field| commits.take(field).map_or(ControlFlow::Continue(()), &mut each));
            going
        })?;
        if let (ControlFlow::Continue(()), Some(last)) = (going, commits.current.take()) {
            let _ = each(last);
        }
        Ok(())
    }

    /// Whether HEAD reaches a commit; also `false` for one that is not there any more.
    pub fn reaches(&self, commit: &str) -> Result<bool, GitError> {
        match self.text(&["merge-base", "--is-ancestor", commit, "HEAD"]) {
            Ok(_) => Ok(true),
            Err(GitError::Failed { code: Some(1 | 128), .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The hashes of all commits that HEAD, a branch or a tag reaches.
    pub fn all_commits(&self) -> Result<HashSet<String>, GitError> {
        Ok(self.text(&["rev-list", "HEAD", "--all"])?.lines().map(str::to_owned).collect())
    }

    fn resolve(&self, revision: &str) -> Result<Option<String>, GitError> {
        let commit = format!("{revision}^{{commit}}");
        absent_on_exit_1(self.line(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]))
    }

    fn line(&self, args: &[&str]) -> Result<String, GitError> {
        Ok(self.text(args)?.lines().next().unwrap_or_default().to_owned())
    }

    fn text(&self, args: &[&str]) -> Result<String, GitError> {
        let mut out = Vec::new();
        self.run(args, None, &mut |bytes| {
            out.extend_from_slice(bytes);
            ControlFlow::Continue(())
        })?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        // Whatever the caller is inside of (a git hook, a rebase, a debug run) must not lead us elsewhere. Names only.
        for (name, _) in std::env::vars_os().filter(|(name, _)| is_gits(name)) {
            command.env_remove(name);
        }
        command
            .arg("-C")
            .arg(&self.root)
            .args(["--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"])
            .args(args)
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            // A partial clone would fetch what it lacks, over a transport that the repository configures.
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_ALLOW_PROTOCOL", "none")
            .env("LC_ALL", "C")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
    }

    /// Runs one command and hands its output to `out` as it comes, until that breaks.
    fn run(
        &self,
        args: &[&str],
        input: Option<Vec<u8>>,
        out: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), GitError> {
        let name = || args.first().copied().unwrap_or_default().to_owned();
        let mut command = self.command(args);
        command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
        let mut running = Running(command.spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => GitError::NotFound,
            _ => GitError::Io(error),
        })?);
        if let (Some(input), Some(mut stdin)) = (input, running.0.stdin.take()) {
            // Git may end before it has read everything; that shows in its exit code.
            thread::spawn(move || stdin.write_all(&input));
        }
        let stdout = pump(running.0.stdout.take());
        let stderr = complaint(running.0.stderr.take());
        let mut clock = Clock { left: self.limit };
        let mut total = 0;
        let timed_out = || GitError::TimedOut { command: name(), limit: self.limit };
        while let Some(chunk) = clock.next(&stdout).ok_or_else(timed_out)? {
            let chunk = chunk?;
            total += chunk.len();
            if total > self.cap_bytes {
                return Err(GitError::TooMuch { command: name(), cap_bytes: self.cap_bytes });
            }
            if out(&chunk).is_break() {
                return Ok(());
            }
        }
        let said = clock.next(&stderr).ok_or_else(timed_out)?.unwrap_or_default();
        let status = running.wait(&mut clock)?.ok_or_else(timed_out)?;
        if status.success() {
            return Ok(());
        }
        let stderr = String::from_utf8_lossy(&said).trim().to_owned();
        Err(GitError::Failed { command: name(), code: status.code(), stderr })
    }
}

fn is_gits(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b"GIT_")
}

fn absent_on_exit_1(answer: Result<String, GitError>) -> Result<Option<String>, GitError> {
    match answer {
        Err(GitError::Failed { code: Some(1), .. }) => Ok(None),
        answer => answer.map(Some),
    }
}

#[cfg(test)]
mod tests;
