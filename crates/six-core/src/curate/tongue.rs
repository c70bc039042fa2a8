//! In which language a text is written, and so with which list it is read.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::cue::{CueList, Cues, LATIN, cues_of};
use super::reading::Reading;
use crate::text::{Writing, writing_of};

/// Words up to which a text may be too short to tell its language by small words.
const FEW_WORDS: usize = 14;

/// Words by which a language is told: a few sentences do.
const TELLING_WORDS: usize = 48;

/// What stands in many languages or says nothing of one.
const ANYWHERE: Cues = Cues::FILLER.and(Cues::OPERATE).and(Cues::PLAIN).and(Cues::HEDGE).and(Cues::DONE);

/// Small words of each language in Latin script, in the order of [`LATIN`], and letters that the others do not have. They
/// are compared between marks of any sort, so that `don't` is two.
const SMALL: [(&str, &[char]); LATIN.len()] = [
    (
        "the a an to and of is it its in for that this these those with on be not we you i are was as should would can will \
         if but let don doesn isn ll use by from at or so then when what why how which no yes do does have has my our your \
         instead than make keep add they there please just only all",
        &[],
    ),
    (
        "der das und nicht ist ein eine einen einem einer eines wir ich mit auf für zu den dem statt von im ins am sind auch \
         noch nur wie aber bitte nein kein keine keinen sich wird werden soll sollen bei nach aus hat haben habe doch mal \
         dann jetzt zum zur als wenn weil dass lass uns immer nie nicht du dir mir mich er sie es vom über beim damit da \
         ob oder war warum hier muss kann nehmen schon ja",
        &['ä', 'ö', 'ü', 'ß'],
    ),
    (
        "el la los las de que en y no un una con por para es se lo al del está están pero más como si este esta eso esto \
         hay vez mejor usa usar usamos vamos ya nos le su sin porque cuando siempre nunca aquí qué ni son fue ha hemos \
         muy todo todos solo sobre hasta desde ser esa ese te me mi a antes queda",
        &['ñ', '¿', '¡', 'ú', 'í'],
    ),
    (
        "le la les de des du un une et est pas que qui pour dans en au aux avec sur on nous je il elle ne ce cette ça c l d n \
         j qu plutôt plus par sont ou mais vous tu te se sa son ses lieu sans toujours jamais fait faire faut y a si alors \
         donc comme tout tous être été ai avons mets utilise trop où",
        &['è', 'ê', 'ù', 'œ', 'î', 'û', 'ç'],
    ),
    (
        "o os as um uma de que não e com para por em do da dos das no na nos nas se mais mas está é isso este esta esse essa \
         ao à pra vez vamos use usar ficar já nunca sempre porque quando sem só também foi são ser ter tem eu você a gente \
         nem pelo pela melhor lugar num numa até a me lhe antes fica",
        &['ã', 'õ', 'ç', 'ê', 'ô', 'í', 'ú'],
    ),
];

/// The languages of each small word: a bit for each of [`SMALL`].
static SMALL_WORDS: LazyLock<HashMap<&str, u8>> = LazyLock::new(|| {
    let mut languages: HashMap<&str, u8> = HashMap::new();
    for (at, (small, _)) in SMALL.iter().enumerate() {
        small.split(' ').for_each(|word| *languages.entry(word).or_default() |= 1 << at);
    }
    languages
});

/// The list of the language that a text, in which quotations are masked, is written in; none for a language without one.
///
/// A few words in Latin script (`Verwende pnpm statt npm`) may have no small word that tells: there the list counts that
/// knows most of them by their letters, if that is more than twice what the likeliest knows.
pub(super) fn cues_for(masked: &str) -> Option<&'static CueList> {
    if let Some(writing) = writing_of(masked.chars()) {
        return cues_of(match writing {
            Writing::Cyrillic => "ru",
            Writing::Chinese => "zh",
            Writing::Japanese => "ja",
            Writing::Korean => "ko",
        });
    }
    let scores = latin_scores(masked);
    let best = scores.into_iter().max().unwrap_or_default();
    let likely = scores.iter().position(|score| *score == best).and_then(|at| LATIN.get(at)).copied().unwrap_or("en");
    let list = cues_of(likely)?;
    let told = scores.iter().filter(|score| **score == best).count() == 1;
    if told || masked.split_whitespace().nth(FEW_WORDS).is_some() {
        return Some(list);
    }
    let own = known(masked, list, Cues::OPERATE);
    let others =
        LATIN.iter().filter_map(|language| cues_of(language)).map(|list| (known(masked, list, ANYWHERE), list));
    let best = others.filter(|(letters, _)| *letters > own * 2).max_by_key(|(letters, _)| *letters);
    Some(best.map_or(list, |(_, list)| list))
}

/// How many small words and letters of each language in Latin script the beginning of a text has.
fn latin_scores(text: &str) -> [usize; LATIN.len()] {
    let mut scores = [0; LATIN.len()];
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    for word in words.take(TELLING_WORDS).map(str::to_lowercase) {
        let languages = SMALL_WORDS.get(word.as_str()).copied().unwrap_or_default();
        for (at, (score, (_, letters))) in scores.iter_mut().zip(SMALL).enumerate() {
            *score += usize::from(languages & (1 << at) != 0);
            *score += usize::from(!word.is_ascii() && word.contains(letters));
        }
    }
    scores
}

/// Letters of the phrases that a list knows, without those that do one of `but`.
fn known(masked: &str, list: &CueList, but: Cues) -> usize {
    let reading = Reading::of(masked, list);
    let telling = reading.found.iter().filter(|found| !found.cues.any(but) && !found.gapped);
    telling.map(|found| found.end - found.start).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_told_by_its_script_or_its_small_words() {
        for (language, text) in [
            ("en", "I'd rather keep the cache in memory"),
            ("de", "wir bleiben bei einer Datei, das reicht"),
            ("es", "vamos con una sola tabla por cliente"),
            ("fr", "on garde une seule table par client"),
            ("pt", "a gente fica com uma tabela só por cliente"),
            ("ru", "оставляем одну таблицу на клиента"),
            ("zh", "我们决定用 sqlite 存队列"),
            ("ja", "キューは sqlite にします"),
            ("ko", "큐는 sqlite 로 하자"),
        ] {
            let list = cues_for(text).map(std::ptr::from_ref);
            assert_eq!(list, cues_of(language).map(std::ptr::from_ref), "{text}");
        }
    }

    #[test]
    fn a_short_order_without_a_small_word_is_told_by_what_the_lists_know() {
        let list = cues_for("Verwende pnpm statt npm").map(std::ptr::from_ref);
        assert_eq!(list, cues_of("de").map(std::ptr::from_ref));
        let list = cues_for("pnpm").map(std::ptr::from_ref);
        assert_eq!(list, cues_of("en").map(std::ptr::from_ref), "what tells nothing is read as English");
    }
}
