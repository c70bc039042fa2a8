//! What a report asks of the store, with what only the machine knows.

use six_core::record::UnixMs;
use six_store::{HookDays, Store, StoreError};

use crate::health::watching;

/// The hooks in a window: from its first time on, before its second.
pub fn gather_hook_days(store: &Store, window: (UnixMs, UnixMs), now: UnixMs) -> Result<HookDays, StoreError> {
    watching(now, |watch| store.gather_hook_days(window, watch))
}
