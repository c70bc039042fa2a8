//! Which programs a command starts, and whether it does more than look.

use super::split::{Simple, split};

/// A simple command that changes something, or may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::inject) struct Command {
    /// What it starts, by name and in lower case; more than one where a program starts another (`sudo npm`).
    pub(in crate::inject) programs: Vec<String>,
    /// All its words; a message that it carries is left out.
    pub(in crate::inject) words: Vec<String>,
    /// The heredocs that it reads.
    pub(in crate::inject) input: String,
}

/// Commands of a line that are looked at.
const MOST_COMMANDS: usize = 64;

/// Shells within shells that are followed.
const DEEPEST: u8 = 2;

/// The commands of a shell line that do more than look.
pub(in crate::inject) fn commands(line: &str) -> Vec<Command> {
    let mut found = Vec::new();
    collect(line, DEEPEST, &mut found);
    found.truncate(MOST_COMMANDS);
    found
}

fn collect(line: &str, depth: u8, found: &mut Vec<Command>) {
    for simple in split(line).into_iter().take(MOST_COMMANDS) {
        let started = Started::of(&simple.words);
        if let (Some(script), true) = (started.script, depth > 0) {
            collect(script, depth - 1, found);
        }
        if started.only_looks() && !simple.writes {
            continue;
        }
        let words = without_message(started.programs.last().map_or("", String::as_str), &simple);
        found.push(Command { programs: started.programs, words, input: simple.input });
    }
}

/// Words of the shell's grammar and builtins that start another command.
const PREFIXES: [&str; 14] =
    ["if", "then", "else", "elif", "do", "while", "until", "!", "{", "time", "builtin", "command", "exec", "eval"];

/// Programs whose arguments are a command, which is meant as much as they are.
const STARTERS: [&str; 17] = [
    "sudo", "doas", "env", "nohup", "nice", "ionice", "timeout", "stdbuf", "setsid", "xargs", "npx", "bunx", "pnpx",
    "uvx", "watch", "strace", "wsl",
];

/// Options of those that take an argument.
const WITH_ARGUMENT: [&str; 12] = ["-u", "-g", "-I", "-C", "-k", "-n", "-P", "-p", "-d", "-s", "--package", "--user"];

/// Programs whose second word may be a script of their own (`bash -c`).
const SHELLS: [&str; 5] = ["bash", "sh", "zsh", "dash", "fish"];

/// What a command starts.
#[derive(Debug, Default)]
struct Started<'a> {
    programs: Vec<String>,
    /// The arguments of the last program.
    arguments: &'a [String],
    /// A shell line among them.
    script: Option<&'a str>,
}

impl<'a> Started<'a> {
    fn of(words: &'a [String]) -> Self {
        let mut started = Self::default();
        let mut rest = words;
        while let Some((word, after)) = rest.split_first() {
            rest = after;
            let within = !started.programs.is_empty();
            if within && WITH_ARGUMENT.contains(&word.as_str()) {
                rest = rest.get(1..).unwrap_or_default();
            }
            let passed = is_assignment(word)
                || PREFIXES.contains(&word.as_str())
                || (within && word.starts_with(['-', '+', '{']))
                || word.starts_with(|c: char| c.is_ascii_digit());
            if passed {
                continue;
            }
            let name = program_name(word);
            let starts_another = STARTERS.contains(&name.as_str());
            started.programs.push(name);
            if !starts_another {
                break;
            }
        }
        started.arguments = rest;
        started.follow();
        started
    }

    /// What the last program is told to run: a shell its script, Python a module.
    fn follow(&mut self) {
        let Some(name) = self.programs.last() else { return };
        let after = |option: fn(&str) -> bool| {
            let at = self.arguments.iter().position(|word| option(word))?;
            self.arguments.get(at + 1)
        };
        if SHELLS.contains(&name.as_str()) {
            self.script = after(|word| word.starts_with('-') && word.ends_with('c')).map(String::as_str);
        } else if name.starts_with("python")
            && let Some(module) = after(|word| word == "-m").cloned()
        {
            self.programs.push(module);
        }
    }

    /// Whether nothing is changed by it, as far as its name tells.
    fn only_looks(&self) -> bool {
        let first = self.arguments.iter().map(String::as_str).find(|word| !word.starts_with('-')).unwrap_or_default();
        let has = |option: &str| self.arguments.iter().any(|word| word.starts_with(option));
        match self.programs.last().map(String::as_str) {
            None => true,
            Some("sed") => !has("-i") && !has("--in-place"),
            Some("find" | "fd") => !has("-exec") && !has("-delete") && !has("-x"),
            Some("git") => LOOKS_OF_GIT.contains(&first),
            Some(name) => LOOKS.binary_search(&name).is_ok(),
        }
    }
}

