//! Keeps a settings file that holds for this checkout alone out of its commits.

use super::change::{FileChange, FileKind, judge_writable, read_target};
use super::refusal::Refusal;
use crate::gitignore::leaves_out;
use six_core::event::settings::Span;
use std::path::Path;

/// The line in `info/exclude`.
const LINE: &str = "/.claude/settings.local.json";

/// Plans a line in the repository's own list of files to leave out, unless git leaves the file out already.
///
/// The host does the same for a file that it creates, in the user's list for all repositories; a file that we create is
/// our concern, and a path of this machine in somebody's commit would start a hook that isn't there.
pub(super) fn plan_exclude(root: &Path, common_dir: &Path) -> Result<Option<FileChange>, Refusal> {
    let path = common_dir.join("info/exclude");
    if is_ignored(root, &path) {
        return Ok(None);
    }
    let folders = judge_writable(&path)?;
    let before = read_target(&path)?;
    let text = before.clone().unwrap_or_default();
    let inserted = match text.last() {
        None | Some(b'\n') => format!("{LINE}\n"),
        Some(_) => format!("\n{LINE}\n"),
    };
    let spans = vec![Span { at: text.len(), inserted_bytes: inserted.len(), removed: String::new() }];
    let after = [text, inserted.into_bytes()].concat();
    Ok(Some(FileChange { kind: FileKind::Exclude, path, before, after, spans, folders }))
}

/// The list without our line.
pub(super) fn cut_line(text: &[u8]) -> Vec<u8> {
    text.split_inclusive(|byte| *byte == b'\n')
        .filter(|line| line.trim_ascii() != LINE.as_bytes())
        .flatten()
        .copied()
        .collect()
}

fn is_ignored(root: &Path, exclude: &Path) -> bool {
    let file = root.join(".claude/settings.local.json");
    [
        (root, exclude.to_owned()),
        (root, root.join(".gitignore")),
        (&root.join(".claude"), root.join(".claude/.gitignore")),
    ]
    .into_iter()
    .any(|(base, list)| leaves_out(&list, base, &file, false) == Some(true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::PathBuf;

    fn repository() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let git = root.join(".git");
        fs::create_dir_all(git.join("info")).unwrap();
        (dir, root, git)
    }

    #[test]
    fn the_line_is_added_behind_what_is_there_and_cut_out_again() {
        let (_dir, root, git) = repository();
        for (before, after) in [
            ("", "/.claude/settings.local.json\n"),
            ("*.log\n", "*.log\n/.claude/settings.local.json\n"),
            ("*.log", "*.log\n/.claude/settings.local.json\n"),
        ] {
            fs::write(git.join("info/exclude"), before).unwrap();
            let change = plan_exclude(&root, &git).unwrap().unwrap();
            assert_eq!(String::from_utf8(change.after.clone()).unwrap(), after);
            fs::write(git.join("info/exclude"), &change.after).unwrap();
            assert_eq!(plan_exclude(&root, &git).unwrap(), None, "a second time");
        }
        assert_eq!(cut_line(b"*.log\r\n/.claude/settings.local.json\n!x"), b"*.log\r\n!x");
    }

    #[test]
    fn a_file_that_git_leaves_out_already_needs_no_line() {
        for (list, line) in
            [(".gitignore", ".claude/\n"), (".gitignore", "*.local.json\n"), (".claude/.gitignore", "*\n")]
        {
            let (_dir, root, git) = repository();
            fs::create_dir(root.join(".claude")).unwrap();
            fs::write(root.join(list), line).unwrap();
            assert_eq!(plan_exclude(&root, &git).unwrap(), None, "{list} {line}");
        }
    }
}
