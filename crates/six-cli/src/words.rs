//! Words of a query that begin with a hyphen.
//!
//! `six search --no-verify` looks for that word, and `six search jitter --json` wants JSON. clap offers only all or
//! nothing: every hyphen after the first word is a value, or none is. So what is no flag of the command is moved behind
//! `--` before clap sees it.

use std::ffi::OsString;

use clap::{Arg, ArgAction, Command};

/// The arguments of this process, those of `six search` with their words behind `--`.
pub(crate) fn with_words_apart(cli: &Command, args: Vec<OsString>) -> Vec<OsString> {
    let Some(search) = cli.find_subcommand("search") else { return args };
    let known: Vec<&Arg> =
        search.get_arguments().chain(cli.get_arguments().filter(|arg| arg.is_global_set())).collect();
    let mut rest = args.into_iter();
    let mut kept: Vec<OsString> = rest.next().into_iter().collect();
    let mut words = Vec::new();
    let mut is_search = false;
    while let Some(arg) = rest.next() {
        if is_search && arg == "--" {
            words.extend(rest.by_ref());
        } else if let Some(flag) = known.iter().find(|flag| is_flag(flag, &arg)) {
            let wants_value = takes_value(flag) && !arg.to_string_lossy().contains('=');
            kept.push(arg);
            if wants_value {
                kept.extend(rest.next());
            }
        } else if is_search {
            words.push(arg);
        } else if arg == "search" {
            is_search = true;
            kept.push(arg);
        } else {
            kept.push(arg);
            kept.extend(rest.by_ref());
        }
    }
    if !words.is_empty() {
        kept.push(OsString::from("--"));
    }
    kept.extend(words);
    kept
}

fn takes_value(flag: &Arg) -> bool {
    matches!(flag.get_action(), ArgAction::Set | ArgAction::Append)
}

/// Whether that is how the flag is typed: `--name`, `--name=value` or `-n`.
fn is_flag(flag: &Arg, typed: &OsString) -> bool {
    let Some(typed) = typed.to_str() else { return false };
    let long = typed.strip_prefix("--").map(|name| name.split_once('=').map_or(name, |(name, _)| name));
    let short = typed.strip_prefix('-').and_then(|name| name.parse::<char>().ok());
    long.is_some_and(|name| flag.get_long() == Some(name)) || short.is_some_and(|name| flag.get_short() == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory;

    fn apart(line: &str) -> String {
        let mut cli = Cli::command();
        cli.build();
        let args = with_words_apart(&cli, line.split(' ').map(OsString::from).collect());
        args.iter().map(|arg| arg.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn flags_stay_and_words_go_behind_them_wherever_they_stand() {
        assert_eq!(apart("six search jitter --json"), "six search --json -- jitter");
        assert_eq!(apart("six search --limit 3 a -x b --kind=doc"), "six search --limit 3 --kind=doc -- a -x b");
        assert_eq!(apart("six --project search search --no-verify"), "six --project search search -- --no-verify");
        assert_eq!(apart("six search --json --limit 2 -q lamp -- -q"), "six search --json --limit 2 -q -- lamp -q");
        assert_eq!(apart("six search --limit"), "six search --limit");
        assert_eq!(apart("six search --help"), "six search --help");
        assert_eq!(apart("six search -- --json"), "six search -- --json");
    }

    #[test]
    fn other_commands_are_left_alone() {
        for line in ["six status --json", "six", "six decision add --why x search -y", "six --version"] {
            assert_eq!(apart(line), line);
        }
    }
}
