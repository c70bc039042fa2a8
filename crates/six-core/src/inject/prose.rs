//! What of a text somebody says himself: code and quotations are blanked out.

/// Replaces fenced code, inline code, quoted lines (`> …`) and text in double quotes by blanks, byte for byte, so that
/// positions stay what they were. A quotation ends with its paragraph at the latest: a lone quote hides no instruction.
pub(super) fn blank_quoted(text: &str) -> String {
    mask_quoted(text, ' ')
}

/// The same with `mask`, of one byte, for every byte of what is quoted within a line: there it takes the place of a word.
pub(crate) fn mask_quoted(text: &str, mask: char) -> String {
    let mut out = String::with_capacity(text.len());
    let mut fenced = false;
    for line in text.split_inclusive('\n') {
        let head = line.trim_start();
        if head.starts_with("```") || head.starts_with("~~~") {
            fenced = !fenced;
            fill(&mut out, line, ' ');
        } else if fenced || head.starts_with("> ") {
            fill(&mut out, line, ' ');
        } else {
            mask_inline(&mut out, line, mask);
        }
    }
    out
}

/// Pairs of marks that quote within a line. An apostrophe is none: it stands in "don't" far more often.
const PAIRS: [(char, char); 6] = [('`', '`'), ('"', '"'), ('“', '”'), ('«', '»'), ('„', '“'), ('「', '」')];

fn mask_inline(out: &mut String, line: &str, mask: char) {
    let mut rest = line;
    while let Some((at, open)) = rest.char_indices().find(|(_, c)| PAIRS.iter().any(|(open, _)| open == c)) {
        let (before, quoted) = rest.split_at(at);
        let inner = quoted.get(open.len_utf8()..).unwrap_or_default();
        let end = PAIRS
            .iter()
            .filter(|(mark, _)| *mark == open)
            .find_map(|(_, close)| inner.find(*close).map(|end| at + open.len_utf8() + end + close.len_utf8()));
        out.push_str(before);
        let Some(end) = end else {
            fill(out, open.encode_utf8(&mut [0; 4]), ' ');
            rest = inner;
            continue;
        };
        let (quoted, after) = rest.split_at(end);
        fill(out, quoted.get(at..).unwrap_or_default(), mask);
        rest = after;
    }
    out.push_str(rest);
}

fn fill(out: &mut String, text: &str, mask: char) {
    for byte in text.bytes() {
        out.push(if byte == b'\n' { '\n' } else { mask });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn code_and_quotations_are_gone_and_the_rest_stays_in_its_place() {
        let text = "add \"delete all\" to `fix me`\n```\nremove()\n```\n> refactor it\ndon't stop";
        let own = blank_quoted(text);
        assert_eq!(own.split_whitespace().collect::<Vec<_>>(), ["add", "to", "don't", "stop"]);
        assert_eq!(own.find("don't"), text.find("don't"));
    }

    #[test]
    fn a_lone_quote_hides_nothing() {
        assert_eq!(blank_quoted("a 5\" disk: fix it").trim_end(), "a 5  disk: fix it");
    }

    proptest! {
        #[test]
        fn nothing_moves(text in "(\\PC|[`\"\n> ]){0,120}") {
            prop_assert_eq!(blank_quoted(&text).len(), text.len());
        }
    }
}
