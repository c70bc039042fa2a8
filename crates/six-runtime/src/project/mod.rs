//! Which project is this: its identity, found without starting `git`, and what gives, moves and takes it away.

pub mod adopt;
pub mod config_file;
pub mod enrol;
pub mod facts;
mod git_config;
pub mod identity;
pub mod join;
pub mod registry;
pub mod remote;
pub mod settle;
pub mod stored_path;

#[cfg(test)]
pub(crate) mod scratch;
