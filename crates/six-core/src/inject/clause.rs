//! Clauses: the units in which intent, negation and questions are judged.

use std::ops::Range;

/// A clause and the sort of sentence that it is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Clause {
    /// Its words in lower case, one blank between them. Paths, code and numbers with units are there too, as `\u{0}`:
    /// they take their place and match no word.
    pub(super) text: String,
    /// Where each word starts and ends in `text`.
    pub(super) words: Vec<Range<usize>>,
    /// Whether the sentence ends in a question mark.
    pub(super) question: bool,
    /// Whether it reads like the output of a program: a line of a log or a diff, or mostly paths, numbers and code.
    pub(super) output: bool,
    /// Where it stands.
    pub(super) place: Place,
    /// Whether it opens a point of a list.
    pub(super) listed: bool,
}

/// Marks that end a sentence, and those that end a clause within one.
const ENDS: [char; 8] = ['.', '!', '?', ';', '。', '！', '？', '；'];
const BREAKS: [char; 7] = [',', ':', '，', '、', '：', '(', ')'];

/// Stands for a word that is no word of a language.
pub(crate) const OPAQUE: char = '\u{0}';

/// Where a clause stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Place {
    /// Whether it opens the text.
    pub(super) opens_text: bool,
    /// Whether it opens its sentence.
    pub(super) opens_sentence: bool,
    /// Whether it ends its sentence.
    pub(super) ends_sentence: bool,
}

/// Splits a text, in which code and quotations are already blanked, into clauses. Bounded by the length of the text.
pub(super) fn clauses(text: &str) -> Vec<Clause> {
    let mut found: Vec<Clause> = Vec::new();
    let mut pasted = false;
    for line in text.lines() {
        let start = found.len();
        found.extend(sentences(line).into_iter().flat_map(|(sentence, question)| split(sentence, question)));
        if let Some(opens) = found.get_mut(start) {
            opens.listed = is_point(line);
        }
        // What is indented under a line of output belongs to it.
        pasted = is_output(line) || (pasted && line.starts_with([' ', '\t']));
        if pasted {
            found.iter_mut().skip(start).for_each(|clause| clause.output = true);
        }
    }
    if let Some(opens) = found.first_mut() {
        opens.place.opens_text = true;
    }
    found
}

/// Whether a line is a point of a list: `- …`, `* …`, `• …`, `2. …`, `2) …`.
fn is_point(line: &str) -> bool {
    let line = line.trim_start();
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let marks: &[char] = if rest.len() < line.len() { &['.', ')'] } else { &['-', '*', '•'] };
    rest.strip_prefix(marks).is_some_and(|rest| rest.starts_with(' '))
}

/// How lines of test runners, diffs, shells, stack traces and the client's own screen start.
const OUTPUT: [&str; 29] = [
    "===",
    "--- ",
    "+++ ",
    "@@ ",
    "+  ",
    "+\t",
    "❯",
    "$ ",
    "⎿",
    "⏺",
    "│",
    "create mode ",
    "|",
    "Traceback",
    "File \"",
    "at /",
    "at async",
    "at Object.",
    "error[",
    "warning[",
    "error TS",
    "npm ERR",
    "npm error",
    "goroutine ",
    "panicked at",
    "Caused by",
    "-->",
    "= note",
    "FAIL ",
];

/// What stands in a line of a log or an error and hardly in a sentence.
const IN_OUTPUT: [&str; 9] =
    ["Error: ", "Exception: ", "Exception in ", "Warning: ", " ERROR ", " WARN ", " INFO ", " DEBUG ", "panic: "];

/// Between the columns of a table.
const COLUMN: &str = "    ";

fn is_output(line: &str) -> bool {
    let line = line.trim();
    line.contains(COLUMN)
        || OUTPUT.iter().any(|start| line.starts_with(start))
        || IN_OUTPUT.iter().any(|mark| line.contains(mark))
}

