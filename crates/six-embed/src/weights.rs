//! The weights, compiled into the binary.

/// Bytes that start at a multiple of 64, as the sections inside the file do relative to its start.
#[repr(C, align(64))]
struct Aligned<Bytes: ?Sized>(Bytes);

static FILE: &Aligned<[u8]> = &Aligned(*include_bytes!("../model/minilm-l6-v2.i8.e4.bin"));

/// The model file; `model/README.md` tells what it is and how it was made.
pub(crate) fn file() -> &'static [u8] {
    &FILE.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};
    use std::fmt::Write;

    #[test]
    fn the_weights_are_the_ones_that_were_measured() {
        let mut hash = String::new();
        for byte in Sha256::digest(file()) {
            write!(hash, "{byte:02x}").expect("a string takes all");
        }
        assert_eq!(hash, "58952de4c92ca90d3671ab112c6d774828a4efb738c6f593963f3edd48de8d0d");
        assert!(include_str!("../model/README.md").contains(&hash), "the recipe names the file that it makes");
    }

    #[test]
    fn the_weights_can_be_used_where_they_lie() {
        assert_eq!(file().as_ptr().align_offset(64), 0);
    }
}
