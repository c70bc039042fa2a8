//! Ledgers, what is left out, history that is rewritten, the quota, and what the host deletes.

use super::*;
use crate::ingest::find_expiring;
use std::time::{Duration, SystemTime};

fn age(path: &Path, days: u64) {
    let then =
        SystemTime::UNIX_EPOCH + Duration::from_millis(NOW.0.unsigned_abs()) - Duration::from_secs(days * 86_400);
    fs::File::options().write(true).open(path).unwrap().set_modified(then).unwrap();
}

#[test]
fn fifty_files_of_any_age_are_all_read_however_often_the_run_is_stopped() {
    let world = World::new();
    for n in 0..50 {
        world.write(&format!("docs/{n}.md"), format!("alpha{n}"));
    }
    world.run(&World::options());
    for n in 0..50 {
        let path = world.write(&format!("docs/{n}.md"), format!("changed beta{n}"));
        age(&path, n * 7_919 % 900);
    }
    let asked = AtomicU32::new(0);
    let is_over = || asked.fetch_add(1, Ordering::Relaxed) >= 30;
    let report = world.run(&Options { is_over: &is_over, ..World::options() });
    assert_eq!(report.outcome, Outcome::Stopped);
    assert!((1..40).contains(&report.committed.repeated), "{report:?}");
    world.run(&World::options());
    assert!((0..50).all(|n| world.found(&format!("beta{n}")).len() == 1));
}

#[test]
fn of_a_ledger_that_grew_only_the_new_sections_are_read() {
    let world = World::new();
    let first = "# Billing\n\n## 2026-03-14\nUse an outbox.\n";
    world.write("docs/ledger/billing.md", first);
    let report = world.run(&World::options());
    assert_eq!((report.committed.entries, report.committed.repeated), (2, 0));
    assert_eq!(world.store.file_states(Source::Doc).unwrap().len(), 0);
    let grown = format!("{first}And retry.\n\n## 2026-03-15\nUse cents.\n");
    world.write("docs/ledger/billing.md", &grown);
    let report = world.run(&World::options());
    // The last section went on: it takes the place of its earlier self.
    assert_eq!((report.committed.entries, report.committed.repeated, report.committed.removed), (1, 1, 0));
    assert_eq!(world.found("retry").len(), 1);
    assert_eq!(world.found("outbox").len(), 1);
    // Rewritten: what it said before is gone.
    world.write("docs/ledger/billing.md", "# Taxes\n\n## 2026-03-16\nRound down.\n");
    world.run(&World::options());
    assert_eq!([world.found("outbox").len(), world.found("cents").len(), world.found("round").len()], [0, 0, 1]);
}

#[test]
fn a_ledger_is_found_before_git_tracks_it_and_as_the_configuration_says() {
    let mut world = World::new();
    world.place.has_git = true;
    world.place.ledgers = ["arcs/*/log.txt", "*.ledger.md", "notes/steps.org"].map(String::from).to_vec();
    git(&world.place.root, &["init", "-q"]);
    world.write("notes/steps.org", "* one\n");
    world.write("api.ledger.md", "# api\n");
    world.write("arcs/one/log.txt", "2026-03-14: begun\n");
    world.write("README.md", "readme");
    git(&world.place.root, &["add", "arcs", "README.md"]);
    world.run(&World::options());
    let mut names: Vec<String> =
        world.store.file_states(Source::Ledger).unwrap().iter().map(|state| state.path.as_str().to_owned()).collect();
    names.sort();
    assert_eq!(names, ["api.ledger.md", "arcs/one/log.txt", "notes/steps.org"]);
    assert_eq!(world.store.file_states(Source::Doc).unwrap().len(), 1);
    world.place.ledgers = vec![String::from("a{b")];
    let report = world.run(&World::options());
    assert_eq!(report.failures.iter().map(|failure| failure.path.as_str()).collect::<Vec<_>>(), ["ingest.ledgers"]);
    assert_eq!(report.committed.removed, 0);
}

#[test]
fn a_sixignore_holds_in_its_folder_with_git_and_without() {
    for has_git in [false, true] {
        let mut world = World::new();
        world.place.has_git = has_git;
        world.write("docs/.sixignore", "drafts/\n*.tmp.md\n");
        world.write("docs/drafts/a.md", "a");
        world.write("docs/b.tmp.md", "b");
        world.write("docs/deep/.sixignore", "!kept.tmp.md\n");
        world.write("docs/deep/kept.tmp.md", "kept");
        world.write("c.tmp.md", "c");
        if has_git {
            git(&world.place.root, &["init", "-q"]);
            git(&world.place.root, &["add", "."]);
        }
        world.run(&World::options());
        let states = world.store.file_states(Source::Doc).unwrap();
        let mut names: Vec<&str> = states.iter().map(|state| state.path.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["c.tmp.md", "docs/deep/kept.tmp.md"], "git: {has_git}");
    }
}

