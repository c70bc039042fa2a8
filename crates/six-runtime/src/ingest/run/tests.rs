//! Ingest as a user meets it: real files, a real store.

use super::*;
use crate::ingest::NoProgress;
use proptest::prelude::*;
use six_core::event::slug;
use six_core::ingest::Committed;
use six_core::search::{Filter, parse_query};
use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;

const NOW: UnixMs = UnixMs(4_000_000_000_000);

struct World {
    dir: TempDir,
    place: Place,
    store: Store,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let base = fs::canonicalize(dir.path()).unwrap();
        let root = base.join("my_app v2");
        fs::create_dir_all(&root).unwrap();
        fs::create_dir_all(base.join("claude/projects")).unwrap();
        let place = Place {
            checkouts: vec![root.clone()],
            main: root.clone(),
            has_git: false,
            host: Some(base.join("claude")),
            memory: Some(base.join("claude/projects").join(slug(&root.to_string_lossy())).join("memory")),
            keep_days: 30,
            ledgers: six_core::config::IngestConfig::default().ledgers,
            quota_bytes: u64::MAX,
            root,
        };
        let store = Store::create(&base.join("memory.db"), NOW).unwrap();
        Self { dir, place, store }
    }

    fn options() -> Options<'static> {
        Options { transcripts: &[], accept_vanished: false, is_over: &|| false, when_held: WhenHeld::Skip, now: NOW }
    }

    fn run(&self, options: &Options<'_>) -> Report {
        run(&self.place, &self.dir.path().join("ingest.lock"), &self.store, options, &mut NoProgress).unwrap()
    }

    fn run_named(&self, options: &Options<'_>) -> Report {
        run_named(&self.place, &self.dir.path().join("ingest.lock"), &self.store, options, &mut NoProgress).unwrap()
    }

    fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.place.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Where the host puts the sessions of a folder.
    fn sessions_of(&self, folder: &Path) -> PathBuf {
        let path = self.place.host.as_ref().unwrap().join("projects").join(slug(&folder.to_string_lossy()));
        fs::create_dir_all(&path).unwrap();
        path
    }

    fn session(&self, name: &str, lines: &str) -> PathBuf {
        let path = self.sessions_of(&self.place.root).join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, lines).unwrap();
        path
    }

    fn line(&self, uuid: &str, text: &str) -> String {
        line_in(&self.place.root, uuid, text)
    }

    /// What a word finds, in alphabetical order, and whether it is labelled.
    fn found(&self, word: &str) -> Vec<(String, bool)> {
        let hits = self.store.search(&parse_query(word, Filter::default(), 9, NOW)).unwrap().hits;
        let mut found: Vec<_> = hits.into_iter().map(|hit| (hit.text, !hit.label.is_empty())).collect();
        found.sort();
        found
    }

    fn state_of(&self, source: Source, name: &str) -> FileState {
        let states = self.store.file_states(source).unwrap();
        states.into_iter().find(|state| state.path.as_str().ends_with(name)).unwrap()
    }
}

fn line_in(cwd: &Path, uuid: &str, text: &str) -> String {
    let record = serde_json::json!({
        "parentUuid": null, "isSidechain": false, "cwd": cwd, "sessionId": "s-1", "version": "2.1.332",
        "type": "user", "message": {"role": "user", "content": text}, "uuid": uuid,
        "timestamp": "2026-08-01T10:00:00.000Z",
    });
    format!("{record}\n")
}

#[test]
fn a_second_run_opens_nothing_and_takes_nothing() {
    let world = World::new();
    world.write("README.md", "# Money\nCents.");
    world.write("src/main.rs", "fn main() {}");
    world.session("s-1.jsonl", &world.line("u1", "Use pnpm."));
    let first = world.run(&World::options());
    assert_eq!((first.outcome, first.found, first.unchanged), (Outcome::Finished, 2, 0));
    assert_eq!((first.committed.entries, first.failures.len()), (2, 0));
    let second = world.run(&World::options());
    assert_eq!((second.found, second.unchanged, second.committed), (2, 2, Committed::default()));
}

