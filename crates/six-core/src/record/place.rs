//! A place in the project as it is written: `PATH`, `PATH:FIRST-LAST`, `PATH#NAME` or `PATH:FIRST-LAST#NAME`.

use std::fmt;

/// A place as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'a> {
    /// The file, from the root of the project.
    pub path: &'a str,
    /// First and last line, from 1.
    pub lines: Option<(u32, u32)>,
    /// A name that occurs in the file.
    pub symbol: Option<&'a str>,
}

/// Reads a place. A colon that is followed by anything but lines belongs to the path, and so does a `#` that is followed
/// by what could be a part of a path or has a blank.
pub fn parse_place(text: &str) -> Place<'_> {
    let is_name =
        |name: &str| !name.is_empty() && !name.contains(['/', '\\', '.']) && !name.contains(char::is_whitespace);
    let (rest, symbol) = match text.rsplit_once('#') {
        Some((rest, name)) if !rest.is_empty() && is_name(name) => (rest, Some(name)),
        _ => (text, None),
    };
    let lines = rest.rsplit_once(':').and_then(|(path, lines)| Some((path, parse_lines(lines)?)));
    match lines {
        Some((path, lines)) => Place { path, lines: Some(lines), symbol },
        None => Place { path: rest, lines: None, symbol },
    }
}

fn parse_lines(text: &str) -> Option<(u32, u32)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (0 < first && first <= last).then_some((first, last))
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.path)?;
        match self.lines {
            Some((first, last)) if first == last => write!(f, ":{first}")?,
            Some((first, last)) => write!(f, ":{first}-{last}")?,
            None => {}
        }
        self.symbol.map_or(Ok(()), |name| write!(f, "#{name}"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_and_a_name_are_told_from_what_belongs_to_a_path() {
        for (text, path, lines, symbol) in [
            ("src/gate.rs:40-52", "src/gate.rs", Some((40, 52)), None),
            ("src/gate.rs:40", "src/gate.rs", Some((40, 40)), None),
            ("src/gate.rs", "src/gate.rs", None, None),
            ("src/gate.rs#settle", "src/gate.rs", None, Some("settle")),
            ("src/gate.rs:40-52#Gate::open", "src/gate.rs", Some((40, 52)), Some("Gate::open")),
            ("odd:name.rs", "odd:name.rs", None, None),
            ("notes#1.md", "notes#1.md", None, None),
            ("c#/main.cs", "c#/main.cs", None, None),
            ("#settle", "#settle", None, None),
            ("src/gate.rs:9-3", "src/gate.rs:9-3", None, None),
        ] {
            let place = parse_place(text);
            assert_eq!(place, Place { path, lines, symbol }, "{text}");
            assert_eq!(place.to_string(), text);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_and_what_is_written_is_read_as_the_same(text in "(\\PC|:|#|-|/|[0-9]|a){0,24}") {
            let place = parse_place(&text);
            let written = place.to_string();
            prop_assert_eq!(parse_place(&written), place);
        }
    }
}
