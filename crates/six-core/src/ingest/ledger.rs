//! Append-only ledgers: one entry per section, so that an append is read as what it is.

use chrono::NaiveDate;

use super::chunk::windows;
use super::decode::{DecodeFault, decode};
use super::document::{DocumentFile, TITLE_BYTES, key_of, title_of_path};
use super::heading::{Heading, Markup, headings};
use crate::record::{Chunk, Entry, EntryKind, Origin, UnixMs};
use crate::text::{Redacted, Redactor, cut_bytes};

/// Largest ledger that is read, in bytes: it only ever grows.
pub const LEDGER_LIMIT_BYTES: u64 = 16 * 1024 * 1024;

/// Between the headings of a heading path.
const PATH_SEPARATOR: &str = " › ";

/// What a ledger gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ledger {
    /// Its sections, in order.
    pub entries: Vec<Entry>,
    /// Bytes and lines before the last section. That one may go on: it is read again with what is appended, and takes the
    /// place of its earlier self. Both are 0 where lines of the file can't be told from those of the text.
    pub settled: (u64, u64),
    /// Some bytes were no valid text.
    pub is_lossy: bool,
}

/// A section: from its line to the next section's.
struct Section {
    line: usize,
    title: String,
    at: Option<UnixMs>,
}

/// Reads the sections of a ledger that begin at line `from` (counted from 0) or below. A section begins with a heading, or
/// with a line that begins with a date.
///
/// The whole file is looked at each time: what must not be stored may go over sections, and headings are above them.
pub fn parse_ledger(file: &DocumentFile<'_>, from: u64, redactor: Redactor) -> Result<Ledger, DecodeFault> {
    let decoded = decode(file.bytes)?;
    let clean = redactor.redact(&decoded.text);
    let newlines = |text: &str| text.matches('\n').count();
    let keeps_lines = newlines(clean.as_str()) == newlines(&decoded.text)
        && newlines(clean.as_str()) + 1 == file.bytes.split(|byte| *byte == b'\n').count();
    let markup = Markup::of_path(file.path).unwrap_or(Markup::Plain);
    let sections = sections(clean.as_str(), &headings(markup, clean.as_str()));
    let starts: Vec<usize> = line_starts(clean.as_str().bytes()).collect();
    let byte_of = |line: usize| starts.get(line).copied().unwrap_or(clean.as_str().len());
    let path_title = title_of_path(file.path);
    let mut entries = Vec::new();
    for (at, section) in sections.iter().enumerate().filter(|(_, section)| section.line as u64 >= from) {
        let end = sections.get(at + 1).map_or(clean.as_str().len(), |next| byte_of(next.line));
        let Some(text) = clean.slice(byte_of(section.line)..end) else { continue };
        if text.as_str().trim().is_empty() {
            continue;
        }
        let title = if section.title.is_empty() { path_title } else { section.title.as_str() };
        let path = redactor.redact(file.path);
        entries.push(Entry {
            key: format!("{}#{}", key_of(file, &path), section.line + 1),
            source: file.source,
            kind: EntryKind::Ledger,
            // The host's model writes it.
            origin: Origin::Agent,
            session: None,
            path: Some(path),
            title: redactor.redact(cut_bytes(title, TITLE_BYTES)),
            chunks: chunks(text.as_str(), keeps_lines.then_some(section.line)),
            text,
            at: section.at.or(file.at),
            branch: None,
        });
    }
    let last = sections.last().map_or(0, |section| section.line);
    let settled_bytes = line_starts(file.bytes.iter().copied()).nth(last).unwrap_or(0) as u64;
    let settled = if keeps_lines { (settled_bytes, last as u64) } else { (0, 0) };
    Ok(Ledger { entries, settled, is_lossy: decoded.is_lossy })
}

fn line_starts(bytes: impl Iterator<Item = u8>) -> impl Iterator<Item = usize> {
    std::iter::once(0).chain(bytes.enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1))
}

