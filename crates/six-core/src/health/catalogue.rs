//! Every red that the checks can say, with the fix of each: `six` parses these in its own tests.

use std::collections::BTreeSet;

use super::sample::{NOW, WHYS, days_ago, failures, sound, without_store};
use super::{
    ActiveDays, Arrival, BlockSize, DerivedFound, DerivedKind, DerivedOutput, EmbeddingEvidence, EmbeddingOutcome,
    Fault, FileFailing, FileLag, FullCheck, HealthEvidence, HealthLimits, IndexRead, IndexSeen, MemoryFilesEvidence,
    NewestRow, QueueEvidence, Runs, Untrue, UntrueRule, VectorProbe, Wiring, judge_health,
};
use crate::config::EmbedProvider;
use crate::ingest::FrontMatterFault;
use crate::record::{Evidence, Family, SessionId, Why};

/// Evidence of which something is wrong, in every way that has a fault or a fix of its own.
#[derive(Default)]
struct Spoiled(Vec<HealthEvidence>);

macro_rules! spoil {
    ($all:ident, $part:ident, $seen:ident, $change:expr) => {{
        let mut evidence = sound();
        let Evidence::Seen($seen) = &mut evidence.$part else { panic!("{}", stringify!($part)) };
        $change;
        $all.0.push(evidence);
    }};
}

impl Spoiled {
    fn all() -> Self {
        let mut all = Self::default();
        all.unusable();
        all.store();
        all.sources();
        all.embedding();
        all.hooks();
        all.memory_files();
        all.standing_rules();
        all.render_and_derived();
        all
    }

    fn unusable(&mut self) {
        self.0.extend(WHYS.map(without_store));
        let newest_backup = Some("memory-20260314-120000.db".to_owned());
        let backed_up = |why| HealthEvidence { newest_backup: newest_backup.clone(), ..without_store(why) };
        self.0.extend([Why::NoStore, Why::NotOurs].map(backed_up));
        self.0.extend(WHYS.map(|why| HealthEvidence { ingest: Evidence::Missing(why), ..sound() }));
        self.0.extend(WHYS.map(|why| HealthEvidence { derived: Evidence::Missing(why), ..sound() }));
    }

    fn store(&mut self) {
        let check =
            |clean, days| Some(FullCheck { at: days_ago(9), clean, active_days_ago: ActiveDays::until_today(days) });
        spoil!(self, store, s, s.full_check = check(false, 1));
        spoil!(self, store, s, s.full_check = check(true, 9));
        spoil!(self, store, s, s.counted = 1);
        spoil!(self, store, s, s.sample_found = Some(false));
        spoil!(self, store, s, s.modes = Some((0o644, 0o755)));
        spoil!(self, store, s, s.free_bytes = 0);
        spoil!(self, store, s, s.size_bytes = u64::MAX);
        spoil!(self, store, s, s.config_fault = Some("config.json: no object".into()));
        spoil!(self, store, s, s.wal_bytes = u64::MAX);
        spoil!(self, store, s, s.spool_stale = 1);
    }

    fn sources(&mut self) {
        let failing = || vec![FileFailing { path: "a.md".into(), fails: 9, error: "no UTF-8".into() }];
        let lags = || vec![FileLag { path: "a.md".into(), changed: days_ago(9), bytes_behind: 1 }];
        spoil!(self, ingest, i, i.failing = failing());
        spoil!(self, ingest, i, (i.lags, i.active_days_behind) = (lags(), ActiveDays::until_today(9)));
        spoil!(self, vectors, v, v.lost = 400);
        spoil!(self, vectors, v, (v.embedded, v.idle_boundaries) = (0, 9));
        spoil!(self, vectors, v, v.orphans = 1);
        spoil!(self, vectors, v, v.probe = VectorProbe::NotFound);
        spoil!(self, vectors, v, v.probe = VectorProbe::NoQuery);
        let queue = QueueEvidence { pending: 47, oldest: Some(days_ago(12)), crowded: None };
        spoil!(self, queue, q, *q = queue);
        spoil!(self, lineage, l, l.stale = vec!["Retry policy".into()]);
    }

    fn embedding(&mut self) {
        for why in failures() {
            let outcome = EmbeddingOutcome::Failed { why, said: String::new() };
            spoil!(self, embedding, e, *e = EmbeddingEvidence { provider: EmbedProvider::Ollama, outcome });
        }
    }

