//! What the events that take in a transcript have in common: the end of a turn, of a context, of a session.

use std::path::PathBuf;

use crate::effect::{Chore, Effect, Work};
use crate::event::Context;
use crate::text::Redactor;

/// The work for the worker, and the same work for this process: the worker's row is written before any of it is done here,
/// so that a hook that is killed loses nothing.
pub(super) fn take_in(context: &Context, within_ms: u32) -> (Effect, Vec<Chore>) {
    let transcript = &context.transcript_path;
    let ingest = transcript.clone().map(|transcript| Chore::Ingest { transcript, within_ms });
    let extract = Chore::Extract { session: context.session_id.clone() };
    let queued = Effect::Queue(Work::Ingest { transcript: storable(transcript.clone()) });
    (queued, ingest.into_iter().chain([extract]).collect())
}

/// A path that the redactor would change is stored nowhere: the worker finds the session by its own search.
fn storable(transcript: Option<PathBuf>) -> Option<PathBuf> {
    transcript.filter(|path| path.to_str().is_some_and(|path| Redactor::new().redact(path).as_str() == path))
}
