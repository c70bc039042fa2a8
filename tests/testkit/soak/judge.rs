//! What must hold after a soak, told from what was seen from outside and what is in the store.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::call::Call;
use super::lane::Done;
use super::told::{EQUAL, MARK};
use crate::scratch::Scratch;

/// A row may be written so much before the start that was seen and after the end: clocks have steps.
const LEEWAY_MS: i64 = 5;

/// The journal that may be left when all is quiet.
const JOURNAL_MAX_BYTES: u64 = 4 << 20;

/// All that a store's folder may hold.
const KNOWN: &[&str] = &[
    "memory.db",
    "memory.db-wal",
    "memory.db-shm",
    "memory.db.lock",
    "memory.db.use",
    "manifest.json",
    "config.json",
    "spool",
    "backup",
    "backup.lock",
    "claims.lock",
    "embed.lock",
    "ingest.lock",
    "worker.lock",
    "worker.log",
    "worker.log.1",
];

/// A row of a hook.
struct Row {
    event: String,
    hook: String,
    pid: u32,
    started: i64,
    outcome: Option<String>,
    class: String,
}

/// What was counted, and what does not hold.
#[derive(Debug, Default)]
pub(super) struct Judgement {
    /// By name, for the summary.
    pub(super) counts: BTreeMap<&'static str, usize>,
    /// Sentences.
    pub(super) violations: Vec<String>,
}

impl Judgement {
    fn count(&mut self, name: &'static str, more: usize) {
        *self.counts.entry(name).or_default() += more;
    }

    fn wrong(&mut self, name: &'static str, what: &str) {
        self.count(name, 1);
        self.violations.push(format!("{name}: {what}"));
    }
}

/// Judges a soak whose work has been taken in.
pub(super) fn judge(scratch: &Scratch, store: &Path, lanes: &[Done]) -> Judgement {
    let mut found = Judgement::default();
    let calls: Vec<&Call> = lanes.iter().flat_map(|lane| &lane.calls).collect();
    judge_ends(&calls, &mut found);
    let rows = rows(scratch);
    let matched = match_rows(&calls, &rows, &mut found);
    judge_receipts(scratch, &calls, &rows, &matched, &mut found);
    judge_entries(scratch, lanes, &mut found);
    let events: BTreeSet<&str> = rows.iter().map(|row| row.event.as_str()).collect();
    for event in lanes.iter().flat_map(|lane| &lane.spooled) {
        found.count("seen in the spool", 1);
        if events.contains(event.as_str()) {
            found.count("replayed", 1);
        } else {
            found.wrong("lost", &format!("event {event} was in the spool and is not in the store"));
        }
    }
    judge_store(scratch, store, &mut found);
    found
}

/// Exit codes and what was printed.
fn judge_ends(calls: &[&Call], found: &mut Judgement) {
    for call in calls {
        let told = || format!("{} (pid {}, {}): {}{}", call.kind, call.pid, call.end(), call.stdout, call.stderr);
        let good: &[i32] = match call.kind {
            // Red; nothing waits.
            "six health" | "six triage" => &[0, 1],
            _ => &[0],
        };
        if call.hung {
            found.wrong("hung", &told());
        }
        if call.killed.is_none() && !call.exit.is_some_and(|code| good.contains(&code)) {
            // A repair has the store alone for as long as it takes; who waited long enough is told so.
            if call.exit == Some(3) && call.stderr.contains("in use by another process") {
                found.count("commands that gave way to a repair", 1);
            } else if call.exit == Some(2) && call.kind == "six triage" && names_refused_verdicts(&call.stdout) {
                found.count("verdicts on what somebody else had judged meanwhile", 1);
            } else {
                found.wrong("exit", &told());
            }
        }
        if call.killed.is_none() && call.is_hook() && !call.stderr.is_empty() {
            found.wrong("stderr", &told());
        }
        let said = call.stdout.trim();
        let is_object = || serde_json::from_str::<Value>(said).is_ok_and(|said| said.is_object());
        if call.is_hook() && !said.is_empty() && !is_object() && call.killed.is_none() {
            found.wrong("stdout", &told());
        }
    }
    let mut pairs: BTreeMap<(usize, usize), Vec<&Call>> = BTreeMap::new();
    for call in calls {
        if let Some(pair) = call.pair {
            pairs.entry(pair).or_default().push(call);
        }
    }
    for (pair, calls) in pairs {
        if calls.iter().filter(|call| !call.stdout.is_empty()).count() > 1 {
            let both: Vec<String> =
                calls.iter().map(|call| format!("pid {} at {} ({})", call.pid, call.window.0, call.end())).collect();
            found.wrong("said twice", &format!("pair {pair:?} of {}: {}", calls[0].kind, both.join(", ")));
        }
    }
}

