//! A sentence that states something, as the fields of a record.

use std::collections::BTreeSet;
use std::ops::Range;

use super::cue::{Cues, Found};
use super::option::options;
use super::reading::Reading;
use super::spoken::Spoken;
use super::stop::stops;
use super::talk::{AT_END, clause_end, is_talk, matter, object, skip_marks, text_contradicts};
use super::title::cut;
use crate::inject::is_of_paths;
use crate::record::{Record, RecordKind};
use crate::text::{Redacted, TokenKind, for_each_token, is_stop};

/// A sentence among those of its message.
pub(super) struct Said<'a> {
    /// The message.
    pub(super) text: &'a Redacted,
    /// All its sentences.
    pub(super) sentences: &'a [Spoken],
    /// Which one.
    pub(super) at: usize,
    /// It, read.
    pub(super) reading: &'a Reading,
}

/// The fields that are made of words.
pub(super) struct Worded {
    pub(super) title: Redacted,
    pub(super) body: Redacted,
    pub(super) quote: Redacted,
    pub(super) rejected: Vec<Redacted>,
    pub(super) revive_if: Redacted,
    pub(super) scope: Redacted,
    pub(super) terms: Vec<String>,
}

/// Words a record of this kind; `None` where nothing is left to be a title.
pub(super) fn word(said: &Said<'_>, kind: RecordKind) -> Option<Worded> {
    let range = said.range()?;
    let quote = said.text.slice(range)?;
    let (title, body) = said.title_and_body(kind)?;
    let is = |wanted: RecordKind| kind == wanted;
    Some(Worded {
        title,
        body,
        rejected: if is(RecordKind::Decision) { said.rejected() } else { Vec::new() },
        revive_if: if is(RecordKind::DeadEnd) { said.revive_if() } else { Redacted::default() },
        scope: if is(RecordKind::Correction) { said.scope() } else { Redacted::default() },
        terms: said.terms(quote.as_str()),
        quote,
    })
}

/// Longest body in bytes.
const MAX_BODY: usize = 1_200;

/// What stands between the parts of a body that do not follow each other.
pub(super) const GAP: &str = " … ";

/// A neighbour with fewer letters says nothing of the matter.
const MIN_LETTERS: usize = 8;

/// What phrases of these say is no matter of a project.
const NO_MATTER: Cues = Cues::FILLER.and(Cues::NO).and(Cues::MEANT).and(Cues::HEDGE).and(Cues::DECIDED).and(Cues::ASK);

