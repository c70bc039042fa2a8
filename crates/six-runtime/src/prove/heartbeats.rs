//! Faults of the check `heartbeats`.

use std::fs;

use six_core::health::{CheckName, Fault};
use six_core::record::{EventId, HookName, OutcomeKind, SessionId, UnixMs};
use six_core::text::Redacted;
use six_store::Spoil;

use super::injection::{Eyes, Heal, Inject, Injection, Unproven};
use super::machine::{Machine, heartbeat, outcome};
use crate::clock;
use crate::install::Scope;
use crate::spool::Spool;

const fn injection(fault: Fault, what: &'static str, inject: Inject, heal: Heal) -> Injection {
    Injection { check: CheckName::Heartbeats, fault, what, eyes: Eyes::Command, inject, heal }
}

/// What is over once sessions went well.
const NEXT_SESSIONS: Heal = Heal::ByHand("two sessions are held", |m| m.hold_sessions().map(|()| true));

/// What becomes of hooks.
pub(super) const INJECTIONS: &[Injection] = &[
    injection(Fault::HookUnwired, "a hook is taken out of the settings", unwire, Heal::Fix),
    injection(Fault::HookUnwired, "a hook's program is gone", lose_program, Heal::Fix),
    injection(Fault::HookFailed, "a hook fails", |m| end(m, OutcomeKind::Failed), NEXT_SESSIONS),
    injection(Fault::HookFailed, "a hook overruns", |m| end(m, OutcomeKind::TimedOut), NEXT_SESSIONS),
    injection(Fault::HookFailed, "a hook is killed mid-way", crash, NEXT_SESSIONS),
    injection(Fault::HookMissing, "a prompt was said and its hook left no row", leave_unanswered, NEXT_SESSIONS),
    injection(
        Fault::SessionUnseen,
        "a session left a transcript and no row",
        |m| m.spoil(Spoil::Transcript { session: "unseen", at: clock::now() }),
        NEXT_SESSIONS,
    ),
];

fn leave_unanswered(machine: &mut Machine) -> Result<bool, Unproven> {
    let started = machine.start_session("unanswered")?;
    machine.spoil(Spoil::Transcript { session: "unanswered", at: UnixMs(started.0 + 1) })
}

/// An event that no process has taken in: as old as a file can be.
pub(super) fn spool_event(machine: &Machine) -> Result<(), Unproven> {
    let at = UnixMs(clock::now().0 - UnixMs::DAY_MS);
    let session = SessionId::new("spooled");
    let mut beat = heartbeat(EventId::new("spooled"), HookName::UserPromptSubmit, &session, at);
    beat.outcome = Some(outcome(OutcomeKind::Ok, at));
    Spool::new(machine.store_dir()).write(&beat, &[])?;
    Ok(())
}

fn settings(machine: &Machine) -> Result<std::path::PathBuf, Unproven> {
    let claude = crate::install::claude_dir(machine.env());
    Scope::Local.settings_path(machine.app(), claude.as_deref()).ok_or(Unproven::NotInstalled)
}

fn unwire(machine: &mut Machine) -> Result<bool, Unproven> {
    let path = settings(machine)?;
    let text = fs::read_to_string(&path)?;
    let mut parsed: serde_json::Value = serde_json::from_str(&text).map_err(|_| Unproven::NotInstalled)?;
    let removed = parsed["hooks"].as_object_mut().and_then(|hooks| hooks.remove("Stop"));
    fs::write(&path, parsed.to_string())?;
    Ok(removed.is_some())
}

fn lose_program(machine: &mut Machine) -> Result<bool, Unproven> {
    let path = settings(machine)?;
    let text = fs::read_to_string(&path)?;
    let moved = text.replacen("/six-user-prompt-submit", "/moved-away/six-user-prompt-submit", 1);
    fs::write(&path, &moved)?;
    Ok(moved != text)
}

fn end(machine: &mut Machine, kind: OutcomeKind) -> Result<bool, Unproven> {
    let (store, at) = (machine.store()?, clock::now());
    let id = EventId::new("fails");
    store.open_heartbeat(&heartbeat(id.clone(), HookName::UserPromptSubmit, &SessionId::new("fails"), at))?;
    let mut outcome = outcome(kind, at);
    outcome.class = "io".into();
    outcome.text = Redacted::literal("no such file");
    store.close_heartbeat(&id, &outcome)?;
    Ok(true)
}

/// A row without an end, of a process that is gone.
fn crash(machine: &mut Machine) -> Result<bool, Unproven> {
    let mut gone = machine.runner().command(&machine.runner().exe);
    let mut gone = gone.arg("--version").stdout(std::process::Stdio::null()).spawn()?;
    let pid = gone.id();
    gone.wait()?;
    let mut beat = heartbeat(EventId::new("killed"), HookName::Stop, &SessionId::new("killed"), clock::now());
    beat.pid = pid;
    machine.store()?.open_heartbeat(&beat)?;
    Ok(true)
}
