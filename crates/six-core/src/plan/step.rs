//! What a plan step answers.

use std::convert::Infallible;

use crate::effect::Effect;
use crate::event::HookOutput;

/// The next thing that a step machine wants.
#[derive(Debug, Clone, PartialEq)]
pub enum Step<Q, C = Infallible> {
    /// Look this up and come back with the evidence.
    Ask(Q),
    /// Decided.
    Done(Plan<C>),
}

/// What is to be written, said and done for one event. `C` is what this event may leave to be done after its answer: a
/// prompt nothing, so that its binary holds nothing of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan<C = Infallible> {
    /// Rows, written together before anything is printed.
    pub effects: Vec<Effect>,
    /// What the host is told, if anything.
    pub output: Option<HookOutput>,
    /// Work that follows the answer.
    pub chores: Vec<C>,
    /// There was nothing to look up for it: it says nothing of whether the memory answers.
    pub idle: bool,
}

impl<C> Plan<C> {
    /// Rows and nothing else.
    pub const fn silent(effects: Vec<Effect>) -> Self {
        Self { effects, output: None, chores: Vec::new(), idle: false }
    }

    /// Nothing at all, because there was nothing to look up.
    pub fn idle() -> Self {
        Self { idle: true, ..Self::silent(Vec::new()) }
    }
}
