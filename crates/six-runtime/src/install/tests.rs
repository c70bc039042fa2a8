//! Installs and uninstalls over whole made-up machines.

use super::*;
use crate::home::Environment;
use crate::project::adopt::{Adoption, RootFacts};
use crate::project::enrol::{Origin, Wish, enrol};
use crate::project::identity::{Located, locate_at};
use crate::project::scratch::Scratch;
use six_core::record::UnixMs;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Time of a test.
const NOW: UnixMs = UnixMs(1_767_225_600_000);

struct Machine {
    scratch: Scratch,
    env: Environment,
    bin: PathBuf,
}

impl Machine {
    fn new() -> Self {
        let scratch = Scratch::new();
        let bin = scratch.base().join("opt/my tools/bin");
        fill(&bin);
        Self { env: scratch.env(), scratch, bin }
    }

    fn request<'a>(&'a self, start: &'a Path, scope: Scope) -> Request<'a> {
        Request { env: &self.env, start, scope, binaries: &self.bin, templates: true }
    }

    fn install(&self, start: &Path, scope: Scope) -> Installed {
        apply(&self.request(start, scope), NOW).unwrap()
    }

    fn refused(&self, start: &Path, scope: Scope) -> Refusal {
        let before = self.everything();
        let refusal = match apply(&self.request(start, scope), NOW) {
            Err(InstallError::Refused(refusal)) => refusal,
            other => panic!("{other:?}"),
        };
        assert_same(&self.everything(), &before, &refusal.to_string());
        refusal
    }

    fn uninstall(&self, start: &Path, purge: bool) -> Uninstalled {
        let request = UninstallRequest { env: &self.env, start, binaries: &self.bin, purge };
        apply_uninstall(&request).unwrap()
    }

    /// Every file and folder that is not in our own folder; files of git that no command of ours touches are left out.
    fn outside(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let ours = self.scratch.base().join("six");
        self.everything().into_iter().filter(|(path, _)| !path.starts_with(&ours)).collect()
    }

    fn everything(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut found = BTreeMap::new();
        collect(&self.scratch.base(), &mut found);
        found
    }
}

/// Says which paths differ, not what all files hold.
fn assert_same(now: &BTreeMap<PathBuf, Option<Vec<u8>>>, before: &BTreeMap<PathBuf, Option<Vec<u8>>>, case: &str) {
    let differs = |path: &&PathBuf| now.get(*path) != before.get(*path);
    let differing: Vec<_> = now.keys().chain(before.keys()).filter(differs).collect();
    assert!(differing.is_empty(), "{case}: {differing:?}");
}

fn collect(folder: &Path, found: &mut BTreeMap<PathBuf, Option<Vec<u8>>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let metadata = fs::symlink_metadata(&path).unwrap();
        if metadata.is_dir() {
            collect(&path, found);
            found.insert(path, None);
        } else {
            let content = if metadata.is_symlink() {
                fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
            } else {
                fs::read(&path).unwrap()
            };
            found.insert(path, Some(content));
        }
    }
}

fn fill(bin: &Path) {
    fs::create_dir_all(bin).unwrap();
    for name in HOOKS.map(|hook| hook.binary) {
        fs::write(bin.join(name), "").unwrap();
    }
}

fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

const FOREIGN: &str = r#"{"hooks": {"SessionStart": [{"matcher": "startup", "hooks": [{"type": "command", "command": "node /w/six-notes/my-hook.js"}]}]}, "model": "opus"}"#;

#[test]
fn after_install_and_uninstall_every_byte_is_as_before() {
    let odd = [
        None,
        Some(""),
        Some("{}"),
        Some("\u{feff}{\r\n\t\"model\": \"opus\",\r\n\t\"hooks\": {}\r\n}\r\n"),
        Some("{\n    \"hooks\": {\"Stop\": []},\n    \"zeta\": 1, \"alpha\": [1,\n2]\n}"),
        Some(FOREIGN),
    ];
    for scope in [Scope::Local, Scope::Project, Scope::User] {
        for settings in odd {
            let machine = Machine::new();
            let root = machine.scratch.repository("api");
            let path = scope.settings_path(&root, claude_dir(&machine.env).as_deref()).unwrap();
            if let Some(settings) = settings {
                put(&path, settings);
            }
            let before = machine.outside();
            let installed = machine.install(&root, scope);
            assert_eq!(installed.plan.wirings[0].added.len(), HOOKS.len());
            assert!(read(&path).contains("/opt/my tools/bin/six-session-start"));
            let gone = machine.uninstall(&root, false);
            assert!(gone.plan.kept.is_empty());
            assert_same(&machine.outside(), &before, &format!("{scope:?} {settings:?}"));
        }
    }
}

