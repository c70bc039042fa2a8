//! `transcript_link` and `transcript_leaf`: the tree of a transcript.

use rusqlite::{Connection, OptionalExtension as _, Result, params};
use six_core::event::Link;

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

/// Adds a record, live until it is judged; one that the file has already stays as it is.
pub(crate) fn insert(conn: &Connection, file: i64, link: &Link<String>) -> Result<()> {
    conn.prepare_cached(
        "INSERT OR IGNORE INTO transcript_link (source_file_id, uuid, parent, prompt, live) VALUES (?1, ?2, ?3, ?4, 1)",
    )?
    .execute(params![
        file,
        Name::of(&link.uuid).0,
        link.parent.as_deref().map(|p| Name::of(p).0),
        link.is_prompt
    ])?;
    Ok(())
}

/// The tree of a file, and for each record whether it was live when it was judged last.
pub(crate) fn of_file(conn: &Connection, file: i64) -> Result<(Vec<Link<Name>>, Vec<bool>)> {
    let mut stmt =
        conn.prepare_cached("SELECT uuid, parent, prompt, live FROM transcript_link WHERE source_file_id = ?1")?;
    let rows = stmt.query_map([file], |row| {
        let parent = row.get::<_, Option<Vec<u8>>>(1)?.map(Name);
        let live: bool = row.get(3)?;
        Ok((Link { uuid: Name(row.get(0)?), parent, is_prompt: row.get(2)? }, live))
    })?;
    let mut tree = (Vec::new(), Vec::new());
    for row in rows {
        let (link, live) = row?;
        tree.0.push(link);
        tree.1.push(live);
    }
    Ok(tree)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuids_and_other_names_come_back_as_they_were() {
        let names = [
            "11111111-1111-4111-8111-11111111abcd",
            "11111111-1111-4111-8111-11111111ABCD",
            "u1",
            "",
            "sixteen letters.",
            "11111111x1111-4111-8111-11111111abcd",
        ];
        for name in names {
            assert_eq!(Name::of(name).text(), name);
        }
    }
}
