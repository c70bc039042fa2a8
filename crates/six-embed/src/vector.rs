//! How a vector is kept and compared.

use thiserror::Error;

use crate::kernel::Kernels;

/// Steps for one unit: a value of 0.25 and more is the largest byte. Values of a vector of length 1 are smaller but for a
/// few, and a scale of each vector's own would break the order of distances.
const STEPS: f32 = 127.0 / 0.25;

/// A vector of length 1, in eight bits a value and one scale for all vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vector(Box<[i8]>);

/// Two vectors of different widths, which come from different models and can't be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a vector of {left} values can't be compared with one of {right}")]
pub struct OtherWidth {
    /// Values of the one.
    pub left: usize,
    /// Values of the other.
    pub right: usize,
}

impl Vector {
    /// Keeps `values`, the values of a vector of length 1; clips what is beyond 0.25.
    #[expect(clippy::cast_possible_truncation, reason = "clipping is what is wanted")]
    pub fn of(values: &[f32]) -> Self {
        // A conversion to an integer clips by itself, at -128 below; no number gives 0.
        Self(values.iter().map(|value| ((value * STEPS).round() as i8).max(-127)).collect())
    }

    /// A vector as [`Self::bytes`] gave it.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self(bytemuck::cast_slice(bytes).into())
    }

    /// A byte for each value, two's complement.
    pub fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.0)
    }

    /// Values of the vector.
    pub fn width(&self) -> usize {
        self.0.len()
    }

    /// The cosine of the angle to `other`, from -1 to 1; 0 when one of the two is all zeros.
    pub fn cosine(&self, other: &Self) -> Result<f32, OtherWidth> {
        self.cosine_to_bytes(other.bytes())
    }

    /// The same to a vector that lies somewhere as [`Self::bytes`]: for a scan that makes no copies.
    #[expect(clippy::cast_possible_truncation, reason = "a cosine needs no more digits")]
    pub fn cosine_to_bytes(&self, other: &[u8]) -> Result<f32, OtherWidth> {
        let other: &[i8] = bytemuck::cast_slice(other);
        if self.0.len() != other.len() {
            return Err(OtherWidth { left: self.0.len(), right: other.len() });
        }
        let dot = Kernels::best().dot;
        let squares = f64::from(dot(&self.0, &self.0)) * f64::from(dot(other, other));
        if squares == 0.0 {
            return Ok(0.0);
        }
        Ok((f64::from(dot(&self.0, other)) / squares.sqrt()) as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values_are_kept_in_steps_of_one_scale() {
        let vector = Vector::of(&[0.0, 0.25, -0.25, 0.1, -0.1, 0.9, -0.9, f32::NAN]);
        let expected: [i8; 8] = [0, 127, -127, 51, -51, 127, -127, 0];
        assert_eq!(vector.bytes(), bytemuck::cast_slice::<i8, u8>(&expected));
    }

    #[test]
    fn a_cosine_is_that_of_the_angle() {
        let [right, up, diagonal, nowhere] =
            [[0.2, 0.0], [0.0, 0.2], [0.1, 0.1], [0.0, 0.0]].map(|values| Vector::of(&values));
        assert_eq!(right.cosine(&right), Ok(1.0));
        assert_eq!(right.cosine(&up), Ok(0.0));
        assert_eq!(right.cosine(&nowhere), Ok(0.0));
        assert!((right.cosine(&diagonal).expect("one width") - 0.5_f32.sqrt()).abs() < 1e-6);
    }

    #[test]
    fn vectors_of_two_models_are_not_compared() {
        let (narrow, wide) = (Vector::of(&[0.1; 384]), Vector::of(&[0.1; 768]));
        assert_eq!(narrow.cosine(&wide), Err(OtherWidth { left: 384, right: 768 }));
        assert_eq!(narrow.cosine_to_bytes(&[]), Err(OtherWidth { left: 384, right: 0 }));
    }

    proptest! {
        #[test]
        fn bytes_come_back(bytes in prop::collection::vec(any::<u8>(), 0..900)) {
            let vector = Vector::from_bytes(&bytes);
            prop_assert_eq!(vector.bytes(), &bytes[..]);
            prop_assert_eq!(vector.width(), bytes.len());
        }

        #[test]
        fn a_cosine_stays_in_its_range(left: [i8; 33], right: [i8; 33]) {
            let [left, right] = [left, right].map(|values| Vector::from_bytes(bytemuck::cast_slice(&values)));
            let cosine = left.cosine(&right).expect("one width");
            prop_assert!(cosine.abs() <= 1.000_001, "{}", cosine);
            prop_assert_eq!(right.cosine(&left), Ok(cosine));
        }
    }
}
