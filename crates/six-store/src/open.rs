//! Opening the file: few pragmas, no migration, typed refusals.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, MAIN_DB, OpenFlags, Transaction, TransactionBehavior};
use six_core::record::UnixMs;
use six_core::text::{REDACTION_VERSION, TOKENIZER_VERSION};

use crate::error::{Result, StoreError};
use crate::in_use::InUse;
use crate::journal::Journal;
use crate::kill::KillPoint;
use crate::limit::Limit;
use crate::migrate::{self, SCHEMA_VERSION};
use crate::table::meta;

/// `sixs` in ASCII, in the header of every store.
pub(crate) const APPLICATION_ID: i32 = 0x7369_7873;

/// Statements kept prepared per connection; there are fewer than this in the crate.
const STATEMENTS: usize = 96;

/// Page cache of a connection that writes or searches in bulk, in KiB (negative, as the pragma wants it). Hooks keep
/// `SQLite`'s 2 MiB: they touch a handful of pages.
const CACHE_KIB: i64 = -32_768;

/// Pages of journal (of 4 KiB) from which a writing connection checkpoints: at `SQLite`'s own 1 000 every batch of an ingest
/// would wait for the disk.
const CHECKPOINT_PAGES: i64 = 8_192;

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reads only; works while another process writes, and when the folder is read-only.
    Read,
    /// Rows of one event: no migration, no checkpoint while it runs nor when it closes.
    Hook,
    /// Ingest, worker and writing commands.
    Write,
}

/// How far a checkpoint goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checkpoint {
    /// Like [`Checkpoint::Truncate`] when nobody is in the way, else what can be moved. Never waits. (A passive checkpoint
    /// would not do for hooks: who opens the file alone reads the journal anew and forgets what was moved, so that it is
    /// never begun anew.)
    IfFree,
    /// All of it, and the journal is cut to nothing. Waits as long as any statement of the store.
    Truncate,
}

/// An open store.
#[derive(Debug)]
pub struct Store {
    pub(crate) conn: Connection,
    path: PathBuf,
    access: Access,
    busy: Duration,
    pub(crate) limit: Limit,
    _in_use: Option<InUse>,
}

