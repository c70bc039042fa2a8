//! `six triage` as types.

use std::num::NonZeroUsize;

use clap::Args;

/// `six triage`
#[derive(Debug, Args)]
pub(crate) struct TriageArgs {
    /// List what waits, most useful first, with what is suggested; the default where there is no terminal to judge on
    #[arg(long, conflicts_with_all = ["apply", "undo", "review"])]
    pub(crate) list: bool,
    /// List at most this many; default: 50
    #[arg(long, value_name = "N", conflicts_with_all = ["apply", "undo", "review"])]
    pub(crate) limit: Option<NonZeroUsize>,
    /// Only this kind: decision, dead-end, correction or cheatsheet
    #[arg(long, value_name = "KIND", conflicts_with_all = ["apply", "undo", "review"])]
    pub(crate) kind: Option<String>,
    /// Apply an array of verdicts, all of them or none: {"id", "verdict": "confirm|reject|merge|supersede", "version",
    /// "thread", "title", "kind", "into", "by", "reason"}; "-" reads them from standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["undo", "review"])]
    pub(crate) apply: Option<String>,
    /// Say what the verdicts would do, change nothing
    #[arg(long, requires = "apply")]
    pub(crate) dry_run: bool,
    /// Take a batch of verdicts back: its id, the beginning of it, or "last"
    #[arg(long, value_name = "BATCH", conflicts_with = "review")]
    pub(crate) undo: Option<String>,
    /// List what agents judged and nobody has looked through yet; where a person asks, it counts as seen from then on
    #[arg(long)]
    pub(crate) review: bool,
}

impl TriageArgs {
    /// Whether nothing was asked for but triage itself.
    pub(crate) const fn is_plain(&self) -> bool {
        !self.list && self.limit.is_none() && self.kind.is_none()
    }
}
