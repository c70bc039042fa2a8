//! `MEMORY.md`: what the host loads of it, where it leads, and where work is to be taken up again.

use unicode_normalization::UnicodeNormalization;

use super::link::{is_document, spellings};
use super::markdown::{Lines, Piece, Placed, comments, counted, pieces, without};
use crate::ingest::parse_front_matter;
use crate::text::utf16_len;

/// What an anchor begins with when nothing is to be taken up: so it reads as it is seeded, and nothing in it can get old.
const AT_REST: &str = "Nothing is in progress";

/// What `MEMORY.md` says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemoryIndex {
    /// Lines that the host loads: without front matter, comments, and blank lines at both ends.
    pub lines: u64,
    /// UTF-16 units of these.
    pub units: u64,
    /// The title of the section with the most units, and those.
    pub longest: Option<(String, u64)>,
    /// Links to files, in order.
    pub links: Vec<IndexLink>,
    /// The first section that is headed LATEST.
    pub anchor: Option<IndexAnchor>,
    /// It has a section headed INVARIANTS, as the seeded one has.
    pub has_invariants: bool,
}

/// A link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexLink {
    /// Counted from 1 in the file.
    pub line: u32,
    /// What it can mean as a path, as written first; never empty.
    pub spellings: Vec<String>,
    /// It stands in the anchor.
    pub is_in_anchor: bool,
}

/// Where work is to be taken up again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexAnchor {
    /// The line of its heading, counted from 1 in the file.
    pub line: u32,
    /// The first file that it names, by a link or in a code span: what its path can be.
    pub file: Vec<String>,
    /// It says that nothing is to be taken up.
    pub is_at_rest: bool,
}

/// Reads `MEMORY.md`, given with LF line ends and without a byte order mark.
pub fn parse_memory_index(text: &str) -> MemoryIndex {
    let parts = parse_front_matter(text);
    let body = parts.body;
    let before = usize::try_from(parts.lines_before).unwrap_or_default();
    let hidden = comments(body);
    let sent = without(body, &hidden);
    let sent = sent.trim();
    let all = pieces(body);
    let starts = Lines::of(body);
    let sections = sections(&all, body.len());
    let anchor = sections.iter().find(|section| is_latest(section.title));
    let links = all.iter().filter_map(|placed| {
        let Piece::Link(target) = &placed.piece else { return None };
        let spellings = spellings(target);
        let is_in_anchor = anchor.is_some_and(|anchor| anchor.contains(placed));
        let line = counted(starts.at(placed.range.start) + before);
        (!spellings.is_empty()).then_some(IndexLink { line, spellings, is_in_anchor })
    });
    MemoryIndex {
        lines: count(sent.lines().count()),
        units: count(utf16_len(sent)),
        longest: longest(&sections, body),
        links: links.collect(),
        anchor: anchor.map(|anchor| IndexAnchor {
            line: counted(starts.at(anchor.from) + before),
            file: all.iter().filter(|placed| anchor.contains(placed)).find_map(file_of).unwrap_or_default(),
            is_at_rest: all
                .iter()
                .filter(|placed| anchor.contains(placed) && placed.range.start >= anchor.text_from)
                .find_map(|placed| if let Piece::Text(text) = &placed.piece { Some(text.as_str()) } else { None })
                .is_some_and(|text| text.starts_with(AT_REST)),
        }),
        has_invariants: sections.iter().any(|section| has_word(section.title, "INVARIANTS")),
    }
}

/// The names that a text may hold, for many questions. Upper and lower case and the form of accents make no difference, as
/// on some file systems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Naming {
    folded: String,
}

impl Naming {
    /// Of `text`.
    pub fn of(text: &str) -> Self {
        Self { folded: folded(text) }
    }

    /// Whether the text names the file in any way: as the target of a link, by its name anywhere, or as `[[name]]`.
    pub fn names(&self, file: &str) -> bool {
        let name = folded(file);
        let stem = name.strip_suffix(".md").unwrap_or(&name);
        has_name(&self.folded, &name)
            || name.contains(' ') && has_name(&self.folded, &name.replace(' ', "%20"))
            || ["]]", "|", "#"].iter().any(|end| self.folded.contains(&format!("[[{stem}{end}")))
    }
}

/// Whether `text` has `name` with nothing before or behind it that would make it another one.
fn has_name(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let after = text.get(at + name.len()..).and_then(|after| after.chars().next());
            !before.is_some_and(is_part) && !after.is_some_and(is_part)
        })
}

fn folded(text: &str) -> String {
    text.nfc().flat_map(char::to_lowercase).collect()
}

/// A heading and what stands below it.
struct Section<'p> {
    title: &'p str,
    from: usize,
    text_from: usize,
    to: usize,
}

impl Section<'_> {
    fn contains(&self, placed: &Placed) -> bool {
        (self.from..self.to).contains(&placed.range.start)
    }
}

/// The sections; each ends at the next heading that is not below its own.
fn sections(placed: &[Placed], end: usize) -> Vec<Section<'_>> {
    let mut sections = Vec::new();
    let mut open: Vec<(u8, usize)> = Vec::new();
    for placed in placed {
        let Piece::Heading { level, title } = &placed.piece else { continue };
        while let Some((_, last)) = open.pop_if(|(above, _)| *above >= *level) {
            if let Some(Section { to, .. }) = sections.get_mut(last) {
                *to = placed.range.start;
            }
        }
        open.push((*level, sections.len()));
        sections.push(Section { title, from: placed.range.start, text_from: placed.range.end, to: end });
    }
    sections
}

