//! How `entry.key` is stored. Most keys are the uuid of a transcript record, with `#` and a number where one record gave
//! several entries; a table and an index hold each of them, so its 36 letters are stored as 16 bytes.

use rusqlite::types::{Value, ValueRef};
use rusqlite::{Result, Row};

use super::record_name::{Name, uuid_bytes};

/// Letters of a uuid with its dashes.
const UUID_LETTERS: usize = 36;

/// The value of the column.
pub(crate) fn stored(key: &str) -> Value {
    let bytes = key.split_at_checked(UUID_LETTERS).and_then(|(uuid, rest)| {
        let mut bytes = uuid_bytes(uuid)?;
        bytes.extend_from_slice(rest.as_bytes());
        Some(bytes)
    });
    bytes.map_or_else(|| Value::Text(key.to_owned()), Value::Blob)
}

/// What comes after `key` and all keys that add `#` and a number to it.
pub(crate) fn after(key: &str) -> Value {
    stored(&format!("{key}$"))
}

/// The key out of a column.
pub(crate) fn get(row: &Row<'_>, column: usize) -> Result<String> {
    match row.get_ref(column)? {
        ValueRef::Blob(bytes) => {
            let Some((uuid, rest)) = bytes.split_first_chunk() else { return Ok(String::new()) };
            Ok(Name::of_uuid(*uuid).text() + &String::from_utf8_lossy(rest))
        }
        text => Ok(text.as_str()?.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UUID: &str = "11111111-1111-4111-8111-11111111abcd";

    #[test]
    fn every_key_comes_back_as_it_was_and_a_uuid_is_short() {
        let conn = rusqlite::Connection::open_in_memory().unwrap();
        let keys = [
            UUID,
            &format!("{UUID}#12"),
            &UUID.to_uppercase(),
            "README.md",
            "",
            "sixteen letters.",
            "r\u{e9}sum\u{e9}.md",
        ];
        for key in keys {
            let back = conn.query_row("SELECT ?1", [stored(key)], |row| get(row, 0)).unwrap();
            assert_eq!(back, key);
        }
        assert_eq!(stored(UUID), Value::Blob(uuid_bytes(UUID).unwrap()));
        assert_ne!(stored("sixteen letters."), stored("73697874-6565-6e20-6c65-74746572732e"));
    }

    #[test]
    fn the_pieces_of_a_record_are_a_range() {
        let conn = rusqlite::Connection::open_in_memory().unwrap();
        for (key, within) in [("", true), ("#0", true), ("#10", true), ("x", false), ("$", false)] {
            for record in [UUID, "u1"] {
                let found: bool = conn
                    .query_row(
                        "SELECT ?3 >= ?1 AND ?3 < ?2",
                        [stored(record), after(record), stored(&format!("{record}{key}"))],
                        |row| row.get(0),
                    )
                    .unwrap();
                assert_eq!(found, within, "{record}{key}");
            }
        }
    }
}
