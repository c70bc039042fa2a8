//! One file per command.

pub mod correction;
pub mod dead_end;
pub mod decision;
pub mod health;
pub mod ingest;
pub mod install;
mod place;
pub mod project;
mod records;
pub mod search;
pub mod show;
pub mod status;
pub mod subsystem;
pub mod thread;
pub mod uninstall;
pub mod worker;
