//! Passwords that stand on a command line, in `.netrc` or in a statement of SQL without a name of their own.

use std::ops::Range;

use super::placeholder::{is_made_of_words, is_place, is_placeholder};
use super::prefilter::Hit;
use super::value::{holds, is_blank, line_before, take};

/// How far back on its line the command may stand.
const MAX_COMMAND: usize = 256;
const MAX_VALUE: usize = 256;
const MIN_VALUE: usize = 4;

/// Clients whose `-p` or `-a` takes a password behind a blank.
const APART: &[&str] =
    &["sshpass", "docker login", "podman login", "helm registry login", "mongo", "sqlcmd", "az login", "oc login"];

/// Clients whose `-p` takes it without a blank; what stands behind one is the database.
const JOINED: &[&str] = &["mysql", "mariadb", "sshpass"];

/// `curl -u user:password`.
pub(super) fn user_option(hit: Hit<'_>) -> Option<Range<usize>> {
    let bytes = hit.text.as_bytes();
    if !holds(line_before(bytes, hit.start, MAX_COMMAND), "curl") {
        return None;
    }
    let start = hit.end + take(bytes, hit.end, 4, |b| matches!(b, b' ' | b'"' | b'\'' | b'\\'));
    let end = start + take(bytes, start, MAX_VALUE, is_word);
    let (user, _) = hit.text.get(start..end)?.split_once(':')?;
    value(hit, start + user.len() + 1)
}

/// `mysql -pPASSWORD`, `sshpass -p PASSWORD`, `redis-cli -a PASSWORD`.
pub(super) fn password_option(hit: Hit<'_>) -> Option<Range<usize>> {
    let bytes = hit.text.as_bytes();
    let line = line_before(bytes, hit.start, MAX_COMMAND);
    let command = line.rsplit(|b| matches!(b, b'|' | b';' | b'&')).next().unwrap_or_default();
    let of = |clients: &[&str]| clients.iter().any(|client| holds(command, client));
    let blanks = take(bytes, hit.end, 4, is_blank);
    let known = match hit.literal {
        " -a" => blanks > 0 && of(&["redis-cli"]),
        _ if blanks > 0 => of(APART),
        _ => hit.is_exact() && of(JOINED),
    };
    if !known {
        return None;
    }
    let start = hit.end + blanks;
    value(hit, start + take(bytes, start, 2, |b| matches!(b, b'"' | b'\'' | b'\\')))
}

/// The password of a line of `.netrc`: `machine HOST login USER password PASSWORD`, also over several lines.
pub(super) fn netrc(hit: Hit<'_>) -> Option<Range<usize>> {
    const WORDS: usize = 8;
    const LOOK: usize = 512;
    let bytes = hit.text.as_bytes();
    let mut at = hit.end;
    let mut before: &[u8] = b"";
    let mut login = false;
    for _ in 0..WORDS {
        at += take(bytes, at, LOOK, |b| b.is_ascii_whitespace());
        let length = take(bytes, at, LOOK, |b| !b.is_ascii_whitespace());
        let word = bytes.get(at..at + length)?;
        match before {
            b"password" if login => return value(hit, at),
            b"login" => login = true,
            _ => {}
        }
        before = word;
        at += length;
    }
    None
}

/// `IDENTIFIED BY 'PASSWORD'`, `WITH PASSWORD 'PASSWORD'`.
pub(super) fn sql_password(hit: Hit<'_>) -> Option<Range<usize>> {
    let bytes = hit.text.as_bytes();
    let blanks = take(bytes, hit.end, 4, is_blank);
    let quotes = take(bytes, hit.end + blanks, 3, |b| matches!(b, b'\'' | b'"' | b'\\'));
    if quotes == 0 { None } else { value(hit, hit.end + blanks + quotes) }
}

/// `requirepass PASSWORD`, as a server is configured.
pub(super) fn directive(hit: Hit<'_>) -> Option<Range<usize>> {
    let start = hit.end + take(hit.text.as_bytes(), hit.end, 4, |b| matches!(b, b' ' | b'"'));
    if start == hit.end { None } else { value(hit, start) }
}

/// The word at byte `start`, if it may be a password.
fn value(hit: Hit<'_>, start: usize) -> Option<Range<usize>> {
    let end = start + take(hit.text.as_bytes(), start, usize::MAX, is_word);
    let value = hit.text.get(start..end)?;
    let numbers = value.bytes().all(|b| b.is_ascii_digit() || matches!(b, b':' | b'.'));
    let harmless = numbers || value.starts_with('-') || is_place(value) || is_made_of_words(value);
    (value.len() >= MIN_VALUE && !harmless && !is_placeholder(value)).then_some(start..end)
}

fn is_word(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'\'' | b'`' | b'\\' | b'|' | b';' | b'<' | b'>' | b')')
}
