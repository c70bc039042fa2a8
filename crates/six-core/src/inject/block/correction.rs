//! A standing correction: the rule, where it holds, who set it and when.

use chrono::FixedOffset;

use super::item::{BODY_UNITS, PATH_UNITS, TITLE_UNITS, quoted, source};
use crate::inject::Candidate;

pub(super) fn lines(candidate: &Candidate, offset: FixedOffset) -> Vec<String> {
    let mut lines = vec![quoted(&candidate.title, TITLE_UNITS)];
    if !candidate.body.trim().is_empty() {
        lines.push(format!("   why: {}", quoted(&candidate.body, BODY_UNITS)));
    }
    if !candidate.scope.trim().is_empty() {
        lines.push(format!("   holds for: {}", quoted(&candidate.scope, PATH_UNITS)));
    }
    lines.push(source(candidate, offset));
    lines
}
