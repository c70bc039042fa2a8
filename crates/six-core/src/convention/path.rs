//! Whether a word of a text is the path of a file that has to be there.

use super::link::without_line;

/// Parts of names that stand for a name to be chosen.
const PLACEHOLDERS: &[&str] = &[
    "foo",
    "bar",
    "baz",
    "qux",
    "example",
    "examplename",
    "sample",
    "my",
    "your",
    "some",
    "name",
    "path",
    "xxx",
    "xx",
    "yyyy",
    "mm",
    "dd",
    "yyy",
    "nnn",
    "nnnn",
    "hash",
    "id",
    "uuid",
    "slug",
    "feature",
    "component",
    "module",
    "placeholder",
    "foobar",
    "x",
];
/// Folders of what programs make: nothing in them has to be there.
const MADE: &[&str] = &[
    "target",
    "node_modules",
    "dist",
    "build",
    "out",
    "bin",
    "obj",
    "coverage",
    "vendor",
    "tmp",
    "temp",
    "log",
    "logs",
    "cache",
    "caches",
    "generated",
    "gen",
    "__generated__",
    "__pycache__",
    "output",
    "outputs",
    "results",
    "reports",
    "artifacts",
    "release",
    "debug",
    "storage",
    "uploads",
    "data",
    "venv",
    "env",
    "pods",
    "deriveddata",
    "site-packages",
    "checkpoints",
    "backups",
];
/// Longest path that is looked for.
const MAX_BYTES: usize = 200;

/// The path that a code span or link stands for, without a line number: below the project, not a pattern, not an example,
/// not what a program makes, and a file by its extension or a folder by its last slash. What has neither may be a branch,
/// a package, a route, a MIME type or a pair of words, and is left alone.
pub(super) fn certain_path(word: &str) -> Option<String> {
    let word = word.trim();
    let word = word.split('#').next().unwrap_or_default();
    let path = without_line(word).trim_start_matches("./");
    let is_spelled = path.len() <= MAX_BYTES
        && path.chars().all(|c| c.is_alphanumeric() || "_-./+@".contains(c))
        && !path.starts_with(['/', '-', '@'])
        && path.contains('/');
    if !is_spelled {
        return None;
    }
    let segments: Vec<&str> = path.strip_suffix('/').unwrap_or(path).split('/').collect();
    let is_named = segments.iter().all(|segment| !segment.is_empty() && is_name(segment));
    let is_sure = path.ends_with('/') || segments.last().is_some_and(|last| has_extension(last));
    (is_named && is_sure && segments.len() > 1).then(|| path.to_owned())
}

/// A name that somebody has chosen and keeps under version control.
fn is_name(segment: &str) -> bool {
    let lower = segment.to_ascii_lowercase();
    let is_hidden = segment.starts_with('.') && !matches!(segment, ".github" | ".claude");
    let is_personal = lower.contains(".local.") || lower.strip_suffix(".local").is_some() || lower.contains(".env");
    let is_made = MADE.contains(&lower.as_str());
    let is_placeholder = parts(segment).any(|part| PLACEHOLDERS.contains(&part.to_ascii_lowercase().as_str()));
    let is_counted = lower.contains("...") || segment.contains("NN") || segment.contains("XX");
    !is_hidden && !is_personal && !is_made && !is_placeholder && !is_counted
}

/// The words of a name: at its marks, and where lower case turns to upper.
fn parts(segment: &str) -> impl Iterator<Item = &str> {
    segment.split(|c: char| !c.is_alphanumeric()).flat_map(|word| {
        let turns = word
            .char_indices()
            .zip(word.chars().skip(1))
            .filter(|((_, c), next)| c.is_lowercase() && next.is_uppercase());
        let mut ends: Vec<usize> = turns.map(|((at, c), _)| at + c.len_utf8()).collect();
        ends.push(word.len());
        let mut from = 0;
        ends.into_iter().filter_map(move |end| {
            let part = word.get(from..end);
            from = end;
            part
        })
    })
}

fn has_extension(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && (1..=6).contains(&extension.len())
            && extension.chars().all(|c| c.is_ascii_alphanumeric())
            && extension.starts_with(|c: char| c.is_ascii_alphabetic())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_or_a_folder_of_the_project_is_a_path() {
        assert_eq!(certain_path("src/store/open.rs").as_deref(), Some("src/store/open.rs"));
        assert_eq!(certain_path("./docs/plan.md:12-30").as_deref(), Some("docs/plan.md"));
        assert_eq!(certain_path("docs/plan.md#aims").as_deref(), Some("docs/plan.md"));
        assert_eq!(certain_path("crates/core/").as_deref(), Some("crates/core/"));
        assert_eq!(certain_path(".github/workflows/ci.yml").as_deref(), Some(".github/workflows/ci.yml"));
    }

    #[test]
    fn what_may_be_anything_else_is_no_path() {
        for word in [
            "src",
            "feature/quay",
            "org/repo",
            "application/json",
            "and/or",
            "@scope/pkg",
            "@scope/pkg/a.js",
            "/api/v1/users",
            "~/.six/a.md",
            "https://example.invalid/a.md",
            "src/**/*.rs",
            "src/{a,b}.rs",
            "src/<name>.rs",
            "path/to/file.rs",
            "docs/YYYY/a.md",
            "src/foo.ts",
            "src/components/MyButton.tsx",
            "tests/test_example.py",
            "target/debug/six.d",
            "dist/a.js",
            "node_modules/a/b.js",
            "../other/a.rs",
            "a b/c.rs",
            "2026/01/05",
            "docs/ADR-NNN.md",
            ".env.local/",
            "config/settings.local.json",
            "src/",
            "",
            "gpt-4/turbo",
            "1.2/3.4",
            "$HOME/a.md",
            "C:/a.md",
            "src/...",
            "true/false",
            "lib/a",
            "//a.md",
            "-I/usr/a.h",
        ] {
            assert_eq!(certain_path(word), None, "{word}");
        }
    }
}
