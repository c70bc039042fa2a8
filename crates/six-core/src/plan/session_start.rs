//! What happens at a session's start.

use chrono::FixedOffset;

use super::choice::ANCHORS_WITHIN_US;
use super::{Plan, Step};
use crate::effect::{Effect, StartWorker};
use crate::event::{Context, HookOutput, StartSource};
use crate::health::{HealthEvidence, HealthLimits, HealthReport, judge_health};
use crate::record::{Boundary, Edge, Evidence, HookName, OutcomeKind, RecordId, SessionId, UnixMs, Why};
use crate::session::{CitedStates, Scene, StartEvidence, render_start, shown_records};
use crate::text::Redacted;

/// The start and what is known before anything is looked up.
#[derive(Debug)]
pub struct Start<'a> {
    /// Session, transcript.
    pub context: &'a Context,
    /// Why it starts. A sub-agent's own compaction comes as one of the main session: what was injected is shown once
    /// more, which does no harm.
    pub source: &'a StartSource,
    /// When it came.
    pub now: UnixMs,
    /// Where the person is, for dates.
    pub offset: FixedOffset,
    /// The session's folder, relative to the project; empty for the project itself, and where it is not known.
    pub folder: &'a str,
    /// Somebody has silenced six here: nothing is shown, so that nothing counts as shown.
    pub muted: bool,
    /// Thresholds of health in force.
    pub limits: &'a HealthLimits,
}

/// What has been looked up so far.
#[derive(Debug, Default)]
pub struct Known {
    /// What the store and the checks say; `None` until asked.
    pub gathered: Option<Gathered>,
    /// What became of what is about to be shown; `None` until asked.
    pub cited: Option<CitedStates>,
}

/// The answer to [`Query::View`].
#[derive(Debug)]
pub struct Gathered {
    /// What the store has to show.
    pub view: StartEvidence,
    /// What the checks look at; `None` where the gate is off.
    pub health: Option<HealthEvidence>,
    /// Whether something was said that was not read for candidates, and there is room for them.
    pub unread: bool,
}

/// What a step asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Query {
    /// The view of this session and the evidence of health, in one go.
    View {
        /// Whose last block is compared.
        session: SessionId,
    },
    /// What became of what these records cite.
    Cited {
        /// At most two sections of records.
        records: Vec<RecordId>,
        /// Microseconds that the look may take.
        within_us: u64,
    },
}

/// Asks for what there is to show, then for what became of the places that it cites, then shows.
pub fn step(start: &Start<'_>, known: &Known) -> Step<Query, StartWorker> {
    let Some(gathered) = &known.gathered else {
        return Step::Ask(Query::View { session: start.context.session_id.clone() });
    };
    if let (None, false, Evidence::Seen(view)) = (&known.cited, start.muted, &gathered.view) {
        let records = shown_records(start.source, start.folder, view);
        if !records.is_empty() {
            return Step::Ask(Query::Cited { records, within_us: ANCHORS_WITHIN_US });
        }
    }
    Step::Done(plan_start(start, gathered, known.cited.as_ref()))
}

