//! Where the sections of a document begin.

/// How a document marks its headings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Markup {
    /// `.md`, `.markdown`, `.mdx`
    Markdown,
    /// `.rst`
    ReStructuredText,
    /// `.adoc`, `.asciidoc`
    AsciiDoc,
    /// `.txt`, and files without an extension that are called README and the like: no headings.
    Plain,
}

impl Markup {
    /// The markup of a document by its name; `None` if it is no document.
    pub fn of_path(path: &str) -> Option<Self> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
        match name.rsplit_once('.').map(|(_, extension)| extension) {
            Some("md" | "markdown" | "mdx") => Some(Self::Markdown),
            Some("rst") => Some(Self::ReStructuredText),
            Some("adoc" | "asciidoc") => Some(Self::AsciiDoc),
            Some("txt") => Some(Self::Plain),
            None => {
                matches!(name.as_str(), "readme" | "changelog" | "contributing" | "architecture" | "notes" | "todo")
                    .then_some(Self::Plain)
            }
            Some(_) => None,
        }
    }
}

/// A heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Heading<'a> {
    /// Line on which its section begins, counted from 0: a line above a reStructuredText title belongs to it.
    pub(super) line: usize,
    /// 1 is the highest.
    pub(super) level: usize,
    /// Without marks.
    pub(super) title: &'a str,
}

/// The headings of `text` in order. What stands in a code or literal block is none.
pub(super) fn headings(markup: Markup, text: &str) -> Vec<Heading<'_>> {
    let lines: Vec<&str> = text.lines().collect();
    match markup {
        Markup::Markdown => markdown(&lines),
        Markup::ReStructuredText => restructured_text(&lines),
        Markup::AsciiDoc => asciidoc(&lines),
        Markup::Plain => Vec::new(),
    }
}

fn markdown<'a>(lines: &[&'a str]) -> Vec<Heading<'a>> {
    let mut headings = Vec::new();
    let mut fence: Option<&str> = None;
    let mut is_comment = false;
    let mut paragraph = Paragraph::None;
    for (at, line) in lines.iter().enumerate() {
        let content = line.trim();
        if let Some(open) = fence {
            if closes_fence(open, content) {
                fence = None;
            }
            continue;
        }
        let before = std::mem::replace(&mut paragraph, Paragraph::None);
        if is_comment || content.starts_with("<!--") {
            is_comment = !content.contains("-->");
            continue;
        }
        // Four blanks make a code block, except where a paragraph goes on.
        let is_indented = line.starts_with("    ") || line.starts_with('\t');
        if let Some(open) = fence_of(content) {
            fence = Some(open);
        } else if let Some((level, title)) = atx(content).filter(|_| !is_indented) {
            headings.push(Heading { line: at, level, title });
        } else if let (Paragraph::OneLine(from, title), Some(level)) =
            (&before, setext(content).filter(|_| !is_indented))
        {
            headings.push(Heading { line: *from, level, title });
        } else if !content.is_empty() {
            let is_block = is_indented || content.starts_with(['>', '|', '-', '*', '+']);
            let is_first = matches!(before, Paragraph::None) && !is_block;
            paragraph = if is_first { Paragraph::OneLine(at, content) } else { Paragraph::Longer };
        }
    }
    headings
}

/// The paragraph above a line. Only one of a single line can be a title: of a longer one nobody means all of it.
enum Paragraph<'a> {
    None,
    OneLine(usize, &'a str),
    Longer,
}

/// The run of backticks or tildes that opens a fence.
fn fence_of(content: &str) -> Option<&str> {
    ['`', '~'].into_iter().find_map(|mark| {
        let run = content.len() - content.trim_start_matches(mark).len();
        let is_inline = mark == '`' && content.get(run..).is_some_and(|info| info.contains('`'));
        (run >= 3 && !is_inline).then(|| content.get(..run)).flatten()
    })
}

fn closes_fence(open: &str, content: &str) -> bool {
    content.starts_with(open) && open.chars().next().is_some_and(|mark| content.chars().all(|c| c == mark))
}

fn atx(content: &str) -> Option<(usize, &str)> {
    let rest = content.trim_start_matches('#');
    let level = content.len() - rest.len();
    let is_heading = (1..=6).contains(&level) && (rest.is_empty() || rest.starts_with([' ', '\t']));
    let title = rest.trim();
    let unclosed = title.trim_end_matches('#');
    let title = if unclosed.is_empty() || unclosed.ends_with([' ', '\t']) { unclosed.trim_end() } else { title };
    is_heading.then_some((level, title))
}

