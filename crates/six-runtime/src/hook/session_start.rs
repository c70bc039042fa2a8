//! `SessionStart`: what the store and the checks know, and what became of what it cites.

use std::fs;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use six_core::config::Gate;
use six_core::effect::StartWorker;
use six_core::event::{Event, HookOutput};
use six_core::health::HealthLimits;
use six_core::inject::AnchorQuery;
use six_core::plan::session_start::{Gathered, Known, Query, Start, last_word, step};
use six_core::plan::{Plan, Step};
use six_core::record::{Anchor, Evidence, HookName, ItemId, RecordId, SessionId};
use six_core::session::{CitedStates, MAX_RECORDS, MAX_THREADS, StartEvidence};

use super::answer::{Hook, Work, seen};
use super::chore;
use crate::config::Configuration;
use crate::curate::PENDING_OF_SESSION;
use crate::embed::Patience;
use crate::{anchor, clock, health, ingest};

/// How long after the start of the process all checks have to be done: half of what the hook allows itself.
const CHECKS: Duration = Duration::from_secs(1);

/// A session starts, or goes on with another context.
#[derive(Debug)]
pub struct SessionStart;

impl Hook for SessionStart {
    const NAME: HookName = HookName::SessionStart;
    /// The answer is shown beside the first prompt line.
    const DEADLINE_MS: u32 = 2_000;
    /// Without the store there is nothing in the answer but the health line with its red: the one thing that must be said
    /// although it can't be recorded.
    const SPEAKS_UNRECORDED: bool = true;
    type Chore = StartWorker;

    fn plan(work: &Work<'_>, event: &Event) -> Option<Plan<StartWorker>> {
        let Event::SessionStart { context, source } = event else { return None };
        let limits = HealthLimits::default();
        let folder = folder_of(context.cwd.as_deref(), &work.project.root);
        let start = Start {
            context,
            source,
            now: work.call.started.1,
            offset: clock::local_offset(),
            folder: &folder,
            muted: work.muted,
            limits: &limits,
        };
        let mut known = Known::default();
        loop {
            match step(&start, &known) {
                Step::Ask(Query::View { session }) => known.gathered = Some(gather(work, &session)),
                Step::Ask(Query::Cited { records, within_us }) => {
                    known.cited = Some(verify(work, &records, within_us));
                }
                Step::Done(plan) => return Some(plan),
            }
        }
    }

    fn last_word(event: &Event) -> Option<HookOutput> {
        let Event::SessionStart { source, .. } = event else { return None };
        Some(last_word(source, clock::local_offset()))
    }

    fn carry_out(work: &Work<'_>, StartWorker: &StartWorker) {
        chore::start_worker(work);
    }
}

fn gather(work: &Work<'_>, session: &SessionId) -> Gathered {
    let store = work.store.as_ref().map_err(|why| *why);
    let view: StartEvidence = match &store {
        Ok(store) => seen(store.gather_start(session, MAX_RECORDS, MAX_THREADS)),
        Err(why) => Evidence::Missing(*why),
    };
    let configuration = Configuration::read(work.call.env, Some(&work.project.store_dir));
    if configuration.config.health.gate == Gate::Off {
        work.ledger.drop_last_word();
    }
    let health = (configuration.config.health.gate == Gate::On).then(|| {
        let server_time = health::server_time(&configuration.config);
        work.call.granted_ms.store(u64::try_from(server_time.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
        // Session files only: a list of documents costs a start of git.
        let look = health::Look {
            now: work.call.started.1,
            until: Some(work.call.started.0 + work.call.env.allow(CHECKS)),
            find_unread: ingest::find_unread_sessions,
            patience: Patience::Hook,
        };
        health::gather(work.project, work.call.env, &configuration, store, look)
    });
    let unread = store.is_ok_and(|store| store.is_extraction_left(PENDING_OF_SESSION).unwrap_or(false));
    Gathered { view, health, unread }
}

/// What became of what these records cite; nothing where the store can't say what that is.
fn verify(work: &Work<'_>, records: &[RecordId], within_us: u64) -> CitedStates {
    let cited = work.store.as_ref().ok().and_then(|store| store.anchors_of(records).ok()).unwrap_or_default();
    let key = |id: &RecordId| ItemId::new(id.as_str());
    let items = cited.iter().map(|(id, anchors)| (key(id), anchors.clone())).collect();
    let mut states = anchor::verify(&work.project.root, &AnchorQuery { items, within_us });
    let of = |(id, anchors): (RecordId, Vec<Anchor>)| {
        let states = states.remove(&key(&id)).unwrap_or_default();
        (id, anchors.into_iter().zip(states).collect())
    };
    cited.into_iter().map(of).collect()
}

/// A session's folder below the project, with `/`; empty where it is none. The host resolves links as little as a shell does.
fn folder_of(cwd: Option<&Path>, root: &Path) -> String {
    let below = |path: &Path| path.strip_prefix(root).ok().map(Path::to_owned);
    let folder = cwd.and_then(|cwd| below(cwd).or_else(|| below(&fs::canonicalize(cwd).ok()?)));
    let parts: Vec<_> =
        folder.iter().flat_map(|folder| folder.components()).map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_a_session_is_told_from_the_project_on_through_links_too() {
        let dir = tempfile::tempdir().unwrap();
        let base = fs::canonicalize(dir.path()).unwrap();
        let root = base.join("app");
        fs::create_dir_all(root.join("web/src")).unwrap();
        std::os::unix::fs::symlink(&root, base.join("link")).unwrap();
        let of = |path: &str| folder_of(Some(&base.join(path)), &root);
        assert_eq!(of("app/web/src"), "web/src");
        assert_eq!(of("link/web"), "web");
        for nowhere in ["app", "link", "", "elsewhere"] {
            assert_eq!(of(nowhere), "", "{nowhere}");
        }
        assert_eq!(folder_of(None, &root), "");
    }
}
