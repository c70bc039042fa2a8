//! Damage on purpose: what `six health --prove` does to a copy of a store to see whether the checks notice.
//!
//! Nothing here works on a store that is not marked as such a copy, and only [`Store::copy_for_proof`] marks one.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, params};
use six_core::record::UnixMs;

use crate::error::{Result, StoreError};
use crate::migrate::{self, MIGRATIONS, SCHEMA_VERSION};
use crate::open::{APPLICATION_ID, Checkpoint, Store, application_id, beside, private_file};
use crate::table::{meta, vector};

/// Bytes of a page, as every store has them.
const PAGE_BYTES: usize = 4096;

/// Vectors that may have to be made again because of one fault: half a minute on a slow machine.
const REMADE: u64 = 2_000;

/// Name of everything that is made up.
const MADE_UP: &str = "made-up";

/// One kind of damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spoil {
    /// The full-text index is gone.
    DropIndex,
    /// One row of the full-text index is gone.
    LoseIndexRow,
    /// The running counter of texts is one too high.
    Miscount,
    /// Every byte of a page is turned round: of a table that no check reads, so that only a full check can see it.
    FlipPage,
    /// A newer six has written the store.
    NewerSchema,
    /// Takes back [`Spoil::NewerSchema`].
    OurSchema,
    /// An empty store of the schema before this binary's is in its place.
    OlderSchema,
    /// The last full check of the file was so many days ago, and hooks ran on each of them.
    AgeFullCheck {
        /// When it is.
        now: UnixMs,
        /// How many days.
        days: u32,
    },
    /// Hooks ran on each of so many days up to now.
    LiveDays {
        /// When it is.
        now: UnixMs,
        /// How many days.
        days: u32,
    },
    /// So many bytes of nothing are kept in the store.
    Swell {
        /// How many.
        bytes: u32,
    },
    /// Something is written and the journal is not moved into the file.
    KeepJournal,
    /// Every twentieth vector is gone (one at least), and its text still says that it has one.
    LoseVectors,
    /// Every fiftieth vector (one at least) is gone, as if they had never been made, and sessions have come and gone since
    /// a run of embedding last got anywhere.
    StallVectors {
        /// When it is.
        now: UnixMs,
        /// Starts of sessions since.
        boundaries: u32,
    },
    /// A text says that it has no vector, and has one.
    OrphanVector,
    /// Every vector has half of its values; not where it would take minutes to make them all again.
    HalveVectors,
    /// A thread whose story a model told of records that have changed since.
    StaleLineage {
        /// When it was told.
        now: UnixMs,
    },
    /// A transcript shows a session, and a prompt in it.
    Transcript {
        /// The session.
        session: &'static str,
        /// When it was said.
        at: UnixMs,
    },
    /// A transcript in which the model answers, of a client that writes down what hooks say at a start.
    Answer {
        /// The session.
        session: &'static str,
        /// When it answered.
        at: UnixMs,
        /// Whether our block is in it.
        has_block: bool,
    },
}

impl Store {
    /// Writes a copy of the store, as it is at this moment, which may be spoiled. Fails when there is a file already.
    pub fn copy_for_proof(&self, path: &Path) -> Result<()> {
        self.copy_to(path)?;
        let copy = Self::open(path, crate::Access::Write, Duration::from_secs(5))?;
        copy.set_meta(meta::PROOF, "1")?;
        copy.checkpoint(Checkpoint::Truncate)?;
        Ok(())
    }
}

/// Spoils a copy; `false` when there is nothing in it that could be spoiled so. Refused with [`StoreError::NotAProof`] for
/// every other store.
pub fn spoil(path: &Path, how: Spoil) -> Result<bool> {
    let conn = open_proof(path)?;
    match how {
        Spoil::FlipPage => flip_page(path, conn),
        Spoil::OlderSchema => put_older(path, conn),
        Spoil::KeepJournal => keep_journal(&conn),
        how => {
            let changed = write(&conn, how)?;
            conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
            Ok(changed)
        }
    }
}

