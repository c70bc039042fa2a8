//! Plans the conventions that a project gets.

use super::change::{FileChange, FileKind, judge_writable, read_target};
use super::manifest::Manifest;
use super::refusal::Refusal;
use super::templates::{CONSTITUTION, MEMORY, SKILL};
use six_core::text::sha256_hex;
use std::path::{Path, PathBuf};

/// What is to be seeded, and what is not and why.
#[derive(Debug, Default)]
pub(super) struct Seeds {
    pub changes: Vec<FileChange>,
    /// A constitution of the user's, which stays as it is.
    pub constitution: Option<PathBuf>,
    /// Files that can't be made.
    pub impossible: Vec<Refusal>,
}

/// Plans the files that are missing, and newer texts for those that are as we left them. A file of the user's stays, and
/// one that the user deleted does not come back.
pub(super) fn plan_seeds(root: &Path, memory_folder: Option<&Path>, manifest: &Manifest) -> Seeds {
    let mut seeds = Seeds::default();
    let constitutions = [root.join("CLAUDE.md"), root.join(".claude/CLAUDE.md")];
    let present = constitutions.iter().find(|path| path.symlink_metadata().is_ok());
    let [at_root, _] = &constitutions;
    let path = present.unwrap_or(at_root);
    if present.is_some() && manifest.file(path).is_none() {
        seeds.constitution = Some(path.clone());
    } else {
        seeds.add(path, CONSTITUTION, manifest);
    }
    seeds.add(&root.join(".claude/skills/six-memory/SKILL.md"), SKILL, manifest);
    if let Some(folder) = memory_folder {
        seeds.add(&folder.join("MEMORY.md"), MEMORY, manifest);
    }
    seeds
}

impl Seeds {
    fn add(&mut self, path: &Path, text: &str, manifest: &Manifest) {
        match plan_seed(path, text, manifest) {
            Ok(change) => self.changes.extend(change),
            Err(refusal) => self.impossible.push(refusal),
        }
    }
}

fn plan_seed(path: &Path, text: &str, manifest: &Manifest) -> Result<Option<FileChange>, Refusal> {
    let before = read_target(path)?;
    let is_wanted = match (&before, manifest.file(path)) {
        (None, None) => true,
        (Some(bytes), Some(entry)) => {
            entry.before.is_none() && entry.after == sha256_hex(bytes) && bytes != text.as_bytes()
        }
        (None, Some(_)) | (Some(_), None) => false,
    };
    if !is_wanted {
        return Ok(None);
    }
    let folders = judge_writable(path)?;
    Ok(Some(FileChange {
        kind: FileKind::Template,
        path: path.to_owned(),
        before,
        after: text.as_bytes().to_vec(),
        spans: Vec::new(),
        folders,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn names(seeds: &Seeds, root: &Path) -> Vec<String> {
        seeds.changes.iter().map(|change| change.path.strip_prefix(root).unwrap().display().to_string()).collect()
    }

    fn written(seeds: &Seeds, root: &Path) -> Manifest {
        let mut manifest = Manifest::default();
        for change in &seeds.changes {
            fs::create_dir_all(change.path.parent().unwrap()).unwrap();
            fs::write(&change.path, &change.after).unwrap();
            manifest.record(change, root);
        }
        manifest
    }

    #[test]
    fn an_empty_project_gets_all_and_the_second_time_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let (root, memory) = (dir.path(), dir.path().join("host/memory"));
        let seeds = plan_seeds(root, Some(&memory), &Manifest::default());
        let all = ["CLAUDE.md", ".claude/skills/six-memory/SKILL.md", "host/memory/MEMORY.md"];
        assert_eq!(names(&seeds, root), all);
        let manifest = written(&seeds, root);
        let again = plan_seeds(root, Some(&memory), &manifest);
        assert!(again.changes.is_empty() && again.constitution.is_none());
    }

    #[test]
    fn what_the_user_has_stays_and_is_named() {
        for name in ["CLAUDE.md", ".claude/CLAUDE.md"] {
            let dir = tempfile::tempdir().unwrap();
            fs::create_dir(dir.path().join(".claude")).unwrap();
            fs::write(dir.path().join(name), "mine").unwrap();
            let seeds = plan_seeds(dir.path(), None, &Manifest::default());
            assert_eq!(seeds.constitution, Some(dir.path().join(name)));
            assert_eq!(names(&seeds, dir.path()), [".claude/skills/six-memory/SKILL.md"]);
        }
    }

    #[test]
    fn a_deleted_file_stays_deleted_an_edited_one_edited_and_an_old_one_is_renewed() {
        let dir = tempfile::tempdir().unwrap();
        let (root, memory) = (dir.path(), dir.path().join("host/memory"));
        let mut seeds = plan_seeds(root, Some(&memory), &Manifest::default());
        seeds.changes[1].after = b"an older text of ours".to_vec();
        let manifest = written(&seeds, root);
        fs::remove_file(root.join("CLAUDE.md")).unwrap();
        fs::write(memory.join("MEMORY.md"), "the model's own lines").unwrap();
        let again = plan_seeds(root, Some(&memory), &manifest);
        assert_eq!(names(&again, root), [".claude/skills/six-memory/SKILL.md"]);
        assert_eq!(again.changes[0].after, SKILL.as_bytes());
    }

    #[test]
    fn a_file_that_cannot_be_made_is_said_and_the_others_are_made() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("host"), "").unwrap();
        let seeds = plan_seeds(dir.path(), Some(&dir.path().join("host/memory")), &Manifest::default());
        assert_eq!((seeds.changes.len(), seeds.impossible.len()), (2, 1));
    }
}
