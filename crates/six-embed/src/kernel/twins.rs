//! Every kernel against its twin in plain code, bit by bit, on made-up numbers.

use proptest::prelude::*;

use super::{Kernels, Path, Quantised};
use crate::model::{Block, Linear, Norm, PANEL, STEP, WIDTH};

/// The paths of this processor that have a twin.
fn others() -> Vec<Kernels> {
    Path::ALL.into_iter().filter(|path| *path != Path::Portable).filter_map(Kernels::of).collect()
}

fn portable() -> Kernels {
    Kernels::of(Path::Portable).expect("runs on any processor")
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// Numbers from a seed, from -1 to 1.
fn floats(seed: u64, count: usize) -> Vec<f32> {
    let mut state = seed | 1;
    let next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / 8_388_608.0 - 1.0
    };
    std::iter::repeat_with(next).take(count).collect()
}

/// A matrix of `panels * 16` outputs.
struct Matrix {
    inputs: usize,
    blocks: Vec<Block>,
    scales: Vec<[f32; PANEL]>,
    bias: Vec<[f32; PANEL]>,
    sums: Vec<[i32; PANEL]>,
}

impl Matrix {
    #[expect(clippy::cast_possible_truncation, reason = "clamped before")]
    fn made_up(seed: u64, panels: usize, steps: usize) -> Self {
        let arrays = |seed| floats(seed, panels * PANEL).as_chunks::<PANEL>().0.to_vec();
        // Full range: the largest weights are where an instruction that saturates gives itself away.
        let weights = floats(seed, panels * steps * 64);
        let weights: Vec<i8> = weights.iter().map(|value| (value * 300.0).clamp(-127.0, 127.0) as i8).collect();
        let blocks: Vec<Block> = weights.as_chunks().0.to_vec();
        let sum = |panel: usize, output: usize| {
            blocks[panel * steps..][..steps]
                .iter()
                .flat_map(|block| &block[output * STEP..][..STEP])
                .map(|w| i32::from(*w))
                .sum()
        };
        let sums = (0..panels).map(|panel| std::array::from_fn(|output| sum(panel, output))).collect();
        Self { inputs: steps * STEP, scales: arrays(seed + 1), bias: arrays(seed + 2), sums, blocks }
    }

    fn linear(&self) -> Linear<'_> {
        let Self { inputs, blocks, scales, bias, sums } = self;
        Linear { inputs: *inputs, blocks, scales, bias, sums }
    }

    /// What the matrix means: row times weights plus bias, in doubles.
    fn exactly(&self, row: &[f32], output: usize) -> f64 {
        let (panel, lane) = (output / PANEL, output % PANEL);
        let blocks = &self.blocks[panel * self.inputs / STEP..];
        let weight = |input: usize| f64::from(blocks[input / STEP][lane * STEP + input % STEP]);
        let sum: f64 = row.iter().enumerate().map(|(input, value)| f64::from(*value) * weight(input)).sum();
        sum * f64::from(self.scales[panel][lane]) + f64::from(self.bias[panel][lane])
    }
}

