//! What of two records, or of a record and a proposal, is compared, of whatever kinds they are.

use super::Likeness;
use crate::record::{Record, RecordKind};

/// Terms that a title needs to stand for its sentence: fewer are a matter, and no claim about it.
const TELLING_TITLE: usize = 3;

/// What a record or a proposal says: by its title, and by the sentence that it came from, whichever is nearer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    kind: RecordKind,
    title: Likeness,
    quote: Likeness,
}

impl Claim {
    /// Of a record.
    pub fn of(record: &Record) -> Self {
        Self::new(record.kind, record.title.as_str(), record.quote.as_str())
    }

    pub(super) fn new(kind: RecordKind, title: &str, quote: &str) -> Self {
        Self { kind, title: Likeness::of(title, quote), quote: Likeness::of(quote, "") }
    }

    /// Whether both are about one matter, of whatever kinds.
    pub fn is_similar(&self, other: &Self) -> bool {
        self.pairs(other).any(|(one, other)| one.is_similar(other))
    }

    /// Whether both say nearly the same.
    pub fn is_same(&self, other: &Self) -> bool {
        self.says(other, true)
    }

    /// Whether a proposal says this again. Its title is made of a part of its sentence, and counts where it has words
    /// enough to stand for it.
    pub(super) fn is_repeated_by(&self, proposed: &Self) -> bool {
        self.says(proposed, proposed.title.terms() >= TELLING_TITLE)
    }

    /// The title of a dead end names what failed as if it were so: with another kind its sentence alone counts.
    fn says(&self, other: &Self, by_its_title: bool) -> bool {
        let by_titles = (self.kind == RecordKind::DeadEnd) == (other.kind == RecordKind::DeadEnd);
        let is_quoted = || by_titles && self.title.is_same(&other.quote);
        let is_titled =
            || by_titles && by_its_title && [&self.title, &self.quote].iter().any(|one| one.is_same(&other.title));
        self.quote.is_same(&other.quote) || is_quoted() || is_titled()
    }

    /// Shared terms among all that either has, 0.0 to 1.0, of what is nearest.
    pub fn closeness(&self, other: &Self) -> f64 {
        self.pairs(other).map(|(one, other)| one.closeness(other)).fold(0.0, f64::max)
    }

    fn pairs<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (&'a Likeness, &'a Likeness)> {
        [
            (&self.title, &other.title),
            (&self.quote, &other.quote),
            (&self.title, &other.quote),
            (&self.quote, &other.title),
        ]
        .into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curate::sample::pending;
    use crate::record::Origin;
    use crate::text::Redactor;

    fn claim(kind: RecordKind, title: &str, quote: &str) -> Claim {
        let quote = Redactor::new().redact(quote);
        Claim::of(&Record { quote, ..pending("r", kind, Origin::Operator, title) })
    }

    #[test]
    fn one_sentence_under_two_kinds_says_the_same() {
        const SAID: &str = "we use pnpm in the workspace, never npm";
        let rule = claim(RecordKind::Correction, "use pnpm, never npm", SAID);
        let decision = claim(RecordKind::Decision, "pnpm it is", SAID);
        assert!(rule.is_same(&decision) && rule.is_similar(&decision));
    }

    #[test]
    fn an_edited_title_leaves_the_sentence_to_be_compared() {
        let edited = claim(RecordKind::Decision, "Mails", "we keep the outbox relay for mails");
        let again = claim(RecordKind::Decision, "keep the outbox relay for mails", "");
        assert!(edited.is_same(&again) && again.is_same(&edited));
    }

    #[test]
    fn what_failed_is_similar_to_what_is_so_and_not_the_same() {
        let failed =
            claim(RecordKind::DeadEnd, "Prophet for the demand forecast", "Prophet was too slow to train daily");
        let kept =
            claim(RecordKind::Decision, "Prophet for the demand forecast", "we keep Prophet for the demand forecast");
        assert!(failed.is_similar(&kept) && !failed.is_same(&kept));
    }
}
