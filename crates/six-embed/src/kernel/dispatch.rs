//! The kinds of processor, and the choice between them.

use std::sync::OnceLock;

use super::quantised::Quantised;
use super::{attention, elementwise, portable};
use crate::model::{Linear, Norm};

/// A way through the kernels; all give the same vectors, at different speeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    /// x86-64 with 512-bit vectors and byte products (AVX-512 VNNI).
    Vnni,
    /// x86-64 with 256-bit vectors (AVX2).
    Avx2,
    /// Any processor.
    Portable,
}

impl Path {
    /// All paths, the fastest first.
    pub const ALL: [Self; 3] = [Self::Vnni, Self::Avx2, Self::Portable];

    /// Whether this processor has the path.
    pub fn is_available(self) -> bool {
        Kernels::of(self).is_some()
    }
}

/// The kernels of one path.
///
/// Shapes: a matrix of floats is a slice of rows, one behind the other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kernels {
    pub(crate) path: Path,
    /// Rows to eight bits each with its own scale and zero point.
    pub(crate) quantise: fn(rows: &[f32], quantised: &mut Quantised),
    /// Each row times the matrix, plus the bias.
    pub(crate) multiply: fn(linear: &Linear, rows: &Quantised, products: &mut [f32]),
    /// Rows of queries, keys and values to rows of what each token attends to, all heads.
    pub(crate) attend: fn(projected: &[f32], attended: &mut [f32]),
    /// Adds `change` to `rows` and normalises each row.
    pub(crate) add_and_normalise: fn(rows: &mut [f32], change: &[f32], norm: &Norm),
    /// The activation between the two feed-forward steps, in place.
    pub(crate) activate: fn(values: &mut [f32]),
    /// The sum of products over the length of the shorter one.
    pub(crate) dot: fn(left: &[i8], right: &[i8]) -> i32,
}

impl Kernels {
    /// The kernels of `path`, if this processor can run them.
    pub(crate) fn of(path: Path) -> Option<Self> {
        match path {
            #[cfg(target_arch = "x86_64")]
            Path::Vnni => super::vnni::detect(),
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => super::avx2::detect(),
            #[cfg(not(target_arch = "x86_64"))]
            Path::Vnni | Path::Avx2 => None,
            Path::Portable => Some(PORTABLE),
        }
    }

    /// The fastest kernels of this processor, looked for once in a process.
    pub(crate) fn best() -> Self {
        static BEST: OnceLock<Kernels> = OnceLock::new();
        *BEST.get_or_init(|| Path::ALL.into_iter().find_map(Self::of).unwrap_or(PORTABLE))
    }
}

const PORTABLE: Kernels = Kernels {
    path: Path::Portable,
    quantise: Quantised::fill,
    multiply: portable::multiply,
    attend: attention::attend::<4, 8>,
    add_and_normalise: elementwise::add_and_normalise,
    activate: elementwise::activate,
    dot: elementwise::dot,
};

/// Defines `detect()`: the kernels of a path, if the processor has `$features`.
///
/// The float steps and the dot product are the plain code of their modules, compiled a second time with `$features`;
/// the matrix product is `multiply_detected` of the module that uses the macro.
#[cfg(target_arch = "x86_64")]
macro_rules! detect_with {
    ($path:expr, $lanes:literal, $queries:literal, $features:literal, [$($feature:tt),+]) => {
        /// The kernels of this path, if the processor has its instructions.
        pub(super) fn detect() -> Option<Kernels> {
            let detected = true $(&& is_x86_feature_detected!($feature))+;
            detected.then_some(Kernels {
                path: $path,
                quantise,
                multiply,
                attend,
                add_and_normalise,
                activate,
                dot,
            })
        }

        detect_with!(@fn $features, multiply_detected, multiply(linear: &Linear, rows: &Quantised, products: &mut [f32]));
        detect_with!(@fn $features, Quantised::fill, quantise(rows: &[f32], quantised: &mut Quantised));
        detect_with!(@fn $features, attention::attend::<$lanes, $queries>, attend(projected: &[f32], attended: &mut [f32]));
        detect_with!(@fn $features, elementwise::add_and_normalise,
            add_and_normalise(rows: &mut [f32], change: &[f32], norm: &Norm));
        detect_with!(@fn $features, elementwise::activate, activate(values: &mut [f32]));
        detect_with!(@fn $features, elementwise::dot, dot(left: &[i8], right: &[i8]) -> i32);
    };
    (@fn $features:literal, $body:expr, $name:ident($($argument:ident: $type:ty),+) $(-> $result:ty)?) => {
        #[expect(unsafe_code, reason = "code for optional instructions may run only where they are, which `detect` sees to")]
        fn $name($($argument: $type),+) $(-> $result)? {
            #[target_feature(enable = $features)]
            fn compiled($($argument: $type),+) $(-> $result)? {
                $body($($argument),+)
            }
            // SAFETY: private to this module, and `detect` alone hands it out: after it found the instructions.
            unsafe { compiled($($argument),+) }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use detect_with;
