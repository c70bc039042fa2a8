//! `six triage` on a terminal: a full-screen inbox.
//!
//! Keys become [`keys::Key`]s, the pure [`state`] turns them into what is asked of the [`inbox`], and [`view`] draws the
//! state. Only [`terminal`] touches the terminal.

mod evidence;
mod inbox;
mod keys;
mod line;
mod look;
mod mode;
mod pace;
mod panes;
mod run;
#[cfg(test)]
mod sample;
mod state;
mod terminal;
mod view;
mod width;

pub(super) use inbox::{Inbox, Refused, Wanted};
pub(super) use run::{admit, run};