fn plan_start(start: &Start<'_>, gathered: &Gathered, cited: Option<&CitedStates>) -> Plan<StartWorker> {
    let session = &start.context.session_id;
    let at = start.now;
    let health = match &gathered.health {
        Some(evidence) => judge_health(evidence, start.limits),
        None => HealthReport::off(),
    };
    let unseen = CitedStates::new();
    let scene = Scene {
        source: start.source,
        folder: start.folder,
        health: &health,
        offset: start.offset,
        cited: cited.unwrap_or(&unseen),
    };
    let rendered = render_start(scene, &gathered.view);

    let detail = source_word(start.source);
    let mut effects = vec![Effect::Boundary(Boundary { session: session.clone(), edge: Edge::Start, detail, at })];
    if !keeps_context(start.source) {
        effects.push(Effect::ForgetDeliveries { session: session.clone() });
    }
    let chores = if is_work_left(gathered) { vec![StartWorker] } else { Vec::new() };
    if let Some(evidence) = &gathered.health {
        effects.push(Effect::Judged { at, said: health.judged(evidence, start.limits) });
    }
    effects.push(ran(HookName::Gate, health.gate_end()));
    if start.muted {
        effects.push(ran(HookName::Render, (OutcomeKind::Skipped, "muted")));
        return Plan { chores, ..Plan::silent(effects) };
    }
    let output = say(rendered.context, rendered.system_message);
    let units = u32::try_from(rendered.units).unwrap_or(u32::MAX);
    effects.push(ran(HookName::Render, render_end(&output)));
    effects.push(Effect::Render {
        session: session.clone(),
        at,
        hash: rendered.hash,
        corpus: gathered.view.seen().map(|view| view.corpus.clone()).unwrap_or_default(),
        over: rendered.over,
        units,
        line: health.line(),
    });
    if !rendered.served.is_empty() {
        effects.push(Effect::Served { records: rendered.served, at });
    }
    Plan { output: Some(output), chores, ..Plan::silent(effects) }
}

/// How the render's row ends, with its class: what the model is not given was rendered for nobody. One that was silenced
/// leaves its row all the same, so that it is not missed.
fn render_end(output: &HookOutput) -> (OutcomeKind, &'static str) {
    if output.context().is_some() { (OutcomeKind::Ok, "") } else { (OutcomeKind::Failed, "too-long") }
}

/// What is said of a start whose checks, or the store, did not come to an end: the health line is never lost.
pub fn last_word(source: &StartSource, offset: FixedOffset) -> HookOutput {
    let (health, cited) = (HealthReport::overrun(), CitedStates::new());
    let scene = Scene { source, folder: "", health: &health, offset, cited: &cited };
    let rendered = render_start(scene, &Evidence::Missing(Why::OutOfTime));
    say(rendered.context, rendered.system_message)
}