#[test]
fn only_the_tail_of_a_grown_session_is_read() {
    let world = World::new();
    let lines: String = (0..50).map(|n| world.line(&format!("u{n}"), "Use pnpm.")).collect();
    let path = world.session("s-1.jsonl", &lines);
    assert_eq!(world.run(&World::options()).bytes, lines.len() as u64);
    let tail = world.line("v1", "And yarn?");
    fs::write(&path, format!("{lines}{tail}")).unwrap();
    let report = world.run(&World::options());
    assert_eq!((report.bytes, report.committed.entries), (tail.len() as u64, 1));
    assert_eq!(world.state_of(Source::Transcript, "s-1.jsonl").consumed_lines, 51);
}

#[test]
fn a_line_that_is_still_being_written_is_taken_once_when_it_is_whole() {
    let world = World::new();
    let (one, two) = (world.line("u1", "one"), world.line("u2", "two"));
    let path = world.session("s-1.jsonl", &format!("{one}{}", &two[..two.len() / 2]));
    assert_eq!(world.run(&World::options()).committed.entries, 1);
    fs::write(&path, format!("{one}{two}")).unwrap();
    let report = world.run(&World::options());
    assert_eq!((report.committed.entries, report.committed.repeated), (1, 0));
    let state = world.state_of(Source::Transcript, "s-1.jsonl");
    assert_eq!((state.consumed_bytes, state.skipped.len()), ((one.len() + two.len()) as u64, 0));
}

#[test]
fn a_last_record_without_its_line_end_is_taken_once() {
    let world = World::new();
    let one = world.line("u1", "one");
    let path = world.session("s-1.jsonl", one.trim_end());
    assert_eq!(world.run(&World::options()).committed.entries, 1);
    fs::write(&path, format!("{one}{}", world.line("u2", "two"))).unwrap();
    let report = world.run(&World::options());
    assert_eq!((report.committed.entries, report.committed.repeated), (1, 0));
}

#[test]
fn a_session_that_was_rewritten_shorter_is_read_again_and_keeps_what_it_gave() {
    let world = World::new();
    let path = world.session("s-1.jsonl", &(world.line("u1", "one") + &world.line("u2", "two")));
    world.run(&World::options());
    fs::write(&path, world.line("u3", "three")).unwrap();
    let report = world.run(&World::options());
    assert_eq!((report.committed.entries, report.committed.removed), (1, 0));
}

#[test]
fn a_fork_repeats_records_and_they_are_counted_once() {
    let world = World::new();
    let one = world.line("u1", "one");
    world.session("s-1.jsonl", &one);
    world.session("s-2.jsonl", &(one + &world.line("u2", "two")));
    let report = world.run(&World::options());
    assert_eq!((report.committed.entries, report.committed.repeated), (2, 1));
}

#[test]
fn sub_agents_are_found_beside_their_session() {
    let world = World::new();
    world.session("s-1.jsonl", &world.line("u1", "one"));
    world.session("s-1/subagents/agent-a.jsonl", &world.line("u2", "two"));
    world.session("s-1/subagents/agent-a.meta.json", "{}");
    assert_eq!(world.run(&World::options()).committed.entries, 2);
}

#[test]
fn a_session_is_ours_by_what_it_says_and_not_by_its_folder() {
    let world = World::new();
    let root = world.place.root.clone();
    let sub = root.join("packages/api");
    fs::create_dir_all(&sub).unwrap();
    let nested = root.join("vendor/other");
    fs::create_dir_all(nested.join(".git")).unwrap();
    // Shares the slug of the root, since every other character is a dash.
    let twin = root.with_file_name("my-app v2");
    for (folder, uuid) in [(&root, "u1"), (&sub, "u2"), (&nested, "u3"), (&twin, "u4")] {
        let path = world.sessions_of(folder).join(format!("{uuid}.jsonl"));
        fs::write(path, line_in(folder, uuid, uuid)).unwrap();
    }
    assert_eq!(slug(&twin.to_string_lossy()), slug(&root.to_string_lossy()));
    let report = world.run(&World::options());
    assert_eq!((report.found, report.committed.entries), (2, 2));
}

