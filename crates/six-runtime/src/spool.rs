//! The spool: one file for each event that could not be written into the store, replayed exactly once. While its hook still
//! works, an event that got further may have two for a moment.
//!
//! A file is written under a temporary name and renamed, so a reader never sees half of one. Replay inserts under the
//! event's unique id and unlinks after the commit: a crash between the two replays into nothing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use six_core::effect::Effect;
use six_core::record::{Heartbeat, Why};
use six_store::{KillPoint, Store};

use crate::atomic;
use crate::read_file::{self, ReadError};

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

    /// The folder of the store that it belongs to.
    pub fn store_dir(&self) -> &Path {
        self.dir.parent().unwrap_or(&self.dir)
    }

    /// Leaves an event as far as it got. What it had got to before is in a file of its own, which goes once this one is
    /// there: whoever drains meanwhile has read the one or the other, and never removes what it has not read.
    pub fn write(&self, heartbeat: &Heartbeat, effects: &[Effect]) -> io::Result<()> {
        atomic::create_private_dir(&self.dir)?;
        let spooled = Spooled { schema: SCHEMA, heartbeat: heartbeat.clone(), effects: effects.to_vec() };
        let stage = spooled.stage();
        let path = |stage| self.dir.join(format!("{}-{stage}.json", heartbeat.id));
        atomic::write_atomic(&path(stage), &serde_json::to_vec(&spooled)?).map_err(io::Error::other)?;
        if stage > 0 {
            KillPoint::SpoolWritten.reach();
        }
        (0..stage).try_for_each(|earlier| unless_gone(fs::remove_file(path(earlier))))
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

    /// Replays what waits, until `until`. Stops at the first event that the store can't take. Half a file that a killed
    /// hook left is no event, and goes once it is old.
    pub fn drain(&self, store: &Store, until: Instant) -> io::Result<Drained> {
        atomic::remove_orphans(&self.dir);
        let mut drained = Drained::default();
        let mut open = true;
        for (path, _) in self.waiting()? {
            let taken = if open && Instant::now() < until { take(&path, store) } else { Taken::Later };
            match taken {
                Taken::Replayed => {
                    KillPoint::SpoolReplayed.reach();
                    unless_gone(fs::remove_file(&path))?;
                    drained.replayed += 1;
                }
                Taken::Gone => {}
                Taken::Left => drained.left += 1,
                Taken::Later => {
                    open = false;
                    drained.left += 1;
                }
                Taken::Never => {
                    unless_gone(fs::rename(&path, path.with_extension("bad")))?;
                    drained.bad += 1;
                }
            }
        }
        Ok(drained)
    }
}

impl Spooled {
    /// How far the event got: opened, its rows known, ended.
    fn stage(&self) -> u8 {
        match (&self.heartbeat.outcome, self.effects.is_empty()) {
            (Some(_), _) => 2,
            (None, false) => 1,
            (None, true) => 0,
        }
    }
}

/// What became of one file.
enum Taken {
    /// It is in the store.
    Replayed,
    /// Another process that drains has taken it.
    Gone,
    /// A newer six wrote it, or it can't be read now.
    Left,
    /// The store can't take anything now, or the time is used up.
    Later,
    /// It is no event, or one that the store will never take: it must not keep the others waiting.
    Never,
}

