//! Every column that holds words of somebody, in whatever table: what a re-scan reads. Entries and chunks are not among
//! them, since the index hangs on those.

use rusqlite::types::Value;
use rusqlite::{Connection, Result, params_from_iter};

/// The columns of one table.
#[derive(Debug)]
pub(crate) struct Texts {
    table: &'static str,
    /// SQL that names a row and orders the table.
    key: &'static str,
    /// Whether `key` is a number; else it is text.
    numbered: bool,
    text: &'static [&'static str],
    /// Columns whose text is JSON: only its strings are words.
    json: &'static [&'static str],
    /// What becomes of a row whose name would be that of another one; `?1` is the key.
    clash: &'static str,
}

impl Texts {
    const fn of(
        table: &'static str,
        key: &'static str,
        text: &'static [&'static str],
        json: &'static [&'static str],
    ) -> Self {
        Self { table, key, numbered: false, text, json, clash: "" }
    }

    const fn numbered(table: &'static str, text: &'static [&'static str], json: &'static [&'static str]) -> Self {
        Self { table, key: "id", numbered: true, text, json, clash: "" }
    }

    const fn clashing(self, sql: &'static str) -> Self {
        Self { clash: sql, ..self }
    }
}

const DELIVERY: &str = "session || ' ' || item";

const TELEMETRY_DAY: &str = "measure || ' ' || name || ' ' || at_unix_days || ' ' || detail";

/// In the order in which they are read.
pub(crate) const ALL: &[Texts] = &[
    Texts::numbered("source_file", &["path", "last_error"], &[]),
    Texts::numbered("session", &["name", "client", "entrypoint"], &[])
        .clashing("UPDATE session SET name = '[redacted:session]' || id, client = '', entrypoint = '' WHERE id = ?1"),
    Texts::numbered("boundary", &["session", "detail"], &[]),
    Texts::of("thread", "id", &["name", "summary"], &[]),
    Texts::of(
        "record",
        "id",
        &["title", "body", "quote", "revive_if", "scope", "session", "turn", "evidence", "source_path", "written_by"],
        &["rejected_json", "commits_json"],
    ),
    Texts::numbered("record_history", &["author", "reason"], &["before_json"]),
    Texts::of("batch", "id", &["author"], &[]),
    Texts::of("sighting", "record_id || ' ' || turn", &["session", "quote"], &[]),
    Texts::of("lineage", "thread_id", &["prose", "model"], &[]),
    Texts::of("anchor", "record_id || ' ' || printf('%09d', ordinal)", &["path", "branch", "symbol", "moved_to"], &[]),
    Texts::of("subsystem", "id", &["name", "purpose", "source_path"], &["paths_json", "entry_points_json"]),
    Texts::numbered("heartbeat", &["event", "session", "via", "class", "text"], &[]),
    Texts::numbered("receipt", &["session", "prompt_id"], &["receipt_json"]),
    Texts::of("delivery", DELIVERY, &["session"], &[])
        .clashing("DELETE FROM delivery WHERE session || ' ' || item = ?1"),
    Texts::numbered("render", &["session", "line"], &[]),
    Texts::numbered("health_observation", &["detail"], &[]),
    Texts::numbered("episode", &["detail", "fix"], &[]),
    Texts::numbered("work", &[], &["payload_json"]),
    Texts::of("mute", "session", &["session"], &[]).clashing("DELETE FROM mute WHERE session = ?1"),
    Texts::of("judgement", "event_id || ' ' || rater", &["rater", "note"], &[])
        .clashing("DELETE FROM judgement WHERE event_id || ' ' || rater = ?1"),
    Texts::of("telemetry_day", TELEMETRY_DAY, &["name", "detail"], &[]).clashing(
        "DELETE FROM telemetry_day WHERE measure || ' ' || name || ' ' || at_unix_days || ' ' || detail = ?1",
    ),
];

/// A row: its key, and its columns in the order text, JSON.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) key: Value,
    pub(crate) columns: Vec<Option<String>>,
}

impl Texts {
    /// The key that comes before all others.
    pub(crate) fn first(&self) -> Value {
        if self.numbered { Value::Integer(i64::MIN) } else { Value::Text(String::new()) }
    }

    /// Whether the column with that number is JSON.
    pub(crate) fn is_json(&self, column: usize) -> bool {
        column >= self.text.len()
    }