fn open_proof(path: &Path) -> Result<Connection> {
    let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    conn.busy_timeout(Duration::from_secs(5))?;
    if application_id(&conn)? != APPLICATION_ID || meta::get(&conn, meta::PROOF)?.is_none() {
        return Err(StoreError::NotAProof);
    }
    Ok(conn)
}

fn write(conn: &Connection, how: Spoil) -> Result<bool> {
    match how {
        Spoil::DropIndex => conn.execute_batch("DROP TABLE body_fts")?,
        Spoil::LoseIndexRow => {
            return Ok(conn.execute("DELETE FROM body_fts WHERE rowid = (SELECT max(id) FROM body)", [])? > 0);
        }
        Spoil::Miscount => meta::move_counter(conn, meta::BODIES, 1)?,
        Spoil::NewerSchema => conn.pragma_update(None, "user_version", SCHEMA_VERSION + 1)?,
        Spoil::OurSchema => conn.pragma_update(None, "user_version", SCHEMA_VERSION)?,
        Spoil::AgeFullCheck { now, days } => {
            let at = now.0 - i64::from(days) * UnixMs::DAY_MS;
            conn.execute(
                "UPDATE meta SET value = json_set(value, '$.at', ?1) WHERE key = ?2",
                params![at, meta::FULL_CHECK],
            )?;
            live_days(conn, now, days)?;
        }
        Spoil::LiveDays { now, days } => live_days(conn, now, days)?,
        Spoil::Swell { bytes } => {
            conn.execute("INSERT INTO meta (key, value) VALUES (?1, hex(zeroblob(?2 / 2)))", params![MADE_UP, bytes])?;
        }
        Spoil::LoseVectors => return lose_vectors(conn),
        Spoil::StallVectors { now, boundaries } => return stall_vectors(conn, now, boundaries),
        Spoil::OrphanVector => {
            let one = "UPDATE body SET model_id = NULL WHERE id = (SELECT max(body_id) FROM vector)";
            return Ok(conn.execute(one, [])? > 0);
        }
        Spoil::HalveVectors => {
            let vectors = vector::count(conn)?;
            if vectors > REMADE {
                return Ok(false);
            }
            let half = "UPDATE vector SET value_i8 = substr(value_i8, 1, octet_length(value_i8) / 2), \
                        signs = substr(signs, 1, octet_length(signs) / 2)";
            return Ok(conn.execute(half, [])? > 0);
        }
        Spoil::StaleLineage { now } => stale_lineage(conn, now)?,
        Spoil::Transcript { session, at } => add_transcript(conn, session, at)?,
        Spoil::Answer { session, at, has_block } => add_answer(conn, session, at, has_block)?,
        Spoil::FlipPage | Spoil::OlderSchema | Spoil::KeepJournal => return Ok(false),
    }
    Ok(true)
}

fn live_days(conn: &Connection, now: UnixMs, days: u32) -> Result<()> {
    for day in 0..=days {
        conn.execute(
            "INSERT INTO heartbeat (event_id, hook, event, via, pid, version, started_unix_ms, deadline_ms, synthetic, \
                 ended_unix_ms, outcome, class, text, rows_written, emitted_bytes) \
             VALUES (?1 || '-' || ?2, 'worker', '', '', 0, '', ?3, 1000, 0, ?3, 'ok', '', '', 0, 0)",
            params![MADE_UP, day, now.0 - i64::from(day) * UnixMs::DAY_MS],
        )?;
    }
    Ok(())
}

fn lose_vectors(conn: &Connection) -> Result<bool> {
    let some = "DELETE FROM vector WHERE body_id IN \
                (SELECT body_id FROM vector ORDER BY body_id LIMIT (SELECT 1 + count(*) / 20 FROM vector))";
    Ok(conn.execute(some, [])? > 0)
}

