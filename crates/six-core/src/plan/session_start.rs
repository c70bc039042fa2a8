//! What happens at a session's start.
