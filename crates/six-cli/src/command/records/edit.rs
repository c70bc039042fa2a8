//! Changing what a record says.

use std::process::ExitCode;

use serde_json::json;
use six_core::record::{Origin, Record, RecordEdit, RecordKind, RecordState};
use six_core::text::Redactor;
use six_runtime::project::identity::Project;
use six_store::Store;

use super::{check_title, commits, embed_at_once, find, fresh_id, kind_name, parse_kind, taken_back_by, titled};
use crate::cli::EditArgs;
use crate::command::refused::{refused, write_failure};
use crate::command::{place, thread};
use crate::context::Context;
use crate::failure::Failure;
use crate::output::object;

/// What was typed of the fields that not every kind has; what is `None` stays.
#[derive(Debug, Default)]
pub(crate) struct Retyped<'a> {
    /// All options that were rejected.
    pub(crate) rejected: Option<&'a [String]>,
    /// When to try again.
    pub(crate) revive_if: Option<&'a str>,
    /// Where it holds.
    pub(crate) scope: Option<&'a str>,
    /// What shows that it is so.
    pub(crate) evidence: Option<&'a str>,
    /// All commits that carried it out.
    pub(crate) commits: Option<&'a [String]>,
}

impl<'a> Retyped<'a> {
    /// A list that was typed, or that nothing is to be in.
    pub(crate) fn list(typed: &'a [String], is_none: bool) -> Option<&'a [String]> {
        (is_none || !typed.is_empty()).then_some(typed)
    }
}

/// Gives a record other fields. A person's edit of what is in force says that it holds.
pub(crate) fn edit(
    context: &Context,
    kind: RecordKind,
    args: &EditArgs,
    typed: &Retyped<'_>,
) -> Result<ExitCode, Failure> {
    let name = kind_name(kind);
    if let Some(title) = &args.title {
        check_title(title)?;
    }
    let project = context.project()?;
    let store = context.writer(&project)?;
    let old = find(&project, &store, kind, &args.id, "edit")?;
    old.judge_edit(context.origin()).map_err(|refusal| refused(name, &refusal))?;
    let edit = planned(context, &project, &store, &old, args, typed)?;
    if edit == RecordEdit::default() {
        return Err(Failure::misuse(
            "nothing was given that would change it",
            format_args!("six {name} edit {} --title TEXT (six {name} edit --help names the others)", args.id),
        ));
    }
    let redactor = Redactor::new();
    let reason = redactor.redact(args.reason.as_deref().unwrap_or_default());
    let by = context.origin();
    // What an agent rewords of its own is no verdict that somebody has to look through.
    let batch = if by == Origin::Operator { Some(fresh_id()?) } else { None };
    let new = store
        .edit_record(&old.id, &edit, by, &reason, batch.as_deref(), context.now)
        .map_err(|fault| write_failure(&project, name, &fault))?;
    if new.state == RecordState::Confirmed && new != old {
        embed_at_once(context, &project, &store, 1);
    }
    context.print(&if context.json {
        let batch = batch.filter(|_| new != old);
        object(name, json!({"record": new, "changed": new != old, "batch": batch}))
    } else if new == old {
        titled(&format!("{name} {} is as it was", new.id), &new)
    } else {
        let back = batch.map(|batch| taken_back_by(&batch));
        let changed = titled(&format!("{name} {} is changed", new.id), &new);
        [changed].into_iter().chain(back).collect::<Vec<_>>().join("\n")
    });
    Ok(ExitCode::SUCCESS)
}

fn planned(
    context: &Context,
    project: &Project,
    store: &Store,
    old: &Record,
    args: &EditArgs,
    typed: &Retyped<'_>,
) -> Result<RecordEdit, Failure> {
    let redactor = Redactor::new();
    let redact = |text: &str| redactor.redact(text.trim());
    let mut edit = RecordEdit {
        kind: args.kind.as_deref().map(parse_kind).transpose()?,
        title: args.title.as_deref().map(redact),
        body: args.why.as_deref().map(redact),
        rejected: typed.rejected.map(|all| all.iter().map(|text| redact(text)).collect()),
        revive_if: typed.revive_if.map(redact),
        scope: typed.scope.map(redact),
        evidence: typed.evidence.map(redact),
        commits: typed.commits.map(commits).transpose()?,
        thread: args.no_thread.then_some(None),
        anchors: None,
    };
    let texts = [edit.title.as_ref().unwrap_or(&old.title), edit.body.as_ref().unwrap_or(&old.body)];
    if args.no_anchor || !args.anchor.is_empty() {
        edit.anchors = Some(place::anchors(project, &args.anchor, &texts, redactor)?);
    } else if texts != [&old.title, &old.body] {
        edit.anchors = Some(place::anchors_anew(project, old, &texts, redactor));
    }
    // Last, since a name that is new opens a thread.
    if let Some(name) = &args.thread {
        edit.thread = Some(Some(thread::named(context, project, store, name)?));
    }
    Ok(edit)
}
