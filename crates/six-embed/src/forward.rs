//! Word pieces to a vector: one pass through the layers.

use crate::kernel::{Kernels, Quantised};
use crate::model::{INNER, Layer, Model, WIDTH};

/// The mean of what the model makes of `ids`, scaled to length 1; zeros without ids.
pub(crate) fn forward(model: &Model, kernels: &Kernels, ids: &[u16]) -> Vec<f32> {
    let mut pass = Pass::begin(model, kernels, ids);
    for layer in &model.layers {
        pass.attend(layer);
        pass.feed_forward(layer);
    }
    mean_direction(&pass.rows)
}

/// What the layers work on, a row for each piece. The buffers serve all layers.
struct Pass<'a> {
    kernels: &'a Kernels,
    rows: Vec<f32>,
    narrow: Quantised,
    wide: Quantised,
    projected: Vec<f32>,
    inner: Vec<f32>,
    change: Vec<f32>,
}

impl<'a> Pass<'a> {
    fn begin(model: &Model, kernels: &'a Kernels, ids: &[u16]) -> Self {
        let mut rows = vec![0.0; ids.len() * WIDTH];
        for ((position, id), row) in ids.iter().enumerate().zip(rows.as_chunks_mut().0) {
            model.look_up(*id, position, row);
        }
        let change = vec![0.0; rows.len()];
        (kernels.add_and_normalise)(&mut rows, &change, &model.norm);
        Self {
            kernels,
            rows,
            narrow: Quantised::of_width(WIDTH),
            wide: Quantised::of_width(INNER),
            projected: vec![0.0; ids.len() * 3 * WIDTH],
            inner: vec![0.0; ids.len() * INNER],
            change,
        }
    }

    fn attend(&mut self, layer: &Layer) {
        (self.kernels.quantise)(&self.rows, &mut self.narrow);
        (self.kernels.multiply)(&layer.projection, &self.narrow, &mut self.projected);
        (self.kernels.attend)(&self.projected, &mut self.change);
        (self.kernels.quantise)(&self.change, &mut self.narrow);
        (self.kernels.multiply)(&layer.attended, &self.narrow, &mut self.change);
        (self.kernels.add_and_normalise)(&mut self.rows, &self.change, &layer.attended_norm);
    }

    fn feed_forward(&mut self, layer: &Layer) {
        (self.kernels.quantise)(&self.rows, &mut self.narrow);
        (self.kernels.multiply)(&layer.widen, &self.narrow, &mut self.inner);
        (self.kernels.activate)(&mut self.inner);
        (self.kernels.quantise)(&self.inner, &mut self.wide);
        (self.kernels.multiply)(&layer.narrow, &self.wide, &mut self.change);
        (self.kernels.add_and_normalise)(&mut self.rows, &self.change, &layer.norm);
    }
}

fn mean_direction(rows: &[f32]) -> Vec<f32> {
    let mut sums = vec![0.0; WIDTH];
    for row in rows.as_chunks::<WIDTH>().0 {
        for (sum, value) in sums.iter_mut().zip(row) {
            *sum += value;
        }
    }
    let length = sums.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length > 0.0 {
        for value in &mut sums {
            *value /= length;
        }
    }
    sums
}
