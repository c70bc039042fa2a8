//! Faults of the check `render`.

use six_core::effect::Effect;
use six_core::health::{CheckName, Fault};
use six_core::record::{EventId, HookName, Origin, RecordState, SessionId, UnixMs};
use six_store::Spoil;

use super::injection::{Eyes, Heal, Inject, Injection, Unproven};
use super::machine::Machine;
use crate::clock;

/// UTF-16 units of a block as most are.
const SHORT: u32 = 1_200;

/// Records and threads that are looked at for the signature: any number will do, as long as it is always the same.
const SHOWN: usize = 3;

const fn injection(fault: Fault, what: &'static str, inject: Inject, heal: Heal) -> Injection {
    Injection { check: CheckName::Render, fault, what, eyes: Eyes::Command, inject, heal }
}

/// What is over once a session was shown a block as it should be.
const NEXT_SESSION: Heal = Heal::ByHand("a session is started", |m| {
    show(m, &Block { session: "shown-next", hash: "another", ..Block::default() }).map(|_| true)
});

/// What becomes of the block that a session starts with.
pub(super) const INJECTIONS: &[Injection] = &[
    injection(Fault::RenderFrozen, "three sessions are shown one block while records come", freeze, NEXT_SESSION),
    injection(
        Fault::RenderLarge,
        "a block has 8001 characters",
        |m| show(m, &Block { units: 8_001, ..Block::default() }).map(|_| true),
        NEXT_SESSION,
    ),
    injection(
        Fault::RenderLarge,
        "a section of a block is longer than its share",
        |m| show(m, &Block { over: "corrections 912 of 900", ..Block::default() }).map(|_| true),
        NEXT_SESSION,
    ),
    injection(
        Fault::RenderUndelivered,
        "the model answers without the block",
        |m| answer(m, "shown", false),
        Heal::ByHand("a session is started and has it", |m| answer(m, "shown-next", true)),
    ),
];

/// What a session is shown.
struct Block {
    session: &'static str,
    hash: &'static str,
    units: u32,
    over: &'static str,
}

impl Default for Block {
    fn default() -> Self {
        Self { session: "shown", hash: "one", units: SHORT, over: "" }
    }
}

fn freeze(machine: &mut Machine) -> Result<bool, Unproven> {
    for (n, session) in (0..).zip(["shown-first", "shown-second", "shown-third"]) {
        let decision = super::queue::decision(n, RecordState::Confirmed, clock::now());
        machine.store()?.add_record(&decision, Origin::Operator)?;
        show(machine, &Block { session, ..Block::default() })?;
    }
    // Texts that wait for their vectors over three sessions are another fault.
    machine.runner().six(&["embed", "--backfill"].map(String::from))?;
    Ok(true)
}

/// Holds a session that is shown this block of the records that there are now. Answers when.
fn show(machine: &Machine, block: &Block) -> Result<UnixMs, Unproven> {
    let Block { session, hash, units, over } = *block;
    let at = machine.start_session(session, &HookName::ALL)?;
    let store = machine.store()?;
    let event = EventId::new(format!("{session}-session-start.render"));
    let session = SessionId::new(session);
    let corpus = store.gather_start(&session, SHOWN, SHOWN)?.corpus;
    let (hash, over, line) = (hash.to_owned(), over.to_owned(), String::new());
    store.apply(&event, &[Effect::Render { session, at, hash, corpus, over, units, line }], at)?;
    Ok(at)
}

/// A session is shown a block and the model answers, with the block before its eyes or without it.
fn answer(machine: &mut Machine, session: &'static str, has_block: bool) -> Result<bool, Unproven> {
    let at = show(machine, &Block { session, ..Block::default() })?;
    machine.spoil(Spoil::Answer { session, at: UnixMs(at.0 + 1), has_block })
}
