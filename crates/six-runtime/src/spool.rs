//! The spool: one file per event that could not be written into the store, replayed exactly once.
//!
//! A file is written under a temporary name and renamed, so a reader never sees half of one. Replay inserts under the
//! event's unique id and unlinks after the commit: a crash between the two replays into nothing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use six_core::effect::Effect;
use six_core::record::{EventId, Heartbeat};
use six_store::Store;

use crate::atomic;
use crate::read_file;

/// Version of the file's shape. A reader leaves files of a newer version for the binary that wrote them.
const SCHEMA: u32 = 1;

/// Largest file that is read back: a receipt keeps 20 candidates, far below this.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// The spool folder of a store.
#[derive(Debug, Clone)]
pub struct Spool {
    dir: PathBuf,
}

/// One event as it waits: its heartbeat as far as it got, and its rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Spooled {
    schema: u32,
    heartbeat: Heartbeat,
    effects: Vec<Effect>,
}

/// What a replay did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Drained {
    /// Events that are in the store now.
    pub replayed: u64,
    /// Events that still wait: no time, a busy store, or written by a newer six.
    pub left: u64,
    /// Files that are no events; set aside under `.bad`, never deleted.
    pub bad: u64,
}

impl Spool {
    /// The spool of the store in `store_dir`. Nothing is created until something is written.
    pub fn new(store_dir: &Path) -> Self {
        Self { dir: store_dir.join("spool") }
    }

    /// Leaves an event. Writing the same event again replaces the earlier file.
    pub fn write(&self, heartbeat: &Heartbeat, effects: &[Effect]) -> io::Result<()> {
        atomic::create_private_dir(&self.dir)?;
        let spooled = Spooled { schema: SCHEMA, heartbeat: heartbeat.clone(), effects: effects.to_vec() };
        atomic::write_atomic(&self.path(&heartbeat.id), &serde_json::to_vec(&spooled)?).map_err(io::Error::other)
    }

    /// Events that wait, oldest name first, each with the time it was written in milliseconds since 1970.
    pub fn waiting(&self) -> io::Result<Vec<(PathBuf, i64)>> {
        let entries = match fs::read_dir(&self.dir) {
            Ok(entries) => entries,
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(fault) => return Err(fault),
        };
        let mut files = Vec::new();
        for entry in entries.flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|e| e == "json") {
                files.push((path, entry.metadata().ok().map_or(0, |m| crate::clock::modified_unix_ms(&m))));
            }
        }
        files.sort();
        Ok(files)
    }

    /// Replays what waits, until `until`. Stops at the first event that the store can't take.
    pub fn drain(&self, store: &Store, until: Instant) -> io::Result<Drained> {
        let mut drained = Drained::default();
        let mut open = true;
        for (path, _) in self.waiting()? {
            if !open || Instant::now() >= until {
                drained.left += 1;
                continue;
            }
            match read(&path) {
                Ok(Some(spooled)) => match store.replay(&spooled.heartbeat, &spooled.effects) {
                    Ok(_) => {
                        fs::remove_file(&path)?;
                        drained.replayed += 1;
                    }
                    Err(_) => {
                        open = false;
                        drained.left += 1;
                    }
                },
                Ok(None) => drained.left += 1,
                Err(()) => {
                    fs::rename(&path, path.with_extension("bad"))?;
                    drained.bad += 1;
                }
            }
        }
        Ok(drained)
    }

    fn path(&self, event: &EventId) -> PathBuf {
        self.dir.join(format!("{event}.json"))
    }
}

/// The event in a file; `None` when a newer six wrote it, `Err` when it is no event.
fn read(path: &Path) -> Result<Option<Spooled>, ()> {
    #[derive(Deserialize)]
    struct Version {
        schema: u32,
    }
    let Ok(bytes) = read_file::read_file(path, MAX_BYTES) else { return Err(()) };
    match serde_json::from_slice::<Version>(&bytes) {
        Ok(Version { schema }) if schema > SCHEMA => Ok(None),
        Ok(_) => serde_json::from_slice(&bytes).map(Some).map_err(drop),
        Err(_) => Err(()),
    }
}
