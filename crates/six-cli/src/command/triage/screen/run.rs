//! The loop: draw, read a key, ask the inbox.

use std::io;
use std::process::ExitCode;

use ratatui::crossterm::event::{self, Event};
use six_core::curate::Ruling;
use six_core::record::UnixMs;
use six_runtime::clock;

use super::inbox::{Inbox, Refused};
use super::keys::parse_key;
use super::look::Look;
use super::state::{Ask, Extent, Input, State};
use super::terminal::FullScreen;
use super::view;
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::output::count;

/// What the screen can't be opened for.
const WITHOUT_SCREEN: &str = "six triage --list";

/// Refuses where there is nobody to judge, or nothing to draw on.
pub(in super::super) fn admit(context: &Context) -> Result<(), Failure> {
    refuse(context.env.claudecode, console::is_dumb())
}

fn refuse(is_agent: bool, is_dumb: bool) -> Result<(), Failure> {
    if is_agent {
        return Err(Failure::misuse(
            "the triage screen is a person's, and this command was given by an agent",
            "six triage --list --json",
        ));
    }
    if is_dumb {
        return Err(Failure::misuse(
            "this terminal can't show a full screen (TERM is dumb or not set)",
            WITHOUT_SCREEN,
        ));
    }
    Ok(())
}

/// Shows what waits in `inbox` until the operator leaves: exit code 1 when nothing waits.
pub(in super::super) fn run(context: &Context, inbox: &mut dyn Inbox) -> Result<ExitCode, Failure> {
    let waiting = inbox.waiting()?;
    if waiting.items.is_empty() {
        context.say("nothing waits for triage");
        return Ok(Exit::Nothing.into());
    }
    let mut state = State::new(waiting, inbox.threads()?, clock::now());
    let played = FullScreen::enter()
        .map_err(|fault| terminal_failure(&fault))
        .and_then(|mut screen| play(&mut screen, &mut state, inbox, context));
    context.say(&summary(&state));
    played.map(|()| ExitCode::SUCCESS)
}

fn terminal_failure(fault: &io::Error) -> Failure {
    Failure::misuse(format_args!("the terminal can't be used: {fault}"), WITHOUT_SCREEN)
}

fn play(screen: &mut FullScreen, state: &mut State, inbox: &mut dyn Inbox, context: &Context) -> Result<(), Failure> {
    let look = Look { colour: context.screen.has_colour() };
    loop {
        let mut extent = Extent::default();
        screen
            .draw(|frame| extent = view::draw(frame, state, look, context.offset))
            .map_err(|fault| terminal_failure(&fault))?;
        state.see(extent);
        let input = match event::read().map_err(|fault| terminal_failure(&fault))? {
            Event::Key(key) => parse_key(key).map(Input::Key),
            Event::Paste(text) => Some(Input::Paste(text)),
            _ => None,
        };
        match input.map_or(Ask::Nothing, |input| state.step(input)) {
            Ask::Leave => return Ok(()),
            Ask::Suspend => screen.suspend().map_err(|fault| terminal_failure(&fault))?,
            ask => answer(state, inbox, ask, clock::now())?,
        }
    }
}

/// Does what the state asks of the inbox, and tells it what became of that.
fn answer(state: &mut State, inbox: &mut dyn Inbox, ask: Ask, now: UnixMs) -> Result<(), Failure> {
    match ask {
        Ask::Nothing | Ask::Suspend | Ask::Leave => {}
        Ask::Threads => match inbox.threads() {
            Ok(threads) => state.know_threads(threads),
            Err(failure) => state.refused(&failure.to_string()),
        },
        Ask::Find(wanted) => match inbox.find(&wanted) {
            Ok(found) => state.found(found),
            Err(failure) => state.refused(&failure.to_string()),
        },
        Ask::Undo(batch) => match inbox.undo(&batch) {
            Ok(()) => state.undone(),
            Err(failure) => state.refused(&failure.to_string()),
        },
        Ask::Apply(ruling) => apply(state, inbox, &ruling, now)?,
    }
    Ok(())
}

/// A refused verdict may come from an inbox that has changed since it was read.
fn apply(state: &mut State, inbox: &mut dyn Inbox, ruling: &Ruling, now: UnixMs) -> Result<(), Failure> {
    match inbox.apply(std::slice::from_ref(ruling)) {
        Ok(batch) => {
            state.applied(ruling, batch, now);
            state.know_threads(inbox.threads()?);
            if state.is_empty() {
                state.reload(inbox.waiting()?);
            }
        }
        Err(Refused::Failed(failure)) => state.refused(&failure.to_string()),
        Err(Refused::Faults(faults)) => {
            state.reload(inbox.waiting()?);
            let faults: Vec<&str> = faults.iter().map(|fault| fault.why.as_str()).collect();
            state.refused(&faults.join("; "));
        }
    }
    Ok(())
}

/// What stays on the terminal.
fn summary(state: &State) -> String {
    let verdicts: Vec<String> =
        state.counts().iter().map(|(verdict, n)| format!("{n} {}", view::past(verdict))).collect();
    let left = count(state.left() as u64, "candidate");
    match state.last_batch() {
        None => format!("no verdict; {left} left"),
        Some(batch) => {
            format!("{}; {left} left\n  the last one is taken back by: six triage --undo {batch}", verdicts.join(", "))
        }
    }
}

#[cfg(test)]
mod tests;
