//! The matrix product in plain code: what runs on any processor, and the twin that the others are held against.

use super::product::{self, Sums};
use super::quantised::{Quad, Quantised, ROWS};
use crate::model::{Block, Linear, PANEL, STEP};

/// See [`Kernels::multiply`](super::Kernels).
pub(super) fn multiply(linear: &Linear, rows: &Quantised, products: &mut [f32]) {
    let outputs = linear.outputs();
    let groups: Vec<_> = rows.groups().map(|group| (group, widened_rows(group.quads))).collect();
    for (index, panel) in linear.panels().enumerate() {
        let weights = widened_weights(panel.blocks);
        for ((group, rows), products) in groups.iter().zip(products.chunks_mut(ROWS * outputs)) {
            product::finish(&sums(&weights, rows), &panel, group, products, outputs, index);
        }
    }
}

fn sums(weights: &[Vec<i16>; PANEL], rows: &[Vec<i16>; ROWS]) -> Sums {
    let mut sums = Sums::default();
    for (sums, row) in sums.iter_mut().zip(rows) {
        for (sum, weights) in sums.iter_mut().zip(weights) {
            *sum = dot(weights, row);
        }
    }
    sums
}

/// Sixteen bits, so that compilers see the multiply-and-add of pairs that most processors have.
fn dot(weights: &[i16], row: &[i16]) -> i32 {
    let products = weights.iter().zip(row).map(|(weight, value)| i32::from(*weight) * i32::from(*value));
    products.fold(0, i32::wrapping_add)
}

fn widened_weights(blocks: &[Block]) -> [Vec<i16>; PANEL] {
    let of_output = |output: usize| blocks.iter().flat_map(move |block| &block[output * STEP..][..STEP]);
    std::array::from_fn(|output| of_output(output).map(|weight| i16::from(*weight)).collect())
}

fn widened_rows(quads: &[Quad]) -> [Vec<i16>; ROWS] {
    std::array::from_fn(|row| quads.iter().flat_map(|quad| quad[row]).map(i16::from).collect())
}
