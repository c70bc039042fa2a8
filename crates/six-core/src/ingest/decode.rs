//! Bytes of a document to text.

use std::borrow::Cow;

/// How many bytes are looked at to tell a binary file from text.
const PROBE_BYTES: usize = 8 * 1024;

/// Of a hundred characters of the probe, how many may be controls or undecodable before it is no text. Text in an old
/// eight-bit encoding has a few percent of undecodable bytes; random bytes have about half.
const BROKEN_PERCENT: usize = 30;

/// Fewer broken characters than this are no proof, however short the text.
const BROKEN_CHARS: usize = 8;

/// A document's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// With LF line ends and without a byte order mark.
    pub text: Cow<'a, str>,
    /// Some bytes were no valid text and became U+FFFD.
    pub is_lossy: bool,
}

/// Why a file is no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecodeFault {
    /// NUL bytes, or too much that is no text.
    #[error("it is a binary file")]
    Binary,
}

/// Decodes UTF-8 with or without a byte order mark, UTF-16 with one, and anything else that looks like text lossily.
pub fn decode(bytes: &[u8]) -> Result<Decoded<'_>, DecodeFault> {
    let decoded = match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => utf8(rest)?,
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes)?,
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes)?,
        _ => utf8(bytes)?,
    };
    let text = if decoded.text.contains('\r') { Cow::Owned(decoded.text.replace("\r\n", "\n")) } else { decoded.text };
    Ok(Decoded { text, ..decoded })
}

fn utf8(bytes: &[u8]) -> Result<Decoded<'_>, DecodeFault> {
    let text = String::from_utf8_lossy(bytes);
    let is_lossy = matches!(text, Cow::Owned(_));
    judge_text(&text)?;
    Ok(Decoded { text, is_lossy })
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<Decoded<'static>, DecodeFault> {
    let units = bytes.as_chunks::<2>().0.iter().map(|pair| unit(*pair));
    let mut is_lossy = !bytes.len().is_multiple_of(2);
    let text: String = char::decode_utf16(units)
        .map(|c| {
            c.unwrap_or_else(|_| {
                is_lossy = true;
                char::REPLACEMENT_CHARACTER
            })
        })
        .collect();
    judge_text(&text)?;
    Ok(Decoded { text: Cow::Owned(text), is_lossy })
}

fn judge_text(text: &str) -> Result<(), DecodeFault> {
    let mut seen = 0_usize;
    let mut broken = 0_usize;
    for c in text.chars().take(PROBE_BYTES) {
        seen += 1;
        match c {
            '\0' => return Err(DecodeFault::Binary),
            '\n' | '\r' | '\t' | '\u{c}' => {}
            c if c.is_control() || c == char::REPLACEMENT_CHARACTER => broken += 1,
            _ => {}
        }
    }
    if broken >= BROKEN_CHARS && broken * 100 > seen * BROKEN_PERCENT { Err(DecodeFault::Binary) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(bytes: &[u8]) -> (String, bool) {
        let decoded = decode(bytes).unwrap();
        (decoded.text.into_owned(), decoded.is_lossy)
    }

    #[test]
    fn utf8_and_utf16_are_read_with_their_marks() {
        assert_eq!(text("é\r\nb".as_bytes()), ("é\nb".into(), false));
        assert_eq!(text(b"\xEF\xBB\xBFab"), ("ab".into(), false));
        assert_eq!(text(b"\xFF\xFEa\0\xE9\0"), ("aé".into(), false));
        assert_eq!(text(b"\xFE\xFF\0a\0\xE9"), ("aé".into(), false));
        assert_eq!(text(b""), (String::new(), false));
    }

    #[test]
    fn other_encodings_and_cut_characters_are_read_as_far_as_they_go() {
        assert_eq!(text(b"f\xFCr alle"), ("f\u{fffd}r alle".into(), true));
        assert_eq!(text(b"ends in \xE9\x83"), ("ends in \u{fffd}".into(), true));
        assert_eq!(text(b"\xFF\xFEa\0b"), ("a".into(), true));
    }

    #[test]
    fn binary_is_named_and_not_read() {
        assert_eq!(decode(b"PK\x03\x04\0\0rest"), Err(DecodeFault::Binary));
        let random: Vec<u8> =
            (0..4096_u32).map(|n| u8::try_from(n.wrapping_mul(2_654_435_761) >> 24).unwrap() | 1).collect();
        assert_eq!(decode(&random), Err(DecodeFault::Binary));
    }

    proptest! {
        #[test]
        fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode(&bytes);
        }
    }
}
