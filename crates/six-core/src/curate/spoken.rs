//! What of a message is prose that its speaker says himself.

use std::ops::Range;

use crate::inject::mask_quoted;
use crate::text::sentences;

/// A sentence of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spoken {
    /// Its number among all sentences of the raw text, spoken or not: it stays what it is whatever the rules are.
    pub(super) ordinal: usize,
    /// Its bytes in the text.
    pub(super) range: Range<usize>,
    /// Whether it is a heading or a point's title: the line ends with it and it has a mark of its own.
    pub(super) heading: bool,
}

/// The text with everything blanked that is no evidence, byte for byte: code, quotations, tables, what the client or six
/// itself put round the words.
pub(super) fn mask(text: &str) -> String {
    let quoted = mask_quoted(text, '\0');
    let mut out = String::with_capacity(text.len());
    let mut wrapper: Option<String> = None;
    for (raw, line) in text.split_inclusive('\n').zip(quoted.split_inclusive('\n')) {
        let opened = wrapper.clone().or_else(|| opening(raw.trim_start()));
        let Some(name) = opened else {
            if is_no_prose(raw) {
                blank(&mut out, line);
            } else {
                out.push_str(line);
            }
            continue;
        };
        let close = format!("</{name}");
        let end = raw
            .find(&close)
            .map(|at| at + raw.get(at..).and_then(|rest| rest.find('>')).map_or(close.len(), |gt| gt + 1));
        if let Some(end) = end {
            blank(&mut out, raw.get(..end).unwrap_or_default());
            out.push_str(line.get(end..).unwrap_or_default());
            wrapper = None;
        } else {
            blank(&mut out, line);
            wrapper = Some(name);
        }
    }
    out
}

/// The name of a tag that opens at the start of a line and that nobody writes in prose: it has a dash or an underscore.
fn opening(line: &str) -> Option<String> {
    let rest = line.strip_prefix('<')?;
    let name: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect();
    let ends = rest.get(name.len()..)?.starts_with(['>', ' ', '\n']);
    (ends && name.contains(['-', '_'])).then_some(name)
}

/// Lines of tables, diffs, shells, logs, stack traces, rules, and what a client prints round a tool's call.
fn is_no_prose(line: &str) -> bool {
    const STARTS: [&str; 20] = [
        "|",
        "│",
        "├",
        "└",
        "⎿",
        "⏺",
        "❯",
        "$ ",
        "+++ ",
        "--- ",
        "@@ ",
        "diff --git",
        "Traceback",
        "File \"",
        "at /",
        "error[",
        "warning[",
        "npm ERR",
        "create mode ",
        "[Image",
    ];
    let line = line.trim();
    STARTS.iter().any(|start| line.starts_with(start))
        || line.chars().all(|c| !c.is_alphanumeric())
        || line.starts_with("+  ")
        || line.starts_with("+\t")
        || line.contains("★ Insight")
}

fn blank(out: &mut String, text: &str) {
    out.extend(text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
}

/// The sentences that hold anything spoken, in reading order, each without what is masked round it. `masked` is [`mask`] of
/// the text.
pub(super) fn spoken(text: &str, masked: &str) -> Vec<Spoken> {
    let said = |(ordinal, range): (usize, Range<usize>)| {
        let own = masked.get(range.clone()).filter(|own| own.chars().any(char::is_alphabetic))?;
        let start = range.start + (own.len() - own.trim_start().len());
        Some(Spoken { ordinal, heading: is_heading(text, &range), range: start..start + own.trim().len() })
    };
    sentences(text).enumerate().filter_map(said).collect()
}

fn is_heading(text: &str, range: &Range<usize>) -> bool {
    let line = text.get(..range.start).and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
    line.trim_start().starts_with('#')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn said(text: &str) -> Vec<(usize, &str)> {
        let masked = mask(text);
        spoken(text, &masked).into_iter().map(|one| (one.ordinal, &text[one.range])).collect()
    }

    #[test]
    fn only_prose_is_spoken_and_keeps_its_number() {
        let text = "One.\n```\nTwo.\n```\n> Three.\n| four | five |\n$ six\n<six-memory a=\"1\">\nseven\n</six-memory> Eight.\nNine `ten`.";
        let found = said(text);
        assert_eq!(found.iter().map(|(_, text)| *text).collect::<Vec<_>>(), ["One.", "Eight.", "Nine `ten`."]);
        assert!(found.is_sorted_by_key(|(ordinal, _)| *ordinal) && found[1].0 > 1, "what is not spoken is counted");
    }

    #[test]
    fn what_the_client_put_before_a_sentence_is_no_part_of_it() {
        let text =
            "<ide_selection>the user selected some lines of a file that is long enough</ide_selection>\nuse pnpm";
        assert_eq!(said(text).iter().map(|(_, text)| *text).collect::<Vec<_>>(), ["use pnpm"]);
        assert_eq!(said("<b>bold</b> words").len(), 1, "a tag of prose hides nothing");
    }

    #[test]
    fn headings_are_told() {
        let text = "## We decided\nWe did.";
        let headings: Vec<bool> = spoken(text, &mask(text)).into_iter().map(|one| one.heading).collect();
        assert_eq!(headings, [true, false]);
    }

    proptest! {
        #[test]
        fn nothing_moves(text in "(\\PC|[`\"\n> |]|<a-b>|</a-b>){0,120}") {
            let masked = mask(&text);
            prop_assert_eq!(masked.len(), text.len());
            for one in spoken(&text, &masked) {
                prop_assert!(text.get(one.range).is_some_and(|said| !said.is_empty()));
            }
        }
    }
}
