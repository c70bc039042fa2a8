//! Rows in eight bits, as the matrix products read them.

use crate::model::STEP;

/// Rows that lie together and are multiplied together.
pub(crate) const ROWS: usize = 4;

/// Four inputs of four rows, the four of one row side by side.
pub(crate) type Quad = [[u8; STEP]; ROWS];

/// Rows in eight bits: `value = (byte - zero) * scale`.
///
/// Four rows lie together, so that a matrix product walks straight through memory; the rows that are missing to a
/// multiple of four are zeros.
#[derive(Debug, Default)]
pub(crate) struct Quantised {
    quads: Vec<Quad>,
    scales: Vec<RowScale>,
    width: usize,
}

/// What turns the bytes of a row into values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RowScale {
    pub(crate) scale: f32,
    pub(crate) zero: i32,
}

/// Up to four rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowGroup<'a> {
    pub(crate) quads: &'a [Quad],
    pub(crate) scales: &'a [RowScale],
}

/// Numbers that are summed side by side: the order of a sum is that of the code, whatever the vector width.
const LANES: usize = 16;

impl Quantised {
    /// Nothing yet, for rows of `width` values, a multiple of four.
    pub(crate) fn of_width(width: usize) -> Self {
        Self { width, ..Self::default() }
    }

    /// The rows in groups of four, in their order.
    pub(crate) fn groups(&self) -> impl Iterator<Item = RowGroup<'_>> {
        let quads = self.quads.chunks_exact((self.width / STEP).max(1));
        quads.zip(self.scales.chunks(ROWS)).map(|(quads, scales)| RowGroup { quads, scales })
    }

    /// Replaces what is held by `rows`.
    #[inline(always)]
    pub(super) fn fill(rows: &[f32], quantised: &mut Self) {
        let width = quantised.width.max(1);
        let steps = width / STEP;
        quantised.scales.clear();
        quantised.quads.clear();
        quantised.quads.resize((rows.len() / width).div_ceil(ROWS) * steps, Quad::default());
        let mut bytes = vec![0; width];
        for (index, row) in rows.chunks_exact(width).enumerate() {
            quantised.scales.push(quantise_row(row, &mut bytes));
            let group = quantised.quads.iter_mut().skip(index / ROWS * steps);
            for (quad, step) in group.zip(bytes.as_chunks().0) {
                quad[index % ROWS] = *step;
            }
        }
    }
}

/// Spreads the range of `row`, zero included, over 0 to 255.
#[inline(always)]
fn quantise_row(row: &[f32], bytes: &mut [u8]) -> RowScale {
    let (chunks, rest) = row.as_chunks::<LANES>();
    let (mut low, mut high) = ([0_f32; LANES], [0_f32; LANES]);
    for chunk in chunks {
        for lane in 0..LANES {
            low[lane] = if chunk[lane] < low[lane] { chunk[lane] } else { low[lane] };
            high[lane] = if chunk[lane] > high[lane] { chunk[lane] } else { high[lane] };
        }
    }
    let low = low.iter().chain(rest).fold(0_f32, |low, value| low.min(*value));
    let high = high.iter().chain(rest).fold(0_f32, |high, value| high.max(*value));
    let scale = ((high - low) / 255.0).max(1e-12);
    let per_step = 1.0 / scale;
    let zero = -low * per_step;
    let zero = f32::from(nearest_byte(zero));
    for (byte, value) in bytes.iter_mut().zip(row) {
        *byte = nearest_byte(value * per_step + zero);
    }
    RowScale { scale, zero: i32::from(nearest_byte(zero)) }
}

/// The nearest whole number from 0 to 255, halves to the even one, 0 for what is no number.
///
/// A float of 1.5 * 2^23 and more has no fraction, so the sum rounds and its last byte is the result: the compiler makes
/// vector code of that, and not of a conversion that has to look for numbers out of range.
#[inline(always)]
fn nearest_byte(value: f32) -> u8 {
    let value = if value > 0.0 { value } else { 0.0 };
    let value = if value < 255.0 { value } else { 255.0 };
    (value + 12_582_912.0).to_bits().to_le_bytes()[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows as floats again.
    fn restored(quantised: &Quantised) -> Vec<Vec<f32>> {
        let value = |byte: u8, scale: &RowScale| (f32::from(byte) - scale.zero as f32) * scale.scale;
        let row = |group: RowGroup, index: usize, scale: &RowScale| {
            group.quads.iter().flat_map(|quad| quad[index]).map(|byte| value(byte, scale)).collect()
        };
        let rows = |group: RowGroup| -> Vec<Vec<f32>> {
            group.scales.iter().enumerate().map(|(index, scale)| row(group, index, scale)).collect()
        };
        quantised.groups().flat_map(rows).collect()
    }

    #[test]
    fn a_row_comes_back_within_half_a_step() {
        for count in [0, 1, 4, 5, 11] {
            let width = 36;
            let rows: Vec<f32> = (0..count * width).map(|i| ((i * 37 % 101) as f32 - 60.0) / 7.0).collect();
            let mut quantised = Quantised::of_width(width);
            Quantised::fill(&rows, &mut quantised);
            let restored = restored(&quantised);
            assert_eq!(restored.len(), count);
            for (value, restored) in rows.iter().zip(restored.concat()) {
                assert!((value - restored).abs() < 0.032, "{value} came back as {restored}");
            }
        }
    }

    #[test]
    fn what_is_no_number_becomes_a_byte() {
        let values = [f32::NAN, f32::NEG_INFINITY, -1.0, 0.5, 1.5, 254.6, 255.4, 1e9, f32::INFINITY];
        assert_eq!(values.map(nearest_byte), [0, 0, 0, 0, 2, 255, 255, 255, 255]);
    }

    #[test]
    fn a_second_filling_leaves_nothing_of_the_first() {
        let mut quantised = Quantised::of_width(4);
        Quantised::fill(&[9.0; 20], &mut quantised);
        Quantised::fill(&[1.0, 2.0, 3.0, 4.0], &mut quantised);
        assert_eq!(restored(&quantised).len(), 1);
        assert_eq!(quantised.quads.len(), 1);
    }
}
