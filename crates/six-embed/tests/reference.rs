//! The embedded model against the original in 32-bit floats.
//!
//! The reference vectors are not part of the repository. `SIX_SHARED` names the folder that holds them; without one this
//! test says so and passes. What the crate itself must give is pinned in `known.rs`.
#![expect(clippy::expect_used, reason = "a test that can't read its ground has to stop, and say where")]
#![expect(clippy::cast_precision_loss, reason = "a count of texts")]
#![expect(clippy::print_stdout, reason = "what was skipped and what was found")]

use std::path::{Path as FilePath, PathBuf};

use serde_json::Value;
use six_embed::{Embedded, Embedder, PIECES, Path};

fn reference() -> Option<Vec<Value>> {
    let workspace = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared = std::env::var_os("SIX_SHARED").map_or_else(|| workspace.join("../shared"), PathBuf::from);
    let file = shared.join("embed/reference-vectors.json");
    let Ok(text) = std::fs::read_to_string(&file) else {
        println!("SKIPPED: {} is not there; set SIX_SHARED to the folder that holds it", file.display());
        return None;
    };
    Some(serde_json::from_str(&text).expect("a list of texts with ids and vectors"))
}

fn text(case: &Value) -> &str {
    case["text"].as_str().expect("a text")
}

fn cosine(left: &[f32], right: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let left: Vec<f64> = left.iter().copied().map(f64::from).collect();
    dot(&left, right) / (dot(&left, &left) * dot(right, right)).sqrt()
}

#[test]
fn texts_are_cut_into_the_pieces_of_the_reference() {
    let embedded = Embedded::load().expect("the shipped model");
    for case in reference().unwrap_or_default() {
        let expected: Vec<u16> = serde_json::from_value(case["ids"].clone()).expect("ids");
        assert_eq!(embedded.pieces(text(&case), PIECES), expected, "{:?}", text(&case));
    }
}

#[test]
fn vectors_are_close_to_the_reference_on_every_path() {
    let Some(cases) = reference() else { return };
    for path in Path::ALL.into_iter().filter(|path| path.is_available()) {
        let embedded = Embedded::load_on(path).expect("the shipped model");
        let mut sum = 0.0;
        for case in &cases {
            let expected: Vec<f64> = serde_json::from_value(case["vector"].clone()).expect("a vector");
            let vectors = embedded.embed(&[text(case)]).expect("a vector");
            let cosine = cosine(&vectors[0], &expected);
            assert!(cosine >= 0.98, "{path:?}: {cosine} for {:?}", text(case));
            sum += cosine;
        }
        let mean = sum / cases.len() as f64;
        println!("{path:?}: mean cosine {mean:.4} over {} texts", cases.len());
        assert!(mean >= 0.995, "{path:?}: {mean}");
    }
}