/// The longest section below the title of the whole.
fn longest(sections: &[Section<'_>], body: &str) -> Option<(String, u64)> {
    let sized = sections.iter().filter(|section| section.to < body.len() || section.from > 0);
    let sized =
        sized.map(|section| (section, count(utf16_len(body.get(section.from..section.to).unwrap_or_default()))));
    sized.max_by_key(|(_, units)| *units).map(|(section, units)| (section.title.to_owned(), units))
}

/// A heading of the anchor: LATEST in capitals among its words, or alone in any case. `Latest Rust` is somebody's topic.
fn is_latest(title: &str) -> bool {
    has_word(title, "LATEST") || title.trim_matches(|c: char| !c.is_alphanumeric()).eq_ignore_ascii_case("latest")
}

fn has_word(title: &str, word: &str) -> bool {
    title.split(|c: char| !c.is_alphanumeric()).any(|part| part == word)
}

fn file_of(placed: &Placed) -> Option<Vec<String>> {
    let paths = match &placed.piece {
        Piece::Link(target) => spellings(target),
        Piece::Code(code) if is_document(code) && !code.contains(char::is_whitespace) => spellings(code),
        _ => Vec::new(),
    };
    (!paths.is_empty()).then_some(paths)
}

fn count(items: usize) -> u64 {
    u64::try_from(items).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_the_host_leaves_out_does_not_count() {
        let index = parse_memory_index(
            "---\nname: x\n---\n\n# Memory\n<!-- ours\nof two lines -->\n- [a](a.md): 日本 😀\n\n\n",
        );
        assert_eq!((index.lines, index.units), (2, 8 + 1 + 18));
        assert_eq!(index.links[0].line, 8);
        assert_eq!(parse_memory_index("").lines, 0);
    }

    #[test]
    fn the_anchor_is_a_section_headed_latest_on_any_level() {
        for heading in
            ["## LATEST", "# ⏯ LATEST", "### Latest", "## LATEST (two days)", "LATEST\n------", "## **LATEST**"]
        {
            let index = parse_memory_index(&format!("# Memory\n\n{heading}\n\nSee [it](now.md).\n"));
            assert_eq!(index.anchor.unwrap().file, ["now.md"], "{heading}");
        }
        for heading in ["## Latest Rust release", "## LATESTS", "## Translatest", "```\n## LATEST\n```"] {
            assert_eq!(parse_memory_index(heading).anchor, None, "{heading}");
        }
    }

    #[test]
    fn the_anchor_ends_where_the_next_section_of_its_level_begins() {
        let text = "## LATEST\n\nNo file.\n\n### Details\n\n`more.md`\n\n## Others\n\n[b](b.md)\n";
        let index = parse_memory_index(text);
        assert_eq!(index.anchor.unwrap().file, ["more.md"]);
        assert!(!index.links[0].is_in_anchor);
    }

    #[test]
    fn an_anchor_as_it_is_seeded_is_at_rest() {
        let seeded = include_str!("../../../../templates/MEMORY.md");
        let index = parse_memory_index(seeded);
        assert!(index.has_invariants && index.anchor.unwrap().is_at_rest);
        assert_eq!(index.links, []);
        assert!(!parse_memory_index("## LATEST\n\nThe pier is half done.\n").anchor.unwrap().is_at_rest);
    }

    #[test]
    fn a_link_is_one_however_it_is_written_and_code_has_none() {
        let text = "[a](a.md \"A\") [b](<b c.md>) [c][r] ![d](d.png) [e](https://example.invalid/e.md) [f](#f)\n\
                    \n[r]: c.md\n\n`[no](no.md)`\n\n~~~\n[no](no.md)\n~~~\n\n<!-- [no](no.md) -->\n";
        let index = parse_memory_index(text);
        let targets: Vec<&str> = index.links.iter().map(|link| link.spellings[0].as_str()).collect();
        assert_eq!(targets, ["a.md", "b c.md", "c.md", "d.png"]);
    }

    #[test]
    fn a_file_is_named_by_a_link_its_name_or_a_wiki_link() {
        for index in
            ["- [A](quay.md): x", "see `quay.md`", "Quay.md says", "[[quay]]", "[[quay|the quay]]", "[a](./quay.md#x)"]
        {
            assert!(Naming::of(index).names("quay.md"), "{index}");
        }
        for index in ["", "the quay", "old_quay.md", "quay.mdx", "[[quays]]"] {
            assert!(!Naming::of(index).names("quay.md"), "{index}");
        }
        assert!(Naming::of("[x](two%20words.md)").names("Two Words.md"));
        assert!(Naming::of("caf\u{e9}.md").names("cafe\u{301}.md"));
    }

    #[test]
    fn a_hostile_index_is_read_in_reasonable_time() {
        let index = parse_memory_index(&"[a](a.md) ".repeat(10_000));
        assert_eq!((index.links.len(), index.lines), (10_000, 1));
        assert_eq!(parse_memory_index(&"x".repeat(1 << 20)).units, 1 << 20);
        for text in ["[".repeat(100_000), "<!--".repeat(50_000), "`".repeat(100_000), "> ".repeat(50_000)] {
            parse_memory_index(&text);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in r"(# |LATEST|\n|<!--|-->|---\n|\[|\]|\(|\)|`{1,3}|a\.md|%2|é|😀|<<<<<<< |=======|>>>>>>> | ){0,60}") {
            let index = parse_memory_index(&text);
            prop_assert!(index.lines <= text.lines().count() as u64);
            prop_assert!(index.units <= utf16_len(&text) as u64);
            prop_assert!(index.links.iter().all(|link| !link.spellings.is_empty()));
            let _ = (Naming::of(&text).names("a.md"), super::super::conflict_line(&text));
        }
    }
}