/// The sentences of a line, and whether each is a question. A full stop within a word (`main.rs`, `v1.2`) ends none.
fn sentences(line: &str) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, c) in line.char_indices() {
        let after = at + c.len_utf8();
        let ends = ENDS.contains(&c) && (!c.is_ascii() || line.get(after..).is_none_or(opens_gap));
        if ends {
            found.push((line.get(start..at).unwrap_or_default(), matches!(c, '?' | '？')));
            start = after;
        }
    }
    found.push((line.get(start..).unwrap_or_default(), false));
    found
}

fn opens_gap(rest: &str) -> bool {
    rest.chars()
        .next()
        .is_none_or(|c| c.is_whitespace() || is_dense(c) || ENDS.contains(&c) || matches!(c, ')' | '"' | '\''))
}

fn split(sentence: &str, question: bool) -> Vec<Clause> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, c) in sentence.char_indices() {
        let after = at + c.len_utf8();
        let rest = sentence.get(after..).unwrap_or_default();
        let arrow = c == '-' && rest.starts_with("> ");
        let dash =
            matches!(c, '-' | '–' | '—' | '/' | '→') && (arrow || rest.starts_with(' ')) && before_gap(sentence, at);
        if dash || (BREAKS.contains(&c) && (!c.is_ascii() || matches!(c, '(' | ')') || opens_gap(rest))) {
            found.extend(clause(sentence.get(start..at).unwrap_or_default(), question));
            start = after;
        }
    }
    found.extend(clause(sentence.get(start..).unwrap_or_default(), question));
    if let Some(first) = found.first_mut() {
        first.place.opens_sentence = true;
    }
    if let Some(last) = found.last_mut() {
        last.place.ends_sentence = true;
    }
    found
}

fn before_gap(text: &str, at: usize) -> bool {
    text.get(..at).is_none_or(|before| before.is_empty() || before.ends_with(' '))
}

fn clause(text: &str, question: bool) -> Option<Clause> {
    let mut out = Clause {
        text: String::with_capacity(text.len()),
        words: Vec::new(),
        question,
        output: false,
        place: Place::default(),
        listed: false,
    };
    for raw in text.split_whitespace() {
        let word = raw.trim_matches(|c: char| !c.is_alphanumeric());
        if word.is_empty() && !raw.contains(OPAQUE) {
            continue;
        }
        if !out.text.is_empty() {
            out.text.push(' ');
        }
        let start = out.text.len();
        let plain = word.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'));
        if !word.is_empty() && plain || word.len() == 1 || word.chars().any(is_dense) {
            out.text.extend(word.chars().flat_map(char::to_lowercase).map(|c| if c == '’' { '\'' } else { c }));
        } else {
            out.text.push(OPAQUE);
        }
        out.words.push(start..out.text.len());
    }
    let opaque = out.text.chars().filter(|c| *c == OPAQUE).count();
    out.output = out.words.len() >= MIN_OUTPUT_WORDS && opaque * 2 >= out.words.len();
    (!out.words.is_empty()).then_some(out)
}

/// Words from which a clause can be told from a short mention of a file.
const MIN_OUTPUT_WORDS: usize = 4;

/// Chinese, Japanese, Korean: words and numbers stand without a blank between them.
pub(super) const fn is_dense(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3131}'..='\u{318e}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<(String, bool)> {
        clauses(text).into_iter().map(|clause| (clause.text, clause.question)).collect()
    }

    #[test]
    fn sentences_and_commas_part_clauses_and_a_dot_in_a_name_does_not() {
        let expected = [("yes", false), ("fix \0", false), ("is it slow", true), ("don't know", false)];
        assert_eq!(texts("Yes, fix main.rs. Is it slow? Don’t know"), expected.map(|(t, q)| (t.to_owned(), q)));
    }

    #[test]
    fn what_is_no_word_keeps_its_place() {
        assert_eq!(texts("move src/a_b to c-d v2"), [("move \0 to c-d \0".to_owned(), false)]);
    }

    #[test]
    fn the_marks_of_chinese_count() {
        assert_eq!(texts("先看看，行吗？好。"), [("先看看".into(), true), ("行吗".into(), true), ("好".into(), false)]);
    }

    #[test]
    fn nothing_gives_no_clause() {
        assert_eq!(texts(" ... ?! \n\n"), []);
    }
}
