//! The evidence of the check `constitution`.

mod ground;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use six_core::config::HealthConfig;
use six_core::convention::{Constitution, Reference, parse_constitution};
use six_core::health::{ConstitutionEvidence, Untrue, UntrueRule};
use six_core::ingest::decode;
use six_core::record::Why;

use crate::ingest::Place;
use crate::read_file::{ReadError, read_file};
use ground::Ground;

/// What the host reads as a project's standing rules.
const RULES: [&str; 3] = ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"];
/// Largest file that is read. The host warns of rules of 40 KB.
const FILE_CAP_BYTES: u64 = 256 << 10;
/// Files that are read: the rules, and what they import. What an imported document imports is not followed.
const MAX_FILES: usize = 12;
/// Imports that are looked for.
const MAX_IMPORTS: usize = 100;

/// Reads the rules and looks whether what they name is there.
pub(super) fn gather(place: &Place, config: &HealthConfig) -> Result<ConstitutionEvidence, Why> {
    let mut evidence = ConstitutionEvidence::default();
    let ground = Ground::of(place);
    let mut read = BTreeSet::new();
    let mut imported = Vec::new();
    for name in RULES {
        if let Some(rules) = read_rules(&place.root.join(name), config, &mut read, &mut evidence)? {
            let folder = Path::new(name).parent().unwrap_or(Path::new(""));
            imported.extend(rules.imports.iter().map(|path| folder.join(path)));
            add(&mut evidence, &ground, Path::new(name), rules);
        }
    }
    evidence.unseen += imported.len().saturating_sub(MAX_IMPORTS) as u64;
    for name in imported.into_iter().take(MAX_IMPORTS) {
        let path = place.root.join(&name);
        if evidence.files.len() >= MAX_FILES {
            evidence.unseen += u64::from(fs::canonicalize(&path).is_ok_and(|canonical| read.insert(canonical)));
        } else if let Some(rules) = read_rules(&path, config, &mut read, &mut evidence)? {
            add(&mut evidence, &ground, &name, rules);
        }
    }
    Ok(evidence)
}

/// The rules in a file; `None` where there is no such file, where it was read already or is no text.
fn read_rules(
    path: &Path,
    config: &HealthConfig,
    read: &mut BTreeSet<PathBuf>,
    evidence: &mut ConstitutionEvidence,
) -> Result<Option<Constitution>, Why> {
    let Ok(canonical) = fs::canonicalize(path) else { return Ok(None) };
    if !read.insert(canonical) {
        return Ok(None);
    }
    let bytes = match read_file(path, FILE_CAP_BYTES) {
        Ok(bytes) => bytes,
        Err(ReadError::Missing { .. }) => return Ok(None),
        Err(ReadError::TooLarge { .. } | ReadError::NotRegular { .. }) => {
            evidence.unseen += 1;
            return Ok(None);
        }
        Err(ReadError::Denied { .. } | ReadError::Io { .. }) => return Err(Why::Unreadable),
    };
    let Ok(decoded) = decode(&bytes) else {
        evidence.unseen += 1;
        return Ok(None);
    };
    Ok(Some(parse_constitution(&decoded.text, &config.deprecated_terms)))
}

/// What is untrue in these rules.
fn add(evidence: &mut ConstitutionEvidence, ground: &Ground<'_>, name: &Path, rules: Constitution) {
    let folder = name.parent().unwrap_or(Path::new(""));
    let terms = rules.terms.into_iter().map(|(line, term)| (line, Untrue::Term(term)));
    let slots = rules.slots.into_iter().map(|(line, slot)| (line, Untrue::Slot(slot)));
    let mentions = rules.mentions.into_iter();
    let gone = mentions.filter_map(|mention| Some((mention.line, untruth(ground, folder, mention.reference)?)));
    let mut untrue: Vec<(u32, Untrue)> = terms.chain(slots).chain(gone).collect();
    untrue.sort_by_key(|(line, _)| *line);
    let file = name.display().to_string();
    evidence.untrue.extend(untrue.into_iter().map(|(line, what)| UntrueRule { file: file.clone(), line, what }));
    evidence.files.push(file);
}

fn untruth(ground: &Ground<'_>, folder: &Path, reference: Reference) -> Option<Untrue> {
    match reference {
        Reference::Path(path) => ground.lacks_path(folder, &path).then_some(Untrue::Path(path)),
        Reference::Program(path) => ground.lacks_program(folder, &path).then_some(Untrue::Path(path)),
        Reference::Link(spellings) => {
            ground.lacks_link(folder, &spellings).then(|| spellings.into_iter().next()).flatten().map(Untrue::Path)
        }
        Reference::Script(name) => ground.lacks_script(&name).then_some(Untrue::Script(name)),
        Reference::Target(name) => ground.lacks_target(&name).then_some(Untrue::Target(name)),
        Reference::Recipe(name) => ground.lacks_recipe(&name).then_some(Untrue::Recipe(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn looked(root: &Path) -> ConstitutionEvidence {
        gather(&Place::bare(root, root), &HealthConfig::default()).unwrap()
    }

    fn told(root: &Path) -> Vec<Untrue> {
        looked(root).untrue.into_iter().map(|rule| rule.what).collect()
    }

    #[test]
    fn a_path_that_is_gone_is_told_unless_git_leaves_it_out_or_may() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        write(&root.join("src/main.rs"), "");
        write(&root.join("CLAUDE.md"), "The parser is in `src/parser.rs`.\n");
        // An index of version 2 without files.
        write(&root.join(".git/index"), "DIRC\0\0\0\u{2}\0\0\0\0");
        let gone = || vec![Untrue::Path("src/parser.rs".into())];
        assert_eq!(told(root), gone());
        write(&root.join("src/.gitignore"), "parser.rs\n");
        assert_eq!(told(root), []);
        write(&root.join("src/.gitignore"), &"#".repeat(2 << 20));
        assert_eq!(told(root), [], "nobody knows what is in it");
    }

    #[cfg(unix)]
    #[test]
    fn a_fifo_in_the_place_of_a_file_of_git_holds_nobody_up() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        write(&root.join("src/main.rs"), "");
        write(&root.join("CLAUDE.md"), "The parser is in `src/parser.rs`.\n");
        for name in [".git", ".gitignore", "src/.gitignore"] {
            assert!(std::process::Command::new("mkfifo").arg(root.join(name)).status().unwrap().success());
        }
        assert_eq!(told(root), [], "without an index nothing is certain");
    }

    #[test]
    fn of_many_imports_those_that_are_not_read_are_counted() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        let imports =
            |names: std::ops::Range<usize>| names.fold(String::new(), |text, at| text + &format!("@docs/{at}.md\n"));
        for at in 0..20 {
            write(&root.join(format!("docs/{at}.md")), "Retry with jitter.\n");
        }
        // What is not there, or is named twice, takes nobody's place.
        let gone = imports(100..120);
        write(&root.join("CLAUDE.md"), &format!("{gone}{}{}", imports(0..20), imports(0..20)));
        let seen = looked(root);
        assert_eq!((seen.files.len(), seen.unseen), (MAX_FILES, 9));
        write(&root.join("CLAUDE.md"), &imports(0..MAX_IMPORTS + 3));
        assert_eq!(looked(root).unseen, 9 + 3, "more are not even looked for");
    }
}
