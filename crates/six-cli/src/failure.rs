//! What goes wrong, told once: what, where, why, and the next command.

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use six_runtime::backup::newest;
use six_runtime::health::store_file;
use six_runtime::project::identity::Project;
use six_runtime::replay::NotReplayed;
use six_store::StoreError;

use crate::output::quoted;

/// Exit codes are a contract: 0 done, 1 found nothing or red, 2 wrong use or could not run, 3 store unusable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Found nothing, or a check is red.
    Nothing = 1,
    /// Wrong use, or it could not run.
    Misuse = 2,
    /// The store can't be used.
    Store = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// An error that ends a command.
#[derive(Debug)]
pub(crate) struct Failure {
    /// How the process ends.
    pub(crate) exit: Exit,
    what: String,
    next: String,
}

impl Failure {
    /// `what` names the thing, the place and the reason; `next` is the command or the step that helps.
    pub(crate) fn new(exit: Exit, what: impl fmt::Display, next: impl fmt::Display) -> Self {
        Self { exit, what: what.to_string(), next: next.to_string() }
    }

    /// Wrong use, or it could not run.
    pub(crate) fn misuse(what: impl fmt::Display, next: impl fmt::Display) -> Self {
        Self::new(Exit::Misuse, what, next)
    }

    /// In a line, for what is in the way of a part while the whole is done.
    pub(crate) fn note(&self) -> String {
        format!("{}; next: {}", self.what, self.next)
    }
}

/// What waits in the spool could not be taken in after the store was put in its place, with what helps.
pub(crate) fn not_replayed(project: &Project, fault: &NotReplayed) -> Failure {
    match fault {
        NotReplayed::Store(fault) => store_failure(project, fault),
        NotReplayed::Spool(_) => Failure::misuse(
            fault,
            format_args!(
                "give yourself {} to read and write, then: six ingest",
                quoted(&project.store_dir.join("spool"))
            ),
        ),
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "six: {}\n  next: {}", self.what, self.next)
    }
}

impl std::error::Error for Failure {}

/// A store that can't be used, with what helps.
pub(crate) fn store_failure(project: &Project, fault: &StoreError) -> Failure {
    let file = store_file(project);
    let next = match fault {
        StoreError::NoStore => from_backup(project).unwrap_or_else(|| format!("six install {}", quoted(&project.root))),
        StoreError::NotOurs => beyond_repair(project),
        fault => next_step(&file, fault),
    };
    Failure::new(Exit::Store, format_args!("the store {} can't be used: {fault}", file.display()), next)
}

/// What helps where a store of ours is there and can't be used.
pub(crate) fn next_step(file: &Path, fault: &StoreError) -> String {
    match fault {
        StoreError::NewerSchema { .. } => String::from("install the newer six again: ./install.sh"),
        StoreError::OlderSchema { .. } => String::from("six ingest (it brings the store up to date, with a backup)"),
        StoreError::Busy => String::from("wait for the other six to end, then run this again"),
        StoreError::Full => format!("free disk space where {} is, then run this again", quoted(file)),
        StoreError::ReadOnly | StoreError::CannotOpen => {
            format!("give yourself {} and its folder to read and write, then run this again", quoted(file))
        }
        StoreError::Corrupt | StoreError::MissingTable => String::from("six repair"),
        StoreError::LinkedFolder(link) => {
            format!("remove {} (what it points to stays), then run this again", quoted(link))
        }
        _ => String::from("six health"),
    }
}

/// The way back to the newest backup, if there is one.
pub(crate) fn from_backup(project: &Project) -> Option<String> {
    let state = newest(project)?;
    let name = state.path.file_name()?;
    Some(format!(
        "six backup restore {} (of {}; six backup list shows all)",
        quoted(Path::new(name)),
        state.at.rfc3339()
    ))
}

/// What helps where nothing of the file can be read.
pub(crate) fn beyond_repair(project: &Project) -> String {
    if let Some(backup) = from_backup(project) {
        return backup;
    }
    let (file, root) = (store_file(project), quoted(&project.root));
    let backups = project.store_dir.join("backup");
    format!(
        "move {} aside (keep it), put a copy from {} in its place if there is one, then: six install {root}",
        quoted(&file),
        quoted(&backups)
    )
}

