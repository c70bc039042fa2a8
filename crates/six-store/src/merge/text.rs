//! Entries of the other store, file by file, as if the files were read here.

use std::collections::BTreeMap;

use six_core::event::Link;
use six_core::ingest::{Batch, FileState, Mode, TreePart};
use six_core::record::{Entry, Source};
use six_core::text::Redacted;

use super::run::Merged;
use crate::error::Result;
use crate::ingest::{judge_tree, record_of};
use crate::open::Store;
use crate::table::record_name::Name;
use crate::table::{entry, left_behind, session, source_file, transcript_tree};

/// Text of one transaction.
const BATCH_BYTES: usize = 1 << 20;
/// Rows of one transaction that hold no text.
const BATCH_ROWS: usize = 500;

pub(super) struct Texts<'s> {
    pub(super) here: &'s Store,
    pub(super) other: &'s Store,
}

impl Texts<'_> {
    pub(super) fn count(&self, merged: &mut Merged) -> Result<()> {
        entry::each_key(&self.other.conn, |source, key| {
            if source != Source::Record {
                merged.entries.add(entry::id(&self.here.conn, source, key)?.is_some());
            }
            Ok(())
        })?;
        for source in Source::ALL {
            for theirs in self.other.file_states(source)? {
                merged.files.add(source_file::id(&self.here.conn, source, &theirs.path_hash)?.is_some());
            }
        }
        for theirs in session::all(&self.other.conn)? {
            merged.sessions.add(session::find(&self.here.conn, &theirs.id)?.is_some());
        }
        Ok(())
    }

    pub(super) fn take(&self) -> Result<()> {
        for batch in session::all(&self.other.conn)?.chunks(BATCH_ROWS) {
            self.here.write(|conn| Ok(batch.iter().try_for_each(|theirs| session::join(conn, theirs))?))?;
        }
        let mut transcripts = Vec::new();
        for source in Source::ALL {
            for theirs in self.other.file_states(source)? {
                self.take_file(&theirs)?;
                if source == Source::Transcript {
                    transcripts.push(theirs.path_hash);
                }
            }
        }
        self.take_holders()?;
        for path_hash in transcripts {
            self.here.write(|conn| match source_file::id(conn, Source::Transcript, &path_hash)? {
                Some(file) => judge_tree(conn, file),
                None => Ok(()),
            })?;
        }
        Ok(())
    }

    /// The state comes with the last entries: an ingest that comes between reads the file from its start and finds what is
    /// here already.
    fn take_file(&self, theirs: &FileState) -> Result<()> {
        let source = theirs.source;
        let Some(file) = source_file::id(&self.other.conn, source, &theirs.path_hash)? else { return Ok(()) };
        let ours = self.here.file_state(source, &theirs.path_hash)?;
        let is_ahead = match &ours {
            None => true,
            Some(ours) => source == Source::Transcript && ours.consumed_bytes < theirs.consumed_bytes,
        };
        let meanwhile = ours.unwrap_or_else(|| unread(theirs));
        let mut entries = Vec::new();
        let mut bytes = 0;
        for (id, key) in entry::of_file(&self.other.conn, file)? {
            // A record of a transcript is noted as held by this file as well; anything else that is here stays.
            if source != Source::Transcript && entry::id(&self.here.conn, source, &key)?.is_some() {
                continue;
            }
            let new = entry::whole(&self.other.conn, id)?;
            bytes += new.text.as_str().len();
            entries.push(new);
            if bytes >= BATCH_BYTES {
                self.here.commit(&batch(&meanwhile, std::mem::take(&mut entries), None))?;
                bytes = 0;
            }
        }
        let tree = if is_ahead { self.tree_beyond(theirs, file)? } else { None };
        self.here.commit(&batch(if is_ahead { theirs } else { &meanwhile }, entries, tree))?;
        Ok(())
    }

    /// What the other store has read of a transcript's tree after that which this one has.
    fn tree_beyond(&self, theirs: &FileState, file: i64) -> Result<Option<TreePart>> {
        if theirs.source != Source::Transcript {
            return Ok(None);
        }
        let (here, other) = (&self.here.conn, &self.other.conn);
        let ours = match source_file::id(here, theirs.source, &theirs.path_hash)? {
            Some(ours) => transcript_tree::of_file(here, ours)?.len(),
            None => 0,
        };
        let links = transcript_tree::of_file(other, file)?.into_iter().skip(ours).map(|link| Link {
            uuid: link.uuid.text(),
            parent: link.parent.map(|name| name.text()),
            is_prompt: link.is_prompt,
        });
        let leaf = transcript_tree::leaf(other, file)?.map(|name| name.text());
        Ok(Some(TreePart { links: links.collect(), leaf, is_last: false }))
    }

    /// Which files hold an entry beside its own.
    fn take_holders(&self) -> Result<()> {
        for rows in left_behind::holders(&self.other.conn)?.chunks(BATCH_ROWS) {
            self.here.write(|conn| {
                for (key, path_hash) in rows {
                    let found = entry::id(conn, Source::Transcript, key)?;
                    let file = source_file::id(conn, Source::Transcript, path_hash)?;
                    let (Some(found), Some(file)) = (found, file) else { continue };
                    left_behind::add_holder(conn, found, file)?;
                    entry::settle_abandoned(conn, &Name::of(record_of(key)))?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// A file of which nothing was read.
fn unread(file: &FileState) -> FileState {
    FileState {
        size_bytes: 0,
        mtime_ns: 0,
        content_hash: String::new(),
        consumed_bytes: 0,
        consumed_lines: 0,
        fails: 0,
        last_error: Redacted::literal(""),
        skipped: BTreeMap::new(),
        ..file.clone()
    }
}

fn batch(file: &FileState, entries: Vec<Entry>, tree: Option<TreePart>) -> Batch {
    Batch { file: file.clone(), mode: Mode::Append, entries, tree, sessions: Vec::new(), inventory: None, rules: None }
}
