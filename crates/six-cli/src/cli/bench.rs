//! `six bench` as types.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// What to measure. Nothing of a person's store is written.
#[derive(Debug, Subcommand)]
pub(crate) enum BenchCommand {
    /// How well search finds what is relevant: words alone, vectors alone, both
    Retrieval(RetrievalArgs),
    /// How rightly it speaks up: which intents it sees, what it is silent on, what it finds
    Gate(GateArgs),
    /// How rightly decisions, dead ends and corrections are drawn from what was said
    Extract(ExtractArgs),
    /// What it costs: reading, embedding, searching, hooks, memory, disk, each beside its budget
    Speed(SpeedArgs),
}

/// `six bench retrieval`
#[derive(Debug, Args)]
pub(crate) struct RetrievalArgs {
    /// A set: a JSON file of groups, or a folder with sessions.json and questions.json; may be given more than once
    #[arg(long, value_name = "FILE")]
    pub(crate) set: Vec<PathBuf>,
    // Not as a comment: a variable would need marks there, which help shows.
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with = "set",
        help = "Where the sets lie; default: data/bench in SIX_SHARED, else in ../shared"
    )]
    pub(crate) data: Option<PathBuf>,
    /// Name every measure in which both are below words alone, by kind of question too
    #[arg(long)]
    pub(crate) losses: bool,
}

/// `six bench gate`
#[derive(Debug, Args)]
pub(crate) struct GateArgs {
    /// Labelled prompts, one JSON object a line with text and intent; default: made-up ones inside the binary
    #[arg(long, value_name = "FILE")]
    pub(crate) labels: Option<PathBuf>,
    /// Try the prompts in a copy of this project's own store as well
    #[arg(long)]
    pub(crate) store: bool,
    /// Move each threshold around its value, and tell what that changes
    #[arg(long)]
    pub(crate) sweep: bool,
    /// Name every prompt that was read wrong, and every miss and false alarm
    #[arg(long)]
    pub(crate) verbose: bool,
}

/// `six bench extract`
///
/// Each turn is read by itself. There is no project: a word is rare that is rare among the turns of the set.
#[derive(Debug, Args)]
pub(crate) struct ExtractArgs {
    /// Labelled prompts, one JSON object a line with text, decision, `dead_end`, correction
    #[arg(
        long,
        value_name = "FILE",
        help = "Labelled prompts, one JSON object a line with text, decision, dead_end and correction"
    )]
    pub(crate) labels: Option<PathBuf>,
    /// The same of an agent's answers, which correct nobody
    #[arg(
        long,
        value_name = "FILE",
        help = "Labelled answers of an agent, the same without correction; without both files: data/labels in SIX_SHARED, else in ../shared"
    )]
    pub(crate) turns: Option<PathBuf>,
    /// Name the turns that were read wrong: missed, wrongly proposed, both
    #[arg(long, value_name = "WHICH")]
    pub(crate) show: Option<ExtractMisses>,
}

/// Which turns to name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExtractMisses {
    /// Labelled and not proposed
    Fn,
    /// Proposed and not labelled
    Fp,
    /// Both
    All,
}

/// `six bench speed`
#[derive(Debug, Args)]
pub(crate) struct SpeedArgs {
    /// Chunks in the made-up stores; with 1000000 it takes long and gigabytes of scratch space
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "20000")]
    pub(crate) sizes: Vec<usize>,
    /// Runs of each hook
    #[arg(long, value_name = "N", default_value = "1000")]
    pub(crate) runs: NonZeroUsize,
    /// Made-up sessions that are read, of two megabytes each
    #[arg(long, value_name = "N", default_value = "24")]
    pub(crate) sessions: usize,
    /// A folder of real session files, to be read as well
    #[arg(long, value_name = "DIR")]
    pub(crate) transcripts: Option<PathBuf>,
}
