//! What a figure was measured on.

use std::{env, fs, thread};

use serde_json::{Value, json};
use six_core::text::TOKENIZER_VERSION;
use six_runtime::embed::Provider;
use six_store::SCHEMA_VERSION;

/// Processor, cores, system, and how much else it has to do.
pub(crate) fn machine() -> Value {
    json!({"cpu": cpu(), "cores": cores(), "os": env::consts::OS, "load": load()})
}

/// Processors that this process may use.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(0, usize::from)
}

/// Processes that ran or waited to run, averaged over the last minute; `None` where the system does not tell. Beyond the
/// number of cores every time that is measured is too long.
pub(crate) fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
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
