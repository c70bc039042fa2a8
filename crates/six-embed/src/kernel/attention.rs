//! What each token takes from the others: for each head, the values of all tokens weighted by how well their keys fit its
//! query.
//!
//! Plain code that is compiled for each kind of processor. `LANES` is the number of floats that it keeps side by side,
//! `QUERIES` the number of queries that are answered at once, so that a loaded key serves all of them. Both change the
//! speed, not the result. Measure after a change: where the compiler can't keep `LANES * QUERIES` sums in registers, a
//! pass takes thirty times as long (seen with 16 * 6 and 32 * 4 on AVX-512).

use super::elementwise::exp;
use crate::model::{HEAD_WIDTH, HEADS, WIDTH};

/// Keys come in multiples of this, so that sums run in the same order whatever `LANES` is.
const KEYS: usize = 32;
/// For the keys that are missing to a multiple: the exponential makes a zero of it.
const NO_KEY: f32 = -1e30;

/// See [`Kernels::attend`](super::Kernels). `LANES` divides 32.
#[inline(always)]
pub(super) fn attend<const LANES: usize, const QUERIES: usize>(projected: &[f32], attended: &mut [f32]) {
    let (rows, _) = projected.as_chunks::<{ 3 * WIDTH }>();
    if rows.is_empty() {
        return;
    }
    let mut head = Head::<LANES, QUERIES>::of(rows.len());
    let (outputs, _) = attended.as_chunks_mut::<WIDTH>();
    for index in 0..HEADS {
        head.gather(rows, index);
        for (queries, outputs) in head.queries.iter().zip(outputs.chunks_mut(QUERIES)) {
            score(queries, &head.keys, &mut head.scores);
            let sums = weigh(&mut head.scores, rows.len());
            for (strip, values) in head.values.chunks_exact(rows.len()).enumerate() {
                let mixed = mix(&head.scores, values);
                for ((mixed, sum), output) in mixed.iter().zip(sums).zip(outputs.iter_mut()) {
                    let output = &mut output[index * HEAD_WIDTH + strip * LANES..][..LANES];
                    for lane in 0..LANES {
                        output[lane] = mixed[lane] / sum;
                    }
                }
            }
        }
    }
}

/// One head of all tokens, as the loops read it.
struct Head<const LANES: usize, const QUERIES: usize> {
    /// `QUERIES` tokens together.
    queries: Vec<[[f32; HEAD_WIDTH]; QUERIES]>,
    /// `LANES` tokens together; for each dimension the values of those tokens.
    keys: Vec<[[f32; LANES]; HEAD_WIDTH]>,
    /// Strips of `LANES` dimensions; in a strip one token after the other.
    values: Vec<[f32; LANES]>,
    /// Of the queries in work; for `LANES` keys together.
    scores: Vec<[[f32; LANES]; QUERIES]>,
}

impl<const LANES: usize, const QUERIES: usize> Head<LANES, QUERIES> {
    #[inline(always)]
    fn of(tokens: usize) -> Self {
        let tiles = tokens.next_multiple_of(KEYS) / LANES;
        Self {
            queries: vec![[[0.0; HEAD_WIDTH]; QUERIES]; tokens.div_ceil(QUERIES)],
            keys: vec![[[0.0; LANES]; HEAD_WIDTH]; tiles],
            values: vec![[0.0; LANES]; tokens * (HEAD_WIDTH / LANES)],
            scores: vec![[[0.0; LANES]; QUERIES]; tiles],
        }
    }

    #[inline(always)]
    fn gather(&mut self, rows: &[[f32; 3 * WIDTH]], index: usize) {
        let scale = 1.0 / (HEAD_WIDTH as f32).sqrt();
        for (token, row) in rows.iter().enumerate() {
            let part = |which: usize| &row[which * WIDTH + index * HEAD_WIDTH..][..HEAD_WIDTH];
            let query = &mut self.queries[token / QUERIES][token % QUERIES];
            for (query, value) in query.iter_mut().zip(part(0)) {
                *query = value * scale;
            }
            for (lanes, value) in self.keys[token / LANES].iter_mut().zip(part(1)) {
                lanes[token % LANES] = *value;
            }
            for (strip, lanes) in part(2).as_chunks::<LANES>().0.iter().enumerate() {
                self.values[strip * rows.len() + token] = *lanes;
            }
        }
    }
}

/// How well each key fits each of the queries.
#[inline(always)]
fn score<const LANES: usize, const QUERIES: usize>(
    queries: &[[f32; HEAD_WIDTH]; QUERIES],
    keys: &[[[f32; LANES]; HEAD_WIDTH]],
    scores: &mut [[[f32; LANES]; QUERIES]],
) {
    for (keys, scores) in keys.iter().zip(scores) {
        let mut sums = [[0.0; LANES]; QUERIES];
        for dimension in 0..HEAD_WIDTH {
            for query in 0..QUERIES {
                for lane in 0..LANES {
                    sums[query][lane] += queries[query][dimension] * keys[dimension][lane];
                }
            }
        }
        *scores = sums;
    }
}

/// Turns the scores of the first `tokens` keys into weights, and returns their sum for each query.
#[inline(always)]
fn weigh<const LANES: usize, const QUERIES: usize>(
    scores: &mut [[[f32; LANES]; QUERIES]],
    tokens: usize,
) -> [f32; QUERIES] {
    for (token, query) in (tokens..scores.len() * LANES).flat_map(|token| (0..QUERIES).map(move |query| (token, query)))
    {
        scores[token / LANES][query][token % LANES] = NO_KEY;
    }
    let mut sums = [0.0; QUERIES];
    for query in 0..QUERIES {
        let mut highest = [NO_KEY; LANES];
        for scores in &*scores {
            for lane in 0..LANES {
                highest[lane] = if scores[query][lane] > highest[lane] { scores[query][lane] } else { highest[lane] };
            }
        }
        let highest = highest.iter().fold(NO_KEY, |highest, score| highest.max(*score));
        for scores in &mut *scores {
            for lane in 0..LANES {
                scores[query][lane] = exp(scores[query][lane] - highest);
            }
        }
        let mut lanes = [0.0; KEYS];
        for scores in scores.chunks_exact(KEYS / LANES) {
            for (part, scores) in scores.iter().enumerate() {
                for lane in 0..LANES {
                    lanes[part * LANES + lane] += scores[query][lane];
                }
            }
        }
        sums[query] = lanes.iter().sum();
    }
    sums
}

/// For each of the queries the weighted sum of the values of one strip.
#[inline(always)]
fn mix<const LANES: usize, const QUERIES: usize>(
    weights: &[[[f32; LANES]; QUERIES]],
    values: &[[f32; LANES]],
) -> [[f32; LANES]; QUERIES] {
    let mut sums = [[0.0; LANES]; QUERIES];
    for (weights, values) in weights.iter().zip(values.chunks(LANES)) {
        for (token, values) in values.iter().enumerate() {
            for query in 0..QUERIES {
                for lane in 0..LANES {
                    sums[query][lane] += weights[query][token] * values[lane];
                }
            }
        }
    }
    sums
}