impl Said<'_> {
    fn range(&self) -> Option<Range<usize>> {
        self.sentences.get(self.at).map(|sentence| sentence.range.clone())
    }

    /// Bytes of the message for bytes of the reading's text.
    fn source(&self, range: Range<usize>) -> Option<Range<usize>> {
        let start = self.range()?.start;
        let inner = self.reading.source(range);
        Some(start + inner.start..start + inner.end)
    }

    /// First bytes, in the reading's text, of the sentences within the sentence.
    fn stops(&self) -> Vec<usize> {
        let text = self.range().and_then(|range| self.text.as_str().get(range)).unwrap_or_default();
        let bytes = |(at, _): (usize, char)| at;
        let all: Vec<usize> = self.reading.text.char_indices().map(bytes).collect();
        let place =
            |stop: usize| all.get(all.partition_point(|at| self.reading.source(*at..*at).start < stop)).copied();
        stops(text).into_iter().filter_map(place).collect()
    }

    /// What can be judged by itself, and what was said round it. Together they have every word that matters, and neither
    /// says what the other does, unless the title had to be cut short: then the body has the whole sentence.
    fn title_and_body(&self, kind: RecordKind) -> Option<(Redacted, Redacted)> {
        let stops = self.stops();
        let fits_part = |part: Range<usize>| fits(&self.worded(part));
        let cut = cut(self.reading, kind, &stops, fits_part);
        let own = self.range()?;
        let mut title = self.source(cut.part)?;
        let is_inside = self.opens_inside(own.start..title.start);
        if is_inside {
            title.start = own.start;
        }
        let mut words = self.words_of(title.clone());
        if let Some(next) = self.next_that_belongs(kind) {
            let longer = title.start..next.end;
            let more = self.words_of(longer.clone());
            if title.end >= own.end && fits(&more) {
                (title, words) = (longer, more);
            }
        }
        while words.len() > 1 && words.last().is_some_and(|word| AT_END.contains(&letters(word).as_str())) {
            words.pop();
        }
        let tidied = tidy(&shorten(words), kind);
        if !tidied.as_str().chars().any(char::is_alphanumeric) {
            return None;
        }
        let body = if cut.is_short || is_inside {
            self.round(own.clone(), own.clone(), true)
        } else {
            self.round(own, title, false)
        };
        Some((tidied, body.cut(MAX_BODY)))
    }

    /// Whether a bracket is open behind this part of the message: what begins there does not end where its sentence ends.
    fn opens_inside(&self, before: Range<usize>) -> bool {
        let text = self.text.as_str().get(before).unwrap_or_default();
        text.matches('(').count() > text.matches(')').count()
    }

    /// The sentence behind, where this one does not hold without it: it answers the question, or takes it back.
    fn next_that_belongs(&self, kind: RecordKind) -> Option<Range<usize>> {
        let next = self.neighbour_behind()?;
        let text = self.text.as_str().get(next.clone())?;
        let same_line = self.text.as_str().get(self.range()?.end..next.start).is_some_and(|gap| !gap.contains('\n'));
        let answers = self.reading.asks && kind == RecordKind::Correction;
        (same_line && (answers || text_contradicts(text))).then_some(next)
    }

    /// The words of the message for a part of the reading.
    fn worded(&self, part: Range<usize>) -> Vec<Redacted> {
        self.source(part).map(|range| self.words_of(range)).unwrap_or_default()
    }

    /// The words of a part of the message, with single blanks and without marks of emphasis.
    fn words_of(&self, range: Range<usize>) -> Vec<Redacted> {
        let Some(text) = self.text.as_str().get(range.clone()) else { return Vec::new() };
        let mut words = Vec::new();
        for (at, word) in words_at(text) {
            let pieces: Vec<Redacted> = without_emphasis(word)
                .into_iter()
                .filter_map(|piece| self.text.slice(range.start + at + piece.start..range.start + at + piece.end))
                .collect();
            words.extend(Some(Redacted::join(&pieces, "")).filter(|word| !word.is_empty()));
        }
        words
    }

    /// Whether nothing stands between two sentences.
    fn joins(&self, gap: Range<usize>) -> bool {
        self.text.as_str().get(gap).is_some_and(|gap| gap.len() <= 6 && gap.matches('\n').count() <= 2)
    }

    fn neighbour_before(&self) -> Option<Range<usize>> {
        let before = self.sentences.get(self.at.checked_sub(1)?)?.range.clone();
        self.joins(before.end..self.range()?.start).then_some(before)
    }

    fn neighbour_behind(&self) -> Option<Range<usize>> {
        let behind = self.sentences.get(self.at + 1)?.range.clone();
        self.joins(self.range()?.end..behind.start).then_some(behind)
    }

    /// The sentence with the one before and the one behind, where nothing stands between them, without what the title has,
    /// or with it.
    fn round(&self, own: Range<usize>, title: Range<usize>, with_title: bool) -> Redacted {
        let says = |range: &Range<usize>| {
            let text = self.text.as_str().get(range.clone()).unwrap_or_default();
            text.chars().filter(|c| c.is_alphanumeric()).count() >= MIN_LETTERS
        };
        let (before, behind) = (self.neighbour_before().filter(says), self.neighbour_behind().filter(says));
        if with_title {
            let start = before.map_or(own.start, |before| before.start);
            return self.text.slice(start..behind.map_or(own.end, |behind| behind.end)).unwrap_or_default();
        }
        // What leads up to the title within its sentence is told unless it is talk.
        let lead = self.is_matter(own.start..title.start).then_some(own.start..title.start);
        let start = lead.map(|lead| lead.start);
        let before = match (before, start) {
            (Some(before), Some(_)) => Some(before.start..title.start),
            (Some(before), None) => Some(before),
            (None, start) => start.map(|start| start..title.start),
        };
        let end = behind.map_or(own.end, |behind| behind.end).max(title.end);
        let rest = Some(title.end..end);
        let parts: Vec<Redacted> = [before, rest]
            .into_iter()
            .flatten()
            .filter_map(|part| self.text.slice(part))
            .map(|part| without_lead(&part))
            .filter(|part| part.as_str().chars().any(char::is_alphanumeric))
            .collect();
        Redacted::join(&parts, GAP)
    }

    /// Whether a part of the message before the title says something of the matter.
    fn is_matter(&self, range: Range<usize>) -> bool {
        let Some(own) = self.range() else { return false };
        let inner = range.start.saturating_sub(own.start)..range.end.saturating_sub(own.start);
        let text = &self.reading.text;
        let end = text.char_indices().map(|(at, _)| at).find(|at| self.reading.source(*at..*at).start >= inner.end);
        let end = end.unwrap_or(text.len());
        let at = matter(self.reading, 0, end, &self.stops());
        let rest = object(self.reading, at, text.len());
        rest < end && !is_talk(self.reading, at, end) && skip_marks(self.reading, at, end) < end
    }

    /// What the sentence says was not taken.
    fn rejected(&self) -> Vec<Redacted> {
        let mut named: Vec<Redacted> = Vec::new();
        for part in options(self.reading, &self.stops()) {
            let option = bare(&Redacted::join(&self.worded(part), " "));
            if option.as_str().chars().any(char::is_alphanumeric) && !named.contains(&option) {
                named.push(option);
            }
        }
        named
    }

    /// The condition for another try.
    fn revive_if(&self) -> Redacted {
        let stops = self.stops();
        let condition = |found: &Found| {
            let words = self.worded(found.end..clause_end(self.reading, found.end, &stops));
            bare(&Redacted::join(&words, " "))
        };
        let found = self.reading.found.iter().rev().find(|found| found.cues.any(Cues::UNTIL));
        found.map(condition).filter(|words| words.as_str().contains(' ')).unwrap_or_default()
    }

    /// The paths that the sentence names as the place where it holds.
    fn scope(&self) -> Redacted {
        let Some(range) = self.range() else { return Redacted::default() };
        let Some(text) = self.text.as_str().get(range.clone()) else { return Redacted::default() };
        let outside = |c: char| !c.is_alphanumeric() && !matches!(c, '*' | '/' | '.' | '_');
        let mut paths = Vec::new();
        for (from, word) in words_at(text) {
            let trimmed = word.trim_start_matches(outside);
            let at = range.start + from + (word.len() - trimmed.len());
            let name = trimmed.trim_end_matches(|c| c == '.' || outside(c));
            if is_place(name) {
                paths.extend(self.text.slice(at..at + name.len()));
            }
        }
        Redacted::join(&paths, ", ")
    }

    /// Its distinct content terms in their order.
    fn terms(&self, quote: &str) -> Vec<String> {
        let empty: Vec<Range<usize>> = self
            .reading
            .found
            .iter()
            .filter(|found| found.cues.any(NO_MATTER) && !found.gapped)
            .map(|found| self.reading.source(found.start..found.end))
            .collect();
        let mut seen = BTreeSet::new();
        let mut terms = Vec::new();
        for_each_token(quote, |token| {
            let matters = !is_stop(token.term)
                && token.kind != TokenKind::Part
                && !empty.iter().any(|range| range.start <= token.start && token.end <= range.end);
            if matters && seen.insert(token.term.to_owned()) {
                terms.push(token.term.to_owned());
            }
        });
        terms
    }
}

