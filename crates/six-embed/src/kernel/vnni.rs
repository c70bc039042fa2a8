//! The matrix product with AVX-512 VNNI: one instruction multiplies and adds four bytes for each of sixteen outputs.

use std::arch::x86_64::{
    __m512i, _mm512_dpbusd_epi32, _mm512_loadu_si512, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_storeu_si512,
};

use super::dispatch::{Kernels, Path, detect_with};
use super::product::{self, Sums};
use super::quantised::{Quad, Quantised, ROWS, RowGroup};
use super::{attention, elementwise};
use crate::model::{Block, Linear, Norm, PANEL, Panel};

detect_with!(
    Path::Vnni,
    16,
    4,
    "avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni",
    ["avx2", "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512vnni"]
);

#[inline]
#[target_feature(enable = "avx512f,avx512vnni")]
fn multiply_detected(linear: &Linear, rows: &Quantised, products: &mut [f32]) {
    let outputs = linear.outputs();
    let panels: Vec<Panel> = linear.panels().collect();
    let groups: Vec<RowGroup> = rows.groups().collect();
    for (first, panels) in panels.chunks(2).enumerate() {
        for (groups, products) in groups.chunks(2).zip(products.chunks_mut(2 * ROWS * outputs)) {
            let tile = Tile { panels, groups, first: 2 * first };
            match (panels, groups) {
                ([a, b], [c, d]) => tile.finish(&sums_of([a, b], [c, d]), products, outputs),
                ([a, b], [c]) => tile.finish(&sums_of([a, b], [c]), products, outputs),
                ([a], [c, d]) => tile.finish(&sums_of([a], [c, d]), products, outputs),
                ([a], [c]) => tile.finish(&sums_of([a], [c]), products, outputs),
                _ => {}
            }
        }
    }
}

/// Panels and groups of rows that are multiplied at once, so that what is loaded serves more than one of them.
struct Tile<'a> {
    panels: &'a [Panel<'a>],
    groups: &'a [RowGroup<'a>],
    /// The number of the first panel.
    first: usize,
}

impl Tile<'_> {
    #[inline]
    #[target_feature(enable = "avx512f,avx512vnni")]
    fn finish<const P: usize, const G: usize>(&self, sums: &[[Sums; G]; P], products: &mut [f32], outputs: usize) {
        for (index, (panel, sums)) in self.panels.iter().zip(sums).enumerate() {
            let products = products.chunks_mut(ROWS * outputs);
            for ((group, sums), products) in self.groups.iter().zip(sums).zip(products) {
                product::finish(sums, panel, group, products, outputs, self.first + index);
            }
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vnni")]
fn sums_of<const P: usize, const G: usize>(panels: [&Panel; P], groups: [&RowGroup; G]) -> [[Sums; G]; P] {
    let steps = panels.iter().map(|panel| panel.blocks.len()).chain(groups.iter().map(|group| group.quads.len())).min();
    let steps = steps.unwrap_or(0);
    let blocks: [&[Block]; P] = panels.map(|panel| &panel.blocks[..steps]);
    let quads: [&[Quad]; G] = groups.map(|group| &group.quads[..steps]);
    let mut totals = [[[_mm512_setzero_si512(); ROWS]; G]; P];
    for step in 0..steps {
        let mut weights = [_mm512_setzero_si512(); P];
        for panel in 0..P {
            weights[panel] = load(&blocks[panel][step]);
        }
        for group in 0..G {
            for row in 0..ROWS {
                let values = _mm512_set1_epi32(i32::from_le_bytes(quads[group][step][row]));
                for panel in 0..P {
                    let total = &mut totals[panel][group][row];
                    *total = _mm512_dpbusd_epi32(*total, values, weights[panel]);
                }
            }
        }
    }
    let mut sums = [[Sums::default(); G]; P];
    for panel in 0..P {
        for group in 0..G {
            for row in 0..ROWS {
                store(totals[panel][group][row], &mut sums[panel][group][row]);
            }
        }
    }
    sums
}

#[inline]
#[target_feature(enable = "avx512f")]
#[expect(unsafe_code, reason = "an unaligned load takes a pointer")]
fn load(block: &Block) -> __m512i {
    // SAFETY: the array has the 64 bytes that are read.
    unsafe { _mm512_loadu_si512(block.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
#[expect(unsafe_code, reason = "an unaligned store takes a pointer")]
fn store(sums: __m512i, to: &mut [i32; PANEL]) {
    // SAFETY: the array has the 64 bytes that are written, and nothing else refers to it.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), sums) }
}
