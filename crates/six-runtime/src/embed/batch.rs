//! The vectors of a handful of texts.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use six_core::text::Redacted;
use six_embed::{Delivered, EmbedError, Embedder, Vector, embed_each};

use super::report::{Ended, Progress};

/// What came of a batch.
#[derive(Debug, Default)]
pub(super) struct Made {
    /// In the order of the texts; `None` where there is no vector, because it failed or was not come to.
    pub(super) vectors: Vec<Option<Vec<i8>>>,
    /// The places of texts that failed while others did not, and why.
    pub(super) failed: Vec<(usize, EmbedError)>,
    /// Why the rest was not come to.
    pub(super) ended: Option<Ended>,
}

/// Embeds `texts` on so many threads until `is_over`. After a failure what is left is tried text by text, so that one that
/// can't be embedded costs no other its vector. They are redacted, since they may leave this process.
pub(super) fn make(
    embedder: &dyn Embedder,
    texts: &[Redacted],
    threads: NonZeroUsize,
    is_over: &dyn Fn() -> bool,
    progress: &mut dyn Progress,
) -> Made {
    let texts: Vec<&str> = texts.iter().map(Redacted::as_str).collect();
    let mut made = Made { vectors: vec![None; texts.len()], ..Made::default() };
    let mut keep = |vectors: &mut Vec<Option<Vec<i8>>>, index: usize, values: &[f32]| {
        if let Some(place) = vectors.get_mut(index) {
            *place = Some(stored(values));
        }
        progress.step(1);
        if is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    match embed_each(embedder, &texts, threads, |index, values| keep(&mut made.vectors, index, &values)) {
        Ok(Delivered::All) => return made,
        Ok(Delivered::Stopped) => {
            made.ended = Some(Ended::Stopped);
            return made;
        }
        Err(why) if is_of_one_text(&why) => {}
        Err(why) => {
            made.ended = Some(Ended::Failing(why));
            return made;
        }
    }
    for (index, text) in texts.iter().enumerate() {
        if made.vectors.get(index).is_some_and(Option::is_some) {
            continue;
        }
        match embed_each(embedder, &[text], NonZeroUsize::MIN, |_, values| keep(&mut made.vectors, index, &values)) {
            Ok(Delivered::All) => {}
            Ok(Delivered::Stopped) => {
                made.ended = Some(Ended::Stopped);
                break;
            }
            Err(why) if is_of_one_text(&why) => made.failed.push((index, why)),
            Err(why) => {
                made.ended = Some(Ended::Failing(why));
                break;
            }
        }
    }
    made
}

/// Whether the next text may well get its vector. A thread dies of the text that it was at.
fn is_of_one_text(why: &EmbedError) -> bool {
    why.is_of_one_text() || matches!(why, EmbedError::ThreadDied)
}

/// The values as they are stored and compared.
pub(super) fn stored(values: &[f32]) -> Vec<i8> {
    Vector::of(values).bytes().iter().map(|byte| byte.cast_signed()).collect()
}
