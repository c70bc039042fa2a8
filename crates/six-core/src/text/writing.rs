//! In which script a text is written, as far as that tells its language.

/// A script by which a language is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writing {
    Cyrillic,
    Chinese,
    Japanese,
    Korean,
}

/// A character of some scripts says as much as several letters, and names among them are Latin in any language: one in
/// nine is enough.
const LATIN_FOR_ONE: usize = 8;

/// The script of a text; `None` for Latin and for what is not known.
pub(crate) fn writing_of(text: impl Iterator<Item = char>) -> Option<Writing> {
    let (mut latin, mut cyrillic, mut han, mut kana, mut hangul) = (0_usize, 0_usize, 0_usize, 0_usize, 0_usize);
    for c in text {
        match c {
            'a'..='z' | 'A'..='Z' | '\u{df}'..='\u{24f}' => latin += 1,
            '\u{400}'..='\u{4ff}' => cyrillic += 1,
            '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' => han += 1,
            '\u{3040}'..='\u{30ff}' => kana += 1,
            '\u{ac00}'..='\u{d7a3}' | '\u{3131}'..='\u{318e}' => hangul += 1,
            _ => {}
        }
    }
    let dense = han + kana + hangul;
    if dense * LATIN_FOR_ONE > latin {
        return Some(if hangul * 2 > dense {
            Writing::Korean
        } else if kana * 8 > dense {
            Writing::Japanese
        } else {
            Writing::Chinese
        });
    }
    (cyrillic * LATIN_FOR_ONE > latin).then_some(Writing::Cyrillic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_told_with_latin_names_among_its_characters() {
        for (text, writing) in [
            ("оставляем Postgres", Some(Writing::Cyrillic)),
            ("用 Postgres 存队列", Some(Writing::Chinese)),
            ("キューは Postgres にします", Some(Writing::Japanese)),
            ("큐는 Postgres 로 하자", Some(Writing::Korean)),
            ("keep the outbox in Postgres for good, says 王", None),
            ("größe", None),
            ("", None),
        ] {
            assert_eq!(writing_of(text.chars()), writing, "{text}");
        }
    }
}