fn multiply(kernels: &Kernels, matrix: &Matrix, rows: &[f32]) -> Vec<f32> {
    let linear = matrix.linear();
    let mut quantised = Quantised::of_width(matrix.inputs);
    (kernels.quantise)(rows, &mut quantised);
    let mut products = vec![f32::NAN; rows.len() / matrix.inputs * linear.outputs()];
    (kernels.multiply)(&linear, &quantised, &mut products);
    products
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn products_agree(seed: u64, panels in 1_usize..6, steps in 1_usize..40, rows in 1_usize..20) {
        let matrix = Matrix::made_up(seed >> 2, panels, steps);
        let rows = floats(seed, rows * matrix.inputs);
        let expected = multiply(&portable(), &matrix, &rows);
        prop_assert!(expected.iter().all(|value| value.is_finite()), "every product is written");
        for kernels in others() {
            prop_assert_eq!(bits(&multiply(&kernels, &matrix, &rows)), bits(&expected), "{:?}", kernels.path);
        }
    }

    #[test]
    fn attention_agrees(seed: u64, tokens in 0_usize..70) {
        let projected = floats(seed, tokens * 3 * WIDTH);
        let attend = |kernels: &Kernels| {
            let mut attended = vec![f32::NAN; tokens * WIDTH];
            (kernels.attend)(&projected, &mut attended);
            attended
        };
        let expected = attend(&portable());
        prop_assert!(expected.iter().all(|value| value.abs() <= 1.0), "a mean of values is none of them or between");
        for kernels in others() {
            prop_assert_eq!(bits(&attend(&kernels)), bits(&expected), "{:?}", kernels.path);
        }
    }

    #[test]
    fn rows_are_normalised_alike(seed: u64, rows in 0_usize..9) {
        let weights = floats(seed >> 1, 2 * WIDTH);
        let (weights, bias) = (weights.first_chunk().expect("a row"), weights.last_chunk().expect("a row"));
        let norm = Norm { weights, bias, epsilon: 1e-12 };
        let normalise = |kernels: &Kernels| {
            let mut changed = floats(seed, rows * WIDTH);
            (kernels.add_and_normalise)(&mut changed, &floats(seed >> 2, rows * WIDTH), &norm);
            bits(&changed)
        };
        for kernels in others() {
            prop_assert_eq!(normalise(&kernels), normalise(&portable()), "{:?}", kernels.path);
        }
    }

    #[test]
    fn single_values_agree(mut values in prop::collection::vec(any::<f32>(), 0..100)) {
        let activate = |kernels: &Kernels, values: &[f32]| {
            let mut activated = values.to_vec();
            (kernels.activate)(&mut activated);
            activated
        };
        values.retain(|value| !value.is_nan()); // which of the many NaNs comes out is nobody's promise
        for kernels in others() {
            let (vector, plain) = (activate(&kernels, &values), activate(&portable(), &values));
            prop_assert!(vector.iter().zip(&plain).all(|(a, b)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())));
        }
    }

    #[test]
    fn dot_products_agree(left in prop::collection::vec(any::<i8>(), 0..800), right in prop::collection::vec(any::<i8>(), 0..800)) {
        let exact = left.iter().zip(&right).map(|(a, b)| i64::from(*a) * i64::from(*b)).sum::<i64>();
        for kernels in others().into_iter().chain([portable()]) {
            prop_assert_eq!(i64::from((kernels.dot)(&left, &right)), exact, "{:?}", kernels.path);
        }
    }
}

#[test]
fn a_product_is_that_of_the_matrix_within_the_error_of_a_byte() {
    let matrix = Matrix::made_up(7, 3, 24);
    let rows = floats(9, 5 * matrix.inputs);
    let outputs = 3 * PANEL;
    let products = multiply(&portable(), &matrix, &rows);
    for (row, products) in rows.chunks(matrix.inputs).zip(products.chunks(outputs)) {
        for (output, product) in products.iter().enumerate() {
            let exact = matrix.exactly(row, output);
            // 96 inputs, each off by at most 1/255, times weights of at most 128.
            assert!((f64::from(*product) - exact).abs() < 50.0, "{product} instead of {exact}");
        }
    }
}

#[test]
fn one_token_takes_its_own_value() {
    let projected = floats(3, 3 * WIDTH);
    let mut attended = vec![0.0; WIDTH];
    (portable().attend)(&projected, &mut attended);
    for (attended, value) in attended.iter().zip(&projected[2 * WIDTH..]) {
        assert!((attended - value).abs() < 1e-6);
    }
}

#[test]
fn attention_is_the_mean_that_the_scores_ask_for() {
    // Two tokens of one head: scores 0 and ln 3 after scaling, so that the second weighs three times the first.
    let mut projected = vec![0.0; 2 * 3 * WIDTH];
    projected[0] = 32_f32.sqrt();
    projected[3 * WIDTH + WIDTH] = 3_f32.ln();
    projected[2 * WIDTH] = 1.0;
    projected[3 * WIDTH + 2 * WIDTH] = 5.0;
    let mut attended = vec![0.0; 2 * WIDTH];
    (portable().attend)(&projected, &mut attended);
    assert!((attended[0] - 4.0).abs() < 1e-5, "{}", attended[0]);
    assert!(
        (attended[WIDTH] - 3.0).abs() < 1e-5,
        "a query without direction takes the plain mean: {}",
        attended[WIDTH]
    );
}
