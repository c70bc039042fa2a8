//! One ledger: what was appended to it.

use six_core::ingest::{Batch, DocumentFile, FileState, LEDGER_LIMIT_BYTES, Mode, parse_ledger};
use six_core::record::{Source, UnixMs};
use six_core::text::{Redactor, sha256_hex};

use super::document::{left_out, replaced};
use super::file::Found;
use crate::install::templates::is_unmodified;
use crate::read_file::{ReadError, read_file};

/// Reads the sections of a ledger that are new, and the one before them, which may have gone on. What was consumed is
/// what comes before that one; where its hash is another than before the ledger was rewritten, and all of it is read.
pub(super) fn read_ledger(
    found: &Found,
    known: Option<&FileState>,
    now: UnixMs,
    redactor: Redactor,
) -> Result<Batch, ReadError> {
    let fresh = found.fresh_state(Source::Ledger, now, redactor);
    let bytes = match read_file(&found.path, LEDGER_LIMIT_BYTES) {
        Ok(bytes) => bytes,
        Err(ReadError::TooLarge { .. }) => return Ok(replaced(left_out(fresh, "too-large"), None)),
        Err(error) => return Err(error),
    };
    if is_unmodified(&bytes) {
        return Ok(replaced(left_out(fresh, "template"), None));
    }
    let goes_on = known.filter(|known| known.consumed_bytes > 0 && is_appended(known, &bytes));
    let file = DocumentFile {
        path: &found.name,
        path_hash: &found.path_hash,
        source: Source::Ledger,
        at: Some(found.at()),
        bytes: &bytes,
    };
    let Ok(ledger) = parse_ledger(&file, goes_on.map_or(0, |known| known.consumed_lines), redactor) else {
        return Ok(replaced(left_out(fresh, "binary"), None));
    };
    let (consumed_bytes, consumed_lines) = ledger.settled;
    let state =
        FileState { content_hash: hash_of_start(&bytes, consumed_bytes), consumed_bytes, consumed_lines, ..fresh };
    let state = if ledger.is_lossy { left_out(state, "bad-encoding") } else { state };
    // A start that can't be told any more is given whole, and takes the place of all.
    match goes_on {
        Some(_) if consumed_bytes == 0 => read_ledger(found, None, now, redactor),
        Some(_) => Ok(Batch { mode: Mode::Append, entries: ledger.entries, ..replaced(state, None) }),
        None => Ok(Batch { entries: ledger.entries, ..replaced(state, None) }),
    }
}

fn is_appended(known: &FileState, bytes: &[u8]) -> bool {
    bytes.len() as u64 >= known.consumed_bytes && hash_of_start(bytes, known.consumed_bytes) == known.content_hash
}

fn hash_of_start(bytes: &[u8], end: u64) -> String {
    let end = usize::try_from(end).unwrap_or(usize::MAX).min(bytes.len());
    sha256_hex(bytes.get(..end).unwrap_or_default())
}
