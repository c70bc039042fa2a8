//! A Markdown text as a flat run of pieces with their lines.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd, TextMergeWithOffset};

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// A heading: level from 1, its words.
    Heading {
        /// 1 is the highest.
        level: u8,
        /// Without marks.
        title: String,
    },
    /// Words outside code.
    Text(String),
    /// A code span.
    Code(String),
    /// A code block.
    Block {
        /// What stands behind its fence; empty for an indented one.
        info: String,
        /// Its lines.
        text: String,
    },
    /// Where a link or an image leads.
    Link(String),
    /// `<...>` that is no link: a tag, a comment.
    Html(String),
}

/// A piece and where it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placed {
    /// What.
    pub(super) piece: Piece,
    /// Its bytes in the text.
    pub(super) range: Range<usize>,
}

/// The pieces of `text` in order.
pub(super) fn pieces(text: &str) -> Vec<Placed> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut pieces = Vec::new();
    let mut heading: Option<(u8, String, usize)> = None;
    let mut block: Option<(String, String, Range<usize>)> = None;
    for (event, range) in TextMergeWithOffset::new(Parser::new_ext(text, options).into_offset_iter()) {
        let mut put = |piece| pieces.push(Placed { piece, range: range.clone() });
        match event {
            Event::Start(Tag::Heading { level, .. }) => heading = Some((level as u8, String::new(), range.start)),
            Event::End(TagEnd::Heading(_)) => {
                if let Some((level, title, _)) = heading.take() {
                    put(Piece::Heading { level, title });
                }
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                let info = match kind {
                    CodeBlockKind::Fenced(info) => info.into_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                block = Some((info, String::new(), range));
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some((info, text, range)) = block.take() {
                    pieces.push(Placed { piece: Piece::Block { info, text }, range });
                }
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                put(Piece::Link(dest_url.into_string()));
            }
            Event::Text(words) => {
                if let Some((_, text, _)) = &mut block {
                    text.push_str(&words);
                } else {
                    if let Some((_, title, _)) = &mut heading {
                        title.push_str(&words);
                    }
                    put(Piece::Text(words.into_string()));
                }
            }
            Event::Code(code) => {
                if let Some((_, title, _)) = &mut heading {
                    title.push_str(&code);
                }
                put(Piece::Code(code.into_string()));
            }
            Event::Html(html) | Event::InlineHtml(html) => put(Piece::Html(html.into_string())),
            _ => (),
        }
    }
    pieces
}

/// The lines of a text, for bytes that come in any order.
pub(super) struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    /// Of `text`.
    pub(super) fn of(text: &str) -> Self {
        Self {
            starts: std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1)).collect(),
        }
    }

    /// The line of the byte at `at`, counted from 0.
    pub(super) fn at(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at).saturating_sub(1)
    }
}

/// A line counted from 0 as a person counts it.
pub(super) fn counted(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX).saturating_add(1)
}

/// Where the comments of `text` stand outside code: each from `<!--` to its `-->`. One that is never closed is none. A
/// comment that has its lines to itself takes their line ends with it.
pub(super) fn comments(text: &str) -> Vec<Range<usize>> {
    if !text.contains("<!--") {
        return Vec::new();
    }
    let code: Vec<Range<usize>> = pieces(text)
        .into_iter()
        .filter(|placed| matches!(placed.piece, Piece::Code(_) | Piece::Block { .. }))
        .map(|placed| placed.range)
        .collect();
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text.get(from..).and_then(|rest| rest.find("<!--")).map(|at| from + at) {
        if let Some(inside) = code.iter().find(|range| range.contains(&start)) {
            from = inside.end;
            continue;
        }
        let Some(end) = text.get(start..).and_then(|rest| rest.find("-->")).map(|at| start + at + 3) else { break };
        found.push(with_line_end(text, start..end));
        from = end;
    }
    found
}

fn with_line_end(text: &str, comment: Range<usize>) -> Range<usize> {
    let is_first = text.get(..comment.start).is_some_and(|before| before.is_empty() || before.ends_with('\n'));
    let is_last = text.get(comment.end..).is_some_and(|after| after.starts_with('\n'));
    if is_first && is_last { comment.start..comment.end + 1 } else { comment }
}

/// `text` without these ranges, which are in order and apart.
pub(super) fn without(text: &str, ranges: &[Range<usize>]) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for range in ranges {
        kept.push_str(text.get(from..range.start).unwrap_or_default());
        from = range.end;
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(text: &str) -> String {
        without(text, &comments(text))
    }

    #[test]
    fn comments_go_with_the_lines_that_they_fill_and_stay_in_code() {
        assert_eq!(sent("a\n<!-- one -->\nb <!-- two\nlines --> c\n"), "a\nb  c\n");
        let code = "`<!-- x -->`\n\n```\n<!-- y -->\n```\n";
        assert_eq!(sent(code), code);
        assert_eq!(sent("a <!-- never closed\nb"), "a <!-- never closed\nb");
    }

    #[test]
    fn links_code_and_headings_are_told_apart() {
        let text = "# A `b`\n\n[x](y.md) `z.md`\n\n```sh\n[no](link.md)\n```\n";
        let found: Vec<Piece> = pieces(text).into_iter().map(|placed| placed.piece).collect();
        assert!(found.contains(&Piece::Heading { level: 1, title: "A b".into() }));
        assert!(found.contains(&Piece::Link("y.md".into())));
        assert!(found.contains(&Piece::Code("z.md".into())));
        assert!(found.contains(&Piece::Block { info: "sh".into(), text: "[no](link.md)\n".into() }));
        assert_eq!(found.iter().filter(|piece| matches!(piece, Piece::Link(_))).count(), 1);
    }
}
