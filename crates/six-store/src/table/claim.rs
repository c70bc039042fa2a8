//! `claim`: which of two equal calls of a hook that is wired twice answers.

use rusqlite::{Connection, Result, params};
use six_core::effect::TWINS_WITHIN_MS;
use six_core::record::UnixMs;

/// Rows that nobody asks for any more. An event may wait in the spool before it claims.
const KEPT_MS: i64 = UnixMs::DAY_MS;

/// Claims a call for one way of being wired. `false` when an equal call that came the other way answers: every one of those
/// answers for one of these. One way alone never refuses itself.
pub(crate) fn take(conn: &Connection, call: &str, via: &str, at: UnixMs) -> Result<bool> {
    conn.prepare_cached("DELETE FROM claim WHERE at_unix_ms < ?1")?.execute([at.0.saturating_sub(KEPT_MS)])?;
    let twin = twin(conn, call, via, at)?;
    let ordinal = match twin {
        Some(ordinal) => ordinal,
        None => conn
            .prepare_cached("SELECT ifnull(max(ordinal), 0) + 1 FROM claim WHERE call = ?1")?
            .query_row([call], |row| row.get(0))?,
    };
    conn.prepare_cached("INSERT INTO claim (call, via, ordinal, at_unix_ms) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![call, via, ordinal, at.0])?;
    Ok(twin.is_none())
}

/// The ordinal of the first equal call that came the other way at about that time and has no twin yet.
pub(crate) fn twin(conn: &Connection, call: &str, via: &str, at: UnixMs) -> Result<Option<i64>> {
    conn.prepare_cached(
        "SELECT min(ordinal) FROM claim AS other WHERE call = ?1 AND via <> ?2 AND abs(at_unix_ms - ?3) <= ?4 \
         AND NOT EXISTS (SELECT 1 FROM claim WHERE call = ?1 AND via = ?2 AND ordinal = other.ordinal)",
    )?
    .query_row(params![call, via, at.0, TWINS_WITHIN_MS], |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::*;

    #[test]
    fn of_two_equal_calls_the_first_answers_and_one_way_alone_always_does() {
        let s = Scratch::new();
        let take = |call: &str, via: &str, at: i64| take(&s.store.conn, call, via, UnixMs(at)).unwrap();
        assert_eq!([take("a", "settings", 1_000), take("a", "plugin", 1_005)], [true, false]);
        assert_eq!([take("a", "plugin", 2_000), take("a", "settings", 2_001)], [true, false], "sent again");
        assert_eq!([take("b", "settings", 1_000), take("b", "settings", 1_001)], [true, true]);
        assert_eq!([take("c", "settings", 1_000), take("c", "plugin", 11_001)], [true, true], "long after");
    }

    #[test]
    fn claims_do_not_pile_up() {
        let s = Scratch::new();
        for at in 0..100 {
            take(&s.store.conn, "a", "settings", UnixMs(at * KEPT_MS)).unwrap();
        }
        let rows: i64 = s.store.conn.query_row("SELECT count(*) FROM claim", [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 2);
    }
}
