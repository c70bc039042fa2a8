//! Sentences within a sentence: in a chat one begins in lower case, too.

/// Words behind which a full stop ends nothing, in lower case and without it.
const ABBREVIATIONS: &[&str] = &[
    "e.g", "i.e", "eg", "ie", "etc", "vs", "approx", "incl", "excl", "resp", "cf", "al", "fig", "nr", "no", "ca",
    "bzw", "usw", "ggf", "evtl", "bspw", "inkl", "vgl", "sog", "z.b", "d.h", "u.a", "p.ej", "p.ex", "ej", "ex", "т.е",
    "т.д", "др", "max", "min", "st", "mr", "mrs", "dr",
];

/// First bytes of the sentences that begin in lower case behind a full stop, outside quotations.
pub(super) fn stops(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut quotes = 0_usize;
    let mut from = 0;
    for (at, c) in text.char_indices() {
        if matches!(c, '"' | '`' | '“' | '”') {
            quotes += 1;
        }
        let behind = text.get(at + c.len_utf8()..).unwrap_or_default();
        if c != '.' || quotes % 2 == 1 || !behind.starts_with(char::is_whitespace) {
            continue;
        }
        let next = behind.trim_start();
        let word = text.get(from..at).and_then(|before| before.split_whitespace().next_back()).unwrap_or_default();
        if next.starts_with(char::is_lowercase) && ends_sentence(word) {
            from = text.len() - next.len();
            found.push(from);
        }
    }
    found
}

fn ends_sentence(word: &str) -> bool {
    let word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_number = !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    let lower = word.to_lowercase();
    word.chars().nth(1).is_some() && !is_number && !word.ends_with('.') && !ABBREVIATIONS.contains(&lower.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<&str> {
        let mut ends = stops(text);
        ends.push(text.len());
        ends.iter().scan(0, |from, end| Some(text[std::mem::replace(from, *end)..*end].trim())).collect()
    }

    #[test]
    fn a_sentence_of_a_chat_begins_in_lower_case() {
        assert_eq!(parts("damn. so it is dead. drop it"), ["damn.", "so it is dead.", "drop it"]);
        assert_eq!(parts("keep main.rs. never split it"), ["keep main.rs.", "never split it"]);
    }

    #[test]
    fn abbreviations_names_numbers_and_quotations_end_nothing() {
        for text in [
            "use a lock, e.g. one of pg, for it",
            "see main.rs and foo.ts",
            "step 2. then go",
            "stop saying \"done. next one\" all the time",
            "well... maybe not",
            "z. b. so",
            "Tests bzw. checks",
        ] {
            assert_eq!(parts(text), [text]);
        }
    }
}
