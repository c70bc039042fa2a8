//! What was stored under older rules of redaction, redacted anew: batch by batch, so that a process that is stopped goes on
//! where it was.

use rusqlite::Connection;
use rusqlite::types::Value;
use serde::{Deserialize, Serialize};
use six_core::text::{REDACTION_VERSION, Redactor};

use crate::error::Result;
use crate::index::Indexer;
use crate::open::Store;
use crate::table::entry::Words;
use crate::table::text_column::{self, Row, Texts};
use crate::table::{body_fts, chunk, entry, meta};

/// Text that one batch reads: some ten milliseconds, of which the write lock is held for what changed only.
const BATCH_BYTES: usize = 1024 * 1024;
/// Rows that one batch reads.
const BATCH_ROWS: usize = 500;

/// What a re-scan did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rescanned {
    /// Rows whose words were redacted anew.
    pub changed: u64,
    /// Nothing is left that was stored under older rules; else the next call goes on.
    pub finished: bool,
}

/// Where the next batch begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Watermark {
    /// Rules under which what lies behind was redacted.
    version: u32,
    part: Part,
    /// A row was changed, so the index still holds words of rows that are gone.
    changed: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Part {
    /// Entries and chunks behind this id.
    Entries {
        after: i64,
    },
    /// Rows of the table with this number, behind a key; `None`: all of them.
    Table {
        number: usize,
        after: Option<Key>,
    },
    /// The index is written as one segment.
    Index,
    /// The file is written anew: pages keep what was moved inside them in the room that is free.
    File,
    Done,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Key {
    Number(i64),
    Text(String),
}

impl Store {
    /// Whether all that is stored was redacted under this binary's rules.
    pub fn redaction_is_current(&self) -> Result<bool> {
        Ok(self
            .meta(meta::REDACTION)?
            .and_then(|found| found.parse().ok())
            .is_some_and(|v: u32| v >= REDACTION_VERSION))
    }

    /// Redacts what was stored under older rules, until it is done or `is_over`. Ids and references stay.
    ///
    /// Every transaction is short but the last, which writes the file anew and is needed only when something was found. The
    /// words are gone from the file when the journal was moved into it ([`Store::checkpoint`]). Copies that were made before
    /// a migration are other files.
    pub fn rescan(&self, is_over: &dyn Fn() -> bool) -> Result<Rescanned> {
        let mut done = Rescanned::default();
        if self.redaction_is_current()? {
            return Ok(Rescanned { finished: true, ..done });
        }
        if !self.index_is_current()? {
            self.rebuild_index()?;
        }
        let mut mark = self.watermark()?;
        while mark.part != Part::Done {
            if is_over() {
                return Ok(done);
            }
            let changed = self.rescan_batch(&mut mark)?;
            done.changed += changed;
        }
        Ok(Rescanned { finished: true, ..done })
    }

    fn watermark(&self) -> Result<Watermark> {
        let start = Watermark { version: REDACTION_VERSION, part: Part::Entries { after: 0 }, changed: false };
        let found: Option<Watermark> = self.meta(meta::RESCAN)?.and_then(|json| serde_json::from_str(&json).ok());
        Ok(found.filter(|mark| mark.version == REDACTION_VERSION).unwrap_or(start))
    }

    /// One batch with the new watermark; answers the rows changed.
    fn rescan_batch(&self, mark: &mut Watermark) -> Result<u64> {
        match mark.part.clone() {
            Part::Entries { after } => {
                let (ids, last) = self.read(|conn| entries_to_change(conn, after))?;
                mark.changed |= !ids.is_empty();
                mark.part = match last {
                    Some(after) => Part::Entries { after },
                    None => Part::Table { number: 0, after: None },
                };
                self.write(|conn| {
                    reword_entries(conn, &ids)?;
                    keep(conn, mark)
                })?;
                Ok(count(ids.len()))
            }
            Part::Table { number, after } => {
                let Some(texts) = text_column::ALL.get(number) else {
                    mark.part = if mark.changed { Part::Index } else { Part::Done };
                    return self.write(|conn| keep(conn, mark)).map(|()| 0);
                };
                let after = after.map_or_else(|| texts.first(), Key::into_value);
                self.write(|conn| {
                    let (rows, last) = rows_to_change(conn, texts, &after)?;
                    rows.iter().try_for_each(|row| texts.write(conn, row))?;
                    mark.changed |= !rows.is_empty();
                    mark.part = match last {
                        Some(key) => Part::Table { number, after: Some(key) },
                        None => Part::Table { number: number + 1, after: None },
                    };
                    keep(conn, mark)?;
                    Ok(count(rows.len()))
                })
            }
            Part::Index => self.write(|conn| {
                if !body_fts::compact(conn)? {
                    mark.part = Part::File;
                }
                keep(conn, mark).map(|()| 0)
            }),
            Part::File => {
                self.conn.execute_batch("VACUUM")?;
                mark.part = Part::Done;
                self.write(|conn| keep(conn, mark)).map(|()| 0)
            }
            Part::Done => Ok(0),
        }
    }
}

impl Key {
    fn into_value(self) -> Value {
        match self {
            Self::Number(number) => Value::Integer(number),
            Self::Text(text) => Value::Text(text),
        }
    }

    fn of(value: Value) -> Option<Self> {
        match value {
            Value::Integer(number) => Some(Self::Number(number)),
            Value::Text(text) => Some(Self::Text(text)),
            _ => None,
        }
    }
}

/// Stores the watermark, or with nothing left the version.
fn keep(conn: &Connection, mark: &Watermark) -> Result<()> {
    if mark.part == Part::Done {
        meta::set(conn, meta::REDACTION, &REDACTION_VERSION.to_string())?;
        return Ok(meta::remove(conn, meta::RESCAN)?);
    }
    Ok(meta::set(conn, meta::RESCAN, &serde_json::to_string(mark)?)?)
}

/// Ids of one batch that hold what the rules take out, and the last id that was read; `None` at the end.
fn entries_to_change(conn: &Connection, after: i64) -> Result<(Vec<i64>, Option<i64>)> {
    let (mut ids, mut last, mut rows, mut bytes) = (Vec::new(), None, 0, 0);
    entry::each_words(conn, after, |words| {
        (rows, bytes, last) = (rows + 1, bytes + words.text.len(), Some(words.id));
        let titles = chunk::titles(conn, words.id)?;
        if redacted(&words) != words || titles.iter().any(|title| redact(title) != *title) {
            ids.push(words.id);
        }
        Ok(rows < BATCH_ROWS && bytes < BATCH_BYTES)
    })?;
    Ok((ids, last))
}

/// Reads the entries again, as others may have written since, and writes them redacted.
fn reword_entries(conn: &Connection, ids: &[i64]) -> Result<()> {
    let mut index = Indexer::new(conn);
    for id in ids {
        let mut found = None;
        entry::each_words(conn, id - 1, |words| {
            found = Some(words).filter(|words| words.id == *id);
            Ok(false)
        })?;
        let Some(old) = found else { continue };
        let mut ranges: Vec<_> = chunk::of_entry(conn, *id)?.into_iter().map(|held| held.range).collect();
        let text = Redactor::new().redact_with(&old.text, &mut ranges).as_str().to_owned();
        let titles = chunk::titles(conn, *id)?.into_iter().map(|title| redact(&title));
        let pieces: Vec<_> = ranges.into_iter().zip(titles).collect();
        index.reword(&Words { text, ..redacted(&old) }, &pieces)?;
    }
    index.finish()
}

/// Rows of one batch as they are to be, and the last key that was read; `None` at the end.
fn rows_to_change(conn: &Connection, texts: &Texts, after: &Value) -> Result<(Vec<Row>, Option<Key>)> {
    let (mut changed, mut last, mut rows, mut bytes) = (Vec::new(), None, 0, 0);
    texts.each(conn, after, |mut row| {
        let mut differs = false;
        for (at, text) in row.columns.iter_mut().enumerate() {
            let Some(old) = text else { continue };
            bytes += old.len();
            let new = if texts.is_json(at) { redact_json(old) } else { redact(old) };
            differs |= new != *old;
            *old = new;
        }
        (rows, last) = (rows + 1, Key::of(row.key.clone()));
        if differs {
            changed.push(row);
        }
        rows < BATCH_ROWS && bytes < BATCH_BYTES
    })?;
    Ok((changed, last))
}

fn redacted(words: &Words) -> Words {
    Words {
        key: words.key.as_deref().map(redact),
        path: words.path.as_deref().map(redact),
        branch: words.branch.as_deref().map(redact),
        title: redact(&words.title),
        text: redact(&words.text),
        ..*words
    }
}

fn redact(text: &str) -> String {
    Redactor::new().redact(text).to_string()
}

/// The strings of a JSON text redacted one by one: redacting the whole could break it. What is no JSON is text.
fn redact_json(json: &str) -> String {
    fn inside(value: &mut serde_json::Value) -> bool {
        use serde_json::Value as Json;
        match value {
            Json::String(text) => {
                let old = std::mem::take(text);
                *text = redact(&old);
                old != *text
            }
            Json::Array(all) => all.iter_mut().fold(false, |changed, value| inside(value) | changed),
            Json::Object(all) => all.values_mut().fold(false, |changed, value| inside(value) | changed),
            _ => false,
        }
    }
    match serde_json::from_str(json) {
        Err(_) => redact(json),
        Ok(mut value) => {
            if inside(&mut value) {
                value.to_string()
            } else {
                json.to_owned()
            }
        }
    }
}

fn count(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use six_core::effect::Effect;
    use six_core::ingest::Mode;
    use six_core::record::{Boundary, Edge, HookName, RecordKind, RecordState, SessionId, Source};

    use super::*;
    use crate::testkit::*;
    use crate::{Access, Checkpoint};

    /// Drawn; put together here so that no key stands in the source.
    fn secret() -> String {
        ["gh", "p_q7Zb2XkP9mRt4WsV8cYd3LhJ6nGf5TgB1vQ0"].concat()
    }

    /// Puts the key where each text says `KEYWORD`, as a binary without its rule would have stored it.
    fn store_under_older_rules(store: &Store) {
        let secret = secret();
        let conn = &store.conn;
        let tables: Vec<String> = conn
            .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'body\\_fts%' ESCAPE '\\'")
            .unwrap()
            .query_map([], |row| row.get(0))
            .unwrap()
            .collect::<rusqlite::Result<_>>()
            .unwrap();
        for table in tables {
            let columns: Vec<String> = conn
                .prepare(&format!("SELECT name FROM pragma_table_info('{table}') WHERE type IN ('TEXT', 'ANY') AND name <> 'path_hash'"))
                .unwrap()
                .query_map([], |row| row.get(0))
                .unwrap()
                .collect::<rusqlite::Result<_>>()
                .unwrap();
            for column in columns {
                let sql = format!(
                    "UPDATE {table} SET {column} = replace({column}, 'KEYWORD', ?1) \
                     WHERE typeof({column}) = 'text' AND instr({column}, 'KEYWORD')"
                );
                conn.execute(&sql, [&secret]).unwrap();
            }
        }
        // Ranges and hashes as they are in a store whose text was always this long.
        let grown = i64::try_from(secret.len() - "KEYWORD".len()).unwrap();
        conn.execute(
            "UPDATE chunk SET end_bytes = end_bytes + ?1 WHERE EXISTS (\
                 SELECT 1 FROM entry e WHERE e.id = entry_id AND instr(e.text, ?2) BETWEEN start_bytes + 1 AND end_bytes)",
            rusqlite::params![grown, secret],
        )
        .unwrap();
        conn.execute(
            "UPDATE chunk SET start_bytes = start_bytes + ?1, end_bytes = end_bytes + ?1 WHERE EXISTS (\
                 SELECT 1 FROM entry e WHERE e.id = entry_id AND instr(e.text, ?2) BETWEEN 1 AND start_bytes)",
            rusqlite::params![grown, secret],
        )
        .unwrap();
        let mut hashes = Vec::new();
        chunk::each_body(conn, |id, text| {
            hashes.push((id, crate::table::body::hash(text)));
            Ok(())
        })
        .unwrap();
        for (id, hash) in hashes {
            conn.execute("UPDATE body SET hash = ?2 WHERE id = ?1", rusqlite::params![id, &hash[..]]).unwrap();
        }
        conn.execute(
            "UPDATE meta SET value = (SELECT sum(octet_length(text)) FROM entry) WHERE key = 'text_bytes'",
            [],
        )
        .unwrap();
        store.rebuild_index().unwrap();
        meta::set(conn, meta::REDACTION, "1").unwrap();
        assert_eq!(store.full_check(NOW).unwrap().faults, Vec::<String>::new());
    }

    fn filled() -> Scratch {
        let s = Scratch::new();
        let store = &s.store;
        store.commit(&doc_batch("docs/KEYWORD.md", "pier one\ndeploy with KEYWORD now\nlantern three")).unwrap();
        // Enough that pages are split and merged, which leaves words in the room between.
        for number in 0..60 {
            let text = format!("pier{number} stands with KEYWORD and {}", "more ".repeat(number * 7));
            store.commit(&doc_batch(&format!("docs/{number}.md"), &text)).unwrap();
        }
        let said = vec![prompt("u1", "use KEYWORD twice"), answer("u2", "nothing of it")];
        store.commit(&batch(Source::Transcript, "t.jsonl", Mode::Append, said)).unwrap();
        let mut decided = record("r1", RecordKind::Decision, RecordState::Confirmed, "Rotate KEYWORD", "since lost");
        decided.rejected = vec![text("keep KEYWORD")];
        store.add_record(&decided, "operator").unwrap();
        let session = SessionId::new("KEYWORD");
        let mut beat = heartbeat("e1", HookName::SessionEnd);
        beat.session = Some(session.clone());
        store.open_heartbeat(&beat).unwrap();
        let end = Boundary { session, edge: Edge::End, detail: text("with KEYWORD"), at: NOW };
        store.apply(&beat.id, &[Effect::Boundary(end)], NOW).unwrap();
        store_under_older_rules(store);
        s
    }

    fn ids(store: &Store) -> Vec<(i64, i64)> {
        let mut stmt = store.conn.prepare("SELECT id, entry_id FROM chunk ORDER BY id").unwrap();
        stmt.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(|row| row.unwrap()).collect()
    }

    /// Files beside and including the store that hold the key, as it is or as the index folds it.
    fn holders(s: &Scratch) -> Vec<String> {
        let has = |bytes: &[u8], part: &str| bytes.windows(part.len()).any(|window| window == part.as_bytes());
        let tail = secret()[4..].to_owned();
        std::fs::read_dir(s.dir.path())
            .unwrap()
            .map(|file| file.unwrap().path())
            .filter(|path| {
                let bytes = std::fs::read(path).unwrap();
                has(&bytes, &tail) || has(&bytes, &tail.to_lowercase())
            })
            .map(|path| path.display().to_string())
            .collect()
    }

    #[test]
    fn what_older_rules_let_in_is_gone_from_the_search_and_from_the_file() {
        let s = filled();
        let before = ids(&s.store);
        s.store.checkpoint(Checkpoint::Truncate).unwrap();
        assert!(!holders(&s).is_empty(), "the key was there");
        let done = s.store.rescan(&|| false).unwrap();
        assert!(done.finished && done.changed >= 7, "{done:?}");
        s.store.checkpoint(Checkpoint::Truncate).unwrap();
        assert_eq!(holders(&s), Vec::<String>::new());
        assert_eq!(ids(&s.store), before, "ids and references stay");
        assert!(
            s.store.search(&query(&secret())).unwrap().hits.iter().all(|hit| !hit.text.as_str().contains(&secret()))
        );
        for words in ["deploy", "lantern", "twice", "rotate", "pier"] {
            assert!(!s.store.search(&query(words)).unwrap().hits.is_empty(), "{words} is still found");
        }
        let kept = s.store.record("r1").unwrap();
        assert_eq!(kept.title.as_str(), "Rotate [redacted:github-token]");
        assert_eq!(kept.rejected, [text("keep [redacted:github-token]")]);
        s.assert_whole();
        assert!(s.store.redaction_is_current().unwrap());
    }

    #[test]
    fn a_rescan_that_was_stopped_goes_on_where_it_was() {
        let s = filled();
        let mut calls = 0;
        loop {
            let first = Cell::new(true);
            let done = s.open(Access::Write).rescan(&|| !first.replace(false)).unwrap();
            // By a connection of its own: another's memory of the index is older than what was written meanwhile.
            assert_eq!(s.open(Access::Write).full_check(NOW).unwrap().faults, Vec::<String>::new());
            calls += 1;
            if done.finished {
                break;
            }
            assert!(!s.store.redaction_is_current().unwrap());
        }
        assert!(calls > text_column::ALL.len(), "{calls} calls of one batch each");
        s.store.checkpoint(Checkpoint::Truncate).unwrap();
        assert_eq!(holders(&s), Vec::<String>::new());
        assert_eq!(s.store.meta(meta::RESCAN).unwrap(), None);
    }

    #[test]
    fn a_store_of_these_rules_is_left_alone() {
        let s = Scratch::new();
        s.store.commit(&doc_batch("a.md", "retry with jitter")).unwrap();
        assert_eq!(s.store.rescan(&|| true).unwrap(), Rescanned { changed: 0, finished: true });
    }

    #[test]
    fn two_rows_that_become_one_by_name_stay_two() {
        let s = Scratch::new();
        let other = ["gh", "p_Zb2XkP9mRt4WsV8cYd3LhJ6nGf5TgB1vQ0q7"].concat();
        for (number, key) in [secret(), other].iter().enumerate() {
            s.store.commit(&doc_batch(&format!("{number}.md"), &format!("pier {number}"))).unwrap();
            let sql = "UPDATE entry SET key = ?1 WHERE key = ?2";
            s.store.conn.execute(sql, [format!("{key}.md"), format!("{number}.md")]).unwrap();
            s.store.conn.execute("INSERT INTO session (name) VALUES (?1)", [key]).unwrap();
        }
        meta::set(&s.store.conn, meta::REDACTION, "1").unwrap();
        assert!(s.store.rescan(&|| false).unwrap().finished);
        s.store.checkpoint(Checkpoint::Truncate).unwrap();
        assert_eq!(holders(&s), Vec::<String>::new());
        assert_eq!(s.store.search(&query("pier")).unwrap().hits.len(), 2);
        s.assert_whole();
    }
}
