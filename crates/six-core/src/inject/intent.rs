//! What a prompt is about to do: build, investigate, decide.
//!
//! A deterministic reading in three steps. A text is split into clauses (`clause.rs`). A clause shows signs of named kinds
//! by the words of its language (`lexicon.rs`): it is read from its head, so `add a test` orders a change and `the add
//! button` doesn't, and frames, negations, questions and conditions say how the verb behind them is meant. The signs of
//! all clauses, and some of the text as a whole, are weighed by one table (`weights.rs`): the intent with the highest sum
//! is reported when that is above its threshold.

mod dense;
mod inflected;
mod ranked;
mod reading;
mod sign;
mod spaced;
mod weights;

use serde::{Deserialize, Serialize};

use super::clause::{OPAQUE, clauses};
use super::lexicon::{Cues, EN, ExtraWords, Lexicon, Words, lexicon_for};
use super::prose::mask_quoted;
use dense::read_dense;
use inflected::read_inflected;
use ranked::rank;
use reading::{Reading, signs_of};
use sign::Sign;
use spaced::read_spaced;
use weights::{THRESHOLDS, WEIGHTS};

/// What a human turn intends. None of these means that nothing is retrieved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Intent {
    /// Wants code, documents, configuration made or changed.
    Build,
    /// Wants to find out, debug, check, explain, review.
    Investigate,
    /// Weighs options, asks for a choice, states a design choice.
    Decide,
}

impl Intent {
    /// All intents, in the order in which they are listed.
    pub const ALL: [Self; 3] = [Self::Build, Self::Investigate, Self::Decide];

    /// The name in receipts and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Investigate => "investigate",
            Self::Decide => "decide",
        }
    }
}

/// The intents of a text, each with the words that showed it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Intents(Vec<(Intent, Vec<String>)>);

impl Intents {
    /// Whether the text intends this.
    pub fn has(&self, intent: Intent) -> bool {
        self.0.iter().any(|(found, _)| *found == intent)
    }

    /// Whether it intends nothing that six acts on.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Intents in the order of [`Intent::ALL`], with distinct words in the order of the text.
    pub fn into_found(self) -> Vec<(Intent, Vec<String>)> {
        self.0
    }
}

/// Judges a person's own words. Bounded by the text's length, which the caller bounds.
pub fn judge_intents(text: &str) -> Intents {
    judge_intents_with(text, None)
}

/// The same with words that a project adds.
pub fn judge_intents_with(text: &str, extra: Option<&ExtraWords>) -> Intents {
    let clauses = clauses(&mask_quoted(text, OPAQUE));
    let words = Words::of(&clauses, extra);
    if words.own.is_english() {
        return weigh(&clauses.iter().map(|clause| read_spaced(clause, words)).collect::<Vec<_>>());
    }
    let read = if words.own.spaced { read_inflected } else { read_dense };
    rank(&clauses.iter().map(|clause| read(clause, words)).collect::<Vec<_>>())
}

