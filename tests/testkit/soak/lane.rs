//! One of the processes of a soak: its sessions live side by side, and it starts the hooks of theirs one after another.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use rusqlite::Connection;
use rustix::process::Signal;
use serde_json::{Value, json};

use super::Plan;
use super::call::{Call, Kill, Running};
use super::chance::Chance;
use super::told::{EQUAL, MARK, Told, Written};
use crate::payload;
use crate::scratch::Scratch;
use crate::session::Session;

/// Sessions that a lane has open at once.
const SESSIONS: usize = 3;

/// What no host sends; a hook takes it, says nothing and leaves a row.
const HOSTILE: &[&[u8]] = &[
    b"",
    b"{\n",
    b"[1, 2, 3]\n",
    b"null\n",
    b"{\"session_id\": null, \"hook_event_name\": 7}\n",
    b"{\"prompt\": \"\xff\xfe\", \"session_id\": \"x\"}\n",
    b"{\"hook_event_name\": \"SomethingElse\", \"transcript_path\": \"/dev/zero\", \"session_id\": \"../../x\"}\n",
];

const HOOKS: &[&str] = &["session-start", "user-prompt-submit", "pre-tool-use", "stop", "pre-compact", "session-end"];

/// What a lane did.
#[derive(Debug, Default)]
pub(super) struct Done {
    pub(super) calls: Vec<Call>,
    pub(super) written: Written,
    /// The events that were seen in the spool.
    pub(super) spooled: BTreeSet<String>,
    /// Times that the store was held.
    pub(super) held: usize,
    /// The largest journal that was seen, in bytes.
    pub(super) journal_bytes: u64,
}

/// A session and how far it is.
struct Live {
    session: Session,
    told: Told,
    wirings: &'static [&'static str],
    began: bool,
    prompted: bool,
}

/// See the module.
pub(super) struct Lane<'a> {
    scratch: &'a Scratch,
    store: &'a Path,
    plan: &'a Plan,
    number: usize,
    chance: Chance,
    sessions: usize,
    said: usize,
    pairs: usize,
    live: Vec<Live>,
    done: Done,
}

impl<'a> Lane<'a> {
    pub(super) fn new(scratch: &'a Scratch, store: &'a Path, plan: &'a Plan, number: usize) -> Self {
        let chance = Chance::new(plan.seed, number);
        let done = Done::default();
        Self { scratch, store, plan, number, chance, sessions: 0, said: 0, pairs: 0, live: Vec::new(), done }
    }

    /// Does its share of the plan.
    pub(super) fn run(mut self) -> Done {
        let share = self.plan.invocations.div_ceil(self.plan.processes);
        while self.live.len() < SESSIONS {
            let next = self.begin();
            self.live.push(next);
        }
        while self.done.calls.len() < share {
            match self.chance.below(1_000) {
                0..40 => self.command(),
                40..55 => self.hold(),
                55..75 => self.hostile(),
                _ => self.session_step(),
            }
            self.look();
        }
        self.done
    }

    /// A session that has not begun. Numbers of sessions are spread over the lanes.
    fn begin(&mut self) -> Live {
        let number = u16::try_from(1 + self.number + self.sessions * self.plan.processes).expect("a small number");
        self.sessions += 1;
        let session = self.scratch.session(number);
        let told = Told::new(self.scratch, &session);
        let wirings: &[&str] = if self.chance.permille(250) { &["settings", "plugin"] } else { &["settings"] };
        Live { session, told, wirings, began: false, prompted: false }
    }

    fn session_step(&mut self) {
        let at = self.chance.below(SESSIONS);
        let chosen = self.chance.below(100);
        let live = &self.live[at];
        match (live.began, live.prompted, chosen) {
            (false, ..) => {
                let start = payload::session_start(&live.session, "startup");
                self.live[at].began = true;
                self.hook(at, "session-start", &start);
            }
            (true, false, _) | (true, true, 0..38) => self.prompt(at),
            (_, _, 38..66) => self.tool(at),
            (_, _, 66..84) => self.stop(at),
            (_, _, 84..90) => self.compact(at),
            _ => self.end(at),
        }
    }

