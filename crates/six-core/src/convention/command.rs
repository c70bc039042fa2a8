//! Commands whose existence a file of the project proves.

use super::path::certain_path;

/// A command as far as the project's own files define it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Command {
    /// `npm run NAME`, `pnpm run NAME`.
    Script(String),
    /// `make NAME`
    Target(String),
    /// `just NAME`
    Recipe(String),
    /// `./script.sh`, or a script that an interpreter is started with.
    Program(String),
}

/// What sends a command to another folder, machine or package.
const ELSEWHERE: &[&str] = &[
    "cd",
    "pushd",
    "-C",
    "--prefix",
    "--cwd",
    "--dir",
    "--filter",
    "-F",
    "-w",
    "--workspace",
    "--workspaces",
    "docker",
    "ssh",
    "kubectl",
    "podman",
    "docker-compose",
    "vagrant",
];
/// Programs that take a script as their first argument.
const INTERPRETERS: &[&str] = &["sh", "bash", "zsh", "python", "python3", "node", "ruby", "perl"];
/// Extensions of scripts: a program without one may be built by the project.
const SCRIPTS: &[&str] = &[".sh", ".bash", ".py", ".rb", ".pl", ".mjs", ".cjs", ".js", ".ps1"];

/// Whether a text leaves the folder that it starts in: what follows is then not of the root.
pub(super) fn leaves_folder(text: &str) -> bool {
    text.split_whitespace().any(|word| {
        let word = word.split('=').next().unwrap_or_default();
        ELSEWHERE.contains(&word)
    })
}

/// The commands of a line of shell.
pub(super) fn commands_of(line: &str) -> Vec<Command> {
    let line = line.trim().trim_start_matches("$ ").trim_start_matches("> ");
    let line = line.split(" #").next().unwrap_or_default();
    if line.starts_with('#') || leaves_folder(line) {
        return Vec::new();
    }
    line.split(['&', '|', ';']).filter_map(command_of).collect()
}

fn command_of(part: &str) -> Option<Command> {
    let mut words = part.split_whitespace().skip_while(|word| is_assignment(word));
    let program = words.next()?;
    match program {
        "npm" | "pnpm" => {
            let name = words.next().filter(|word| *word == "run").and_then(|_| words.next())?;
            is_name(name, ":").then(|| Command::Script(name.to_owned()))
        }
        "make" => words.next().filter(|name| is_name(name, "/")).map(|name| Command::Target(name.to_owned())),
        "just" => words.next().filter(|name| is_name(name, "")).map(|name| Command::Recipe(name.to_owned())),
        _ if program.starts_with("./") => script(program),
        _ if INTERPRETERS.contains(&program) => words.next().and_then(script),
        _ => None,
    }
}

fn script(path: &str) -> Option<Command> {
    let is_script = SCRIPTS.iter().any(|extension| path.ends_with(extension));
    let at_root = path.strip_prefix("./").filter(|name| is_name(name, "") && !name.contains('/'));
    let path = certain_path(path).or_else(|| at_root.map(str::to_owned))?;
    is_script.then_some(Command::Program(path))
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=')
        .is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit()))
}

/// A name, and not an option, a variable or a place to fill in.
fn is_name(word: &str, also: &str) -> bool {
    let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c) || also.contains(c));
    let is_chosen = word.chars().any(|c| c.is_ascii_lowercase())
        && !["script-name", "name", "target", "script", "sure"].contains(&word);
    is_plain && is_chosen && word.starts_with(|c: char| c.is_ascii_alphanumeric()) && !word.contains("xxx")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_the_project_defines_are_read() {
        let script = |name: &str| Command::Script(name.into());
        assert_eq!(commands_of("npm run lint:fix -- --all"), [script("lint:fix")]);
        assert_eq!(
            commands_of("$ CI=1 pnpm run test && make check  # both"),
            [script("test"), Command::Target("check".into())]
        );
        assert_eq!(commands_of("just build release"), [Command::Recipe("build".into())]);
        assert_eq!(commands_of("./install.sh --now"), [Command::Program("install.sh".into())]);
        assert_eq!(commands_of("python tools/gate.py"), [Command::Program("tools/gate.py".into())]);
    }

    #[test]
    fn what_the_projects_files_do_not_define_is_left_alone() {
        for line in [
            "npm test",
            "npm install",
            "npm run",
            "yarn lint",
            "npm run <name>",
            "npm run script-name",
            "make",
            "make -j4",
            "make CC=gcc",
            "make sure",
            "cargo test",
            "cd web && npm run dev",
            "npm --prefix web run dev",
            "npm run dev -w web",
            "pnpm --filter web run x",
            "docker exec app npm run x",
            "# npm run x",
            "./target/debug/six",
            "./gradlew build",
            "python -m pytest",
            "node",
            "make $(X)",
        ] {
            assert_eq!(commands_of(line), [], "{line}");
        }
    }
}
