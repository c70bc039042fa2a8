//! Silence that somebody asked for.

use super::{SessionId, UnixMs};

/// One silence: of a session, or of the whole project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mute {
    /// The session; `None` for all of the project's.
    pub session: Option<SessionId>,
    /// From when on.
    pub since: UnixMs,
    /// Until when; `None` until somebody ends it.
    pub until: Option<UnixMs>,
}
