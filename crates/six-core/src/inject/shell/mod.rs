//! The simple commands of a shell line, as far as they can be told without running it.
//!
//! A reading, not a parser: quotes, substitutions, heredocs and redirections are followed, variables are not. What can't be
//! read gives fewer or odd commands and never an error.

mod program;
mod split;

pub(in crate::inject) use program::{Command, commands};
