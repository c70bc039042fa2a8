//! Terms that a project has given up.

use super::context::{Surroundings, denies_named};
use super::markdown::{comments, counted};

/// The lines, counted from 1, that use one of the terms, with the term. Terms are compared without case, whole words, and
/// with any blanks between their words; a rule that denies the term may name it.
pub(super) fn used_terms(text: &str, terms: &[String]) -> Vec<(u32, String)> {
    let terms: Vec<(&String, Vec<String>)> =
        terms.iter().map(|term| (term, words_of(term))).filter(|(_, words)| !words.is_empty()).collect();
    if terms.is_empty() {
        return Vec::new();
    }
    let text = blanked(text);
    let surroundings = Surroundings::of(&text);
    let mut used = Vec::new();
    for (at, line) in surroundings.lines().iter().enumerate() {
        let lower = line.to_lowercase();
        for (term, words) in &terms {
            let is_named = |text: &str| has_term(&text.to_lowercase(), words);
            if has_term(&lower, words) && !denies_named(&surroundings.around(at), is_named) {
                used.push((counted(at), (*term).clone()));
            }
        }
    }
    used
}

/// `text` with its comments blanked, so that lines stay where they are.
fn blanked(text: &str) -> String {
    let mut blank = String::with_capacity(text.len());
    let mut from = 0;
    for comment in comments(text) {
        blank.push_str(text.get(from..comment.start).unwrap_or_default());
        blank.extend(text.get(comment.clone()).unwrap_or_default().chars().filter(|c| *c == '\n'));
        from = comment.end;
    }
    blank.push_str(text.get(from..).unwrap_or_default());
    blank
}

fn words_of(term: &str) -> Vec<String> {
    term.split_whitespace().map(str::to_lowercase).collect()
}

fn has_term(line: &str, words: &[String]) -> bool {
    let Some((first, rest)) = words.split_first() else { return false };
    line.match_indices(first.as_str()).any(|(at, _)| {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        let mut after = line.get(at + first.len()..).unwrap_or_default();
        for word in rest {
            let trimmed = after.trim_start();
            match trimmed.strip_prefix(word.as_str()).filter(|_| trimmed.len() < after.len()) {
                Some(behind) => after = behind,
                None => return false,
            }
        }
        !joins(before, first.chars().next())
            && !joins(after.chars().next(), words.last().and_then(|word| word.chars().next_back()))
    })
}

/// Whether the character beside a term's end makes it a part of another word. A script without blanks has no such ends.
fn joins(beside: Option<char>, end: Option<char>) -> bool {
    let is_word = |c: char| (c.is_alphanumeric() || c == '_') && !is_unspaced(c);
    beside.is_some_and(is_word) && end.is_some_and(is_word)
}

/// Han, kana and Thai.
fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c), 0x0E00..=0x0E7F | 0x3040..=0x30FF | 0x3400..=0x9FFF | 0x2_0000..=0x3_FFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, term: &str) -> Vec<u32> {
        used_terms(text, &[term.to_owned()]).into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn a_term_in_use_is_found_in_any_case_and_with_any_blanks() {
        assert_eq!(lines("Build with Yarn.\n\n```sh\nyarn install\n```\n", "yarn"), [1, 4]);
        assert_eq!(lines("The Blue   Server answers.", "blue server"), [1]);
        assert_eq!(lines("c++ is built", "C++"), [1]);
        assert_eq!(lines("用旧服务启动", "旧服务"), [1]);
    }

    #[test]
    fn a_part_of_a_word_is_not_the_term() {
        assert_eq!(lines("yarns, my_yarn, lyarn, yarn2", "yarn"), [0; 0]);
        assert_eq!(lines("blueserver", "blue server"), [0; 0]);
    }

    #[test]
    fn a_rule_that_denies_the_term_may_name_it() {
        for text in [
            "Never use yarn.",
            "We don't use yarn",
            "Use pnpm instead of yarn",
            "Do not use:\n\n- bower\n- yarn\n",
            "## Deprecated\n\n- yarn\n",
            "- ❌ `yarn add`\n",
            "Package manager is pnpm; a call\nof yarn was the old way.",
            "<!-- yarn\nyarn -->",
            "Never use yarn. Yarn breaks the lockfile.",
            "We built with yarn. It was slow. This is why it is gone.",
            "Avoid old tools, e.g. `yarn`.",
            "Do not build by these. They are dead:\n\n- bower\n- yarn\n",
            "```sh\n# Use pnpm. Never this:\nyarn install\n```",
        ] {
            assert_eq!(lines(text, "yarn"), [0; 0], "{text}");
        }
    }

    #[test]
    fn what_denies_something_else_excuses_nothing() {
        assert_eq!(lines("Never push to main.\n\nInstall with yarn.\n", "yarn"), [3]);
        assert_eq!(lines("- Never push to main\n- Install with yarn\n", "yarn"), [2]);
        assert_eq!(lines("Deploy with yarn. Never push to main.", "yarn"), [1]);
        assert_eq!(lines("Never push to main.\nInstall with yarn.\nDo not ask.", "yarn"), [2]);
        assert_eq!(lines("Never push to main. Install with:\n\n- yarn\n", "yarn"), [3]);
        assert_eq!(lines("## Never guess\n\n### Set-up\n\nInstall with yarn.\n", "yarn"), [5]);
    }

    #[test]
    fn blank_terms_find_nothing() {
        assert_eq!(lines("all words", " "), [0; 0]);
    }
}
