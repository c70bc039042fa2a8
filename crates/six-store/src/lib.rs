//! six-store
