//! Corrections by topic. "Use pnpm, not npm" has no word in common with "install the date picker package", but it names
//! tools of a family that such a prompt calls for. The families are data: `topics.txt`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::text::{cut_bytes, is_stop};

/// A family of tools, and the words that call for one of them.
#[derive(Debug, PartialEq, Eq)]
pub struct Topic {
    name: &'static str,
    /// What a rule on one of them names.
    rule: Vec<&'static str>,
    /// What a prompt has that calls for one of them.
    prompt: Vec<&'static str>,
}

impl Topic {
    /// The name in receipts.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The first of some families of which a rule names a tool.
    pub fn named_in<'t>(topics: &[&'t Self], rule: &str) -> Option<&'t Self> {
        let rule = Words::of(rule);
        topics.iter().copied().find(|topic| topic.rule.iter().any(|named| rule.have(named, ADJACENT)))
    }
}

/// Bytes of a text that are read; a longer one is a document.
const MAX_BYTES: usize = 8 * 1024;

/// Words of a phrase stand at most this far apart in a prompt: one other word may be between them ("add a migration").
const REACH: usize = 2;
/// Those of a name stand side by side, and so do those of a phrase with a stop word, which says nothing apart from them.
const ADJACENT: usize = 1;

/// The families that a prompt calls for.
pub fn topics_of(prompt: &str) -> Vec<&'static Topic> {
    let prompt = Words::of(prompt);
    TOPICS.iter().filter(|topic| topic.prompt.iter().any(|call| prompt.have(call, reach(call)))).collect()
}

fn reach(phrase: &str) -> usize {
    if parts(phrase).any(is_stop) { ADJACENT } else { REACH }
}

/// The words of a phrase in ASCII.
fn parts(phrase: &str) -> impl Iterator<Item = &str> {
    phrase.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty())
}

static TOPICS: LazyLock<Vec<Topic>> = LazyLock::new(|| parse_topics(include_str!("topics.txt")));

/// Reads `[name]`, `rule: a, b c`, `prompt: d, e f`; lines that begin with `#` are comments.
fn parse_topics(text: &'static str) -> Vec<Topic> {
    let mut topics: Vec<Topic> = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            topics.push(Topic { name, rule: Vec::new(), prompt: Vec::new() });
        } else if let (Some((key, values)), Some(topic)) = (line.split_once(':'), topics.last_mut()) {
            let values = values.split(',').map(str::trim).filter(|value| !value.is_empty());
            match key {
                "rule" => topic.rule.extend(values),
                "prompt" => topic.prompt.extend(values),
                _ => {}
            }
        }
    }
    topics
}

/// The words of a text in lower case, in their order.
struct Words {
    text: String,
    in_order: Vec<String>,
    /// Those words and what they are forms of.
    forms: BTreeSet<String>,
}

impl Words {
    fn of(text: &str) -> Self {
        let text = cut_bytes(text, MAX_BYTES).to_lowercase();
        let in_order: Vec<String> =
            text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_owned).collect();
        let forms = in_order.iter().flat_map(|word| forms_of(word)).collect();
        Self { text, in_order, forms }
    }

    /// Whether the words of a phrase stand in the text in this order, each at most `reach` words behind the one before.
    /// One with a letter that ASCII has not may be part of a longer word: its language may write none apart, or inflect
    /// in ways of its own.
    fn have(&self, phrase: &str, reach: usize) -> bool {
        if !phrase.is_ascii() {
            return self.text.contains(phrase);
        }
        let mut parts = parts(phrase);
        let Some(first) = parts.next() else { return false };
        if !self.forms.contains(first) {
            return false;
        }
        let rest: Vec<&str> = parts.collect();
        rest.is_empty() || self.places(first, 0, self.in_order.len()).any(|at| self.follow(&rest, at + 1, reach))
    }

    fn follow(&self, rest: &[&str], from: usize, reach: usize) -> bool {
        let Some((next, rest)) = rest.split_first() else { return true };
        self.places(next, from, reach).any(|at| self.follow(rest, at + 1, reach))
    }

    /// Where a form of `word` stands among the `reach` words from `from` on.
    fn places(&self, word: &str, from: usize, reach: usize) -> impl Iterator<Item = usize> {
        let words = self.in_order.iter().enumerate().skip(from).take(reach);
        words.filter(move |(_, one)| forms_of(one).any(|form| form == word)).map(|(at, _)| at)
    }
}

