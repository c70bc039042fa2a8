//! Evidence of a project in good health, for tests to spoil.

use super::{
    ActiveDays, ConstitutionEvidence, DerivedEvidence, EmbeddingEvidence, FullCheck, HealthEvidence, HookSeen,
    IngestEvidence, LineageEvidence, MemoryFilesEvidence, NewestRow, NoEmbedding, QueueEvidence, RenderEvidence,
    StoreEvidence, VectorProbe, VectorsEvidence, Wiring,
};
use crate::record::{Evidence, Family, HookName, UnixMs, Why};

/// Noon of the day that tests happen on.
pub(crate) const NOW: UnixMs = UnixMs(1_773_489_600_000);

/// `days` before [`NOW`].
pub(crate) const fn days_ago(days: i64) -> UnixMs {
    UnixMs(NOW.0 - days * UnixMs::DAY_MS)
}

/// All is well.
pub(crate) fn sound() -> HealthEvidence {
    HealthEvidence {
        now: NOW,
        project: "/home/sam/app".into(),
        store_file: "/home/sam/.six/app/store.db".into(),
        newest_backup: None,
        first_run: false,
        store: Evidence::Seen(StoreEvidence {
            bodies: 400,
            index_rows: 400,
            counted: 400,
            sample_found: Some(true),
            full_check: Some(FullCheck { at: NOW, clean: true, active_days_ago: ActiveDays::default() }),
            active_days: ActiveDays::default(),
            slow_journal_on: None,
            modes: Some((0o600, 0o700)),
            free_bytes: 10 << 30,
            size_bytes: 8 << 20,
            wal_bytes: 1 << 20,
            quota_bytes: 1 << 30,
            spool_stale: 0,
            spool_oldest: None,
            spool: 0,
            config_fault: None,
        }),
        ingest: Evidence::Seen(IngestEvidence {
            lags: Vec::new(),
            failing: Vec::new(),
            active_days_behind: ActiveDays::default(),
            last_run: Some(NOW),
        }),
        vectors: Evidence::Seen(VectorsEvidence {
            eligible: 400,
            embedded: 400,
            probe: VectorProbe::Found,
            ..VectorsEvidence::default()
        }),
        hooks: Evidence::Seen(HookName::ALL.map(hook).to_vec()),
        unseen_sessions: Evidence::Seen(Vec::new()),
        stayed: Vec::new(),
        queue: Evidence::Seen(QueueEvidence { pending: 3, oldest: Some(days_ago(2)), crowded: None }),
        lineage: Evidence::Seen(LineageEvidence { told: 2, stale: Vec::new() }),
        embedding: Evidence::Seen(EmbeddingEvidence::sound()),
        memory_files: Evidence::Seen(MemoryFilesEvidence::sound()),
        constitution: Evidence::Seen(ConstitutionEvidence::sound()),
        render: Evidence::Seen(RenderEvidence::sound()),
        derived: Evidence::Seen(DerivedEvidence::sound()),
    }
}

/// A hook that did what it should.
pub(crate) fn hook(hook: HookName) -> HookSeen {
    HookSeen {
        wired: hook.is_started_by_host().then_some(Wiring::Sound),
        newest: Some(NewestRow { started: NOW, family: Family::Ok }),
        due: 1,
        called: 1,
        ..HookSeen::unseen(hook)
    }
}

/// Just installed: no session has ended, nothing was seen.
pub(crate) fn fresh() -> HealthEvidence {
    let mut evidence = sound();
    evidence.first_run = true;
    evidence.queue = Evidence::Seen(QueueEvidence { pending: 0, oldest: None, crowded: None });
    evidence.vectors = Evidence::Seen(VectorsEvidence::default());
    evidence.lineage = Evidence::Seen(LineageEvidence::default());
    evidence.render = Evidence::Seen(RenderEvidence::default());
    if let Evidence::Seen(store) = &mut evidence.store {
        (store.bodies, store.index_rows, store.counted) = (0, 0, 0);
        (store.sample_found, store.full_check) = (None, None);
    }
    if let Evidence::Seen(ingest) = &mut evidence.ingest {
        ingest.last_run = None;
    }
    if let Evidence::Seen(hooks) = &mut evidence.hooks {
        for hook in hooks {
            (hook.newest, hook.due, hook.called) = (None, 0, 0);
        }
    }
    evidence
}

/// The store can't be used, and nothing that comes out of it either.
pub(crate) fn without_store(why: Why) -> HealthEvidence {
    HealthEvidence {
        store: Evidence::Missing(why),
        ingest: Evidence::Missing(why),
        vectors: Evidence::Missing(why),
        hooks: Evidence::Missing(why),
        unseen_sessions: Evidence::Missing(why),
        stayed: Vec::new(),
        queue: Evidence::Missing(why),
        lineage: Evidence::Missing(why),
        render: Evidence::Missing(why),
        ..sound()
    }
}

/// Every reason for which something can't be seen.
pub(crate) const WHYS: [Why; 11] = [
    Why::NoStore,
    Why::Busy,
    Why::ReadOnly,
    Why::Full,
    Why::Corrupt,
    Why::NotOurs,
    Why::OlderSchema,
    Why::NewerSchema,
    Why::OutOfTime,
    Why::Unreadable,
    Why::Failed,
];

/// Every way in which no vector is made.
pub(crate) fn failures() -> [NoEmbedding; 12] {
    [
        NoEmbedding::Unreachable,
        NoEmbedding::NotOllama,
        NoEmbedding::ModelMissing("plain:latest".into()),
        NoEmbedding::Wedged,
        NoEmbedding::WrongWidth,
        NoEmbedding::ImpossibleFallback { to_pull: Some("other:latest".into()) },
        NoEmbedding::ImpossibleFallback { to_pull: None },
        NoEmbedding::EndpointRefused,
        NoEmbedding::NameRefused,
        NoEmbedding::BadAnswer,
        NoEmbedding::Broken,
        NoEmbedding::Unsupported,
    ]
}
