//! The files that git tracks, and what a rule says about them.

use std::fmt;
use std::fs;
use std::process::Command;

use testkit::repository;

/// A tracked text file.
pub(crate) struct SourceFile {
    /// From the root, with `/`.
    pub(crate) path: String,
    /// The content.
    pub(crate) text: String,
}

/// A breach of a rule.
#[derive(Debug)]
pub(crate) struct Finding {
    place: String,
    advice: String,
}

impl Finding {
    /// A breach in line `line`, counted from 1.
    pub(crate) fn at(file: &SourceFile, line: usize, advice: impl Into<String>) -> Self {
        Self { place: format!("{}:{line}", file.path), advice: advice.into() }
    }

    /// A breach that no line shows.
    pub(crate) fn of(place: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { place: place.into(), advice: advice.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.place, self.advice)
    }
}

impl SourceFile {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    pub(crate) fn is_rust(&self) -> bool {
        self.has_extension("rs")
    }

    pub(crate) fn is_manifest(&self) -> bool {
        self.path == "Cargo.toml" || self.path.ends_with("/Cargo.toml")
    }

    pub(crate) fn has_extension(&self, extension: &str) -> bool {
        self.path.rsplit_once('.').is_some_and(|(_, ending)| ending == extension)
    }

    /// The lines with their numbers from 1.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines())
    }

    /// The lines of Rust that are no part of a `#[cfg(test)]` item at the file's top level.
    ///
    /// rustfmt ends such an item with a brace or semicolon in the first column, which is all this needs to know.
    pub(crate) fn untested(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut in_tests = false;
        self.lines().filter(move |(_, line)| {
            in_tests |= line.starts_with("#[cfg(test)]");
            let kept = !in_tests;
            let ends = line.starts_with('}') || (line.ends_with(';') && !line.starts_with(['#', ' ']));
            in_tests &= !ends;
            kept
        })
    }

    /// The same without comments.
    pub(crate) fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.untested().filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    /// Whether the whole file is a test or serves tests only.
    pub(crate) fn is_test(&self) -> bool {
        self.path.starts_with("tests/")
            || self.path.contains("/tests/")
            || self.path.contains("/benches/")
            || self.path.ends_with("/tests.rs")
    }
}

/// Every tracked file that is text.
pub(crate) fn tracked() -> Vec<SourceFile> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached"])
        .current_dir(repository())
        .output()
        .expect("git starts: the rules read what it tracks");
    assert!(listed.status.success(), "not a git checkout: {}", String::from_utf8_lossy(&listed.stderr));
    let names = String::from_utf8(listed.stdout).expect("paths of this repository are UTF-8");
    names
        .split_terminator('\0')
        .filter_map(|path| Some(SourceFile::new(path, &fs::read_to_string(repository().join(path)).ok()?)))
        .collect()
}

#[test]
fn code_is_what_is_left_without_comments_and_tests() {
    let text =
        "use a;\n// word\nfn f() {}\n#[cfg(test)]\nmod tests {\n    fn g() {}\n}\nfn h() {}\n#[cfg(test)]\nmod t;\nx\n";
    let file = SourceFile::new("a.rs", text);
    let left: Vec<usize> = file.code().map(|(line, _)| line).collect();
    assert_eq!(left, [1, 3, 8, 11]);
}