#[cfg(unix)]
#[test]
fn a_linked_folder_of_sessions_is_read_once() {
    let world = World::new();
    let elsewhere = world.dir.path().join("elsewhere");
    fs::create_dir_all(&elsewhere).unwrap();
    fs::write(elsewhere.join("s-1.jsonl"), world.line("u1", "one")).unwrap();
    let projects = world.place.host.as_ref().unwrap().join("projects");
    std::os::unix::fs::symlink(&elsewhere, projects.join(slug(&world.place.root.to_string_lossy()))).unwrap();
    let named = [elsewhere.join("s-1.jsonl")];
    let report = world.run(&Options { transcripts: &named, ..World::options() });
    assert_eq!((report.found, report.committed.entries), (1, 1));
}

#[cfg(unix)]
#[test]
fn a_loop_of_links_ends_and_each_document_is_read_once() {
    let world = World::new();
    world.write("docs/a/one.md", "one");
    std::os::unix::fs::symlink(world.place.root.join("docs/a"), world.place.root.join("docs/a/b")).unwrap();
    std::os::unix::fs::symlink(world.place.root.join("docs/a/one.md"), world.place.root.join("two.md")).unwrap();
    assert_eq!(world.run(&World::options()).committed.entries, 1);
}

#[test]
fn a_named_transcript_may_be_missing_empty_or_a_folder() {
    let world = World::new();
    let named = [world.write("none/x.jsonl", ""), world.place.root.join("gone.jsonl"), world.place.root.clone()];
    let options = Options { transcripts: &named, ..World::options() };
    let report = world.run_named(&options);
    assert_eq!((report.found, report.failures.len(), report.outcome), (1, 0, Outcome::Finished));
    fs::write(&named[0], world.line("u1", "late")).unwrap();
    assert_eq!(world.run_named(&options).committed.entries, 1);
}

#[test]
fn a_line_of_thirty_megabytes_costs_only_itself() {
    let world = World::new();
    let mut lines = world.line("u1", "one");
    lines.push_str("{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"image\",\"source\":{\"data\":\"");
    lines.extend(std::iter::repeat_n('A', 30 << 20));
    lines.push_str("\"}}]}}\n");
    lines.push_str(&world.line("u2", "two"));
    world.session("s-1.jsonl", &lines);
    assert_eq!(world.run(&World::options()).committed.entries, 2);
    assert_eq!(world.state_of(Source::Transcript, "s-1.jsonl").skipped.get("too-long"), Some(&1));
}

#[test]
fn a_run_that_is_stopped_loses_nothing() {
    let world = World::new();
    let filler = "x ".repeat(600);
    let lines: String = (0..4000).map(|n| world.line(&format!("u{n}"), &format!("{n} {filler}"))).collect();
    world.session("s-1.jsonl", &lines);
    let mut entries = 0;
    for round in 0.. {
        let asked = AtomicU32::new(0);
        let is_over = || asked.fetch_add(1, Ordering::Relaxed) >= 2;
        let report = world.run(&Options { is_over: &is_over, ..World::options() });
        entries += report.committed.entries;
        assert_eq!(report.committed.repeated, 0);
        if report.outcome == Outcome::Finished {
            assert!(round > 1, "was never stopped");
            break;
        }
    }
    assert_eq!(entries, 4000);
}

