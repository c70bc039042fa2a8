//! `six ingest`

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use six_runtime::anchor::look;
use six_runtime::end::EndSignal;
use six_runtime::ingest::{IngestError, Options, Outcome, Place, Report, WhenHeld, run as ingest};
use six_runtime::project::identity::Project;
use six_runtime::worker::ingest_lock;
use six_store::Store;

use crate::cli::IngestArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure, store_failure};
use crate::output::{Bar, bytes, count, object};

/// How long a person waits for another ingest of the same project.
const WAIT: Duration = Duration::from_secs(60);

/// How long what records cite is followed.
const LOOK: Duration = Duration::from_secs(20);

/// Runs it.
pub(crate) fn run(context: &Context, args: &IngestArgs) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    let transcripts = args.transcript.iter().map(|path| named(context, path)).collect::<Result<Vec<_>, _>>()?;
    let end = EndSignal::watch();
    let (text, body) = take(context, &project, &transcripts, args.accept_vanished, &end)?;
    context.print(&if context.json { object("ingest", body) } else { text });
    Ok(end.exit_code().map_or(ExitCode::SUCCESS, ExitCode::from))
}

/// Reads everything with a bar and says in a line what came of it: the last but one step of an install. Told to end, it
/// stops: what is left is read by the next ingest.
pub(crate) fn take_in(context: &Context, project: &Project, end: &EndSignal) -> Result<Value, Failure> {
    let (text, body) = take(context, project, &[], false, end)?;
    if !context.json && !context.quiet {
        context.print(&text);
    }
    Ok(body)
}

/// Reads, so that all of it is found by its words, and then embeds it.
fn take(
    context: &Context,
    project: &Project,
    transcripts: &[PathBuf],
    accept_vanished: bool,
    end: &EndSignal,
) -> Result<(String, Value), Failure> {
    let embed = context.config(project)?.embed;
    let store = context.writer(project)?;
    let report = read(context, project, &store, transcripts, accept_vanished, end)?;
    // What moved is followed at once: whoever reads by hand looks at the blocks next.
    if !end.came() {
        look(project, &store, Instant::now() + LOOK).map_err(|fault| store_failure(project, &fault))?;
    }
    let (embedded, vectors) = super::embed::follow(context, project, &store, &embed, end)?;
    let mut text = as_text(&report);
    if !embedded.is_empty() {
        text = format!("{text}\n{embedded}");
    }
    let mut body = as_json(&report);
    if let Some(fields) = body.as_object_mut() {
        fields.insert(String::from("vectors"), vectors);
    }
    Ok((text, body))
}

fn named(context: &Context, path: &Path) -> Result<PathBuf, Failure> {
    let next = "six ingest --transcript FILE, a session file (.jsonl) of Claude Code";
    let path = context.dir(Some(path));
    let found = path
        .canonicalize()
        .map_err(|fault| Failure::misuse(format_args!("{} can't be read: {fault}", path.display()), next))?;
    let is_session = found.is_file() && found.extension().is_some_and(|end| end == "jsonl");
    if is_session {
        Ok(found)
    } else {
        Err(Failure::misuse(format_args!("{} is no session file", path.display()), next))
    }
}

fn read(
    context: &Context,
    project: &Project,
    store: &Store,
    transcripts: &[PathBuf],
    accept_vanished: bool,
    end: &EndSignal,
) -> Result<Report, Failure> {
    let options = Options {
        transcripts,
        accept_vanished,
        is_over: &|| end.came(),
        when_held: WhenHeld::Wait(WAIT),
        now: context.now,
    };
    let mut bar = Bar::of_bytes(context.quiet || context.json);
    let place = Place::gather(project, &context.env);
    let report = ingest(&place, &ingest_lock(project), store, &options, &mut bar).map_err(|fault| match fault {
        IngestError::Store(fault) => store_failure(project, &fault),
        fault => Failure::misuse(fault, "six health"),
    })?;
    if report.outcome == Outcome::Held {
        return Err(Failure::new(
            Exit::Misuse,
            format_args!("another six has been reading this project for {} s", WAIT.as_secs()),
            "wait for it to end, then run this again",
        ));
    }
    Ok(report)
}

fn as_text(report: &Report) -> String {
    let done = &report.committed;
    let removed = if done.removed > 0 { format!(", {} removed", done.removed) } else { String::new() };
    let changed = report.found.saturating_sub(report.unchanged);
    let mut lines = vec![if changed == 0 {
        format!("nothing new in {}{removed}", count(report.found, "file"))
    } else {
        format!(
            "read {} in {changed} of {}: new are {} in {}{removed}",
            bytes(report.bytes),
            count(report.found, "file"),
            count(done.chunks, "chunk"),
            if done.entries == 1 { String::from("1 entry") } else { format!("{} entries", done.entries) },
        )
    }];
    if report.outcome == Outcome::Stopped {
        lines.push(String::from("  stopped; what was read stays. To go on: six ingest"));
    }
    lines.extend(report.failures.iter().map(|failure| format!("  not read: {} ({})", failure.path, failure.error)));
    lines.extend(report.kept.iter().flat_map(|kept| {
        let (gone, known, source) = (kept.vanished, kept.known, kept.source.as_str());
        [
            format!("  {gone} of {known} {source} files are gone; their text is kept, since that is more than half."),
            String::from("  If it is right: six ingest --accept-vanished"),
        ]
    }));
    lines.extend(report.held_back.iter().flat_map(|held| {
        let (used, quota) = (bytes(held.used_bytes), bytes(held.quota_bytes));
        [
            format!(
                "  the store has reached its quota ({used} of {quota}): what is new in {} waits.",
                waiting(held.files)
            ),
            String::from("  To make room: six config set store.quota_mib MIB"),
        ]
    }));
    lines.join("\n")
}

/// Session files and the one list of commits.
fn waiting(files: u64) -> String {
    format!("{} of sessions and commits", count(files, "file"))
}

fn as_json(report: &Report) -> Value {
    let done = &report.committed;
    json!({
        "stopped": report.outcome == Outcome::Stopped,
        "files": report.found,
        "unchanged": report.unchanged,
        "bytes": report.bytes,
        "entries": done.entries,
        "repeated": done.repeated,
        "chunks": done.chunks,
        "removed": done.removed,
        "failures": report.failures.iter().map(|failure| json!({
            "source": failure.source,
            "path": failure.path,
            "error": failure.error,
            "tries": failure.fails,
        })).collect::<Vec<_>>(),
        "held_back": report.held_back.map(|held| json!({
            "files": held.files,
            "used_bytes": held.used_bytes,
            "quota_bytes": held.quota_bytes,
        })),
        "kept": report.kept.iter().map(|kept| json!({
            "source": kept.source,
            "vanished": kept.vanished,
            "known": kept.known,
        })).collect::<Vec<_>>(),
    })
}
