//! What may not be done to a record or a thread, told with what may be done instead.

use six_core::record::{RecordState, Refusal, judge_person};
use six_runtime::project::identity::Project;
use six_store::StoreError;

use crate::context::Context;
use crate::failure::{Failure, store_failure};

/// Refuses an agent before anything is looked at.
pub(crate) fn check_person(context: &Context) -> Result<(), Failure> {
    judge_person(context.origin()).map_err(|refusal| refused("", &refusal))
}

/// Of a store that did not do what it was asked: what is in the way. `noun` is the command of the thing.
pub(crate) fn write_failure(project: &Project, noun: &str, fault: &StoreError) -> Failure {
    match fault {
        StoreError::Refused(refusal) => refused(noun, refusal),
        fault => store_failure(project, fault),
    }
}

/// A refusal with the next command.
pub(crate) fn refused(noun: &str, refusal: &Refusal) -> Failure {
    let next = match refusal {
        Refusal::NotAPerson => String::from("ask the operator to run it in a terminal of their own"),
        Refusal::NotItsOwn { id, state: RecordState::Confirmed, .. } => {
            format!("six {noun} add TITLE, then ask the operator to run: six {noun} supersede {id} NEW")
        }
        Refusal::NotItsOwn { .. } => format!("six {noun} add TITLE (the operator judges both)"),
        Refusal::NoWay { id, from: RecordState::Confirmed, .. } => format!("six {noun} retire {id}"),
        Refusal::NoWay { id, from: RecordState::Pending, .. } => format!("six {noun} reject {id}"),
        Refusal::NoWay { id, from: RecordState::Rejected, .. } => format!("six {noun} confirm {id}"),
        Refusal::Already { id, .. } | Refusal::NoWay { id, .. } => format!("six {noun} show {id}"),
        Refusal::NotInForce { superseded_by: Some(by), .. } => format!("name what replaced it in its turn: {by}"),
        Refusal::NotInForce { id, .. } => format!("six {noun} confirm {id}, then this again"),
        Refusal::OtherKind { .. } => format!("six {noun} edit ID --kind KIND (while it waits for triage)"),
        Refusal::Itself { .. } | Refusal::KindStays { .. } => format!("six {noun} list"),
        Refusal::NameTaken { id } => format!("take another name, or use that thread: six thread show {id}"),
        Refusal::SameThread { .. } => String::from("six thread list"),
    };
    Failure::misuse(refusal, next)
}
