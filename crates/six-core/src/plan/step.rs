//! What a plan step answers.

use crate::effect::{Chore, Effect};
use crate::event::HookOutput;

/// The next thing that a step machine wants.
#[derive(Debug, Clone, PartialEq)]
pub enum Step<Q> {
    /// Look this up and come back with the evidence.
    Ask(Q),
    /// Decided.
    Done(Plan),
}

/// What is to be written, said and done for one event.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plan {
    /// Rows, written together before anything is printed.
    pub effects: Vec<Effect>,
    /// What the host is told, if anything.
    pub output: Option<HookOutput>,
    /// Work that follows the answer.
    pub chores: Vec<Chore>,
}
