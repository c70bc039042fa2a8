//! Whether a sentence is meant: not laughed about, and not taken back by the sentence behind it.

use crate::text::fold;

/// Openings, folded, by which a sentence is no order: somebody laughs.
const LAUGHS: [&str; 10] = ["haha", "hahaha", "hehe", "lol", "lmao", "rofl", "jk", "jaja", "mdr", "kkk"];

/// Openings, folded, that take back what was said right before, and what they go on with does not matter.
const TAKES_BACK: [&str; 28] = [
    "hmm no",
    "no wait",
    "wait no",
    "actually no",
    "lol no",
    "haha no",
    "just kidding",
    "jk",
    "scratch that",
    "forget that",
    "forget it",
    "never mind",
    "nevermind",
    "ignore that",
    "on second thought",
    "no keep it",
    "nah",
    "quatsch",
    "doch nicht",
    "vergiss es",
    "mejor no",
    "olvidalo",
    "non finalement",
    "laisse tomber",
    "melhor nao",
    "esquece",
    "забудь",
    "хотя нет",
];

/// The same in scripts that put no blanks between words.
const TAKES_BACK_UNSPACED: [&str; 6] = ["算了", "还是不", "やっぱり", "いや、やめ", "아니다", "됐어"];

/// Whether a sentence is said with a laugh.
pub(super) fn is_laughed(sentence: &str) -> bool {
    let words = words(sentence);
    words.split(' ').next().is_some_and(|first| LAUGHS.contains(&first))
}

/// Whether a sentence ends with a clause that takes back its beginning: `always use X. lol no`, without a capital.
pub(super) fn takes_itself_back(sentence: &str) -> bool {
    let ends = sentence.match_indices(['.', '!', '?']).map(|(at, mark)| at + mark.len());
    ends.filter_map(|end| sentence.get(end..)).any(|rest| rest.starts_with(' ') && takes_back(rest))
}

/// Whether a sentence takes back the one before it.
pub(super) fn takes_back(sentence: &str) -> bool {
    let words = words(sentence);
    let opens_with =
        |phrase: &&str| words.strip_prefix(*phrase).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    TAKES_BACK.iter().any(opens_with)
        || TAKES_BACK_UNSPACED.iter().any(|phrase| sentence.trim_start().starts_with(phrase))
}

/// The words at the head of a sentence, folded, with one blank between them.
fn words(sentence: &str) -> String {
    const MOST: usize = 6;
    let folded = fold(sentence);
    let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(MOST).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_laughed_about_is_not_meant() {
        assert!(is_laughed("haha, never do that on a Friday") && is_laughed("LOL use Oracle"));
        assert!(!is_laughed("never laugh") && !is_laughed(""));
    }

    #[test]
    fn a_sentence_may_take_back_the_one_before() {
        for said in ["hmm, no, keep it", "lol no", "Never mind.", "scratch that, we keep it", "Quatsch!", "算了，留着"]
        {
            assert!(takes_back(said), "{said}");
        }
        assert!(takes_itself_back("use Oracle. lol no") && !takes_itself_back("use Oracle.lol no. it is fast"));
        for said in ["no, use pnpm", "Never mind the gap", "nahrung", "", "keep it"] {
            assert_eq!(takes_back(said), said.starts_with("Never mind"), "{said}");
        }
    }
}
