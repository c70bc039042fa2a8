//! One fault that is put into the scratch machine.

use std::io;
use std::path::PathBuf;

use six_core::health::{CheckName, Fault};
use six_store::StoreError;

use super::machine::Machine;
use crate::home::HomeError;

/// What is done, what has to be seen of it, and how it goes away again.
#[derive(Clone, Copy)]
pub(super) struct Injection {
    /// The check that has to turn red, and no other.
    pub(super) check: CheckName,
    /// What it has to say.
    pub(super) fault: Fault,
    /// What is done, in a few words.
    pub(super) what: &'static str,
    /// Who looks.
    pub(super) eyes: Eyes,
    /// Does it; `false` where there is nothing that it could be done to.
    pub(super) inject: Inject,
    /// What makes it green again.
    pub(super) heal: Heal,
}

/// Does something to the machine; `false` where there is nothing to do it to.
pub(super) type Inject = fn(&mut Machine) -> Result<bool, Unproven>;

/// Who looks for the fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Eyes {
    /// `six health`, in a process of its own.
    Command,
    /// The same checks in this process, as a session's start asks them: by the last full check of the file instead of a
    /// new one, and under limits that the injection may have raised.
    Start,
}

/// What makes a fault go away.
#[derive(Clone, Copy)]
pub(super) enum Heal {
    /// The commands of the fix that the red names.
    Fix,
    /// First what the fix asks of a person, which is done here, then its commands.
    ByHand(&'static str, Inject),
    /// The limit is put back that the injection moved; then the commands of the fix.
    LimitBack,
}

/// Why nothing could be proved.
#[derive(Debug, thiserror::Error)]
pub enum Unproven {
    /// There is no place for the scratch machine.
    #[error(transparent)]
    NoHome(#[from] HomeError),
    /// A file of the scratch machine can't be written.
    #[error("the scratch machine can't be written: {0}")]
    Io(#[from] io::Error),
    /// The scratch store refused.
    #[error("the scratch store refused: {0}")]
    Store(#[from] StoreError),
    /// The scratch project is not what it was made to be.
    #[error("the scratch project was not installed")]
    NotInstalled,
    /// A program could not be run to its end.
    #[error("`{command}` {why}")]
    Command {
        /// Which.
        command: String,
        /// Why.
        why: String,
    },
    /// A fix names something outside the scratch machine.
    #[error("`{command}` would reach outside the scratch machine: {}", path.display())]
    Outside {
        /// The command.
        command: String,
        /// What it names.
        path: PathBuf,
    },
    /// `six health` printed something else than a report.
    #[error("six health printed no report: {0:?}")]
    Strange(String),
    /// Even the made-up project is not green before anything is injected.
    #[error("the made-up project is red before anything is injected: {0}")]
    Unsound(String),
    /// There is nothing in the made-up project that could be spoiled so.
    #[error("{check}: {what}: there is nothing in the made-up project to do this to", check = check.as_str())]
    NothingThere {
        /// Whose injection it is.
        check: CheckName,
        /// What it is.
        what: &'static str,
    },
    /// Somebody asked to stop.
    #[error("stopped before everything was proved")]
    Stopped,
}