impl Store {
    /// Makes a new store with the newest schema; the file is readable by its owner only. Fails when it is there already.
    ///
    /// It is made beside `path` and gets its name when it is whole: a process that is killed meanwhile leaves no store.
    pub fn create(path: &Path, now: UnixMs) -> Result<Self> {
        if path.try_exists()? {
            return Err(StoreError::Io(std::io::ErrorKind::AlreadyExists.into()));
        }
        let unfinished = beside(path, ".new");
        // Of a process that was killed; two that create at once are kept apart by the installer's lock.
        for suffix in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(beside(&unfinished, suffix));
        }
        private_file(&unfinished)?;
        let conn = Connection::open_with_flags(&unfinished, flags(Access::Write))?;
        conn.pragma_update(None, "journal_mode", Journal::of(folder(path)).pragma())?;
        migrate::run(&conn, migrate::MIGRATIONS)?;
        meta::set(&conn, meta::CREATED, &now.0.to_string())?;
        meta::set(&conn, meta::TOKENIZER, &TOKENIZER_VERSION.to_string())?;
        meta::set(&conn, meta::REDACTION, &REDACTION_VERSION.to_string())?;
        // Closing the last connection moves the journal into the file and removes it.
        conn.close().map_err(|(_, error)| error)?;
        KillPoint::CreateUnnamed.reach();
        set_journal_aside(path, now)?;
        std::fs::rename(&unfinished, path)?;
        Self::open(path, Access::Write, Duration::from_secs(5))
    }

    /// Opens a store. `busy` is how long a statement may wait for another process's lock.
    ///
    /// A schema that is not this binary's is refused as a typed error; reading a newer one is allowed, its statements say
    /// for themselves whether they can.
    pub fn open(path: &Path, access: Access, busy: Duration) -> Result<Self> {
        // A FIFO would be waited for, and of a folder SQLite says only that it can't be opened.
        if !std::fs::metadata(path)?.is_file() {
            return Err(StoreError::NotOurs);
        }
        let in_use = InUse::share(path, busy)?;
        let mut conn = match connect(path, access, busy) {
            Err(error) if needs_writing(&error) => reopen_immutable(path, access, busy, error)?,
            other => other?,
        };
        if application_id(&conn)? != APPLICATION_ID {
            return Err(StoreError::NotOurs);
        }
        let found = pragma_u32(&conn, "user_version")?;
        match found.cmp(&SCHEMA_VERSION) {
            std::cmp::Ordering::Less => return Err(StoreError::OlderSchema { found, known: SCHEMA_VERSION }),
            std::cmp::Ordering::Greater if access != Access::Read => {
                return Err(StoreError::NewerSchema { found, known: SCHEMA_VERSION });
            }
            _ => {}
        }
        if access == Access::Write {
            restore_journal(&conn, path)?;
        }
        let limit = Limit::of(&mut conn)?;
        Ok(Self { conn, path: path.to_owned(), access, busy, limit, _in_use: Some(in_use) })
    }

    /// A store over a file that nobody else knows of yet.
    pub(crate) fn over(conn: Connection, path: &Path) -> Self {
        let (access, busy, limit) = (Access::Write, Duration::ZERO, Limit::default());
        Self { conn, path: path.to_owned(), access, busy, limit, _in_use: None }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it was opened for.
    pub fn access(&self) -> Access {
        self.access
    }

    /// Moves the journal into the file; answers the pages that could not be moved because somebody reads them.
    pub fn checkpoint(&self, mode: Checkpoint) -> Result<u64> {
        let truncate = || {
            self.conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| {
                Ok((row.get::<_, i64>(0)? != 0, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?))
            })
        };
        let (busy, log, moved) = match mode {
            Checkpoint::Truncate => truncate()?,
            Checkpoint::IfFree => {
                self.conn.busy_timeout(Duration::ZERO)?;
                let done = truncate();
                self.conn.busy_timeout(self.busy)?;
                done?
            }
        };
        if busy && mode == Checkpoint::Truncate {
            return Err(StoreError::Busy);
        }
        Ok(u64::try_from(log - moved).unwrap_or(0))
    }

    /// Which journal it should have where it lies.
    pub fn journal(&self) -> Journal {
        Journal::of(folder(&self.path))
    }

    /// Bytes of the journal, whether they were moved into the file or not: what the next process that opens it reads.
    pub fn journal_bytes(&self) -> u64 {
        std::fs::metadata(journal(&self.path)).map_or(0, |file| file.len())
    }

    /// A value of the table of odds and ends.
    pub fn meta(&self, key: &str) -> Result<Option<String>> {
        Ok(meta::get(&self.conn, key)?)
    }

    /// Sets such a value.
    pub fn set_meta(&self, key: &str, value: &str) -> Result<()> {
        self.write(|conn| Ok(meta::set(conn, key, value)?))
    }

    /// Runs `rows` in one transaction that takes the write lock at once; an error undoes all of it.
    pub(crate) fn write<T>(&self, rows: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let tx = Transaction::new_unchecked(&self.conn, TransactionBehavior::Immediate)?;
        let out = rows(&tx)?;
        tx.commit()?;
        Ok(out)
    }

    /// Runs `questions` on one state of the file, whatever others write meanwhile.
    pub(crate) fn read<T>(&self, questions: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let tx = Transaction::new_unchecked(&self.conn, TransactionBehavior::Deferred)?;
        let out = questions(&tx)?;
        tx.commit()?;
        Ok(out)
    }
}

fn flags(access: Access) -> OpenFlags {
    let mode = match access {
        Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
        Access::Hook | Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE,
    };
    mode | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_EXRESCODE
}

