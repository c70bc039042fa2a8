//! Entering a record.

use std::process::ExitCode;

use serde_json::json;
use six_core::record::{Record, RecordId, RecordKind, RecordState};
use six_core::text::{Redacted, Redactor};

use super::{check_title, commits, embed_at_once, fresh_id, kind_name};
use crate::cli::PlaceArgs;
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
    store.add_record(&record, origin).map_err(|fault| store_failure(&project, &fault))?;
    if state == RecordState::Confirmed {
        embed_at_once(context, &project, &store, 1);
    }
    context.print(&if context.json {
        object(kind_name(kind), json!({"record": record}))
    } else {
        format!("{} {} is {}", kind_name(kind), record.id, state.as_str())
    });
    if state == RecordState::Pending {
        context.say("entered by an agent: it counts once a person has confirmed it");
    }
    Ok(ExitCode::SUCCESS)
}