    fn hooks(&mut self) {
        let program = || "/opt/my six/six-stop".to_owned();
        for wiring in [
            Wiring::Absent,
            Wiring::Off { file: "/home/sam/.claude/settings.json".into() },
            Wiring::NotExecutable { program: program() },
            Wiring::Gone { program: program() },
            Wiring::Elsewhere { program: program() },
        ] {
            spoil!(self, hooks, h, h[0].wired = Some(wiring));
        }
        spoil!(self, hooks, h, h[0].newest = Some(NewestRow { started: days_ago(1), family: Family::Crash }));
        spoil!(self, hooks, h, h[0].called = 0);
        spoil!(self, hooks, h, h[7].called = 0);
        spoil!(self, hooks, h, h[1].unanswered = 20);
        spoil!(self, hooks, h, h[1].runs = Runs { answered: 9, unaccounted: 1, ..Runs::default() });
        spoil!(self, hooks, h, h[1].runs = Runs { ended: 9, overran: 9, ..Runs::default() });
        spoil!(self, hooks, h, h[1].runs = Runs { looked: 9, degraded: 9, ..Runs::default() });
        spoil!(self, unseen_sessions, u, u.push(SessionId::new("s")));
    }

    fn memory_files(&mut self) {
        let long = |index: &mut IndexRead| index.lines = 201;
        let linked = |index: &mut IndexRead| index.broken = vec![(3, "gone.md".into())];
        let lost = |index: &mut IndexRead| index.anchor = None;
        let old = |index: &mut IndexRead| {
            index.anchor.as_mut().unwrap().active_days = Some(ActiveDays::until_today(9));
        };
        for change in [long, linked, lost, old] {
            spoil!(self, memory_files, m, {
                let MemoryFilesEvidence::Seen(folder) = m else { panic!("{m:?}") };
                let Some(IndexSeen::Read(index)) = &mut folder.index else { panic!("{folder:?}") };
                change(index);
            });
        }
        for n in 0..4 {
            spoil!(self, memory_files, m, {
                let MemoryFilesEvidence::Seen(folder) = m else { panic!("{m:?}") };
                match n {
                    0 => folder.conflicts = vec![("a `b`.md".into(), 3)],
                    1 => folder.unreadable_fronts = vec![("a.md".into(), FrontMatterFault::Unclosed)],
                    2 => folder.orphans = vec!["a.md".into()],
                    _ => folder.index = Some(IndexSeen::TooLarge { bytes: 9_000_000 }),
                }
            });
        }
    }

    fn standing_rules(&mut self) {
        let name = || "x".to_owned();
        for what in [
            Untrue::Term(name()),
            Untrue::Slot(name()),
            Untrue::Path(name()),
            Untrue::Script(name()),
            Untrue::Target(name()),
            Untrue::Recipe(name()),
        ] {
            spoil!(self, constitution, c, c.untrue = vec![UntrueRule { file: "CLAUDE.md".into(), line: 3, what }]);
        }
    }

    fn render_and_derived(&mut self) {
        spoil!(self, render, r, r.arrival = r.arrival.take().map(|it| Arrival { arrived: false, ..it }));
        spoil!(self, render, r, r.newest = Some(BlockSize { at: NOW, units: 9_000, over: String::new() }));
        spoil!(self, render, r, r.newest = Some(BlockSize { at: NOW, units: 900, over: "rest 700 of 600".into() }));
        spoil!(self, render, r, r.whole[0].corpus = "moved".into());
        let old = DerivedFound::Written { at: days_ago(90), active_days_ago: Some(ActiveDays::until_today(90)) };
        for found in [DerivedFound::Missing, DerivedFound::Unreadable, DerivedFound::Empty, old] {
            for kind in [DerivedKind::ProjectState, DerivedKind::CodeGraph] {
                let output = DerivedOutput { kind, path: "out".into(), found: found.clone() };
                spoil!(self, derived, d, d.outputs = vec![output]);
            }
        }
    }
}

/// The names of all faults, as their reader knows them.
fn fault_names() -> BTreeSet<String> {
    let refused = serde_json::from_str::<Fault>("\"?\"").unwrap_err().to_string();
    let known = refused.split_once("expected").unwrap().1;
    known.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_fault_that_there_is_has_a_fix_that_a_person_can_read() {
    let mut fixes = BTreeSet::new();
    let mut faults = BTreeSet::new();
    for mut evidence in Spoiled::all().0 {
        evidence.project = "/home/sam/My App".into();
        evidence.store_file = "/home/sam/.six/My App/memory.db".into();
        let report = judge_health(&evidence, &HealthLimits::default()).to_json();
        let reds = || report["checks"].as_array().unwrap().iter().filter(|check| check["verdict"] == "red");
        assert!(reds().count() > 0, "{evidence:?}");
        for red in reds() {
            let text = |field: &str| red[field].as_str().unwrap_or_else(|| panic!("no {field}: {red}"));
            faults.insert(text("fault").to_owned());
            fixes.insert(format!("{} {}: {}", text("check"), text("fault"), text("fix")));
        }
    }
    assert_eq!(faults, fault_names());
    insta::assert_snapshot!(fixes.into_iter().collect::<Vec<_>>().join("\n"));
}
