//! What six decides.
//!
//! Everything here is pure: time, files, the environment, SQL, the network and randomness are arguments, never calls.
//! `clippy.toml` beside this crate bans the functions, the dependency list leaves out the crates.

pub mod config;
pub mod convention;
pub mod curate;
pub mod effect;
pub mod event;
pub mod health;
pub mod ingest;
pub mod inject;
pub mod plan;
pub mod record;
pub mod search;
pub mod session;
pub mod telemetry;
pub mod text;