/// The nearest of some names to a mistyped one, if any is near.
pub(crate) fn nearest<'a>(typed: &str, names: &[&'a str]) -> Option<&'a str> {
    names
        .iter()
        .map(|name| (distance(typed, name), *name))
        .filter(|(distance, name)| *distance <= (name.chars().count() / 2).max(1))
        .min()
        .map(|(_, name)| name)
}

/// Levenshtein distance in characters.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut corner = i;
        let mut left = i + 1;
        for (j, to) in b.iter().enumerate() {
            let above = row.get(j + 1).copied().unwrap_or(usize::MAX);
            let best = (corner + usize::from(from != *to)).min(above.saturating_add(1)).min(left + 1);
            corner = above;
            if let Some(cell) = row.get_mut(j) {
                *cell = left;
            }
            left = best;
        }
        if let Some(cell) = row.last_mut() {
            *cell = left;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use six_runtime::project::identity::Standing;

    use super::*;

    #[test]
    fn every_refusal_of_the_store_says_what_where_why_and_the_next_command() {
        let project = Project {
            id: six_core::record::ProjectId::parse("abcdefghijklmnopqrstuvwxyz").unwrap(),
            root: "/home/ada/my api".into(),
            common_dir: None,
            worktree: false,
            store_dir: "/home/ada/six/projects/a".into(),
            standing: Standing::Listed,
        };
        let told: Vec<String> = [
            StoreError::Busy,
            StoreError::ReadOnly,
            StoreError::Full,
            StoreError::Corrupt,
            StoreError::MissingTable,
            StoreError::NotOurs,
            StoreError::CannotOpen,
            StoreError::NoStore,
            StoreError::OlderSchema { found: 1, known: 2 },
            StoreError::NewerSchema { found: 3, known: 2 },
            StoreError::LinkedFolder("/home/ada/six/projects/a/backup".into()),
        ]
        .iter()
        .map(|fault| store_failure(&project, fault))
        .inspect(|failure| assert_eq!(failure.exit, Exit::Store))
        .map(|failure| failure.to_string())
        .collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        six: the store /home/ada/six/projects/a/memory.db can't be used: the store is in use by another process
          next: wait for the other six to end, then run this again
        six: the store /home/ada/six/projects/a/memory.db can't be used: the store can't be written
          next: give yourself /home/ada/six/projects/a/memory.db and its folder to read and write, then run this again
        six: the store /home/ada/six/projects/a/memory.db can't be used: the disk is full
          next: free disk space where /home/ada/six/projects/a/memory.db is, then run this again
        six: the store /home/ada/six/projects/a/memory.db can't be used: the store is damaged
          next: six repair
        six: the store /home/ada/six/projects/a/memory.db can't be used: a table of the store is missing
          next: six repair
        six: the store /home/ada/six/projects/a/memory.db can't be used: the file is not a store of six
          next: move /home/ada/six/projects/a/memory.db aside (keep it), put a copy from /home/ada/six/projects/a/backup in its place if there is one, then: six install '/home/ada/my api'
        six: the store /home/ada/six/projects/a/memory.db can't be used: the store can't be opened
          next: give yourself /home/ada/six/projects/a/memory.db and its folder to read and write, then run this again
        six: the store /home/ada/six/projects/a/memory.db can't be used: there is no store
          next: six install '/home/ada/my api'
        six: the store /home/ada/six/projects/a/memory.db can't be used: the store has schema 1, this binary needs 2
          next: six ingest (it brings the store up to date, with a backup)
        six: the store /home/ada/six/projects/a/memory.db can't be used: the store has schema 3, this binary knows 2
          next: install the newer six again: ./install.sh
        six: the store /home/ada/six/projects/a/memory.db can't be used: /home/ada/six/projects/a/backup is a link, and old states are kept in no folder but the store's own
          next: remove /home/ada/six/projects/a/backup (what it points to stays), then run this again
        ");
    }

    #[test]
    fn distances_are_edits() {
        for (a, b, expected) in
            [("", "", 0), ("a", "", 1), ("", "abc", 3), ("kitten", "sitting", 3), ("flaw", "lawn", 2)]
        {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn a_typo_gets_the_nearest_name_and_nonsense_gets_none() {
        let names = ["transcript", "doc", "memory", "ledger", "git", "record"];
        assert_eq!(nearest("transcipt", &names), Some("transcript"));
        assert_eq!(nearest("docs", &names), Some("doc"));
        assert_eq!(nearest("zebra-crossing", &names), None);
    }
}
