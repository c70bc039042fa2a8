//! What a title says on a program that a command starts: whether it names it, and whether it rules it out.
//!
//! `use pnpm, not npm` names both and rules one out. What stands behind a program belongs to it: `never git push --force`
//! is about `git push`, not about `git status`.

use super::shell::Command;
use crate::text::{is_stop, tokens};

/// What a title says on the programs of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mention<'a> {
    /// Nothing.
    None,
    /// It names this one.
    Named(&'a str),
    /// It rules this one out.
    RuledOut(&'a str),
}

/// Reads a title for a command. What is ruled out is told before what is only named.
pub(super) fn mention<'a>(title: &str, command: &'a Command) -> Mention<'a> {
    let words = read(title);
    let mut found = Mention::None;
    for (at, word) in words.iter().enumerate() {
        let Some(program) = command.programs.iter().find(|program| **program == word.text) else { continue };
        if !goes_on(word, words.get(at + 1), command) {
            continue;
        }
        if word.ruled_out {
            return Mention::RuledOut(program);
        }
        found = Mention::Named(program);
    }
    found
}

/// Whether what the title says behind a program fits the command as well.
fn goes_on(word: &Word, next: Option<&Word>, command: &Command) -> bool {
    let Some(next) = next.filter(|next| !word.ends_clause && next.ruled_out == word.ruled_out) else { return true };
    if ARTICLES.contains(&next.text.as_str()) {
        // "make the button blue" is about no program.
        return false;
    }
    let turns = RULES_OUT.contains(&next.text.as_str()) || TURNS.contains(&next.text.as_str());
    if turns || !next.text.is_ascii() || ADDED.contains(&next.text.as_str()) {
        return true;
    }
    let Some(term) = tokens(&next.text).into_iter().next().map(|token| token.term) else { return true };
    let is_said = || command.words.iter().any(|said| *said == next.text || tokens(said).iter().any(|t| t.term == term));
    is_stop(&term) || command.programs.contains(&next.text) || is_said()
}

/// Behind these a word that is called like a program is a verb.
const ARTICLES: [&str; 13] =
    ["a", "all", "an", "any", "every", "it", "some", "sure", "that", "the", "these", "this", "those"];

/// What is said behind a program without saying more of it.
const ADDED: [&str; 16] = [
    "anymore",
    "at",
    "binary",
    "calls",
    "cli",
    "client",
    "command",
    "commands",
    "directly",
    "einsetzen",
    "here",
    "nutzen",
    "rather",
    "tool",
    "verwenden",
    "benutzen",
];

/// A word of a title.
#[derive(Debug, PartialEq, Eq)]
struct Word {
    /// In lower case.
    text: String,
    /// It is what somebody should not use.
    ruled_out: bool,
    /// Nothing that follows belongs to it.
    ends_clause: bool,
}

/// Words behind which something is ruled out.
const RULES_OUT: [&str; 36] = [
    "aren't",
    "avoid",
    "ban",
    "can't",
    "cannot",
    "don't",
    "dont",
    "evita",
    "evite",
    "forbid",
    "jamais",
    "kein",
    "keine",
    "lieu",
    "lugar",
    "never",
    "nicht",
    "nie",
    "niemals",
    "no",
    "not",
    "nunca",
    "não",
    "ohne",
    "pas",
    "plutôt",
    "sans",
    "sem",
    "shouldn't",
    "sin",
    "statt",
    "anstatt",
    "stop",
    "vez",
    "without",
    "вместо",
];

/// The same in scripts without blanks, where it may be part of a longer run.
const RULES_OUT_DENSE: [&str; 6] = ["不要", "不用", "不能", "不是", "禁止", "别"];

/// What rules out the word before it.
const RULED_OUT_BEFORE: [&str; 6] = ["ではなく", "じゃなく", "は使わ", "は禁止", "말고", "대신"];

/// Words that end what was ruled out.
const TURNS: [&str; 11] =
    ["always", "but", "immer", "instead", "mais", "mas", "pero", "prefer", "sino", "sondern", "only"];

/// Words between which and a ban nothing was said yet.
const USES: [&str; 9] = ["use", "using", "run", "call", "ever", "usa", "usar", "verwende", "verwenden"];

/// `X is`, `X must` … `not`: the ban stands behind.
const VERBS: [&str; 13] =
    ["are", "be", "can", "darf", "es", "is", "ist", "may", "must", "should", "was", "will", "wird"];

/// What bans behind a verb.
const BANS: [&str; 11] = [
    "banned",
    "deprecated",
    "disallowed",
    "forbidden",
    "never",
    "nicht",
    "no",
    "not",
    "prohibido",
    "prohibited",
    "verboten",
];

fn read(title: &str) -> Vec<Word> {
    let mut words = cut(title);
    let mut reader = Reader::default();
    for at in 0..words.len() {
        let before = at.checked_sub(1).and_then(|at| words.get(at)).map(|word| word.text.clone()).unwrap_or_default();
        let after = words.get(at + 1).map(|word| word.text.clone()).unwrap_or_default();
        let Some(word) = words.get_mut(at) else { break };
        word.ruled_out = reader.take(&word.text, &before, &after);
        if word.ends_clause {
            reader = Reader::default();
        }
        let is_ban = VERBS.contains(&word.text.as_str()) && BANS.contains(&after.as_str());
        let is_ban = is_ban || RULED_OUT_BEFORE.iter().any(|ban| word.text.starts_with(ban));
        if is_ban && let Some(banned) = at.checked_sub(1).and_then(|at| words.get_mut(at)) {
            banned.ruled_out = true;
            banned.ends_clause = true;
        }
    }
    words
}

