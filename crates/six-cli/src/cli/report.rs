//! The command line of reports.

use std::num::NonZeroU32;

use clap::Args;

/// `six report`
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Of the last N days
    #[arg(long, value_name = "N", default_value = "7", conflicts_with = "since")]
    pub(crate) days: NonZeroU32,
    /// From this day on (2026-03-14)
    #[arg(long, value_name = "DATE")]
    pub(crate) since: Option<String>,
    /// Up to this day, and with it; default: today
    #[arg(long, value_name = "DATE", requires = "since")]
    pub(crate) until: Option<String>,
}
