//! `six status`

use std::process::ExitCode;

use serde_json::{Value, json};
use six_core::record::UnixMs;
use six_runtime::health::store_file;
use six_runtime::home::SixHome;
use six_runtime::project::identity::Project;
use six_runtime::project::registry::Registry;
use six_store::{HookStatus, SourceStatus, StoreStatus};

use crate::context::Context;
use crate::failure::{Failure, store_failure};
use crate::output::{age, bytes, object, print};

/// Runs it.
pub(crate) fn run(context: &Context) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    let store = Context::reader(&project)?;
    let status = store.status().map_err(|fault| store_failure(&project, &fault))?;
    let seen = Seen { aliases: aliases(context, &project), bytes: file_bytes(&project), project, status };
    print(&if context.json { object("status", seen.json(context)) } else { seen.text(context) });
    Ok(ExitCode::SUCCESS)
}

struct Seen {
    project: Project,
    aliases: Vec<String>,
    bytes: u64,
    status: StoreStatus,
}

/// Folders under which the project was known before; a registry that can't be read is told by `six project list`.
fn aliases(context: &Context, project: &Project) -> Vec<String> {
    let registry = SixHome::resolve(&context.env).ok().and_then(|home| Registry::read(&home.registry_path()).ok());
    let entry = registry.and_then(|registry| registry.projects.get(&project.id).cloned());
    entry
        .map(|entry| entry.aliases.iter().map(|path| path.as_ref().display().to_string()).collect())
        .unwrap_or_default()
}

fn file_bytes(project: &Project) -> u64 {
    ["", "-wal"]
        .iter()
        .filter_map(|suffix| {
            let mut path = store_file(project).into_os_string();
            path.push(suffix);
            std::fs::metadata(path).ok()
        })
        .map(|metadata| metadata.len())
        .sum()
}

impl Seen {
    fn json(&self, context: &Context) -> Value {
        let status = &self.status;
        json!({
            "project": {"id": self.project.id, "root": self.project.root, "aliases": self.aliases},
            "store": {
                "path": store_file(&self.project),
                "bytes": self.bytes,
                "text_bytes": status.text_bytes,
                "chunks": status.chunks,
                "bodies": status.bodies,
                "entries": status.entries,
                "vectors": 0,
            },
            "sources": status.sources.iter().map(|source| source_json(source, context.now)).collect::<Vec<_>>(),
            "sessions": status.sessions,
            "records": status.records.iter().map(|(kind, state, n)| {
                json!({"kind": kind, "state": state, "count": n})
            }).collect::<Vec<_>>(),
            "subsystems": status.subsystems,
            "hooks": status.hooks.iter().map(|hook| {
                (hook.hook.as_str().to_owned(), hook_json(hook))
            }).collect::<serde_json::Map<_, _>>(),
        })
    }

    fn text(&self, context: &Context) -> String {
        let status = &self.status;
        let mut lines = vec![
            format!("project   {}  {}", self.project.id, self.project.root.display()),
            format!(
                "store     {}  {} for {} of text",
                store_file(&self.project).display(),
                bytes(self.bytes),
                bytes(status.text_bytes)
            ),
        ];
        lines.extend(self.aliases.iter().map(|alias| format!("          once at {alias}")));
        lines.push(format!(
            "memory    {} chunks in {} entries of {} sessions, {} subsystems",
            status.chunks, status.entries, status.sessions, status.subsystems
        ));
        lines.extend(
            status.records.iter().map(|(kind, state, n)| {
                format!("          {n} {} {}", kind.as_str().replace('_', " "), state.as_str())
            }),
        );
        lines.push(String::from("sources"));
        lines.extend(status.sources.iter().flat_map(|source| source_lines(source, context.now)));
        lines.push(String::from("hooks"));
        lines.extend(status.hooks.iter().map(|hook| hook_line(hook, context.now)));
        lines.join("\n")
    }
}

fn source_json(source: &SourceStatus, now: UnixMs) -> Value {
    json!({
        "source": source.source,
        "files": source.files,
        "failing": source.failing,
        "chunks": source.chunks,
        "bytes": source.text_bytes,
        "lag_s": source.consumed.map(|at| now.0.saturating_sub(at.0).max(0) / 1000),
        "skipped": source.skipped,
    })
}

fn source_lines(source: &SourceStatus, now: UnixMs) -> Vec<String> {
    let read = source.consumed.map_or_else(
        || String::from("never read"),
        |at| match age(now, at).as_str() {
            "now" => String::from("read just now"),
            age => format!("read {age} ago"),
        },
    );
    let mut lines = vec![format!(
        "  {:<11} {:>6} files {:>7} chunks {:>9}  {read}",
        source.source.as_str(),
        source.files,
        source.chunks,
        bytes(source.text_bytes)
    )];
    if source.failing > 0 {
        lines.push(format!("              {} files can't be read: six health --verbose", source.failing));
    }
    if !source.skipped.is_empty() {
        let reasons: Vec<String> = source.skipped.iter().map(|(reason, n)| format!("{n} {reason}")).collect();
        lines.push(format!("              skipped: {}", reasons.join(", ")));
    }
    lines
}

fn hook_json(hook: &HookStatus) -> Value {
    json!({
        "rows": hook.rows,
        "newest_ok": hook.newest_ok.map(UnixMs::rfc3339),
        "newest_failed": hook.newest_failed.as_ref().map(|(at, said)| json!({"at": at.rfc3339(), "said": said})),
    })
}

fn hook_line(hook: &HookStatus, now: UnixMs) -> String {
    let ok = hook.newest_ok.map_or_else(|| String::from("never"), |at| age(now, at));
    let failed = hook
        .newest_failed
        .as_ref()
        .map_or_else(String::new, |(at, said)| format!("; last failure {} ago: {said}", age(now, *at)));
    format!("  {:<19} {:>6} times, last good: {ok}{failed}", hook.hook.as_str(), hook.rows)
}
