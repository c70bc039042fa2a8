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