#[test]
fn the_second_install_changes_nothing() {
    let machine = Machine::new();
    let root = machine.scratch.repository("api");
    machine.install(&root, Scope::Local);
    let before = machine.everything();
    let again = machine.install(&root, Scope::Local);
    assert!(again.plan.changes.is_empty() && again.backups.is_empty());
    assert_eq!((again.enrolled.origin, again.store), (Origin::Kept, StoreState::Kept));
    let after = machine.everything();
    let is_store = |path: &Path| path.to_string_lossy().contains("memory.db");
    let differ: Vec<_> =
        after.iter().filter(|(path, bytes)| !is_store(path) && before.get(*path) != Some(bytes)).collect();
    assert!(differ.is_empty(), "{differ:?}");
}

#[test]
fn a_folder_without_git_is_a_project_too() {
    let machine = Machine::new();
    let root = machine.scratch.folder("My Drive/proj é");
    let before = machine.outside();
    let installed = machine.install(&root, Scope::Local);
    assert_eq!(installed.plan.identity, Identity::Given(Adoption::Fresh));
    machine.uninstall(&root, false);
    assert_same(&machine.outside(), &before, "");
}

#[test]
fn settings_that_cannot_be_edited_are_refused_and_nothing_is_changed() {
    let machine = Machine::new();
    let root = machine.scratch.repository("api");
    let path = root.join(".claude/settings.local.json");
    for (text, said) in [
        ("{\n  \"model\": \"opus\",\n}", "line 2, column 18"),
        ("\u{feff}{\r\n  // keep me\r\n  \"hooks\": {}\r\n}", "line 2, column 3"),
        ("[]", "not an object"),
        ("{\"hooks\": []}", "\"hooks\""),
    ] {
        put(&path, text);
        let refusal = machine.refused(&root, Scope::Local).to_string();
        assert!(refusal.contains(said) && refusal.contains("settings.local.json"), "{refusal}");
    }
    fs::write(&path, b"{\"a\": \"\xff\"}").unwrap();
    assert!(matches!(machine.refused(&root, Scope::Local), Refusal::NotUtf8 { at: 7, .. }));
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(matches!(machine.refused(&root, Scope::Local), Refusal::NotRegular(_)));
}

