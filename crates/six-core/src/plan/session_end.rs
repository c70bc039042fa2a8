//! What happens at a session's end.
