//! Which commands put right what a health check is red about.

use std::path::PathBuf;

use super::{BackupArgs, BackupVerb, Command, ConfigCommand};

/// A command that puts something right.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FixRun {
    /// The words by which a fix names it.
    pub(crate) words: Vec<String>,
    /// The folder that it is about, where that is an argument of its own.
    pub(crate) dir: Option<PathBuf>,
}

impl Command {
    /// As a fix of a health check names it, if it is one.
    pub(crate) fn as_fix(&self) -> Option<FixRun> {
        let words: &[&str] = match self {
            Self::Install(args) if !args.dry_run => &["install"],
            Self::Triage(args) if args.is_plain() && !args.dry_run && !args.review && args.undo.is_none() => {
                &["triage"]
            }
            Self::Lineage(args) if args.refresh => &["lineage", "--refresh"],
            Self::Ingest(_) => &["ingest"],
            Self::Embed(args) if args.backfill => &["embed", "--backfill"],
            Self::Repair(args) if !args.dry_run => &["repair"],
            Self::Backup(BackupArgs { verb: Some(BackupVerb::Restore(_)), .. }) => &["backup", "restore"],
            Self::Config(ConfigCommand::Set { key, .. }) => &["config", "set", key],
            Self::Config(ConfigCommand::Unset { key, .. }) => &["config", "unset", key],
            Self::Worker => &["worker"],
            _ => return None,
        };
        let dir = match self {
            Self::Install(args) => args.dir.clone(),
            _ => None,
        };
        let words = std::iter::once("six").chain(words.iter().copied()).map(str::to_owned).collect();
        Some(FixRun { words, dir })
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;
    use six_core::config::Key;
    use six_core::health::parse_commands;

    use crate::cli::{Cli, Command, ConfigCommand};

    /// Every fix that a check can name, a line each.
    const CATALOGUE: &str = include_str!(
        "../../../six-core/src/health/snapshots/six_core__health__catalogue__every_fault_that_there_is_has_a_fix_that_a_person_can_read.snap"
    );

    fn fix(line: &str) -> Option<String> {
        let run = Cli::try_parse_from(line.split(' ')).unwrap().command.as_fix()?;
        let dir = run.dir.map_or_else(String::new, |dir| format!(" of {}", dir.display()));
        Some(run.words.join(" ") + &dir)
    }

    #[test]
    fn a_command_is_named_with_what_makes_it_the_one_of_a_fix() {
        for (line, words) in [
            ("six config set embed.provider embedded --machine", "six config set embed.provider"),
            ("six config unset derived.code_graph", "six config unset derived.code_graph"),
            ("six embed --backfill --limit 9", "six embed --backfill"),
            ("six --quiet install /home/sam/app", "six install of /home/sam/app"),
            ("six lineage --refresh", "six lineage --refresh"),
        ] {
            assert_eq!(fix(line).as_deref(), Some(words), "{line}");
        }
    }

    #[test]
    fn six_takes_every_fix_of_a_check_as_it_is_typed() {
        let lines: Vec<&str> = CATALOGUE.lines().skip_while(|line| !line.starts_with("expression")).skip(2).collect();
        assert!(lines.len() > 70, "{CATALOGUE}");
        for line in lines {
            let commands = parse_commands(line.split_once(": ").unwrap().1);
            assert!(!commands.is_empty(), "{line}");
            for words in commands {
                match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                    ["six", ..] => assert_six_takes(&words, line),
                    ["chmod", "+x" | "-R", ..] | ["ollama", "ps"] | ["ollama", "pull", _] => {}
                    other => panic!("{other:?} in {line}"),
                }
            }
        }
    }

    #[track_caller]
    fn assert_six_takes(words: &[String], line: &str) {
        let cli = Cli::try_parse_from(words).unwrap_or_else(|refused| panic!("{line}: {refused}"));
        match cli.command {
            Command::Config(ConfigCommand::Set { key, value, .. }) => {
                assert!(Key::find(&key).is_some_and(|key| key.parse(&value).is_some()), "{line}");
            }
            Command::Config(ConfigCommand::Unset { key, .. }) => assert!(Key::find(&key).is_some(), "{line}"),
            Command::Health(args) => {
                let named = args.check.as_deref();
                assert!(named.is_none_or(|name| six_core::health::CheckName::parse(name).is_some()), "{line}");
            }
            _ => {}
        }
    }

    #[test]
    fn what_only_looks_puts_nothing_right() {
        for line in [
            "six health",
            "six install --dry-run",
            "six embed --status",
            "six lineage",
            "six config list",
            "six triage --list",
        ] {
            assert_eq!(fix(line), None, "{line}");
        }
    }
}
