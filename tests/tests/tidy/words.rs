//! What the repository says and must not say.

use std::collections::BTreeMap;

use crate::source::{Finding, SourceFile};
use crate::{catches, hold, leaves_alone};

/// Words of the place where somebody happened to write this. Put together here, so that this file does not say them.
const OF_THE_WORKPLACE: [&str; 3] = [concat!("/wo", "rk/"), concat!("iss", "ue #"), concat!("Iss", "ue #")];

fn workplace_words(files: &[SourceFile]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files {
        for (number, line) in file.lines() {
            if let Some(word) = OF_THE_WORKPLACE.iter().find(|word| says(line, word)) {
                findings.push(Finding::at(file, number, format!("{word}: the repository speaks of itself only")));
            }
        }
    }
    findings
}

/// A path counts from its root only: `src/…/a.rs` may have a folder of that name.
fn says(line: &str, word: &str) -> bool {
    let inside_a_path = |before: &str| before.ends_with(|c: char| c.is_alphanumeric() || "._-/".contains(c));
    line.match_indices(word).any(|(at, _)| !word.starts_with('/') || !inside_a_path(&line[..at]))
}

fn unlisted_variables(files: &[SourceFile]) -> Vec<Finding> {
    let readme = files.iter().find(|file| file.path == "README.md").map_or("", |file| file.text.as_str());
    let mut first_use: BTreeMap<&str, Finding> = BTreeMap::new();
    let reads = |file: &&SourceFile| file.is_rust() || file.has_extension("sh") || file.path == ".ci/run";
    for file in files.iter().filter(reads) {
        for (number, line) in file.lines() {
            for name in variables(line).filter(|name| !readme.contains(name)) {
                let advice = format!("{name} is read here; the README's list of variables has to name it");
                first_use.entry(name).or_insert_with(|| Finding::at(file, number, advice));
            }
        }
    }
    first_use.into_values().collect()
}

/// Names of our environment variables in a line: after a quote or a `$`, so that a constant is none.
fn variables(line: &str) -> impl Iterator<Item = &str> {
    const PREFIX: &str = concat!("SI", "X_");
    line.match_indices(PREFIX).filter_map(|(at, _)| {
        let (before, rest) = line.split_at(at);
        let length = rest.find(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'));
        let (name, after) = rest.split_at(length.unwrap_or(rest.len()));
        let quoted = before.ends_with('"') && after.starts_with('"');
        let expanded = before.ends_with('$') || before.ends_with("${");
        (name.len() > PREFIX.len() && (quoted || expanded)).then_some(name)
    })
}

fn missing_papers(files: &[SourceFile]) -> Vec<Finding> {
    let papers = ["LICENSE", "README.md"];
    let missing = papers.into_iter().filter(|paper| !files.iter().any(|file| file.path == *paper));
    missing.map(|paper| Finding::of(paper, "has to be there, and tracked")).collect()
}

#[test]
fn the_repository_speaks_of_itself_only() {
    hold(workplace_words);
    catches(workplace_words, "a.md", concat!("see /wo", "rk/notes\n"));
    catches(workplace_words, "a.rs", concat!("// iss", "ue #12\n"));
    leaves_alone(workplace_words, "a.md", concat!("see src/wo", "rk/table.rs\n"));
}

#[test]
fn the_readme_lists_every_variable() {
    hold(unlisted_variables);
    catches(unlisted_variables, "a.rs", concat!("var(\"SI", "X_PLANTED\")\n"));
    catches(unlisted_variables, "a.sh", concat!("echo \"${SI", "X_PLANTED:-no}\"\n"));
    leaves_alone(unlisted_variables, "a.rs", concat!("const SI", "X_PLANTED: u8 = 6;\n"));
}

#[test]
fn licence_and_readme_are_there() {
    hold(missing_papers);
    catches(missing_papers, "README.md", "");
}
