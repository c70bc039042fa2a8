//! `transcript_tree` and `transcript_leaf`: the tree of a transcript, a row for each batch that was read.
//!
//! The tree is read whole or not at all, and every record of a file has a place in it, also the many that give no text: a
//! row for each with an index took as much room as all that was said.

use rusqlite::types::Type;
use rusqlite::{Connection, Error, OptionalExtension as _, Result, params};
use serde::{Deserialize, Serialize};
use six_core::event::Link;

use super::record_name::Name;

/// A [`Link`] as a row holds it.
#[derive(Serialize, Deserialize)]
struct Packed {
    name: Name,
    parent: Parent,
    is_prompt: bool,
}

#[derive(Serialize, Deserialize)]
enum Parent {
    None,
    /// The record before this one, as nearly always.
    Previous,
    Named(Name),
}

fn pack(links: &[Link<String>]) -> Vec<Packed> {
    let mut packed: Vec<Packed> = Vec::with_capacity(links.len());
    for link in links {
        let previous = packed.last().map(|previous| &previous.name);
        let parent = match link.parent.as_deref().map(Name::of) {
            None => Parent::None,
            Some(name) if previous == Some(&name) => Parent::Previous,
            Some(name) => Parent::Named(name),
        };
        packed.push(Packed { name: Name::of(&link.uuid), parent, is_prompt: link.is_prompt });
    }
    packed
}

fn unpack(packed: Vec<Packed>, links: &mut Vec<Link<Name>>) {
    let mut previous = None;
    for Packed { name, parent, is_prompt } in packed {
        let parent = match parent {
            Parent::None => None,
            Parent::Previous => previous,
            Parent::Named(name) => Some(name),
        };
        previous = Some(name.clone());
        links.push(Link { uuid: name, parent, is_prompt });
    }
}

/// Adds what a batch read.
pub(crate) fn add(conn: &Connection, file: i64, links: &[Link<String>]) -> Result<()> {
    if links.is_empty() {
        return Ok(());
    }
    let bytes = postcard::to_allocvec(&pack(links)).map_err(|fault| Error::ToSqlConversionFailure(fault.into()))?;
    conn.prepare_cached("INSERT INTO transcript_tree (source_file_id, links) VALUES (?1, ?2)")?
        .execute(params![file, bytes])?;
    Ok(())
}

/// The tree of a file, in the order in which it was read.
pub(crate) fn of_file(conn: &Connection, file: i64) -> Result<Vec<Link<Name>>> {
    let mut stmt = conn.prepare_cached("SELECT links FROM transcript_tree WHERE source_file_id = ?1 ORDER BY id")?;
    let mut rows = stmt.query([file])?;
    let mut links = Vec::new();
    while let Some(row) = rows.next()? {
        let packed = postcard::from_bytes(row.get_ref(0)?.as_blob()?)
            .map_err(|fault| Error::FromSqlConversionFailure(0, Type::Blob, fault.into()))?;
        unpack(packed, &mut links);
    }
    Ok(links)
}

/// Where the live branch of a file ends.
pub(crate) fn leaf(conn: &Connection, file: i64) -> Result<Option<Name>> {
    conn.prepare_cached("SELECT uuid FROM transcript_leaf WHERE source_file_id = ?1")?
        .query_row([file], |row| row.get(0).map(Name::from_bytes))
        .optional()
}

pub(crate) fn set_leaf(conn: &Connection, file: i64, name: &Name) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO transcript_leaf (source_file_id, uuid) VALUES (?1, ?2) \
         ON CONFLICT (source_file_id) DO UPDATE SET uuid = excluded.uuid",
    )?
    .execute(params![file, name.bytes()])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_tree_comes_back_as_it_was(raw in prop::collection::vec(("[a-c]{0,2}", prop::option::of("[a-c]{0,2}"), any::<bool>()), 0..20)) {
            let links: Vec<Link<String>> =
                raw.into_iter().map(|(uuid, parent, is_prompt)| Link { uuid, parent, is_prompt }).collect();
            let bytes = postcard::to_allocvec(&pack(&links)).unwrap();
            let mut back = Vec::new();
            unpack(postcard::from_bytes(&bytes).unwrap(), &mut back);
            let back: Vec<Link<String>> = back
                .into_iter()
                .map(|l| Link { uuid: l.uuid.text(), parent: l.parent.map(|p| p.text()), is_prompt: l.is_prompt })
                .collect();
            prop_assert_eq!(back, links);
        }
    }
}