#[cfg(unix)]
#[test]
fn read_only_files_and_folders_and_broken_links_are_refused() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let machine = Machine::new();
    let root = machine.scratch.repository("api");
    let path = root.join(".claude/settings.local.json");
    put(&path, "{}");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    assert!(matches!(machine.refused(&root, Scope::Local), Refusal::ReadOnly(at) if at == path));
    fs::remove_file(&path).unwrap();
    symlink("/nowhere/settings.json", &path).unwrap();
    assert!(matches!(machine.refused(&root, Scope::Local), Refusal::BrokenLink(at) if at == path));
    fs::remove_file(&path).unwrap();
    fs::set_permissions(path.parent().unwrap(), fs::Permissions::from_mode(0o555)).unwrap();
    assert!(matches!(machine.refused(&root, Scope::Local), Refusal::ReadOnly(at) if at == path.parent().unwrap()));
    fs::set_permissions(path.parent().unwrap(), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn places_that_can_be_no_project_are_refused() {
    let mut machine = Machine::new();
    let home = machine.scratch.base().join("home");
    assert!(matches!(machine.refused(&home, Scope::Local), Refusal::NotPossible { .. }));
    assert!(matches!(machine.refused(Path::new("/"), Scope::Local), Refusal::NotPossible { .. }));
    assert!(matches!(machine.refused(&home.join("none"), Scope::Local), Refusal::NoFolder(_)));
    let root = machine.scratch.repository("api");
    machine.env.home = None;
    assert!(matches!(machine.refused(&root, Scope::User), Refusal::NoHostFolder));
    machine.env.six_home = None;
    assert!(matches!(machine.refused(&root, Scope::Local), Refusal::NoSixHome(_)));
}

#[cfg(unix)]
#[test]
fn a_linked_settings_file_stays_a_link_with_the_mode_of_its_target() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let machine = Machine::new();
    let root = machine.scratch.repository("api");
    let (link, target) = (machine.scratch.at(".claude/settings.json"), machine.scratch.at("dots/settings.json"));
    put(&target, "{\n  \"model\": \"opus\"\n}\n");
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    fs::create_dir(link.parent().unwrap()).unwrap();
    symlink("../dots/settings.json", &link).unwrap();
    let before = machine.outside();
    let installed = machine.install(&root, Scope::User);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink() && read(&target).contains("six-session-end"));
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(read(&installed.backups[0]).contains("opus"));
    machine.uninstall(&root, false);
    assert_same(&machine.outside(), &before, "");
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn what_the_user_changed_since_stays_and_is_named() {
    let machine = Machine::new();
    let root = machine.scratch.repository("api");
    let settings = root.join(".claude/settings.local.json");
    put(&settings, FOREIGN);
    machine.install(&root, Scope::Local);
    let edited = read(&settings).replace("\"model\": \"opus\"", "\"model\": \"haiku\"");
    put(&settings, &edited);
    put(&root.join("CLAUDE.md"), "our own rules");
    let gone = machine.uninstall(&root, false);
    assert_eq!(gone.plan.kept, [Kept(root.join("CLAUDE.md"))]);
    assert_eq!(read(&settings), FOREIGN.replace("opus", "haiku"));
    assert!(gone.plan.files.iter().any(|(path, outcome)| *path == settings && matches!(outcome, Outcome::Cut(_))));
    assert_eq!(read(&root.join("CLAUDE.md")), "our own rules");
    assert!(!root.join(".claude/skills").exists());
}

#[test]
fn entries_go_from_all_three_files_even_without_a_manifest() {
    let machine = Machine::new();
    let root = machine.scratch.repository("api");
    for scope in [Scope::Local, Scope::Project, Scope::User] {
        machine.install(&root, scope);
    }
    let store = machine.install(&root, Scope::Local).enrolled.project.store_dir;
    for manifest in [Manifest::path_in(&store), machine.scratch.base().join("six/machine.json")] {
        fs::remove_file(manifest).unwrap();
    }
    machine.uninstall(&root, false);
    for scope in [Scope::Local, Scope::Project, Scope::User] {
        let path = scope.settings_path(&root, claude_dir(&machine.env).as_deref()).unwrap();
        assert_eq!(read(&path).trim(), "{}", "the file stays: nobody knows who made it");
    }
}

#[test]
fn moved_binaries_are_put_right_in_every_file_that_we_wired() {
    let mut machine = Machine::new();
    let root = machine.scratch.repository("api");
    let before = machine.outside();
    machine.install(&root, Scope::User);
    machine.install(&root, Scope::Local);
    let moved = machine.scratch.base().join("usr/bin");
    fs::rename(&machine.bin, machine.scratch.base().join("gone")).unwrap();
    fill(&moved);
    let stale = std::mem::replace(&mut machine.bin, moved);
    let repaired = machine.install(&root, Scope::Local);
    assert_eq!(repaired.plan.wirings.iter().map(|wiring| wiring.repaired.len()).collect::<Vec<_>>(), [HOOKS.len(); 2]);
    for path in [root.join(".claude/settings.local.json"), machine.scratch.at(".claude/settings.json")] {
        assert!(!read(&path).contains(stale.to_str().unwrap()) && read(&path).contains("/usr/bin/six-session-end"));
    }
    machine.uninstall(&root, true);
    let is_of_user = |path: &Path| path.starts_with(machine.scratch.base().join("home"));
    let here =
        |all: BTreeMap<PathBuf, _>| all.into_iter().filter(|(path, _)| is_of_user(path)).collect::<BTreeMap<_, _>>();
    assert_same(&here(machine.outside()), &here(before), "");
}