/// Where the reading of a clause stands.
#[derive(Debug, Default)]
struct Reader {
    /// What comes is ruled out.
    out: bool,
    /// Nothing but the ban itself was said yet.
    just: bool,
    /// `prefer X over Y`.
    prefers: bool,
}

impl Reader {
    /// Answers whether this word is ruled out.
    fn take(&mut self, word: &str, before: &str, after: &str) -> bool {
        self.prefers |= word.starts_with("prefer");
        let bans = RULES_OUT.contains(&word)
            || RULES_OUT_DENSE.iter().any(|ban| word.contains(ban))
            || (word == "instead" && after == "of")
            || (word == "than" && before == "rather")
            || (word == "over" && self.prefers);
        if bans {
            (self.out, self.just) = (true, true);
            return false;
        }
        let of_ban = self.just && matches!(word, "of" | "de" | "que");
        if TURNS.contains(&word) || (USES.contains(&word) && !self.just) {
            self.out = false;
        } else if !USES.contains(&word) && !of_ban {
            self.just = false;
        }
        self.out
    }
}

/// The words of a title, without what stands round them. A script without blanks ends a word of another one.
fn cut(title: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut text = String::new();
    let mut end = |text: &mut String, closes: bool| {
        let word = text.trim_matches(|c: char| !c.is_alphanumeric() && c != '-').to_lowercase().replace('’', "'");
        // A full stop may end a sentence, or stand in a name.
        let stopped = text.ends_with(['.', ':', '\'']) || closes;
        text.clear();
        if !word.is_empty() && word.chars().any(char::is_alphanumeric) {
            words.push(Word { text: word, ruled_out: false, ends_clause: stopped });
        } else if let Some(last) = words.last_mut() {
            last.ends_clause |= stopped || word.starts_with('-');
        }
    };
    for c in title.chars() {
        let joins = c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '@' | '+' | ':' | '\'' | '’');
        let dense = |c: char| c >= '\u{2E80}';
        let changes = text.chars().next_back().is_some_and(|last| last.is_alphanumeric() && dense(last) != dense(c));
        if !joins || changes {
            end(&mut text, matches!(c, ',' | ';' | '(' | ')' | '!' | '?' | '—' | '–' | '，' | '。' | '、' | '；'));
        }
        if joins {
            text.push(c);
        }
    }
    end(&mut text, true);
    words
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::shell::commands;
    use super::*;

    fn told(title: &str, line: &str) -> &'static str {
        let commands = commands(line);
        match mention(title, commands.first().unwrap()) {
            Mention::None => "-",
            Mention::Named(_) => "named",
            Mention::RuledOut(_) => "out",
        }
    }

    #[test]
    fn what_a_rule_wants_and_what_it_rules_out_are_told_apart() {
        for title in [
            "use pnpm, not npm",
            "use pnpm not npm",
            "no, use pnpm not npm",
            "Use `pnpm` instead of `npm`.",
            "not npm but pnpm",
            "don't use npm, use pnpm",
            "don't use npm use pnpm",
            "Don’t ever run npm here; pnpm only",
            "never npm, always pnpm",
            "prefer pnpm over npm",
            "pnpm rather than npm",
            "avoid npm (pnpm is installed)",
            "npm is forbidden, use pnpm",
            "npm must not be used: pnpm",
            "we use pnpm — no npm commands",
            "instead of npm use pnpm",
            "nimm pnpm statt npm",
            "pnpm verwenden, nicht npm verwenden",
            "usa pnpm en lugar de npm",
            "pnpm au lieu de npm",
            "用pnpm，不要用npm",
            "npmではなくpnpmを使う",
            "npm 말고 pnpm",
        ] {
            assert_eq!(told(title, "npm install x"), "out", "{title}");
            assert_eq!(told(title, "pnpm add x"), "named", "{title}");
            assert_eq!(told(title, "cargo test"), "-", "{title}");
        }
    }

    #[test]
    fn what_stands_behind_a_program_belongs_to_it() {
        for (title, line, expected) in [
            ("never use git push --force", "git push --force", "out"),
            ("never use git push --force", "git status --short && git add .", "-"),
            ("use cargo nextest, not cargo test", "cargo test --all", "out"),
            ("use cargo nextest, not cargo test", "cargo nextest run", "named"),
            ("use cargo nextest, not cargo test", "cargo build", "-"),
            ("don't make the button blue", "make all", "-"),
            ("make sure that tests pass", "make all", "-"),
            ("no npm for the scripts", "npm run x", "out"),
            ("git submodules for the assets", "git submodule add x", "named"),
            ("git submodules for the assets", "git pull", "-"),
        ] {
            let commands = commands(line);
            let command = commands.iter().find(|command| command.programs[0] != "echo").unwrap();
            let told = match mention(title, command) {
                Mention::None => "-",
                Mention::Named(_) => "named",
                Mention::RuledOut(_) => "out",
            };
            assert_eq!(told, expected, "{title}: {line}");
        }
    }

    proptest! {
        #[test]
        fn every_title_can_be_read(title in "(npm |not |use |,|instead of |不要|ではなく|\\PC){0,40}") {
            let commands = commands("npm install");
            for command in &commands {
                mention(&title, command);
            }
        }
    }
}
