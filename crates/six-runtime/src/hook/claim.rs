//! A hook may be wired twice, by the settings and by a plugin. The host then starts it twice with the same payload, and one
//! of the two stays silent. Mostly the store tells which; where it can't be written, a file beside the spool does.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use six_core::effect::{Effect, TWINS_WITHIN_MS};
use six_core::record::UnixMs;
use six_core::text::{Redacted, sha256_hex};

use super::ledger::redact;
use crate::atomic;
use crate::lock::FileLock;

const TOGETHER: Duration = Duration::from_millis(TWINS_WITHIN_MS.unsigned_abs());
/// Files that nobody asks for any more.
const KEPT: Duration = Duration::from_secs(60);
/// Equal calls within that time; more are no longer told apart.
const MOST: u32 = 20;
/// How long a twin may be at its claim: a commit, or a look into the store and a small file.
const TURN: Duration = Duration::from_millis(20);

/// The claim of one call, to stand before its other effects; `None` for a call that does not say how it is wired, which can't
/// be told from its twin. Equal payloads are equal in session, event and prompt.
pub(super) fn of_call(via: &str, payload: &[u8], at: UnixMs) -> Option<Effect> {
    (!via.is_empty()).then(|| Effect::Claim { call: call_of(payload), via: redact(via), at })
}

/// Bytes at either end of a payload that tell it from others, with its length: the ids stand at its ends, and a hash over
/// thirty megabytes of a file would take the time that the hook has.
const TELLING_BYTES: usize = 64 * 1024;

fn call_of(payload: &[u8]) -> String {
    let head = payload.get(..TELLING_BYTES).unwrap_or(payload);
    let tail = payload.get(payload.len().saturating_sub(TELLING_BYTES)..).unwrap_or_default();
    sha256_hex([payload.len().to_le_bytes().as_slice(), head, tail].concat())
}

/// The turn of one call at its claim, as long as it is held. One twin looks for the other's file and claims in the store, the
/// other looks into the store and claims by a file: at once, each would look before the other has claimed. `None` where the
/// turn does not come: to say a thing twice is better than never.
pub(super) fn turn(store_dir: &Path) -> Option<FileLock> {
    FileLock::acquire(&store_dir.join("claims.lock"), TURN).ok()
}

/// Claims a call by a file: `false` when the other way of being wired has it. An error of the folder claims nothing and
/// refuses nothing: to say a thing twice is better than never.
pub(super) fn take_by_file(store_dir: &Path, effects: &[Effect]) -> bool {
    let Some(Effect::Claim { call, via, .. }) = effects.first() else { return true };
    let dir = folder(store_dir);
    if atomic::create_private_dir(&dir).is_err() {
        return true;
    }
    tidy(&dir);
    for path in paths(&dir, call) {
        let created = atomic::create_atomic(&path, via.as_str().as_bytes());
        if !created.is_err_and(|fault| fault.kind() == io::ErrorKind::AlreadyExists) {
            return true;
        }
        if holder(&path).is_some_and(|holder| holder.is_twin_of(via)) {
            return false;
        }
    }
    true
}

/// Whether the other way of being wired has claimed a call by a file. Nothing is claimed.
pub(super) fn is_taken_by_file(store_dir: &Path, effects: &[Effect]) -> bool {
    let Some(Effect::Claim { call, via, .. }) = effects.first() else { return false };
    paths(&folder(store_dir), call).map_while(|path| holder(&path)).any(|holder| holder.is_twin_of(via))
}

fn folder(store_dir: &Path) -> PathBuf {
    store_dir.join("spool").join("claims")
}

fn paths(dir: &Path, call: &str) -> impl Iterator<Item = PathBuf> {
    (1..=MOST).map(move |ordinal| dir.join(format!("{call}-{ordinal}")))
}

/// Who has a file, and for how long.
struct Holder {
    via: String,
    age: Duration,
}

impl Holder {
    fn is_twin_of(&self, via: &Redacted) -> bool {
        self.via != via.as_str() && self.age <= TOGETHER
    }
}

fn holder(path: &Path) -> Option<Holder> {
    let file = File::open(path).ok()?;
    let age = file.metadata().ok()?.modified().ok()?.elapsed().unwrap_or_default();
    let mut via = String::new();
    file.take(64).read_to_string(&mut via).ok()?;
    Some(Holder { via, age })
}

fn tidy(dir: &Path) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let age = entry.metadata().ok().and_then(|found| found.modified().ok()).and_then(|at| at.elapsed().ok());
        if age.is_some_and(|age| age > KEPT) {
            // Somebody else may have removed it.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_store_files_tell_who_answers() {
        let dir = tempfile::tempdir().unwrap();
        let take = |via: &str, payload: &str| {
            let claim: Vec<Effect> = of_call(via, payload.as_bytes(), UnixMs(0)).into_iter().collect();
            take_by_file(dir.path(), &claim)
        };
        assert_eq!([take("settings", "a"), take("plugin", "a")], [true, false]);
        assert_eq!([take("settings", "b"), take("settings", "b")], [true, true]);
        assert_eq!([take("", "a"), take("", "a")], [true, true]);
    }

    #[test]
    fn payloads_that_differ_at_either_end_or_in_length_are_two_calls() {
        let long = vec![b'x'; 1 << 20];
        let with = |at: usize| {
            let mut other = long.clone();
            other[at] = b'y';
            call_of(&other)
        };
        let calls = [call_of(&long), with(0), with((1 << 20) - 1), call_of(&long[1..]), call_of(b""), call_of(b"x")];
        let distinct: std::collections::BTreeSet<&String> = calls.iter().collect();
        assert_eq!(distinct.len(), calls.len());
    }

    #[test]
    fn of_two_that_claim_by_file_at_once_one_answers() {
        let dir = tempfile::tempdir().unwrap();
        for n in 0..100 {
            let take = |via: &str| {
                let claim: Vec<Effect> = of_call(via, format!("{n}").as_bytes(), UnixMs(0)).into_iter().collect();
                take_by_file(dir.path(), &claim)
            };
            let answered = std::thread::scope(|threads| {
                let other = threads.spawn(|| take("plugin"));
                [take("settings"), other.join().unwrap()]
            });
            assert_eq!(answered.into_iter().filter(|answers| *answers).count(), 1, "{n}: {answered:?}");
        }
    }

    #[test]
    fn who_may_write_the_store_sees_the_claims_by_file() {
        let dir = tempfile::tempdir().unwrap();
        let claim = |via: &str| of_call(via, b"a", UnixMs(0)).into_iter().collect::<Vec<Effect>>();
        assert!(!is_taken_by_file(dir.path(), &claim("plugin")));
        assert!(take_by_file(dir.path(), &claim("settings")));
        assert!(is_taken_by_file(dir.path(), &claim("plugin")));
        assert!(!is_taken_by_file(dir.path(), &claim("settings")), "it is its own");
    }
}
