//! `six extract`

use std::process::ExitCode;

use serde_json::{Value, json};
use six_core::curate::DropReason;
use six_core::record::SessionId;
use six_runtime::curate::{Extraction, Limits, PENDING_OF_SESSION, extract};
use six_runtime::project::identity::Project;
use six_store::Store;

use crate::cli::ExtractionArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure, store_failure};
use crate::output::{Bar, count, object};

/// Runs it.
pub(crate) fn run(context: &Context, args: &ExtractionArgs) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    let store = context.writer(&project)?;
    let failed = |fault| store_failure(&project, &fault);
    let known = store.sessions_with_messages().map_err(failed)?;
    let sessions = chosen(args, known)?;
    let done = read(context, args, &project, &store, &sessions)?;
    let waiting = sessions.iter().try_fold(0, |sum, session| Ok(sum + store.unread_messages(Some(session))?));
    let read = Read { sessions, done, waiting: waiting.map_err(failed)? };
    context.print(&if context.json { object("extract", read.json()) } else { read.text() });
    if read.done.is_empty() {
        context.say("nothing new");
        return Ok(Exit::Nothing.into());
    }
    Ok(ExitCode::SUCCESS)
}

/// The sessions that are meant: the newest unless somebody says otherwise.
fn chosen(args: &ExtractionArgs, known: Vec<SessionId>) -> Result<Vec<SessionId>, Failure> {
    if args.all {
        return Ok(known);
    }
    let Some(name) = &args.session else { return Ok(known.into_iter().take(1).collect()) };
    let found: Vec<SessionId> = known.into_iter().filter(|id| id.as_str().starts_with(name.as_str())).collect();
    match (found.iter().find(|id| id.as_str() == name.as_str()), found.as_slice()) {
        (Some(id), _) | (None, [id]) => Ok(vec![id.clone()]),
        (None, []) => Err(Failure::misuse(format_args!("no session {name:?} has been read"), "six ingest")),
        (None, several) => Err(Failure::misuse(
            format_args!("{} sessions begin with {name:?}", several.len()),
            "six extract --session with more of the id",
        )),
    }
}

fn read(
    context: &Context,
    args: &ExtractionArgs,
    project: &Project,
    store: &Store,
    sessions: &[SessionId],
) -> Result<Extraction, Failure> {
    // Who names a session wants all that is in it.
    let pending = if args.session.is_some() { None } else { Some(PENDING_OF_SESSION) };
    let bar = Bar::of_sessions(context.quiet || sessions.len() < 2, sessions.len() as u64);
    let mut all = Extraction::default();
    for session in sessions {
        let limits = Limits { pending, is_over: &|| false, now: context.now };
        all.add(extract(project, store, session, limits).map_err(|fault| store_failure(project, &fault))?);
        bar.done_one();
    }
    Ok(all)
}

/// What was read.
struct Read {
    sessions: Vec<SessionId>,
    done: Extraction,
    /// Messages that were not read.
    waiting: u64,
}

impl Read {
    fn json(&self) -> Value {
        let Extraction { messages, candidates, sightings, taken_back, dropped, .. } = &self.done;
        json!({
            "sessions": self.sessions,
            "messages": messages,
            "candidates": candidates,
            "evidence": sightings,
            "taken_back": taken_back,
            "dropped": dropped.iter().map(|(reason, n)| (reason.as_str().to_owned(), json!(n))).collect::<serde_json::Map<_, _>>(),
            "waiting": self.waiting,
        })
    }

    fn text(&self) -> String {
        let Extraction { messages, candidates, sightings, taken_back, dropped, .. } = &self.done;
        let of = match self.sessions.as_slice() {
            [one] => format!("session {one}"),
            several => count(several.len() as u64, "session"),
        };
        let mut lines = vec![
            format!("read      {} of {of}", count(*messages, "message")),
            format!("made      {}, further evidence of known records: {sightings}", count(*candidates, "candidate")),
        ];
        if *taken_back > 0 {
            lines.push(format!("expired   {}: the turn was taken back", count(*taken_back, "candidate")));
        }
        if !dropped.is_empty() {
            let reasons: Vec<String> =
                dropped.iter().map(|(reason, n)| format!("{n} {}", DropReason::as_str(*reason))).collect();
            lines.push(format!("dropped   {}", reasons.join(", ")));
        }
        if self.waiting > 0 {
            lines.push(format!(
                "waiting   {}: no more than {PENDING_OF_SESSION} candidates of a session are shown at a time;",
                count(self.waiting, "message")
            ));
            lines.push(String::from("          they are read when those are judged, or with --session ID"));
        }
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_reads_what_was_made_and_what_was_not() {
        let done = Extraction {
            messages: 14,
            candidates: 3,
            sightings: 1,
            taken_back: 2,
            dropped: [(DropReason::Question, 2), (DropReason::Narration, 1)].into(),
            ..Extraction::default()
        };
        let read = Read { sessions: vec![SessionId::new("s-1")], done, waiting: 5 };
        insta::assert_snapshot!(read.text(), @r"
        read      14 messages of session s-1
        made      3 candidates, further evidence of known records: 1
        expired   2 candidates: the turn was taken back
        dropped   2 question, 1 narration
        waiting   5 messages: no more than 12 candidates of a session are shown at a time;
                  they are read when those are judged, or with --session ID
        ");
    }

    #[test]
    fn a_session_is_named_by_as_much_of_its_id_as_it_needs() {
        let known = || vec![SessionId::new("ab"), SessionId::new("abc"), SessionId::new("x1")];
        let named = |session: Option<&str>, all| {
            let args = ExtractionArgs { session: session.map(str::to_owned), all };
            chosen(&args, known()).map(|ids| ids.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        assert_eq!(named(None, false).unwrap(), ["ab"]);
        assert_eq!(named(None, true).unwrap().len(), 3);
        assert_eq!(named(Some("ab"), false).unwrap(), ["ab"]);
        assert_eq!(named(Some("x"), false).unwrap(), ["x1"]);
        assert!(named(Some("a"), false).is_err() && named(Some("z"), false).is_err());
    }
}