/// What is above the first section is one as well.
fn sections(text: &str, found: &[Heading<'_>]) -> Vec<Section> {
    let mut sections = vec![Section { line: 0, title: String::new(), at: None }];
    let mut open: Vec<&Heading<'_>> = Vec::new();
    let mut headings = found.iter().peekable();
    let mut fence = None;
    let mut title = String::new();
    for (line, said) in text.lines().enumerate() {
        let is_code = fenced(&mut fence, said);
        let heading = headings.next_if(|heading| heading.line == line);
        if let Some(heading) = heading {
            open.retain(|above| above.level < heading.level);
            open.push(heading);
            let path: Vec<&str> = open.iter().map(|heading| heading.title).filter(|title| !title.is_empty()).collect();
            title = path.join(PATH_SEPARATOR);
        }
        let at = date_of(heading.map_or(said, |heading| heading.title)).filter(|_| !is_code);
        if heading.is_none() && at.is_none() {
            continue;
        }
        // A dated heading dates what is below it, too.
        let section = Section { line, title: title.clone(), at };
        if line == 0 {
            sections.clear();
        }
        sections.push(section);
    }
    sections
}

/// Whether a line is inside a fenced block or one of its ends.
fn fenced(open: &mut Option<String>, line: &str) -> bool {
    let content = line.trim();
    let mark = ["```", "~~~"].into_iter().find(|mark| content.starts_with(mark));
    match (open.as_deref(), mark) {
        (None, None) => false,
        (None, Some(mark)) => {
            *open = Some(mark.to_owned());
            true
        }
        (Some(with), mark) => {
            if mark == Some(with) {
                *open = None;
            }
            true
        }
    }
}

/// The date that a line begins with, after marks of a list, a checkbox or stress: `- **2026-03-14**: ...`.
fn date_of(line: &str) -> Option<UnixMs> {
    let is_mark = |c: char| c.is_whitespace() || "-*+_[]()x".contains(c);
    let said = line.trim_start_matches(is_mark);
    let date = said.get(..10)?;
    if said.get(10..)?.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let date = NaiveDate::parse_from_str(date, "%Y-%m-%d").ok()?;
    Some(UnixMs(date.and_hms_opt(0, 0, 0)?.and_utc().timestamp_millis()))
}

fn chunks(text: &str, first_line: Option<usize>) -> Vec<Chunk> {
    let line_at = |at: usize| {
        let before = text.get(..at).unwrap_or_default().matches('\n').count();
        first_line.map(|first| u32::try_from(first + before + 1).unwrap_or(u32::MAX))
    };
    windows(text)
        .into_iter()
        .map(|range| Chunk { lines: line_at(range.start).zip(line_at(range.end)), range, title: Redacted::literal("") })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::record::Source;

    fn parse(text: &str, from: u64) -> Ledger {
        let bytes = text.as_bytes();
        let file = DocumentFile {
            path: "docs/ledger/api.md",
            path_hash: "0f",
            source: Source::Ledger,
            at: Some(UnixMs(7)),
            bytes,
        };
        parse_ledger(&file, from, Redactor::new()).unwrap()
    }

    fn shown(ledger: &Ledger) -> Vec<(&str, &str, &str)> {
        ledger.entries.iter().map(|e| (e.key.as_str(), e.title.as_str(), e.text.as_str().trim_end())).collect()
    }

    const TEXT: &str =
        "# Billing\n\nOpened.\n\n## 2026-03-14\nRound down.\n\n- 2026-03-15: outbox\n  goes on\n- 2026-03-16: pnpm\n";

    #[test]
    fn a_ledger_is_cut_at_headings_and_dates() {
        let ledger = parse(TEXT, 0);
        assert_eq!(
            shown(&ledger),
            [
                ("docs/ledger/api.md#1", "Billing", "# Billing\n\nOpened."),
                ("docs/ledger/api.md#5", "Billing › 2026-03-14", "## 2026-03-14\nRound down."),
                ("docs/ledger/api.md#8", "Billing › 2026-03-14", "- 2026-03-15: outbox\n  goes on"),
                ("docs/ledger/api.md#10", "Billing › 2026-03-14", "- 2026-03-16: pnpm"),
            ]
        );
        assert_eq!(ledger.entries[2].at.map(UnixMs::rfc3339).as_deref(), Some("2026-03-15T00:00:00.000Z"));
        assert_eq!((ledger.entries[0].at, ledger.entries[0].kind), (Some(UnixMs(7)), EntryKind::Ledger));
        assert_eq!(ledger.entries[2].chunks[0].lines, Some((8, 9)));
    }

    #[test]
    fn only_what_begins_after_the_settled_part_is_given_again() {
        let before = parse(TEXT, 0);
        let grown = format!("{TEXT}  not yarn\n- 2026-03-17: cents\n");
        let after = parse(&grown, before.settled.1);
        assert_eq!(
            shown(&after),
            [
                ("docs/ledger/api.md#10", "Billing › 2026-03-14", "- 2026-03-16: pnpm\n  not yarn"),
                ("docs/ledger/api.md#12", "Billing › 2026-03-14", "- 2026-03-17: cents"),
            ]
        );
        assert_eq!(&TEXT[usize::try_from(before.settled.0).unwrap()..], "- 2026-03-16: pnpm\n");
    }

    #[test]
    fn what_looks_like_a_date_or_a_heading_in_code_cuts_nothing() {
        let ledger =
            parse("# Log\n```\n# no heading\n2026-03-14 in a log\n```\n20260314\n2026-13-01\n2026-03-145\n", 0);
        assert_eq!(ledger.entries.len(), 1);
    }

    #[test]
    fn what_is_private_stays_out_and_the_whole_is_read_again() {
        let ledger = parse("# A\n<private>\n# Salaries\n12 000\n</private>\n# B\nopen\n", 0);
        assert!(
            ledger.entries.iter().all(|e| !e.text.as_str().contains("12 000") && !e.title.as_str().contains("Salar"))
        );
        assert_eq!(ledger.settled, (0, 0));
    }

    #[test]
    fn a_blank_ledger_gives_nothing_and_one_without_sections_is_one() {
        assert_eq!(parse(" \n", 0).entries, []);
        assert_eq!(shown(&parse("just a line", 0)), [("docs/ledger/api.md#1", "api.md", "just a line")]);
    }

    proptest! {
        #[test]
        fn however_it_grew_the_sections_are_those_of_one_reading(
            pieces in prop::collection::vec(r"(# [a-z]{1,4}\n|- 2026-03-1[0-9]: [a-z]{1,4}\n|```\n|[a-z é]{0,20}\n|[a-z]{1,9})", 0..16),
            cut in 0..16_usize,
        ) {
            let whole: String = pieces.concat();
            let part: String = pieces[..cut.min(pieces.len())].concat();
            let before = parse(&part, 0);
            let after = parse(&whole, before.settled.1);
            let mut kept: std::collections::BTreeMap<String, Entry> = before.entries.into_iter().map(|e| (e.key.clone(), e)).collect();
            kept.extend(after.entries.into_iter().map(|e| (e.key.clone(), e)));
            let mut expected: Vec<Entry> = parse(&whole, 0).entries;
            expected.sort_by(|a, b| a.key.cmp(&b.key));
            prop_assert_eq!(kept.into_values().collect::<Vec<_>>(), expected);
        }
    }
}
