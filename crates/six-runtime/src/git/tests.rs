//! Git over made-up repositories.

use std::path::Path;
use std::time::Instant;

use super::*;
use crate::project::scratch::Scratch;

fn log(git: &Git, tip: Option<&str>) -> Vec<RawCommit> {
    let mut commits = Vec::new();
    git.log_since(tip, |commit| {
        commits.push(commit);
        ControlFlow::Continue(())
    })
    .unwrap();
    commits
}

fn subjects(commits: &[RawCommit]) -> Vec<&str> {
    commits.iter().map(|commit| commit.subject.as_str()).collect()
}

#[cfg(unix)]
fn pretender(scratch: &Scratch, script: &str) -> Git {
    let program = scratch.folder("bin").join("git");
    // Written by a child: a descriptor of ours could be inherited by another test's, and the file be "busy" then.
    let write = r#"printf '#!/bin/sh\n%s\n' "$1" > "$0" && chmod 755 "$0""#;
    let status = Command::new("/bin/sh").arg("-c").arg(write).arg(&program).arg(script).status();
    assert!(status.unwrap().success());
    Git { program, ..Git::new(scratch.base()) }
}

#[test]
fn a_repository_without_commits_has_no_head_no_root_and_no_log() {
    let scratch = Scratch::new();
    let root = scratch.folder("empty");
    scratch.git(&root, &["init", "-q", "."]);
    let git = Git::new(&root);
    assert_eq!((git.head().unwrap(), git.root_commit().unwrap(), git.remote_url().unwrap()), (None, None, None));
    assert!(log(&git, None).is_empty());
    assert!(!git.is_shallow().unwrap());
}

#[test]
fn commits_come_oldest_first_with_message_and_files() {
    let scratch = Scratch::new();
    let root = scratch.repository("api");
    std::fs::write(root.join("ünï code.md"), "x").unwrap();
    std::fs::write(root.join("a\nb"), "x").unwrap();
    scratch.git(&root, &["add", "-A"]);
    scratch.git(&root, &["commit", "-q", "-m", "second: 東京\n\nwhy\nand how"]);
    let commits = log(&Git::new(&root), None);
    assert_eq!(subjects(&commits), ["api", "second: 東京"]);
    assert_eq!(commits[0].files, ["README.md"]);
    assert_eq!(commits[1].body, "why\nand how");
    assert_eq!(commits[1].files, ["a\nb", "ünï code.md"]);
    assert_eq!(commits[1].committed_at_unix_s, 1_767_225_600);
    assert_eq!(Some(&commits[1].hash), Git::new(&root).head().unwrap().as_ref());
}

#[test]
fn only_what_is_new_since_the_tip_and_all_of_it_when_the_tip_is_gone() {
    let scratch = Scratch::new();
    let root = scratch.repository("api");
    let git = Git::new(&root);
    let tip = git.head().unwrap().unwrap();
    assert!(log(&git, Some(&tip)).is_empty());
    scratch.git(&root, &["checkout", "-q", "-b", "side"]);
    scratch.commit(&root, "side.md", "on the side");
    scratch.git(&root, &["checkout", "-q", "main"]);
    scratch.commit(&root, "main.md", "on main");
    scratch.git(&root, &["merge", "-q", "-m", "both", "side"]);
    let new = log(&git, Some(&tip));
    assert_eq!(new.len(), 3);
    assert_eq!((new[2].subject.as_str(), new[2].files.len()), ("both", 0));
    for gone in ["0123456789012345678901234567890123456789", "--all", "", "HEAD"] {
        assert_eq!(log(&git, Some(gone)).len(), 4, "{gone:?}");
    }
}

#[test]
fn a_reader_that_stops_gets_no_more() {
    let scratch = Scratch::new();
    let root = scratch.repository("api");
    scratch.commit(&root, "b", "two");
    scratch.commit(&root, "c", "three");
    let mut seen = Vec::new();
    Git::new(&root)
        .log_since(None, |commit| {
            seen.push(commit.subject);
            ControlFlow::Break(())
        })
        .unwrap();
    assert_eq!(seen, ["api"]);
}

#[test]
fn tracked_files_by_pattern() {
    let scratch = Scratch::new();
    let root = scratch.repository("api");
    scratch.commit(&root, "docs/a b.md", "doc");
    scratch.commit(&root, "src/main.rs", "code");
    std::fs::write(root.join("untracked.md"), "").unwrap();
    let files = Git::new(&root).ls_files(&["*.md"]).unwrap();
    assert_eq!(files, [PathBuf::from("README.md"), PathBuf::from("docs/a b.md")]);
    assert_eq!(Git::new(&root).ls_files(&[]).unwrap().len(), 3);
}

#[test]
fn the_remote_is_origin_else_the_only_one() {
    let scratch = Scratch::new();
    let root = scratch.repository("api");
    let git = Git::new(&root);
    scratch.git(&root, &["remote", "add", "upstream", "https://example.invalid/up/api"]);
    assert_eq!(git.remote_url().unwrap().as_deref(), Some("https://example.invalid/up/api"));
    scratch.git(&root, &["remote", "add", "other", "https://example.invalid/other/api"]);
    assert_eq!(git.remote_url().unwrap(), None);
    scratch.git(&root, &["remote", "add", "origin", "git@example.invalid:me/api.git"]);
    assert_eq!(git.remote_url().unwrap().as_deref(), Some("git@example.invalid:me/api.git"));
}

