//! The text of a git config file: which value a key has, and the smallest edits that set and take away ours.
//!
//! Read literally: the last value wins, includes are not followed. The grammar is git's own (`git-config(1)`, Syntax):
//! sections and keys without case, `"quotes"`, backslash escapes, continued lines, `#` and `;` comments, CRLF, a BOM.

use six_core::record::ProjectId;
use std::ops::Range;

const SECTION: &[u8] = b"six";
const KEY: &[u8] = b"id";

/// A line that git would refuse, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("line {line} is no git configuration")]
pub struct BadLine {
    /// The line.
    pub line: usize,
}

/// A replacement in a text; its undoing is exact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Splice {
    pub(crate) at: usize,
    pub(crate) removed: Vec<u8>,
    pub(crate) inserted: Vec<u8>,
}

impl Splice {
    pub(crate) fn apply(&self, text: &[u8]) -> Vec<u8> {
        splice(text, self.at..self.at + self.removed.len(), &self.inserted)
    }

    pub(crate) fn undo(&self, text: &[u8]) -> Vec<u8> {
        splice(text, self.at..self.at + self.inserted.len(), &self.removed)
    }
}

fn splice(text: &[u8], range: Range<usize>, by: &[u8]) -> Vec<u8> {
    let head = text.get(..range.start).unwrap_or(text);
    let tail = text.get(range.end..).unwrap_or_default();
    [head, by, tail].concat()
}

/// The last value of `six.id`, as it stands there. Lines that git would refuse are passed over: a broken file is the
/// user's to repair, and until then the project is still the same one.
pub(crate) fn parse_id(config: &[u8]) -> Option<Vec<u8>> {
    parse(config).entries.into_iter().rev().find(Entry::is_id).map(|entry| entry.value.unwrap_or_default())
}

/// The edit that makes `id` the value of `six.id`; `None` if it is already. A value that is there is replaced where it
/// stands, else a section of our own is appended with the file's line ends.
pub(crate) fn plan_set_id(config: &[u8], id: &ProjectId) -> Result<Option<Splice>, BadLine> {
    let parsed = parse(config);
    if let Some(line) = parsed.bad_line {
        return Err(BadLine { line });
    }
    let inserted = id.as_str().as_bytes().to_vec();
    let splice = match parsed.entries.iter().rev().find(|entry| entry.is_id()) {
        Some(Entry { value: Some(value), .. }) if *value == inserted => return Ok(None),
        Some(Entry { value: Some(_), value_at, .. }) => {
            let removed = config.get(value_at.clone()).unwrap_or_default().to_vec();
            Splice { at: value_at.start, removed, inserted }
        }
        _ => Splice { at: config.len(), removed: Vec::new(), inserted: new_section(config, id) },
    };
    // A last line that ends in a backslash would swallow what is appended.
    let takes_effect = parse_id(&splice.apply(config)).as_deref() == Some(id.as_str().as_bytes());
    if takes_effect { Ok(Some(splice)) } else { Err(BadLine { line: config.split(|byte| *byte == b'\n').count() }) }
}

fn new_section(config: &[u8], id: &ProjectId) -> Vec<u8> {
    let end = if config.windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" };
    let first = if config.is_empty() || config.ends_with(b"\n") { "" } else { end };
    format!("{first}[six]{end}\tid = {id}{end}").into_bytes()
}

/// The text without every `six.id` that equals `id`, and without a section that held nothing else.
pub(crate) fn cut_id(config: &[u8], id: &ProjectId) -> Vec<u8> {
    let entries = parse(config).entries;
    let mut text = config.to_vec();
    for entry in entries.iter().rev().filter(|entry| entry.is_id()) {
        if entry.value.as_deref() == Some(id.as_str().as_bytes()) {
            let alone = entries.iter().filter(|other| other.section.header == entry.section.header).count() == 1;
            text = splice(&text, entry.cut(config, alone), b"");
        }
    }
    text
}

