//! Verdicts on evidence that could not be had.

use super::{Fault, HealthEvidence, Verdict, verdict::CheckName};
use crate::record::{Evidence, Why};

/// The verdict of a check whose evidence comes out of the store: the store is to blame where it can't be used, else the
/// check is red under its own name.
pub(super) fn judge_missing(evidence: &HealthEvidence, why: Why) -> Verdict {
    match evidence.store {
        Evidence::Missing(_) => Verdict::Blocked { by: CheckName::Store },
        Evidence::Seen(_) => judge_unseen(why),
    }
}

/// The verdict of a check whose evidence lies outside the store: it is red under its own name.
pub(super) fn judge_unseen(why: Why) -> Verdict {
    Verdict::red(Fault::CheckFailed, format!("the check could not look: {}", because(why)), "six health")
}

/// `why` as the end of a sentence.
pub(super) const fn because(why: Why) -> &'static str {
    match why {
        Why::NoStore => "there is no store file",
        Why::Busy => "another process holds the store's lock",
        Why::ReadOnly => "the store can't be written",
        Why::Full => "the disk is full",
        Why::Corrupt => "the store file is damaged",
        Why::NotOurs => "the store file is not one of six's",
        Why::OlderSchema => "the store has an older schema than this six; the worker brings it up to date",
        Why::NewerSchema => "the store was written by a newer six",
        Why::OutOfTime => "the time for it was used up",
        Why::Unreadable => "the file or its folder can't be read",
        Why::Failed => "the look at it broke off",
    }
}