/// Several processes may drain at once: a file that another has taken meanwhile is no fault.
fn unless_gone(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn take(path: &Path, store: &Store) -> Taken {
    #[derive(Deserialize)]
    struct Version {
        schema: u32,
    }
    let bytes = match read_file::read_file(path, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(ReadError::Missing { .. }) => return Taken::Gone,
        Err(ReadError::Denied { .. } | ReadError::Io { .. }) => return Taken::Left,
        Err(_) => return Taken::Never,
    };
    let Ok(text) = String::from_utf8(bytes) else { return Taken::Never };
    match serde_json::from_str::<Version>(&text) {
        Ok(Version { schema }) if schema > SCHEMA => return Taken::Left,
        Ok(_) => {}
        Err(_) => return Taken::Never,
    }
    let Ok(spooled) = serde_json::from_str::<Spooled>(&text) else { return Taken::Never };
    match store.replay(&spooled.heartbeat, &spooled.effects) {
        Ok(_) => Taken::Replayed,
        Err(fault) if fault.why() == Why::Unreadable => Taken::Never,
        Err(_) => Taken::Later,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use six_core::record::{Boundary, Edge, EventId, HookName, Outcome, OutcomeKind, SessionId, UnixMs};
    use six_core::text::Redacted;
    use std::time::Duration;

    fn heartbeat(id: &str, outcome: Option<OutcomeKind>) -> Heartbeat {
        Heartbeat {
            id: EventId::new(id),
            hook: HookName::UserPromptSubmit,
            event: Redacted::literal("UserPromptSubmit"),
            session: None,
            via: Redacted::literal("settings"),
            pid: 1,
            version: String::from("0.1.0"),
            started: UnixMs(5),
            deadline_ms: 150,
            synthetic: false,
            outcome: outcome.map(|kind| Outcome {
                kind,
                class: String::new(),
                text: Redacted::literal(""),
                ended: UnixMs(9),
                took_us: None,
                rows_written: 0,
                bytes_emitted: 0,
            }),
        }
    }

    fn scratch() -> (tempfile::TempDir, Spool, Store) {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::create(&dir.path().join("memory.db"), UnixMs(0)).unwrap();
        let spool = Spool::new(dir.path());
        (dir, spool, store)
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    fn rows(store: &Store) -> u64 {
        store.status().unwrap().hooks.iter().map(|hook| hook.rows).sum()
    }

    #[test]
    fn an_event_that_was_left_before_times_were_measured_is_taken_in() {
        let (dir, spool, store) = scratch();
        spool.write(&heartbeat("a", Some(OutcomeKind::Ok)), &[]).unwrap();
        let file = std::fs::read_dir(dir.path().join("spool")).unwrap().next().unwrap().unwrap().path();
        let text = std::fs::read_to_string(&file).unwrap();
        let older = text.replace(",\"took_us\":null", "");
        assert_ne!(older, text);
        std::fs::write(&file, older).unwrap();
        assert_eq!(spool.drain(&store, soon()).unwrap().replayed, 1);
        assert_eq!(rows(&store), 1);
    }

    #[test]
    fn an_event_is_replayed_once_however_often_it_was_left() {
        let (_dir, spool, store) = scratch();
        spool.write(&heartbeat("a", None), &[]).unwrap();
        spool.write(&heartbeat("a", Some(OutcomeKind::Ok)), &[]).unwrap();
        spool.write(&heartbeat("b", Some(OutcomeKind::TimedOut)), &[]).unwrap();
        assert_eq!(spool.drain(&store, soon()).unwrap(), Drained { replayed: 2, ..Drained::default() });
        spool.write(&heartbeat("a", Some(OutcomeKind::Ok)), &[]).unwrap();
        spool.drain(&store, soon()).unwrap();
        assert_eq!((rows(&store), spool.waiting().unwrap().len()), (2, 0));
    }

    #[test]
    fn several_that_drain_at_once_take_every_event_once_and_none_of_them_fails() {
        let (dir, spool, store) = scratch();
        for n in 0..200 {
            spool.write(&heartbeat(&format!("e{n}"), Some(OutcomeKind::Ok)), &[]).unwrap();
        }
        std::thread::scope(|threads| {
            for _ in 0..4 {
                threads.spawn(|| {
                    let path = dir.path().join("memory.db");
                    let store = Store::open(&path, six_store::Access::Write, Duration::from_secs(60)).unwrap();
                    let drained = spool.drain(&store, soon()).unwrap();
                    assert_eq!((drained.left, drained.bad), (0, 0));
                });
            }
        });
        assert_eq!((rows(&store), spool.waiting().unwrap().len()), (200, 0));
    }

    #[test]
    fn rows_that_are_left_after_the_opening_was_taken_are_not_lost() {
        let (dir, spool, store) = scratch();
        let session = SessionId::new("s-1");
        let start = Boundary { session, edge: Edge::Start, detail: Redacted::literal("startup"), at: UnixMs(5) };
        spool.write(&heartbeat("a", None), &[]).unwrap();
        let opening = fs::read(dir.path().join("spool/a-0.json")).unwrap();
        spool.drain(&store, soon()).unwrap();
        spool.write(&heartbeat("a", None), &[Effect::Boundary(start.clone())]).unwrap();
        // Another process that read the opening before it was replaced comes late.
        fs::write(dir.path().join("spool/a-0.json"), opening).unwrap();
        spool.drain(&store, soon()).unwrap();
        spool.write(&heartbeat("a", Some(OutcomeKind::Ok)), &[Effect::Boundary(start)]).unwrap();
        spool.drain(&store, soon()).unwrap();
        assert_eq!((rows(&store), store.last_boundary(UnixMs(9)).unwrap()), (1, Some(UnixMs(5))));
        assert_eq!(spool.waiting().unwrap().len(), 0);
    }

    #[test]
    fn without_time_nothing_is_taken_and_nothing_is_lost() {
        let (_dir, spool, store) = scratch();
        spool.write(&heartbeat("a", None), &[]).unwrap();
        assert_eq!(spool.drain(&store, Instant::now()).unwrap(), Drained { left: 1, ..Drained::default() });
        assert_eq!((rows(&store), spool.waiting().unwrap().len()), (0, 1));
    }

    #[test]
    fn a_file_that_is_no_event_is_set_aside_and_a_newer_one_is_left() {
        let (dir, spool, store) = scratch();
        spool.write(&heartbeat("a", None), &[]).unwrap();
        let folder = dir.path().join("spool");
        fs::write(folder.join("half.json"), b"{\"schema\":1,\"heart").unwrap();
        fs::write(folder.join("newer.json"), b"{\"schema\":2}").unwrap();
        assert_eq!(spool.drain(&store, soon()).unwrap(), Drained { replayed: 1, left: 1, bad: 1 });
        assert!(folder.join("half.bad").is_file() && folder.join("newer.json").is_file());
    }

    #[test]
    fn nothing_waits_where_nothing_was_written() {
        let (dir, spool, _) = scratch();
        assert_eq!(spool.waiting().unwrap(), []);
        assert!(!dir.path().join("spool").exists());
    }
}