fn stall_vectors(conn: &Connection, now: UnixMs, boundaries: u32) -> Result<bool> {
    let some = "SELECT body_id FROM vector ORDER BY body_id LIMIT (SELECT 1 + count(*) / 50 FROM vector)";
    conn.execute(&format!("UPDATE body SET model_id = NULL WHERE id IN ({some})"), [])?;
    let lost = conn.execute(&format!("DELETE FROM vector WHERE body_id IN ({some})"), [])?;
    let then = now.0 - UnixMs::DAY_MS;
    meta::set(conn, meta::EMBEDDED, &then.to_string())?;
    for n in 1..=boundaries {
        conn.execute(
            "INSERT INTO boundary (session, edge, detail, at_unix_ms) VALUES (?1, 'start', 'startup', ?2)",
            params![MADE_UP, then + i64::from(n)],
        )?;
    }
    Ok(lost > 0)
}

fn stale_lineage(conn: &Connection, now: UnixMs) -> Result<()> {
    conn.execute(
        "INSERT INTO thread (id, name, summary, open, created_unix_ms) VALUES (?1, ?1, '', 1, ?2)",
        params![MADE_UP, now.0],
    )?;
    conn.execute(
        "INSERT INTO lineage (thread_id, key, prose, model, at_unix_ms) VALUES (?1, 'of before', 'It was so.', ?1, ?2)",
        params![MADE_UP, now.0],
    )?;
    Ok(())
}

fn add_transcript(conn: &Connection, session: &str, at: UnixMs) -> Result<()> {
    conn.execute(
        "INSERT INTO session (name, first_unix_ms, last_unix_ms, prompts) VALUES (?1, ?2, ?2, 1)",
        params![session, at.0],
    )?;
    conn.execute(
        "INSERT INTO entry (source, key, kind, origin, session_id, at_unix_ms, title, text) \
         SELECT 'transcript', ?1, 'prompt', 'operator', id, ?2, '', '' FROM session WHERE name = ?1",
        params![session, at.0],
    )?;
    Ok(())
}

fn add_answer(conn: &Connection, session: &str, at: UnixMs, has_block: bool) -> Result<()> {
    let trace = 1 + i64::from(has_block);
    conn.execute(
        "INSERT INTO session (name, client, start_trace) VALUES (?1, ?2, ?3) \
         ON CONFLICT (name) DO UPDATE SET client = excluded.client, start_trace = excluded.start_trace",
        params![session, MADE_UP, trace],
    )?;
    conn.execute(
        "INSERT INTO entry (source, key, kind, origin, session_id, at_unix_ms, title, text) \
         SELECT 'transcript', ?1, 'answer', 'agent', id, ?2, '', '' FROM session WHERE name = ?1",
        params![session, at.0],
    )?;
    Ok(())
}

fn keep_journal(conn: &Connection) -> Result<bool> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    conn.execute_batch("PRAGMA wal_autocheckpoint=0")?;
    meta::set(conn, MADE_UP, &"journal ".repeat(PAGE_BYTES))?;
    Ok(true)
}

/// Turns round the page that the table `claim` begins on.
fn flip_page(path: &Path, conn: Connection) -> Result<bool> {
    conn.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?;
    let root: i64 = conn.query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'claim'", [], |row| row.get(0))?;
    conn.close().map_err(|(_, error)| error)?;
    let start = u64::try_from(root - 1).unwrap_or(0) * PAGE_BYTES as u64;
    let mut file = fs::OpenOptions::new().read(true).write(true).open(path)?;
    let mut page = [0_u8; PAGE_BYTES];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut page)?;
    for byte in &mut page {
        *byte = !*byte;
    }
    file.seek(SeekFrom::Start(start))?;
    file.write_all(&page)?;
    Ok(true)
}

