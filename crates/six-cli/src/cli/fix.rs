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

    use crate::cli::Cli;

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