/// A path or pattern below the project: with a star, ending as a folder, or of several parts with a name.
fn is_place(name: &str) -> bool {
    let relative = !name.starts_with(['/', '~']) && !name.contains("://") && !name.contains("..");
    let named = name.chars().any(char::is_alphanumeric);
    let shaped = name.contains('*')
        || name.ends_with('/')
        || name.matches('/').count() >= 2
        || (name.contains('/') && name.rsplit('/').next().is_some_and(|file| file.contains('.')));
    relative && named && shaped && is_of_paths(name)
}

/// The words of a text with their first bytes.
fn words_at(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive(char::is_whitespace).filter_map(move |piece| {
        let start = at;
        at += piece.len();
        let word = piece.trim_end();
        (!word.is_empty()).then_some((start, word))
    })
}

/// A word without marks of emphasis: what stands between them, and the punctuation behind (`**Chosen**: ...`).
fn without_emphasis(word: &str) -> [Range<usize>; 2] {
    let start = word.len() - word.trim_start_matches("**").len();
    let behind = word.trim_end_matches([':', '.', ',', ';', '!', '?']).len().max(start);
    let inner = word.get(start..behind).unwrap_or_default().trim_end_matches("**").len();
    [start..start + inner, behind..word.len()]
}

fn chars(words: &[Redacted]) -> usize {
    words.iter().map(|word| word.as_str().chars().count() + 1).sum::<usize>().saturating_sub(1)
}

