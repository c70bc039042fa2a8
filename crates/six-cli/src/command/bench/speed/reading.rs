//! What a first ingest takes: one process that reads sessions from their start to their end.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use six_core::event::ProbeTranscript;

use super::figure::{Budget, Figure};
use super::hooks::megabytes;
use super::stage::{Stage, Watch, run};
use super::text::Prose;
use crate::failure::Failure;
use crate::output::quoted;

/// Megabytes a second that a first ingest reaches on two cores.
const RATE: f64 = 60.0;

/// What an ingest may hold, in megabytes.
const PEAK_MB: f64 = 200.0;

/// Turns of a made-up session: a prompt, three calls with what they printed, two answers. About three in four bytes are
/// output of tools, as in a real session.
const TURNS: usize = 120;

/// How often the memory of the reading process is looked at.
const LOOK: Duration = Duration::from_millis(2);

/// Writes made-up sessions where the host would keep them; answers their bytes.
pub(super) fn write_sessions(stage: &Stage, sessions: usize) -> Result<u64, Failure> {
    let mut bytes = 0;
    for number in 0..sessions {
        let mut prose = Prose::new(number as u64);
        let session = stage.session(number);
        let mut transcript = ProbeTranscript::new(session.probe());
        for _ in 0..TURNS {
            transcript.prompt(&prose.text(30));
            for _ in 0..3 {
                transcript.call(&format!("cat src/{}.rs", prose.text(1)), &prose.output(35));
            }
            transcript.answer(&prose.text(100));
            transcript.answer(&prose.text(60));
        }
        bytes += transcript.lines().len() as u64;
        fs::write(session.transcript(), transcript.lines()).map_err(|fault| {
            Failure::misuse(
                format_args!("{} can't be written: {fault}", session.transcript().display()),
                "see whether the disk is full: df",
            )
        })?;
    }
    Ok(bytes)
}

/// The session files below a folder, and their bytes.
pub(super) fn find_sessions(folder: &Path) -> Result<(Vec<PathBuf>, u64), Failure> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    let mut bytes = 0;
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|fault| {
            Failure::misuse(
                format_args!("{} can't be listed: {fault}", quoted(&folder)),
                "name the folder of session files: six bench speed --transcripts DIR",
            )
        })?;
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension() == Some(OsStr::new("jsonl")) {
                bytes += fs::metadata(&path).map_or(0, |metadata| metadata.len());
                files.push(path);
            }
        }
    }
    files.sort();
    Ok((files, bytes))
}

/// Reads what lies on the stage, and the named files; the whole process counts. `bytes` is what there is to read.
pub(super) fn time_ingest(stage: &Stage, named: &[PathBuf], bytes: u64, on: &str) -> Result<Vec<Figure>, Failure> {
    let mut ingest = stage.six("ingest");
    ingest.arg("--quiet");
    for file in named {
        ingest.arg("--transcript").arg(file);
    }
    let took = run(ingest, "", Watch::Memory(LOOK))?;
    let rate = megabytes(bytes) / (took.ms / 1000.0);
    let mut figures = vec![Figure::plain("first ingest", on, "MB/s", rate).within(Budget::AtLeast(RATE))];
    figures.extend(
        took.peak_bytes
            .map(|peak| Figure::plain("first ingest", on, "peak MB", megabytes(peak)).within(Budget::AtMost(PEAK_MB))),
    );
    Ok(figures)
}