/// The words of a prompt's language that show intent, and therefore say nothing about a matter.
pub(super) struct Vocabulary(&'static Lexicon);

impl Vocabulary {
    /// That of the language of this text.
    pub(super) fn of(text: &str) -> Self {
        Self(lexicon_for(text))
    }

    /// That of English.
    pub(super) const fn english() -> Self {
        Self(&EN)
    }

    /// Whether a word, in lower case, belongs to it.
    pub(super) fn has(&self, word: &str) -> bool {
        self.0.cues(word).is_some_and(|cues| cues.any(ABOUT))
    }
}

const ABOUT: Cues = Cues::BUILD
    .and(Cues::INVESTIGATE)
    .and(Cues::GLANCE)
    .and(Cues::DECIDE)
    .and(Cues::SETTLE)
    .and(Cues::PREFER)
    .and(Cues::OPINION)
    .and(Cues::LEAN)
    .and(Cues::LIGHT);

/// Words per intent that a receipt keeps.
const MAX_WORDS: usize = 8;

/// The intent with the highest sum, if that is above its threshold. Where one is told to find out and to change, both.
fn weigh(readings: &[Reading<'_>]) -> Intents {
    let signs = signs_of(readings);
    let mut above = THRESHOLDS.map(|threshold| -threshold);
    for (_, weights) in WEIGHTS.iter().filter(|(sign, _)| signs.has(*sign)) {
        for (sum, weight) in above.iter_mut().zip(weights) {
            *sum += weight;
        }
    }
    let best = above.into_iter().max().unwrap_or_default();
    let both = signs.has(Sign::Change) && signs.has(Sign::Find);
    let found = Intent::ALL
        .into_iter()
        .zip(above)
        .enumerate()
        .filter(|(_, (intent, sum))| *sum > 0 && (*sum == best || (both && *intent != Intent::Decide)));
    let words = |at| match shown(readings, at) {
        words if !words.is_empty() => words,
        _ if signs.has(Sign::Output) => vec!["pasted output".to_owned()],
        _ => vec!["whole text".to_owned()],
    };
    Intents(found.map(|(at, (intent, _))| (intent, words(at))).collect())
}

/// The words whose signs speak for the intent at this place of the table. What shows in no word is said of the text.
fn shown(readings: &[Reading<'_>], intent: usize) -> Vec<String> {
    let speaks = |sign: Sign| {
        WEIGHTS.iter().any(|(known, weights)| *known == sign && weights.get(intent).is_some_and(|weight| *weight > 0))
    };
    let mut words: Vec<String> = Vec::new();
    for (_, word) in readings.iter().flat_map(|reading| &reading.noted).filter(|(sign, _)| speaks(*sign)) {
        if words.len() < MAX_WORDS && !words.iter().any(|known| known == word) {
            words.push((*word).to_owned());
        }
    }
    words
}

#[cfg(test)]
mod languages;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn intents(text: &str) -> Vec<Intent> {
        judge_intents(text).into_found().into_iter().map(|(intent, _)| intent).collect()
    }

    fn all_are(intent: Option<Intent>, prompts: &[&str]) {
        for prompt in prompts {
            assert_eq!(intents(prompt), Vec::from_iter(intent), "{prompt}");
        }
    }

    #[test]
    fn an_order_at_the_head_or_behind_a_frame_builds() {
        all_are(
            Some(Intent::Build),
            &[
                "add a retry to the upload",
                "Please rename the module.",
                "ok, can you write a test for the parser?",
                "the parser is slow, let's rewrite it",
                "I'd like you to implement paging",
                "we need to remove the old flag",
                "when it is done, update the docs",
                "the import fails for empty rows, please fix it",
                "would you be so kind as to split the handler",
                "shorter",
                "cache the lookups",
                "now the same for the importer: add a test",
                "commit, then add a test",
                "let's clean up the fixtures and then push",
            ],
        );
    }

    #[test]
    fn how_something_has_to_be_builds() {
        all_are(
            Some(Intent::Build),
            &[
                "the drawer should close when one clicks beside it",
                "it must not block the main thread",
                "would be nice if the list remembered its order",
                "Medium severity: the handler swallows the cause. Consider returning it instead.",
                "Is there a chance to have the tool read its token from a file?",
            ],
        );
    }

    #[test]
    fn nouns_reports_and_other_words_order_nothing() {
        all_are(
            None,
            &[
                "the add button",
                "I added the retry",
                "the developer",
                "rewriters and addenda",
                "the docs say \"delete the file\"",
                "`remove()`",
                "```\nadd a cache\n```",
            ],
        );
    }

    #[test]
    fn questions_investigate() {
        all_are(
            Some(Intent::Investigate),
            &[
                "why does the upload retry?",
                "how do we add a retry",
                "did we fix the comment?",
                "is the cache used anywhere?",
                "where is the timeout set",
                "what is the difference between the two queues?",
                "the cache is only filled once, right?",
                "which version introduced the flag?",
            ],
        );
    }

    #[test]
    fn orders_to_find_out_investigate() {
        all_are(
            Some(Intent::Investigate),
            &[
                "review the branch",
                "can you check whether the index is used",
                "please explain the retry logic",
                "find out which test leaks the handle",
                "do a security review of the upload",
                "write me a short summary of the open problems",
                "compare the two parsers",
            ],
        );
    }

    #[test]
    fn trouble_and_pasted_output_investigate() {
        all_are(
            Some(Intent::Investigate),
            &[
                "the tests are failing now",
                "still broken",
                "I get a timeout on every second request",
                "since the upgrade the list stays empty and nothing is logged, it worked yesterday",
                "=== RUN a_1\n=== RUN b_2\n=== RUN c_3\n",
                "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    raise ValueError(name)\nValueError: x",
            ],
        );
    }

    #[test]
    fn weighing_and_asking_for_a_choice_decide() {
        all_are(
            Some(Intent::Decide),
            &[
                "should we use a queue or a table?",
                "what are our options?",
                "I wonder if we can simplify it",
                "should it live in the store?",
                "what do you think, is that overkill?",
                "why not just poll?",
                "how about one file per day?",
                "tabs or a sidebar?",
                "which of the two would you take?",
            ],
        );
    }

    #[test]
    fn opinions_and_choices_decide() {
        all_are(
            Some(Intent::Decide),
            &[
                "I think by file is too much",
                "I'd rather have one table per tenant",
                "my gut says that this is overkill",
                "I think the queue belongs in the worker, that's cleaner",
            ],
        );
    }

    #[test]
    fn acknowledgements_operations_and_answers_have_no_intent() {
        all_are(
            None,
            &[
                "yes",
                "2",
                "B)",
                "commit and push",
                "go ahead",
                "run the server",
                "open a PR",
                "create a branch",
                "don't add a cache",
                "lgtm",
                "looks good, thanks!",
                "yes, let's do that",
                "let's go with B",
                "wait",
                "",
            ],
        );
        all_are(None, &["we had a lint error, commit it please"]);
    }

    #[test]
    fn clauses_are_judged_apart() {
        assert_eq!(intents("don't touch the parser, add a cache"), [Intent::Build]);
        assert_eq!(intents("debug the crash and fix it"), [Intent::Build, Intent::Investigate]);
        assert_eq!(intents("yesterday we added the parser; why does it drop lines?"), [Intent::Investigate]);
        assert_eq!(intents("run the tests and tell me why they fail"), [Intent::Investigate]);
    }

    #[test]
    fn words_of_a_project_count() {
        let extra = ExtraWords::parse("[build]\nfrobnicate");
        let found = judge_intents_with("frobnicate the parser", Some(&extra)).into_found();
        assert_eq!(found, [(Intent::Build, vec!["frobnicate".to_owned()])]);
        assert!(judge_intents("frobnicate the parser").is_empty());
    }

    #[test]
    fn other_languages_are_read_by_their_own_words() {
        all_are(
            Some(Intent::Build),
            &[
                "bitte füge einen Cache zu der Suche hinzu",
                "arregla la conexión del servidor por favor",
                "corrige le module de paiement et ajoute des tests",
                "corrija o cálculo na tela de login",
                "исправь парсер",
                "帮我写一个解析器",
                "検索機能を追加してください",
                "검색 기능을 추가해줘",
            ],
        );
        all_are(
            Some(Intent::Investigate),
            &["warum ist die Suche langsam?", "почему не работает поиск?", "为什么这么慢？"],
        );
        all_are(None, &["提交一下", "커밋해줘", "コミットしてください"]);
    }

    #[test]
    fn the_words_that_showed_an_intent_are_kept() {
        let found = judge_intents("please add a cache and update the docs").into_found();
        assert_eq!(found, [(Intent::Build, vec!["add".to_owned(), "update".to_owned()])]);
    }

    proptest! {
        #[test]
        fn every_text_is_judged(text in "(\\PC|add |why |\n|\"|`|\\?){0,80}") {
            let found = judge_intents(&text).into_found();
            prop_assert!(found.iter().all(|(_, words)| (1..=MAX_WORDS).contains(&words.len())));
        }
    }
}