    fn prompt(&mut self, at: usize) {
        let mark = self.mark();
        let text = match self.chance.below(4) {
            0 => String::from(EQUAL),
            1 => format!("Build a pier on oak piles for {mark}."),
            2 => format!("No, use pnpm, not npm, for {mark}."),
            _ => format!("Where is the ship of {mark}?"),
        };
        let prompt = payload::user_prompt(&mut self.live[at].session, &text);
        let id = prompt["prompt_id"].as_str().map(str::to_owned);
        let first = self.done.calls.len();
        self.hook(at, "user-prompt-submit", &prompt);
        for call in &mut self.done.calls[first..] {
            call.prompt.clone_from(&id);
        }
        self.live[at].prompted = true;
        // Esc ends the hook by a SIGTERM, and the prompt never reaches the model.
        if self.done.calls[first..].iter().any(|call| call.killed == Some("SIGTERM")) {
            return;
        }
        self.live[at].told.prompt(&text);
        if text == EQUAL {
            self.done.written.equal += 1;
        } else {
            self.done.written.marks.push(mark);
        }
    }

    /// A text that nobody else says.
    fn mark(&mut self) -> String {
        self.said += 1;
        format!("{MARK}{}x{}", self.number, self.said)
    }

    fn tool(&mut self, at: usize) {
        let input = match self.chance.below(3) {
            0 => json!({ "command": "npm ci" }),
            1 => json!({ "command": "ls" }),
            _ => json!({ "command": "cargo test" }),
        };
        let mark = self.mark();
        let mut payload = payload::pre_tool_use(&self.live[at].session, "Bash", &input);
        payload["tool_use_id"] = format!("toolu_{mark}").into();
        self.hook(at, "pre-tool-use", &payload);
        self.live[at].told.tool(&format!("{mark} lies at the pier"));
        self.done.written.outputs.push(mark);
    }

    /// The answer is in the transcript before the hook runs or only after it, as with the host.
    fn stop(&mut self, at: usize) {
        let mark = self.mark();
        let text = match self.chance.below(5) {
            0 => format!("We decided to keep the manifest {mark} in Parquet files because row stores took an hour."),
            _ => format!("The ship {mark} is counted."),
        };
        let late = self.chance.permille(300);
        if !late {
            self.live[at].told.answer(&text);
        }
        self.hook(at, "stop", &payload::stop(&self.live[at].session, &text));
        if late {
            self.live[at].told.answer(&text);
        }
        self.done.written.marks.push(mark);
    }

    fn compact(&mut self, at: usize) {
        self.hook(at, "pre-compact", &payload::pre_compact(&self.live[at].session, "auto"));
        self.live[at].told.compaction();
        self.hook(at, "session-start", &payload::session_start(&self.live[at].session, "compact"));
    }

    /// The session ends; it is resumed, goes on under a new id, or another takes its place.
    fn end(&mut self, at: usize) {
        let reason = self.chance.pick(&["other", "clear", "resume", "prompt_input_exit"]);
        self.hook(at, "session-end", &payload::session_end(&self.live[at].session, reason));
        match self.chance.below(5) {
            0 => self.hook(at, "session-start", &payload::session_start(&self.live[at].session, "resume")),
            1 => {
                let mut next = self.begin();
                let from = &self.live[at];
                next.told = Told::fork(self.scratch, &from.session, &from.told, &next.session);
                (next.began, next.prompted) = (true, true);
                let start = payload::session_start(&next.session, "fork");
                self.live[at] = next;
                self.hook(at, "session-start", &start);
            }
            _ => self.live[at] = self.begin(),
        }
    }

