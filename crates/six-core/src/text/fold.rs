//! Folding: what differs only in case, accents or width becomes equal.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

use super::script::{Class, class, cluster_end};

/// A base character with more marks than this is noise; the rest of them is dropped unread.
const MAX_CLUSTER_CHARS: usize = 32;

/// `text` in lower case, without accents, in one width: `Élan` → `elan`, `ﾃｽﾄ` → `テスト`, `Straße` → `strasse`.
///
/// Punctuation and blanks stay, combining marks vanish in every script. Korean syllables and voiced kana stay composed.
pub fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return if text.bytes().any(|b| b.is_ascii_uppercase()) {
            Cow::Owned(text.to_ascii_lowercase())
        } else {
            Cow::Borrowed(text)
        };
    }
    let mut folded = String::with_capacity(text.len());
    for_each_cluster(text, |cluster, first| match class(first) {
        Class::Word | Class::Dense => fold_cluster(cluster, &mut folded),
        Class::Other => folded.push(first),
        Class::Extend => {}
    });
    Cow::Owned(folded)
}

/// Appends one word, folded; marks and joiners in it are dropped.
pub(crate) fn fold_word(word: &str, out: &mut String) {
    if word.is_ascii() {
        let from = out.len();
        out.push_str(word);
        if let Some(added) = out.get_mut(from..) {
            added.make_ascii_lowercase();
        }
        return;
    }
    for_each_cluster(word, |cluster, first| {
        if first.is_ascii_alphanumeric() {
            out.push(first.to_ascii_lowercase());
        } else if !first.is_ascii() {
            fold_cluster(cluster, out);
        }
    });
}

fn for_each_cluster(text: &str, mut visit: impl FnMut(&str, char)) {
    let mut at = 0;
    while at < text.len() {
        let end = cluster_end(text, at);
        if let Some((cluster, first)) = text.get(at..end).and_then(|c| Some((c, c.chars().next()?))) {
            visit(cluster, first);
        }
        at = end;
    }
}

/// Appends one cluster: composed, then stripped of what is left of its marks unless the script needs them.
pub(crate) fn fold_cluster(cluster: &str, out: &mut String) {
    for composed in cluster.chars().take(MAX_CLUSTER_CHARS).nfkc() {
        if class(composed) == Class::Dense {
            out.push(composed);
        } else {
            std::iter::once(composed).nfd().flat_map(char::to_lowercase).for_each(|c| push_letter(c, out));
        }
    }
}

/// Letters that have a plain spelling but no decomposition in Unicode.
fn push_letter(c: char, out: &mut String) {
    match c {
        'ß' => out.push_str("ss"),
        'æ' => out.push_str("ae"),
        'œ' => out.push_str("oe"),
        'þ' => out.push_str("th"),
        'ø' => out.push('o'),
        'đ' | 'ð' => out.push('d'),
        'ł' => out.push('l'),
        'ħ' => out.push('h'),
        'ŧ' => out.push('t'),
        'ı' => out.push('i'),
        'ς' => out.push('σ'),
        // The tatweel only stretches an Arabic word.
        '\u{0640}' => {}
        _ if matches!(class(c), Class::Word | Class::Dense) => out.push(c),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn accents_case_and_width_fold_away() {
        for (text, folded) in [
            ("Élan Ångström", "elan angstrom"),
            ("e\u{301}te\u{301}", "ete"),
            ("Straße STRASSE", "strasse strasse"),
            ("ΟΔΟΣ οδός", "οδοσ οδοσ"),
            ("Ёлка", "елка"),
            ("İstanbul ılık", "istanbul ilik"),
            ("ＡＢＣ１２", "abc12"),
            ("Łódź, Ærø", "lodz, aero"),
            ("كِتَابـــ", "كتاب"),
        ] {
            assert_eq!(fold(text), folded, "{text}");
        }
    }

    #[test]
    fn korean_and_voiced_kana_stay_composed() {
        assert_eq!(fold("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"), "한글");
        assert_eq!(fold("が か\u{3099} ｶﾞ"), "が が ガ");
    }

    #[test]
    fn plain_text_is_not_copied() {
        assert!(matches!(fold("plain text"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_megabyte_of_marks_is_one_letter() {
        assert_eq!(fold(&format!("a{}b", "\u{301}".repeat(500_000))), "ab");
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing(text in any::<String>()) {
            let once = fold(&text).into_owned();
            prop_assert_eq!(fold(&once), once.as_str());
        }
    }
}
