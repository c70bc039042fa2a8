//! How large a store is against the text that it holds.

use std::fs;

use six_store::{Checkpoint, Store};

use super::super::corpus::scratch_failure;
use super::figure::{Budget, Figure};
use super::hooks::megabytes;
use crate::failure::Failure;

/// Bytes of the file for each byte of text, vectors included.
const RATIO: f64 = 1.5;

/// The size of the file, with its journal moved into it, over the text in it.
pub(super) fn measure(store: &Store, on: &str, with: &'static str) -> Result<Figure, Failure> {
    store.checkpoint(Checkpoint::Truncate).map_err(|fault| scratch_failure(&fault))?;
    let text = store.status().map_err(|fault| scratch_failure(&fault))?.text_bytes;
    let bytes = fs::metadata(store.path()).map_or(0, |metadata| metadata.len());
    let ratio = megabytes(bytes) / megabytes(text.max(1));
    Ok(Figure::plain(&format!("store, {with}"), on, "x its text", ratio).within(Budget::AtMost(RATIO)))
}