#[test]
fn a_turn_that_was_taken_back_stays_findable_and_is_labelled() {
    let world = World::new();
    let said = |uuid: &str, parent: &str, kind: &str, text: &str| {
        let content = serde_json::json!([{"type": "text", "text": text}]);
        let record = serde_json::json!({
            "parentUuid": (!parent.is_empty()).then_some(parent), "isSidechain": false, "cwd": world.place.root,
            "sessionId": "s-1", "type": kind, "message": {"content": content}, "uuid": uuid,
        });
        format!("{record}\n")
    };
    let before = said("u1", "", "user", "Plan the billing.") + &said("a1", "u1", "assistant", "Planned.");
    let taken_back = said("u2", "a1", "user", "Use mongodb.") + &said("a2", "u2", "assistant", "Using mongodb.");
    let path = world.session("s-1.jsonl", &format!("{before}{taken_back}"));
    world.run(&World::options());
    let instead = said("u3", "a1", "user", "Use sqlite.") + &said("a3", "u3", "assistant", "Using sqlite.");
    fs::write(&path, format!("{before}{taken_back}{instead}")).unwrap();
    world.run(&World::options());
    assert_eq!(world.found("mongodb"), [("Use mongodb.".into(), true), ("Using mongodb.".into(), true)]);
    assert_eq!(world.found("sqlite"), [("Use sqlite.".into(), false), ("Using sqlite.".into(), false)]);
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_named_and_read_when_it_can_be() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    let path = world.session("s-1.jsonl", &world.line("u1", "one"));
    world.write("a.md", "a");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::File::open(&path).is_ok() {
        println!("skipped: this user may read everything");
        return;
    }
    let named = [path.clone()];
    let options = Options { transcripts: &named, ..World::options() };
    let report = world.run(&options);
    assert_eq!((report.outcome, report.committed.entries), (Outcome::Finished, 1));
    assert_eq!(report.failures.iter().map(|f| (f.source, f.fails)).collect::<Vec<_>>(), [(Source::Transcript, 1)]);
    assert_eq!(world.run(&options).failures[0].fails, 2);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    let report = world.run(&options);
    assert_eq!((report.committed.entries, report.failures.len()), (1, 0));
}

#[test]
fn a_changed_document_takes_the_place_of_what_it_said() {
    let world = World::new();
    world.write("a.md", "# Old\nold");
    world.write("b.md", "# Same\nsame");
    world.run(&World::options());
    world.write("a.md", "# New\nnewer");
    let report = world.run(&World::options());
    assert_eq!(report.unchanged, 1);
    // The store knows it by its path: a new version of the same entry.
    let done = Committed { entries: 0, repeated: 1, chunks: 1, removed: 0 };
    assert_eq!(report.committed, done);
}

#[test]
fn documents_that_are_no_text_are_named_and_the_others_are_read() {
    let world = World::new();
    world.write("docs/latin1.md", b"f\xFCr alle");
    world.write("docs/utf16.md", b"\xFF\xFEa\0b\0");
    world.write(
        "docs/bin.md",
        (0..1_000_000_u32).map(|n| u8::try_from(n.wrapping_mul(2_654_435_761) >> 24).unwrap()).collect::<Vec<_>>(),
    );
    world.write("docs/cut.md", b"ends in \xE9\x83");
    world.write("docs/huge.md", vec![b'a'; 1 << 21]);
    let report = world.run(&World::options());
    assert_eq!((report.committed.entries, report.failures.len()), (3, 0));
    for (name, reason) in [("latin1.md", "bad-encoding"), ("bin.md", "binary"), ("huge.md", "too-large")] {
        assert_eq!(world.state_of(Source::Doc, name).skipped.get(reason), Some(&1), "{name}");
    }
    assert_eq!(world.run(&World::options()).unchanged, 5);
}

#[test]
fn a_removed_document_leaves_and_many_at_once_are_not_believed() {
    let world = World::new();
    for n in 0..8 {
        world.write(&format!("docs/{n}.md"), format!("text {n}"));
    }
    world.run(&World::options());
    fs::remove_file(world.place.root.join("docs/0.md")).unwrap();
    assert_eq!(world.run(&World::options()).committed.removed, 1);
    fs::rename(world.place.root.join("docs"), world.dir.path().join("docs")).unwrap();
    let report = world.run(&World::options());
    assert_eq!(report.committed.removed, 0);
    assert_eq!(report.kept, [Kept { source: Source::Doc, vanished: 7, known: 7 }]);
    let report = world.run(&Options { accept_vanished: true, ..World::options() });
    assert_eq!(report.committed.removed, 7);
}

#[test]
fn what_is_ignored_is_no_document() {
    let world = World::new();
    world.write(".gitignore", "build/\n");
    world.write(".sixignore", "drafts/\n");
    world.write("build/a.md", "a");
    world.write("drafts/b.md", "b");
    world.write("c.md", "c");
    assert_eq!(world.run(&World::options()).committed.entries, 1);
}