fn connect(path: &Path, access: Access, busy: Duration) -> Result<Connection> {
    let conn = Connection::open_with_flags(path, flags(access))?;
    // Asked to write what it may only read, SQLite opens it all the same.
    if access != Access::Read && conn.is_readonly(MAIN_DB)? {
        return Err(StoreError::ReadOnly);
    }
    configure(&conn, access, busy)?;
    application_id(&conn)?;
    Ok(conn)
}

/// The file of this name with `suffix` behind it.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn configure(conn: &Connection, access: Access, busy: Duration) -> Result<()> {
    conn.busy_timeout(busy)?;
    conn.set_prepared_statement_cache_capacity(STATEMENTS);
    // Else a statement on a table with a partial index is planned anew each time it is given other values, which took a
    // third of a search.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    match access {
        Access::Read => conn.pragma_update(None, "cache_size", CACHE_KIB)?,
        Access::Hook => {
            conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
            conn.execute_batch("PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON; PRAGMA wal_autocheckpoint=0;")?;
        }
        Access::Write => {
            conn.execute_batch("PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON; PRAGMA foreign_keys=ON;")?;
            conn.pragma_update(None, "cache_size", CACHE_KIB)?;
            conn.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
        }
    }
    Ok(())
}

/// A repair that was killed leaves a file with a rollback journal, and the folder may have been moved to another file system.
/// While somebody else has the file open it stays as it is.
fn restore_journal(conn: &Connection, path: &Path) -> Result<()> {
    let wanted = Journal::of(folder(path)).pragma();
    let set = conn.pragma_update_and_check(None, "journal_mode", wanted, |row| row.get::<_, String>(0));
    match set.map_err(StoreError::from) {
        Ok(_) | Err(StoreError::Busy) => Ok(()),
        Err(error) => Err(error),
    }
}

/// The journal of a store that is gone would be taken to be the new one's. It is kept: nobody knows what is in it.
fn set_journal_aside(path: &Path, now: UnixMs) -> Result<()> {
    for end in ["-wal", "-journal"] {
        let journal = beside(path, end);
        if journal.try_exists()? {
            std::fs::rename(&journal, beside(path, &format!(".lost-{}{end}", now.0)))?;
        }
    }
    Ok(())
}

/// The folder that a file is in.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// What `SQLite` says when it can't make the files that it keeps beside a WAL database.
fn needs_writing(error: &StoreError) -> bool {
    matches!(error, StoreError::ReadOnly | StoreError::Full | StoreError::CannotOpen)
}

/// A WAL database in a folder that can't be written, or on a disk that is full, opens only as immutable. That skips the
/// journal, so it is done only when the journal holds nothing: a file without its journal may be a state that never was.
fn reopen_immutable(path: &Path, access: Access, busy: Duration, refusal: StoreError) -> Result<Connection> {
    let journaled = std::fs::metadata(journal(path)).is_ok_and(|m| m.len() > 0);
    if access != Access::Read || journaled {
        return Err(if matches!(refusal, StoreError::Full) { refusal } else { StoreError::ReadOnly });
    }
    let conn = Connection::open_with_flags(immutable_uri(path), flags(access) | OpenFlags::SQLITE_OPEN_URI)?;
    configure(&conn, access, busy)?;
    Ok(conn)
}

fn journal(path: &Path) -> PathBuf {
    beside(path, "-wal")
}

/// The path as a URI: every byte that could mean something there is written as `%xx`.
pub(crate) fn immutable_uri(path: &Path) -> String {
    use std::fmt::Write as _;
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(byte) {
            uri.push(char::from(*byte));
        } else {
            let _ = write!(uri, "%{byte:02x}");
        }
    }
    uri.push_str("?immutable=1");
    uri
}

/// Makes an empty file of mode 0600; one that is there already is an error.
pub(crate) fn private_file(path: &Path) -> Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)?;
    Ok(())
}

/// Who made the file; of files of others it may be negative.
pub(crate) fn application_id(conn: &Connection) -> Result<i32> {
    Ok(conn.pragma_query_value(None, "application_id", |row| row.get(0))?)
}