fn fits(words: &[Redacted]) -> bool {
    chars(words) <= Record::TITLE_MAX_CHARS
}

/// As many words as fit, with a mark that there were more.
fn shorten(mut words: Vec<Redacted>) -> Vec<Redacted> {
    if fits(&words) {
        return words;
    }
    while chars(&words) + 2 > Record::TITLE_MAX_CHARS && words.len() > 1 {
        words.pop();
    }
    if let [only] = words.as_mut_slice() {
        let end =
            only.as_str().char_indices().nth(Record::TITLE_MAX_CHARS - 2).map_or(only.as_str().len(), |(at, _)| at);
        *only = only.slice(0..end).unwrap_or_default();
    }
    words.push(Redacted::literal("…"));
    words
}

/// One line, without a full stop, and with a comma before what a rule rules out: `use pnpm, not npm`.
fn tidy(words: &[Redacted], kind: RecordKind) -> Redacted {
    let whole = Redacted::join(words, " ");
    let at = whole.as_str().find(" not ").filter(|at| *at > 0 && kind == RecordKind::Correction);
    let comma = at.filter(|at| {
        let before = whole.as_str().get(..*at).unwrap_or_default();
        let single = !before.ends_with([',', ';', ':'])
            && !before.ends_with(" and")
            && !before.ends_with(" but")
            && before.split(' ').next().is_some_and(is_rule_verb);
        single && whole.as_str().chars().count() < Record::TITLE_MAX_CHARS
    });
    let whole = match comma {
        Some(at) => {
            let parts = [whole.slice(0..at), whole.slice(at + 1..whole.as_str().len())];
            Redacted::join(&parts.map(Option::unwrap_or_default), ", ")
        }
        None => whole,
    };
    bare(&whole)
}

/// Verbs of a choice between two things, at the head of a rule.
fn is_rule_verb(word: &str) -> bool {
    ["use", "prefer", "put", "keep", "call", "write", "run", "take", "name"]
        .iter()
        .any(|verb| word.eq_ignore_ascii_case(verb))
}

