//! A small store of every schema that a six has ever written: `tests/fixtures/schema-N.db`. Each is brought up to date here.
//!
//! `SIX_UPDATE_SCHEMA=1 cargo test -p six-store fixture` writes those that are missing, or whose tables are not what the
//! migrations up to theirs add up to. Once a schema is released neither happens to its file again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;
use six_core::effect::Effect;
use six_core::record::{Boundary, Edge, HookName, RecordKind, RecordState, SessionId, Source};
use six_core::search::Filter;

use crate::migrate::{self, MIGRATIONS, PRECIOUS, SCHEMA_VERSION, migrate};
use crate::salvage::copy_tables;
use crate::table::body_fts::Terms;
use crate::table::{body, body_fts, chunk, term};
use crate::testkit::*;
use crate::{Access, Migrated, Store};

const COMMAND: &str = "SIX_UPDATE_SCHEMA=1 cargo test -p six-store fixture";

pub(crate) fn path_of(schema: u32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/schema-{schema}.db"))
}

fn schemas() -> impl Iterator<Item = (u32, &'static [&'static str])> {
    (1..=SCHEMA_VERSION).zip((1..=MIGRATIONS.len()).filter_map(|n| MIGRATIONS.get(..n)))
}

/// Tables and indexes as they were written down, in the order of their names.
fn tables(conn: &Connection) -> Vec<String> {
    let mut stmt = conn.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name").unwrap();
    stmt.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

fn rows(conn: &Connection) -> BTreeMap<String, i64> {
    let sql = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'";
    let names: Vec<String> =
        conn.prepare(sql).unwrap().query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let count = |name: &str| conn.query_row(&format!("SELECT count(*) FROM {name}"), [], |row| row.get(0)).unwrap();
    names.into_iter().map(|name| (name.clone(), count(&name))).collect()
}

/// A store with something of every kind.
fn filled() -> Scratch {
    let s = Scratch::new();
    s.store.commit(&doc_batch("docs/retry.md", "retry with jitter\nthe outbox keeps order")).unwrap();
    let said = vec![prompt("0b0e0000-0000-4000-8000-000000000001", "why retry?"), answer("a2", "jitter spreads load")];
    s.store.commit(&batch(Source::Transcript, "t.jsonl", six_core::ingest::Mode::Append, said)).unwrap();
    for (id, kind, state) in [
        ("d1", RecordKind::Decision, RecordState::Confirmed),
        ("e1", RecordKind::DeadEnd, RecordState::Pending),
        ("c1", RecordKind::Correction, RecordState::Rejected),
    ] {
        s.store.add_record(&record(id, kind, state, &format!("title of {id}"), "body"), "operator").unwrap();
    }
    let beat = heartbeat("event1", HookName::SessionEnd);
    s.store.open_heartbeat(&beat).unwrap();
    let end = Boundary { session: SessionId::new("s1"), edge: Edge::End, detail: text("other"), at: NOW };
    let effects = [Effect::Boundary(end), Effect::Queue(six_core::effect::Work::Ingest { transcript: None })];
    s.store.apply(&beat.id, &effects, NOW).unwrap();
    s
}

/// What a six of that schema would have left.
fn write(schema: u32, migrations: &[&str]) {
    let source = filled();
    let path = path_of(schema);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let _ = std::fs::remove_file(&path);
    let conn = Connection::open(&path).unwrap();
    conn.execute_batch("PRAGMA page_size = 512; PRAGMA foreign_keys = OFF").unwrap();
    migrate::run(&conn, migrations).unwrap();
    copy_tables(&source.store.conn, &conn).unwrap();
    chunk::each_body(&conn, |id, text| {
        let lent = body::lent(&source.store.conn, id)?;
        body_fts::insert(&conn, id, &Terms::of(text, &lent), &lent.scope)
    })
    .unwrap();
    term::add(&conn, term::all(&source.store.conn).unwrap()).unwrap();
    conn.execute_batch("VACUUM").unwrap();
}

fn fixture_fault(schema: u32, migrations: &[&str]) -> Option<&'static str> {
    if !path_of(schema).is_file() {
        return Some("is missing");
    }
    let kept = Connection::open_with_flags(path_of(schema), rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let made = Connection::open_in_memory().unwrap();
    migrate::run(&made, migrations).unwrap();
    (tables(&kept) != tables(&made)).then_some("has other tables than the migrations make")
}

#[test]
fn a_store_of_every_schema_is_brought_up_to_date_and_nothing_of_it_is_lost() {
    for (schema, migrations) in schemas() {
        if std::env::var("SIX_UPDATE_SCHEMA").is_ok() && fixture_fault(schema, migrations).is_some() {
            write(schema, migrations);
        }
        assert_eq!(fixture_fault(schema, migrations), None, "the fixture of schema {schema}; to write it: {COMMAND}");
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("memory.db");
        std::fs::copy(path_of(schema), &path).unwrap();
        let before = rows(&Connection::open(&path).unwrap());
        assert!(PRECIOUS[..2].iter().all(|table| before[*table] > 0), "{before:?}");

        let done = migrate(&path, dir.path(), NOW).unwrap();
        assert_eq!((done.from, done.to), (schema, SCHEMA_VERSION));
        assert_eq!(done.backup.is_some(), schema < SCHEMA_VERSION);
        if let Some(backup) = done.backup {
            assert_eq!(rows(&Connection::open(&backup).unwrap()), before, "schema {schema}");
            #[cfg(unix)]
            assert_eq!(std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(&backup).unwrap()) & 0o777, 0o600);
        }
        let again = migrate(&path, dir.path(), NOW).unwrap();
        assert_eq!(again, Migrated { from: SCHEMA_VERSION, to: SCHEMA_VERSION, backup: None });

        let store = Store::open(&path, Access::Write, Duration::ZERO).unwrap();
        let after = rows(&store.conn);
        for (table, rows) in &before {
            assert_eq!(after.get(table), Some(rows), "schema {schema}, {table}");
        }
        assert_eq!(store.full_check(NOW).unwrap().faults, Vec::<String>::new(), "schema {schema}");
        let asked = six_core::search::Query { filter: Filter::default(), ..query("jitter outbox") };
        assert_eq!(store.search(&asked).unwrap().hits.len(), 3, "schema {schema}");
        assert_eq!(
            store.next_work().unwrap().map(|(_, work)| work),
            Some(six_core::effect::Work::Ingest { transcript: None })
        );
    }
}
