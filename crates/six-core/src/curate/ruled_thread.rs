//! The thread that a verdict names.

use sha2::{Digest as _, Sha256};

use super::Batch;
use crate::record::{Thread, ThreadId, judge_line};
use crate::text::{Redacted, Redactor, hex, printable};

/// Bytes of a hash that make the id of a thread: 26 hexadecimal digits.
const ID_BYTES: usize = 13;

/// What a thread begins with that a verdict opens.
const NEW: &str = "new:";

/// The thread that is meant: an id or its beginning, a name, or a new name, which is opened once in a batch.
pub(super) fn thread_of(
    asked: &str,
    threads: &[Thread],
    batch: Batch<'_>,
    opened: &mut Vec<Thread>,
) -> Result<ThreadId, String> {
    let asked = asked.trim();
    let is_new = asked.get(..NEW.len()).is_some_and(|start| start.eq_ignore_ascii_case(NEW));
    if is_new {
        return open(asked.get(NEW.len()..).unwrap_or_default(), threads, batch, opened);
    }
    let with = |is_meant: &dyn Fn(&&Thread) -> bool| threads.iter().filter(is_meant).collect::<Vec<_>>();
    let by_id = with(&|thread| thread.id.as_str() == asked);
    let by_spelling = with(&|thread| thread.is_spelled(asked));
    let by_name = with(&|thread| thread.is_named(asked));
    let by_beginning = with(&|thread| !asked.is_empty() && thread.id.as_str().starts_with(asked));
    match [by_id, by_spelling, by_name, by_beginning].into_iter().find(|found| !found.is_empty()).as_deref() {
        None => Err(format!("there is no thread {:?}; \"new:NAME\" opens one", printable(asked))),
        Some([thread]) => Ok(thread.merged_into.as_ref().unwrap_or(&thread.id).clone()),
        Some(more) => Err(format!("{} threads answer to {:?}", more.len(), printable(asked))),
    }
}

fn open(name: &str, threads: &[Thread], batch: Batch<'_>, opened: &mut Vec<Thread>) -> Result<ThreadId, String> {
    let name = Redactor::new().redact(name.trim());
    judge_line(name.as_str()).map_err(|fault| format!("the name of the new thread {fault}"))?;
    if let Some(known) = threads.iter().find(|thread| thread.is_named(name.as_str())) {
        let id = known.merged_into.as_ref().unwrap_or(&known.id);
        return Err(format!("there is a thread {:?} already: use its id {id}", printable(name.as_str())));
    }
    if let Some(other) = opened.iter().find(|thread| thread.is_named(name.as_str())) {
        return Ok(other.id.clone());
    }
    let id = new_thread_id(batch.id, opened.len());
    opened.push(Thread {
        id: id.clone(),
        name,
        summary: Redacted::default(),
        open: true,
        created: batch.now,
        merged_into: None,
    });
    Ok(id)
}

/// As random as the id of the batch, so that a name never makes an id.
fn new_thread_id(batch: &str, ordinal: usize) -> ThreadId {
    let hash = Sha256::digest(format!("{batch}\0thread\0{ordinal}"));
    ThreadId::new(hex(hash.get(..ID_BYTES).unwrap_or_default()))
}
