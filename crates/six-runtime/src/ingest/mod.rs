//! From the sources of a project to its store: finding files, reading what is new, committing it with its place.

mod commits;
mod document;
mod expiry;
mod file;
mod ledger;
mod lines;
mod place;
mod progress;
mod report;
mod run;
mod scan;
mod sessions;
mod transcript;
mod unread;

pub use expiry::{Expiring, find_expiring};
pub use place::Place;
pub use progress::{NoProgress, Progress};
pub use report::{Failure, HeldBack, Kept, Outcome, Report};
pub use run::{IngestError, Options, WhenHeld, run, run_named};
pub use unread::{Comparison, find_unread, find_unread_sessions};
