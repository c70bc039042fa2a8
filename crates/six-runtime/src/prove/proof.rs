//! One fault after the other: put in, looked at, healed, looked at again.

use std::collections::BTreeMap;
use std::path::Path;

use six_core::health::{CheckName, Fault, HealthLimits, parse_commands};
use six_store::Store;

use super::catalogue::injections;
use super::fix;
use super::injection::{Eyes, Heal, Injection, Unproven};
use super::machine::{Ground, Machine};
use super::reds::{Red, Reds};
use crate::home::Environment;

/// Largest store that is copied: it is put back for every fault, and looked through as a whole.
const MAX_COPY_BYTES: u64 = 256 << 20;

/// Files of the store's size that are there at once: the copy, the one that a fault is put into, what a fix makes of that and
/// what it keeps. The project's own hooks need room meanwhile.
const COPIES: u64 = 4;

/// Texts without a vector that a copy may have: fixes make those vectors, over and over.
const MAX_WAITING: u64 = 200;

/// What is to be proved.
pub struct Wish<'a> {
    /// The user's environment: the scratch machine lies in their folder of data.
    pub env: &'a Environment,
    /// The command `six`.
    pub exe: &'a Path,
    /// The project's own store, or why there is none to copy.
    pub store: Result<&'a Store, String>,
    /// Of this check only.
    pub only: Option<CheckName>,
    /// Whether the command line takes these words.
    pub is_command: &'a dyn Fn(&[String]) -> bool,
    /// Whether somebody has asked to stop.
    pub is_over: &'a dyn Fn() -> bool,
}

/// What came of one fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The check that had to turn red.
    pub check: CheckName,
    /// What it had to say.
    pub fault: Fault,
    /// What was done.
    pub what: &'static str,
    /// To whose store.
    pub ground: Ground,
    /// What the check said: the fault, the detail, the fix.
    pub said: Option<(Fault, String, String)>,
    /// The check turned red with the right fault.
    pub turned_red: bool,
    /// Other checks that turned red of themselves.
    pub also_red: Vec<CheckName>,
    /// The commands of the fix, as words.
    pub commands: Vec<Vec<String>>,
    /// The command line takes every `six` of the fix, and there is any.
    pub is_known: bool,
    /// What was done by hand before, where the fix asks for it.
    pub by_hand: Option<&'static str>,
    /// Checks that were green before and are not after the fix.
    pub still_red: Vec<CheckName>,
}

impl Proof {
    /// Nothing else turned red of itself.
    pub fn only_that(&self) -> bool {
        self.turned_red && self.also_red.is_empty()
    }

    /// Everything is as green as before.
    pub fn fixed_green(&self) -> bool {
        self.turned_red && self.still_red.is_empty()
    }

    /// All is as it should be.
    pub fn is_good(&self) -> bool {
        self.only_that() && self.fixed_green() && self.is_known
    }
}

/// What was proved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proven {
    /// One for each fault.
    pub proofs: Vec<Proof>,
    /// Why the project's own store was not copied.
    pub not_copied: Option<String>,
    /// Checks that are red in the copy as it is: they are proved on a made-up store.
    pub red_before: Vec<CheckName>,
}

impl Proven {
    /// Whether every fault was found, alone, and healed.
    pub fn passed(&self) -> bool {
        !self.proofs.is_empty() && self.proofs.iter().all(Proof::is_good)
    }
}

/// Proves it. `step` hears how many faults are done, and of how many.
pub fn prove(wish: &Wish<'_>, step: &mut dyn FnMut(usize, usize)) -> Result<Proven, Unproven> {
    let mut machine = Machine::new(wish.env, wish.exe)?;
    let mut proven = Proven::default();
    let mut before = BTreeMap::new();
    let made_up = baseline(&mut machine, Ground::MadeUp)?;
    if made_up != Reds::default() {
        return Err(Unproven::Unsound(made_up.to_string()));
    }
    before.insert(Ground::MadeUp, made_up);
    match copy(&mut machine, wish) {
        Ok(reds) => {
            proven.red_before = reds.all_red();
            before.insert(Ground::Copy, reds);
        }
        Err(why) => proven.not_copied = Some(why),
    }
    let total = injections(wish.only).count();
    for (done, injection) in injections(wish.only).enumerate() {
        if (wish.is_over)() {
            return Err(Unproven::Stopped);
        }
        step(done, total);
        proven.proofs.push(prove_one(&mut machine, injection, &before, wish)?);
    }
    step(total, total);
    Ok(proven)
}