struct Entry {
    section: Section,
    /// Lower case.
    key: Vec<u8>,
    /// `None`: the key stands alone, which git reads as true.
    value: Option<Vec<u8>>,
    /// Where the value stands, quotes included.
    value_at: Range<usize>,
    /// From the key to the end of the (continued) line, line end included.
    line: Range<usize>,
}

impl Entry {
    fn is_id(&self) -> bool {
        self.section.name == SECTION && self.key == KEY
    }

    /// What to remove with this entry: its line, and its header when nothing else needs that.
    fn cut(&self, config: &[u8], alone_in_section: bool) -> Range<usize> {
        let blank =
            |range: Range<usize>| config.get(range).is_some_and(|text| text.iter().all(u8::is_ascii_whitespace));
        let line_start = |at: usize| {
            let before = config.get(..at).unwrap_or_default();
            let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
            if blank(start..at) { start } else { at }
        };
        if alone_in_section && blank(self.section.header.end..self.line.start) {
            return line_start(self.section.header.start)..self.line.end;
        }
        let start = line_start(self.line.start);
        // Behind a header on the same line the line end must stay.
        let behind_header = start == self.line.start && start > 0 && config.get(start - 1) != Some(&b'\n');
        let text = config.get(self.line.clone()).unwrap_or_default();
        let line_end = if behind_header { text.len() - text.trim_ascii_end().len() } else { 0 };
        start..self.line.end - line_end
    }
}

#[derive(Default)]
struct Parsed {
    entries: Vec<Entry>,
    bad_line: Option<usize>,
}

fn parse(config: &[u8]) -> Parsed {
    let mut parsed = Parsed::default();
    let mut scan = Scan { text: config, at: if config.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 } };
    let mut section = Section::default();
    while let Some(byte) = scan.peek() {
        let start = scan.at;
        let understood = match byte {
            b'#' | b';' => {
                scan.skip_line();
                true
            }
            byte if byte.is_ascii_whitespace() => {
                scan.at += 1;
                true
            }
            b'[' => scan.header().map(|name| section = Section { name, header: start..scan.at }).is_some(),
            _ => scan.entry(&section).map(|entry| parsed.entries.push(entry)).is_some(),
        };
        if !understood {
            let lines = config.get(..start).unwrap_or_default().split(|byte| *byte == b'\n').count();
            parsed.bad_line.get_or_insert(lines);
            scan.at = start;
            scan.skip_line();
        }
    }
    parsed
}

#[derive(Clone, Default)]
struct Section {
    /// Lower case; a subsection follows after a dot, as it is written.
    name: Vec<u8>,
    /// Where its header stands, from the bracket to the bracket.
    header: Range<usize>,
}

