//! Lines of a file of any size, with memory for one line of bounded length.

use std::io::{self, BufRead};

/// What was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// A whole line is in the buffer, without its line end.
    Whole,
    /// A whole line was longer than the limit and is not in the buffer.
    TooLong,
    /// The file ends in the middle of a line, which is in the buffer.
    Partial,
    /// The file ends in the middle of a line longer than the limit.
    PartialTooLong,
    /// The file ends.
    End,
}

/// Reads up to the next line end into `line`, which is cleared first. Answers what that was and the bytes it took.
pub(super) fn read_line(from: &mut impl BufRead, limit: usize, line: &mut Vec<u8>) -> io::Result<(Line, u64)> {
    line.clear();
    let mut bytes = 0_u64;
    let mut is_long = false;
    loop {
        let chunk = match from.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            let line = match (bytes, is_long) {
                (0, _) => Line::End,
                (_, false) => Line::Partial,
                (_, true) => Line::PartialTooLong,
            };
            return Ok((line, bytes));
        }
        let newline = chunk.iter().position(|byte| *byte == b'\n');
        let piece = chunk.get(..newline.unwrap_or(chunk.len())).unwrap_or_default();
        if line.len() + piece.len() > limit {
            is_long = true;
            *line = Vec::new();
        }
        if !is_long {
            line.extend_from_slice(piece);
        }
        let taken = piece.len() + usize::from(newline.is_some());
        from.consume(taken);
        bytes += taken as u64;
        if newline.is_some() {
            return Ok((if is_long { Line::TooLong } else { Line::Whole }, bytes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn all(text: &[u8], limit: usize) -> Vec<(Line, u64, String)> {
        let mut from = BufReader::with_capacity(3, text);
        let mut line = Vec::new();
        let mut lines = Vec::new();
        loop {
            let (kind, bytes) = read_line(&mut from, limit, &mut line).unwrap();
            if kind == Line::End {
                return lines;
            }
            lines.push((kind, bytes, String::from_utf8_lossy(&line).into_owned()));
        }
    }

    #[test]
    fn lines_come_whole_and_the_last_one_may_be_partial() {
        assert_eq!(
            all(b"one\n\ntwo three\nfo", 100),
            [
                (Line::Whole, 4, "one".into()),
                (Line::Whole, 1, String::new()),
                (Line::Whole, 10, "two three".into()),
                (Line::Partial, 2, "fo".into()),
            ]
        );
    }

    #[test]
    fn a_long_line_is_passed_over_without_being_held() {
        assert_eq!(
            all(b"12345678\n1234\n123456", 5),
            [
                (Line::TooLong, 9, String::new()),
                (Line::Whole, 5, "1234".into()),
                (Line::PartialTooLong, 6, String::new()),
            ]
        );
    }
}
