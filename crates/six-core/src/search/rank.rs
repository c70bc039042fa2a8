/// The factor that an entry's weight contributes to its score.
///
/// Weights differ by a factor of 20 and more (a tool call 3, a record 80). Taken as they are they would drown the words:
/// every record would stand above every message. The fourth root of `weight / 20` leaves 0.5 to 1.5, so that a clearly
/// better match wins over a heavier kind, and the kind decides among equals. Weight 0 counts as 1: still findable.
pub fn weight_factor(weight: u8) -> f64 {
    (f64::from(weight.max(1)) / 20.0).powf(0.25)
}

#[cfg(test)]
mod tests {
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
}