fn names_refused_verdicts(said: &str) -> bool {
    let said = serde_json::from_str::<Value>(said).unwrap_or_default();
    said["errors"].as_array().is_some_and(|errors| !errors.is_empty())
}

fn rows(scratch: &Scratch) -> Vec<Row> {
    let rows = scratch.store_rows(
        "SELECT event_id, hook, pid, started_unix_ms AS started, outcome, coalesce(class, '') AS class FROM heartbeat
         WHERE synthetic = 0 ORDER BY started_unix_ms",
    );
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    rows.iter()
        .map(|row| Row {
            event: text(&row["event_id"]),
            hook: text(&row["hook"]),
            pid: row["pid"].as_u64().and_then(|pid| u32::try_from(pid).ok()).unwrap_or_default(),
            started: row["started"].as_i64().unwrap_or_default(),
            outcome: row["outcome"].as_str().map(str::to_owned),
            class: text(&row["class"]),
        })
        .collect()
}

/// The row of every call of a hook, by place; a row belongs to the one process of its number that ran when it was written.
fn match_rows(calls: &[&Call], rows: &[Row], found: &mut Judgement) -> Vec<Option<usize>> {
    let mut by_process: BTreeMap<(&str, u32), Vec<usize>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        by_process.entry((&row.hook, row.pid)).or_default().push(at);
    }
    let mut taken = BTreeSet::new();
    let mut matched = Vec::new();
    for call in calls {
        let window = call.window.0 - LEEWAY_MS..=call.window.1 + LEEWAY_MS;
        let of_process = by_process.get(&(call.kind, call.pid)).map_or(&[][..], Vec::as_slice);
        let own: Vec<usize> = of_process.iter().copied().filter(|at| window.contains(&rows[*at].started)).collect();
        taken.extend(own.iter().copied());
        matched.push(own.first().copied());
        if call.is_hook() {
            judge_row(call, &own, rows, found);
        }
    }
    for (at, row) in rows.iter().enumerate() {
        let by_host = !["worker", "gate", "render"].contains(&row.hook.as_str());
        if by_host && !taken.contains(&at) {
            found.wrong("strange", &format!("nobody started {} pid {} at {}", row.hook, row.pid, row.started));
        }
        if row.hook == "worker" && row.outcome.is_none() {
            found.count("workers that were killed, and their rows say so", 1);
        }
    }
    matched
}

/// What the rows of one call of a hook tell of it: it has one, or none where it was killed, and that says how it ended.
fn judge_row(call: &Call, own: &[usize], rows: &[Row], found: &mut Judgement) {
    let what = format!("{} pid {} at {} ({})", call.kind, call.pid, call.window.0, call.end());
    let row = match own {
        [] if call.killed.is_some() => return found.count("killed before the first write", 1),
        [] => return found.wrong("lost", &format!("no row of {what}")),
        [at] => &rows[*at],
        more => return found.wrong("twice", &format!("{} rows of {what}", more.len())),
    };
    match (row.outcome.as_deref(), call.killed) {
        (None, Some(_)) => found.count("killed, and the row says so by having no end", 1),
        (Some("cancelled"), Some(_)) => found.count("killed, and the row says cancelled", 1),
        (Some(_), Some(_)) => found.count("killed after the row was closed", 1),
        (None, None) => found.wrong("unsaid", &format!("no end in the row of {what}")),
        (Some("failed"), None) if !call.hostile => found.wrong("failed", &format!("{what}: {}", row.class)),
        (Some("failed"), None) => found.count("hostile, and the row says so", 1),
        (Some("cancelled"), None) => found.wrong("cancelled", &format!("nobody told {what} to end")),
        (Some("timed-out"), None) => found.count("timed out, and the row says so", 1),
        (Some(_), None) => found.count("well, and the row says so", 1),
    }
}

