//! The user's settings: only our bytes go in, exactly they come out, and what can't be edited is left alone.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use testkit::{Ran, Scratch, Tree, payload};

/// Another tool's hook, whose path has our name in it.
const FOREIGN: &str = r#"{"type": "command", "command": "node /w/six-notes/my-hook.js"}"#;

fn path(path: &Path) -> &str {
    path.to_str().expect("scratch paths are UTF-8")
}

fn local(scratch: &Scratch) -> PathBuf {
    scratch.project().join(".claude/settings.local.json")
}

fn install(scratch: &Scratch) -> Ran {
    scratch.six(&["install"])
}

fn read(file: &Path) -> Vec<u8> {
    fs::read(file).expect("the file is there")
}

/// Settings that the host accepts, as different people and programs write them.
fn valid() -> Vec<(&'static str, String)> {
    let group = format!(r#"{{"matcher": "startup", "hooks": [{FOREIGN}]}}"#);
    vec![
        ("empty object", String::from("{}")),
        ("one line, odd order", format!(r#"{{"model":"opus","hooks":{{"Stop":[{group}]}},"env":{{"A":"1"}}}}"#)),
        ("a group of ours to be", format!("{{\n\t\"hooks\": {{\n\t\t\"SessionStart\": [{group}]\n\t}}\n}}\n")),
        ("same matcher as ours", format!("{{\"hooks\": {{\"SessionEnd\": [{{\"hooks\": [{FOREIGN}]}}]}}}}")),
        ("tabs, no line end", String::from("{\n\t\"permissions\": {\n\t\t\"deny\": [\"Read(.env)\"]\n\t}\n}")),
        ("four blanks, empty hooks", String::from("{\n    \"hooks\": {},\n    \"model\": \"opus\"\n}\n\n\n")),
        ("byte order mark and CRLF", String::from("\u{feff}{\r\n  \"model\": \"opus\",\r\n  \"hooks\": {}\r\n}\r\n")),
        ("empty list of an event", String::from(r#"{"hooks": {"UserPromptSubmit": [  ], "SessionStart": []}}"#)),
        (
            "escapes and numbers",
            String::from(r#"{"a\u00e9\/": 1.50e+3, "b": [1,2 , 3], "": null, "n": 12345678901234567890}"#),
        ),
        ("nothing", String::new()),
        ("blanks", String::from(" \n\t\n")),
    ]
}

/// Settings that the host does not accept, or that leave no place for a hook.
fn refused() -> Vec<(&'static str, Vec<u8>)> {
    let text = |text: &str| text.as_bytes().to_vec();
    vec![
        ("trailing comma", text("{\"model\": \"opus\", \"permissions\": {\"deny\": [\"Read(.env)\"]},\n}")),
        ("trailing comma in a list", text(r#"{"hooks": {"Stop": [{"hooks": []},]}}"#)),
        ("a comment", text("\u{feff}{\r\n  // keep me\r\n  \"model\": \"opus\",\r\n  \"hooks\": {}\r\n}\r\n")),
        ("a block comment", text("{ /* keep */ }")),
        ("cut", text(r#"{"hooks": {"Stop": ["#)),
        ("a list", text("[]")),
        ("a word", text("settings")),
        ("two values", text("{} {}")),
        ("hooks as a list", text(r#"{"hooks": []}"#)),
        ("hooks as null", text(r#"{"hooks": null}"#)),
        ("an event as an object", text(r#"{"hooks": {"SessionStart": {}}}"#)),
        ("a member twice", text(r#"{"hooks": {}, "model": "a", "hooks": {}}"#)),
        ("single quotes", text("{'hooks': {}}")),
        ("latin-1", b"{\"model\": \"caf\xe9\"}".to_vec()),
        ("UTF-16", "{}".encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ("nested beyond reason", format!("{{\"a\": {}{}}}", "[".repeat(5_000), "]".repeat(5_000)).into_bytes()),
    ]
}

#[test]
fn what_install_adds_is_taken_out_to_the_byte_in_every_style_of_file() {
    for (style, text) in valid() {
        let scratch = Scratch::new();
        scratch.write(".claude/settings.local.json", &text);
        let (home, project) = (Tree::of(&scratch.home()), Tree::of(&scratch.project()));
        install(&scratch).ok();
        let wired = read(&local(&scratch));
        let known: Value = serde_json::from_slice(wired.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&wired))
            .unwrap_or_else(|why| panic!("{style}: {why}"));
        for event in ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"] {
            assert!(known["hooks"][event].to_string().contains("/six-"), "{style}: {event} is not wired");
        }
        assert_eq!(text.contains("my-hook.js"), known.to_string().contains("my-hook.js"), "{style}");
        assert_eq!(text.starts_with('\u{feff}'), wired.starts_with("\u{feff}".as_bytes()), "{style}");
        assert!(
            !text.contains("\r\n") || !String::from_utf8_lossy(&wired).replace("\r\n", "").contains('\n'),
            "{style}"
        );

        let (home_wired, project_wired) = (Tree::of(&scratch.home()), Tree::of(&scratch.project()));
        install(&scratch).ok();
        home_wired.is_unchanged(&Tree::of(&scratch.home()));
        project_wired.is_unchanged(&Tree::of(&scratch.project()));

        scratch.six(&["uninstall"]).ok();
        assert_eq!(String::from_utf8(read(&local(&scratch))).ok(), Some(text), "{style}");
        home.is_unchanged(&Tree::of(&scratch.home()));
        project.is_unchanged(&Tree::of(&scratch.project()));
    }
}

#[test]
fn what_can_not_be_edited_is_refused_with_its_place_and_no_byte_changes() {
    let scratch = Scratch::new();
    for (fault, text) in refused() {
        for scope in ["local", "project", "user"] {
            let file = match scope {
                "local" => local(&scratch),
                "project" => scratch.project().join(".claude/settings.json"),
                _ => scratch.home().join(".claude/settings.json"),
            };
            fs::create_dir_all(file.parent().expect("a file has a folder")).expect("a folder can be made");
            fs::write(&file, &text).expect("a file can be written");
            let (home, project) = (Tree::of(&scratch.home()), Tree::of(&scratch.project()));
            let ran = scratch.six(&["install", "--scope", scope]);
            assert_eq!(ran.status, Some(2), "{fault}, {scope}: {}{}", ran.stdout, ran.stderr);
            assert!(ran.stderr.contains(path(&file)), "{fault}: {}", ran.stderr);
            assert!(ran.stderr.contains("next: "), "{fault}: {}", ran.stderr);
            home.is_unchanged(&Tree::of(&scratch.home()));
            project.is_unchanged(&Tree::of(&scratch.project()));
            fs::remove_file(&file).expect("a file can be removed");
        }
    }
    assert!(!scratch.six_home().join("projects").exists(), "a refused install leaves no store");
}

#[test]
fn a_project_that_was_used_is_as_it_was_after_uninstall() {
    let scratch = Scratch::new();
    scratch.write(".claude/settings.json", &json!({ "permissions": { "deny": ["Read(.env)"] } }).to_string());
    scratch.write("docs/pier.md", "# Pier\n\nThree lamps.\n");
    scratch.commit("docs: the pier");
    let mut session = scratch.session(1);
    let mut transcript = scratch.transcript(&session).prompt("Count the ships.").answer("Four.");
    transcript.write();
    let (home, project) = (Tree::of(&scratch.home()), Tree::of(&scratch.project()));
    for scope in ["local", "project", "user"] {
        scratch.six(&["install", "--scope", scope]).ok();
    }
    scratch.answer("session-start", &payload::session_start(&session, "startup"));
    scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, "Build a lamp."));
    scratch.answer("session-end", &payload::session_end(&session, "other"));
    scratch.six(&["ingest"]).ok();
    scratch.six(&["uninstall"]).ok();
    home.is_unchanged(&Tree::of(&scratch.home()));
    project.is_unchanged(&Tree::of(&scratch.project()));

    let again = scratch.six(&["uninstall"]);
    assert_eq!(again.status, Some(1), "{}{}", again.stdout, again.stderr);
    assert!(again.stderr.contains("next: "), "{}", again.stderr);
}

#[test]
fn the_memory_is_found_again_after_uninstall_and_install() {
    let scratch = Scratch::new();
    install(&scratch).ok();
    scratch.six(&["decision", "add", "Lamps are green", "--why", "seen from the sea"]).ok();
    scratch.six(&["uninstall"]).ok();
    assert_eq!(scratch.six(&["search", "lamps"]).status, Some(2), "nothing is installed");
    install(&scratch).ok();
    scratch.six(&["search", "lamps green"]).ok();
    scratch.six(&["uninstall", "--purge"]).ok();
    assert!(fs::read_dir(scratch.six_home().join("projects")).map_or(0, Iterator::count) == 0);
}

#[test]
fn the_users_own_edits_since_install_are_kept() {
    let scratch = Scratch::new();
    scratch.write(".claude/settings.local.json", "{\n  \"model\": \"opus\"\n}\n");
    install(&scratch).ok();
    let wired = String::from_utf8(read(&local(&scratch))).expect("settings are UTF-8");
    let edited = wired.replace("\"opus\"", "\"sonnet\"");
    assert_ne!(wired, edited);
    fs::write(local(&scratch), edited).expect("a file can be written");
    scratch.six(&["uninstall"]).ok();
    assert_eq!(read(&local(&scratch)), b"{\n  \"model\": \"sonnet\"\n}\n");
}

#[test]
fn exactly_our_entries_go_even_out_of_a_shared_group_and_when_the_programs_are_gone() {
    let scratch = Scratch::new();
    let programs = scratch.folder("programs");
    let real = Path::new(scratch.six_command(&[]).get_program()).parent().expect("a folder").to_path_buf();
    for name in [
        "six",
        "six-session-start",
        "six-user-prompt-submit",
        "six-pre-tool-use",
        "six-stop",
        "six-pre-compact",
        "six-session-end",
    ] {
        fs::copy(real.join(name), programs.join(name)).expect("a program can be copied");
    }
    let six = |args: &[&str]| {
        let mut command = scratch.command(programs.join("six"));
        command.args(args);
        scratch.run(command)
    };
    let files = [
        ("local", local(&scratch)),
        ("project", scratch.project().join(".claude/settings.json")),
        ("user", scratch.home().join(".claude/settings.json")),
    ];
    for (scope, file) in &files {
        six(&["install", "--scope", scope]).ok();
        let mut settings: Value = serde_json::from_slice(&read(file)).expect("settings are JSON");
        let foreign: Value = serde_json::from_str(FOREIGN).expect("it is JSON");
        let hooks = settings["hooks"]["SessionStart"][0]["hooks"].as_array_mut().expect("a group has hooks");
        hooks.insert(0, foreign.clone());
        let group = json!({ "hooks": [{ "type": "command", "command": "/opt/sixty/six-session-starter" }] });
        settings["hooks"]["Stop"] = json!([group]);
        fs::write(file, serde_json::to_string_pretty(&settings).expect("it is JSON")).expect("it can be written");
    }
    for name in [
        "six-session-start",
        "six-user-prompt-submit",
        "six-pre-tool-use",
        "six-stop",
        "six-pre-compact",
        "six-session-end",
    ] {
        fs::remove_file(programs.join(name)).expect("a program can be removed");
    }
    six(&["uninstall"]).ok();
    for (scope, file) in &files {
        let left: Value = serde_json::from_slice(&read(file)).expect("settings are JSON");
        let text = left.to_string();
        assert!(text.contains("my-hook.js") && text.contains("six-session-starter"), "{scope}: {text}");
        assert!(!text.contains(path(&programs)), "{scope}: {text}");
        assert_eq!(left["hooks"].as_object().map(serde_json::Map::len), Some(2), "{scope}: {text}");
    }
}

#[test]
fn two_installs_at_once_wire_every_hook_once() {
    let scratch = Scratch::new();
    scratch.write(".claude/settings.local.json", &format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{FOREIGN}]}}]}}}}"#));
    let before = read(&local(&scratch));
    let ran: Vec<Ran> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4).map(|_| scope.spawn(|| install(&scratch))).collect();
        runs.into_iter().map(|run| run.join().expect("a run ends")).collect()
    });
    for run in &ran {
        run.ok();
    }
    let wired: Value = serde_json::from_slice(&read(&local(&scratch))).expect("settings are JSON");
    for (event, groups) in [("SessionStart", 1), ("UserPromptSubmit", 1), ("SessionEnd", 1), ("Stop", 2)] {
        assert_eq!(wired["hooks"][event].as_array().map(Vec::len), Some(groups), "{event}");
    }
    assert_eq!(wired.to_string().matches("/six-stop").count(), 1);
    scratch.store_folder();
    scratch.six(&["uninstall"]).ok();
    assert_eq!(read(&local(&scratch)), before);
}

#[cfg(unix)]
#[test]
fn a_linked_settings_file_stays_a_link_and_keeps_its_mode() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    for mode in [0o600, 0o640, 0o644] {
        let scratch = Scratch::new();
        let dots = scratch.folder("dots");
        let target = dots.join("settings.json");
        fs::write(&target, "{\n  \"model\": \"opus\"\n}\n").expect("a file can be written");
        fs::set_permissions(&target, fs::Permissions::from_mode(mode)).expect("a mode can be set");
        symlink("settings.json", dots.join("second.json")).expect("a link can be made");
        let link = scratch.home().join(".claude/settings.json");
        fs::create_dir_all(link.parent().expect("a file has a folder")).expect("a folder can be made");
        symlink(dots.join("second.json"), &link).expect("a link can be made");
        let (home, before) = (Tree::of(&scratch.home()), Tree::of(&dots));

        scratch.six(&["install", "--scope", "user"]).ok();
        assert!(link.is_symlink() && dots.join("second.json").is_symlink());
        assert!(String::from_utf8_lossy(&read(&target)).contains("six-session-start"));
        let now = fs::metadata(&target).expect("it is there").permissions().mode() & 0o777;
        assert_eq!(now, mode, "{mode:o}");
        assert_eq!(fs::read_dir(&dots).map(Iterator::count).ok(), Some(2), "nothing is left beside the target");
        scratch.six(&["uninstall"]).ok();
        before.is_unchanged(&Tree::of(&dots));
        home.is_unchanged(&Tree::of(&scratch.home()));
    }
}

#[cfg(unix)]
#[test]
fn a_settings_place_that_is_no_file_is_refused() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::new();
    let folder = scratch.folder("project/.claude");
    let file = local(&scratch);
    let refuses = |what: &str| {
        let before = Tree::of(&scratch.project());
        let ran = scratch.six(&["install"]);
        assert_eq!(ran.status, Some(2), "{what}: {}", ran.stdout);
        assert!(ran.stderr.contains("next: "), "{what}: {}", ran.stderr);
        before.is_unchanged(&Tree::of(&scratch.project()));
    };
    symlink(folder.join("nowhere.json"), &file).expect("a link can be made");
    refuses("a broken link");
    fs::remove_file(&file).expect("it can be removed");
    symlink(&file, &file).expect("a link can be made");
    refuses("a link to itself");
    fs::remove_file(&file).expect("it can be removed");
    fs::create_dir(&file).expect("a folder can be made");
    refuses("a folder");
    fs::remove_dir(&file).expect("it can be removed");
    let mut fifo = scratch.command("mkfifo");
    fifo.arg(&file);
    scratch.run(fifo).ok();
    refuses("a FIFO");
    fs::remove_file(&file).expect("it can be removed");
    fs::remove_dir(&folder).expect("it can be removed");
    fs::write(&folder, "no folder").expect("a file can be written");
    refuses("a file in place of the folder");
}

#[cfg(unix)]
#[test]
fn what_is_read_only_is_refused_and_left_alone() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new();
    scratch.write(".claude/settings.local.json", "{}");
    let file = local(&scratch);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).expect("a mode can be set");
    let before = Tree::of(&scratch.project());
    let ran = install(&scratch);
    assert_eq!(ran.status, Some(2), "{}", ran.stdout);
    assert!(ran.stderr.contains("next: "), "{}", ran.stderr);
    before.is_unchanged(&Tree::of(&scratch.project()));
}

#[test]
fn a_home_with_any_name_is_installed_and_left_as_it_was() {
    for name in ["Ada Lovelace", "jürgen é", "back\\slash", "quo\"te's $HOME", "港"] {
        let scratch = Scratch::new();
        let home = scratch.folder(name);
        let at_home = |args: &[&str]| {
            let mut command = scratch.six_command(args);
            command.env("HOME", &home).env_remove("SIX_HOME");
            scratch.run(command)
        };
        at_home(&["install", "--scope", "user"]).ok();
        let settings: Value = serde_json::from_slice(&read(&home.join(".claude/settings.json"))).expect("JSON");
        assert!(settings["hooks"]["SessionStart"].is_array(), "{name}");
        at_home(&["decision", "add", "Lamps are green"]).ok();
        at_home(&["search", "lamps"]).ok();
        at_home(&["uninstall", "--purge"]).ok();
        assert!(!home.join(".claude").exists(), "{name}: what was made for the settings is gone again");
    }
}
