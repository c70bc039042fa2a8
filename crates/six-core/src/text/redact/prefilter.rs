//! Finds the places where a rule could begin, in one pass over the bytes.
//!
//! The table is made at compile time. An Aho-Corasick automaton over the same literals takes 120 to 450 µs to build,
//! which every hook process would pay before its first byte; this one costs nothing and reads no slower.

use super::rules::{RULES, Rule};

const SLOTS: usize = 1 << 13;
const COUNT: usize = count();
/// No literal hangs in this slot, or no further one in this chain.
const END: u8 = u8::MAX;

static TABLE: Table = table();

/// Literals by the hash of their first three bytes; those with the same hash are a chain in the order of the rules.
struct Table {
    head: [u8; SLOTS],
    next: [u8; COUNT],
    rule: [usize; COUNT],
    literal: [&'static str; COUNT],
}

/// A literal of a rule that stands in the text, whatever its case.
#[derive(Clone, Copy)]
pub(super) struct Hit<'t> {
    pub(super) text: &'t str,
    /// First byte of the literal.
    pub(super) start: usize,
    /// Byte after the literal.
    pub(super) end: usize,
    pub(super) literal: &'static str,
}

impl Hit<'_> {
    /// Whether the literal stands as it is spelled, not only whatever its case.
    pub(super) fn is_exact(&self) -> bool {
        self.text.get(self.start..self.end) == Some(self.literal)
    }
}

/// Position of the next byte from `from` on at which a literal may begin.
pub(super) fn next_candidate(text: &str, from: usize) -> Option<usize> {
    let rest = text.as_bytes().get(from..)?;
    rest.windows(3).position(|gram| head(gram) != END).map(|at| from + at)
}

/// The rules whose literal stands at byte `at`, in the order of the table.
pub(super) fn hits_at(text: &str, at: usize) -> impl Iterator<Item = (&'static Rule, Hit<'_>)> {
    let here = text.as_bytes().get(at..).unwrap_or_default();
    let first = usize::from(head(here.get(..3).unwrap_or_default()));
    let chain = std::iter::successors(Some(first), |index| TABLE.next.get(*index).copied().map(usize::from));
    chain.map_while(|index| Some((RULES.get(*TABLE.rule.get(index)?)?, *TABLE.literal.get(index)?))).filter_map(
        move |(rule, literal)| {
            let stands = here.get(..literal.len())?.eq_ignore_ascii_case(literal.as_bytes());
            stands.then_some((rule, Hit { text, start: at, end: at + literal.len(), literal }))
        },
    )
}

fn head(gram: &[u8]) -> u8 {
    match gram {
        &[a, b, c] => TABLE.head.get(hash(a, b, c)).copied().unwrap_or(END),
        _ => END,
    }
}

/// Bit 5 is what letters differ in by case; setting it in every byte merges a few other pairs, which costs a look.
const fn hash(a: u8, b: u8, c: u8) -> usize {
    let gram = ((a | 0x20) as u32) << 16 | ((b | 0x20) as u32) << 8 | (c | 0x20) as u32;
    (gram.wrapping_mul(0x9E37_79B1) >> 19) as usize
}

const fn count() -> usize {
    let mut count = 0;
    let mut rule = 0;
    while rule < RULES.len() {
        count += RULES[rule].literals.len();
        rule += 1;
    }
    assert!(count < END as usize);
    count
}

/// Filled from the last literal to the first, so that every chain comes out in order.
#[expect(clippy::cast_possible_truncation, reason = "count() stops the build before an index reaches END")]
const fn table() -> Table {
    let mut table = Table { head: [END; SLOTS], next: [END; COUNT], rule: [0; COUNT], literal: [""; COUNT] };
    let mut at = COUNT;
    let mut rule = RULES.len();
    while rule > 0 {
        rule -= 1;
        let literals = RULES[rule].literals;
        let mut index = literals.len();
        while index > 0 {
            index -= 1;
            at -= 1;
            let bytes = literals[index].as_bytes();
            let slot = hash(bytes[0], bytes[1], bytes[2]);
            table.rule[at] = rule;
            table.literal[at] = literals[index];
            table.next[at] = table.head[slot];
            table.head[slot] = at as u8;
        }
    }
    table
}