/// A prompt has one receipt, by however many calls it came.
fn judge_receipts(scratch: &Scratch, calls: &[&Call], rows: &[Row], matched: &[Option<usize>], found: &mut Judgement) {
    let mut receipts: BTreeMap<String, usize> = BTreeMap::new();
    let stored = scratch.store_rows(
        "SELECT coalesce(r.prompt_id, '') AS prompt, coalesce(h.hook, '') AS hook FROM receipt r
         LEFT JOIN heartbeat h ON h.event_id = r.event_id",
    );
    for row in &stored {
        match row["hook"].as_str() {
            Some("user-prompt-submit") => {
                *receipts.entry(row["prompt"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
            }
            Some("") | None => found.wrong("strange", "a receipt without a row of its hook"),
            Some(_) => found.count("receipts of tools", 1),
        }
    }
    let mut prompts: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, call) in calls.iter().enumerate() {
        if let Some(prompt) = &call.prompt {
            prompts.entry(prompt).or_default().push(at);
        }
    }
    found.count("prompts", prompts.len());
    for (prompt, tries) in &prompts {
        let row = |at: &usize| matched[*at].map(|at| &rows[at]);
        let is_done = |at: &usize| {
            calls[*at].killed.is_none()
                && row(at).is_some_and(|row| matches!(row.outcome.as_deref(), Some("ok" | "skipped")))
        };
        let answered = tries.iter().any(is_done);
        // Its twin had the claim and was killed before its rows were anywhere.
        let left_to_a_dead_twin = tries.iter().any(|at| calls[*at].killed.is_some())
            && tries.iter().filter(|at| is_done(at)).all(|at| row(at).is_some_and(|row| row.class == "wired-twice"));
        match receipts.remove(*prompt).unwrap_or_default() {
            0 if answered && left_to_a_dead_twin => found.count("prompts left to a twin that was killed", 1),
            0 if answered => found.wrong("lost", &format!("no receipt of prompt {prompt}")),
            0 => found.count("prompts without a receipt: killed, or no time for a plan", 1),
            1 => found.count("prompts with one receipt", 1),
            more => found.wrong("twice", &format!("{more} receipts of prompt {prompt}")),
        }
    }
    for prompt in receipts.keys() {
        found.wrong("strange", &format!("a receipt of prompt {prompt:?}, which nobody sent"));
    }
}

/// Every text of the transcripts is stored once.
fn judge_entries(scratch: &Scratch, lanes: &[Done], found: &mut Judgement) {
    let mut stored: BTreeMap<String, usize> = BTreeMap::new();
    let mut equal = 0;
    for row in scratch.store_rows("SELECT text FROM entry WHERE source = 'transcript'") {
        let text = row["text"].as_str().unwrap_or_default();
        equal += usize::from(text == EQUAL);
        for word in text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.starts_with(MARK)) {
            *stored.entry(word.to_owned()).or_default() += 1;
        }
    }
    for lane in lanes {
        for mark in &lane.written.marks {
            match stored.remove(mark).unwrap_or_default() {
                0 => found.wrong("lost", &format!("{mark} is in a transcript and not in the store")),
                1 => found.count("texts stored once", 1),
                more => found.wrong("twice", &format!("{mark} is stored {more} times")),
            }
        }
        for mark in &lane.written.outputs {
            if stored.remove(mark).unwrap_or_default() > 1 {
                found.wrong("twice", &format!("the output {mark} is stored more than once"));
            }
        }
    }
    for mark in stored.keys() {
        found.wrong("strange", &format!("nobody wrote {mark}"));
    }
    let written: usize = lanes.iter().map(|lane| lane.written.equal).sum();
    if equal == written {
        found.count("prompts of equal text, each stored", equal);
    } else {
        found.wrong("lost", &format!("of {written} prompts of equal text {equal} are stored"));
    }
}

fn judge_store(scratch: &Scratch, store: &Path, found: &mut Judgement) {
    let whole = scratch.store_rows("PRAGMA integrity_check");
    if whole[0]["integrity_check"] != "ok" {
        found.wrong("damage", &format!("{whole:?}"));
    }
    let loose = scratch.store_rows("PRAGMA foreign_key_check");
    if !loose.is_empty() {
        found.wrong("damage", &format!("{loose:?}"));
    }
    for name in names(store) {
        if !KNOWN.contains(&name.as_str()) {
            found.wrong("strange", &format!("the store's folder holds {name}"));
        }
    }
    for name in names(&store.join("spool")) {
        if name != "claims" {
            found.wrong("waiting", &format!("the spool holds {name}"));
        }
    }
    let journal = fs::metadata(store.join("memory.db-wal")).map_or(0, |file| file.len());
    if journal > JOURNAL_MAX_BYTES {
        found.wrong("journal", &format!("{journal} bytes are left in the journal"));
    }
}

fn names(folder: &Path) -> Vec<String> {
    fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect()
}
