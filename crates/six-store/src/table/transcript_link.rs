//! `transcript_link` and `transcript_leaf`: the tree of a transcript.

use rusqlite::{Connection, OptionalExtension as _, Result, params};

/// A uuid as its 16 bytes, any other name as its text: a third of the space for what every record has.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Name(Vec<u8>);

impl Name {
    pub(crate) fn of(text: &str) -> Self {
        if let Some(bytes) = uuid_bytes(text) {
            return Self(bytes);
        }
        let mut bytes = text.as_bytes().to_vec();
        if bytes.len() == 16 {
            bytes.push(0);
        }
        Self(bytes)
    }

    /// Of the bytes of a uuid.
    pub(crate) fn of_uuid(bytes: [u8; 16]) -> Self {
        Self(bytes.to_vec())
    }

    /// The name as transcripts write it.
    pub(crate) fn text(&self) -> String {
        if self.0.len() != 16 {
            return String::from_utf8_lossy(self.0.strip_suffix(&[0]).unwrap_or(&self.0)).into_owned();
        }
        let mut out = String::with_capacity(36);
        for (i, byte) in self.0.iter().enumerate() {
            if [4, 6, 8, 10].contains(&i) {
                out.push('-');
            }
            for half in [byte >> 4, byte & 15] {
                out.push(char::from_digit(u32::from(half), 16).unwrap_or('0'));
            }
        }
        out
    }
}

/// Only the form that [`Name::text`] gives back: lower case, with its four dashes.
pub(crate) fn uuid_bytes(text: &str) -> Option<Vec<u8>> {
    if text.len() != 36 {
        return None;
    }
    let mut bytes = Vec::with_capacity(16);
    let mut high = None;
    for (i, c) in text.bytes().enumerate() {
        if [8, 13, 18, 23].contains(&i) {
            if c != b'-' {
                return None;
            }
            continue;
        }
        let digit = match c {
            b'0'..=b'9' => c - b'0',
            b'a'..=b'f' => c - b'a' + 10,
            _ => return None,
        };
        match high.take() {
            None => high = Some(digit),
            Some(h) => bytes.push(h << 4 | digit),
        }
    }
    Some(bytes)
}

/// A record of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) parent: Option<Name>,
    pub(crate) sidechain: bool,
    /// Whether a person's prompt is what it holds: only a prompt leaves a branch behind.
    pub(crate) prompt: bool,
    pub(crate) live: bool,
}

/// Adds a record; `false` when the file has it already.
pub(crate) fn insert(conn: &Connection, file: i64, name: &Name, node: &Node) -> Result<bool> {
    let added = conn
        .prepare_cached(
            "INSERT OR IGNORE INTO transcript_link (source_file_id, uuid, parent, sidechain, prompt, live) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![file, name.0, node.parent.as_ref().map(|p| &p.0), node.sidechain, node.prompt, node.live])?;
    Ok(added > 0)
}

pub(crate) fn of_file(conn: &Connection, file: i64) -> Result<Vec<(Name, Node)>> {
    conn.prepare_cached("SELECT uuid, parent, sidechain, prompt, live FROM transcript_link WHERE source_file_id = ?1")?
        .query_map([file], |row| {
            let node = Node {
                parent: row.get::<_, Option<Vec<u8>>>(1)?.map(Name),
                sidechain: row.get(2)?,
                prompt: row.get(3)?,
                live: row.get(4)?,
            };
            Ok((Name(row.get(0)?), node))
        })?
        .collect()
}

pub(crate) fn set_live(conn: &Connection, file: i64, name: &Name, live: bool) -> Result<()> {
    conn.prepare_cached("UPDATE transcript_link SET live = ?3 WHERE source_file_id = ?1 AND uuid = ?2")?
        .execute(params![file, name.0, live])?;
    Ok(())
}

/// Whether every file that holds the record left it behind.
pub(crate) fn abandoned_everywhere(conn: &Connection, name: &Name) -> Result<bool> {
    conn.prepare_cached("SELECT ifnull(max(live), 1) = 0 FROM transcript_link WHERE uuid = ?1")?
        .query_row([&name.0], |row| row.get(0))
}

pub(crate) fn leaf(conn: &Connection, file: i64) -> Result<Option<Name>> {
    conn.prepare_cached("SELECT uuid FROM transcript_leaf WHERE source_file_id = ?1")?
        .query_row([file], |row| row.get(0).map(Name))
        .optional()
}

pub(crate) fn set_leaf(conn: &Connection, file: i64, name: &Name) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO transcript_leaf (source_file_id, uuid) VALUES (?1, ?2) \
         ON CONFLICT (source_file_id) DO UPDATE SET uuid = excluded.uuid",
    )?
    .execute(params![file, name.0])?;
    Ok(())
}
