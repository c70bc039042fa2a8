//! From the bytes on stdin to the answer.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use six_core::effect::Effect;
use six_core::event::{Event, HookOutput, parse_payload};
use six_core::plan::Plan;
use six_core::record::{EventId, Evidence, Heartbeat, HookName, OutcomeKind, SessionId, UnixMs, Why};
use six_store::{Checkpoint, Store, StoreError};

use super::claim;
use super::ledger::{Ended, Ledger, Recorded, redact};
use crate::home::{Environment, SixHome};
use crate::ids;
use crate::project::identity::{Located, Project, locate};
use crate::project::settle::settle;
use crate::spool::Spool;

/// How long a hook replays what waits in the spool.
const DRAIN: Duration = Duration::from_millis(250);

/// Lock waits of one hook process, all together.
const BUSY: Duration = Duration::from_millis(50);

/// What one event of the host adds to the road that all share. Chosen when a binary is built, not when it runs.
pub trait Hook {
    /// Its name in the rows.
    const NAME: HookName;
    /// Milliseconds that it allows itself, whatever the host allows.
    const DEADLINE_MS: u32;
    /// It first does what earlier hooks could not do. Not where a person waits.
    const CATCHES_UP: bool = true;
    /// Bytes of journal that it leaves to others: whoever opens the store next reads them all.
    const JOURNAL_LEFT_BYTES: u64 = 0;
    /// It speaks although nothing could be recorded.
    const SPEAKS_UNRECORDED: bool = false;
    /// What it may have to do after its answer.
    type Chore;

    /// Decides what is written, said and done; `None` when the event is another hook's.
    fn plan(work: &Work<'_>, event: &Event) -> Option<Plan<Self::Chore>>;

    /// What it says where it comes to no answer in time, or its work breaks off; `None` = nothing.
    fn last_word(_event: &Event) -> Option<HookOutput> {
        None
    }

    /// Does one chore of its plan, as far as the time goes. What is left is done by the worker.
    fn carry_out(work: &Work<'_>, chore: &Self::Chore);
}

/// One invocation.
#[derive(Debug)]
pub struct Call<'a> {
    /// How it was wired, from its own arguments.
    pub via: &'a str,
    /// The environment, read once.
    pub env: &'a Environment,
    /// The process's folder; `None` when it was deleted.
    pub cwd: Option<&'a Path>,
    /// When the process started, twice: for durations and for the row.
    pub started: (Instant, UnixMs),
    /// Milliseconds beyond its own deadline that the project's configuration allows it.
    pub granted_ms: AtomicU64,
}

impl Call<'_> {
    /// When the hook has to be done, as far as is known by now.
    pub fn deadline<H: Hook>(&self) -> Instant {
        let own = self.env.allow(Duration::from_millis(u64::from(H::DEADLINE_MS)));
        self.started.0 + own + Duration::from_millis(self.granted_ms.load(Ordering::Relaxed))
    }
}

/// A call whose project is known.
#[derive(Debug)]
pub struct Work<'a> {
    pub(super) call: &'a Call<'a>,
    pub(super) project: &'a Project,
    pub(super) store: Result<Store, Why>,
    pub(super) ledger: &'a Ledger,
    /// That this call answers, and not its twin.
    claim: Option<Effect>,
    /// Somebody has silenced six in this session or project, or on this prompt: whatever a plan says, nothing is printed. A plan looks
    /// here, too, so that nothing counts as shown.
    pub(super) muted: bool,
}

/// Answers one event. Whatever happens is in the ledger; nothing is returned because nothing can be done about it.
pub fn answer<H: Hook>(call: &Call<'_>, payload: &[u8], ledger: &Ledger) {
    let parsed = parse_payload(payload);
    let payload_cwd = parsed.as_ref().ok().and_then(|payload| payload.common.cwd.as_deref()).map(Path::new);
    let Located::Installed(project) = locate(call.env, payload_cwd, call.cwd) else { return };
    let event = parsed.and_then(Event::try_from);
    let Ok(heartbeat) = heartbeat::<H>(call, event.as_ref().ok()) else { return };
    let claim = claim::of_call(call.via, payload, call.started.1);
    // Before the store, which may be what does not answer.
    if let Some(word) = event.as_ref().ok().and_then(H::last_word) {
        ledger.keep_last_word(claim.as_ref(), word.render());
    }
    let Some(store) = ledger.open(&project.store_dir, &heartbeat, BUSY) else { return };
    let muted = event.as_ref().is_ok_and(|event| is_muted(&store, event, call.started.1));
    if muted {
        ledger.drop_last_word();
    }
    let mut work = Work { call, project: &project, store, ledger, muted, claim };
    if H::CATCHES_UP {
        work.catch_up();
    }
    let ended = match event {
        Ok(event) => work.answer::<H>(&event),
        Err(fault) => Ended::failed("payload", fault.to_string()),
    };
    work.ledger.close(&mut work.store, &ended);
    work.empty_journal::<H>();
}

