//! The named moments at which a test kills a process, to see that nothing is lost and nothing is there twice.
//!
//! A build without debug assertions has none of it: what is released can't be told to end itself.

/// Between two steps, the first of which is on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KillPoint {
    /// A file of ours is written under a temporary name.
    FileUnnamed,
    /// A store is made and has no name yet.
    CreateUnnamed,
    /// A hook has left its first row.
    HookOpened,
    /// A hook's rows are written and not committed.
    HookInTransaction,
    /// A hook's rows are recorded, its answer is not printed.
    HookRecorded,
    /// A hook has answered, its row has no end.
    HookPrinted,
    /// An event lies in the spool as far as it got, and as far as it had got before.
    SpoolWritten,
    /// An event of the spool is in the store, its file is still there.
    SpoolReplayed,
    /// A batch of an ingest is written and not committed.
    IngestInTransaction,
    /// A batch of an ingest is committed.
    IngestCommitted,
    /// The copy before a migration is made and not checked.
    MigrateCopied,
    /// The copy before a migration has its name.
    MigrateBackedUp,
    /// A step of a migration is written and not committed.
    MigrateInTransaction,
    /// A step of a migration is committed.
    MigrateStepped,
    /// A copy that was asked for is made and not checked.
    BackupCopied,
    /// A copy that was asked for is checked and has no name yet.
    BackupChecked,
    /// The new file of a repair is made and checked.
    RepairBuilt,
    /// The store of a backup is made and checked.
    RestoreBuilt,
    /// The old file of a store has a second name.
    SwapOldKept,
    /// The journal of the old file has gone with it, its other file not.
    SwapJournalMoved,
    /// The new file has the store's name.
    SwapDone,
    /// A project has its identity.
    InstallEnrolled,
    /// What an install will write is in the manifest.
    InstallRecorded,
    /// An install has written a file.
    InstallWritten,
    /// A worker has left its first row.
    WorkerOpened,
    /// A worker has read what was queued, which is queued still.
    WorkerIngested,
    /// A worker has done everything, its row has no end.
    WorkerDone,
}

impl KillPoint {
    /// All of them.
    pub const ALL: [Self; 27] = [
        Self::FileUnnamed,
        Self::CreateUnnamed,
        Self::HookOpened,
        Self::HookInTransaction,
        Self::HookRecorded,
        Self::HookPrinted,
        Self::SpoolWritten,
        Self::SpoolReplayed,
        Self::IngestInTransaction,
        Self::IngestCommitted,
        Self::MigrateCopied,
        Self::MigrateBackedUp,
        Self::MigrateInTransaction,
        Self::MigrateStepped,
        Self::BackupCopied,
        Self::BackupChecked,
        Self::RepairBuilt,
        Self::RestoreBuilt,
        Self::SwapOldKept,
        Self::SwapJournalMoved,
        Self::SwapDone,
        Self::InstallEnrolled,
        Self::InstallRecorded,
        Self::InstallWritten,
        Self::WorkerOpened,
        Self::WorkerIngested,
        Self::WorkerDone,
    ];

    /// What `SIX_KILL_AT` calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FileUnnamed => "file.unnamed",
            Self::CreateUnnamed => "create.unnamed",
            Self::HookOpened => "hook.opened",
            Self::HookInTransaction => "hook.in-transaction",
            Self::HookRecorded => "hook.recorded",
            Self::HookPrinted => "hook.printed",
            Self::SpoolWritten => "spool.written",
            Self::SpoolReplayed => "spool.replayed",
            Self::IngestInTransaction => "ingest.in-transaction",
            Self::IngestCommitted => "ingest.committed",
            Self::MigrateCopied => "migrate.copied",
            Self::MigrateBackedUp => "migrate.backed-up",
            Self::MigrateInTransaction => "migrate.in-transaction",
            Self::MigrateStepped => "migrate.stepped",
            Self::BackupCopied => "backup.copied",
            Self::BackupChecked => "backup.checked",
            Self::RepairBuilt => "repair.built",
            Self::RestoreBuilt => "restore.built",
            Self::SwapOldKept => "swap.old-kept",
            Self::SwapJournalMoved => "swap.journal-moved",
            Self::SwapDone => "swap.done",
            Self::InstallEnrolled => "install.enrolled",
            Self::InstallRecorded => "install.recorded",
            Self::InstallWritten => "install.written",
            Self::WorkerOpened => "worker.opened",
            Self::WorkerIngested => "worker.ingested",
            Self::WorkerDone => "worker.done",
        }
    }

    /// Ends this process as SIGKILL does, where `SIX_KILL_AT` names this point and the build has debug assertions.
    #[inline]
    pub fn reach(self) {
        #[cfg(debug_assertions)]
        if std::env::var_os("SIX_KILL_AT").is_some_and(|name| name == self.name()) {
            die();
        }
    }
}

#[cfg(debug_assertions)]
fn die() -> ! {
    #[cfg(unix)]
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    std::process::abort()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_has_a_name_of_its_own() {
        let mut names = KillPoint::ALL.map(KillPoint::name).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), KillPoint::ALL.len());
    }
}
