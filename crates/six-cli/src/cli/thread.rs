//! The command line of threads.

use clap::Subcommand;

/// Verbs of threads.
#[derive(Debug, Subcommand)]
pub(crate) enum ThreadCommand {
    /// Open a thread
    Add {
        /// Its name
        name: String,
        /// What it is about, in one sentence
        #[arg(long, value_name = "TEXT")]
        summary: Option<String>,
    },
    /// List the threads, newest first
    List,
    /// Show a thread with its records, oldest first
    Show {
        /// Its name, or its id
        #[arg(value_name = "THREAD")]
        name: String,
    },
    /// Change what a thread is said to be about (a person's word: refused to an agent)
    Edit {
        /// Its name, or its id
        #[arg(value_name = "THREAD")]
        name: String,
        /// What it is about, in one sentence
        #[arg(long, value_name = "TEXT")]
        summary: String,
    },
    /// The matter is settled (a person's word: refused to an agent)
    Close {
        /// Its name, or its id
        #[arg(value_name = "THREAD")]
        name: String,
    },
    /// The matter is open again (a person's word: refused to an agent)
    Reopen {
        /// Its name, or its id
        #[arg(value_name = "THREAD")]
        name: String,
    },
    /// Give a thread another name, which no other thread has (a person's word: refused to an agent)
    Rename {
        /// Its name, or its id
        #[arg(value_name = "THREAD")]
        name: String,
        /// Its name from now on
        new: String,
    },
    /// Move all records of a thread to another one, which its name leads to from then on (a person's word: refused to an
    /// agent)
    Merge {
        /// The thread that ends: its name, or its id
        from: String,
        /// The thread that goes on: its name, or its id
        into: String,
        /// Why; kept in the history of each record
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
}
