//! From the bytes on stdin to the answer.

use std::path::Path;
use std::time::{Duration, Instant};

use six_core::event::{Event, HookOutput, parse_payload};
use six_core::plan::Plan;
use six_core::record::{EventId, Evidence, Heartbeat, HookName, OutcomeKind, SessionId, UnixMs, Why};
use six_store::{Checkpoint, Store, StoreError};

use super::ledger::{Ended, Ledger, redact};
use super::{chore, session_end, session_start, user_prompt_submit};
use crate::home::{Environment, SixHome};
use crate::ids;
use crate::project::identity::{Located, Project, locate};
use crate::project::settle::settle;
use crate::spool::Spool;

/// How long a hook replays what waits in the spool.
const DRAIN: Duration = Duration::from_millis(250);

/// Lock waits of one hook process, all together.
const BUSY: Duration = Duration::from_millis(50);

/// Milliseconds that a hook allows itself, whatever the host allows: a prompt waits for the answer, a session start is
/// shown beside the first prompt line, a session end has 1.5 s before the host kills it.
pub const fn deadline_ms(hook: HookName) -> u32 {
    match hook {
        HookName::UserPromptSubmit => 150,
        HookName::SessionStart => 2_000,
        HookName::SessionEnd => 1_400,
        HookName::Worker => 10 * 60 * 1000,
    }
}

/// Bytes of journal that a hook leaves to others: whoever opens the store next reads them all, and a person waits for the
/// end of a prompt's hook.
const fn journal_left(hook: HookName) -> u64 {
    match hook {
        HookName::UserPromptSubmit => 4 << 20,
        HookName::SessionStart | HookName::SessionEnd | HookName::Worker => 0,
    }
}

/// One invocation.
#[derive(Debug)]
pub struct Call<'a> {
    /// Which hook this binary is.
    pub hook: HookName,
    /// How it was wired, from its own arguments.
    pub via: &'a str,
    /// The environment, read once.
    pub env: &'a Environment,
    /// The process's folder; `None` when it was deleted.
    pub cwd: Option<&'a Path>,
    /// When the process started, twice: for durations and for the row.
    pub started: (Instant, UnixMs),
}

/// A call whose project and event are known.
pub(super) struct Work<'a> {
    pub(super) call: &'a Call<'a>,
    pub(super) project: &'a Project,
    pub(super) store: Result<Store, Why>,
    pub(super) ledger: &'a Ledger,
}

/// Answers one event. Whatever happens is in the ledger; nothing is returned because nothing can be done about it.
pub fn answer(call: &Call<'_>, payload: &[u8], ledger: &Ledger) {
    let parsed = parse_payload(payload);
    let payload_cwd = parsed.as_ref().ok().and_then(|payload| payload.common.cwd.as_deref()).map(Path::new);
    let Located::Installed(project) = locate(call.env, payload_cwd, call.cwd) else { return };
    let event = parsed.and_then(Event::try_from);
    let Ok(heartbeat) = heartbeat(call, event.as_ref().ok()) else { return };
    let Some(store) = ledger.open(&project.store_dir, &heartbeat, BUSY) else { return };
    let mut work = Work { call, project: &project, store, ledger };
    work.catch_up();
    let ended = match event {
        Ok(event) => work.answer(&event),
        Err(fault) => Ended::failed("payload", fault.to_string()),
    };
    work.ledger.close(&mut work.store, &ended);
    work.empty_journal();
}

/// Ends a call from the thread that watches: its deadline passed, or the host asked it to stop.
/// A call that never got as far as its heartbeat (stdin stayed open) leaves one now.
pub fn overrun(call: &Call<'_>, ledger: &Ledger, kind: OutcomeKind) {
    let ended = Ended { kind, class: String::from("deadline"), text: String::new() };
    if !ledger.is_open()
        && let Located::Installed(project) = locate(call.env, None, call.cwd)
        && let Ok(heartbeat) = heartbeat(call, None)
    {
        drop(ledger.open(&project.store_dir, &heartbeat, Duration::ZERO));
    }
    ledger.abandon(&ended);
}

fn heartbeat(call: &Call<'_>, event: Option<&Event>) -> Result<Heartbeat, ids::NoRandomness> {
    Ok(Heartbeat {
        id: EventId::new(ids::random_record_id()?),
        hook: call.hook,
        event: redact(event.map_or("", Event::name)),
        session: event.map(|event| SessionId::new(event.context().session_id.as_str())),
        via: redact(call.via),
        pid: std::process::id(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started: call.started.1,
        deadline_ms: deadline_ms(call.hook),
        synthetic: call.env.six_synthetic,
        outcome: None,
    })
}

/// What the store said, as evidence.
pub(super) fn seen<T>(looked: Result<T, StoreError>) -> Evidence<T> {
    looked.map_or_else(|fault| Evidence::Missing(fault.why()), Evidence::Seen)
}

impl Work<'_> {
    /// What earlier hooks could not do: events that wait in the spool, a move that only a writer may note. A prompt does
    /// not wait for either.
    fn catch_up(&self) {
        if self.call.hook == HookName::UserPromptSubmit {
            return;
        }
        if let Ok(store) = &self.store {
            // A spool that can't be read is what the check `store` tells.
            let _ = Spool::new(&self.project.store_dir).drain(store, Instant::now() + DRAIN);
        }
        if let Ok(home) = SixHome::resolve(self.call.env) {
            // A registry that can't be written leaves the move to be noted by the next one.
            let _ = settle(&home, self.project, self.call.started.1.0);
        }
    }

    fn answer(&mut self, event: &Event) -> Ended {
        let plan = match (self.call.hook, event) {
            (HookName::SessionStart, Event::SessionStart { context, source }) => {
                session_start::plan(self, context, source)
            }
            (HookName::UserPromptSubmit, Event::UserPromptSubmit { context, prompt }) => {
                user_prompt_submit::plan(self, context, prompt)
            }
            (HookName::SessionEnd, Event::SessionEnd { context, reason }) => {
                session_end::plan(self, context, reason.as_deref())
            }
            _ => return Ended::failed("payload", format!("{} got a {} event", self.call.hook.as_str(), event.name())),
        };
        self.carry_out(&plan)
    }

    fn carry_out(&mut self, plan: &Plan) -> Ended {
        let recorded = self.ledger.record(&mut self.store, &plan.effects);
        let text = plan.output.as_ref().map(HookOutput::render).unwrap_or_default();
        if recorded {
            self.ledger.print(text);
        } else if self.call.hook == HookName::SessionStart {
            // Without the store there is nothing in it but the health line with its red: the one thing that must be said
            // although it can't be recorded.
            self.ledger.print_unrecorded(text);
        }
        for chore in &plan.chores {
            chore::carry_out(self, chore);
        }
        if !recorded {
            return Ended::failed("unrecorded", "neither the store nor the spool could be written");
        }
        Ended::ok()
    }

    /// After the answer and its rows: nothing is lost when the process is ended meanwhile.
    fn empty_journal(&self) {
        if let Ok(store) = &self.store
            && store.journal_bytes() > journal_left(self.call.hook)
        {
            // A journal that is in use is emptied by whoever comes later.
            let _ = store.checkpoint(Checkpoint::IfFree);
        }
    }

    /// Microseconds since the process started.
    pub(super) fn elapsed_us(&self) -> u64 {
        u64::try_from(self.call.started.0.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}