/// A word's letters in lower case.
fn letters(word: &Redacted) -> String {
    word.as_str().trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// Without blanks and marks that part it from what stood before.
fn without_lead(text: &Redacted) -> Redacted {
    let whole = text.as_str();
    let start = whole.len() - whole.trim_start_matches([' ', '\n', '\r', ',', ':', ';', '-', '–', '—', '.', ')']).len();
    text.slice(start..whole.trim_end().len().max(start)).unwrap_or_default()
}

/// Without blanks and marks round it that end or open nothing.
fn bare(text: &Redacted) -> Redacted {
    let whole = text.as_str();
    let start =
        whole.len() - whole.trim_start_matches([' ', ',', ':', ';', '-', '–', '—', '(', ')', '[', ']', '.', '*']).len();
    let end = whole.trim_end_matches([' ', ',', ':', ';', '-', '–', '—', '(', '.', '!', '。', '！']).len();
    text.slice(start..end.max(start)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::{Message, Proposal, Speaker, propose};
    use super::RecordKind::{Correction, DeadEnd, Decision};
    use super::*;
    use crate::text::Redactor;

    fn proposals(speaker: Speaker, text: &str) -> Vec<Proposal> {
        let text = Redactor::new().redact(text);
        propose(&[Message { turn: String::from("t-1"), speaker, text, at: None }]).proposals
    }

    fn one(speaker: Speaker, kind: RecordKind, text: &str) -> Proposal {
        let found = proposals(speaker, text).into_iter().find(|proposal| proposal.kind == kind);
        found.unwrap_or_else(|| panic!("{text} states no {kind:?}"))
    }

    #[test]
    fn a_title_is_the_rule_without_what_leads_up_to_it() {
        for (said, title) in [
            ("no, use pnpm not npm", "use pnpm, not npm"),
            ("No, use pnpm, not npm.", "use pnpm, not npm"),
            ("nope, the id comes from the header, not the body", "the id comes from the header, not the body"),
            ("stop adding comments to the code!", "stop adding comments to the code"),
            ("actually, never commit to **main** directly", "never commit to main directly"),
            ("don't touch the generated client", "don't touch the generated client"),
        ] {
            assert_eq!(one(Speaker::Operator, Correction, said).title.as_str(), title);
        }
        let decision = one(Speaker::Operator, Decision, "ok, so we decided to keep `ledger.db`  in one file.");
        assert_eq!(decision.title.as_str(), "keep `ledger.db` in one file");
    }

    #[test]
    fn a_long_sentence_gives_the_clause_that_says_it() {
        let text = "The importer has been a source of trouble for quite a while now, and nobody wants to own it as it is: we \
                    decided to replace it with a streaming reader, which will take the rest of the month in any case.";
        let decision = one(Speaker::Agent, Decision, text);
        assert_eq!(
            decision.title.as_str(),
            "replace it with a streaming reader, which will take the rest of the month in any case"
        );
        assert_eq!(decision.quote.as_str(), text);
        let endless = format!("we decided to keep {}", "the very long name of it ".repeat(20));
        let title = one(Speaker::Agent, Decision, &endless).title;
        assert!(title.as_str().ends_with('…') && title.as_str().chars().count() <= Record::TITLE_MAX_CHARS, "{title}");
    }

    #[test]
    fn the_sentences_round_it_are_the_body() {
        let text = "The index grows too fast. We decided to compact it every night. Readers are idle then.";
        let decision = one(Speaker::Agent, Decision, text);
        assert_eq!(decision.quote.as_str(), "We decided to compact it every night.");
        assert_eq!(decision.body.as_str(), "The index grows too fast. … Readers are idle then.");
        assert!(one(Speaker::Agent, Decision, "We decided to compact the index every night.").body.is_empty());
        let apart = "The index grows.\n\n\n```\ncode\n```\n\nWe decided to compact the index every night.";
        assert!(one(Speaker::Agent, Decision, apart).body.is_empty(), "what stands apart is no neighbour");
    }

    #[test]
    fn a_decision_names_what_was_not_taken() {
        for (said, rejected) in [
            (
                "We went with a bounded channel instead of an unbounded one because the reader is slow.",
                "an unbounded one",
            ),
            ("We chose the token bucket over the leaky one.", "the leaky one"),
            ("Instead of redis we use a postgres queue, that was decided today.", "redis"),
            ("We decided to store cents, not floats.", "floats"),
            ("We'll use a lock rather than a lease.", "a lease"),
        ] {
            let found = one(Speaker::Agent, Decision, said).rejected;
            assert_eq!(found.iter().map(Redacted::as_str).collect::<Vec<_>>(), [rejected], "{said}");
        }
        assert!(one(Speaker::Agent, Decision, "We decided to store amounts as cents.").rejected.is_empty());
    }

    #[test]
    fn a_dead_end_names_when_it_is_worth_another_try() {
        for (said, condition) in [
            ("Sharding by tenant is not viable until the billing split lands.", "the billing split lands"),
            ("We abandoned the native driver, unless the vendor fixes its pool.", "the vendor fixes its pool"),
            ("Ruled out the edge cache; revisit once the quota is lifted.", "the quota is lifted"),
            ("We abandoned the native driver.", ""),
        ] {
            assert_eq!(one(Speaker::Agent, DeadEnd, said).revive_if.as_str(), condition, "{said}");
        }
    }

    #[test]
    fn a_correction_holds_where_the_sentence_says() {
        for (said, scope) in [
            ("no, don't use default exports in web/", "web/"),
            ("never use floats in `src/money/*.rs`.", "src/money/*.rs"),
            ("stop adding rules to *.css, they belong in the theme", "*.css"),
            ("no, use true/false and not on/off", ""),
            ("no, see https://example.invalid/a/b.rs instead of guessing", ""),
            ("no, don't write to /etc/hosts or ../other/", ""),
        ] {
            assert_eq!(one(Speaker::Operator, Correction, said).scope.as_str(), scope, "{said}");
        }
    }

    #[test]
    fn terms_are_the_matter_and_not_the_words_that_state() {
        let decision = one(Speaker::Agent, Decision, "We decided to keep the write-ahead log.");
        assert!(decision.terms.iter().any(|term| term == "log"));
        assert!(decision.terms.iter().all(|term| term != "decid" && term != "the"));
    }
}
