//! The door to an index: vectors of one width come in, and nobody waits twice for a provider that failed.

use crate::circuit::Circuit;
use crate::embedder::{EmbedError, Embedder};

/// An embedder behind the circuit of its process, whose vectors have the width of the index or are refused.
#[derive(Debug)]
pub struct Guarded<'a, E> {
    embedder: E,
    width: usize,
    circuit: &'a Circuit,
}

impl<'a, E: Embedder> Guarded<'a, E> {
    /// Lets vectors of `width` values pass: those that the index has of this embedder's id, or is to get.
    pub fn new(embedder: E, width: usize, circuit: &'a Circuit) -> Self {
        Self { embedder, width, circuit }
    }

    /// What is behind the door.
    pub fn embedder(&self) -> &E {
        &self.embedder
    }

    fn pass(&self, vector: Vec<f32>) -> Result<Vec<f32>, EmbedError> {
        if vector.len() == self.width {
            Ok(vector)
        } else {
            Err(EmbedError::WrongWidth { expected: self.width, found: vector.len() })
        }
    }
}

impl<E: Embedder> Embedder for Guarded<'_, E> {
    fn id(&self) -> &str {
        self.embedder.id()
    }

    fn width(&self) -> usize {
        self.width
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.circuit.run(|| self.embedder.embed(texts)?.into_iter().map(|vector| self.pass(vector)).collect())
    }

    fn reads(&self, text: &str) -> bool {
        self.embedder.reads(text)
    }

    fn embed_query(&self, text: &str, pieces: usize) -> Result<Vec<f32>, EmbedError> {
        self.circuit.run(|| self.pass(self.embedder.embed_query(text, pieces)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Gives vectors of two values, and counts how often it is asked.
    #[derive(Default)]
    struct Pairs {
        asked: AtomicUsize,
    }

    impl Embedder for Pairs {
        fn id(&self) -> &'static str {
            "pairs"
        }

        fn width(&self) -> usize {
            2
        }

        fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
            self.asked.fetch_add(1, Ordering::Relaxed);
            Ok(vec![vec![0.0, 1.0]; texts.len()])
        }

        fn embed_query(&self, text: &str, _: usize) -> Result<Vec<f32>, EmbedError> {
            self.embed(&[text]).map(|vectors| vectors.concat())
        }
    }

    #[test]
    fn vectors_of_the_width_of_the_index_pass() {
        let circuit = Circuit::new();
        let guarded = Guarded::new(Pairs::default(), 2, &circuit);
        assert_eq!((guarded.id(), guarded.width()), ("pairs", 2));
        assert_eq!(guarded.embed(&["a", "b"]), Ok(vec![vec![0.0, 1.0]; 2]));
        assert_eq!(guarded.embed_query("a", 8), Ok(vec![0.0, 1.0]));
        assert_eq!(circuit.take_first(), None);
    }

    #[test]
    fn a_vector_of_another_width_is_refused_and_no_other_is_asked_for() {
        let refused = EmbedError::WrongWidth { expected: 3, found: 2 };
        let circuit = Circuit::new();
        let guarded = Guarded::new(Pairs::default(), 3, &circuit);
        assert_eq!(guarded.embed_query("a", 8), Err(refused.clone()));
        assert_eq!(guarded.embed(&["a"]), Err(EmbedError::CircuitOpen { first: refused.to_string() }));
        assert_eq!(guarded.embedder().asked.load(Ordering::Relaxed), 1);
        assert_eq!(circuit.take_first(), Some(refused));
    }
}
