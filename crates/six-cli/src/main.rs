//! The command `six`.

mod cli;
mod command;
mod context;
mod failure;
mod output;
mod words;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use cli::{Cli, Command};
use context::Context;
use failure::Failure;

fn main() -> ExitCode {
    let mut definition = Cli::command();
    definition.build();
    let cli = Cli::parse_from(words::with_words_apart(&definition, std::env::args_os().collect()));
    let context = Context::from_process(&cli);
    match run(&context, cli.command) {
        Ok(code) => code,
        Err(failure) => {
            context.complain(&failure);
            failure.exit.into()
        }
    }
}

fn run(context: &Context, command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Install(args) => command::install::run(context, &args),
        Command::Uninstall(args) => command::uninstall::run(context, &args),
        Command::Status => command::status::run(context),
        Command::Health(args) => command::health::run(context, &args),
        Command::Search(args) => command::search::run(context, &args),
        Command::Show(args) => command::show::run(context, &args),
        Command::Decision(verb) => command::decision::run(context, verb),
        Command::DeadEnd(verb) => command::dead_end::run(context, verb),
        Command::Correction(verb) => command::correction::run(context, verb),
        Command::Thread(verb) => command::thread::run(context, verb),
        Command::Subsystem(verb) => command::subsystem::run(context, verb),
        Command::Ingest(args) => command::ingest::run(context, &args),
        Command::Project(verb) => command::project::run(context, &verb),
        Command::Worker => command::worker::run(context),
    }
}
