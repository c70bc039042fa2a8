//! Documents and memory files: bytes to one entry, cut by heading.

use std::ops::Range;

use super::chunk::windows;
use super::decode::{DecodeFault, decode};
use super::front_matter::{FrontMatter, FrontMatterFault, parse_front_matter};
use super::heading::{Heading, Markup, headings};
use crate::record::{Chunk, Entry, EntryKind, Origin, Source, UnixMs};
use crate::text::{Redacted, Redactor, cut_bytes};

/// Largest document that is read, in bytes. What is larger is generated: a lock file, a dump, a bundled licence list.
pub const DOCUMENT_LIMIT_BYTES: u64 = 1024 * 1024;

/// Between the headings of a heading path.
const PATH_SEPARATOR: &str = " › ";

/// Longest heading path, in bytes.
pub(super) const TITLE_BYTES: usize = 300;

/// Of it, what type and tags may take.
const SORTED_BYTES: usize = 100;

/// A file to read.
#[derive(Debug, Clone, Copy)]
pub struct DocumentFile<'a> {
    /// Relative to the project root with `/`, or absolute outside it.
    pub path: &'a str,
    /// SHA-256 (hex) of the path: the entry's key when the path itself may not be stored.
    pub path_hash: &'a str,
    /// `Doc`, `Memory` or `Ledger`.
    pub source: Source,
    /// When it was last changed.
    pub at: Option<UnixMs>,
    /// Its content.
    pub bytes: &'a [u8],
}

/// What a file gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The entry; `None` if the file is blank.
    pub entry: Option<Entry>,
    /// Its front matter could not be read; the rest was.
    pub front_matter_fault: Option<FrontMatterFault>,
    /// Some bytes were no valid text.
    pub is_lossy: bool,
}

/// A piece of the text under one heading.
struct Section {
    /// Bytes of the text.
    range: Range<usize>,
    /// Line of the text on which it begins, counted from 0.
    line: usize,
    title: Redacted,
}

/// Reads a document into an entry whose chunks are its sections, cut into windows where they are long.
pub fn parse_document(file: &DocumentFile<'_>, redactor: Redactor) -> Result<Document, DecodeFault> {
    let decoded = decode(file.bytes)?;
    // All of it before anything is taken apart: what must not be stored may go over a heading.
    let clean = redactor.redact(&decoded.text);
    let keeps_lines = newlines(clean.as_str()) == newlines(&decoded.text);
    let parts = parse_front_matter(clean.as_str());
    let (front, front_matter_fault) = match parts.front {
        Some(Ok(front)) => (Some(front), None),
        Some(Err(fault)) => (None, Some(fault)),
        None => (None, None),
    };
    let start = clean.as_str().len() - parts.body.len();
    let text = clean.slice(start..clean.as_str().len()).unwrap_or_else(|| Redacted::literal(""));
    let markup = Markup::of_path(file.path).unwrap_or(Markup::Plain);
    let found = headings(markup, text.as_str());
    let is_blank = text.as_str().trim().is_empty() && front.is_none();
    let entry = (!is_blank).then(|| {
        let title = title_of(file.path, front.as_ref(), &found, redactor);
        let lines_before = keeps_lines.then_some(parts.lines_before);
        let chunks = chunks(text.as_str(), lines_before, &sections(text.as_str(), &found, redactor));
        entry_of(file, title, text.clone(), chunks, redactor)
    });
    Ok(Document { entry, front_matter_fault, is_lossy: decoded.is_lossy })
}

fn entry_of(file: &DocumentFile<'_>, title: Redacted, text: Redacted, chunks: Vec<Chunk>, redactor: Redactor) -> Entry {
    let path = redactor.redact(file.path);
    let (kind, origin) = match file.source {
        Source::Memory if is_constitution(file.path) => (EntryKind::Memory, Origin::Operator),
        // The host's model writes its memory folder.
        Source::Memory => (EntryKind::Memory, Origin::Agent),
        _ => (EntryKind::Doc, Origin::Operator),
    };
    Entry {
        key: key_of(file, &path).to_owned(),
        source: file.source,
        kind,
        origin,
        session: None,
        path: Some(path),
        title,
        text,
        at: file.at,
        branch: None,
        chunks,
    }
}

/// The path, unless it may not be stored: then its hash.
pub(super) fn key_of<'a>(file: &DocumentFile<'a>, path: &Redacted) -> &'a str {
    if path.as_str() == file.path { file.path } else { file.path_hash }
}

