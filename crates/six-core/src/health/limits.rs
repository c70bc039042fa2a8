//! Where green ends.

use super::DerivedKind;

/// The thresholds of the checks. A value exactly at its limit is still green.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthLimits {
    /// Free bytes below which the disk counts as full. 200 MiB: the store's journal and one rewrite of a middling store
    /// still fit.
    pub min_free_bytes: u64,
    /// Percent of the quota above which the store counts as near it: a tenth is left to act in.
    pub max_quota_percent: u64,
    /// Bytes of the journal above which something keeps it from being written back. The worker writes it back
    /// after every session, and a session writes a few MiB.
    pub max_wal_bytes: u64,
    /// Events that may wait in the spool for longer than one boundary. None: the worker, which every
    /// session's end starts, drains it.
    pub max_spool_stale: u64,
    /// Days of activity that the last full check may be old. The worker makes one a day, so 3 are three missed.
    pub max_full_check_days: u32,
    /// Days of activity that a changed file may wait. The worker catches up after every session,
    /// so 3 are no accident.
    pub max_ingest_lag_days: u32,
    /// Tries that a file may fail. Three cover a file that is being written or briefly locked.
    pub max_ingest_fails: u32,
    /// Percent of the texts to be embedded that must have their vector. A hundredth may be new, and is found by its words.
    pub min_vectors_percent: u64,
    /// Boundaries over which a run of embedding may stand still: the worker runs after every session, so more than two
    /// are more than one session without it.
    pub max_idle_boundaries: u32,
    /// Sessions that start after a hook failed until that is no news any more: each of these starts has told it, and of a
    /// hook that seldom has to run nothing else can show that it is well. [`super::HookSeen::STARTS_MAX`] at most.
    pub failure_starts: u64,
    /// What a hook may leave unanswered since its newest row before it counts as quiet. A person's reason for a refusal
    /// stands in the transcript like a prompt and calls no hook, so one or two prove nothing.
    pub max_unanswered: u64,
    /// Percent of the runs of a hook that looked something up which may have had to do with less.
    pub max_degraded_percent: u64,
    /// Degraded answers of a hook that are an accident whatever their share: of fewer than twenty answers two are more than a
    /// tenth, and a busy moment costs as many.
    pub max_degraded: u64,
    /// Percent of a hook's runs that may use their time up. A run that does is ended at its deadline, so that more than
    /// five in a hundred is a 95th percentile over the deadline; and unlike a difference of two clocks this says nothing
    /// wrong of a machine that slept.
    pub max_overrun_percent: u64,
    /// Runs that may use their time up whatever their share: at a few runs a percentage says nothing. More of them one after
    /// the other are none by chance either, of a hook that runs once in a session.
    pub max_overruns: u64,
    /// Milliseconds that a server's vector may take before it is told: one that has its model loaded takes a tenth of a
    /// second, so that beyond 2 s it has loaded it.
    pub max_warm_ms: u64,
    /// Candidates that may wait, of all kinds: about what one sitting of triage gets through.
    pub max_pending: u64,
    /// Days that the oldest candidate may wait: after three weeks nobody remembers what was meant.
    pub max_pending_days: u32,
    /// Lines of `MEMORY.md` that the host loads, observed at the client: what follows is cut off.
    pub max_index_lines: u64,
    /// UTF-16 units of `MEMORY.md` that the host loads, observed at the client.
    pub max_index_units: u64,
    /// Days of activity that the anchor of `MEMORY.md` may be old: who has worked on a project for more than a week of
    /// days has finished or begun something since.
    pub max_anchor_days: u32,
    /// UTF-16 units of a session start's block. The host gives a model the first 2 000 of what is longer than 10 000; the
    /// block keeps well below.
    pub max_block_units: u32,
    /// Days of activity that the project's state may be old: a fortnight's work changes what one would say of a project.
    pub max_project_state_days: u32,
    /// Days of activity that a code graph may be old: it holds longer, since names and calls change less than plans.
    pub max_code_graph_days: u32,
}

impl HealthLimits {
    /// Days of activity that this may be old.
    pub const fn max_derived_days(&self, kind: DerivedKind) -> u32 {
        match kind {
            DerivedKind::ProjectState => self.max_project_state_days,
            DerivedKind::CodeGraph => self.max_code_graph_days,
        }
    }
}

impl Default for HealthLimits {
    fn default() -> Self {
        Self {
            min_free_bytes: 200 * 1024 * 1024,
            max_quota_percent: 90,
            max_wal_bytes: 64 * 1024 * 1024,
            max_spool_stale: 0,
            max_full_check_days: 3,
            max_ingest_lag_days: 3,
            max_ingest_fails: 3,
            min_vectors_percent: 99,
            max_idle_boundaries: 2,
            failure_starts: 2,
            max_unanswered: 2,
            max_degraded_percent: 10,
            max_degraded: 2,
            max_overrun_percent: 5,
            max_overruns: 2,
            max_warm_ms: 2_000,
            max_pending: 40,
            max_pending_days: 21,
            max_index_lines: 200,
            max_index_units: 25_000,
            max_anchor_days: 7,
            max_block_units: 8_000,
            max_project_state_days: 14,
            max_code_graph_days: 21,
        }
    }
}
