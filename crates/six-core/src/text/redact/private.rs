use std::ops::Range;

const OPEN: &str = "<private>";
const CLOSE: &str = "</private>";

/// Byte ranges that the writer marked as private, tags included. One that is never closed reaches to the end: a
/// forgotten tag must not give away what stands behind it.
pub(super) fn private_ranges(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut start = 0;
    for (at, _) in text.match_indices('<') {
        if is_at(text, at, OPEN) {
            if depth == 0 {
                start = at;
            }
            depth += 1;
        } else if depth > 0 && is_at(text, at, CLOSE) {
            depth -= 1;
            if depth == 0 {
                found.push(start..at + CLOSE.len());
            }
        }
    }
    if depth > 0 {
        found.push(start..text.len());
    }
    found
}

fn is_at(text: &str, at: usize, tag: &str) -> bool {
    text.as_bytes().get(at..at + tag.len()).is_some_and(|here| here.eq_ignore_ascii_case(tag.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_parts_are_found_nested_and_unclosed() {
        for (text, parts) in [
            ("a <private>b</private> c", vec!["<private>b</private>"]),
            ("<PRIVATE>a<private>b</private>c</Private>d", vec!["<PRIVATE>a<private>b</private>c</Private>"]),
            ("a <private>b", vec!["<private>b"]),
            ("a </private> <b> <privat", vec![]),
        ] {
            let found: Vec<_> = private_ranges(text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, parts, "{text}");
        }
    }
}