/// A word, and the words that it may be a regular form of. Stems are too coarse here: `depends` is no `dependency`.
fn forms_of(word: &str) -> impl Iterator<Item = String> {
    let cut =
        |end: &str, put: &str| word.strip_suffix(end).filter(|base| base.len() > 2).map(|base| format!("{base}{put}"));
    let doubled = |end: &str| {
        let base = word.strip_suffix(end)?;
        let (head, last) = base.split_at_checked(base.len().checked_sub(1)?)?;
        if head.ends_with(last) && head.len() > 1 { Some(head.to_owned()) } else { None }
    };
    let forms = [
        Some(word.to_owned()),
        cut("s", ""),
        cut("es", ""),
        cut("ies", "y"),
        cut("ed", ""),
        cut("ed", "e"),
        cut("ing", ""),
        cut("ing", "e"),
        doubled("ed"),
        doubled("ing"),
    ];
    forms.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Whether a rule is one that a prompt calls for.
    fn called(rule: &str, prompt: &str) -> bool {
        Topic::named_in(&topics_of(prompt), rule).is_some()
    }

    #[test]
    fn a_rule_on_a_tool_is_called_for_by_the_work_that_the_tool_does() {
        for (rule, prompt) in [
            ("Use pnpm, not npm", "install the date picker package"),
            ("Use pnpm, not npm", "add a library for charts to the dashboard"),
            ("use uv instead of pip", "we need a dependency for parsing feeds"),
            ("Tests run under vitest", "write unit tests for the parser"),
            ("Format with Prettier before a commit", "the imports are a mess, reformat them"),
            ("We are on GitLab: glab, not gh", "open a merge request for it"),
            ("Run containers with podman, never docker", "write a container image for the worker"),
            ("Migrations are made by `just migration`", "add a migration for the new column"),
            ("Tailwind only, no CSS modules", "style the sidebar"),
            ("用 pnpm，不用 npm", "安装日期选择器"),
        ] {
            assert!(called(rule, prompt), "{rule} | {prompt}");
        }
    }

    #[test]
    fn other_work_calls_for_no_rule_on_a_tool() {
        for (rule, prompt) in [
            ("Use pnpm, not npm", "style the sidebar"),
            ("Use pnpm, not npm", "it depends on the order of the rows, fix that"),
            ("Use pnpm, not npm", "frozen header row in the table, please"),
            ("Never edit the generated client", "install the date picker package"),
            ("Tests run under vitest", "install the date picker package"),
            ("Tailwind only, no CSS modules", "keep to the style of the other modules"),
            ("Prefer short names", "write unit tests for the parser"),
            ("Sign every commit message", "show the commit hash in the about box"),
            ("Tests run under vitest", "add a button for the blood test"),
        ] {
            assert!(!called(rule, prompt), "{rule} | {prompt}");
        }
    }

    #[test]
    fn a_word_is_known_in_its_regular_forms_only() {
        let words = Words::of("Installed 3 packages, committing; dependencies moved");
        for known in ["install", "package", "commit", "dependency", "move", "moved"] {
            assert!(words.have(known, 1), "{known}");
        }
        for other in ["depend", "pack", "stall"] {
            assert!(!words.have(other, 1), "{other}");
        }
        assert!(words.have("install package", 2) && !words.have("install package", 1));
        assert!(!words.have("package install", 4));
    }

    #[test]
    fn every_family_has_both_kinds_of_words_and_no_line_is_lost() {
        assert!(TOPICS.len() >= 15);
        for topic in TOPICS.iter() {
            assert!(!topic.rule.is_empty() && !topic.prompt.is_empty(), "{}", topic.name);
            for entry in topic.rule.iter().chain(&topic.prompt) {
                assert_eq!(*entry, entry.to_lowercase(), "{}", topic.name);
            }
        }
        let known = ["#", "[", "rule:", "prompt:"];
        for line in include_str!("topics.txt").lines() {
            assert!(line.is_empty() || known.iter().any(|start| line.starts_with(start)), "{line}");
        }
    }

    proptest! {
        #[test]
        fn any_prompt_has_an_answer(prompt in "(\\PC|install |packages ){0,60}") {
            topics_of(&prompt);
        }
    }
}
