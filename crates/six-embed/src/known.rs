//! One text whose vector is known: whether the model computes here what it computed where it was measured.

use crate::model::WIDTH;
use crate::vector::Vector;

/// A short text that the embedded model has the known vector of.
pub const KNOWN_TEXT: &str = "the broker went down because every worker retried at the same moment";

/// Its vector as it is kept, from the measured kernels.
static KNOWN: [u8; WIDTH] = *include_bytes!("../model/known.i8");

/// How far each kept value may be off. All kernels give the same bits; a rounding of 1 would change no search.
const TOLERANCE: u8 = 1;

/// Whether `values` is what the embedded model has to make of [`KNOWN_TEXT`].
pub fn is_known(values: &[f32]) -> bool {
    let kept = Vector::of(values);
    let near = |(found, known): (&u8, &u8)| found.cast_signed().abs_diff(known.cast_signed()) <= TOLERANCE;
    kept.bytes().len() == WIDTH && kept.bytes().iter().zip(&KNOWN).all(near)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embedder::{Embedded, Embedder};
    use crate::kernel::Path;

    #[test]
    fn every_kernel_of_this_processor_makes_the_known_vector() {
        for embedded in Path::ALL.into_iter().filter_map(|path| Embedded::load_on(path).ok()) {
            let made = embedded.embed(&[KNOWN_TEXT]).unwrap().concat();
            assert!(is_known(&made), "{:?}", embedded.path());
        }
    }

    #[test]
    fn another_vector_is_not_taken_for_it() {
        let made = Embedded::load().unwrap().embed(&[KNOWN_TEXT]).unwrap().concat();
        for spoiled in 0..WIDTH {
            let mut other = made.clone();
            other[spoiled] += 0.01;
            assert!(!is_known(&other), "{spoiled}");
        }
        assert!(!is_known(&made[1..]) && !is_known(&[]) && !is_known(&vec![f32::NAN; WIDTH]));
    }
}
