//! Faults of the check `heartbeats`.

use std::fs;

use serde_json::{Map, Value};
use six_core::health::{CheckName, Fault};
use six_core::record::{EventId, HookName, Outcome, OutcomeKind, SessionId, UnixMs};
use six_core::text::Redacted;
use six_store::Spoil;

use super::injection::{Eyes, Heal, Inject, Injection, Unproven};
use super::machine::{Machine, heartbeat, outcome};
use crate::clock;
use crate::install::{HOOKS, Scope};
use crate::spool::Spool;

const fn injection(fault: Fault, what: &'static str, inject: Inject, heal: Heal) -> Injection {
    Injection { check: CheckName::Heartbeats, fault, what, eyes: Eyes::Command, inject, heal }
}

/// What is over once sessions went well.
const NEXT_SESSIONS: Heal = Heal::ByHand("two sessions are held", |m| m.hold_sessions().map(|()| true));

/// What becomes of hooks.
pub(super) const INJECTIONS: &[Injection] = &[
    injection(Fault::HookUnwired, "a hook is taken out of the settings", unwire, Heal::Fix),
    injection(Fault::HookProgram, "a hook's program is gone", lose_program, Heal::Fix),
    #[cfg(unix)]
    injection(Fault::HookProgram, "a hook's program can't be executed", forbid_program, Heal::Fix),
    injection(
        Fault::HooksOff,
        "all hooks are switched off",
        switch_off,
        Heal::ByHand("they are switched on again", Machine::put_back_files),
    ),
    injection(Fault::HookFailed, "a hook fails", fail, NEXT_SESSIONS),
    injection(Fault::HookFailed, "a hook is killed mid-way", crash, NEXT_SESSIONS),
    injection(Fault::HookMissing, "a prompt was said and its hook left no row", leave_unanswered, NEXT_SESSIONS),
    injection(
        Fault::SessionUnseen,
        "a session left a transcript and no row",
        |m| m.spoil(Spoil::Transcript { session: "unseen", at: clock::now() }),
        NEXT_SESSIONS,
    ),
    injection(Fault::GateMissing, "a session starts and the checks do not run", start_ungated, NEXT_SESSIONS),
    injection(Fault::HookMissing, "a session starts and no block is rendered", start_unshown, NEXT_SESSIONS),
    injection(Fault::TurnUnaccounted, "a turn was answered and left no account", leave_no_account, NEXT_SESSIONS),
    injection(Fault::HookSlow, "a hook overruns three times in a session", overrun, NEXT_SESSIONS),
    injection(Fault::HookDegraded, "three answers had to do with less", degrade, NEXT_SESSIONS),
];

fn leave_unanswered(machine: &mut Machine) -> Result<bool, Unproven> {
    let started = machine.start_session("unanswered", &[HookName::SessionStart, HookName::Gate, HookName::Render])?;
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
    edit_settings(machine, |settings| {
        settings.get_mut("hooks").and_then(Value::as_object_mut).and_then(|hooks| hooks.remove("Stop")).is_some()
    })
}

fn edit_settings(machine: &Machine, edit: fn(&mut Map<String, Value>) -> bool) -> Result<bool, Unproven> {
    let path = settings(machine)?;
    let mut settings: Map<String, Value> =
        serde_json::from_slice(&fs::read(&path)?).map_err(|_| Unproven::NotInstalled)?;
    let changed = edit(&mut settings);
    fs::write(&path, Value::Object(settings).to_string())?;
    Ok(changed)
}

fn lose_program(machine: &mut Machine) -> Result<bool, Unproven> {
    let path = settings(machine)?;
    let text = fs::read_to_string(&path)?;
    let moved = text.replacen("/six-user-prompt-submit", "/moved-away/six-user-prompt-submit", 1);
    fs::write(&path, &moved)?;
    Ok(moved != text)
}

/// The same programs' names in a folder of the scratch machine, one of them not to be executed.
#[cfg(unix)]
fn forbid_program(machine: &mut Machine) -> Result<bool, Unproven> {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = machine.root().join("live/bin");
    fs::create_dir(&folder)?;
    for hook in &HOOKS {
        let program = folder.join(hook.binary);
        fs::write(&program, "#!/bin/sh\n")?;
        let mode = if hook.event == "Stop" { 0o644 } else { 0o755 };
        fs::set_permissions(&program, fs::Permissions::from_mode(mode))?;
    }
    let path = settings(machine)?;
    let text = fs::read_to_string(&path)?;
    let Some(from) = machine.runner().exe.parent() else { return Ok(false) };
    let moved = text.replace(&from.display().to_string(), &folder.display().to_string());
    fs::write(&path, &moved)?;
    Ok(moved != text)
}

fn switch_off(machine: &mut Machine) -> Result<bool, Unproven> {
    edit_settings(machine, |settings| {
        settings.insert("disableAllHooks".into(), true.into());
        true
    })
}

fn fail(machine: &mut Machine) -> Result<bool, Unproven> {
    add_rows(machine, HookName::UserPromptSubmit, &[(OutcomeKind::Failed, "io", "no such file")])
}

fn start_ungated(machine: &mut Machine) -> Result<bool, Unproven> {
    machine.start_session("ungated", &[HookName::SessionStart, HookName::Render])?;
    Ok(true)
}

fn start_unshown(machine: &mut Machine) -> Result<bool, Unproven> {
    machine.start_session("unshown", &[HookName::SessionStart, HookName::Gate])?;
    Ok(true)
}

fn leave_no_account(machine: &mut Machine) -> Result<bool, Unproven> {
    add_rows(machine, HookName::UserPromptSubmit, &[(OutcomeKind::Ok, "", "")])
}

/// The newest run went well: it is the share that is told.
fn overrun(machine: &mut Machine) -> Result<bool, Unproven> {
    let late = (OutcomeKind::TimedOut, "deadline", "");
    add_rows(machine, HookName::PreToolUse, &[late, late, late, (OutcomeKind::Ok, "", "")])
}

fn degrade(machine: &mut Machine) -> Result<bool, Unproven> {
    add_rows(machine, HookName::PreToolUse, &[(OutcomeKind::Ok, "degraded", "candidates:busy"); 3])
}

/// Runs of a hook one after the other: how each ended, its class and its text.
fn add_rows(
    machine: &Machine,
    hook: HookName,
    ends: &[(OutcomeKind, &'static str, &'static str)],
) -> Result<bool, Unproven> {
    let (store, mut at) = (machine.store()?, clock::now());
    for (n, (kind, class, text)) in ends.iter().enumerate() {
        let id = EventId::new(format!("spoiled-{n}"));
        store.open_heartbeat(&heartbeat(id.clone(), hook, &SessionId::new("spoiled"), at))?;
        let end = outcome(*kind, at);
        store.close_heartbeat(&id, &Outcome { class: (*class).into(), text: Redacted::literal(text), ..end })?;
        at.0 += 1;
    }
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