    /// Calls a hook as the host does: once, or once by each of its two wirings.
    fn hook(&mut self, at: usize, kind: &'static str, payload: &Value) {
        let input = format!("{payload}\n");
        let wirings = self.live[at].wirings;
        let kills: Vec<Option<Kill>> = wirings.iter().map(|_| self.kill()).collect();
        let running: Vec<Running> = wirings
            .iter()
            .map(|via| {
                let mut command = self.scratch.hook_command(kind);
                command.args(["--via", via]);
                Running::start(kind, command, input.as_bytes())
            })
            .collect();
        let pair = (wirings.len() > 1).then(|| {
            self.pairs += 1;
            (self.number, self.pairs)
        });
        for (running, kill) in running.into_iter().zip(kills) {
            self.done.calls.push(Call { pair, ..running.end(kill) });
        }
    }

    fn hostile(&mut self) {
        let kind = self.chance.pick(HOOKS);
        let input = self.chance.pick(HOSTILE);
        let kill = self.kill();
        let call = Running::start(kind, self.scratch.hook_command(kind), input).end(kill);
        self.done.calls.push(Call { hostile: true, ..call });
    }

    fn command(&mut self) {
        match self.chance.below(100) {
            0..30 => self.six("six worker", &["worker"]),
            30..60 => self.six("six ingest", &["ingest"]),
            60..80 => self.six("six health", &["health", "--json"]),
            80..92 => self.judge(),
            92..97 => self.six("six backup", &["backup"]),
            _ => self.six("six repair", &["repair"]),
        }
    }

    fn six(&mut self, kind: &'static str, args: &[&str]) {
        let command = self.scratch.six_command(args);
        self.start(kind, command, &[]);
    }

    fn start(&mut self, kind: &'static str, command: Command, input: &[u8]) {
        let kill = self.kill();
        self.done.calls.push(Running::start(kind, command, input).end(kill));
    }

    /// Judges what waits, as somebody who reads the list does.
    fn judge(&mut self) {
        self.six("six triage", &["triage", "--list", "--limit", "3", "--json"]);
        let listed = self.done.calls.last().and_then(|call| serde_json::from_str::<Value>(&call.stdout).ok());
        let items = listed.as_ref().and_then(|list| list["items"].as_array()).map_or(&[][..], Vec::as_slice);
        let verdicts: Vec<Value> = items
            .iter()
            .zip(["confirm", "reject", "confirm"])
            .map(|(item, verdict)| json!({ "id": item["id"], "verdict": verdict }))
            .collect();
        let command = self.scratch.six_command(&["triage", "--apply", "-", "--json"]);
        self.start("six triage", command, Value::from(verdicts).to_string().as_bytes());
    }

    /// Another program holds the store: nobody can write meanwhile, or nobody can even read.
    fn hold(&mut self) {
        let alone = self.chance.permille(300);
        let time = Duration::from_millis(20 + self.chance.below(600) as u64);
        let Ok(holder) = Connection::open(self.store.join("memory.db")) else { return };
        let lock = if alone {
            "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE meta SET value = value"
        } else {
            "BEGIN EXCLUSIVE"
        };
        let held = holder.busy_timeout(Duration::from_secs(1)).and_then(|()| holder.execute_batch(lock));
        if held.is_ok() {
            self.done.held += 1;
            thread::sleep(time);
        }
        // Where nothing was begun there is nothing to end.
        let _ = holder.execute_batch("COMMIT");
    }

    /// Five of a hundred are killed.
    fn kill(&mut self) -> Option<Kill> {
        let signal = self.chance.pick(&[Signal::KILL, Signal::TERM]);
        let after = self.chance.delay();
        self.chance.permille(50).then_some((signal, after))
    }

    /// Looks at what waits in the spool and how long the journal is.
    fn look(&mut self) {
        let names = fs::read_dir(self.store.join("spool")).into_iter().flatten().flatten();
        let names = names.filter_map(|entry| entry.file_name().into_string().ok());
        // `EVENT-STAGE.json`
        self.done
            .spooled
            .extend(names.filter_map(|name| Some(name.strip_suffix(".json")?.rsplit_once('-')?.0.to_owned())));
        let journal = fs::metadata(self.store.join("memory.db-wal")).map_or(0, |file| file.len());
        self.done.journal_bytes = self.done.journal_bytes.max(journal);
    }
}
