//! six-runtime
pub mod anchor;
pub mod atomic;
pub mod git;
pub mod home;
pub mod ids;
pub mod install;
pub mod lock;
pub mod project;
pub mod read_file;
