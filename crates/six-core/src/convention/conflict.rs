//! What a merge leaves in a file that it could not merge.

use super::markdown::{Lines, Piece, counted, pieces};

/// The line, counted from 1, of the first conflict that a merge left in `text`: its three marks in their order, outside
/// code, where a text may show them.
pub fn conflict_line(text: &str) -> Option<u32> {
    if !text.contains("<<<<<<< ") || !text.contains("\n>>>>>>> ") {
        return None;
    }
    let lines = Lines::of(text);
    let code: Vec<_> = pieces(text)
        .into_iter()
        .filter(|placed| matches!(placed.piece, Piece::Block { .. }))
        .map(|placed| lines.at(placed.range.start)..=lines.at(placed.range.end.saturating_sub(1)))
        .collect();
    let mut ours = None;
    let mut is_halved = false;
    for (at, line) in text.lines().enumerate().filter(|(at, _)| !code.iter().any(|block| block.contains(at))) {
        if line.starts_with("<<<<<<< ") {
            (ours, is_halved) = (Some(at), false);
        } else if line == "=======" {
            is_halved = ours.is_some();
        } else if line.starts_with(">>>>>>> ") && is_halved {
            return ours.map(counted);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFLICT: &str = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n";

    #[test]
    fn what_a_merge_left_is_found_at_its_line() {
        assert_eq!(conflict_line(CONFLICT), Some(1));
        assert_eq!(conflict_line(&format!("---\nname: x\n{CONFLICT}---\n")), Some(3));
    }

    #[test]
    fn a_text_that_shows_or_names_the_marks_has_no_conflict() {
        assert_eq!(conflict_line(&format!("How it looks:\n\n```\n{CONFLICT}```\n")), None);
        assert_eq!(conflict_line("Title\n=======\n\n>>>>>>> quoted\n"), None);
        assert_eq!(conflict_line("<<<<<<< is the first mark\n>>>>>>> is the last\n"), None);
    }
}
