//! Where text goes: results to stdout, all else to stderr. A reader that went away is no error.

use std::fmt;
use std::io::Write;

/// Prints a result; an empty one leaves no empty line.
pub(crate) fn print(text: &str) {
    if text.is_empty() {
        return;
    }
    let mut out = std::io::stdout().lock();
    let end: &[u8] = if text.ends_with('\n') { b"" } else { b"\n" };
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.write_all(end));
}

/// Prints what is no result.
pub(crate) fn complain(text: impl fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