/// What the checks say before anything is done.
fn baseline(machine: &mut Machine, ground: Ground) -> Result<Reds, Unproven> {
    machine.restore(ground)?;
    machine.judge(Eyes::Command)
}

/// Copies the project's store, and judges the copy; else says why not.
fn copy(machine: &mut Machine, wish: &Wish<'_>) -> Result<Reds, String> {
    let store = wish.store.as_ref().map_err(Clone::clone)?;
    let bytes = std::fs::metadata(store.path()).map_or(0, |file| file.len());
    if bytes > MAX_COPY_BYTES {
        return Err(format!("it has {} MiB, copies are made of {} at most", bytes >> 20, MAX_COPY_BYTES >> 20));
    }
    let needed = bytes * COPIES + HealthLimits::default().min_free_bytes;
    // What can't tell how much room it has is tried.
    if let Some(free) = machine.free_bytes().filter(|free| *free < needed) {
        return Err(format!("{} MiB are free, its copies need {}", free >> 20, needed >> 20));
    }
    let failed = |fault: Unproven| fault.to_string();
    machine.keep_copy(store).map_err(failed)?;
    let waiting = machine.waiting_in_copy().map_err(failed)?;
    if waiting > MAX_WAITING {
        return Err(format!("{waiting} of its texts have no vector of the model inside six"));
    }
    let reds = baseline(machine, Ground::Copy).map_err(failed)?;
    machine.end_first_session().map_err(failed)?;
    Ok(reds)
}

fn prove_one(
    machine: &mut Machine,
    injection: &Injection,
    before: &BTreeMap<Ground, Reds>,
    wish: &Wish<'_>,
) -> Result<Proof, Unproven> {
    for (ground, before) in before {
        if before.red(injection.check).is_some() {
            continue;
        }
        machine.restore(*ground)?;
        if (injection.inject)(machine)? {
            return look_and_heal(machine, injection, *ground, before, wish);
        }
    }
    Err(Unproven::NothingThere { check: injection.check, what: injection.what })
}

fn look_and_heal(
    machine: &mut Machine,
    injection: &Injection,
    ground: Ground,
    before: &Reds,
    wish: &Wish<'_>,
) -> Result<Proof, Unproven> {
    let red = machine.judge(injection.eyes)?;
    let said = match red.red(injection.check) {
        Some(Red::Found { fault, detail, fix }) => Some((*fault, detail.clone(), fix.clone())),
        Some(Red::Blocked) | None => None,
    };
    let fix = said.as_ref().map(|(_, _, fix)| fix.clone()).unwrap_or_default();
    let commands = parse_commands(&fix);
    let turned_red = said.as_ref().is_some_and(|(fault, ..)| *fault == injection.fault);
    let by_hand = match injection.heal {
        Heal::Fix => None,
        Heal::ByHand(what, undo) => {
            undo(machine)?;
            Some(what)
        }
        Heal::LimitBack => {
            machine.limits = HealthLimits::default();
            Some("the limit is put back")
        }
    };
    fix::apply(machine.runner(), &fix)?;
    let after = machine.judge(injection.eyes)?;
    Ok(Proof {
        check: injection.check,
        fault: injection.fault,
        what: injection.what,
        ground,
        said,
        turned_red,
        also_red: red.newly_red(before).into_iter().filter(|check| *check != injection.check).collect(),
        is_known: !commands.is_empty() && commands.iter().all(|words| is_known(words, wish)),
        commands,
        by_hand,
        still_red: after.no_longer_green(before),
    })
}

/// Whether a command exists: `six` by its own command line, and what the platform has by its name.
fn is_known(words: &[String], wish: &Wish<'_>) -> bool {
    match words.first().map(String::as_str) {
        Some("six") => (wish.is_command)(words),
        Some("chmod" | "ollama") => true,
        _ => false,
    }
}
