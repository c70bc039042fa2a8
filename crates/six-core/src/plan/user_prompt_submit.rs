//! What happens on a prompt.

use crate::event::Context;
use crate::inject::{CandidateQuery, Candidates, Emission, Limits};
use crate::record::{Evidence, UnixMs};

/// The prompt and what is known before anything is looked up.
#[derive(Debug)]
pub struct Prompt<'a> {
    /// Session, prompt id, sub-agent.
    pub context: &'a Context,
    /// The text as typed or handed over.
    pub text: &'a str,
    /// When it came.
    pub now: UnixMs,
    /// Emission in force.
    pub emission: Emission,
    /// Thresholds in force.
    pub limits: &'a Limits,
}

/// What has been looked up so far.
#[derive(Debug)]
pub enum Known {
    /// Nothing.
    Nothing,
    /// The candidates, or why they could not be had.
    Candidates(Evidence<Candidates>),
}

/// What a step may ask for.
pub type Query = CandidateQuery;
