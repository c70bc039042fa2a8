//! The one place that starts `git`. For ingest and install; a hook never comes here.
//!
//! Only plumbing commands are run, and nothing that a repository configures can make them start another program, wait
//! for a person or reach for the network.

use crate::project::stored_path::path_of_bytes;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::{self, ErrorKind, Read, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long git may keep us waiting in one call. A root commit of a million commits takes about ten seconds.
const LIMIT: Duration = Duration::from_secs(30);
/// Output of one call: the hashes of ten million commits.
const CAP_BYTES: usize = 512 << 20;
/// What is kept of git's complaint.
const STDERR_BYTES: u64 = 2000;
/// What is kept of one subject, message or path.
const FIELD_BYTES: usize = 1 << 20;
/// A commit that touches more (a vendored tree) says nothing more with the rest.
const MAX_FILES: usize = 1000;
/// No entry of a tree can have this name, so no path is this.
const COMMIT_MARK: &[u8] = b"//";

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

/// One commit as git tells it. Text that is not UTF-8 is read with U+FFFD.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawCommit {
    /// Full hash.
    pub hash: String,
    /// When it was committed.
    pub committed_at_unix_s: i64,
    /// First line of the message.
    pub subject: String,
    /// The rest of the message.
    pub body: String,
    /// Paths touched, from the root, at most a thousand; none for a merge.
    pub files: Vec<String>,
    /// Paths touched beyond those.
    pub files_left_out: usize,
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

/// A child that does not outlive its owner.
struct Running(Child);

impl Running {
    /// Its status, or `None` when the time is over before it ends.
    fn wait(&mut self, clock: &mut Clock) -> io::Result<Option<ExitStatus>> {
        loop {
            if let Some(status) = self.0.try_wait()? {
                return Ok(Some(status));
            }
            if clock.left.is_zero() {
                return Ok(None);
            }
            let step = clock.left.min(Duration::from_millis(1));
            thread::sleep(step);
            clock.left -= step;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !matches!(self.0.try_wait(), Ok(Some(_))) {
            end_group(&mut self.0);
            let _ = self.0.wait();
        }
    }
}

#[cfg(unix)]
fn end_group(child: &mut Child) {
    let group = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn end_group(child: &mut Child) {
    let _ = child.kill();
}

/// How long git may still keep us waiting. What we do with its output in the meantime costs it nothing.
struct Clock {
    left: Duration,
}

impl Clock {
    /// The next chunk; `Some(None)` at the end, `None` when the time is over.
    #[expect(clippy::option_option, reason = "out of time and out of data are different, and both are no chunk")]
    fn next<T>(&mut self, chunks: &Receiver<T>) -> Option<Option<T>> {
        let began = Instant::now();
        let chunk = match chunks.recv_timeout(self.left) {
            Ok(chunk) => Some(Some(chunk)),
            Err(RecvTimeoutError::Disconnected) => Some(None),
            Err(RecvTimeoutError::Timeout) => None,
        };
        self.left = self.left.saturating_sub(began.elapsed());
        chunk
    }
}

/// Reads a pipe on a thread of its own, four chunks ahead; a pipe that stays open holds that thread and nobody else.
fn pump(pipe: Option<impl Read + Send + 'static>) -> Receiver<io::Result<Vec<u8>>> {
    let (send, receive) = sync_channel(4);
    if let Some(mut pipe) = pipe {
        thread::spawn(move || {
            let mut buffer = vec![0; 64 << 10];
            loop {
                let chunk = match pipe.read(&mut buffer) {
                    Ok(0) => return,
                    Ok(n) => Ok(buffer.get(..n).unwrap_or_default().to_vec()),
                    Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                let failed = chunk.is_err();
                if send.send(chunk).is_err() || failed {
                    return;
                }
            }
        });
    }
    receive
}

/// The beginning of what a pipe says. The rest is read too: git must never wait for us to hear it out.
fn complaint(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (send, receive) = sync_channel(1);
    if let Some(mut pipe) = pipe {
        thread::spawn(move || {
            let mut said = Vec::new();
            let _ = pipe.by_ref().take(STDERR_BYTES).read_to_end(&mut said);
            let _ = io::copy(&mut pipe, &mut io::sink());
            let _ = send.send(said);
        });
    }
    receive
}

/// Cuts a stream into its NUL-terminated fields, each bounded.
#[derive(Default)]
struct Fields {
    open: Vec<u8>,
}

impl Fields {
    fn feed(&mut self, bytes: &[u8], each: &mut dyn FnMut(&[u8]) -> ControlFlow<()>) -> ControlFlow<()> {
        for piece in bytes.split_inclusive(|byte| *byte == 0) {
            let text = piece.strip_suffix(b"\0").unwrap_or(piece);
            let room = FIELD_BYTES.saturating_sub(self.open.len()).min(text.len());
            self.open.extend(text.iter().take(room));
            if piece.ends_with(b"\0") {
                each(&self.open)?;
                self.open.clear();
            }
        }
        ControlFlow::Continue(())
    }
}

/// Makes commits of the fields that [`Git::log_since`] asks for.
#[derive(Default)]
struct Commits {
    current: Option<RawCommit>,
    /// Fields of the current commit so far.
    seen: usize,
}

impl Commits {
    /// Takes one field; gives the commit that it ends.
    fn take(&mut self, field: &[u8]) -> Option<RawCommit> {
        if field == COMMIT_MARK {
            self.seen = 0;
            return self.current.replace(RawCommit::default());
        }
        let commit = self.current.as_mut()?;
        let text = || String::from_utf8_lossy(field).into_owned();
        match self.seen {
            0 => commit.hash = text(),
            1 => commit.committed_at_unix_s = text().parse().unwrap_or_default(),
            2 => commit.subject = text(),
            3 => text().trim_end().clone_into(&mut commit.body),
            _ if field.is_empty() => {}
            _ if commit.files.len() == MAX_FILES => commit.files_left_out += 1,
            // Git puts a line end between the message and the first path.
            _ if commit.files.is_empty() => commit.files.push(text().trim_start_matches('\n').to_owned()),
            _ => commit.files.push(text()),
        }
        self.seen += 1;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::scratch::Scratch;

    fn log(git: &Git, tip: Option<&str>) -> Vec<RawCommit> {
        let mut commits = Vec::new();
        git.log_since(tip, |commit| {
            commits.push(commit);
            ControlFlow::Continue(())
        })
        .unwrap();
        commits
    }

    fn subjects(commits: &[RawCommit]) -> Vec<&str> {
        commits.iter().map(|commit| commit.subject.as_str()).collect()
    }

    #[cfg(unix)]
    fn pretender(scratch: &Scratch, script: &str) -> Git {
        let program = scratch.folder("bin").join("git");
        // Written by a child: a descriptor of ours could be inherited by another test's, and the file be "busy" then.
        let write = r#"printf '#!/bin/sh\n%s\n' "$1" > "$0" && chmod 755 "$0""#;
        let status = Command::new("/bin/sh").arg("-c").arg(write).arg(&program).arg(script).status();
        assert!(status.unwrap().success());
        Git { program, ..Git::new(scratch.base()) }
    }

    #[test]
    fn a_repository_without_commits_has_no_head_no_root_and_no_log() {
        let scratch = Scratch::new();
        let root = scratch.folder("empty");
        scratch.git(&root, &["init", "-q", "."]);
        let git = Git::new(&root);
        assert_eq!((git.head().unwrap(), git.root_commit().unwrap(), git.remote_url().unwrap()), (None, None, None));
        assert!(log(&git, None).is_empty());
        assert!(!git.is_shallow().unwrap());
    }

    #[test]
    fn commits_come_oldest_first_with_message_and_files() {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        std::fs::write(root.join("ünï code.md"), "x").unwrap();
        std::fs::write(root.join("a\nb"), "x").unwrap();
        scratch.git(&root, &["add", "-A"]);
        scratch.git(&root, &["commit", "-q", "-m", "second: 東京\n\nwhy\nand how"]);
        let commits = log(&Git::new(&root), None);
        assert_eq!(subjects(&commits), ["api", "second: 東京"]);
        assert_eq!(commits[0].files, ["README.md"]);
        assert_eq!(commits[1].body, "why\nand how");
        assert_eq!(commits[1].files, ["a\nb", "ünï code.md"]);
        assert_eq!(commits[1].committed_at_unix_s, 1_767_225_600);
        assert_eq!(Some(&commits[1].hash), Git::new(&root).head().unwrap().as_ref());
    }

    #[test]
    fn only_what_is_new_since_the_tip_and_all_of_it_when_the_tip_is_gone() {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        let git = Git::new(&root);
        let tip = git.head().unwrap().unwrap();
        assert!(log(&git, Some(&tip)).is_empty());
        scratch.git(&root, &["checkout", "-q", "-b", "side"]);
        scratch.commit(&root, "side.md", "on the side");
        scratch.git(&root, &["checkout", "-q", "main"]);
        scratch.commit(&root, "main.md", "on main");
        scratch.git(&root, &["merge", "-q", "-m", "both", "side"]);
        let new = log(&git, Some(&tip));
        assert_eq!(new.len(), 3);
        assert_eq!((new[2].subject.as_str(), new[2].files.len()), ("both", 0));
        for gone in ["0123456789012345678901234567890123456789", "--all", "", "HEAD"] {
            assert_eq!(log(&git, Some(gone)).len(), 4, "{gone:?}");
        }
    }

    #[test]
    fn a_reader_that_stops_gets_no_more() {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        scratch.commit(&root, "b", "two");
        scratch.commit(&root, "c", "three");
        let mut seen = Vec::new();
        Git::new(&root)
            .log_since(None, |commit| {
                seen.push(commit.subject);
                ControlFlow::Break(())
            })
            .unwrap();
        assert_eq!(seen, ["api"]);
    }

    #[test]
    fn a_huge_commit_is_cut_and_says_how_much() {
        let mut commits = Commits::default();
        let fields = [COMMIT_MARK, b"abc", b"1", b"vendor", b"", b""];
        assert!(fields.iter().all(|field| commits.take(field).is_none()));
        assert!((0..MAX_FILES + 7).all(|_| commits.take(b"f").is_none()));
        let commit = commits.take(COMMIT_MARK).unwrap();
        assert_eq!((commit.files.len(), commit.files_left_out), (MAX_FILES, 7));
    }

    #[test]
    fn fields_are_found_wherever_the_chunks_are_cut_and_bounded() {
        let whole = b"one\0\0three\0".as_slice();
        for size in 1..=whole.len() {
            let (mut fields, mut found) = (Fields::default(), Vec::new());
            for chunk in whole.chunks(size) {
                let _ = fields.feed(chunk, &mut |field| {
                    found.push(field.to_vec());
                    ControlFlow::Continue(())
                });
            }
            assert_eq!(found, [b"one".as_slice(), b"", b"three"], "{size}");
        }
        let (mut fields, mut length) = (Fields::default(), 0);
        let _ = fields.feed(&vec![b'x'; FIELD_BYTES + 5], &mut |_| ControlFlow::Continue(()));
        let _ = fields.feed(b"y\0", &mut |field| {
            length = field.len();
            ControlFlow::Continue(())
        });
        assert_eq!(length, FIELD_BYTES);
    }

    #[test]
    fn tracked_files_by_pattern() {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        scratch.commit(&root, "docs/a b.md", "doc");
        scratch.commit(&root, "src/main.rs", "code");
        std::fs::write(root.join("untracked.md"), "").unwrap();
        let files = Git::new(&root).ls_files(&["*.md"]).unwrap();
        assert_eq!(files, [PathBuf::from("README.md"), PathBuf::from("docs/a b.md")]);
        assert_eq!(Git::new(&root).ls_files(&[]).unwrap().len(), 3);
    }

    #[test]
    fn the_remote_is_origin_else_the_only_one() {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        let git = Git::new(&root);
        scratch.git(&root, &["remote", "add", "upstream", "https://example.invalid/up/api"]);
        assert_eq!(git.remote_url().unwrap().as_deref(), Some("https://example.invalid/up/api"));
        scratch.git(&root, &["remote", "add", "other", "https://example.invalid/other/api"]);
        assert_eq!(git.remote_url().unwrap(), None);
        scratch.git(&root, &["remote", "add", "origin", "git@example.invalid:me/api.git"]);
        assert_eq!(git.remote_url().unwrap().as_deref(), Some("git@example.invalid:me/api.git"));
    }

    #[cfg(unix)]
    #[test]
    fn a_repositorys_own_configuration_runs_nothing() {
        let scratch = Scratch::new();
        let root = scratch.repository("api");
        let trap = pretender(&scratch, &format!("touch '{}'", scratch.at("sprung").display())).program;
        let trap = trap.to_str().unwrap();
        std::fs::write(root.join(".gitattributes"), "* diff=trap filter=trap\n").unwrap();
        scratch.commit(&root, "b", "two");
        for key in [
            "core.fsmonitor",
            "core.pager",
            "diff.external",
            "diff.trap.textconv",
            "diff.trap.command",
            "filter.trap.clean",
            "filter.trap.smudge",
            "gpg.program",
            "core.sshCommand",
            "core.editor",
            "alias.rev-list",
        ] {
            scratch.git(&root, &["config", key, trap]);
        }
        scratch.git(&root, &["config", "log.showSignature", "true"]);
        let hook = root.join(".git/hooks/post-index-change");
        std::fs::copy(trap, hook).unwrap();
        let git = Git::new(&root);
        assert_eq!(log(&git, None).len(), 2);
        git.ls_files(&[]).unwrap();
        git.root_commit().unwrap();
        git.remote_url().unwrap();
        assert!(!scratch.at("sprung").exists());
        std::fs::write(root.join("b"), "changed").unwrap();
        scratch.git(&root, &["diff"]);
        assert!(scratch.at("sprung").exists(), "the trap works: porcelain falls into it");
    }

    #[test]
    fn a_folder_that_is_no_repository_is_a_failure_with_gits_words() {
        let scratch = Scratch::new();
        let error = Git::new(scratch.folder("plain")).is_shallow().unwrap_err();
        assert!(matches!(&error, GitError::Failed { code: Some(128), stderr, .. } if stderr.contains("repository")));
    }

    #[test]
    fn no_git_at_all_is_told_apart() {
        let scratch = Scratch::new();
        let git = Git { program: scratch.at("no-git"), ..Git::new(scratch.base()) };
        assert!(matches!(git.head(), Err(GitError::NotFound)));
    }

    #[cfg(unix)]
    #[test]
    fn a_git_that_hangs_is_ended() {
        let scratch = Scratch::new();
        let git = pretender(&scratch, "sleep 600 & wait");
        let began = Instant::now();
        let error = git.with_limit(Duration::from_millis(200)).head().unwrap_err();
        assert!(matches!(error, GitError::TimedOut { .. }));
        assert!(began.elapsed() < Duration::from_secs(60));
    }

    #[cfg(unix)]
    #[test]
    fn a_flood_is_stopped_at_the_cap_and_a_loud_complaint_is_cut() {
        let scratch = Scratch::new();
        let git = Git { cap_bytes: 100_000, ..pretender(&scratch, "yes") };
        assert!(matches!(git.head(), Err(GitError::TooMuch { cap_bytes: 100_000, .. })));
        let loud = pretender(&scratch, "yes | head -c 1000000 >&2; exit 3");
        assert!(matches!(loud.head(), Err(GitError::Failed { code: Some(3), stderr, .. }) if stderr.len() < 2001));
    }
}