/// A cursor over the text. A function that returns `None` met something that git refuses.
struct Scan<'a> {
    text: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// The next character; a CR before LF is part of the line end, and the end of the text ends a line too.
    fn next(&mut self) -> u8 {
        let byte = self.peek().unwrap_or(b'\n');
        self.at = (self.at + 1).min(self.text.len());
        if byte == b'\r' && self.peek() == Some(b'\n') {
            self.at += 1;
            return b'\n';
        }
        byte
    }

    fn skip_line(&mut self) {
        while self.next() != b'\n' {}
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    fn header(&mut self) -> Option<Vec<u8>> {
        self.at += 1;
        let mut name = Vec::new();
        loop {
            match self.next() {
                b']' => return Some(name),
                b' ' | b'\t' => return self.subsection(name),
                byte if byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.' => {
                    name.push(byte.to_ascii_lowercase());
                }
                _ => return None,
            }
        }
    }

    fn subsection(&mut self, mut name: Vec<u8>) -> Option<Vec<u8>> {
        self.skip_blanks();
        if self.next() != b'"' {
            return None;
        }
        name.push(b'.');
        loop {
            match self.next() {
                b'"' => return (self.next() == b']').then_some(name),
                b'\n' => return None,
                b'\\' => match self.next() {
                    b'\n' => return None,
                    byte => name.push(byte),
                },
                byte => name.push(byte),
            }
        }
    }

    fn entry(&mut self, section: &Section) -> Option<Entry> {
        let start = self.at;
        let mut key = Vec::new();
        while let Some(byte) = self.peek().filter(|byte| byte.is_ascii_alphanumeric() || *byte == b'-') {
            key.push(byte.to_ascii_lowercase());
            self.at += 1;
        }
        if !key.first()?.is_ascii_alphabetic() {
            return None;
        }
        self.skip_blanks();
        let end = self.at;
        let (value, value_at) = match self.next() {
            b'\n' => (None, end..end),
            b'=' => {
                self.skip_blanks();
                let (value, value_at) = self.value()?;
                (Some(value), value_at)
            }
            _ => return None,
        };
        Some(Entry { section: section.clone(), key, value, value_at, line: start..self.at })
    }

    fn value(&mut self) -> Option<(Vec<u8>, Range<usize>)> {
        let start = self.at;
        let mut value = Vec::new();
        // Blanks at the end, or before a comment, are not part of the value.
        let (mut kept, mut end) = (0, start);
        let mut quoted = false;
        loop {
            match self.next() {
                b'\n' if quoted => return None,
                b'\n' => break,
                b'#' | b';' if !quoted => {
                    self.skip_line();
                    break;
                }
                b'"' => quoted = !quoted,
                b'\\' => match self.next() {
                    b'\n' => continue,
                    b't' => value.push(b'\t'),
                    b'b' => value.push(8),
                    b'n' => value.push(b'\n'),
                    byte @ (b'\\' | b'"') => value.push(byte),
                    _ => return None,
                },
                byte if byte.is_ascii_whitespace() && !quoted => {
                    value.push(byte);
                    continue;
                }
                byte => value.push(byte),
            }
            (kept, end) = (value.len(), self.at);
        }
        value.truncate(kept);
        Some((value, start..end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::process::Command;

    const A: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaa";
    const B: &str = "bbbbbbbbbbbbbbbbbbbbbbbbbb";

    fn id(text: &str) -> ProjectId {
        ProjectId::parse(text).unwrap()
    }

    fn read(config: &str) -> Option<String> {
        parse_id(config.as_bytes()).map(|value| String::from_utf8(value).unwrap())
    }

    fn set(config: &str, to: &str) -> String {
        let edit = plan_set_id(config.as_bytes(), &id(to)).unwrap().unwrap();
        let after = edit.apply(config.as_bytes());
        assert_eq!(edit.undo(&after), config.as_bytes(), "undoing is exact");
        String::from_utf8(after).unwrap()
    }

    fn cut(config: &str, what: &str) -> String {
        String::from_utf8(cut_id(config.as_bytes(), &id(what))).unwrap()
    }

    const READABLE: &[(&str, Option<&str>)] = &[
        ("", None),
        ("[six]\n\tid = one\n", Some("one")),
        ("[SIX]\n\tId=one", Some("one")),
        ("[six] id = one\n", Some("one")),
        ("\u{feff}[six]\nid = one\n", Some("one")),
        ("[six]\r\n\tid = one\r\n", Some("one")),
        ("[six]\nid = one\n[core]\nbare = false\n[six]\nid = two\n", Some("two")),
        ("[six]\nid = \"one\" # why\n", Some("one")),
        ("[six]\nid = one ; why\n", Some("one")),
        ("[six]\nid = \"a;b\"\n", Some("a;b")),
        ("[six]\nid = o\\\nne  \n", Some("one")),
        ("[six]\nid = a  b\t\n", Some("a  b")),
        ("[six]\n# id = no\n; id = no\n", None),
        ("[six \"sub\"]\nid = no\n", None),
        ("[six.sub]\nid = no\n", None),
        ("[sixth]\nid = no\n", None),
        ("[six]\nid\n", Some("")),
        ("[six]\nid =\n", Some("")),
        ("[alias]\n\tx = \"!f() { echo [six]; }; f\"\n[a \"]\\\"[\"]\nid = no\n", None),
    ];

    #[test]
    fn reads_what_git_reads() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("config");
        for (config, value) in READABLE {
            assert_eq!(read(config).as_deref(), *value, "{config:?}");
            std::fs::write(&path, config).unwrap();
            let git = Command::new("git").args(["config", "--file"]).arg(&path).args(["--get", "six.id"]).output();
            let git = git.unwrap();
            let by_git = String::from_utf8(git.stdout).unwrap().trim_end_matches('\n').to_owned();
            assert_eq!(by_git, value.unwrap_or_default(), "{config:?} {:?}", git.stderr);
        }
    }

    #[test]
    fn includes_are_not_followed() {
        assert_eq!(read("[include]\n\tpath = other\n"), None);
    }

    #[test]
    fn a_broken_line_hides_nothing_when_reading_and_forbids_editing() {
        let config = "[core]\n\t= what\n[six]\n\tid = one\n";
        assert_eq!(read(config).as_deref(), Some("one"));
        assert_eq!(plan_set_id(config.as_bytes(), &id(A)), Err(BadLine { line: 2 }));
        assert_eq!(plan_set_id(b"[core]\n\tpager = less \\", &id(A)), Err(BadLine { line: 2 }));
    }

    #[test]
    fn a_section_of_our_own_is_appended_in_the_files_manner() {
        assert_eq!(set("", A), format!("[six]\n\tid = {A}\n"));
        assert_eq!(set("[core]\n\tbare = false\n", A), format!("[core]\n\tbare = false\n[six]\n\tid = {A}\n"));
        assert_eq!(set("[core]\n\tbare = false", A), format!("[core]\n\tbare = false\n[six]\n\tid = {A}\n"));
        assert_eq!(set("[core]\r\n", A), format!("[core]\r\n[six]\r\n\tid = {A}\r\n"));
    }

    #[test]
    fn the_last_value_is_replaced_where_it_stands() {
        let config = format!("[six]\n\tid = \"{A}\"  # mine\n[core]\n");
        assert_eq!(set(&config, B), format!("[six]\n\tid = {B}  # mine\n[core]\n"));
        assert_eq!(plan_set_id(config.as_bytes(), &id(A)), Ok(None));
    }

    #[test]
    fn cutting_takes_our_value_and_an_empty_section_and_nothing_else() {
        for (config, left) in [
            (format!("[core]\n[six]\n\tid = {A}\n"), "[core]\n"),
            (format!("[core]\n  [six] id = {A}\n[user]\n"), "[core]\n[user]\n"),
            (format!("[six]\n\tid = {A}\n\tother = 1\n"), "[six]\n\tother = 1\n"),
            (format!("[six] id = {A}\n\tother = 1\n"), "[six] \n\tother = 1\n"),
            (format!("[six]\n\t# a note\n\tid = {A}\n"), "[six]\n\t# a note\n"),
            (format!("[six]\n\tid = {A}\n[six]\n\tid = {A}\n"), ""),
            (format!("[six]\r\n\tid = {A}\r\n[user]\r\n"), "[user]\r\n"),
            ("[six]\n\tid = another\n".to_owned(), "[six]\n\tid = another\n"),
        ] {
            assert_eq!(cut(&config, A), left, "{config:?}");
        }
    }

    fn line() -> impl Strategy<Value = String> {
        prop_oneof![
            Just(String::new()),
            "\\[(six|SIX|core)( \"[a-z]*\")?\\]",
            "\t(id|key) = [ -~]{0,12}",
            "[#;][ -~]{0,12}",
            "\\PC{0,12}",
        ]
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_harm(config in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse_id(&config);
            let _ = cut_id(&config, &id(A));
        }

        #[test]
        fn set_reads_back_undo_is_exact_and_a_cut_leaves_none(lines in proptest::collection::vec(line(), 0..8)) {
            let config = lines.join("\n").into_bytes();
            if let Ok(Some(edit)) = plan_set_id(&config, &id(A)) {
                let after = edit.apply(&config);
                prop_assert_eq!(parse_id(&after), Some(A.as_bytes().to_vec()));
                prop_assert_eq!(edit.undo(&after), config);
                prop_assert_ne!(parse_id(&cut_id(&after, &id(A))), Some(A.as_bytes().to_vec()));
            }
        }
    }
}
