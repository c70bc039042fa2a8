//! Runs the commands that a fix names, in the scratch machine and nowhere else.

use std::path::{Path, PathBuf};

use six_core::health::parse_commands;

use super::injection::Unproven;
use super::runner::Runner;

/// Runs the commands of a fix in their order. What they answer does not matter: the checks are asked again.
pub(super) fn apply(runner: &Runner, fix: &str) -> Result<(), Unproven> {
    for words in parse_commands(fix) {
        let command = words.join(" ");
        let Some((program, arguments)) = words.split_first() else { continue };
        if let Some(path) = outside(arguments, &runner.root) {
            return Err(Unproven::Outside { command, path });
        }
        match program.as_str() {
            "six" => runner.six(arguments)?,
            "chmod" => runner.run(runner.command(Path::new("chmod")).args(arguments), &command)?,
            // It would reach the user's own server; the other way out that the fix names heals as well.
            "ollama" => String::new(),
            _ => return Err(Unproven::Command { command, why: "is no command that a fix may name".into() }),
        };
    }
    Ok(())
}

/// The first argument that is an absolute path outside `root`.
fn outside(arguments: &[String], root: &Path) -> Option<PathBuf> {
    let is_outside = |path: &&Path| path.is_absolute() && !path.starts_with(root);
    arguments.iter().map(Path::new).find(is_outside).map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_command_that_names_a_path_elsewhere_is_found_out() {
        let root = Path::new("/six/proof-1");
        let arguments = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        assert_eq!(outside(&arguments(&["-R", "go=", "/six/proof-1/home"]), root), None);
        assert_eq!(outside(&arguments(&["install", "/home/sam"]), root), Some(PathBuf::from("/home/sam")));
        assert_eq!(outside(&arguments(&["/six/proof-12"]), root), Some(PathBuf::from("/six/proof-12")));
    }
}
