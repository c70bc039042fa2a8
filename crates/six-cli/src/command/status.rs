//! `six status`

use std::process::ExitCode;

use serde_json::{Value, json};
use six_core::record::{Mute, RecordState, UnixMs};
use six_core::text::printable;
use six_runtime::config::Configuration;
use six_runtime::embed::{Embedding, Patience};
use six_runtime::health::store_file;
use six_runtime::home::SixHome;
use six_runtime::ingest::{Expiring, Place, find_expiring};
use six_runtime::project::identity::Project;
use six_runtime::project::registry::Registry;
use six_store::{Coverage, HookStatus, Journal, SourceStatus, StoreStatus};

use super::install::home_path;
use super::mute::{mute_words, mutes_json};
use crate::context::Context;
use crate::failure::{Failure, store_failure};
use crate::output::{ago, bytes, count, object};

/// Runs it.
pub(crate) fn run(context: &Context) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    let store = Context::reader(&project)?;
    let failed = |fault| store_failure(&project, &fault);
    let status = store.status().map_err(failed)?;
    let place = Place::gather(&project, &context.env);
    let expiring = find_expiring(&place, &store, context.now).map_err(failed)?;
    let (used_bytes, journal) = (store.used_bytes().map_err(failed)?, store.journal());
    let read = Configuration::read(&context.env, Some(&project.store_dir));
    let embedding = Embedding::of(&store, &read.config.embed, Patience::Hook).map_err(failed)?;
    let coverage = embedding.coverage(&store, context.now).map_err(failed)?;
    let config_faults = read.faults.iter().map(ToString::to_string).collect();
    let seen = Seen {
        aliases: aliases(context, &project),
        bytes: file_bytes(&project),
        used_bytes,
        quota_bytes: place.quota_bytes,
        config_faults,
        expiring,
        journal,
        mutes: store.mutes(context.now).map_err(failed)?,
        project,
        status,
        coverage,
    };
    context.print(&if context.json { object("status", seen.json(context)) } else { seen.text(context) });
    Ok(ExitCode::SUCCESS)
}

