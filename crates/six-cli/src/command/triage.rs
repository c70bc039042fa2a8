//! `six triage`

pub(crate) mod screen;