fn setext(content: &str) -> Option<usize> {
    let is_all = |mark| !content.is_empty() && content.chars().all(|c| c == mark);
    if is_all('=') { Some(1) } else { (is_all('-') && content.len() >= 2).then_some(2) }
}

/// A title is underlined, and perhaps overlined, by one repeated punctuation mark at least as long as itself. Levels are
/// in the order in which the marks first appear.
fn restructured_text<'a>(lines: &[&'a str]) -> Vec<Heading<'a>> {
    let mut headings = Vec::new();
    let mut marks: Vec<(char, bool)> = Vec::new();
    for (at, pair) in lines.windows(2).enumerate() {
        let [title, below] = pair else { continue };
        let Some(mark) = rule_of(below).filter(|_| rule_of(title).is_none()) else { continue };
        let text = title.trim();
        if text.is_empty() || below.trim_end().len() < text.chars().count().min(4) {
            continue;
        }
        let above = at.checked_sub(1).and_then(|above| lines.get(above)).and_then(|above| rule_of(above));
        let is_over = above == Some(mark);
        // Without a line above, an indented text is a block quote or a literal.
        if title.starts_with([' ', '\t']) && !is_over {
            continue;
        }
        let place = marks.iter().position(|seen| *seen == (mark, is_over)).unwrap_or_else(|| {
            marks.push((mark, is_over));
            marks.len() - 1
        });
        headings.push(Heading { line: at - usize::from(is_over), level: place + 1, title: text });
    }
    headings
}

fn rule_of(line: &str) -> Option<char> {
    let line = line.trim_end();
    let mark = line.chars().next().filter(char::is_ascii_punctuation)?;
    (line.len() >= 3 && line.chars().all(|c| c == mark)).then_some(mark)
}

fn asciidoc<'a>(lines: &[&'a str]) -> Vec<Heading<'a>> {
    let mut headings = Vec::new();
    let mut block: Option<&str> = None;
    for (at, line) in lines.iter().enumerate() {
        let content = line.trim_end();
        match block {
            Some(open) => {
                if content == open {
                    block = None;
                }
            }
            None if matches!(rule_of(content), Some('-' | '.' | '+' | '/')) && content.len() >= 4 => {
                block = Some(content);
            }
            None => {
                let title = content.trim_start_matches('=');
                let level = content.len() - title.len();
                if (1..=6).contains(&level) && title.starts_with(' ') {
                    headings.push(Heading { line: at, level, title: title.trim() });
                }
            }
        }
    }
    headings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(markup: Markup, text: &str) -> Vec<String> {
        headings(markup, text).iter().map(|h| format!("{}:{} {}", h.line, "#".repeat(h.level), h.title)).collect()
    }

    #[test]
    fn markdown_headings_are_found_and_code_is_left_alone() {
        let text = "# A\n```sh\n# no\n```\n## B ##\n~~~~\n```\n# no\n~~~\n~~~~\n    # no\n<!--\n# no\n-->\nTitle\n=====\ntext\nSub\n---\n\nSub 2\n---\n#no\n####### no\n";
        assert_eq!(outline(Markup::Markdown, text), ["0:# A", "4:## B", "14:# Title", "20:## Sub 2"]);
    }

    #[test]
    fn a_fence_that_is_never_closed_hides_the_rest_and_nothing_before() {
        assert_eq!(outline(Markup::Markdown, "# A\n```\n# no\n"), ["0:# A"]);
        assert_eq!(outline(Markup::Markdown, "```inline``` text\n# A\n"), ["1:# A"]);
    }

    #[test]
    fn restructured_text_levels_follow_their_order() {
        let text = "=====\nTitle\n=====\n\nOne\n===\n\ntext\n\nTwo\n~~~\n\nThree\n=====\n";
        assert_eq!(outline(Markup::ReStructuredText, text), ["0:# Title", "4:## One", "9:### Two", "12:## Three"]);
    }

    #[test]
    fn asciidoc_listings_are_left_alone() {
        assert_eq!(outline(Markup::AsciiDoc, "= A\n----\n== no\n----\n== B\n"), ["0:# A", "4:## B"]);
    }

    #[test]
    fn documents_are_told_by_their_names() {
        assert_eq!(Markup::of_path("docs/A.MD"), Some(Markup::Markdown));
        assert_eq!(Markup::of_path("README"), Some(Markup::Plain));
        assert_eq!(Markup::of_path("src/main.rs"), None);
        assert_eq!(Markup::of_path("Makefile"), None);
    }
}