fn put_older(path: &Path, conn: Connection) -> Result<bool> {
    conn.close().map_err(|(_, error)| error)?;
    for suffix in ["", "-wal", "-shm"] {
        match fs::remove_file(beside(path, suffix)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    private_file(path)?;
    let conn = Connection::open(path)?;
    let (_newest, older) = MIGRATIONS.split_last().ok_or(StoreError::MissingTable)?;
    migrate::run(&conn, older)?;
    meta::set(&conn, meta::PROOF, "1")?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use six_core::search::EmbedTranscripts;

    use super::*;
    use crate::Access;
    use crate::testkit::*;

    /// A store with texts and vectors, and a copy of it that may be spoiled.
    fn with_copy() -> (Scratch, std::path::PathBuf) {
        let s = Scratch::new();
        for n in 0..30 {
            s.store.commit(&doc_batch(&format!("{n}.md"), &format!("berth {n} has a crane"))).unwrap();
        }
        embed(&s.store, EmbedTranscripts::Off, made_vector);
        let copy = s.dir.path().join("copy.db");
        s.store.copy_for_proof(&copy).unwrap();
        (s, copy)
    }

    fn all() -> Vec<Spoil> {
        let (now, days) = (NOW, 5);
        vec![
            Spoil::DropIndex,
            Spoil::LoseIndexRow,
            Spoil::Miscount,
            Spoil::FlipPage,
            Spoil::NewerSchema,
            Spoil::OurSchema,
            Spoil::OlderSchema,
            Spoil::AgeFullCheck { now, days },
            Spoil::LiveDays { now, days },
            Spoil::Swell { bytes: 1 << 16 },
            Spoil::KeepJournal,
            Spoil::LoseVectors,
            Spoil::StallVectors { now, boundaries: 3 },
            Spoil::OrphanVector,
            Spoil::HalveVectors,
            Spoil::StaleLineage { now },
            Spoil::Transcript { session: "s", at: now },
            Spoil::Answer { session: "s", at: now, has_block: false },
        ]
    }

    #[test]
    fn a_store_that_somebody_uses_can_not_be_spoiled() {
        let (s, copy) = with_copy();
        let before = std::fs::read(s.path()).unwrap();
        for how in all() {
            assert!(matches!(spoil(&s.path(), how), Err(StoreError::NotAProof)), "{how:?}");
        }
        assert!(spoil(&s.dir.path().join("none.db"), Spoil::DropIndex).is_err());
        assert_eq!(std::fs::read(s.path()).unwrap(), before);
        s.assert_whole();
        assert!(matches!(s.store.copy_for_proof(&copy), Err(StoreError::Io(_))), "a file that is there stays");
    }

    #[test]
    fn a_copy_can_be_spoiled_in_every_way_and_is_another_file_afterwards() {
        for how in all().into_iter().filter(|how| *how != Spoil::OurSchema) {
            let (s, copy) = with_copy();
            let size = |suffix| std::fs::metadata(beside(&copy, suffix)).map_or(0, |file| file.len());
            let before = (std::fs::read(&copy).unwrap(), size("-wal"));
            assert!(spoil(&copy, how).unwrap(), "{how:?}");
            assert!((std::fs::read(&copy).unwrap(), size("-wal")) != before, "{how:?}");
            s.assert_whole();
        }
    }

    #[test]
    fn only_a_full_check_sees_the_page_that_was_turned_round() {
        let (_s, copy) = with_copy();
        spoil(&copy, Spoil::FlipPage).unwrap();
        let store = Store::open(&copy, Access::Write, Duration::ZERO).unwrap();
        assert_eq!(store.gather_store_facts().unwrap().sample_found, Some(true));
        assert!(!store.full_check(NOW).unwrap().faults.is_empty());
    }

    #[test]
    fn an_older_store_is_brought_up_to_date_and_is_still_a_proof() {
        let (s, copy) = with_copy();
        spoil(&copy, Spoil::OlderSchema).unwrap();
        let older = Store::open(&copy, Access::Write, Duration::ZERO);
        assert!(matches!(older, Err(StoreError::OlderSchema { .. })));
        migrate::migrate(&copy, s.dir.path(), NOW).unwrap();
        assert!(spoil(&copy, Spoil::Miscount).unwrap());
    }
}
