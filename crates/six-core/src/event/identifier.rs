use crate::text::{Redactor, cut_bytes};

/// Longest id that is kept; a UUID has 36 bytes.
pub(super) const ID_MAX_BYTES: usize = 200;

/// An id as it may be stored, whoever sent it: the host sends UUIDs, whoever else sends something may send anything. A hook's
/// payload and a transcript's line that name the same thing still do afterwards.
pub(super) fn clean_id(id: &str) -> String {
    /// Longer than any key: one that is cut is no longer known.
    const READ_BYTES: usize = 4096;
    Redactor::new().redact(cut_bytes(id, READ_BYTES)).cut(ID_MAX_BYTES).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_stays_and_one_that_is_a_key_does_not() {
        for id in ["550e8400-e29b-41d4-a716-446655440000", "s-1", "toolu_01A09q90qw90lq917835lq9", "agent-a1b2c3d"] {
            assert_eq!(clean_id(id), id);
        }
        let key = ["gh", "p_q7Zb2XkP9mRt4WsV8cYd3LhJ6nGf5TgB1vQ0"].concat();
        assert_eq!(clean_id(&key), "[redacted:github-token]");
        assert_eq!(clean_id(&"a".repeat(999)).len(), ID_MAX_BYTES);
    }
}
