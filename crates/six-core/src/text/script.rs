//! What a character is to the tokenizer.

use unicode_normalization::char::is_combining_mark;

/// Stands for the separators inside a whole identifier: `foo-bar` and `foo_bar` are both indexed as `fooǀbar`.
///
/// U+01C0 is a letter without case or decomposition in every Unicode version, so FTS5's `unicode61` keeps the term in
/// one piece; in a text it counts as punctuation, so no word can be mistaken for an identifier.
pub(crate) const JOINT: char = '\u{01C0}';

/// The tokenizer's view of one character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// A letter or digit of a script that puts blanks between words.
    Word,
    /// A letter of a script written without blanks: Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese.
    Dense,
    /// Belongs to the character before it and is never indexed: combining marks, joiners, the soft
    /// hyphen, the half-width voicing signs.
    Extend,
    /// Everything else: blanks, punctuation, symbols, emoji.
    Other,
}

pub(crate) fn class(c: char) -> Class {
    if c.is_ascii() {
        return if c.is_ascii_alphanumeric() { Class::Word } else { Class::Other };
    }
    if matches!(c, '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}') {
        return Class::Dense;
    }
    if is_plain_symbol(c) {
        return Class::Other;
    }
    if matches!(c, '\u{AD}' | '\u{200C}' | '\u{200D}' | '\u{FF9E}' | '\u{FF9F}')
        || (c >= '\u{300}' && is_combining_mark(c))
    {
        return Class::Extend;
    }
    if !c.is_alphanumeric() || c == JOINT || is_letter_symbol(c) {
        return Class::Other;
    }
    if in_dense_block(c) { Class::Dense } else { Class::Word }
}

/// The class of the character that starts at byte `at`; `Other` at the end of the text.
pub(crate) fn class_at(text: &str, at: usize) -> Class {
    char_at(text, at).map_or(Class::Other, class)
}

pub(crate) fn char_at(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}

/// Blocks of arrows, frames, dashes and emoji without any letter, digit or mark: a short way for what logs are full of.
fn is_plain_symbol(c: char) -> bool {
    matches!(c,
        '\u{2010}'..='\u{2027}'
        | '\u{2190}'..='\u{245F}'
        | '\u{2500}'..='\u{2775}'
        | '\u{2794}'..='\u{2BFF}'
        | '\u{1F300}'..='\u{1FAFF}')
}

/// Boxed letters such as U+1F170: alphabetic to Unicode, a symbol to `unicode61`, which would split there.
fn is_letter_symbol(c: char) -> bool {
    matches!(c, '\u{24B6}'..='\u{24E9}' | '\u{1F130}'..='\u{1F189}')
}

fn in_dense_block(c: char) -> bool {
    matches!(c,
        '\u{0E01}'..='\u{0E4F}'            // Thai without its digits
        | '\u{0E81}'..='\u{0ECF}' | '\u{0EDC}'..='\u{0EDF}' // Lao
        | '\u{1000}'..='\u{103F}' | '\u{1050}'..='\u{108F}' // Burmese
        | '\u{1780}'..='\u{17DF}'          // Khmer
        | '\u{1100}'..='\u{11FF}' | '\u{A960}'..='\u{A97F}' | '\u{D7B0}'..='\u{D7FF}' // Hangul jamo
        | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{30FF}' // kana, iteration marks, ideographic numbers
        | '\u{3100}'..='\u{318F}' | '\u{31A0}'..='\u{31BF}' | '\u{31F0}'..='\u{31FF}' // bopomofo, compatibility jamo
        | '\u{3400}'..='\u{4DBF}' | '\u{F900}'..='\u{FAFF}' // ideographs outside the main block
        | '\u{FF66}'..='\u{FFDC}'          // half-width kana and jamo
        | '\u{1B000}'..='\u{1B16F}'        // historic kana
        | '\u{20000}'..='\u{3FFFF}')
}

/// End of the cluster that starts at byte `start`: one character and what modifies it once both are normalised.
pub(crate) fn cluster_end(text: &str, start: usize) -> usize {
    let Some(rest) = text.get(start..) else { return text.len() };
    let mut chars = rest.char_indices();
    let dense = chars.next().is_some_and(|(_, first)| class(first) == Class::Dense);
    chars.find(|&(_, c)| !extends(c, dense)).map_or(text.len(), |(at, _)| start + at)
}

/// In Korean a vowel or final consonant that is written apart (file names from macOS) joins the one before it.
fn extends(c: char, dense: bool) -> bool {
    if c.is_ascii() {
        return false;
    }
    class(c) == Class::Extend || (dense && is_joining_jamo(c))
}

fn is_joining_jamo(c: char) -> bool {
    matches!(c, '\u{1160}'..='\u{11FF}' | '\u{D7B0}'..='\u{D7FF}' | '\u{314F}'..='\u{3163}' | '\u{FFC2}'..='\u{FFDC}')
}