#[cfg(unix)]
#[test]
fn a_repositorys_own_configuration_runs_nothing() {
    let scratch = Scratch::new();
    let root = scratch.repository("api");
    let trap = pretender(&scratch, &format!("touch '{}'", scratch.at("sprung").display())).program;
    let trap = trap.to_str().unwrap();
    std::fs::write(root.join(".gitattributes"), "* diff=trap filter=trap\n").unwrap();
    scratch.commit(&root, "b", "two");
    for key in [
        "core.fsmonitor",
        "core.pager",
        "diff.external",
        "diff.trap.textconv",
        "diff.trap.command",
        "filter.trap.clean",
        "filter.trap.smudge",
        "gpg.program",
        "core.sshCommand",
        "core.editor",
        "alias.rev-list",
    ] {
        scratch.git(&root, &["config", key, trap]);
    }
    scratch.git(&root, &["config", "log.showSignature", "true"]);
    let hook = root.join(".git/hooks/post-index-change");
    std::fs::copy(trap, hook).unwrap();
    let git = Git::new(&root);
    assert_eq!(log(&git, None).len(), 2);
    git.ls_files(&[]).unwrap();
    git.root_commit().unwrap();
    git.remote_url().unwrap();
    git.later_names("b").unwrap();
    git.staged_renames().unwrap();
    assert_eq!(git.changed_with("b", None).unwrap().len(), 2);
    assert_eq!(git.blob("HEAD", "b").unwrap().as_deref(), Some(&b"two"[..]));
    assert!(!scratch.at("sprung").exists());
    std::fs::write(root.join("b"), "changed").unwrap();
    scratch.git(&root, &["diff"]);
    assert!(scratch.at("sprung").exists(), "the trap works: porcelain falls into it");
}

#[test]
fn a_file_is_followed_through_its_names() {
    let scratch = Scratch::new();
    let root = scratch.repository("api");
    let git = Git::new(&root);
    let text = "one line\nand another\nand a third\n";
    scratch.commit(&root, "a.rs", text);
    for (old, new) in [("a.rs", "sub/*.rs"), ("sub/*.rs", "ü.rs")] {
        std::fs::create_dir_all(root.join("sub")).unwrap();
        scratch.git(&root, &["mv", old, new]);
        scratch.commit(&root, new, &format!("{text}{new}\n"));
    }
    let names = |path: &str| git.later_names(path).unwrap();
    assert_eq!(names("a.rs"), [PathBuf::from("sub/*.rs"), PathBuf::from("ü.rs")]);
    assert_eq!((names("ü.rs"), names("none.rs"), names("README.md")), (vec![], vec![], vec![]));
    scratch.git(&root, &["mv", "ü.rs", "b.rs"]);
    assert_eq!(git.staged_renames().unwrap()[Path::new("ü.rs")], PathBuf::from("b.rs"));
}

#[test]
fn what_was_changed_together_is_listed_newest_first_and_only_since_then() {
    let scratch = Scratch::new();
    let root = scratch.repository("api");
    let git = Git::new(&root);
    for (other, text) in [("x.rs", "one"), ("y.rs", "two")] {
        std::fs::write(root.join(other), text).unwrap();
        scratch.commit(&root, "a.rs", text);
    }
    let files = |since| git.changed_with("a.rs", since).unwrap();
    assert_eq!(files(None), ["a.rs", "y.rs", "x.rs"].map(PathBuf::from));
    let first = scratch.git(&root, &["rev-parse", "HEAD^"]);
    assert_eq!(files(Some(&first)), ["a.rs", "y.rs"].map(PathBuf::from));
    assert_eq!(files(Some("0123456789012345678901234567890123456789")).len(), 3);
}

#[test]
fn content_and_branches_that_are_not_there_are_none() {
    let scratch = Scratch::new();
    let root = scratch.repository("api");
    let git = Git::new(&root);
    assert_eq!(git.blob("HEAD", "README.md").unwrap().as_deref(), Some(&b"api"[..]));
    assert_eq!((git.blob("HEAD", "none").unwrap(), git.blob("none", "README.md").unwrap()), (None, None));
    assert_eq!((git.branch_tip("main").unwrap(), git.branch_tip("none").unwrap()), (git.head().unwrap(), None));
}

#[test]
fn a_folder_that_is_no_repository_is_a_failure_with_gits_words() {
    let scratch = Scratch::new();
    let error = Git::new(scratch.folder("plain")).is_shallow().unwrap_err();
    assert!(matches!(&error, GitError::Failed { code: Some(128), stderr, .. } if stderr.contains("repository")));
}

#[test]
fn no_git_at_all_is_told_apart() {
    let scratch = Scratch::new();
    let git = Git { program: scratch.at("no-git"), ..Git::new(scratch.base()) };
    assert!(matches!(git.head(), Err(GitError::NotFound)));
}

#[cfg(unix)]
#[test]
fn a_git_that_hangs_is_ended() {
    let scratch = Scratch::new();
    let git = pretender(&scratch, "sleep 600 & wait");
    let began = Instant::now();
    let error = git.with_limit(Duration::from_millis(200)).head().unwrap_err();
    assert!(matches!(error, GitError::TimedOut { .. }));
    assert!(began.elapsed() < Duration::from_secs(60));
}

#[cfg(unix)]
#[test]
fn a_flood_is_stopped_at_the_cap_and_a_loud_complaint_is_cut() {
    let scratch = Scratch::new();
    let git = Git { cap_bytes: 100_000, ..pretender(&scratch, "yes") };
    assert!(matches!(git.head(), Err(GitError::TooMuch { cap_bytes: 100_000, .. })));
    let loud = pretender(&scratch, "yes | head -c 1000000 >&2; exit 3");
    assert!(matches!(loud.head(), Err(GitError::Failed { code: Some(3), stderr, .. }) if stderr.len() < 2001));
}
