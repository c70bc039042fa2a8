//! `six show`

use std::process::ExitCode;

use serde_json::json;
use six_core::search::{Filter, Hit, parse_query};
use six_core::text::printable;
use six_store::StoreError;

use super::records::whole;
use super::search::{hit_json, kind_and_record};
use crate::cli::ShowArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure, store_failure};
use crate::output::object;

/// Runs it: exit code 1 when there is no such hit or record.
pub(crate) fn run(context: &Context, args: &ShowArgs) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    let store = Context::reader(&project)?;
    let failed = |fault: StoreError| store_failure(&project, &fault);
    if let Some(hit) = store.show(&args.id).map_err(failed)? {
        context.print(&if context.json {
            let mut body = hit_json(&hit, &parse_query("", Filter::default(), 1, context.now));
            if let Some(fields) = body.as_object_mut() {
                fields.insert(String::from("text"), json!(hit.text));
            }
            object("show", body)
        } else {
            hit_text(&hit, context)
        });
        return Ok(ExitCode::SUCCESS);
    }
    match store.record(&args.id) {
        Ok(record) => whole(context, &project, &store, &record, "show"),
        Err(StoreError::NotOne { found: 0 }) => Err(Failure::new(
            Exit::Nothing,
            format_args!("there is no hit or record {:?}", args.id),
            "six search QUERY prints ids (chunk:12), six decision list those of records",
        )),
        Err(StoreError::NotOne { found }) => Err(Failure::misuse(
            format_args!("{found} records begin with {:?}", args.id),
            "give more of the id: six show ID",
        )),
        Err(fault) => Err(failed(fault)),
    }
}

fn hit_text(hit: &Hit, context: &Context) -> String {
    let mut lines = vec![format!("{} {} {}", hit.id, hit.kind.as_str(), printable(&hit.title))];
    let mut field = |name: &str, value: Option<String>| lines.extend(value.map(|value| format!("{name}: {value}")));
    field("record", hit.record.as_ref().map(|id| format!("{} (six show {id})", kind_and_record(hit))));
    field("path", hit.path.as_deref().map(|path| printable(path).into_owned()));
    field("session", hit.session.as_ref().map(ToString::to_string));
    field("date", hit.at.map(|at| at.date(context.offset)));
    field("note", Some(hit.label.clone()).filter(|label| !label.is_empty()));
    lines.push(String::new());
    lines.push(printable(&hit.text).into_owned());
    lines.join("\n")
}
