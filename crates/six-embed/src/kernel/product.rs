//! What is left to do on the sums of a matrix product.

use super::quantised::{ROWS, RowGroup};
use crate::model::{PANEL, Panel};

/// Sums of products of four rows with sixteen outputs, before zero points and scales.
pub(super) type Sums = [[i32; PANEL]; ROWS];

/// Writes the outputs of `panel`, the `index`th of its matrix, for the rows of `group` into `products`, rows of `outputs`
/// values of which the first is the group's first.
///
/// Wraps where a damaged model overflows, as the vector instructions do.
#[inline(always)]
pub(super) fn finish(sums: &Sums, panel: &Panel, group: &RowGroup, products: &mut [f32], outputs: usize, index: usize) {
    for ((sums, row), products) in sums.iter().zip(group.scales).zip(products.chunks_exact_mut(outputs)) {
        let Some(products) = products.as_chunks_mut::<PANEL>().0.get_mut(index) else { return };
        for lane in 0..PANEL {
            let sum = sums[lane].wrapping_sub(panel.sums[lane].wrapping_mul(row.zero));
            products[lane] = sum as f32 * (row.scale * panel.scales[lane]) + panel.bias[lane];
        }
    }
}
