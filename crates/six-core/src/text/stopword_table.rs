//! Made from `data/stopwords/`; the test in `stopword` compares them and prints what belongs here.

/// Sorted by byte for the binary search. Ready-made, so that a hook does not tokenize the lists at every start.
pub(crate) static STOP_TERMS: &[&str] = &[];