/// Programs and builtins that change nothing of the project.
const LOOKS: [&str; 58] = [
    ".", "[", "[[", "ack", "ag", "awk", "basename", "bat", "case", "cat", "cd", "cmp", "cut", "date", "df", "diff",
    "dirname", "done", "du", "echo", "egrep", "esac", "export", "false", "fgrep", "fi", "file", "for", "grep", "head",
    "jq", "less", "ls", "man", "more", "nl", "pgrep", "popd", "printf", "ps", "pushd", "pwd", "read", "realpath", "rg",
    "set", "sleep", "sort", "stat", "tail", "test", "tr", "tree", "true", "type", "uniq", "wc", "which",
];

/// The same for what git is told.
const LOOKS_OF_GIT: [&str; 12] = [
    "blame",
    "cat-file",
    "describe",
    "diff",
    "fetch",
    "grep",
    "log",
    "ls-files",
    "rev-parse",
    "shortlog",
    "show",
    "status",
];

/// Programs that are told what to write into a history: words about a change, not the change.
const TELLERS: [&str; 5] = ["git", "gh", "glab", "hub", "jj"];

/// How they are told.
const MESSAGES: [&str; 7] = ["-m", "-am", "--message", "--body", "--title", "-b", "-t"];

fn without_message(program: &str, simple: &Simple) -> Vec<String> {
    if !TELLERS.contains(&program) {
        return simple.words.clone();
    }
    let mut words = Vec::new();
    let mut message_follows = false;
    for word in &simple.words {
        let joined = MESSAGES.iter().any(|option| word.starts_with(&format!("{option}=")));
        if !message_follows && !joined {
            words.push(word.clone());
        }
        message_follows = MESSAGES.contains(&word.as_str());
    }
    words
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// The name of a program, wherever it lies.
fn program_name(word: &str) -> String {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word).to_lowercase();
    [".exe", ".cmd"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn programs(line: &str) -> String {
        commands(line).iter().map(|command| command.programs.join("+")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_started_is_found_behind_what_starts_it() {
        for (line, expected) in [
            ("npm install x", "npm"),
            ("/usr/local/bin/NPM.exe ci", "npm"),
            ("sudo -u deploy npm ci", "sudo+npm"),
            ("CI=1 env -u X npm ci", "env+npm"),
            ("timeout 60 npx -y eslint .", "timeout+npx+eslint"),
            ("find . | xargs -n 1 -I {} rm {}", "xargs+rm"),
            ("if ! make; then yarn; fi", "make yarn"),
            ("bash -lc 'cd a && npm ci'", "npm bash"),
            ("python3 -m pip install x", "python3+pip"),
            ("echo $(npm bin)", "npm"),
            ("A=1", ""),
            ("", ""),
        ] {
            assert_eq!(programs(line), expected, "{line}");
        }
    }

    #[test]
    fn commands_that_only_look_are_left_out() {
        for line in [
            "cat npm.md",
            "grep -rn 'npm install' docs | head -5",
            "cd web; ls; pwd",
            "sed -n '1,5p' npm.md",
            "find . -name '*.rs'",
            "git log --grep npm",
            "git -c x=y",
            "echo 'use npm'",
        ] {
            let found = commands(line);
            assert!(found.is_empty() || line.starts_with("git -c"), "{line}: {found:?}");
        }
        for line in ["sed -i s/a/b/ x", "find . -delete", "git push", "echo npm > a.md", "cat <<E >> a.md\nnpm\nE"] {
            assert_eq!(commands(line).len(), 1, "{line}");
        }
    }

    #[test]
    fn the_lists_can_be_searched() {
        assert!(LOOKS.is_sorted());
    }

    #[test]
    fn a_message_is_no_part_of_the_act() {
        let words = |line: &str| commands(line)[0].words.join(" ");
        assert_eq!(words("git commit -am 'drop npm' --no-verify"), "git commit -am --no-verify");
        assert_eq!(words("gh pr create --title 'drop npm' --body='for pnpm'"), "gh pr create --title");
        assert_eq!(words("npm run -m x"), "npm run -m x");
    }

    #[test]
    fn lines_without_end_are_bounded() {
        assert_eq!(commands(&"npm ci;".repeat(10_000)).len(), MOST_COMMANDS);
        let nested = (0..50).fold(String::from("npm"), |line, _| format!("bash -c '{line}'"));
        assert!(commands(&nested).len() <= MOST_COMMANDS);
    }
}
