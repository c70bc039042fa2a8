//! The float steps that look at one value or one row, and the dot product of two kept vectors.
//!
//! Plain code that compilers turn into vector code of any width: sums run in sixteen lanes whatever the width, nothing is
//! fused, and the two functions that a processor has no instruction for are polynomials. So the bits of a result do not
//! depend on the processor.

use std::f32::consts::{FRAC_1_SQRT_2, LN_2, LOG2_E};

use crate::model::{Norm, WIDTH};

/// Lanes of a sum.
const LANES: usize = 16;

/// See [`Kernels::add_and_normalise`](super::Kernels).
#[inline(always)]
pub(super) fn add_and_normalise(rows: &mut [f32], change: &[f32], norm: &Norm) {
    for (row, change) in rows.as_chunks_mut::<WIDTH>().0.iter_mut().zip(change.as_chunks::<WIDTH>().0) {
        for index in 0..WIDTH {
            row[index] += change[index];
        }
        normalise(row, norm);
    }
}

#[inline(always)]
fn normalise(row: &mut [f32; WIDTH], norm: &Norm) {
    let mean = sum(row, |value| value) / WIDTH as f32;
    let variance = sum(row, |value| (value - mean) * (value - mean)) / WIDTH as f32;
    let factor = 1.0 / (variance + norm.epsilon).sqrt();
    for index in 0..WIDTH {
        row[index] = (row[index] - mean) * factor * norm.weights[index] + norm.bias[index];
    }
}

/// The sum of `term` over `row`, sixteen lanes side by side.
#[inline(always)]
fn sum(row: &[f32; WIDTH], term: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0.0; LANES];
    for chunk in row.as_chunks::<LANES>().0 {
        for lane in 0..LANES {
            lanes[lane] += term(chunk[lane]);
        }
    }
    lanes.iter().sum()
}

/// GELU. See [`Kernels::activate`](super::Kernels).
#[inline(always)]
pub(super) fn activate(values: &mut [f32]) {
    for value in values {
        *value = gelu(*value);
    }
}

/// `x` times the share of the normal distribution below `x`.
///
/// The error function is formula 7.1.26 of Abramowitz and Stegun (error below 2e-7).
#[inline(always)]
fn gelu(x: f32) -> f32 {
    let z = x.abs() * FRAC_1_SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let polynomial = t * (0.254_829_6 + t * (-0.284_496_74 + t * (1.421_413_8 + t * (-1.453_152_1 + t * 1.061_405_4))));
    let erf = 1.0 - polynomial * exp(-z * z);
    0.5 * x * (1.0 + erf.copysign(x))
}

/// e to the power of `x`, relative error below 1e-6; 2^-126 below that power, and for what is no number.
///
/// 2 to the whole part goes into the exponent bits, 2 to the fraction is a polynomial. Adding 1.5 * 2^23 rounds to the
/// nearest whole number and leaves it in the lowest bits.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0;
    let power = x * LOG2_E;
    let power = if power > -126.0 { power } else { -126.0 };
    let power = if power < 126.0 { power } else { 126.0 };
    let rounded = power + ROUND;
    let f = power - (rounded - ROUND);
    let two_to_f =
        1.0 + f * (LN_2 + f * (0.240_226_5 + f * (0.055_504_11 + f * (0.009_618_129 + f * 0.001_333_355_8))));
    two_to_f * f32::from_bits(rounded.to_bits().wrapping_add(127) << 23)
}

/// See [`Kernels::dot`](super::Kernels). 130 000 products fit, whatever they are.
#[inline(always)]
pub(super) fn dot(left: &[i8], right: &[i8]) -> i32 {
    let products = left.iter().zip(right).map(|(left, right)| i32::from(*left) * i32::from(*right));
    products.fold(0, i32::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_close() {
        for step in -800..=0 {
            let x = step as f32 / 10.0;
            let (exact, found) = (f64::from(x).exp(), f64::from(exp(x)));
            assert!((found / exact - 1.0).abs() < 6e-6, "exp({x}) is {exact}, not {found}");
        }
        assert!(exp(-1e30) < 2e-38);
        assert!(exp(f32::NAN) < 2e-38);
        assert!(exp(1e30).is_finite());
    }

    #[test]
    fn the_activation_is_gelu() {
        let known = [(0.0, 0.0), (1.0, 0.841_345), (-1.0, -0.158_655), (3.0, 2.995_95), (-3.0, -0.004_05), (9.0, 9.0)];
        let mut values = known.map(|(x, _)| x);
        activate(&mut values);
        for (value, (x, expected)) in values.into_iter().zip(known) {
            assert!((value - expected).abs() < 1e-5, "{value} for {x}");
        }
    }

    #[test]
    fn a_normalised_row_has_mean_0_and_variance_1() {
        let mut row: Vec<f32> = (0..WIDTH).map(|index| (index * 7 % 31) as f32).collect();
        let norm = Norm { weights: &[1.0; WIDTH], bias: &[0.0; WIDTH], epsilon: 1e-12 };
        add_and_normalise(&mut row, &[100.0; WIDTH], &norm);
        let mean = row.iter().sum::<f32>() / WIDTH as f32;
        let variance = row.iter().map(|value| value * value).sum::<f32>() / WIDTH as f32;
        assert!(mean.abs() < 1e-5 && (variance - 1.0).abs() < 1e-4, "{mean} {variance}");
    }
}