/// Ends a call from the thread that watches: its deadline passed, or the host asked it to stop.
/// A call that never got as far as its heartbeat (stdin stayed open) leaves one now.
pub fn overrun<H: Hook>(call: &Call<'_>, ledger: &Ledger, kind: OutcomeKind) {
    let class = if kind == OutcomeKind::Cancelled { "signal" } else { "deadline" };
    let ended = Ended { kind, class: class.to_owned(), text: String::new() };
    if !ledger.is_open()
        && let Located::Installed(project) = locate(call.env, None, call.cwd)
        && let Ok(heartbeat) = heartbeat::<H>(call, None)
    {
        drop(ledger.open(&project.store_dir, &heartbeat, Duration::ZERO));
    }
    ledger.abandon(&ended);
}

fn heartbeat<H: Hook>(call: &Call<'_>, event: Option<&Event>) -> Result<Heartbeat, ids::NoRandomness> {
    Ok(Heartbeat {
        id: EventId::new(ids::random_record_id()?),
        hook: H::NAME,
        event: redact(event.map_or("", Event::name)),
        session: event.map(|event| SessionId::new(event.context().session_id.as_str())),
        via: redact(call.via),
        pid: std::process::id(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started: call.started.1,
        deadline_ms: H::DEADLINE_MS,
        synthetic: call.env.six_synthetic,
        outcome: None,
    })
}

/// Whether somebody has silenced six for the session of this event, or for the prompt that a tool is used on. Where the
/// store can't say, nobody has: what must be told of a broken store is not held back.
fn is_muted(store: &Result<Store, Why>, event: &Event, now: UnixMs) -> bool {
    let Ok(store) = store else { return false };
    let context = event.context();
    let prompt = context.prompt_id.as_ref().filter(|_| matches!(event, Event::PreToolUse { .. }));
    store.is_muted(&context.session_id, now).unwrap_or(false)
        || prompt.is_some_and(|prompt| store.is_skipped(&context.session_id, prompt).unwrap_or(false))
}

/// What the store said, as evidence.
pub(super) fn seen<T>(looked: Result<T, StoreError>) -> Evidence<T> {
    looked.map_or_else(|fault| Evidence::Missing(fault.why()), Evidence::Seen)
}

/// What a plan asked for and could not have, by its account of the turn.
fn lacked(effects: &[Effect]) -> Option<&str> {
    effects.iter().find_map(|effect| match effect {
        Effect::Receipt(receipt) => receipt.lacked(),
        _ => None,
    })
}

impl Work<'_> {
    /// What earlier hooks could not do: events that wait in the spool, a move that only a writer may note.
    fn catch_up(&self) {
        if let Ok(store) = &self.store {
            // A spool that can't be read is what the check `store` tells.
            let _ = Spool::new(&self.project.store_dir).drain(store, Instant::now() + DRAIN);
        }
        if let Ok(home) = SixHome::resolve(self.call.env) {
            // A registry that can't be written leaves the move to be noted by the next one.
            let _ = settle(&home, self.project, self.call.started.1.0);
        }
    }

    fn answer<H: Hook>(&mut self, event: &Event) -> Ended {
        match H::plan(self, event) {
            Some(plan) => self.carry_out::<H>(&plan),
            None => Ended::failed("payload", format!("{} got a {} event", H::NAME.as_str(), event.name())),
        }
    }

    fn carry_out<H: Hook>(&mut self, plan: &Plan<H::Chore>) -> Ended {
        let effects: Vec<Effect> = self.claim.iter().chain(&plan.effects).cloned().collect();
        let text = plan.output.as_ref().filter(|_| !self.muted).map(HookOutput::render).unwrap_or_default();
        let recorded = match self.ledger.record(&mut self.store, &effects, text) {
            Recorded::ByTwin => return Ended::skipped("wired-twice"),
            recorded => recorded == Recorded::Here,
        };
        if recorded {
            self.ledger.print();
        } else if H::SPEAKS_UNRECORDED {
            self.ledger.print_unrecorded();
        }
        for chore in &plan.chores {
            H::carry_out(self, chore);
        }
        if !recorded {
            return Ended::failed("unrecorded", "neither the store nor the spool could be written");
        }
        match lacked(&plan.effects) {
            Some(what) => Ended::degraded(what),
            None if plan.idle => Ended::idle(),
            None => Ended::ok(),
        }
    }

    /// After the answer and its rows: nothing is lost when the process is ended meanwhile.
    fn empty_journal<H: Hook>(&self) {
        if let Ok(store) = &self.store
            && store.journal_bytes() > H::JOURNAL_LEFT_BYTES
        {
            // A journal that is in use is emptied by whoever comes later.
            let _ = store.checkpoint(Checkpoint::IfFree);
        }
    }

    /// What is left until the deadline.
    pub(super) fn left<H: Hook>(&self) -> Duration {
        self.call.deadline::<H>().saturating_duration_since(Instant::now())
    }

    /// Microseconds since the process started.
    pub(super) fn elapsed_us(&self) -> u64 {
        u64::try_from(self.call.started.0.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}
