//! What a figure was measured on.

use std::{env, fs, thread};

use serde_json::{Value, json};
use six_core::text::TOKENIZER_VERSION;
use six_runtime::embed::Provider;
use six_store::SCHEMA_VERSION;

/// Processor, cores and system.
pub(crate) fn machine() -> Value {
    json!({"cpu": cpu(), "cores": thread::available_parallelism().map_or(0, usize::from), "os": env::consts::OS})
}

/// Versions of what decides the figures.
pub(crate) fn versions(provider: &Provider) -> Value {
    json!({
        "six": env!("CARGO_PKG_VERSION"),
        "schema": SCHEMA_VERSION,
        "tokenizer": TOKENIZER_VERSION,
        "model": provider.model().name,
        "instructions": provider.path(),
    })
}

/// The name that Linux gives the processor; elsewhere its architecture.
fn cpu() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or_else(|| env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}
