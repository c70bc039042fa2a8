//! How fast texts get their vectors: the product's own run, on all cores.

use std::time::Instant;

use six_runtime::embed::{NoProgress, Provider};

use super::super::corpus::Corpus;
use super::figure::{Budget, Figure};
use super::stage::MADE_UP_AT;
use super::text::Prose;
use crate::failure::Failure;

/// Texts that are embedded.
const TEXTS: usize = 256;

/// Words of each: with the made-up ones in several pieces, about 200 word pieces.
const WORDS: usize = 84;

/// Chunks a second on two cores: with vector instructions for bytes, else.
const RATE: [(&str, f64); 2] = [("AVX-512 VNNI", 80.0), ("AVX2", 35.0)];

/// Embeds made-up texts; the time to take them in does not count.
pub(super) fn time_embedding(provider: &Provider) -> Result<Vec<Figure>, Failure> {
    let mut prose = Prose::new(4);
    let texts: Vec<_> = (0..TEXTS).map(|number| (number.to_string(), prose.text(WORDS))).collect();
    let corpus = Corpus::take_in(&texts, provider, MADE_UP_AT)?;
    let begun = Instant::now();
    corpus.embed(&mut NoProgress)?;
    let rate = f64::from(u32::try_from(TEXTS).unwrap_or(0)) / begun.elapsed().as_secs_f64();
    let path = provider.path().unwrap_or_default();
    let plain = Figure::plain("embedding, all cores", path, "chunks/s", rate);
    let budget = RATE.into_iter().find(|(name, _)| *name == path);
    Ok(vec![budget.map_or(plain.clone(), |(_, least)| plain.within(Budget::AtLeast(least)))])
}

#[cfg(test)]
mod tests {
    use six_embed::{Embedded, PIECES};

    use super::*;

    #[test]
    fn a_made_up_text_is_as_long_as_a_chunk_is() {
        let model = Embedded::load().unwrap();
        let mut prose = Prose::new(4);
        let pieces: usize = (0..TEXTS).map(|_| model.pieces(&prose.text(WORDS), PIECES).len()).sum();
        let mean = pieces / TEXTS;
        assert!((192..=212).contains(&mean), "{mean}");
    }
}