/// The row of a part.
fn ran(part: HookName, (kind, class): (OutcomeKind, &'static str)) -> Effect {
    Effect::Ran { part, kind, class: Redacted::literal(class) }
}

/// The render keeps far below the host's limit; a text that did not would be cut by the host to a preview, so it is left
/// out and only the person is told.
fn say(context: String, system_message: String) -> HookOutput {
    let output = HookOutput::session_start();
    output.clone().with_context(context).unwrap_or(output).with_system_message(system_message)
}

/// Whether what was injected before is still in the conversation.
const fn keeps_context(source: &StartSource) -> bool {
    matches!(source, StartSource::Resume | StartSource::Fork)
}

/// A word that this version does not know is not stored: it has not passed redaction.
fn source_word(source: &StartSource) -> Redacted {
    Redacted::literal(match source {
        StartSource::Startup => "startup",
        StartSource::Resume => "resume",
        StartSource::Clear => "clear",
        StartSource::Compact => "compact",
        StartSource::Fork => "fork",
        StartSource::Other(_) => "unknown",
    })
}

/// What the worker is for: an older schema, events in the spool, files that changed, texts without a vector, messages that
/// were not read for candidates, stories that are stale, the daily full check. Where no check looked the worker looks itself.
fn is_work_left(Gathered { health, unread, view }: &Gathered) -> bool {
    let Some(health) = health else {
        return matches!(view, Evidence::Seen(_) | Evidence::Missing(Why::OlderSchema));
    };
    let older = matches!(health.store, Evidence::Missing(Why::OlderSchema));
    let in_store = health.store.seen().is_some_and(|store| {
        let checked = store.full_check.as_ref().map(|check| check.at);
        let check_due = store.bodies > 0 && checked.is_none_or(|at| health.now.days_since(at) >= 1);
        store.spool > 0 || check_due
    });
    let behind = health.ingest.seen().is_some_and(|ingest| !ingest.lags.is_empty());
    let unembedded = health.vectors.seen().is_some_and(|vectors| vectors.embedded < vectors.eligible);
    let stale = health.lineage.seen().is_some_and(|lineage| !lineage.stale.is_empty());
    older || in_store || behind || unembedded || *unread || stale
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::CONTEXT_LIMIT_UNITS;
    use crate::health::sample::{NOW, days_ago, sound, without_store};
    use crate::health::{CheckName, FileLag};
    use crate::record::{EntryKind, Origin};
    use crate::session::{CorrectionView, RecordView, StartView};

    fn context() -> Context {
        Context {
            session_id: SessionId::new("s-1"),
            transcript_path: None,
            cwd: None,
            prompt_id: None,
            agent: None,
            permission_mode: None,
        }
    }

    fn view() -> StartView {
        let record = RecordView {
            id: RecordId::new("c0000001"),
            kind: EntryKind::Correction,
            title: "Use tabs".into(),
            body: String::new(),
            origin: Origin::Operator,
            written_by: String::new(),
            scope: String::new(),
            revive_if: String::new(),
            created: days_ago(1),
        };
        let correction = CorrectionView { record, served: None, times: 0, said_again: None };
        StartView { corrections: vec![correction], chunks: 1, ..StartView::default() }
    }

    fn next(source: &StartSource, known: &Known) -> Step<Query, StartWorker> {
        next_muted(source, known, false)
    }

    fn next_muted(source: &StartSource, known: &Known, muted: bool) -> Step<Query, StartWorker> {
        let context = context();
        let limits = HealthLimits::default();
        let offset = FixedOffset::east_opt(0).unwrap();
        step(&Start { context: &context, source, now: NOW, offset, folder: "", muted, limits: &limits }, known)
    }

    fn planned(source: &StartSource, view: StartEvidence, health: HealthEvidence) -> Plan<StartWorker> {
        let gathered = Gathered { view, health: Some(health), unread: false };
        match next(source, &Known { gathered: Some(gathered), cited: Some(CitedStates::new()) }) {
            Step::Done(plan) => plan,
            Step::Ask(query) => panic!("{query:?}"),
        }
    }

    /// How the row of a part ends, with its class.
    fn row(plan: &Plan<StartWorker>, wanted: HookName) -> Option<(OutcomeKind, &str)> {
        plan.effects.iter().find_map(|effect| match effect {
            Effect::Ran { part, kind, class, .. } if *part == wanted => Some((*kind, class.as_str())),
            _ => None,
        })
    }

    fn forgets(source: &StartSource) -> bool {
        let plan = planned(source, Evidence::Seen(view()), sound());
        plan.effects.contains(&Effect::ForgetDeliveries { session: SessionId::new("s-1") })
    }

    #[test]
    fn it_asks_for_its_own_session_and_then_for_what_became_of_what_it_is_going_to_show() {
        let session = SessionId::new("s-1");
        assert_eq!(next(&StartSource::Startup, &Known::default()), Step::Ask(Query::View { session }));
        let known =
            |view| Known { gathered: Some(Gathered { view, health: Some(sound()), unread: false }), cited: None };
        let cited = Query::Cited { records: vec![RecordId::new("c0000001")], within_us: ANCHORS_WITHIN_US };
        assert_eq!(next(&StartSource::Startup, &known(Evidence::Seen(view()))), Step::Ask(cited));
        for nothing in [Evidence::Seen(StartView::default()), Evidence::Missing(Why::NoStore)] {
            assert!(matches!(next(&StartSource::Startup, &known(nothing)), Step::Done(_)));
        }
    }

    #[test]
    fn a_start_is_recorded_with_what_was_shown() {
        let plan = planned(&StartSource::Startup, Evidence::Seen(view()), sound());
        let [
            Effect::Boundary(boundary),
            Effect::ForgetDeliveries { .. },
            Effect::Judged { said, .. },
            Effect::Ran { part: HookName::Gate, kind: OutcomeKind::Ok, .. },
            Effect::Ran { part: HookName::Render, .. },
            Effect::Render { hash, units, line, .. },
            Effect::Served { records, at },
        ] = plan.effects.as_slice()
        else {
            panic!("{:?}", plan.effects)
        };
        assert_eq!((boundary.edge, boundary.detail.as_str(), boundary.at), (Edge::Start, "startup", NOW));
        assert!(said.len() == CheckName::ALL.len() && said.iter().all(|judged| judged.fault.is_none()), "{said:?}");
        assert_eq!((hash.len(), line.as_str()), (64, "MEMORY-HEALTH: 11/11 GREEN"));
        assert_eq!((records.as_slice(), *at), ([RecordId::new("c0000001")].as_slice(), NOW));
        let output = plan.output.unwrap();
        assert_eq!(Some(usize::try_from(*units).unwrap()), output.context().map(|text| text.encode_utf16().count()));
        assert!(output.render().contains(r#""systemMessage":"six: MEMORY-HEALTH: 11/11 GREEN"#), "{}", output.render());
        assert_eq!(plan.chores, []);
    }

    #[test]
    fn a_muted_start_shows_nothing_and_nothing_counts_as_shown() {
        let mut health = sound();
        let Evidence::Seen(store) = &mut health.store else { panic!() };
        store.full_check = None;
        let gathered = Gathered { view: Evidence::Seen(view()), health: Some(health), unread: false };
        let known = Known { gathered: Some(gathered), cited: None };
        let Step::Done(plan) = next_muted(&StartSource::Startup, &known, true) else { panic!() };
        assert_eq!(plan.output, None);
        let [
            Effect::Boundary(_),
            Effect::ForgetDeliveries { .. },
            Effect::Judged { .. },
            Effect::Ran { part: HookName::Gate, .. },
            Effect::Ran { part: HookName::Render, kind: OutcomeKind::Skipped, .. },
        ] = plan.effects.as_slice()
        else {
            panic!("{:?}", plan.effects)
        };
        assert_eq!(plan.chores, [StartWorker], "the work goes on");
    }

    #[test]
    fn a_start_that_came_to_no_end_has_its_line_and_one_red() {
        let said = last_word(&StartSource::Startup, FixedOffset::east_opt(0).unwrap());
        insta::assert_snapshot!(said.context().unwrap_or_default(), @r"
        <six-memory>
        MEMORY-HEALTH: 0/11 GREEN (11 RED)
          RED store: no check came to an end in time (blocks ingest, vectors, embedding, heartbeats, queue, lineage, memory_files, constitution, render, derived)  FIX: six health
        </six-memory>
        ");
        assert!(said.render().contains(r#""systemMessage":"six: MEMORY-HEALTH: 0/11 GREEN (11 RED) store"#));
    }

    #[test]
    fn a_gate_that_could_not_look_leaves_a_row_that_says_so() {
        let health = HealthEvidence { queue: Evidence::Missing(Why::OutOfTime), ..sound() };
        let plan = planned(&StartSource::Startup, Evidence::Seen(view()), health);
        assert_eq!(row(&plan, HookName::Gate), Some((OutcomeKind::Ok, "degraded")));
    }

    #[test]
    fn a_block_that_the_model_is_not_given_leaves_a_row_that_failed() {
        let fits = say("a".repeat(CONTEXT_LIMIT_UNITS), "six".into());
        let too_long = say("a".repeat(CONTEXT_LIMIT_UNITS + 1), "six".into());
        assert_eq!(render_end(&fits), (OutcomeKind::Ok, ""));
        assert_eq!(render_end(&too_long), (OutcomeKind::Failed, "too-long"));
        assert!(too_long.render().contains("six"), "the person is told");
    }

    #[test]
    fn a_gate_that_is_off_is_said_and_leaves_a_row_and_the_worker_looks_for_itself() {
        let plan = |view| {
            let known = Known {
                gathered: Some(Gathered { view, health: None, unread: false }),
                cited: Some(CitedStates::new()),
            };
            let Step::Done(plan) = next(&StartSource::Startup, &known) else { panic!() };
            plan
        };
        let off = plan(Evidence::Seen(view()));
        let said = off.output.as_ref().unwrap().render();
        assert!(said.contains(r#""systemMessage":"six: MEMORY-HEALTH: off (ablation)"#), "{said}");
        assert!(said.contains("<six-memory>\\nMEMORY-HEALTH: off (ablation)\\n"), "{said}");
        assert_eq!(row(&off, HookName::Gate), Some((OutcomeKind::Skipped, "off")));
        assert!(!off.effects.iter().any(|effect| matches!(effect, Effect::Judged { .. })), "nothing was judged");
        assert_eq!(off.chores, [StartWorker]);
        assert_eq!(plan(Evidence::Missing(Why::OlderSchema)).chores, [StartWorker]);
        assert_eq!(plan(Evidence::Missing(Why::Corrupt)).chores, []);
    }

    #[test]
    fn counts_begin_again_where_the_context_is_gone() {
        for source in [StartSource::Startup, StartSource::Clear, StartSource::Compact, StartSource::Other("x".into())] {
            assert!(forgets(&source), "{source:?}");
        }
        for source in [StartSource::Resume, StartSource::Fork] {
            assert!(!forgets(&source), "{source:?}");
        }
    }

    #[test]
    fn an_unknown_source_shows_all_and_its_word_is_not_stored() {
        let plan = planned(&StartSource::Other("sk-not-a-word".into()), Evidence::Seen(view()), sound());
        assert_eq!(plan.output, planned(&StartSource::Startup, Evidence::Seen(view()), sound()).output);
        let Some(Effect::Boundary(boundary)) = plan.effects.first() else { panic!() };
        assert_eq!(boundary.detail.as_str(), "unknown");
    }

    #[test]
    fn an_older_schema_is_said_and_left_to_the_worker() {
        let why = Why::OlderSchema;
        let plan = planned(&StartSource::Startup, Evidence::Missing(why), without_store(why));
        let said = plan.output.unwrap().render();
        assert!(said.contains("RED store: the store has an older schema"), "{said}");
        assert_eq!(plan.chores, [StartWorker]);
    }

    #[test]
    fn the_worker_is_started_for_what_is_left_and_for_nothing_else() {
        let chores = |spoil: fn(&mut HealthEvidence)| {
            let mut health = sound();
            spoil(&mut health);
            planned(&StartSource::Startup, Evidence::Seen(view()), health).chores
        };
        assert_eq!(chores(|_| ()), []);
        let lag = |health: &mut HealthEvidence| {
            let Evidence::Seen(ingest) = &mut health.ingest else { panic!() };
            ingest.lags = vec![FileLag { path: "a.md".into(), changed: NOW, bytes_behind: 1 }];
        };
        let spool = |health: &mut HealthEvidence| {
            let Evidence::Seen(store) = &mut health.store else { panic!() };
            store.spool = 1;
        };
        let check_due = |health: &mut HealthEvidence| {
            let Evidence::Seen(store) = &mut health.store else { panic!() };
            store.full_check = None;
        };
        let unembedded = |health: &mut HealthEvidence| {
            let Evidence::Seen(vectors) = &mut health.vectors else { panic!() };
            vectors.embedded -= 1;
        };
        let stale = |health: &mut HealthEvidence| {
            let Evidence::Seen(lineage) = &mut health.lineage else { panic!() };
            lineage.stale = vec!["Job queue".into()];
        };
        for spoil in [lag, spool, check_due, unembedded, stale] {
            assert_eq!(chores(spoil), [StartWorker]);
        }
        let gathered = Gathered { view: Evidence::Seen(view()), health: Some(sound()), unread: true };
        let known = Known { gathered: Some(gathered), cited: Some(CitedStates::new()) };
        let Step::Done(unread) = next(&StartSource::Startup, &known) else { panic!() };
        assert_eq!(unread.chores, [StartWorker], "what was said in a session that was killed");
        let damaged = planned(&StartSource::Startup, Evidence::Missing(Why::Corrupt), without_store(Why::Corrupt));
        assert_eq!(damaged.chores, [], "a worker can't help a damaged file");
    }
}
