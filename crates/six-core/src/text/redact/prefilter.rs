//! Finds the places where a rule could begin, in one pass over the bytes.
//!
//! The table is made at compile time. An Aho-Corasick automaton over the same literals takes 120 to 450 µs to build,
//! which every hook process would pay before its first byte; this one costs nothing and reads no slower.

use super::rules::{RULES, Rule};

/// Literals are told apart by their first three bytes.
const GRAM: usize = 3;

/// One bit per hashed gram.
static GATE: [u64; 1024] = gate();

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

/// Position of the next byte from `from` on at which a literal may begin.
pub(super) fn next_candidate(text: &str, from: usize) -> Option<usize> {
    let rest = text.as_bytes().get(from..)?;
    let at = rest.windows(GRAM).position(|gram| match gram {
        &[a, b, c] => is_open(hash(a, b, c)),
        _ => false,
    })?;
    Some(from + at)
}

/// The rules whose literal stands at byte `at`, in the order of the table.
pub(super) fn hits_at(text: &str, at: usize) -> impl Iterator<Item = (&'static Rule, Hit<'_>)> {
    let here = text.as_bytes().get(at..).unwrap_or_default();
    RULES.iter().flat_map(|rule| rule.literals.iter().map(move |literal| (rule, *literal))).filter_map(
        move |(rule, literal)| {
            let stands = here.get(..literal.len())?.eq_ignore_ascii_case(literal.as_bytes());
            stands.then_some((rule, Hit { text, start: at, end: at + literal.len(), literal }))
        },
    )
}

/// Bit 5 is what letters differ in by case; setting it in every byte merges a few other pairs, which costs a look.
const fn hash(a: u8, b: u8, c: u8) -> usize {
    let gram = ((a | 0x20) as u32) << 16 | ((b | 0x20) as u32) << 8 | (c | 0x20) as u32;
    (gram.wrapping_mul(0x9E37_79B1) >> 16) as usize
}

fn is_open(hash: usize) -> bool {
    GATE.get(hash / 64).is_some_and(|word| word >> (hash % 64) & 1 == 1)
}

const fn gate() -> [u64; 1024] {
    let mut gate = [0; 1024];
    let mut rule = 0;
    while rule < RULES.len() {
        let literals = RULES[rule].literals;
        let mut index = 0;
        while index < literals.len() {
            let literal = literals[index].as_bytes();
            let hash = hash(literal[0], literal[1], literal[2]);
            gate[hash / 64] |= 1 << (hash % 64);
            index += 1;
        }
        rule += 1;
    }
    gate
}
