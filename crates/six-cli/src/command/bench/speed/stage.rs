//! A machine to play on: a home, a project with a memory, the binaries beside this one.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use six_core::event::{ProbeSession, slug};
use six_core::record::UnixMs;
use six_store::{Access, Store};
use tempfile::TempDir;

use super::super::corpus::{scratch_failure, scratch_folder};
use crate::failure::Failure;

/// How long a scratch store is waited for; nobody else has it.
const BUSY: Duration = Duration::from_secs(30);

/// The machine; its folders go when it is dropped.
#[derive(Debug)]
pub(super) struct Stage {
    root: PathBuf,
    bin: PathBuf,
    _folder: TempDir,
}

/// A session on it.
#[derive(Debug)]
pub(super) struct Session {
    id: String,
    transcript: PathBuf,
    cwd: PathBuf,
}

impl Session {
    /// As payloads and transcripts name it; scratch paths are text.
    pub(super) fn probe(&self) -> ProbeSession<'_> {
        ProbeSession {
            id: &self.id,
            transcript: self.transcript.to_str().unwrap_or_default(),
            cwd: self.cwd.to_str().unwrap_or_default(),
        }
    }

    /// Where its transcript lies.
    pub(super) fn transcript(&self) -> &Path {
        &self.transcript
    }
}

/// What a process took.
#[derive(Debug, Clone, Copy)]
pub(super) struct Took {
    /// From before its start to its end, in milliseconds.
    pub(super) ms: f64,
    /// The most memory that it was seen to hold, in bytes; `None` where the system does not tell.
    pub(super) peak_bytes: Option<u64>,
}

impl Stage {
    /// A machine with an empty project, and six installed in it.
    pub(super) fn install() -> Result<Self, Failure> {
        let folder = scratch_folder()?;
        let trouble = |fault| stage_failure(format_args!("{fault}"));
        let root = folder.path().canonicalize().map_err(trouble)?;
        let bin = env::current_exe().map_err(trouble)?.parent().map(Path::to_path_buf).unwrap_or_default();
        let stage = Self { root, bin, _folder: folder };
        for made in [stage.home(), stage.project(), stage.transcripts()] {
            fs::create_dir_all(made).map_err(trouble)?;
        }
        let project = stage.project();
        let mut install = stage.six("install");
        install.arg(&project).args(["--no-ingest", "--no-templates"]);
        run(install, "", Watch::Time)?;
        Ok(stage)
    }

    fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    fn project(&self) -> PathBuf {
        self.root.join("project")
    }

    /// Where the host would keep the project's session files.
    pub(super) fn transcripts(&self) -> PathBuf {
        let project = self.project();
        self.home().join(".claude/projects").join(slug(&project.to_string_lossy()))
    }

    /// Session `number`; the same number is the same session.
    pub(super) fn session(&self, number: usize) -> Session {
        let id = format!("5e550000-0000-4000-8000-{number:012x}");
        Session { transcript: self.transcripts().join(format!("{id}.jsonl")), id, cwd: self.project() }
    }

    /// `six WORD`, to be continued.
    pub(super) fn six(&self, word: &str) -> Command {
        let mut command = self.command(&self.bin.join("six"));
        command.arg(word);
        command
    }

    /// The hook of that name, where it is beside this binary.
    pub(super) fn hook(&self, name: &str) -> Option<Command> {
        let path = self.bin.join(format!("six-{name}"));
        if !path.is_file() {
            return None;
        }
        let mut command = self.command(&path);
        command.env("CLAUDE_PROJECT_DIR", self.project()).env("CLAUDECODE", "1").env("CLAUDE_CODE_ENTRYPOINT", "cli");
        Some(command)
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.project())
            .env_clear()
            .envs(env::var_os("PATH").map(|path| ("PATH", path)))
            .env("HOME", self.home())
            .env("SIX_HOME", self.root.join("six-home"))
            .env("TMPDIR", &self.root)
            .env("SIX_SYNTHETIC", "1");
        command
    }

    /// Lets the worker do what is queued, so that nobody does it meanwhile.
    pub(super) fn settle(&self) -> Result<(), Failure> {
        run(self.six("worker"), "", Watch::Time).map(drop)
    }

    /// The file of the only store.
    pub(super) fn store_file(&self) -> Result<PathBuf, Failure> {
        let projects = self.root.join("six-home/projects");
        let found = fs::read_dir(projects).ok().and_then(|mut folders| folders.next()?.ok());
        let found = found.map(|folder| folder.path().join("memory.db")).filter(|file| file.is_file());
        found.ok_or_else(|| stage_failure(format_args!("six install made no store")))
    }

    /// The store, to write to.
    pub(super) fn store(&self) -> Result<Store, Failure> {
        Store::open(&self.store_file()?, Access::Write, BUSY).map_err(|fault| scratch_failure(&fault))
    }
}

/// Runs a process to its end. What it prints is not read.
pub(super) fn run(mut command: Command, stdin: &str, watch: Watch) -> Result<Took, Failure> {
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let name = command.get_program().to_string_lossy().into_owned();
    let trouble = |fault| stage_failure(format_args!("{name} can't be run: {fault}"));
    let begun = Instant::now();
    let mut child = command.spawn().map_err(trouble)?;
    if let Some(mut pipe) = child.stdin.take() {
        // A silenced hook ends without a look at its payload.
        let _ = pipe.write_all(stdin.as_bytes());
    }
    let peak_bytes = match watch {
        Watch::Time => None,
        Watch::Memory(pause) => watch_memory(&mut child, pause),
    };
    let status = child.wait().map_err(trouble)?;
    let ms = begun.elapsed().as_secs_f64() * 1000.0;
    if status.success() { Ok(Took { ms, peak_bytes }) } else { Err(stage_failure(format_args!("{name}: {status}"))) }
}

/// What to look at while a process runs.
#[derive(Debug, Clone, Copy)]
pub(super) enum Watch {
    /// Only the clock.
    Time,
    /// Its memory, each time so much has passed; the clock is disturbed.
    Memory(Duration),
}

/// Asks until the process ends. The system's own mark of the most never falls, so only what comes after the last look is
/// missed.
fn watch_memory(child: &mut Child, pause: Duration) -> Option<u64> {
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut peak = None;
    while let Ok(None) = child.try_wait() {
        peak = peak.max(fs::read_to_string(&status).ok().and_then(|text| peak_of(&text)));
        if !pause.is_zero() {
            thread::sleep(pause);
        }
    }
    peak
}

/// `VmHWM` of a process's status, in bytes.
fn peak_of(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}

fn stage_failure(what: std::fmt::Arguments<'_>) -> Failure {
    Failure::misuse(what, "./install.sh puts six and its hooks into one folder; then: six bench speed")
}

/// Now, for rows that are made up.
pub(super) const MADE_UP_AT: UnixMs = UnixMs(1_767_225_600_000);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_of_the_most_memory_is_read_as_linux_writes_it() {
        assert_eq!(peak_of("Name:\tsix\nVmHWM:\t   14332 kB\nVmRSS:\t 9000 kB\n"), Some(14_332 * 1024));
        assert_eq!(peak_of("Name:\tsix\n"), None);
    }
}