#[test]
fn a_memory_folder_that_was_moved_is_read_there() {
    let mut world = World::new();
    let moved = world.dir.path().join("notes");
    fs::create_dir_all(&moved).unwrap();
    fs::write(moved.join("invoices.md"), "---\nname: invoices\ntags: [tax]\n---\nPer year.\n").unwrap();
    world.place.memory = Some(moved);
    world.run(&World::options());
    assert_eq!(world.store.file_states(Source::Memory).unwrap().len(), 1);
    assert_eq!(world.found("tax").len(), 1);
}

fn subjects(world: &World) -> Vec<String> {
    let mut found: Vec<String> =
        world.found("docs").into_iter().map(|(text, _)| text.lines().next().unwrap().into()).collect();
    found.sort();
    found
}

#[test]
fn a_rewritten_history_neither_loses_nor_repeats_a_commit() {
    let mut world = World::new();
    world.place.has_git = true;
    let root = world.place.root.clone();
    let commit = |message: &str| git(&root, &["commit", "-q", "--allow-empty", "-m", message]);
    git(&root, &["init", "-q", "-b", "main"]);
    for n in 1..=4 {
        commit(&format!("docs: step {n}"));
    }
    commit("docs: mistake");
    world.run(&World::options());
    // Amended: the old form is gone.
    git(&root, &["commit", "-q", "--allow-empty", "--amend", "-m", "docs: amended"]);
    let report = world.run(&World::options());
    assert_eq!((report.committed.entries, report.committed.removed), (1, 1), "{report:?}");
    let after = ["docs: amended", "docs: step 1", "docs: step 2", "docs: step 3", "docs: step 4"];
    assert_eq!(subjects(&world), after);
    // Another branch: both stay, whichever is checked out.
    git(&root, &["checkout", "-q", "-b", "side", "HEAD~1"]);
    commit("docs: side");
    let report = world.run(&World::options());
    assert_eq!((report.committed.entries, report.committed.removed), (1, 0));
    git(&root, &["checkout", "-q", "main"]);
    let report = world.run(&World::options());
    assert_eq!(report.committed.removed, 0);
    assert_eq!(subjects(&world).len(), 6);
    // Rebased: what was moved is there once, under its new name.
    git(&root, &["checkout", "-q", "side"]);
    world.run(&World::options());
    git(&root, &["rebase", "-q", "--keep-empty", "main"]);
    world.run(&World::options());
    assert_eq!(subjects(&world).iter().filter(|subject| *subject == "docs: side").count(), 1);
    // Moved back by force, and nothing but that.
    git(&root, &["reset", "-q", "--hard", "main"]);
    world.run(&World::options());
    assert_eq!(subjects(&world), after);
    assert_eq!(world.run(&World::options()).committed, Committed::default());
}

#[test]
fn at_the_quota_transcripts_and_commits_wait_and_all_else_goes_on() {
    let mut world = World::new();
    world.place.has_git = true;
    git(&world.place.root, &["init", "-q"]);
    world.write("docs/ledger/a.md", "# Ledger\n");
    world.write("a.md", "document");
    git(&world.place.root, &["add", "a.md"]);
    git(&world.place.root, &["commit", "-q", "-m", "docs: begin"]);
    world.session("s-1.jsonl", &world.line("u1", "Use pnpm."));
    world.session("s-2.jsonl", &world.line("u2", "Use cents."));
    world.place.quota_bytes = 1;
    for _ in 0..2 {
        let report = world.run(&World::options());
        let held = report.held_back.unwrap();
        assert_eq!((report.outcome, held.files, held.quota_bytes), (Outcome::Finished, 3, 1));
        assert!(held.used_bytes > 1);
    }
    assert_eq!(world.store.file_states(Source::Transcript).unwrap(), []);
    assert_eq!(world.store.file_states(Source::Git).unwrap(), []);
    assert_eq!([Source::Doc, Source::Ledger].map(|s| world.store.file_states(s).unwrap().len()), [1, 1]);
    world.place.quota_bytes = u64::MAX;
    let report = world.run(&World::options());
    assert_eq!((report.committed.entries, report.held_back), (3, None));
}

#[test]
fn what_the_host_is_about_to_delete_is_read_first_and_stays_when_it_is_gone() {
    let world = World::new();
    let paths: Vec<PathBuf> = [40, 1, 28, 5]
        .into_iter()
        .map(|days| {
            let path =
                world.session(&format!("s-{days}.jsonl"), &world.line(&format!("u{days}"), &format!("day{days}")));
            age(&path, days);
            path
        })
        .collect();
    let expiring = |world: &World| {
        let found = find_expiring(&world.place, &world.store, NOW).unwrap();
        (found.keep_days, found.files, found.unread)
    };
    assert_eq!(expiring(&world), (30, 2, 2));
    for days in [40, 28, 1, 5] {
        // Asked before the job and after its batch: one file a run.
        let asked = AtomicU32::new(0);
        let is_over = || asked.fetch_add(1, Ordering::Relaxed) >= 1;
        world.run(&Options { is_over: &is_over, ..World::options() });
        assert_eq!(world.found(&format!("day{days}")).len(), 1, "{days}");
    }
    assert_eq!(expiring(&world), (30, 2, 0));
    fs::remove_file(&paths[0]).unwrap();
    world.run(&World::options());
    assert_eq!(world.found("day40").len(), 1);
    assert_eq!(expiring(&world), (30, 1, 0));
}