#[test]
fn the_users_settings_stay_wired_until_the_last_project_that_relies_on_them_goes() {
    let machine = Machine::new();
    let (api, web) = (machine.scratch.repository("api"), machine.scratch.repository("web"));
    let before = machine.outside();
    machine.install(&api, Scope::User);
    machine.install(&web, Scope::User);
    let gone = machine.uninstall(&api, true);
    assert_eq!(gone.plan.relied_on_by, 1);
    assert!(read(&machine.scratch.at(".claude/settings.json")).contains("six-session-start"));
    assert!(!api.join("CLAUDE.md").exists() && web.join("CLAUDE.md").exists());
    machine.uninstall(&web, true);
    assert_same(&machine.outside(), &before, "");
    assert!(!machine.scratch.base().join("six").exists(), "after the last purge nothing is left");
}

#[test]
fn folders_of_the_host_that_several_projects_use_go_with_the_last() {
    let machine = Machine::new();
    let (api, web) = (machine.scratch.repository("api"), machine.scratch.repository("web"));
    let before = machine.outside();
    machine.install(&api, Scope::Local);
    machine.install(&web, Scope::Local);
    machine.uninstall(&api, false);
    machine.uninstall(&web, false);
    assert_same(&machine.outside(), &before, "");
}

#[test]
fn an_install_that_was_cut_short_before_its_last_file_is_completed_or_taken_back() {
    let machine = Machine::new();
    let root = machine.scratch.repository("api");
    let settings = root.join(".claude/settings.local.json");
    put(&settings, FOREIGN);
    let before = machine.outside();
    machine.install(&root, Scope::Local);
    put(&settings, FOREIGN);
    machine.uninstall(&root, false);
    assert_same(&machine.outside(), &before, "taken back");
    machine.install(&root, Scope::Local);
    put(&settings, FOREIGN);
    machine.install(&root, Scope::Local);
    assert!(read(&settings).contains("six-session-start"));
    machine.uninstall(&root, false);
    assert_same(&machine.outside(), &before, "completed, then taken back");
}

#[test]
fn the_store_stays_and_is_found_again_unless_it_is_purged() {
    let machine = Machine::new();
    let root = machine.scratch.repository("api");
    let first = machine.install(&root, Scope::Local).enrolled.project;
    let gone = machine.uninstall(&root, false);
    assert!(!gone.plan.purge && first.store_dir.join("memory.db").exists());
    let again = machine.install(&root, Scope::Local);
    assert_eq!((&again.enrolled.project.id, again.store), (&first.id, StoreState::Kept));
    machine.uninstall(&root, true);
    assert!(!first.store_dir.exists());
    let request = UninstallRequest { env: &machine.env, start: &root, binaries: &machine.bin, purge: false };
    assert!(matches!(plan_uninstall(&request), Err(Refusal::NotInstalled(at)) if at == root));
}

#[test]
fn only_binaries_of_our_installer_go_and_only_with_the_last_project() {
    let machine = Machine::new();
    let (api, web) = (machine.scratch.repository("api"), machine.scratch.repository("web"));
    let receipt = machine.bin.join(".six-programs");
    let listed: Vec<String> = HOOKS.iter().map(|hook| machine.bin.join(hook.binary).display().to_string()).collect();
    put(&machine.bin.join("rg"), "not ours");
    put(&receipt, &listed.join("\n"));
    machine.install(&api, Scope::Local);
    machine.install(&web, Scope::Local);
    assert!(machine.uninstall(&api, false).plan.binaries.is_empty());
    assert_eq!(machine.uninstall(&web, false).plan.binaries.len(), HOOKS.len() + 1);
    let left: Vec<_> = fs::read_dir(&machine.bin).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["rg"]);
}

#[test]
fn local_settings_that_are_new_stay_out_of_commits() {
    let machine = Machine::new();
    let root = machine.scratch.repository("api");
    machine.install(&root, Scope::Local);
    let status = machine.scratch.git(&root, &["status", "--porcelain", "--untracked-files=all"]);
    assert!(!status.contains("settings.local.json") && status.contains("CLAUDE.md"), "{status}");
}

#[test]
fn worktrees_share_a_store_and_go_together() {
    let machine = Machine::new();
    let root = machine.scratch.repository("api");
    let linked = machine.scratch.at("fix");
    machine.scratch.git(&root, &["worktree", "add", "-q", linked.to_str().unwrap()]);
    let before = machine.outside();
    let main = machine.install(&root, Scope::Local);
    let worktree = machine.install(&linked, Scope::Local);
    assert_eq!(main.enrolled.project.id, worktree.enrolled.project.id);
    machine.uninstall(&linked, false);
    assert_same(&machine.outside(), &before, "");
}

