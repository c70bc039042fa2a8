//! The command line as types.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

mod bench;
mod fix;
mod record;
mod report;
mod thread;
mod triage;

pub(crate) use bench::{BenchCommand, ExtractArgs, ExtractMisses, GateArgs, RetrievalArgs, SpeedArgs};
pub(crate) use fix::FixRun;
pub(crate) use record::{
    CorrectionAdd, CorrectionEdit, DeadEndAdd, DeadEndEdit, DecisionAdd, DecisionEdit, EditArgs, ListArgs, PlaceArgs,
    RecordCommand, RecordVerb, SupersedeArgs, VerdictArgs,
};
pub(crate) use report::ReportArgs;
pub(crate) use thread::ThreadCommand;
pub(crate) use triage::TriageArgs;

/// A project memory for a coding agent.
#[derive(Debug, Parser)]
#[command(
    name = "six",
    version,
    about = "A project memory for a coding agent",
    propagate_version = true,
    infer_subcommands = false
)]
pub(crate) struct Cli {
    /// Folder of the project; default: the current one
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Say only what was asked for
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What can be asked for.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Give a project a memory: wire the hooks, create the store, read what is there
    Install(InstallArgs),
    /// Take back every byte that install wrote outside the store
    Uninstall(UninstallArgs),
    /// Say what is remembered, from where, and what was skipped
    Status,
    /// Run the health checks
    Health(HealthArgs),
    /// Report what the hooks did and what the checks found: counts, failures, times
    Report(ReportArgs),
    /// Search the memory
    Search(SearchArgs),
    /// Show one hit or one record whole
    Show(ShowArgs),
    /// Tell why something was said on a prompt, or why nothing was
    Why(WhyArgs),
    /// Be silent in this session or in the whole project
    Mute(MuteArgs),
    /// Judge what was proposed: what is confirmed is used from then on
    Triage(TriageArgs),
    /// Record, show and change decisions
    #[command(subcommand)]
    Decision(RecordCommand<DecisionAdd, DecisionEdit>),
    /// Record, show and change approaches that failed or were ruled out
    #[command(subcommand)]
    DeadEnd(RecordCommand<DeadEndAdd, DeadEndEdit>),
    /// Record, show and change standing rules
    #[command(subcommand)]
    Correction(RecordCommand<CorrectionAdd, CorrectionEdit>),
    /// Name, show and change the lines along which decisions are told
    #[command(subcommand)]
    Thread(ThreadCommand),
    /// Tell what became of a record, or what was changed last
    Log(LogArgs),
    /// Tell the story of a thread: what was decided and rejected, what failed, what holds today
    Lineage(LineageArgs),
    /// Enter or list what already exists, so that it is not built again
    #[command(subcommand)]
    Subsystem(SubsystemCommand),
    /// Read what changed in transcripts, documents, memory files and git
    Ingest(IngestArgs),
    /// Look for decisions, dead ends and corrections in what was said (hooks do this by themselves)
    Extract(ExtractionArgs),
    /// Show or complete the vectors, by which texts are found in other words
    Embed(EmbedArgs),
    /// Copy the memory to a file, list the copies that are kept, go back to one
    Backup(BackupArgs),
    /// Make a damaged store anew from what can be read of it; the old file is kept
    Repair(RepairArgs),
    /// Show or correct which memory belongs to which folder
    #[command(subcommand)]
    Project(ProjectCommand),
    /// Show or change what can be set
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Work that hooks left behind (hooks start this by themselves)
    Worker,
    /// Measure this build: what it finds, and what it costs
    #[command(subcommand)]
    Bench(BenchCommand),
}

/// `six install`
#[derive(Debug, Args)]
pub(crate) struct InstallArgs {
    /// Folder of the project
    #[arg(value_name = "PROJECT")]
    pub(crate) dir: Option<PathBuf>,
    /// Which settings file the hooks go into
    #[arg(long, value_enum, default_value_t = Scope::Local)]
    pub(crate) scope: Scope,
    /// Say what would be written, write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Wire the hooks, read nothing yet
    #[arg(long)]
    pub(crate) no_ingest: bool,
    /// Seed no conventions
    #[arg(long)]
    pub(crate) no_templates: bool,
}

/// Which settings file of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scope {
    /// `.claude/settings.local.json`: this checkout, starts at its root
    Local,
    /// `.claude/settings.json`: everyone who works on the project
    Project,
    /// `~/.claude/settings.json`: every start, also in sub folders and worktrees; silent where not installed
    User,
}

/// `six uninstall`
#[derive(Debug, Args)]
pub(crate) struct UninstallArgs {
    /// Folder of the project
    #[arg(value_name = "PROJECT")]
    pub(crate) dir: Option<PathBuf>,
    /// Delete the store as well
    #[arg(long)]
    pub(crate) purge: bool,
    /// Say what would be taken back, change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// List what is ours on this machine, change nothing
    #[arg(long)]
    pub(crate) audit: bool,
}

