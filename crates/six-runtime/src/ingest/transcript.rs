//! One session file: what was appended to it, in batches that carry their own offset.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use six_core::event::parse_records;
use six_core::ingest::transcript::TranscriptReader;
use six_core::ingest::{Batch, FileState, Mode, TreePart};
use six_core::record::{Source, UnixMs};
use six_core::text::{Redactor, sha256_hex};

use super::file::Found;
use super::lines::{Line, read_line};
use crate::read_file::{ReadError, open_regular};

/// Longest line that is held. A record is far shorter; what is longer is a picture in base64. Reading a line takes about
/// three times its length, and a run may take 64 MiB.
const LINE_BYTES: usize = 16 * 1024 * 1024;

/// Bytes of the file after which a batch is handed on. Of a session file a few percent are kept, so this is a few dozen
/// milliseconds of reading.
const BATCH_BYTES: u64 = 4 * 1024 * 1024;

/// Bytes of kept text after which it is handed on: some dozen milliseconds of the store's lock.
const BATCH_TEXT_BYTES: usize = 512 * 1024;

/// How much longer a batch may get so that calls and their results are in one.
const OVERSHOOT_BYTES: u64 = 512 * 1024;

/// How much of the beginning tells an append from a rewrite.
const PREFIX_BYTES: u64 = 4096;

const BUFFER_BYTES: usize = 256 * 1024;

/// Reads what is new in a session file and hands it on until `emit` breaks. A file that was rewritten is read again from
/// its start; what it gave before stays, since raw evidence stays.
pub(super) fn read_transcript(
    found: &Found,
    known: Option<&FileState>,
    now: UnixMs,
    redactor: Redactor,
    emit: &mut dyn FnMut(Batch, u64) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, ReadError> {
    let failed = |source| ReadError::Io { path: found.path.clone(), source };
    let (mut file, metadata) = open_regular(&found.path)?;
    let prefix = read_prefix(&mut file).map_err(failed)?;
    let fresh = found.fresh_state(Source::Transcript, now, redactor);
    let goes_on = match known {
        Some(known) => is_appended(known, metadata.len(), &prefix, &mut file).map_err(failed)?.then_some(known),
        None => None,
    };
    let state = match goes_on {
        Some(known) => FileState {
            consumed_bytes: known.consumed_bytes,
            consumed_lines: known.consumed_lines,
            skipped: known.skipped.clone(),
            ..fresh
        },
        None => fresh,
    };
    file.seek(SeekFrom::Start(state.consumed_bytes)).map_err(failed)?;
    let reader = TranscriptReader::new(redactor, state.path.clone());
    let mut reading = Reading { reader, size: metadata.len(), state, prefix, pending: 0 };
    reading.read(&mut BufReader::with_capacity(BUFFER_BYTES, file), emit).map_err(failed)
}

struct Reading {
    reader: TranscriptReader,
    state: FileState,
    prefix: Vec<u8>,
    /// Of the whole file, when it was opened.
    size: u64,
    /// Bytes consumed since the last batch.
    pending: u64,
}

impl Reading {
    fn read(
        &mut self,
        from: &mut BufReader<File>,
        emit: &mut dyn FnMut(Batch, u64) -> ControlFlow<()>,
    ) -> io::Result<ControlFlow<()>> {
        let mut line = Vec::new();
        loop {
            let (kind, bytes) = read_line(from, LINE_BYTES, &mut line)?;
            match kind {
                Line::Whole => self.reader.line(&line),
                Line::TooLong => self.reader.long_line(usize::try_from(bytes).unwrap_or(usize::MAX)),
                // The host writes the line end with the record, other writers leave the last one out. A record that
                // can be read is whole, since an object says itself where it ends.
                Line::Partial if parse_records(&line).iter().all(Result::is_ok) => self.reader.line(&line),
                Line::Partial | Line::PartialTooLong | Line::End => {
                    self.state.size_bytes = self.size;
                    let (batch, bytes) = self.batch(true);
                    return Ok(emit(batch, bytes));
                }
            }
            self.state.consumed_bytes += bytes;
            self.state.consumed_lines += 1;
            self.pending += bytes;
            if self.is_full() {
                // Not the file's size yet: a run that stops here must find that there is more.
                self.state.size_bytes = self.state.consumed_bytes;
                // A file that ends right here looks consumed to the next run, so this may be the last look at its tree.
                let (batch, bytes) = self.batch(self.state.consumed_bytes >= self.size);
                if emit(batch, bytes).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
    }

    fn is_full(&self) -> bool {
        let overshoot = if self.reader.awaits_result() { OVERSHOOT_BYTES } else { 0 };
        self.pending >= BATCH_BYTES + overshoot || self.reader.text_bytes() >= BATCH_TEXT_BYTES
    }

    /// What was read since the last batch, and how many bytes that were.
    fn batch(&mut self, is_last: bool) -> (Batch, u64) {
        let taken = self.reader.take();
        for (reason, count) in taken.skipped {
            *self.state.skipped.entry(reason.to_owned()).or_default() += count;
        }
        self.state.content_hash = sha256_hex(start_of(&self.prefix, self.state.consumed_bytes));
        let batch = Batch {
            inventory: None,
            rules: None,
            file: self.state.clone(),
            mode: Mode::Append,
            entries: taken.entries,
            tree: Some(TreePart { links: taken.links, leaf: taken.leaf, is_last }),
            sessions: taken.sessions,
        };
        (batch, std::mem::take(&mut self.pending))
    }
}

/// What was consumed is still there, as far as its beginning and its last byte tell.
fn is_appended(known: &FileState, size: u64, prefix: &[u8], file: &mut File) -> io::Result<bool> {
    if known.consumed_bytes == 0 {
        return Ok(true);
    }
    if size < known.consumed_bytes || sha256_hex(start_of(prefix, known.consumed_bytes)) != known.content_hash {
        return Ok(false);
    }
    file.seek(SeekFrom::Start(known.consumed_bytes - 1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(matches!(last, [b'\n' | b'}' | b' ' | b'\r' | 0]))
}

fn read_prefix(file: &mut File) -> io::Result<Vec<u8>> {
    let mut prefix = Vec::new();
    file.take(PREFIX_BYTES).read_to_end(&mut prefix)?;
    Ok(prefix)
}

/// The part of the prefix that had been consumed.
fn start_of(prefix: &[u8], consumed: u64) -> &[u8] {
    let end = usize::try_from(consumed).unwrap_or(usize::MAX).min(prefix.len());
    prefix.get(..end).unwrap_or_default()
}
