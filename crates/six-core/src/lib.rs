//! six-core

pub mod text;
