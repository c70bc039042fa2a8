use std::borrow::Cow;
use std::ops::Range;

use super::bare::{bare_keys, bot_tokens};
use super::prefilter::{hits_at, next_candidate};
use super::private::private_ranges;
use super::redacted::Redacted;
use crate::text::cut::{floor_char_boundary, strip_control};

/// Version of the rules. What was stored under an older one is redacted anew.
pub const REDACTION_VERSION: u32 = 2;

/// Taking one secret out can lay bare another; deeper than this nothing honest is nested.
const MAX_PASSES: usize = 8;

const OPEN: &str = "[redacted:";
const CLOSE: &str = "]";

/// Takes secrets out of text: the only way from text to [`Redacted`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Redactor {}

impl Redactor {
    /// Costs nothing: the rules are tables of the program.
    pub fn new() -> Self {
        Self {}
    }

    /// `text` without control characters (`strip_control`), private parts and secrets.
    ///
    /// Each of them is replaced by `[redacted:NAME]`, the words around stay. Redacted text passes unchanged. The time is
    /// linear in the length of the text, whatever stands in it.
    pub fn redact(&self, text: &str) -> Redacted {
        self.redact_with(text, &mut [])
    }

    /// Like [`Redactor::redact`]; `ranges` of `text` (bytes) become the ranges of the same words in what comes back. A range
    /// that begins or ends inside a secret takes in all that is written in its place.
    pub fn redact_with(&self, text: &str, ranges: &mut [Range<usize>]) -> Redacted {
        let mut clean = strip_control(text);
        if let Cow::Owned(_) = clean {
            for range in ranges.iter_mut() {
                let stripped = |at| strip_control(cut_at(text, at)).len();
                *range = stripped(range.start)..stripped(range.end);
            }
        }
        for _ in 0..MAX_PASSES {
            let mut changed = false;
            for find in [private, secrets, bot, bare] {
                let found = find(&clean);
                if !found.is_empty() {
                    move_ranges(ranges, &found);
                    clean = Cow::Owned(replace(&clean, &found));
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        Redacted::from_redactor(clean.into_owned())
    }
}

/// A range to take out, and the name of what it is.
type Found = (Range<usize>, &'static str);

fn private(text: &str) -> Vec<Found> {
    private_ranges(text).into_iter().map(|range| (range, "private")).collect()
}

fn bot(text: &str) -> Vec<Found> {
    bot_tokens(text).into_iter().map(|range| (range, "bot-token")).collect()
}

fn bare(text: &str) -> Vec<Found> {
    bare_keys(text).into_iter().map(|range| (range, "key")).collect()
}

/// Ranges that a rule claims, in order and apart from each other.
fn secrets(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut taken = 0;
    while let Some(at) = next_candidate(text, from) {
        from = at + 1;
        if let Some((range, name)) = hits_at(text, at).find_map(|(rule, hit)| Some((rule.find(hit)?, rule.name))) {
            let start = range.start.max(taken);
            (from, taken) = (range.end, range.end);
            found.push((start..range.end, name));
        }
    }
    found
}

fn replace(text: &str, found: &[Found]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, name) in found {
        out.push_str(text.get(at..range.start).unwrap_or_default());
        out.push_str(OPEN);
        out.push_str(name);
        out.push_str(CLOSE);
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

fn move_ranges(ranges: &mut [Range<usize>], found: &[Found]) {
    for range in ranges {
        *range = moved(range.start, found, false)..moved(range.end, found, true);
    }
}

/// Where byte `at` is after the replacements; of one inside a secret, the begin or the `end` of what stands for it.
fn moved(at: usize, found: &[Found], end: bool) -> usize {
    let (mut before, mut after) = (0, 0);
    for (range, name) in found {
        if range.start >= at {
            break;
        }
        let mark = OPEN.len() + name.len() + CLOSE.len();
        if at < range.end {
            return range.start - before + after + if end { mark } else { 0 };
        }
        before += range.len();
        after += mark;
    }
    at - before + after
}

/// The text before byte `at`, or before the character that it is in.
fn cut_at(text: &str, at: usize) -> &str {
    text.get(..floor_char_boundary(text, at)).unwrap_or_default()
}
