//! One file per command.

pub(crate) mod bench;
pub(crate) mod config;
pub(crate) mod correction;
pub(crate) mod dead_end;
pub(crate) mod decision;
pub(crate) mod embed;
pub(crate) mod health;
pub(crate) mod ingest;
pub(crate) mod install;
pub(crate) mod lineage;
pub(crate) mod mute;
mod place;
pub(crate) mod project;
mod project_merge;
mod records;
pub(crate) mod repair;
pub(crate) mod search;
pub(crate) mod show;
pub(crate) mod status;
pub(crate) mod subsystem;
pub(crate) mod thread;
pub(crate) mod uninstall;
pub(crate) mod why;
pub(crate) mod worker;
