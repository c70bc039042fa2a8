//! The matrix product with AVX2: weights and values widened to sixteen bits, where the products of pairs add up exactly.
//! (The instruction for bytes saturates, which would make the vectors differ from those of other processors.)

use std::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_add_epi32, _mm256_cvtepi8_epi16, _mm256_hadd_epi32, _mm256_madd_epi16,
    _mm256_permute4x64_epi64, _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_storeu_si256,
};

use super::dispatch::{Kernels, Path, detect_with};
use super::product::{self, Sums};
use super::quantised::{Quad, Quantised, ROWS};
use super::{attention, elementwise};
use crate::model::{Block, Linear, Norm, PANEL, STEP};

detect_with!(Path::Avx2, 8, 8, "avx2", ["avx2"]);

/// Outputs whose sums fit into the registers beside the values of four rows.
const HALF: usize = PANEL / 2;

#[inline]
#[target_feature(enable = "avx2")]
fn multiply_detected(linear: &Linear, rows: &Quantised, products: &mut [f32]) {
    let outputs = linear.outputs();
    let mut widened = Vec::new();
    for (group, products) in rows.groups().zip(products.chunks_mut(ROWS * outputs)) {
        widened.clear();
        widened.extend(group.quads.iter().map(widen));
        for (index, panel) in linear.panels().enumerate() {
            let sums = sums_of(panel.blocks, &widened);
            product::finish(&sums, &panel, &group, products, outputs, index);
        }
    }
}

/// Four inputs of four rows in sixteen bits; the four of a row in one number, which fills a register by itself.
#[inline]
fn widen(quad: &Quad) -> [i64; ROWS] {
    quad.map(|[a, b, c, d]| i64::from_le_bytes([a, 0, b, 0, c, 0, d, 0]))
}

#[inline]
#[target_feature(enable = "avx2")]
fn sums_of(blocks: &[Block], widened: &[[i64; ROWS]]) -> Sums {
    let mut sums = Sums::default();
    for half in 0..2 {
        let mut totals = [[_mm256_setzero_si256(); 2]; ROWS];
        for (block, values) in blocks.iter().zip(widened) {
            let (parts, _) = block.as_chunks::<16>();
            let weights = [load(&parts[2 * half]), load(&parts[2 * half + 1])];
            for row in 0..ROWS {
                let values = _mm256_set1_epi64x(values[row]);
                for part in 0..2 {
                    let products = _mm256_madd_epi16(values, weights[part]);
                    totals[row][part] = _mm256_add_epi32(totals[row][part], products);
                }
            }
        }
        for row in 0..ROWS {
            let sums = sums[row].as_chunks_mut::<HALF>().0;
            store(total(totals[row]), &mut sums[half]);
        }
    }
    sums
}

/// Adds the two halves of each output's sum, which lie side by side.
#[inline]
#[target_feature(enable = "avx2")]
fn total([low, high]: [__m256i; 2]) -> __m256i {
    // The addition works within halves of a register, so that outputs 2, 3 and 4, 5 have to change places.
    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_hadd_epi32(low, high))
}

/// Four weights of four outputs, in sixteen bits.
#[inline]
#[target_feature(enable = "avx2")]
#[expect(unsafe_code, reason = "an unaligned load takes a pointer")]
fn load(weights: &[i8; 4 * STEP]) -> __m256i {
    // SAFETY: the array has the 16 bytes that are read.
    _mm256_cvtepi8_epi16(unsafe { _mm_loadu_si128(weights.as_ptr().cast()) })
}

#[inline]
#[target_feature(enable = "avx2")]
#[expect(unsafe_code, reason = "an unaligned store takes a pointer")]
fn store(sums: __m256i, to: &mut [i32; HALF]) {
    // SAFETY: the array has the 32 bytes that are written, and nothing else refers to it.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), sums) }
}
