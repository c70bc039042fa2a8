//! six-core

pub mod event;
