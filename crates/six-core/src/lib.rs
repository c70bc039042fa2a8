//! six-core