/// `six health`
#[derive(Debug, Args)]
pub(crate) struct HealthArgs {
    /// Print every note
    #[arg(long)]
    pub(crate) verbose: bool,
    /// Run one check only
    #[arg(long, value_name = "NAME")]
    pub(crate) check: Option<String>,
    /// Put faults into a scratch copy of the store and show that exactly the right check turns red, and green again
    #[arg(long, conflicts_with = "verbose")]
    pub(crate) prove: bool,
}

/// `six search`
#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// Words to look for; any of them may match
    #[arg(required = true, num_args = 1..)]
    pub(crate) query: Vec<String>,
    /// Only this kind (prompt, answer, doc, decision, ...); may be given more than once
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Vec<String>,
    /// Only this source (transcript, doc, memory, ledger, git, record); may be given more than once
    #[arg(long, value_name = "SOURCE")]
    pub(crate) source: Vec<String>,
    /// Only paths that contain this
    #[arg(long, value_name = "TEXT")]
    pub(crate) path: Option<String>,
    /// Only what is at least as new: a date (2026-03-14) or an age (7d, 12h)
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// Hits wanted
    #[arg(long, value_name = "N", default_value = "10")]
    pub(crate) limit: NonZeroUsize,
    /// Show what each score is made of
    #[arg(long)]
    pub(crate) explain: bool,
}

/// `six show`
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// Id of a hit (chunk:12), or that of a record or its beginning
    pub(crate) id: String,
}

/// `six log`
#[derive(Debug, Args)]
pub(crate) struct LogArgs {
    /// Id of a record, or its beginning: all of its changes, oldest first; without it the newest changes of all records
    #[arg(value_name = "RECORD")]
    pub(crate) record: Option<String>,
    /// At most this many
    #[arg(long, value_name = "N", default_value = "20", conflicts_with = "record")]
    pub(crate) limit: NonZeroUsize,
}

/// `six why`
#[derive(Debug, Args)]
pub(crate) struct WhyArgs {
    /// Which turn: "last", the number of a turn, or the beginning of its event id
    #[arg(value_name = "TURN", default_value = "last")]
    pub(crate) turn: String,
    /// Of the turns of this session
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// List the last turns, newest first
    #[arg(long, conflicts_with = "turn")]
    pub(crate) list: bool,
    /// List at most this many; default: 20
    #[arg(long, value_name = "N", requires = "list")]
    pub(crate) limit: Option<NonZeroUsize>,
    /// At which gate this item fell: its id, or the beginning of it
    #[arg(long, value_name = "ITEM", conflicts_with_all = ["list", "replay", "judge"])]
    pub(crate) not: Option<String>,
    /// Decide the turn again from what was stored; exit code 1 when the outcome is another one
    #[arg(long, conflicts_with_all = ["list", "judge"])]
    pub(crate) replay: bool,
    /// Store what you think of it: justified or noise (a person's word: refused to an agent)
    #[arg(long, value_name = "VERDICT", requires = "rater", conflicts_with = "list")]
    pub(crate) judge: Option<String>,
    /// Who judges
    #[arg(long, value_name = "NAME", requires = "judge")]
    pub(crate) rater: Option<String>,
    /// Why you think so
    #[arg(long, value_name = "TEXT", requires = "judge")]
    pub(crate) note: Option<String>,
}

/// `six mute`
#[derive(Debug, Args)]
pub(crate) struct MuteArgs {
    /// Mute this session; default: the one in which the command is given, else the whole project
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Mute every session of the project (refused to an agent)
    #[arg(long, conflicts_with = "session")]
    pub(crate) whole_project: bool,
    /// For how long: 30m, 2h, 1d, or until-unmuted
    #[arg(long = "for", value_name = "TIME", default_value = MuteArgs::UNTIL_UNMUTED)]
    pub(crate) how_long: String,
    /// End it; without a session, in a terminal of your own, all of them
    #[arg(long, conflicts_with = "how_long")]
    pub(crate) off: bool,
    /// Only say what is muted
    #[arg(long, conflicts_with_all = ["session", "whole_project", "how_long", "off"])]
    pub(crate) list: bool,
}

impl MuteArgs {
    /// Without an end.
    pub(crate) const UNTIL_UNMUTED: &str = "until-unmuted";
}

/// `six ingest`
#[derive(Debug, Args)]
pub(crate) struct IngestArgs {
    /// Read this transcript as well, wherever it lies; may be given more than once
    #[arg(long, value_name = "FILE")]
    pub(crate) transcript: Vec<PathBuf>,
    /// More than half of a source's files are gone, and that is right: remove their text
    #[arg(long)]
    pub(crate) accept_vanished: bool,
}

/// `six extract`
#[derive(Debug, Args)]
pub(crate) struct ExtractionArgs {
    /// Read this session, whatever waits for triage of it already; the beginning of its id is enough [default: the newest]
    #[arg(long, value_name = "ID", conflicts_with = "all")]
    pub(crate) session: Option<String>,
    /// Read every session, also those from before six was installed
    #[arg(long)]
    pub(crate) all: bool,
}

