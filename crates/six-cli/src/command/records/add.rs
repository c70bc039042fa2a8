//! Entering a record.

use std::process::ExitCode;

use serde_json::json;
use six_core::record::{Record, RecordId, RecordKind, RecordState, judge_person};
use six_core::text::{Redacted, Redactor};
use six_runtime::project::identity::Project;
use six_store::Store;

use super::verdict::superseded;
use super::{check_title, commits, embed_at_once, find, fresh_id, kind_name, taken_back_by, titled};
use crate::cli::PlaceArgs;
use crate::command::refused::write_failure;
use crate::command::{place, thread};
use crate::context::Context;
use crate::failure::{Failure, store_failure};
use crate::output::object;

/// What the person typed for a new record.
#[derive(Debug, Default)]
pub(crate) struct Typed<'a> {
    /// The one clause.
    pub(crate) title: &'a str,
    /// Why.
    pub(crate) why: Option<&'a str>,
    /// Options that were rejected.
    pub(crate) rejected: &'a [String],
    /// When to try again.
    pub(crate) revive_if: Option<&'a str>,
    /// Where it holds.
    pub(crate) scope: Option<&'a str>,
    /// What shows that it is so.
    pub(crate) evidence: Option<&'a str>,
    /// Commits that carried it out.
    pub(crate) commits: &'a [String],
    /// The record of the same kind whose place it takes.
    pub(crate) supersedes: Option<&'a str>,
}

/// Adds a record. What a person enters is in force at once; what an agent enters waits for triage, since nothing that
/// a program says confirms itself.
pub(crate) fn add(
    context: &Context,
    kind: RecordKind,
    typed: &Typed<'_>,
    place: &PlaceArgs,
) -> Result<ExitCode, Failure> {
    check_title(typed.title)?;
    let commits = commits(typed.commits)?;
    let project = context.project()?;
    let store = context.writer(&project)?;
    let origin = context.origin();
    let state = RecordState::of_entry(origin);
    let redactor = Redactor::new();
    let redact = |text: Option<&str>| redactor.redact(text.unwrap_or_default());
    let (title, body) = (redactor.redact(typed.title.trim()), redact(typed.why));
    check_new(&project, &store, kind, &title)?;
    let old = typed.supersedes.map(|id| superseded_by_it(context, &project, &store, kind, id)).transpose()?;
    let anchors = place::anchors(&project, &place.anchor, &[&title, &body], redactor)?;
    let thread = place.thread.as_deref().map(|name| thread::named(context, &project, &store, name)).transpose()?;
    let record = Record {
        id: RecordId::new(fresh_id()?),
        kind,
        state,
        origin,
        title,
        body,
        quote: Redacted::default(),
        rejected: typed.rejected.iter().map(|text| redactor.redact(text)).collect(),
        revive_if: redact(typed.revive_if),
        scope: redact(typed.scope),
        thread,
        superseded_by: None,
        session: None,
        turn: None,
        anchors,
        created: context.now,
        validated: context.now,
        evidence: redact(typed.evidence),
        commits,
        source_path: None,
        written_by: Redacted::default(),
    };
    let batch = match &old {
        None => {
            store.add_record(&record, origin).map_err(|fault| store_failure(&project, &fault))?;
            None
        }
        Some(old) => {
            let batch = fresh_id()?;
            store
                .replace_record(&old.id, &record, &batch)
                .map_err(|fault| write_failure(&project, kind_name(kind), &fault))?;
            Some(batch)
        }
    };
    if state == RecordState::Confirmed {
        embed_at_once(context, &project, &store, 1);
    }
    context.print(&if context.json {
        let superseded = old.as_ref().map(|old| &old.id);
        object(kind_name(kind), json!({"record": record, "supersedes": superseded, "batch": batch}))
    } else {
        let added = titled(&format!("{} {} is {}", kind_name(kind), record.id, state.as_str()), &record);
        let lines = [added].into_iter().chain(old.as_ref().map(superseded));
        lines.chain(batch.as_deref().map(taken_back_by)).collect::<Vec<_>>().join("\n")
    });
    if state == RecordState::Pending {
        context.say("entered by an agent: it counts once a person has confirmed it");
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses what is in force or waits in the same words: told twice it is no truer, and only one of them would be changed.
fn check_new(project: &Project, store: &Store, kind: RecordKind, title: &Redacted) -> Result<(), Failure> {
    let Some(same) = store.said_by(kind, title).map_err(|fault| store_failure(project, &fault))? else { return Ok(()) };
    let (name, id) = (kind_name(kind), &same.id);
    let (is, next) = if same.state == RecordState::Pending {
        ("waits for a verdict", format!("six {name} confirm {id}"))
    } else {
        ("is in force", format!("six {name} edit {id} --why TEXT (six {name} edit --help names the other fields)"))
    };
    Err(Failure::misuse(titled(&format!("{name} {id} says the same and {is}"), &same), next))
}

/// The record that a person puts a new one in the place of.
fn superseded_by_it(
    context: &Context,
    project: &Project,
    store: &Store,
    kind: RecordKind,
    id: &str,
) -> Result<Record, Failure> {
    let old = find(project, store, kind, id, "show")?;
    judge_person(context.origin()).map_err(|refusal| {
        let (name, id) = (kind_name(kind), &old.id);
        let ask = format!("six {name} add TITLE, then ask the operator to run: six {name} supersede {id} NEW");
        Failure::misuse(refusal, ask)
    })?;
    Ok(old)
}
