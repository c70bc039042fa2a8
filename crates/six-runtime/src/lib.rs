//! What six touches: projects, files, the spool, git, the host's settings, the worker.
//!
//! Evidence is gathered here and effects are applied here; what to do is decided in `six-core`.

pub mod anchor;
pub mod atomic;
pub mod backup;
pub mod clock;
pub mod config;
pub mod curate;
pub mod embed;
pub mod end;
pub mod git;
mod gitignore;
pub mod health;
pub mod home;
pub mod hook;
pub mod ids;
pub mod ingest;
pub mod install;
pub mod lock;
pub mod merge;
pub mod process;
pub mod project;
pub mod prove;
pub mod read_file;
pub mod repair;
pub mod replay;
pub mod report;
pub mod spool;
pub mod worker;
