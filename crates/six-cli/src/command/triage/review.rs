//! `six triage --review`: what agents judged, until a person has looked through it.

use std::process::ExitCode;

use serde_json::{Value, json};
use six_core::curate::Judge;
use six_core::record::{Change, Record};
use six_core::text::printable;
use six_store::UnseenBatch;

use super::judge_of;
use crate::command::records::{kind_name, taken_back_by};
use crate::context::Context;
use crate::failure::{Exit, Failure, store_failure};
use crate::output::object;

/// Runs it: exit code 1 when nothing is left to look through. What is shown to a person counts as seen.
pub(super) fn run(context: &Context) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    let failed = |fault| store_failure(&project, &fault);
    let by_person = judge_of(context) == Judge::Operator;
    let store = if by_person { context.writer(&project)? } else { Context::reader(&project)? };
    let batches = store.unseen_batches().map_err(failed)?;
    context.print(&if context.json {
        object("triage", json!({"batches": batches.iter().map(batch_json).collect::<Vec<_>>()}))
    } else {
        batches.iter().map(|batch| batch_text(batch, context)).collect::<Vec<_>>().join("\n\n")
    });
    if batches.is_empty() {
        context.say("no verdict of an agent waits for a look");
        return Ok(Exit::Nothing.into());
    }
    if by_person {
        store.mark_seen(&batches, context.now).map_err(failed)?;
    } else {
        context.say("they stay listed until a person has looked through them, in a terminal of their own");
    }
    Ok(ExitCode::SUCCESS)
}

fn batch_json(batch: &UnseenBatch) -> Value {
    let verdicts = batch.verdicts.iter().map(|(record, change)| {
        json!({
            "id": record.id,
            "kind": record.kind,
            "state": change.to,
            "state_now": record.state,
            "origin": record.origin,
            "written_by": record.written_by,
            "title": record.title,
            "quote": record.quote,
            "title_before": title_before(record, change),
            "superseded_by": record.superseded_by,
            "reason": change.reason,
        })
    });
    json!({"batch": batch.id, "date": batch.at.rfc3339(), "verdicts": verdicts.collect::<Vec<_>>()})
}

/// The title that the verdict took the place of.
fn title_before<'c>(record: &Record, change: &'c Change) -> Option<&'c str> {
    change.before.get("title").and_then(Value::as_str).filter(|before| *before != record.title.as_str())
}

fn batch_text(batch: &UnseenBatch, context: &Context) -> String {
    let mut lines = vec![format!("batch {} by an agent, {}", batch.id, batch.at.minute(context.offset))];
    for (record, change) in &batch.verdicts {
        lines.push(format!(
            "  {} {} {} (said by {}): {}",
            change.to.as_str(),
            kind_name(record.kind),
            record.id,
            record.origin.as_str(),
            printable(record.title.as_str())
        ));
        let mut field = |name: &str, value: &str| {
            if !value.is_empty() {
                lines.push(format!("    {name}: {}", printable(value)));
            }
        };
        field("worded by", record.written_by.as_str());
        field("title before", title_before(record, change).unwrap_or_default());
        field("quote", record.quote.as_str());
        field("reason", change.reason.as_str());
        if record.state != change.to {
            field("now", record.state.as_str());
        }
    }
    lines.push(format!("  {}", taken_back_by(&batch.id)));
    lines.join("\n")
}
