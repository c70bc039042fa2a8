//! Places that a record stands on, as typed: `PATH` or `PATH:FIRST-LAST`.

use six_core::record::Anchor;
use six_core::text::Redactor;
use six_runtime::anchor;
use six_runtime::project::identity::Project;

use crate::failure::Failure;

/// Takes an anchor for each place.
pub(crate) fn anchors(project: &Project, places: &[String], redactor: Redactor) -> Result<Vec<Anchor>, Failure> {
    places
        .iter()
        .map(|place| {
            let (path, lines) = parse_place(place);
            anchor::take(project, path, lines, redactor).map_err(|fault| {
                Failure::misuse(fault, "name a file from the root of the project: --anchor PATH or PATH:FIRST-LAST")
            })
        })
        .collect()
}

/// The path and the lines; a colon that is followed by anything but lines belongs to the path.
fn parse_place(place: &str) -> (&str, Option<(u32, u32)>) {
    let lines = place.rsplit_once(':').and_then(|(path, lines)| {
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        let (first, last) = (first.parse().ok()?, last.parse().ok()?);
        (0 < first && first <= last).then_some((path, (first, last)))
    });
    match lines {
        Some((path, lines)) => (path, Some(lines)),
        None => (place, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_from_colons_in_a_path() {
        assert_eq!(parse_place("src/gate.rs:40-52"), ("src/gate.rs", Some((40, 52))));
        assert_eq!(parse_place("src/gate.rs:40"), ("src/gate.rs", Some((40, 40))));
        assert_eq!(parse_place("src/gate.rs"), ("src/gate.rs", None));
        assert_eq!(parse_place("odd:name.rs"), ("odd:name.rs", None));
        assert_eq!(parse_place("src/gate.rs:9-3"), ("src/gate.rs:9-3", None));
    }
}
