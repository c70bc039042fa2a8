//! sqlite-vec's distance functions, given to a connection when it first compares vectors: ten microseconds that a hook
//! without a vector does not pay.

use std::ffi::c_int;

use rusqlite::Connection;
use rusqlite::auto_extension::RawAutoExtension;
use rusqlite::ffi::{SQLITE_OK, sqlite3_api_routines};

use crate::error::Result;

/// Gives the functions to a connection that does not have them. Once is enough, and giving them again would make `SQLite`
/// prepare every statement of the connection anew.
pub(crate) fn ensure(conn: &Connection) -> Result<()> {
    if conn.prepare_cached("SELECT vec_version()").is_ok() {
        return Ok(());
    }
    match register(conn) {
        SQLITE_OK => Ok(()),
        code => Err(rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None).into()),
    }
}

#[expect(unsafe_code, reason = "an extension that is linked in is a C function, declared without its arguments")]
fn register(conn: &Connection) -> c_int {
    let mut message = std::ptr::null_mut();
    // SAFETY: the function has the signature of every SQLite extension; the handle is that of an open connection, which
    // outlives the call; an extension that is compiled with SQLITE_CORE, as this crate's is, reads no table of routines.
    unsafe {
        let init = std::mem::transmute::<*const (), RawAutoExtension>(sqlite_vec::sqlite3_vec_init as *const ());
        init(conn.handle(), &raw mut message, std::ptr::null::<sqlite3_api_routines>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_gets_the_functions_once_and_no_other_one_does() {
        let (one, other) = (Connection::open_in_memory().unwrap(), Connection::open_in_memory().unwrap());
        for _ in 0..3 {
            ensure(&one).unwrap();
        }
        let sql = "SELECT vec_distance_hamming(vec_bit(x'0f'), vec_bit(x'00'))";
        assert_eq!(one.query_row(sql, [], |row| row.get::<_, f64>(0)), Ok(4.0));
        assert!(other.prepare(sql).is_err());
    }

    #[test]
    fn the_version_is_the_one_that_was_measured() {
        let conn = Connection::open_in_memory().unwrap();
        ensure(&conn).unwrap();
        let version: String = conn.query_row("SELECT vec_version()", [], |row| row.get(0)).unwrap();
        assert_eq!(version, "v0.1.9");
    }
}
