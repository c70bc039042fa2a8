//! What an invocation came to, in the few families that reports count and health tells.

use serde::{Deserialize, Serialize};

use super::{OutcomeKind, Why};

/// How invocations end, as far as somebody has to act differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// It did what it is for.
    Ok,
    /// It did what it is for with less than it wanted: something that it asked for could not be had.
    Degraded,
    /// It had nothing to do.
    Skipped,
    /// The host or the user ended it: no fault of anybody.
    Cancelled,
    /// Its process is gone and never wrote an end.
    Crash,
    /// It broke off on a fault of six, and said so.
    Panic,
    /// Its time was used up.
    Deadline,
    /// It could not read what the host told it.
    Payload,
    /// The store refused: busy, read-only, full, damaged, of another schema.
    Store,
    /// Neither the store nor the spool could be written.
    Unrecorded,
    /// It failed in another way; the class says which.
    Other,
}

/// The class of an invocation that was well but had to do with less; its text says with what.
pub const DEGRADED: &str = "degraded";

/// The class of an invocation that was well and had nothing to look up.
pub const IDLE: &str = "idle";

impl Family {
    /// All families.
    pub const ALL: [Self; 11] = [
        Self::Ok,
        Self::Degraded,
        Self::Skipped,
        Self::Cancelled,
        Self::Crash,
        Self::Panic,
        Self::Deadline,
        Self::Payload,
        Self::Store,
        Self::Unrecorded,
        Self::Other,
    ];

    /// That of a row: how it ended (`None` = it has no end and its process is gone) and the class that it gave.
    pub fn of(ended: Option<OutcomeKind>, class: &str) -> Self {
        match ended {
            None => Self::Crash,
            Some(OutcomeKind::Ok) if class == DEGRADED => Self::Degraded,
            Some(OutcomeKind::Ok) => Self::Ok,
            Some(OutcomeKind::Skipped) => Self::Skipped,
            Some(OutcomeKind::Cancelled) => Self::Cancelled,
            Some(OutcomeKind::TimedOut) => Self::Deadline,
            Some(OutcomeKind::Failed) => Self::of_class(class),
        }
    }

    fn of_class(class: &str) -> Self {
        match class {
            "panic" => Self::Panic,
            "deadline" => Self::Deadline,
            "payload" => Self::Payload,
            "unrecorded" => Self::Unrecorded,
            class if OF_STORE.iter().any(|why| why.as_str() == class) => Self::Store,
            _ => Self::Other,
        }
    }

    /// Whether it counts as a failure. What was cut short by the host or had nothing to do does not, and what was answered
    /// with less than all is told by itself.
    pub const fn is_failure(self) -> bool {
        !matches!(self, Self::Ok | Self::Degraded | Self::Skipped | Self::Cancelled)
    }

    /// The name in text and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Degraded => DEGRADED,
            Self::Skipped => "skipped",
            Self::Cancelled => "cancelled",
            Self::Crash => "crash",
            Self::Panic => "panic",
            Self::Deadline => "deadline",
            Self::Payload => "payload",
            Self::Store => "store",
            Self::Unrecorded => "unrecorded",
            Self::Other => "other",
        }
    }
}

/// What a store says when it refuses.
const OF_STORE: [Why; 8] =
    [Why::NoStore, Why::Busy, Why::ReadOnly, Why::Full, Why::Corrupt, Why::NotOurs, Why::OlderSchema, Why::NewerSchema];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_counts_as_what_came_of_it() {
        let told = [
            (Some(OutcomeKind::Ok), ""),
            (Some(OutcomeKind::Ok), IDLE),
            (Some(OutcomeKind::Ok), "degraded"),
            (Some(OutcomeKind::Skipped), "wired-twice"),
            (Some(OutcomeKind::Cancelled), "signal"),
            (None, ""),
            (Some(OutcomeKind::Failed), "panic"),
            (Some(OutcomeKind::TimedOut), "deadline"),
            (Some(OutcomeKind::Failed), "payload"),
            (Some(OutcomeKind::Failed), "unrecorded"),
            (Some(OutcomeKind::Failed), "io"),
        ]
        .map(|(ended, class)| Family::of(ended, class));
        let families = [
            "ok",
            "ok",
            "degraded",
            "skipped",
            "cancelled",
            "crash",
            "panic",
            "deadline",
            "payload",
            "unrecorded",
            "other",
        ];
        assert_eq!(told.map(Family::as_str), families);
        for why in ["busy", "read-only", "full", "corrupt"] {
            assert_eq!(Family::of(Some(OutcomeKind::Failed), why), Family::Store, "{why}");
        }
    }

    #[test]
    fn only_what_somebody_has_to_look_into_is_a_failure() {
        let failures: Vec<_> = Family::ALL.into_iter().filter(|family| family.is_failure()).collect();
        assert_eq!(failures, Family::ALL[4..]);
        assert!(!Family::of(Some(OutcomeKind::Cancelled), "panic").is_failure());
    }
}
