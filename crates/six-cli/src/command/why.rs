//! `six why`

mod absent;
mod judge;

use std::process::ExitCode;

use serde_json::json;
use six_core::inject::replay;
use six_core::record::{ItemId, SessionId};
use six_runtime::project::identity::Project;
use six_store::{Store, StoreError, Turn};

use crate::cli::WhyArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure, store_failure};
use crate::output::{Titles, object, replay_json, replay_text, turn_json, turn_line, turn_text};

/// Turns of a list.
const LISTED: usize = 20;

/// The word for the newest turn.
const LAST: &str = "last";

/// Runs it: exit code 1 when there is no such turn or item, and when a replay differs.
pub(crate) fn run(context: &Context, args: &WhyArgs) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    let store = Context::reader(&project)?;
    let session = args.session.as_deref().map(|id| SessionId::new(id.trim()));
    if args.list {
        let limit = args.limit.map_or(LISTED, std::num::NonZeroUsize::get);
        let turns = store.turns(session.as_ref(), limit).map_err(|fault| store_failure(&project, &fault))?;
        return list(context, &turns, session.as_ref());
    }
    let turn = find(&project, &store, &args.turn, session.as_ref())?;
    if let Some(item) = &args.not {
        return absent::run(context, &project, &store, &turn, item);
    }
    if let (Some(verdict), Some(rater)) = (&args.judge, &args.rater) {
        return judge::run(context, &project, &turn, verdict, rater, args.note.as_deref());
    }
    let titles = titles(&project, &store, &turn)?;
    if args.replay {
        let differences = replay(&turn.receipt);
        context.print(&if context.json {
            object("why", replay_json(&turn, &differences))
        } else {
            replay_text(&turn, &differences, &titles)
        });
        return Ok(if differences.is_empty() { ExitCode::SUCCESS } else { Exit::Nothing.into() });
    }
    context.print(&if context.json {
        object("why", turn_json(&turn, &titles))
    } else {
        turn_text(&turn, &titles, context.offset)
    });
    Ok(ExitCode::SUCCESS)
}

fn list(context: &Context, turns: &[Turn], session: Option<&SessionId>) -> Result<ExitCode, Failure> {
    context.print(&if context.json {
        let turns: Vec<_> = turns.iter().map(|turn| turn_json(turn, &Titles::new())).collect();
        object("why", json!({"turns": turns}))
    } else {
        turns.iter().map(|turn| turn_line(turn, context.offset)).collect::<Vec<_>>().join("\n")
    });
    if turns.is_empty() {
        return Err(no_turn(session));
    }
    Ok(ExitCode::SUCCESS)
}

/// The turn of that name.
fn find(project: &Project, store: &Store, name: &str, session: Option<&SessionId>) -> Result<Turn, Failure> {
    let failed = |fault| store_failure(project, &fault);
    if name == LAST {
        return store.turns(session, 1).map_err(failed)?.pop().ok_or_else(|| no_turn(session));
    }
    let turn = store.turn(name).map_err(|fault| match fault {
        StoreError::NotOne { found: 0 } => Failure::new(
            Exit::Nothing,
            format_args!("there is no turn {name:?}; turns are kept for some months"),
            "six why --list",
        ),
        StoreError::NotOne { found } => Failure::misuse(
            format_args!("the events of {found} turns begin with {name:?}"),
            "give more of the id, or the number of the turn: six why --list",
        ),
        fault => failed(fault),
    })?;
    match session.filter(|session| **session != turn.receipt.session) {
        None => Ok(turn),
        Some(other) => Err(Failure::new(
            Exit::Nothing,
            format_args!("turn {} is not one of session {:?}", turn.number, other.as_str()),
            format_args!("six why {}", turn.number),
        )),
    }
}

fn no_turn(session: Option<&SessionId>) -> Failure {
    let whose = session.map_or_else(String::new, |id| format!(" of session {:?}", id.as_str()));
    Failure::new(
        Exit::Nothing,
        format_args!("there is no turn{whose} yet: the prompt hook has left no row"),
        if session.is_some() { "six why --list" } else { "six status (it shows the hooks)" },
    )
}

/// What the candidates of a turn are called today.
fn titles(project: &Project, store: &Store, turn: &Turn) -> Result<Titles, Failure> {
    let failed = |fault| store_failure(project, &fault);
    let mut titles = Titles::new();
    let (subsystems, threads) = (store.subsystems().map_err(failed)?, store.threads().map_err(failed)?);
    titles.extend(subsystems.into_iter().map(|one| (one.item(), one.name.to_string())));
    titles.extend(threads.into_iter().map(|one| (ItemId::new(format!("thread:{}", one.id)), one.name.to_string())));
    for one in &turn.receipt.candidates {
        let id = one.item.as_str().split_once(':').map_or("", |(_, id)| id);
        match store.record(id) {
            Ok(record) if record.item() == one.item => {
                titles.insert(record.item(), record.title.to_string());
            }
            Ok(_) | Err(StoreError::NotOne { .. }) => {}
            Err(fault) => return Err(failed(fault)),
        }
    }
    Ok(titles)
}