/// `six backup`
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct BackupArgs {
    /// Where the copy goes; default: the memory's own folder of backups, in which the newest 7 stay
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) to: Option<PathBuf>,
    #[command(subcommand)]
    pub(crate) verb: Option<BackupVerb>,
}

/// Verbs of backups.
#[derive(Debug, Subcommand)]
pub(crate) enum BackupVerb {
    /// Every old state that is kept: asked for, before an upgrade, a repair or a restore, damaged
    List,
    /// Make the memory what a backup holds; what it holds now is kept (a person's word: refused to an agent)
    Restore(RestoreArgs),
}

/// `six backup restore`
#[derive(Debug, Args)]
pub(crate) struct RestoreArgs {
    /// The backup: a file, or the name of one that the list shows
    pub(crate) file: PathBuf,
    /// Do not ask
    #[arg(long)]
    pub(crate) yes: bool,
    /// Take a backup that does not say that it is this project's
    #[arg(long)]
    pub(crate) other_project: bool,
}

/// `six repair`
#[derive(Debug, Args)]
pub(crate) struct RepairArgs {
    /// Say what could be read, change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// `six embed`
#[derive(Debug, Args)]
pub(crate) struct EmbedArgs {
    /// Say what makes the vectors and how many texts have one; the default
    #[arg(long, conflicts_with = "backfill")]
    pub(crate) status: bool,
    /// Make the vectors that are missing; Ctrl-C stops it and loses nothing
    #[arg(long)]
    pub(crate) backfill: bool,
    /// Make at most this many
    #[arg(long, value_name = "N", requires = "backfill")]
    pub(crate) limit: Option<NonZeroUsize>,
}

/// `six lineage`
#[derive(Debug, Args)]
pub(crate) struct LineageArgs {
    /// Thread, by name, id, or the beginning of its id; without one the state of every thread
    #[arg(value_name = "THREAD")]
    pub(crate) thread: Option<String>,
    /// Forget what a model told of older records, and have it told anew where capture.synthesis is on
    #[arg(long)]
    pub(crate) refresh: bool,
}

/// Verbs of subsystems.
#[derive(Debug, Subcommand)]
pub(crate) enum SubsystemCommand {
    /// Enter one
    Add {
        /// Its name
        name: String,
        /// What it is for
        #[arg(long, value_name = "TEXT")]
        purpose: Option<String>,
        /// Where it lives; may be given more than once
        #[arg(long, value_name = "PATH")]
        path: Vec<String>,
        /// live, dormant or planned
        #[arg(long, value_name = "STATE", default_value = "live")]
        state: String,
    },
    /// List the inventory
    List,
}

/// Verbs of project identity.
#[derive(Debug, Subcommand)]
pub(crate) enum ProjectCommand {
    /// Which project this folder is, and where its store lies
    Where,
    /// All projects of this machine
    List,
    /// This folder takes over the memory of the project it was copied from
    Adopt,
    /// This folder, which shares a memory with another one, gets one of its own
    Split,
    /// Another project is this one: its memory is taken in, its folders lead here (a person's word: refused to an agent)
    Merge(MergeArgs),
}

/// `six project merge`
#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// The other project: one of its folders, or its id (six project list)
    pub(crate) other: String,
    /// Say what would be taken in, change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Verbs of configuration.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Every key with its value, where that comes from, and its default
    List,
    /// The value of a key
    Get {
        /// Name of the key
        #[arg(value_name = "KEY")]
        key: String,
    },
    /// Set a key for this project
    Set {
        /// Name of the key
        #[arg(value_name = "KEY")]
        key: String,
        /// Its value; a list is typed as JSON: '["docs/ledger/*.md"]'
        #[arg(value_name = "VALUE", allow_hyphen_values = true)]
        value: String,
        #[command(flatten)]
        place: ConfigPlace,
    },
    /// Take a key out of the project's file: the machine's value or the default holds again
    Unset {
        /// Name of the key
        #[arg(value_name = "KEY")]
        key: String,
        #[command(flatten)]
        place: ConfigPlace,
    },
}

/// Which file of configuration.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct ConfigPlace {
    /// For all projects of this machine; what a project sets wins
    #[arg(long)]
    pub(crate) machine: bool,
}

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory};

    use super::Cli;

    /// The help of a command and of all below it.
    fn help(command: &Command) -> String {
        let below = command.get_subcommands().filter(|below| below.get_name() != "help");
        let below = below.map(|below| format!("---- {}\n{}", below.get_bin_name().unwrap_or_default(), help(below)));
        format!("{}\n{}", command.clone().render_long_help(), below.collect::<String>())
    }

    #[test]
    fn the_help_of_every_command() {
        let mut root = Cli::command().term_width(80);
        root.build();
        root.clone().debug_assert();
        let text = help(&root);
        let text: Vec<&str> = text.lines().map(str::trim_end).collect();
        insta::assert_snapshot!("help", text.join("\n"));
    }
}