    fn columns(&self) -> impl Iterator<Item = &'static str> {
        self.text.iter().chain(self.json).copied()
    }

    /// Hands rows behind `after` to `visit`, in order, until it answers `false`.
    pub(crate) fn each(&self, conn: &Connection, after: &Value, mut visit: impl FnMut(Row) -> bool) -> Result<()> {
        let columns: Vec<&str> = self.columns().collect();
        let Self { table, key, .. } = self;
        let sql = format!("SELECT {key}, {} FROM {table} WHERE {key} > ?1 ORDER BY {key}", columns.join(", "));
        let mut stmt = conn.prepare(&sql)?;
        let mut rows = stmt.query([after])?;
        while let Some(row) = rows.next()? {
            let read = (1..=columns.len()).map(|at| row.get(at)).collect::<Result<_>>()?;
            if !visit(Row { key: row.get(0)?, columns: read }) {
                break;
            }
        }
        Ok(())
    }

    /// Writes the columns of a row anew.
    pub(crate) fn write(&self, conn: &Connection, row: &Row) -> Result<()> {
        let sets: Vec<String> = self.columns().enumerate().map(|(at, name)| format!("{name} = ?{}", at + 2)).collect();
        let sql = format!("UPDATE OR IGNORE {} SET {} WHERE {} = ?1", self.table, sets.join(", "), self.key);
        let columns = row.columns.iter().map(|text| text.clone().map_or(Value::Null, Value::Text));
        let changed = conn.prepare(&sql)?.execute(params_from_iter(std::iter::once(row.key.clone()).chain(columns)))?;
        if changed == 0 && !self.clash.is_empty() {
            conn.execute(self.clash, [&row.key])?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::testkit::Scratch;

    /// Names of our own, hashes and numbers: no words of anybody.
    const WORDLESS: &[&str] = &[
        "meta.key",
        "meta.value",
        "skip.reason",
        "source_file.source",
        "source_file.path_hash",
        "source_file.content_hash",
        "boundary.edge",
        "model.name",
        "term.term",
        "thread.id",
        "record.id",
        "record.kind",
        "record.state",
        "record.origin",
        "record.thread_id",
        "record.superseded_by",
        "record_history.record_id",
        "record_history.state_from",
        "record_history.state_to",
        "anchor.record_id",
        "anchor.hash",
        "anchor.revision",
        "subsystem.id",
        "subsystem.state",
        "subsystem.origin",
        "heartbeat.event_id",
        "heartbeat.hook",
        "heartbeat.version",
        "heartbeat.outcome",
        "receipt.event_id",
        "receipt.mode",
        "receipt.silenced",
        "delivery.item",
        "claim.call",
        "claim.via",
        "judgement.event_id",
        "judgement.verdict",
        "render.hash",
        "render.corpus",
        "render.over",
        "episode.name",
        "episode.fault",
        "episode.remedy",
        "health_observation.name",
        "health_observation.fault",
        "work.kind",
        "telemetry_day.measure",
        "record_history.batch_id",
        "batch.id",
        "sighting.record_id",
        "sighting.turn",
        "sighting.origin",
        "sighting.batch_id",
        "thread.merged_into",
        "thread.batch_id",
        "extraction_drop.reason",
        "lineage.thread_id",
        "lineage.key",
    ];
    /// Read with the index.
    const INDEXED: &[&str] = &["entry", "chunk", "body"];

    #[test]
    fn no_column_with_words_is_left_out() {
        let s = Scratch::new();
        let sql = "SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c \
                   WHERE m.type = 'table' AND m.name NOT LIKE 'body\\_fts%' ESCAPE '\\' AND c.type = 'TEXT'";
        let mut stmt = s.store.conn.prepare(sql).unwrap();
        let found = stmt.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))).unwrap();
        let found: BTreeSet<String> = found
            .map(Result::unwrap)
            .filter(|(table, _)| !INDEXED.contains(&table.as_str()))
            .map(|(table, column)| format!("{table}.{column}"))
            .collect();
        let read = ALL.iter().flat_map(|texts| texts.columns().map(|column| format!("{}.{column}", texts.table)));
        let known: BTreeSet<String> = read.chain(WORDLESS.iter().map(|name| (*name).to_owned())).collect();
        assert_eq!(found, known, "a new column has to be read by the re-scan, or be named as wordless");
    }
}
