//! What else a project's memory holds: made-up answers, so that the frequencies of words mean something.

use six_store::Store;

use super::super::speed::library::put_answers;
use super::super::speed::text::Prose;
use super::label::Labelled;
use super::planted::Planted;
use crate::failure::Failure;

/// Answers.
const ANSWERS: usize = 2_000;

/// Words of one: what a person reads in half a minute.
const WORDS: usize = 90;

/// One word in so many is of the project's own matters, the others are everyday ones.
const OWN_ONE_IN: usize = 3;

/// Fills a store with answers. Everyday words are as frequent as in `everyday`; the project's own as in what is planted: a
/// subject that many records are about is a common word of that project, and what only one says is rare there too.
pub(super) fn fill(store: &Store, everyday: &[Labelled], planted: &[Planted]) -> Result<(), Failure> {
    let everyday = words(everyday.iter().map(|one| one.text.as_str()));
    let own = words(planted.iter().flat_map(Planted::texts));
    let mut prose = Prose::new(5);
    put_answers(store, (0..ANSWERS).map(|_| answer(&mut prose, &everyday, &own)))
}

fn words<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    texts.flat_map(str::split_whitespace).collect()
}

fn answer(prose: &mut Prose, everyday: &[&str], own: &[&str]) -> String {
    let words: Vec<&str> = (0..WORDS).map(|at| prose.pick(if at % OWN_ONE_IN == 0 { own } else { everyday })).collect();
    words.join(" ")
}
