//! When a value that comes in pieces is whole.

/// Follows the brackets of a JSON value that arrives piece by piece. Every byte is looked at once, whatever the pieces:
/// a payload of megabytes must not be read again with each of them.
#[derive(Debug, Default)]
pub struct Wholeness {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Wholeness {
    /// Takes the next piece; answers whether an object or a list that began has been closed in it. Nothing else is
    /// judged: what is broken in between is for the parser to say.
    pub fn closes_in(&mut self, mut piece: &[u8]) -> bool {
        loop {
            if self.in_string && !self.escaped {
                // Nearly all of a large payload is the inside of strings.
                let Some(at) = memchr::memchr2(b'"', b'\\', piece) else { return false };
                piece = piece.get(at..).unwrap_or_default();
            }
            let Some((byte, rest)) = piece.split_first() else { return false };
            if self.closes_with(*byte) {
                return true;
            }
            piece = rest;
        }
    }

    fn closes_with(&mut self, byte: u8) -> bool {
        if self.in_string {
            self.in_string = self.escaped || byte != b'"';
            self.escaped = !self.escaped && byte == b'\\';
            return false;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' if self.depth > 0 => {
                self.depth -= 1;
                return self.depth == 0;
            }
            _ => {}
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NESTED: &str = r#" {"a}":"\"}\\","b":{"c":[1,{}]},"é":"\\\""}"#;

    #[test]
    fn a_value_is_whole_with_its_last_bracket_and_not_before() {
        for end in 0..NESTED.len() {
            assert!(!Wholeness::default().closes_in(&NESTED.as_bytes()[..end]), "after {end} bytes");
        }
        assert!(Wholeness::default().closes_in(NESTED.as_bytes()));
        assert!(Wholeness::default().closes_in(b"[{}]\n"));
    }

    #[test]
    fn depth_is_no_obstacle_and_what_never_began_never_ends() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(Wholeness::default().closes_in(deep.as_bytes()));
        for text in ["", "\n", "not json\n", "42", "\"{}\"", "}}}]"] {
            assert!(!Wholeness::default().closes_in(text.as_bytes()), "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_pieces_make_no_difference(cut in 0..NESTED.len()) {
            let (first, second) = NESTED.as_bytes().split_at(cut);
            let mut whole = Wholeness::default();
            prop_assert!(!whole.closes_in(first));
            prop_assert!(whole.closes_in(second));
        }
    }
}
