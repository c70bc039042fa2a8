//! The hook executables and the entries that start them.

use super::refusal::Refusal;
use six_core::event::settings::HookEntry;
use std::env::consts::EXE_SUFFIX;
use std::path::{Component, Path, PathBuf};

/// One hook as it is wired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hook {
    /// The host's event.
    pub event: &'static str,
    /// Which of the host's tools; `None` for every event.
    pub matcher: Option<&'static str>,
    /// The binary.
    pub binary: &'static str,
    /// The host ends it after so many seconds; our own deadlines are far below. At the end of a session the host grants
    /// more than 1.5 s only to an entry that says so.
    pub timeout_s: u32,
    /// What the person sees meanwhile.
    pub status_message: &'static str,
}

/// The hooks that exist. Only events that every supported client knows: an unknown name stops an interactive start.
pub const HOOKS: [Hook; 6] = [
    Hook {
        event: "SessionStart",
        matcher: None,
        binary: "six-session-start",
        timeout_s: 20,
        status_message: "six: reading the project's memory",
    },
    Hook {
        event: "UserPromptSubmit",
        matcher: None,
        binary: "six-user-prompt-submit",
        timeout_s: 5,
        status_message: "six: looking things up",
    },
    Hook {
        event: "PreToolUse",
        matcher: Some("Edit|MultiEdit|Write|NotebookEdit|Bash|Agent|Task"),
        binary: "six-pre-tool-use",
        timeout_s: 3,
        status_message: "six: checking what was tried before",
    },
    Hook { event: "Stop", matcher: None, binary: "six-stop", timeout_s: 5, status_message: "six: taking in the turn" },
    Hook {
        event: "PreCompact",
        matcher: None,
        binary: "six-pre-compact",
        timeout_s: 5,
        status_message: "six: taking in the conversation",
    },
    Hook {
        event: "SessionEnd",
        matcher: None,
        binary: "six-session-end",
        timeout_s: 10,
        status_message: "six: taking in the session",
    },
];

/// The folder whose hooks are wired: the one that `six` is in.
///
/// `exe` is the running program; `called_as` are paths that may lead to it, in order of preference. If one of them does
/// and has the hooks beside it, its folder is taken, so that a link like `~/.local/bin/six`, which outlives an upgrade,
/// is preferred to the versioned folder that it leads to today.
pub fn find_binaries(exe: &Path, called_as: &[PathBuf]) -> Result<PathBuf, Refusal> {
    let exe = exe.canonicalize().unwrap_or_else(|_| exe.to_owned());
    let stable = called_as
        .iter()
        .filter(|path| is_plain(path) && path.canonicalize().is_ok_and(|real| real == exe))
        .filter_map(|path| path.parent())
        .find(|folder| missing_in(folder).is_none());
    let folder = stable.or_else(|| exe.parent()).unwrap_or(Path::new("/"));
    match missing_in(folder) {
        // Without the dots and double slashes that a person may have typed.
        None => Ok(folder.components().collect()),
        Some(missing) => Err(Refusal::NoBinary(missing)),
    }
}

fn is_plain(path: &Path) -> bool {
    path.is_absolute() && !path.components().any(|part| part == Component::ParentDir)
}

fn missing_in(folder: &Path) -> Option<PathBuf> {
    HOOKS.iter().map(|hook| path_of(hook, folder)).find(|path| !path.is_file())
}

fn path_of(hook: &Hook, folder: &Path) -> PathBuf {
    folder.join(format!("{}{EXE_SUFFIX}", hook.binary))
}

/// The entries for the hooks in a folder.
pub(super) fn hook_entries(folder: &Path) -> Result<Vec<HookEntry>, Refusal> {
    HOOKS
        .iter()
        .map(|hook| {
            let path = path_of(hook, folder);
            let command = path.to_str().ok_or_else(|| Refusal::NotUtf8Path(path.clone()))?;
            Ok(HookEntry {
                event: hook.event.to_owned(),
                matcher: hook.matcher.map(str::to_owned),
                command: if cfg!(windows) { command.replace('\\', "/") } else { command.to_owned() },
                args: vec![String::from("--via"), String::from("settings")],
                timeout_s: hook.timeout_s,
                status_message: Some(hook.status_message.to_owned()),
            })
        })
        .collect()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    fn fill(folder: &Path) {
        fs::create_dir_all(folder).unwrap();
        for name in HOOKS.map(|hook| hook.binary).into_iter().chain(["six"]) {
            fs::write(folder.join(name), "").unwrap();
        }
    }

    #[test]
    fn a_link_with_the_hooks_beside_it_is_wired_and_not_the_folder_of_one_version() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        let (version, bin, lone) = (base.join("six-0.1"), base.join("bin"), base.join("lone"));
        fill(&version);
        for folder in [&bin, &lone] {
            fs::create_dir(folder).unwrap();
            symlink(version.join("six"), folder.join("six")).unwrap();
        }
        let exe = version.join("six");
        assert_eq!(find_binaries(&exe, &[lone.join("six")]).unwrap(), version, "no hooks beside that link");
        for hook in HOOKS {
            symlink(version.join(hook.binary), bin.join(hook.binary)).unwrap();
        }
        assert_eq!(find_binaries(&exe, &[lone.join("six"), bin.join("six")]).unwrap(), bin);
        assert_eq!(find_binaries(&exe, &[base.join("./bin//six")]).unwrap(), bin);
        for no_name in ["bin/six".into(), base.join("other/six"), base.join("lone/../bin/six")] {
            assert_eq!(find_binaries(&exe, &[no_name]).unwrap(), version);
        }
    }

    #[test]
    fn a_missing_hook_is_named() {
        let dir = tempfile::tempdir().unwrap();
        fill(dir.path());
        fs::remove_file(dir.path().join("six-session-end")).unwrap();
        let refusal = find_binaries(&dir.path().join("six"), &[]).unwrap_err();
        assert!(refusal.to_string().ends_with("six-session-end is missing"), "{refusal}");
    }

    #[test]
    fn entries_are_in_exec_form_with_time_limits() {
        let entries = hook_entries(Path::new("/opt/my tools/bin")).unwrap();
        assert_eq!(entries[0].command, "/opt/my tools/bin/six-session-start");
        assert!(entries.iter().all(|entry| entry.args == ["--via", "settings"]));
        assert_eq!(entries.iter().map(|entry| entry.timeout_s).collect::<Vec<_>>(), [20, 5, 3, 5, 5, 10]);
    }
}
