//! The command line of records.

use std::num::NonZeroUsize;

use clap::{Args, Subcommand};

/// Verbs of a kind of record.
#[derive(Debug, Subcommand)]
pub(crate) enum RecordCommand<A: Args, E: Args> {
    /// Record one: in force at once; from an agent, once a person has confirmed it
    Add(A),
    /// Change what one says; what is not given stays, and an empty text takes away what was there (an agent changes only
    /// what it entered itself and nobody has judged)
    Edit(E),
    #[command(flatten)]
    Verb(RecordVerb),
}

/// Verbs that are the same for every kind of record.
#[derive(Debug, Subcommand)]
pub(crate) enum RecordVerb {
    /// List them, newest first
    List(ListArgs),
    /// Show one whole: what it says, what it stands on, what became of it
    Show {
        /// Id of a record, or its beginning
        id: String,
    },
    /// Put them in force: pending ones, and on second thoughts those that were rejected, retired or expired (a person's word:
    /// refused to an agent)
    Confirm(VerdictArgs),
    /// Refuse what is not in force (a person's word: refused to an agent)
    Reject(VerdictArgs),
    /// Take what is in force out of it, without a replacement (a person's word: refused to an agent)
    Retire(VerdictArgs),
    /// Close one that another one, which is in force, replaced (a person's word: refused to an agent)
    Supersede(SupersedeArgs),
}

/// Which records a verdict is about.
#[derive(Debug, Args)]
pub(crate) struct VerdictArgs {
    /// Id of a record, or its beginning; may be given more than once
    #[arg(required = true, value_name = "ID")]
    pub(crate) ids: Vec<String>,
    /// Why; kept in the history
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
}

/// Which record replaced which.
#[derive(Debug, Args)]
pub(crate) struct SupersedeArgs {
    /// Id of the record that no longer holds, or its beginning
    pub(crate) old: String,
    /// Id of the record that holds instead, or its beginning
    pub(crate) new: String,
    /// Why; kept in the history
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
}

/// Which records to list.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Only this state (pending, confirmed, rejected, superseded, expired, retired); default: confirmed and pending
    #[arg(long, value_name = "STATE")]
    pub(crate) state: Vec<String>,
    /// Only those of this thread, by name or id
    #[arg(long, value_name = "NAME")]
    pub(crate) thread: Option<String>,
    /// At most this many
    #[arg(long, value_name = "N", default_value = "50")]
    pub(crate) limit: NonZeroUsize,
}

/// `six decision add`
#[derive(Debug, Args)]
pub(crate) struct DecisionAdd {
    /// What was decided, in one clause of at most 120 characters
    pub(crate) title: String,
    /// Why
    #[arg(long, alias = "rationale", value_name = "TEXT")]
    pub(crate) why: Option<String>,
    /// An option that was rejected, with its reason; may be given more than once
    #[arg(long, value_name = "TEXT")]
    pub(crate) rejected: Vec<String>,
    /// A commit that carried it out, as 7 to 64 hexadecimal digits; may be given more than once
    #[arg(long, value_name = "HASH")]
    pub(crate) commit: Vec<String>,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}

/// `six dead-end add`
#[derive(Debug, Args)]
pub(crate) struct DeadEndAdd {
    /// The approach, in one clause of at most 120 characters
    pub(crate) title: String,
    /// Why it failed
    #[arg(long, value_name = "TEXT")]
    pub(crate) why: Option<String>,
    /// What shows that it failed: a command and its outcome, an error
    #[arg(long, value_name = "TEXT")]
    pub(crate) evidence: Option<String>,
    /// When it would be worth another try
    #[arg(long, value_name = "TEXT")]
    pub(crate) revive_if: Option<String>,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}

/// `six correction add`
#[derive(Debug, Args)]
pub(crate) struct CorrectionAdd {
    /// The rule, in one sentence
    pub(crate) title: String,
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub(crate) why: Option<String>,
    /// Paths it holds for, as a pattern; default: the whole project
    #[arg(long, value_name = "PATTERN")]
    pub(crate) scope: Option<String>,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}

/// Where a record belongs.
#[derive(Debug, Args)]
pub(crate) struct PlaceArgs {
    /// Thread, by name or id; a new name opens a thread
    #[arg(long, value_name = "NAME")]
    pub(crate) thread: Option<String>,
    /// What it stands on, from the root of the project: a file (PATH), some of its lines (PATH:FIRST-LAST) or a name in
    /// it (PATH#NAME); may be given more than once. Files that the text mentions are noted by themselves
    #[arg(long, value_name = "PLACE")]
    pub(crate) anchor: Vec<String>,
    /// Id of a record of the same kind, or its beginning, whose place it takes (a person's word: refused to an agent)
    #[arg(long, value_name = "ID")]
    pub(crate) supersedes: Option<String>,
}

/// `six decision edit`
#[derive(Debug, Args)]
pub(crate) struct DecisionEdit {
    #[command(flatten)]
    pub(crate) edit: EditArgs,
    /// An option that was rejected, with its reason, in the place of all that are there; may be given more than once
    #[arg(long, value_name = "TEXT")]
    pub(crate) rejected: Vec<String>,
    /// Nothing was rejected
    #[arg(long, conflicts_with = "rejected")]
    pub(crate) no_rejected: bool,
    /// A commit that carried it out, in the place of all that are there; may be given more than once
    #[arg(long, value_name = "HASH")]
    pub(crate) commit: Vec<String>,
    /// No commit carried it out
    #[arg(long, conflicts_with = "commit")]
    pub(crate) no_commit: bool,
}

/// `six dead-end edit`
#[derive(Debug, Args)]
pub(crate) struct DeadEndEdit {
    #[command(flatten)]
    pub(crate) edit: EditArgs,
    /// What shows that it failed: a command and its outcome, an error
    #[arg(long, value_name = "TEXT")]
    pub(crate) evidence: Option<String>,
    /// When it would be worth another try
    #[arg(long, value_name = "TEXT")]
    pub(crate) revive_if: Option<String>,
}

/// `six correction edit`
#[derive(Debug, Args)]
pub(crate) struct CorrectionEdit {
    #[command(flatten)]
    pub(crate) edit: EditArgs,
    /// Paths it holds for, as a pattern; empty: the whole project
    #[arg(long, value_name = "PATTERN")]
    pub(crate) scope: Option<String>,
}

/// What can be changed of every record.
#[derive(Debug, Args)]
pub(crate) struct EditArgs {
    /// Id of a record, or its beginning
    pub(crate) id: String,
    /// What it says, in one clause of at most 120 characters
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub(crate) why: Option<String>,
    /// What it is: decision, dead-end or correction; only while it waits for triage
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// Thread, by name or id; a new name opens a thread
    #[arg(long, value_name = "NAME")]
    pub(crate) thread: Option<String>,
    /// Take it out of its thread
    #[arg(long, conflicts_with = "thread")]
    pub(crate) no_thread: bool,
    /// What it stands on, in the place of all that it stood on (see add); may be given more than once. Without it, and where
    /// title or why change, what it stands on is looked at anew
    #[arg(long, value_name = "PLACE")]
    pub(crate) anchor: Vec<String>,
    /// It stands on nothing but the files that its text mentions
    #[arg(long, conflicts_with = "anchor")]
    pub(crate) no_anchor: bool,
    /// Why it is changed; kept in the history
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
}