/// The file's name.
pub(super) fn title_of_path(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// `CLAUDE.md` and `CLAUDE.local.md`: rules that people write.
pub(super) fn is_constitution(path: &str) -> bool {
    matches!(title_of_path(path), "CLAUDE.md" | "CLAUDE.local.md")
}

/// Name and description of the front matter, else the first heading, else the file's name; behind it the type and the
/// tags, for which a memory file is looked for as well. A title is searched with the weight of a handle.
fn title_of(path: &str, front: Option<&FrontMatter>, found: &[Heading<'_>], redactor: Redactor) -> Redacted {
    let name = front.and_then(FrontMatter::name);
    let description = front.and_then(FrontMatter::description);
    let heading = found.iter().map(|heading| heading.title).find(|title| !title.is_empty());
    let mut title = match (name.or(heading), description) {
        (Some(name), Some(description)) => format!("{name}: {description}"),
        (Some(name), None) => name.to_owned(),
        (None, Some(description)) => description.to_owned(),
        (None, None) => title_of_path(path).to_owned(),
    };
    let kind = front.and_then(FrontMatter::kind).map(str::to_owned);
    let sorted: Vec<String> = kind.into_iter().chain(front.and_then(FrontMatter::tags)).collect();
    if !sorted.is_empty() {
        title = format!(
            "{} ({})",
            cut_bytes(&title, TITLE_BYTES - SORTED_BYTES),
            cut_bytes(&sorted.join("; "), SORTED_BYTES)
        );
    }
    redactor.redact(&title).cut(TITLE_BYTES)
}

/// The text by heading, with the path of headings above.
fn sections(text: &str, found: &[Heading<'_>], redactor: Redactor) -> Vec<Section> {
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let byte_of = |line: usize| starts.get(line).copied().unwrap_or(text.len());
    let first = found.first().map_or(text.len(), |heading| byte_of(heading.line));
    let mut sections = vec![Section { range: 0..first, line: 0, title: Redacted::literal("") }];
    let mut open: Vec<&Heading<'_>> = Vec::new();
    for (at, heading) in found.iter().enumerate() {
        open.retain(|above| above.level < heading.level);
        open.push(heading);
        let path: Vec<&str> = open.iter().map(|heading| heading.title).filter(|title| !title.is_empty()).collect();
        let end = found.get(at + 1).map_or(text.len(), |next| byte_of(next.line));
        sections.push(Section {
            range: byte_of(heading.line)..end,
            line: heading.line,
            title: redactor.redact(cut_bytes(&path.join(PATH_SEPARATOR), TITLE_BYTES)),
        });
    }
    sections
}

/// `lines_before` is `None` where a secret of several lines was taken out, so that lines can't be told any more.
fn chunks(text: &str, lines_before: Option<u32>, sections: &[Section]) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    for section in sections {
        let piece = text.get(section.range.clone()).unwrap_or_default();
        let line_at = |byte: usize| {
            let line = section.line + newlines(piece.get(..byte).unwrap_or_default());
            lines_before.map(|before| u32::try_from(line).unwrap_or(u32::MAX).saturating_add(before).saturating_add(1))
        };
        for window in windows(piece) {
            chunks.push(Chunk {
                lines: line_at(window.start).zip(line_at(window.end)),
                range: section.range.start + window.start..section.range.start + window.end,
                title: section.title.clone(),
            });
        }
    }
    chunks
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn file<'a>(path: &'a str, source: Source, bytes: &'a [u8]) -> DocumentFile<'a> {
        DocumentFile { path, path_hash: "0f", source, at: Some(UnixMs(7)), bytes }
    }

    fn parse(path: &str, source: Source, text: &str) -> Document {
        parse_document(&file(path, source, text.as_bytes()), Redactor::new()).unwrap()
    }

    fn shown(entry: &Entry) -> Vec<(&str, &str, (u32, u32))> {
        let text = entry.text.as_str();
        entry.chunks.iter().map(|c| (c.title.as_str(), &text[c.range.clone()], c.lines.unwrap())).collect()
    }

    #[test]
    fn a_document_is_cut_by_heading_with_its_heading_path() {
        let entry = parse(
            "docs/money.md",
            Source::Doc,
            "Intro\n\n# Money\nCents.\n## Rates\n10 %\n\n## Rounding\nDown.\n# Ports\n8080\n",
        )
        .entry
        .unwrap();
        assert_eq!((entry.key.as_str(), entry.title.as_str(), entry.kind), ("docs/money.md", "Money", EntryKind::Doc));
        assert_eq!(
            shown(&entry),
            [
                ("", "Intro", (1, 1)),
                ("Money", "# Money\nCents.", (3, 4)),
                ("Money › Rates", "## Rates\n10 %", (5, 6)),
                ("Money › Rounding", "## Rounding\nDown.", (8, 9)),
                ("Ports", "# Ports\n8080", (10, 11)),
            ]
        );
    }

    #[test]
    fn a_memory_file_is_titled_by_its_front_matter_and_counts_its_lines() {
        let document = parse(
            "/m/invoices.md",
            Source::Memory,
            "---\nname: invoices\ndescription: how they are numbered\n---\nPer year.\n",
        );
        let entry = document.entry.unwrap();
        assert_eq!((entry.title.as_str(), entry.origin), ("invoices: how they are numbered", Origin::Agent));
        assert_eq!(shown(&entry), [("", "Per year.", (5, 5))]);
        let rules = parse("CLAUDE.md", Source::Memory, "Use pnpm.").entry.unwrap();
        assert_eq!((rules.title.as_str(), rules.origin), ("CLAUDE.md", Origin::Operator));
    }

    #[test]
    fn a_memory_file_is_found_by_its_type_and_tags() {
        let text = "---\nname: invoices\nmetadata:\n  type: project\ntags: [tax, \"year end\"]\n---\nPer year.\n";
        let entry = parse("/m/invoices.md", Source::Memory, text).entry.unwrap();
        assert_eq!(entry.title.as_str(), "invoices (project; tax, year end)");
        let long = format!("---\ndescription: {}\ntags: {}\n---\n", "é".repeat(400), "部".repeat(200));
        let title = parse("/m/a.md", Source::Memory, &long).entry.unwrap().title;
        assert!(title.as_str().len() <= TITLE_BYTES && title.as_str().contains('部'), "{}", title.as_str());
    }

    #[test]
    fn unreadable_front_matter_is_named_and_the_text_is_kept() {
        let document = parse("/m/x.md", Source::Memory, "---\nname: x\nno field\n---\nStill here.\n");
        assert_eq!(document.front_matter_fault, Some(FrontMatterFault::NotAField { line: 3 }));
        assert_eq!(document.entry.unwrap().text.as_str(), "Still here.\n");
    }

    #[test]
    fn a_long_section_gives_windows_that_know_their_lines() {
        let text = format!("# Log\n{}", "A line that says something of its own.\n".repeat(100));
        let entry = parse("log.md", Source::Doc, &text).entry.unwrap();
        let shown = shown(&entry);
        assert!(shown.len() > 3);
        for (title, text_of, (first, last)) in shown {
            let lines: Vec<&str> = text.lines().skip(first as usize - 1).take((last - first) as usize + 1).collect();
            assert_eq!((title, text_of), ("Log", lines.join("\n").as_str()));
        }
    }

    #[test]
    fn what_is_private_stays_out_even_over_headings() {
        let text = "# A\n<private>\n# Salaries\n12 000\n</private>\n# B\nopen\n";
        let entry = parse("a.md", Source::Doc, text).entry.unwrap();
        assert!(!entry.text.as_str().contains("12 000") && entry.text.as_str().contains("open"));
        assert!(entry.chunks.iter().all(|chunk| chunk.lines.is_none() && !chunk.title.as_str().contains("Salaries")));
    }

    #[test]
    fn a_blank_file_gives_no_entry_and_a_binary_one_a_reason() {
        assert_eq!(parse("a.md", Source::Doc, " \n").entry, None);
        assert_eq!(parse_document(&file("a.md", Source::Doc, b"\0\0"), Redactor::new()), Err(DecodeFault::Binary));
        let latin = parse_document(&file("a.md", Source::Doc, b"f\xFCr"), Redactor::new()).unwrap();
        assert!(latin.is_lossy && latin.entry.is_some());
    }

    proptest! {
        #[test]
        fn chunks_cover_the_text_and_lines_are_in_the_file(text in r"(# [a-z]{1,5}\n|```\n|[a-z ]{1,80}\n|---\n|===\n|\n|é。){0,60}", kind in 0..4_usize) {
            let path = ["a.md", "a.rst", "a.adoc", "a.txt"][kind];
            if let Some(entry) = parse(path, Source::Doc, &text).entry {
                let lines = u32::try_from(text.lines().count()).unwrap();
                let mut covered = 0;
                for chunk in &entry.chunks {
                    prop_assert!(entry.text.as_str().get(chunk.range.clone()).is_some_and(|piece| !piece.trim().is_empty()));
                    if chunk.range.start > covered {
                        prop_assert!(entry.text.as_str()[covered..chunk.range.start].trim().is_empty());
                    }
                    covered = chunk.range.end;
                    let (first, last) = chunk.lines.unwrap();
                    prop_assert!(1 <= first && first <= last && last <= lines, "{first} {last} {lines}");
                }
                prop_assert!(entry.text.as_str()[covered..].trim().is_empty());
            }
        }
    }
}
