//! What the black-box tests stand on: the built binaries, a scratch machine to run them on, payloads and transcripts
//! as the host makes them, and the real client against a mock of its API.
//!
//! Everything here panics with a sentence when the ground is missing (no git, a build that fails): a test can't go on.
#![expect(clippy::expect_used, clippy::panic, reason = "a test without its ground has to stop, and say where")]

mod binaries;
mod contract;
mod ollama_server;
mod ran;
mod rig;
mod scratch;
mod session;
mod shared;
#[cfg(target_os = "linux")]
mod soak;
mod transcript;
mod tree;
mod until;

/// Payloads exactly as the host writes them to a hook's stdin.
pub mod payload;

pub use binaries::{binaries, repository};
pub use contract::{HOOKS, Heartbeat};
pub use ollama_server::{OllamaRequest, OllamaServer};
pub use ran::{HookRun, Ran};
pub use rig::{HostCall, Request, Rig, RigRun, Witness};
pub use scratch::Scratch;
pub use session::Session;
pub use shared::{session_files, shared};
#[cfg(target_os = "linux")]
pub use soak::{Plan, Report, reds, soak};
pub use transcript::Transcript;
pub use tree::Tree;
pub use until::wait_until;
