//! The command `six`.

mod cli;
mod command;
mod context;
mod failure;
mod output;
mod parse;
mod wish;

use std::process::ExitCode;

use cli::Command;
use context::Context;
use failure::Failure;

fn main() -> ExitCode {
    let cli = parse::parse(std::env::args_os());
    let context = Context::from_process(&cli);
    let fix = cli.command.as_fix();
    match run(&context, cli.command) {
        Ok(code) => {
            if code == ExitCode::SUCCESS
                && let Some(fix) = fix
            {
                context.note_fix(&fix);
            }
            code
        }
        Err(failure) => {
            output::complain(&failure);
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
        Command::Report(args) => command::report::run(context, &args),
        Command::Search(args) => command::search::run(context, &args),
        Command::Show(args) => command::show::run(context, &args),
        Command::Why(args) => command::why::run(context, &args),
        Command::Mute(args) => command::mute::run(context, &args),
        Command::Triage(args) => command::triage::run(context, &args),
        Command::Decision(verb) => command::decision::run(context, verb),
        Command::DeadEnd(verb) => command::dead_end::run(context, verb),
        Command::Correction(verb) => command::correction::run(context, verb),
        Command::Thread(verb) => command::thread::run(context, verb),
        Command::Log(args) => command::log::run(context, &args),
        Command::Lineage(args) => command::lineage::run(context, &args),
        Command::Subsystem(verb) => command::subsystem::run(context, verb),
        Command::Ingest(args) => command::ingest::run(context, &args),
        Command::Extract(args) => command::extract::run(context, &args),
        Command::Embed(args) => command::embed::run(context, &args),
        Command::Backup(args) => command::backup::run(context, &args),
        Command::Repair(args) => command::repair::run(context, &args),
        Command::Project(verb) => command::project::run(context, &verb),
        Command::Config(verb) => command::config::run(context, &verb),
        Command::Worker => command::worker::run(context),
        Command::Bench(what) => command::bench::run(context, &what),
    }
}
