//! The arithmetic of a pass, once for each kind of processor.
//!
//! | file | holds |
//! |---|---|
//! | `dispatch` | the kinds of processor, and the choice between them |
//! | `quantised` | rows in eight bits, as the matrix products read them |
//! | `product` | what is left to do on the sums of a matrix product |
//! | `attention`, `elementwise` | the float steps: plain code, compiled for each kind of processor |
//! | `portable` | the matrix product in plain code: what runs elsewhere, and the twin that the others are held against |
//! | `avx2`, `vnni` | the matrix product with vector instructions |
//!
//! Matrix products are sums of integers, and the float steps add in one fixed order without fused operations. So all
//! paths agree to the last bit, and a test asks for exactly that.

mod attention;
#[cfg(target_arch = "x86_64")]
mod avx2;
mod dispatch;
mod elementwise;
mod portable;
mod product;
mod quantised;
#[cfg(target_arch = "x86_64")]
mod vnni;

#[cfg(test)]
mod twins;

pub(crate) use dispatch::Kernels;
pub use dispatch::Path;
pub(crate) use quantised::Quantised;
