//! One document or memory file.

use six_core::ingest::{
    Batch, DOCUMENT_LIMIT_BYTES, DocumentFile, FileState, Mode, is_inventory, parse_document, parse_inventory,
    parse_rule,
};
use six_core::record::{Entry, Source, UnixMs};
use six_core::text::{Redactor, sha256_hex};

use super::file::Found;
use crate::install::templates::is_unmodified;
use crate::read_file::{ReadError, read_file};

/// Reads a document. What is no text or too large is consumed without an entry and counted under its reason, so that
/// status can name it and no run opens it again; an unchanged content only moves the state.
pub(super) fn read_document(
    found: &Found,
    source: Source,
    known: Option<&FileState>,
    now: UnixMs,
    redactor: Redactor,
) -> Result<Batch, ReadError> {
    let mut batch = read_text(found, source, known, now, redactor)?;
    // Also a file that gives nothing any more takes away what it named.
    match (source, batch.mode) {
        (Source::Doc, Mode::Replace) if is_inventory(&found.name) => drop(batch.inventory.get_or_insert_default()),
        (Source::Memory, Mode::Replace) => drop(batch.rules.get_or_insert_default()),
        _ => {}
    }
    Ok(batch)
}

fn read_text(
    found: &Found,
    source: Source,
    known: Option<&FileState>,
    now: UnixMs,
    redactor: Redactor,
) -> Result<Batch, ReadError> {
    let fresh = found.fresh_state(source, now, redactor);
    let bytes = match read_file(&found.path, DOCUMENT_LIMIT_BYTES) {
        Ok(bytes) => bytes,
        Err(ReadError::TooLarge { .. }) => return Ok(replaced(left_out(fresh, "too-large"), None)),
        Err(error) => return Err(error),
    };
    let state = FileState {
        content_hash: sha256_hex(&bytes),
        consumed_bytes: bytes.len() as u64,
        consumed_lines: bytes.split(|byte| *byte == b'\n').count() as u64,
        ..fresh
    };
    if let Some(known) = known.filter(|known| known.fails == 0 && known.content_hash == state.content_hash) {
        let state = FileState { skipped: known.skipped.clone(), ..state };
        return Ok(Batch { mode: Mode::Append, ..replaced(state, None) });
    }
    if is_unmodified(&bytes) {
        return Ok(replaced(left_out(state, "template"), None));
    }
    let file =
        DocumentFile { path: &found.name, path_hash: &found.path_hash, source, at: Some(found.at()), bytes: &bytes };
    let Ok(document) = parse_document(&file, redactor) else {
        return Ok(replaced(left_out(state, "binary"), None));
    };
    let state = if document.front_matter_fault.is_some() { left_out(state, "front-matter") } else { state };
    let state = if document.is_lossy { left_out(state, "bad-encoding") } else { state };
    let state = if document.entry.is_none() { left_out(state, "empty") } else { state };
    let inventory = is_inventory(file.path).then(|| parse_inventory(&file, now, redactor));
    let rules = parse_rule(&file, now, redactor).map(|rule| vec![rule]);
    Ok(Batch { inventory, rules, ..replaced(state, document.entry) })
}

pub(super) fn left_out(mut state: FileState, reason: &str) -> FileState {
    *state.skipped.entry(reason.to_owned()).or_default() += 1;
    state
}

pub(super) fn replaced(state: FileState, entry: Option<Entry>) -> Batch {
    Batch {
        file: state,
        mode: Mode::Replace,
        entries: entry.into_iter().collect(),
        tree: None,
        sessions: Vec::new(),
        inventory: None,
        rules: None,
    }
}
