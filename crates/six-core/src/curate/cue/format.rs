//! The format of a list of cues, read when six is built.

use super::marks::{Edge, Marks, Place};
use super::{Endings, Spelling};

/// A phrase and the sections in which it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Phrase<'a> {
    pub(crate) head: String,
    /// The words behind its gap; empty for a phrase without one.
    pub(crate) tail: String,
    pub(crate) marks: Marks,
    pub(crate) sections: Vec<&'a str>,
}

/// The phrases of a list, each once, sorted by their heads; those with one head in the order of the list.
pub(crate) fn parse_phrases(list: &str, spelling: Spelling) -> Vec<Phrase<'_>> {
    let mut phrases = Vec::new();
    let mut endings = Endings::default();
    let mut section = "";
    for line in list.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name;
        } else if section == "endings" {
            endings.add(line);
        } else if !section.is_empty() {
            for phrase in line.split(',').map(str::trim).filter(|phrase| !phrase.is_empty()) {
                for form in endings.forms(phrase) {
                    phrases.extend(parse_phrase(&spelling.listed(&form), section));
                    phrases.extend(spelling.without_marks(&form).and_then(|plain| parse_phrase(&plain, section)));
                }
            }
        }
    }
    phrases.sort_by(|one: &Phrase<'_>, other| one.head.cmp(&other.head));
    merged(phrases)
}

fn parse_phrase<'a>(form: &str, section: &'a str) -> Option<Phrase<'a>> {
    let (form, place) = match (form.strip_prefix('^'), form.strip_prefix('>')) {
        (Some(form), _) => (form, Place::Sentence),
        (_, Some(form)) => (form, Place::Clause),
        _ => (form, Place::Anywhere),
    };
    let (form, parted) = form.strip_suffix('!').map_or((form, false), |form| (form, true));
    let (head, tail) = form.split_once(" .. ").unwrap_or((form, ""));
    let ((head, of_head), (tail, of_tail)) = (parse_edge(head), parse_edge(tail));
    let marks = Marks { place, parted, head: of_head, tail: of_tail };
    (!head.is_empty()).then(|| Phrase { head: head.to_owned(), tail: tail.to_owned(), marks, sections: vec![section] })
}

fn parse_edge(words: &str) -> (&str, Edge) {
    let (words, ends) = words.strip_suffix('$').map_or((words, false), |words| (words, true));
    let (words, open) = words.strip_suffix('*').map_or((words, false), |words| (words, true));
    (words, Edge { open, ends })
}

/// One phrase for those that differ in nothing but their sections.
fn merged(sorted: Vec<Phrase<'_>>) -> Vec<Phrase<'_>> {
    let mut all: Vec<Phrase<'_>> = Vec::with_capacity(sorted.len());
    for phrase in sorted {
        let of_head = all.iter_mut().rev().take_while(|known| known.head == phrase.head);
        let same = |known: &&mut Phrase<'_>| known.tail == phrase.tail && known.marks == phrase.marks;
        if let Some(known) = of_head.into_iter().find(same) {
            known.sections.extend(phrase.sections);
        } else {
            all.push(phrase);
        }
    }
    all
}
