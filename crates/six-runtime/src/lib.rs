//! six-runtime
