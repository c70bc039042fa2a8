//! The word pieces that the model knows, sorted by their bytes so that they are searched where they lie.

use std::cmp::Ordering;

use crate::model::ModelError;

/// What a piece that continues a word starts with.
const CONTINUED: &str = "##";

/// Word pieces and their ids.
#[derive(Debug)]
pub(crate) struct Vocabulary<'a> {
    /// Where each piece starts in `text`, and one more: where the last one ends.
    offsets: &'a [u32],
    ids: &'a [u16],
    text: &'a [u8],
    /// Bytes of the longest piece.
    pub(crate) longest: usize,
    /// The id before the first piece of every text.
    pub(crate) start: u16,
    /// The id after the last piece of every text.
    pub(crate) end: u16,
    /// The id of a word that no pieces make up.
    pub(crate) unknown: u16,
}

impl<'a> Vocabulary<'a> {
    /// Checks that the three tables fit together; that the pieces are sorted is the business of who wrote them.
    pub(crate) fn new(offsets: &'a [u32], ids: &'a [u16], text: &'a [u8]) -> Result<Self, ModelError> {
        if offsets.len() != ids.len() + 1 {
            return Err(ModelError::Vocabulary("it has not one offset more than ids"));
        }
        if !offsets.is_sorted() || offsets.last().is_none_or(|end| *end as usize != text.len()) {
            return Err(ModelError::Vocabulary("its offsets don't cover its text"));
        }
        if ids.iter().any(|id| usize::from(*id) >= ids.len()) {
            return Err(ModelError::Vocabulary("it has an id without a word"));
        }
        let longest = offsets.windows(2).map(|ends| ends[1] - ends[0]).max().unwrap_or(0) as usize;
        let mut vocabulary = Self { offsets, ids, text, longest, start: 0, end: 0, unknown: 0 };
        let special = |word| vocabulary.find("", word).ok_or(ModelError::Vocabulary("it lacks a special word"));
        let (start, end, unknown) = (special("[CLS]")?, special("[SEP]")?, special("[UNK]")?);
        (vocabulary.start, vocabulary.end, vocabulary.unknown) = (start, end, unknown);
        Ok(vocabulary)
    }

    /// The id of `piece` at the start of a word.
    pub(crate) fn starting(&self, piece: &str) -> Option<u16> {
        self.find("", piece)
    }

    /// The id of `piece` later in a word.
    pub(crate) fn continuing(&self, piece: &str) -> Option<u16> {
        self.find(CONTINUED, piece)
    }

    fn find(&self, prefix: &str, piece: &str) -> Option<u16> {
        let (mut low, mut high) = (0, self.ids.len());
        while low < high {
            let middle = low.midpoint(high);
            match compare(self.piece(middle)?, prefix.as_bytes(), piece.as_bytes()) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return self.ids.get(middle).copied(),
            }
        }
        None
    }

    fn piece(&self, index: usize) -> Option<&'a [u8]> {
        let (start, end) = (*self.offsets.get(index)?, *self.offsets.get(index + 1)?);
        self.text.get(start as usize..end as usize)
    }
}

/// How `known` stands to `prefix` and `piece` in one.
fn compare(known: &[u8], prefix: &[u8], piece: &[u8]) -> Ordering {
    let (head, tail) = known.split_at(prefix.len().min(known.len()));
    head.cmp(prefix).then_with(|| tail.cmp(piece))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::weights;

    fn damage(offsets: &[u32], ids: &[u16], text: &[u8]) -> ModelError {
        Vocabulary::new(offsets, ids, text).expect_err("a damaged vocabulary")
    }

    #[test]
    fn a_piece_is_known_at_the_start_or_later_in_a_word() {
        let model = Model::load(weights::file()).expect("the shipped model");
        let vocabulary = &model.vocabulary;
        assert_eq!((vocabulary.start, vocabulary.end, vocabulary.unknown), (101, 102, 100));
        assert_eq!(vocabulary.starting("lock"), Some(5843));
        assert_eq!(vocabulary.starting("##s"), vocabulary.continuing("s"));
        assert_ne!(vocabulary.starting("s"), vocabulary.continuing("s"));
        assert_eq!(vocabulary.starting("zzzzzz"), None);
        assert_eq!(vocabulary.starting(""), None);
        assert_eq!(vocabulary.continuing(""), None);
    }

    #[test]
    fn every_piece_is_found_by_its_own_text() {
        let model = Model::load(weights::file()).expect("the shipped model");
        let vocabulary = &model.vocabulary;
        for (index, id) in vocabulary.ids.iter().enumerate() {
            let piece = std::str::from_utf8(vocabulary.piece(index).expect("a piece")).expect("UTF-8");
            assert_eq!(vocabulary.starting(piece), Some(*id), "{piece}");
        }
    }

    #[test]
    fn damaged_tables_are_refused() {
        let uncovered = ModelError::Vocabulary("its offsets don't cover its text");
        assert_eq!(damage(&[], &[], b""), ModelError::Vocabulary("it has not one offset more than ids"));
        assert_eq!(damage(&[0, 5, 3], &[0, 1], b"abc"), uncovered);
        assert_eq!(damage(&[0, 2, 4], &[0, 1], b"abc"), uncovered);
        assert_eq!(damage(&[0, 1, 3], &[0, 2], b"abc"), ModelError::Vocabulary("it has an id without a word"));
        assert_eq!(damage(&[0, 1, 3], &[0, 1], b"abc"), ModelError::Vocabulary("it lacks a special word"));
    }
}