struct Seen {
    project: Project,
    aliases: Vec<String>,
    bytes: u64,
    used_bytes: u64,
    quota_bytes: u64,
    expiring: Expiring,
    /// What is wrong with files of configuration, each in a line.
    config_faults: Vec<String>,
    journal: Journal,
    /// Silences in force.
    mutes: Vec<Mute>,
    status: StoreStatus,
    coverage: Coverage,
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
                "used_bytes": self.used_bytes,
                "quota_bytes": self.quota_bytes,
                "is_full": self.is_full(),
                "text_bytes": status.text_bytes,
                "journal": match self.journal {
                    Journal::Wal => "wal",
                    Journal::Rollback(_) => "rollback",
                },
                "chunks": status.chunks,
                "bodies": status.bodies,
                "entries": status.entries,
                "vectors": self.coverage.embedded,
                "embeddable": self.coverage.eligible,
            },
            "config": {"faults": self.config_faults},
            "mutes": mutes_json(&self.mutes),
            "sources": status.sources.iter().map(|source| source_json(source, context.now)).collect::<Vec<_>>(),
            "sessions": status.sessions,
            "expiring": {
                "keep_days": self.expiring.keep_days,
                "files": self.expiring.files,
                "unread": self.expiring.unread,
            },
            "records": status.records.iter().map(|(kind, state, n)| {
                json!({"kind": kind, "state": state, "count": n})
            }).collect::<Vec<_>>(),
            "unread_messages": status.unread_messages,
            "subsystems": status.subsystems,
            "hooks": status.hooks.iter().map(|hook| {
                (hook.hook.as_str().to_owned(), hook_json(hook))
            }).collect::<serde_json::Map<_, _>>(),
        })
    }

    fn is_full(&self) -> bool {
        self.used_bytes >= self.quota_bytes
    }

    /// What the host deletes soon; nothing when that is nothing.
    fn expiring_line(&self) -> Option<String> {
        let Expiring { keep_days, files, unread } = self.expiring;
        let rest = match unread {
            0 => String::from("all read; their text stays"),
            n => format!("{n} not read yet: six ingest"),
        };
        let files_named = count(files, "session file");
        (files > 0).then(|| format!("expiring  {files_named} the host deletes after {keep_days} days; {rest}"))
    }

    fn text(&self, context: &Context) -> String {
        let status = &self.status;
        let mut lines = vec![
            format!("project   {}", home_path(&self.project.root, &context.env)),
            format!("id        {}", self.project.id),
            format!("store     {}", home_path(&store_file(&self.project), &context.env)),
            format!("size      {} for {} of text", bytes(self.bytes), bytes(status.text_bytes)),
            format!("quota     {} of {} used", bytes(self.used_bytes), bytes(self.quota_bytes)),
        ];
        if self.is_full() {
            lines.push(String::from("          full: no more transcripts and commits are taken in"));
            lines.push(String::from("          to make room: six config set store.quota_mib MIB"));
        }
        if let Journal::Rollback(file_system) = self.journal {
            lines.push(format!("          on {file_system}, where hooks and searches wait for each other"));
        }
        lines.extend(self.aliases.iter().map(|alias| format!("before    {}", printable(alias))));
        lines.extend(self.mutes.iter().map(|mute| format!("muted     {} (six mute --off)", mute_words(mute, context))));
        lines.extend(self.config_faults.iter().map(|fault| format!("config    not used: {}", printable(fault))));
        lines.push(format!(
            "memory    {}, {}, {}",
            count(status.chunks, "chunk"),
            count(status.sessions, "session"),
            count(status.subsystems, "subsystem")
        ));
        lines.extend(status.records.iter().map(|(kind, state, n)| {
            let judge = if *state == RecordState::Pending { " (six triage)" } else { "" };
            format!("          {}, {}{judge}", count(*n, &kind.as_str().replace('_', " ")), state.as_str())
        }));
        if status.unread_messages > 0 {
            let waiting = count(status.unread_messages, "message");
            lines.push(format!("          {waiting} not read for candidates yet (six extract)"));
        }
        lines.push(format!("vectors   {} of {}", self.coverage.embedded, count(self.coverage.eligible, "text")));
        lines.push(format!("{:<13} {:>6} {:>7} {:>9}", "sources", "files", "chunks", "text"));
        lines.extend(status.sources.iter().flat_map(|source| source_lines(source, context.now)));
        lines.extend(self.expiring_line());
        lines.push(format!("{:<20} {:>6}", "hooks", "runs"));
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
    let read = source.consumed.map_or_else(String::new, |at| format!("  read {}", ago(now, at)));
    let mut lines = vec![format!(
        "  {:<11} {:>6} {:>7} {:>9}{read}",
        source.source.as_str(),
        source.files,
        source.chunks,
        bytes(source.text_bytes)
    )];
    if source.failing > 0 {
        lines.push(format!("              can't be read: {} (six health --verbose)", count(source.failing, "file")));
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
    let ok = hook.newest_ok.map_or_else(|| String::from("never yet"), |at| ago(now, at));
    let failed = hook
        .newest_failed
        .as_ref()
        .map_or_else(String::new, |(at, said)| format!("; last failure {}: {}", ago(now, *at), printable(said)));
    format!("  {:<18} {:>6}  last good: {ok}{failed}", hook.hook.as_str(), hook.rows)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use six_core::record::{HookName, ProjectId, RecordKind, Source};
    use six_runtime::project::identity::Standing;

    use super::*;

    fn seen(context: &Context) -> Seen {
        let at = |minutes: i64| UnixMs(context.now.0 - minutes * 60_000);
        let source = |source, files, failing, consumed| SourceStatus {
            source,
            files,
            failing,
            chunks: files * 7,
            text_bytes: files * 4_321,
            consumed,
            skipped: [(String::from("template"), failing)].into_iter().filter(|(_, n)| *n > 0).collect(),
        };
        Seen {
            project: Project {
                id: ProjectId::parse("xy3csdpm90z4hy1jcj4g2h1fn2").unwrap(),
                root: PathBuf::from("/home/ada/api"),
                common_dir: None,
                worktree: false,
                store_dir: PathBuf::from("/home/ada/six/projects/xy3csdpm90z4hy1jcj4g2h1fn2"),
                standing: Standing::Listed,
            },
            aliases: vec![String::from("/home/ada/old-api")],
            bytes: 217_000,
            used_bytes: 201_000,
            quota_bytes: 200_000,
            expiring: Expiring { keep_days: 30, files: 4, unread: 1 },
            coverage: Coverage { eligible: 13, embedded: 12, ..Coverage::default() },
            config_faults: vec![String::from("/home/ada/six/config.json: line 3: not JSON: trailing comma")],
            journal: Journal::Rollback("nfs"),
            mutes: vec![Mute { session: None, since: at(5), until: Some(UnixMs(context.now.0 + 3_600_000)) }],
            status: StoreStatus {
                chunks: 14,
                bodies: 14,
                entries: 7,
                text_bytes: 961,
                sources: vec![
                    source(Source::Memory, 2, 1, Some(at(0))),
                    source(Source::Transcript, 0, 0, None),
                    source(Source::Doc, 1_200, 0, Some(at(90))),
                ],
                sessions: 1,
                records: vec![
                    (RecordKind::DeadEnd, RecordState::Confirmed, 2),
                    (RecordKind::DeadEnd, RecordState::Pending, 3),
                ],
                unread_messages: 5,
                subsystems: 0,
                hooks: vec![
                    HookStatus { hook: HookName::SessionStart, rows: 12, newest_ok: Some(at(3)), newest_failed: None },
                    HookStatus {
                        hook: HookName::UserPromptSubmit,
                        rows: 3,
                        newest_ok: None,
                        newest_failed: Some((at(60), String::from("the store is busy"))),
                    },
                ],
            },
        }
    }

    #[test]
    fn a_person_reads_a_table() {
        let context = Context::fixed();
        insta::assert_snapshot!(seen(&context).text(&context), @"
        project   ~/api
        id        xy3csdpm90z4hy1jcj4g2h1fn2
        store     ~/six/projects/xy3csdpm90z4hy1jcj4g2h1fn2/memory.db
        size      217.0 kB for 961 B of text
        quota     201.0 kB of 200.0 kB used
                  full: no more transcripts and commits are taken in
                  to make room: six config set store.quota_mib MIB
                  on nfs, where hooks and searches wait for each other
        before    /home/ada/old-api
        muted     the whole project, until 2026-01-01 01:00 (six mute --off)
        config    not used: /home/ada/six/config.json: line 3: not JSON: trailing comma
        memory    14 chunks, 1 session, 0 subsystems
                  2 dead ends, confirmed
                  3 dead ends, pending (six triage)
                  5 messages not read for candidates yet (six extract)
        vectors   12 of 13 texts
        sources        files  chunks      text
          memory           2      14    8.6 kB  read just now
                      can't be read: 1 file (six health --verbose)
                      skipped: 1 template
          transcript       0       0       0 B
          doc           1200    8400    5.1 MB  read 1 h ago
        expiring  4 session files the host deletes after 30 days; 1 not read yet: six ingest
        hooks                  runs
          session-start          12  last good: 3 min ago
          user-prompt-submit      3  last good: never yet; last failure 1 h ago: the store is busy
        ");
    }
}
