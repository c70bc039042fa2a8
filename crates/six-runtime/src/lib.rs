//! six-runtime
pub mod atomic;
pub mod git;
pub mod home;
pub mod ids;
pub mod lock;
pub mod project;
pub mod read_file;
