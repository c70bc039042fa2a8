//! What was said round a sentence.

use crate::text::cut::floor_char_boundary;
use crate::text::{cut_bytes, one_line, sentences};

/// Bytes of each neighbour that are shown.
const MAX_BYTES: usize = 400;

/// The sentences before and after `quote` in the message that it was taken from; empty where there is none, or where the
/// message does not have it. Blanks and line ends are not compared: a quote may have been joined where the message was
/// wrapped.
pub fn neighbours(message: &str, quote: &str) -> (String, String) {
    let quote = one_line(quote);
    if quote.is_empty() {
        return <_>::default();
    }
    let all: Vec<String> = sentences(message).map(|range| one_line(message.get(range).unwrap_or_default())).collect();
    let Some(first) = all.iter().position(|one| one.contains(&quote) || quote.starts_with(one.as_str())) else {
        return <_>::default();
    };
    let after = all.iter().skip(first + 1).find(|one| !quote.contains(one.as_str()));
    let before = first.checked_sub(1).and_then(|at| all.get(at));
    (before.map_or_else(String::new, |one| end_of(one)), after.map_or_else(String::new, |one| start_of(one)))
}

fn start_of(sentence: &str) -> String {
    let cut = cut_bytes(sentence, MAX_BYTES);
    if cut.len() < sentence.len() { format!("{cut}…") } else { cut.to_owned() }
}

/// What stands before a sentence matters from its end.
fn end_of(sentence: &str) -> String {
    let Some(over) = sentence.len().checked_sub(MAX_BYTES).filter(|over| *over > 0) else {
        return sentence.to_owned();
    };
    format!("…{}", sentence.get(floor_char_boundary(sentence, over)..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MESSAGE: &str = "The relay lost mails again. We decided to keep the outbox because it survives a restart\nof \
                           the relay. Next is the queue.";

    #[test]
    fn the_sentences_round_a_quote_are_told() {
        let quote = "We decided to keep the outbox because it survives a restart of the relay.";
        assert_eq!(neighbours(MESSAGE, quote), ("The relay lost mails again.".into(), "Next is the queue.".into()));
    }

    #[test]
    fn a_quote_at_the_edge_has_one_neighbour_and_a_part_of_a_sentence_has_those_of_the_sentence() {
        assert_eq!(neighbours(MESSAGE, "The relay lost mails again.").0, "");
        assert_eq!(neighbours(MESSAGE, "keep the outbox").1, "Next is the queue.");
    }

    #[test]
    fn a_quote_of_several_sentences_ends_behind_the_last() {
        let found = neighbours("One is here. Two is here. Three is here. Four is here.", "Two is here. Three is here.");
        assert_eq!(found, ("One is here.".to_owned(), "Four is here.".to_owned()));
    }

    #[test]
    fn what_the_message_does_not_have_has_no_neighbours() {
        for quote in ["", " ", "We never said that."] {
            assert_eq!(neighbours(MESSAGE, quote), <(String, String)>::default());
        }
    }

    #[test]
    fn long_neighbours_are_cut_on_the_side_away_from_the_quote() {
        let message = format!("{}first. Keep it. Last {}", "ü".repeat(900), "ä".repeat(900));
        let (before, after) = neighbours(&message, "Keep it.");
        assert!(before.starts_with('…') && before.ends_with("first.") && before.len() < 420, "{before}");
        assert!(after.starts_with("Last") && after.ends_with('…') && after.len() < 420, "{after}");
    }

    proptest! {
        #[test]
        fn any_message_and_any_quote_have_an_answer(message in "\\PC{0,200}", quote in "\\PC{0,40}") {
            neighbours(&message, &quote);
        }
    }
}
