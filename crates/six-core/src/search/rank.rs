/// The factor that an entry's weight contributes to its score.
///
/// Weights differ by a factor of 20 and more (a tool call 3, a record 80). Taken as they are they would drown the words:
/// every record would stand above every message. The fourth root of `weight / 20` leaves 0.5 to 1.5, so that a clearly
/// better match wins over a heavier kind, and the kind decides among equals. Weight 0 counts as 1: still findable.
pub fn weight_factor(weight: u8) -> f64 {
    (f64::from(weight.max(1)) / 20.0).powf(0.25)
}

/// Scales values to 0..1 over the given ones: the least becomes 0, the greatest 1. Equal values all become 1, since each
/// is the best there is. What is no number becomes 0.
pub fn min_max(values: &[f64]) -> Vec<f64> {
    let finite = || values.iter().copied().filter(|value| value.is_finite());
    let low = finite().fold(f64::INFINITY, f64::min);
    let high = finite().fold(f64::NEG_INFINITY, f64::max);
    let span = high - low;
    values
        .iter()
        .map(|&value| match value.is_finite() {
            false => 0.0,
            true if span <= 0.0 => 1.0,
            // Halved before the subtraction: the span of the two greatest numbers is infinite.
            true => ((value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0)).clamp(0.0, 1.0),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::record::EntryKind;

    #[test]
    fn a_better_match_beats_a_heavier_kind() {
        let (message, record) = (EntryKind::Prompt.weight(), EntryKind::Decision.weight());
        assert!(0.9 * weight_factor(message) > 0.5 * weight_factor(record));
        assert!(0.7 * weight_factor(message) < 0.7 * weight_factor(record));
    }

    #[test]
    fn a_document_is_the_measure_and_nothing_is_lost() {
        assert!((weight_factor(20) - 1.0).abs() < 1e-12);
        assert!(weight_factor(0) > 0.0);
    }

    #[test]
    fn the_best_is_one_and_the_worst_is_zero() {
        assert_eq!(min_max(&[2.0, 4.0, 3.0]), [0.0, 1.0, 0.5]);
        assert_eq!(min_max(&[7.0]), [1.0]);
        assert_eq!(min_max(&[]), Vec::<f64>::new());
        assert_eq!(min_max(&[f64::NAN, 1.0, 2.0]), [0.0, 0.0, 1.0]);
    }

    proptest! {
        #[test]
        fn scaled_values_stay_between_zero_and_one(values in prop::collection::vec(any::<f64>(), 0..20)) {
            prop_assert!(min_max(&values).iter().all(|value| (0.0..=1.0).contains(value)));
        }
    }
}
