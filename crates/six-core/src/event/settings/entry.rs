//! Our own hook entries, and how to know them again.

/// The events that six can be wired to, each with the binary that answers it.
pub const HOOK_BINARIES: [(&str, &str); 7] = [
    ("SessionStart", "six-session-start"),
    ("UserPromptSubmit", "six-user-prompt-submit"),
    ("SessionEnd", "six-session-end"),
    ("Stop", "six-stop"),
    ("PreCompact", "six-pre-compact"),
    ("PreToolUse", "six-pre-tool-use"),
    ("PostToolUse", "six-post-tool-use"),
];

/// One hook entry as we want it, in the host's exec form (no shell).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookEntry {
    /// The event.
    pub event: String,
    /// Which sources, tools or reasons; `None` for all.
    pub matcher: Option<String>,
    /// Absolute path of the binary; forward slashes on Windows too.
    pub command: String,
    /// Its arguments. Never left out: without them the host would start a shell.
    pub args: Vec<String>,
    /// The host kills the hook after so many seconds.
    pub timeout_s: u32,
    /// What the user sees while the hook runs.
    pub status_message: Option<String>,
}

/// Whether the program at a path is one of ours. Only the file name counts, so that an entry of an earlier place is
/// known again, and a foreign one in a folder of our name is not taken for ours.
pub fn is_our_program(program: &str) -> bool {
    let name = program_name(program);
    HOOK_BINARIES.iter().any(|(_, binary)| *binary == name)
}

/// The file name of a program, without the extension that Windows adds.
pub(super) fn program_name(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    name.strip_suffix(".exe").unwrap_or(name)
}

/// The program that a hook starts: its command, or in the shell form a command that is one word, quoted or not.
pub(super) fn program_of(command: &str, is_shell_form: bool) -> Option<&str> {
    if !is_shell_form {
        return Some(command);
    }
    let command = command.trim();
    let unquoted = ['"', '\''].iter().find_map(|quote| command.strip_prefix(*quote)?.strip_suffix(*quote));
    match unquoted {
        Some(word) => Some(word).filter(|word| !word.contains(['"', '\''])),
        None => Some(command).filter(|word| !word.contains(char::is_whitespace)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_file_name_makes_a_program_ours() {
        for ours in ["six-stop", "/opt/six/six-stop", "C:\\Program Files\\six\\six-stop.exe", "/a b/six-pre-compact"] {
            assert!(is_our_program(ours), "{ours}");
        }
        for foreign in ["/w/six-notes/my-hook.js", "/w/six-stop/run", "six-stop2", "my-six-stop", "six", ""] {
            assert!(!is_our_program(foreign), "{foreign}");
        }
    }

    #[test]
    fn a_shell_line_is_a_program_only_if_it_is_one_word() {
        assert_eq!(program_of("\"/a b/six-stop\"", true), Some("/a b/six-stop"));
        assert_eq!(program_of(" '/a/six-stop' ", true), Some("/a/six-stop"));
        assert_eq!(program_of("/a/six-stop", true), Some("/a/six-stop"));
        assert_eq!(program_of("notify /a/six-stop", true), None);
        assert_eq!(program_of("\"a\" \"/b/six-stop\"", true), None);
        assert_eq!(program_of("/a b/six-stop", false), Some("/a b/six-stop"));
    }
}
