//! The screen that results go to: how wide it is, and whether it shows bold.

use std::borrow::Cow;
use std::ops::Range;

use console::{Style, Term, measure_text_width};

/// What stdout can show. Text for a pipe or a file is neither folded nor marked.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Screen {
    columns: Option<usize>,
    is_bold: bool,
}

impl Screen {
    /// That of this process. `NO_COLOR` takes the marks away, not the folding.
    pub(crate) fn of_stdout() -> Self {
        let term = Term::stdout();
        let columns = term.size_checked().filter(|_| term.is_term()).map(|(_, columns)| usize::from(columns));
        Self { columns, is_bold: term.is_term() && term.features().colors_supported() }
    }

    /// Whether it shows colour and bold.
    pub(crate) const fn has_colour(&self) -> bool {
        self.is_bold
    }

    /// The text with these ranges of it (ascending, apart) in bold.
    pub(crate) fn mark<'a>(&self, text: &'a str, ranges: &[Range<usize>]) -> Cow<'a, str> {
        if !self.is_bold || ranges.is_empty() {
            return Cow::Borrowed(text);
        }
        let bold = Style::new().bold().force_styling(true);
        let piece = |range: Range<usize>| text.get(range).unwrap_or_default();
        let mut marked = String::with_capacity(text.len() + ranges.len() * 8);
        let mut at = 0;
        for range in ranges {
            marked.push_str(piece(at..range.start));
            marked.push_str(&bold.apply_to(piece(range.clone())).to_string());
            at = range.end;
        }
        marked.push_str(piece(at..text.len()));
        Cow::Owned(marked)
    }

    /// The text with its long lines folded at spaces. What is folded hangs below the line's last column (two spaces set
    /// columns apart). A word that is wider than the screen, such as a path, stays whole.
    pub(crate) fn fold<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let Some(columns) = self.columns.filter(|&columns| text.lines().any(|line| measure_text_width(line) > columns))
        else {
            return Cow::Borrowed(text);
        };
        Cow::Owned(text.lines().map(|line| fold_line(line, columns)).collect::<Vec<_>>().join("\n"))
    }
}

fn fold_line(line: &str, columns: usize) -> String {
    let width = measure_text_width;
    if width(line) <= columns {
        return line.to_owned();
    }
    let (lead, rest) = line.split_at(hang_at(line, columns));
    let hang = " ".repeat(width(lead));
    let (mut folded, mut used) = (lead.to_owned(), width(lead));
    for (n, word) in rest.split(' ').enumerate() {
        let is_full = used + 1 + width(word) > columns && used > hang.len();
        if is_full {
            folded.push('\n');
            folded.push_str(&hang);
            used = hang.len();
        } else if n > 0 {
            folded.push(' ');
            used += 1;
        }
        folded.push_str(word);
        used += width(word);
    }
    folded
}

/// Where the last column begins: behind the last two spaces in the line's first half.
fn hang_at(line: &str, columns: usize) -> usize {
    line.match_indices("  ")
        .map(|(at, gap)| at + gap.len())
        .take_while(|&at| line.get(..at).is_some_and(|lead| measure_text_width(lead) <= columns / 2))
        .last()
        .map_or(0, |at| line.len() - line.get(at..).unwrap_or_default().trim_start_matches(' ').len())
}

#[cfg(test)]
impl Screen {
    /// One of any width that shows bold.
    pub(crate) const fn bold() -> Self {
        Self { columns: None, is_bold: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NARROW: Screen = Screen { columns: Some(30), is_bold: true };

    #[test]
    fn a_long_line_hangs_below_its_last_column() {
        insta::assert_snapshot!(NARROW.fold("  note      this file is yours and stays as it is\nshort"), @"
          note      this file is yours
                    and stays as it is
        short
        ");
        insta::assert_snapshot!(NARROW.fold("plain words that go on and on over the edge"), @"
        plain words that go on and on
        over the edge
        ");
    }

    #[test]
    fn wide_characters_take_two_columns_and_marks_none() {
        insta::assert_snapshot!(NARROW.fold("    数据库 迁移 数据库 迁移 数据库 迁移"), @"
        数据库 迁移 数据库 迁移
        数据库 迁移
        ");
        let marked = NARROW.mark("    one two three four five six", &[4..7, 28..31]);
        assert_eq!(NARROW.fold(&marked), "    \u{1b}[1mone\u{1b}[0m two three four five\n    \u{1b}[1msix\u{1b}[0m");
    }

    #[test]
    fn a_path_stays_whole() {
        let path = "/a/path/that/is/wider/than/the/screen";
        assert_eq!(NARROW.fold(&format!("store  {path} (new)")), format!("store  {path}\n       (new)"));
    }

    #[test]
    fn a_pipe_gets_the_text_as_it_is() {
        let text = "a line that is much wider than thirty columns";
        assert_eq!(Screen::default().fold(text), text);
        assert_eq!(Screen::default().mark(text, &[0..1, 2..6]), text);
    }
}