#[test]
fn a_project_that_was_moved_is_taken_back_where_it_is_now() {
    let machine = Machine::new();
    let root = machine.scratch.repository("api");
    let before = machine.outside();
    machine.install(&root, Scope::Local);
    let moved = machine.scratch.at("renamed");
    fs::rename(&root, &moved).unwrap();
    assert!(machine.install(&moved, Scope::Local).plan.changes.iter().all(|change| change.path.ends_with("MEMORY.md")));
    machine.uninstall(&moved, false);
    fs::rename(&moved, &root).unwrap();
    assert_same(&machine.outside(), &before, "");
}

#[test]
fn installs_at_once_agree() {
    let machine = Machine::new();
    let root = machine.scratch.repository("api");
    let before = machine.outside();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| machine.install(&root, Scope::Local));
        }
    });
    let settings = read(&root.join(".claude/settings.local.json"));
    assert_eq!(settings.matches("six-session-start").count(), 1);
    machine.uninstall(&root, false);
    assert_same(&machine.outside(), &before, "");
}

#[test]
fn a_dry_run_is_a_plan_and_writes_nothing() {
    let machine = Machine::new();
    let root = machine.scratch.repository("api");
    let before = machine.everything();
    let plan = plan(&machine.request(&root, Scope::Local)).unwrap();
    let names: Vec<_> = plan.changes.iter().map(|change| change.path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["CLAUDE.md", "SKILL.md", "MEMORY.md", "exclude", "settings.local.json"]);
    assert_same(&machine.everything(), &before, "");
}

#[test]
fn a_copy_has_to_say_first_which_project_it_is() {
    let machine = Machine::new();
    let root = machine.scratch.repository("api");
    machine.install(&root, Scope::Local);
    let copy = machine.scratch.at("copy");
    assert!(std::process::Command::new("cp").arg("-a").args([&root, &copy]).status().unwrap().success());
    assert!(matches!(machine.refused(&copy, Scope::Local), Refusal::Copied { .. }));
    enrol(&machine.env, &copy, &RootFacts::default(), &Wish::Split, NOW.0).unwrap();
    machine.install(&copy, Scope::Local);
    assert!(matches!(locate_at(&machine.env, &copy), Located::Installed(_)));
}

#[test]
fn the_audit_names_all_that_is_ours() {
    let machine = Machine::new();
    let root = machine.scratch.repository("api");
    let installed = machine.install(&root, Scope::Local);
    put(&root.join("CLAUDE.md"), "our own rules");
    fs::create_dir(machine.scratch.base().join("six/projects/unknown")).unwrap();
    let audit = audit(&machine.env, &machine.bin).unwrap();
    let [project] = audit.projects.as_slice() else { panic!("{audit:?}") };
    assert_eq!((&project.id, project.roots.as_slice()), (&installed.enrolled.project.id, [root.clone()].as_slice()));
    assert!(project.store.as_ref().unwrap().1 > 0);
    assert!(project.files.contains(&(root.join("CLAUDE.md"), false)));
    assert_eq!(audit.settings[0].0, root.join(".claude/settings.local.json"));
    assert_eq!(audit.settings[0].1.len(), HOOKS.len());
    assert_eq!(audit.strays, [machine.scratch.base().join("six/projects/unknown")]);
}

#[test]
fn settings_with_a_secret_are_edited_and_taken_back_without_a_copy_of_it() {
    let machine = Machine::new();
    let root = machine.scratch.repository("api");
    let secret = ["ghp_", "x7Kd02mQvB91LsTn", "4yRw8ZcEaJ35HuGfP0iD"].concat();
    let settings = root.join(".claude/settings.local.json");
    put(&settings, &format!("{{\n  \"env\": {{ \"GITHUB_TOKEN\": \"{secret}\" }}\n}}\n"));
    let before = machine.outside();
    let installed = machine.install(&root, Scope::Local);
    assert_eq!(installed.secretive, [settings]);
    let ours =
        machine.everything().into_iter().filter(|(path, _)| path.starts_with(machine.scratch.base().join("six")));
    for (path, bytes) in ours {
        let bytes = bytes.unwrap_or_default();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()), "{}", path.display());
    }
    machine.uninstall(&root, false);
    assert_same(&machine.outside(), &before, "");
}
