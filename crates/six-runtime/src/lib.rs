//! six-runtime
pub mod atomic;
pub mod home;
pub mod ids;
pub mod lock;
pub mod read_file;