fn git(root: &Path, args: &[&str]) {
    let who = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.invalid", "-c", "commit.gpgsign=false"];
    let done = std::process::Command::new("git").arg("-C").arg(root).args(who).args(args).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn with_git_only_what_is_tracked_is_a_document_and_commits_are_taken_once() {
    let mut world = World::new();
    world.place.has_git = true;
    let root = world.place.root.clone();
    world.write("docs/a.md", "tracked");
    world.write("drafts/b.md", "tracked and left out");
    world.write(".sixignore", "drafts/\n");
    git(&root, &["init", "-q"]);
    git(&root, &["add", "."]);
    git(&root, &["commit", "-q", "-m", "docs: begin", "-m", "Since nobody knew."]);
    world.write("docs/c.md", "not tracked");
    world.write("CLAUDE.local.md", "Not tracked, and still a rule.");
    let report = world.run(&World::options());
    assert_eq!((report.committed.entries, report.failures.len()), (3, 0), "{report:?}");
    let head = world.state_of(Source::Git, "HEAD");
    git(&root, &["commit", "-q", "--allow-empty", "-m", "docs: go on"]);
    let report = world.run(&World::options());
    assert_eq!((report.committed.entries, report.committed.repeated), (1, 0));
    assert_ne!(world.state_of(Source::Git, "HEAD").content_hash, head.content_hash);
    assert_eq!(world.run(&World::options()).committed, Committed::default());
}

#[test]
fn when_git_fails_nothing_is_removed() {
    let mut world = World::new();
    for n in 0..3 {
        world.write(&format!("{n}.md"), "text");
    }
    world.run(&World::options());
    // A work tree that git does not know: every call fails.
    world.place.has_git = true;
    let report = world.run(&World::options());
    assert_eq!((report.committed.removed, report.kept.len()), (0, 0));
    assert_eq!(report.failures.iter().map(|f| f.source).collect::<Vec<_>>(), [Source::Doc, Source::Git]);
    assert_eq!(world.store.file_states(Source::Doc).unwrap().len(), 3);
}

#[test]
fn memory_files_and_rules_are_memory() {
    let world = World::new();
    let memory = world.sessions_of(&world.place.root).join("memory");
    fs::create_dir_all(&memory).unwrap();
    fs::write(memory.join("MEMORY.md"), "- [Invoices](invoices.md)\n").unwrap();
    fs::write(memory.join("invoices.md"), "---\nname: invoices\n---\nPer year.\n").unwrap();
    world.write("CLAUDE.md", "Use pnpm.");
    world.write("sub/CLAUDE.md", "Use cents.");
    world.run(&World::options());
    assert_eq!(world.store.file_states(Source::Memory).unwrap().len(), 4);
    assert_eq!(world.store.file_states(Source::Doc).unwrap().len(), 0);
}

#[test]
fn a_second_process_leaves_it_to_the_first() {
    let world = World::new();
    world.write("a.md", "a");
    let lock = FileLock::acquire(&world.dir.path().join("ingest.lock"), Duration::ZERO).unwrap();
    assert_eq!(world.run(&World::options()).outcome, Outcome::Held);
    drop(lock);
    assert_eq!(world.run(&World::options()).committed.entries, 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// However a file grew while it was read, the store holds the same messages in the end.
    #[test]
    fn any_growth_gives_what_one_reading_gives(cuts in proptest::collection::vec(0..4000_usize, 0..6)) {
        let world = World::new();
        let text: String = (0..12).map(|n| world.line(&format!("u{n}"), &format!("message {n} é部"))).collect();
        let path = world.session("s-1.jsonl", "");
        let mut cuts = cuts;
        cuts.sort_unstable();
        cuts.push(text.len());
        let mut committed = Committed::default();
        for cut in cuts {
            fs::write(&path, &text.as_bytes()[..cut.min(text.len())]).unwrap();
            let done = world.run(&World::options()).committed;
            committed.entries += done.entries;
            committed.repeated += done.repeated;
        }
        prop_assert_eq!((committed.entries, committed.repeated), (12, 0));
        prop_assert_eq!(world.state_of(Source::Transcript, "s-1.jsonl").skipped.len(), 0);
    }
}

mod sources;
