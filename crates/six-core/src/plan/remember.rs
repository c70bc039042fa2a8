//! What a `#remember` proposes.

use super::choice::first_chars;
use super::user_prompt_submit::Prompt;
use crate::record::{Origin, Record, RecordId, RecordKind};
use crate::text::{Redacted, Redactor, fold};

/// Bytes of what is kept; a longer one is a document.
const MAX_BYTES: usize = 4 * 1024;

/// Words, folded, with which a clause begins that is a rule.
const OPENINGS: [&str; 7] = ["use", "do", "don", "stop", "avoid", "prefer", "nie"];

/// Words, folded, that make a rule of a clause wherever they stand in it.
const ALWAYS: [&str; 11] =
    ["always", "never", "immer", "niemals", "siempre", "nunca", "toujours", "jamais", "sempre", "никогда", "всегда"];

/// The same in scripts that put no blanks between words.
const ALWAYS_UNSPACED: [&str; 9] = ["不要", "总是", "永远", "必须", "常に", "必ず", "しないで", "항상", "절대"];

/// What the operator asked to keep, in his words, until triage: his rule where it has a rule's form, else a decision.
pub(super) fn remembered(prompt: &Prompt<'_>, text: &str) -> Record {
    let text = Redactor::new().redact(text).cut(MAX_BYTES);
    let title = first_chars(&text, Record::TITLE_MAX_CHARS);
    let kind = if is_rule(text.as_str()) { RecordKind::Correction } else { RecordKind::Decision };
    Record {
        body: if title == text { Redacted::default() } else { text.clone() },
        quote: text,
        session: Some(prompt.context.session_id.clone()),
        ..Record::pending(RecordId::new(prompt.fresh_id), kind, Origin::Operator, title, prompt.now)
    }
}

/// Whether a text has the form of a rule: it orders or forbids, or says what always holds.
fn is_rule(text: &str) -> bool {
    let folded = fold(text);
    let is_ordered = |clause: &str| {
        let mut words = clause.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).peekable();
        words.peek().is_some_and(|first| OPENINGS.contains(first)) || words.any(|word| ALWAYS.contains(&word))
    };
    folded.split([',', ';', ':', '.']).any(is_ordered) || ALWAYS_UNSPACED.iter().any(|part| folded.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_orders_forbids_or_always_holds_is_a_rule_and_a_fact_is_none() {
        for rule in [
            "use pnpm",
            "Don't touch the lockfile",
            "in the shop, avoid floats",
            "we use pnpm, never npm",
            "wir pushen niemals auf main",
            "nie auf main pushen",
            "ссылки всегда короткие",
            "金额必须用整数",
        ] {
            assert!(is_rule(rule), "{rule}");
        }
        for fact in ["the pilot restaurants are Alba and Brio", "the shop does not use floats", "", "。"] {
            assert!(!is_rule(fact), "{fact}");
        }
    }
}