pub(crate) fn pragma_u32(conn: &Connection, name: &str) -> Result<u32> {
    Ok(conn.pragma_query_value(None, name, |row| row.get(0))?)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use six_core::record::{HookName, Why};

    use super::*;
    use crate::testkit::*;

    fn refusal(path: &Path, access: Access) -> StoreError {
        Store::open(path, access, Duration::ZERO).map(|s| s.path().to_owned()).unwrap_err()
    }

    #[test]
    fn a_statement_is_planned_once_whatever_values_it_is_given() {
        let planned_anew = |conn: &Connection| {
            let mut stmt = conn.prepare("SELECT id FROM entry WHERE kind = ?1 AND path = ?2").unwrap();
            for kind in ["memory", "doc", "prompt"] {
                assert!(!stmt.exists([kind, "a.md"]).unwrap());
            }
            stmt.get_status(rusqlite::StatementStatus::RePrepare)
        };
        let s = Scratch::new();
        for access in [Access::Read, Access::Hook, Access::Write] {
            assert_eq!(planned_anew(&s.open(access).conn), 0, "{access:?}");
        }
        s.store.conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, false).unwrap();
        assert!(planned_anew(&s.store.conn) > 0, "it is the setting that does it");
    }

    #[test]
    fn what_is_not_there_is_no_store_and_is_not_made() {
        let dir = tempfile::TempDir::new().unwrap();
        let path = dir.path().join("memory.db");
        for access in [Access::Read, Access::Hook, Access::Write] {
            assert_eq!(refusal(&path, access).why(), Why::NoStore);
        }
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_is_no_store_of_six_is_not_ours() {
        let dir = tempfile::TempDir::new().unwrap();
        let path = dir.path().join("memory.db");
        let other = rusqlite::Connection::open(dir.path().join("other.db")).unwrap();
        other.execute_batch("CREATE TABLE t (x)").unwrap();
        drop(other);
        let foreign = std::fs::read(dir.path().join("other.db")).unwrap();
        let mut negative = foreign.clone();
        // Where the header says whose file it is.
        negative[68..72].fill(0xff);
        for bytes in
            [Vec::new(), b"a plain text, long enough to be looked at as a header".repeat(40), foreign, negative]
        {
            std::fs::write(&path, &bytes).unwrap();
            for access in [Access::Read, Access::Hook, Access::Write] {
                assert_eq!(refusal(&path, access).why(), Why::NotOurs);
            }
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
    }

    #[test]
    fn what_is_no_file_is_no_store_and_is_not_waited_for() {
        let dir = tempfile::TempDir::new().unwrap();
        let folder = dir.path().join("folder.db");
        std::fs::create_dir(&folder).unwrap();
        let fifo = dir.path().join("fifo.db");
        let made = std::process::Command::new("mkfifo").arg(&fifo).status().is_ok_and(|status| status.success());
        let odd = if made { vec![folder, fifo] } else { vec![folder] };
        for (path, access) in odd.iter().flat_map(|path| [Access::Read, Access::Hook, Access::Write].map(|a| (path, a)))
        {
            assert_eq!(refusal(path, access).why(), Why::NotOurs);
        }
    }

    #[test]
    fn a_store_that_was_not_finished_is_none_and_does_not_stand_in_the_way() {
        let dir = tempfile::TempDir::new().unwrap();
        let path = dir.path().join("memory.db");
        for suffix in ["", "-wal", "-shm"] {
            std::fs::write(dir.path().join(format!("memory.db.new{suffix}")), "torn").unwrap();
        }
        assert_eq!(refusal(&path, Access::Write).why(), Why::NoStore);
        drop(Store::create(&path, NOW).unwrap());
        let mut left: Vec<_> = std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["memory.db", "memory.db.use"]);
        assert!(Store::create(&path, NOW).is_err());
    }

    #[test]
    fn a_store_of_another_schema_is_refused_by_type_and_a_newer_one_can_be_read() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "retry with jitter")).unwrap();
        s.store.conn.pragma_update(None, "user_version", SCHEMA_VERSION + 1).unwrap();
        for access in [Access::Hook, Access::Write] {
            assert_eq!(refusal(&s.path(), access).why(), Why::NewerSchema);
        }
        assert_eq!(s.open(Access::Read).search(&query("jitter")).unwrap().hits.len(), 1);
        s.store.conn.pragma_update(None, "user_version", SCHEMA_VERSION - 1).unwrap();
        for access in [Access::Read, Access::Hook, Access::Write] {
            assert_eq!(refusal(&s.path(), access).why(), Why::OlderSchema);
        }
    }

    #[test]
    fn flipped_bytes_are_damage() {
        let s = Scratch::new();
        for n in 0..40 {
            s.store.commit(&doc_batch(&format!("{n}.md"), &"retry with jitter\n".repeat(60))).unwrap();
        }
        let (path, dir) = (s.path(), s.dir);
        s.store.checkpoint(Checkpoint::Truncate).unwrap();
        drop(s.store);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[4096..].iter_mut().for_each(|b| *b = !*b);
        std::fs::write(&path, bytes).unwrap();
        let found = Store::open(&path, Access::Write, Duration::ZERO).and_then(|store| store.search(&query("jitter")));
        assert_eq!(found.unwrap_err().why(), Why::Corrupt);
        let found =
            Store::open(&path, Access::Write, Duration::ZERO).and_then(|store| store.commit(&doc_batch("x", "y")));
        assert_eq!(found.unwrap_err().why(), Why::Corrupt);
        drop(dir);
    }

    #[test]
    fn a_truncated_file_is_damage_and_never_an_empty_store() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", &"retry with jitter\n".repeat(4000))).unwrap();
        let (path, dir) = (s.path(), s.dir);
        s.store.checkpoint(Checkpoint::Truncate).unwrap();
        drop(s.store);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() / 3]).unwrap();
        let found = Store::open(&path, Access::Read, Duration::ZERO).and_then(|store| store.search(&query("jitter")));
        assert_eq!(found.unwrap_err().why(), Why::Corrupt);
        drop(dir);
    }

    #[test]
    fn a_held_lock_is_busy_within_the_callers_budget_and_readers_go_on() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "retry with jitter")).unwrap();
        s.store.conn.execute_batch("BEGIN IMMEDIATE").unwrap();
        let hook = Store::open(&s.path(), Access::Hook, Duration::from_millis(20)).unwrap();
        let start = Instant::now();
        let error = hook.open_heartbeat(&heartbeat("e1", HookName::UserPromptSubmit)).unwrap_err();
        assert_eq!(error.why(), Why::Busy);
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        assert_eq!(s.open(Access::Read).search(&query("jitter")).unwrap().hits.len(), 1);
        s.store.conn.execute_batch("COMMIT").unwrap();
        hook.open_heartbeat(&heartbeat("e1", HookName::UserPromptSubmit)).unwrap();
    }

    #[test]
    fn a_reader_can_write_nothing() {
        let s = Scratch::new();
        let error = s.open(Access::Read).set_meta("a", "b").unwrap_err();
        assert_eq!(error.why(), Why::ReadOnly);
    }

    #[test]
    fn a_hook_leaves_the_journal_for_others_to_move() {
        let s = Scratch::new();
        let (path, dir) = (s.path(), s.dir);
        drop(s.store);
        let hook = Store::open(&path, Access::Hook, Duration::from_secs(5)).unwrap();
        hook.set_meta("a", "b").unwrap();
        drop(hook);
        assert!(std::fs::metadata(dir.path().join("memory.db-wal")).unwrap().len() > 0);
        let store = Store::open(&path, Access::Write, Duration::from_secs(5)).unwrap();
        assert_eq!(store.meta("a").unwrap().as_deref(), Some("b"));
        assert_eq!(store.checkpoint(Checkpoint::Truncate).unwrap(), 0);
        assert_eq!(std::fs::metadata(dir.path().join("memory.db-wal")).unwrap().len(), 0);
    }

    #[test]
    fn hooks_that_come_one_by_one_empty_the_journal() {
        let s = Scratch::new();
        let path = s.path();
        drop(s.store);
        for n in 0..3 {
            let hook = Store::open(&path, Access::Hook, Duration::from_secs(5)).unwrap();
            hook.set_meta("a", &n.to_string()).unwrap();
            assert!(hook.journal_bytes() > 0);
            assert_eq!(hook.checkpoint(Checkpoint::IfFree).unwrap(), 0);
            assert_eq!(hook.journal_bytes(), 0);
        }
        drop(s.dir);
    }

    #[test]
    fn a_journal_that_is_in_use_is_left_without_waiting() {
        let s = Scratch::new();
        s.store.set_meta("a", "b").unwrap();
        let hook = Store::open(&s.path(), Access::Hook, Duration::from_secs(60)).unwrap();
        s.store.conn.execute_batch("BEGIN IMMEDIATE").unwrap();
        let start = Instant::now();
        hook.checkpoint(Checkpoint::IfFree).unwrap();
        assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
        assert!(hook.journal_bytes() > 0);
        s.store.conn.execute_batch("COMMIT").unwrap();
        let timeout: i64 = hook.conn.pragma_query_value(None, "busy_timeout", |row| row.get(0)).unwrap();
        assert_eq!(timeout, 60_000, "other statements wait as before");
    }

    #[cfg(unix)]
    #[test]
    fn the_file_and_its_journal_are_private() {
        use std::os::unix::fs::PermissionsExt as _;
        let s = Scratch::new();
        s.store.set_meta("a", "b").unwrap();
        for entry in std::fs::read_dir(s.dir.path()).unwrap() {
            let entry = entry.unwrap();
            assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", entry.path());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_store_in_a_read_only_folder_can_be_read() {
        use std::os::unix::fs::PermissionsExt as _;
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "retry with jitter")).unwrap();
        let (path, dir) = (s.path(), s.dir);
        drop(s.store);
        let mode = |m| std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(m)).unwrap();
        mode(0o500);
        if std::fs::write(dir.path().join("probe"), "").is_ok() {
            println!("skipped: this user may write into a read-only folder");
            return;
        }
        let store = Store::open(&path, Access::Read, Duration::ZERO).unwrap();
        assert_eq!(store.search(&query("jitter")).unwrap().hits.len(), 1);
        let error = Store::open(&path, Access::Hook, Duration::ZERO)
            .and_then(|s| s.open_heartbeat(&heartbeat("e", HookName::Worker)))
            .unwrap_err();
        assert_eq!(error.why(), Why::ReadOnly);
        mode(0o700);
    }

    #[test]
    fn an_immutable_uri_takes_any_path() {
        assert_eq!(immutable_uri(Path::new("/a b/ü?#%.db")), "file:/a%20b/%c3%bc%3f%23%25.db?immutable=1");
    }

    #[test]
    fn eight_writers_lose_nothing() {
        let s = Scratch::new();
        let path = s.path();
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let path = &path;
                scope.spawn(move || {
                    let store = Store::open(path, Access::Hook, Duration::from_secs(30)).unwrap();
                    for n in 0..25 {
                        let beat = crate::testkit::heartbeat(&format!("{writer}-{n}"), HookName::UserPromptSubmit);
                        store.open_heartbeat(&beat).unwrap();
                        let effects = [six_core::effect::Effect::Deliver {
                            session: six_core::record::SessionId::new("s"),
                            items: vec![six_core::record::ItemId::new("decision:x")],
                            at: NOW,
                        }];
                        assert_eq!(store.apply(&beat.id, &effects, NOW).unwrap(), crate::Applied::Rows(1));
                    }
                });
            }
        });
        let rows: i64 = s.store.conn.query_row("SELECT count(*) FROM heartbeat", [], |r| r.get(0)).unwrap();
        let shown: i64 = s.store.conn.query_row("SELECT count FROM delivery", [], |r| r.get(0)).unwrap();
        assert_eq!((rows, shown), (200, 200));
        s.assert_whole();
    }
}
