//! Sizes, ages and widths as a person reads them.

use std::path::Path;

use six_core::record::UnixMs;
use six_core::text::printable;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// `1.4 MB`: decimal units, one digit after the point from kilobytes up.
pub(crate) fn bytes(n: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    for (size, unit) in UNITS {
        if n >= size {
            return format!("{}.{} {unit}", n / size, n % size * 10 / size);
        }
    }
    format!("{n} B")
}

/// `3 d`, `4 h`, `12 min`, `now`.
fn age(now: UnixMs, then: UnixMs) -> String {
    let minutes = now.0.saturating_sub(then.0) / 60_000;
    match minutes {
        ..=0 => String::from("now"),
        1..=59 => format!("{minutes} min"),
        60..=1_439 => format!("{} h", minutes / 60),
        _ => format!("{} d", minutes / 1_440),
    }
}

/// `3 d ago`, `just now`.
pub(crate) fn ago(now: UnixMs, then: UnixMs) -> String {
    match age(now, then).as_str() {
        "now" => String::from("just now"),
        age => format!("{age} ago"),
    }
}

/// `1 file`, `2 files`: a count and its noun, which takes an s.
pub(crate) fn count(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// A path as a word of a command that can be pasted into a shell.
pub(crate) fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = printable(&text);
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+@:,".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.into_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The text cut to `columns` terminal columns, with `…` where something was cut. Wide characters count as two.
pub(crate) fn fit(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut used = 0;
    let mut cut = String::new();
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used + 1 > columns {
            break;
        }
        cut.push(c);
    }
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_one_digit() {
        for (n, text) in
            [(0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (1_449_999, "1.4 MB"), (18_277_888_000, "18.2 GB")]
        {
            assert_eq!(bytes(n), text);
        }
    }

    #[test]
    fn ages_use_the_largest_unit_that_fits() {
        let at = |minutes: i64| age(UnixMs(minutes * 60_000), UnixMs(0));
        assert_eq!(
            [at(-5), at(0), at(59), at(60), at(1_439), at(1_440)],
            ["now", "now", "59 min", "1 h", "23 h", "1 d"]
        );
    }

    #[test]
    fn one_thing_is_no_plural() {
        assert_eq!([count(0, "file"), count(1, "file"), count(2, "file")], ["0 files", "1 file", "2 files"]);
    }

    #[test]
    fn a_path_can_be_pasted_into_a_shell() {
        let word = |path: &str| quoted(Path::new(path));
        assert_eq!(word("/srv/wörter-buch/a_1.md"), "/srv/wörter-buch/a_1.md");
        assert_eq!(word("/srv/my api"), "'/srv/my api'");
        assert_eq!(word("/srv/ada's"), r"'/srv/ada'\''s'");
        assert_eq!(word("/srv/$HOME"), "'/srv/$HOME'");
    }

    #[test]
    fn wide_characters_count_twice() {
        assert_eq!(fit("数据库迁移", 6), "数据…");
        assert_eq!(fit("short", 6), "short");
    }
}
