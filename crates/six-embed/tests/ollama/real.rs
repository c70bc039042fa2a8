//! The same against a server that really makes vectors, for whoever has one.

use std::env;
use std::time::Duration;

use six_embed::ollama::{Ollama, OllamaSettings};
use six_embed::{Embedder, QUERY_PIECES};

fn cosine(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

/// `SIX_OLLAMA` is its address, `SIX_OLLAMA_MODEL` the model (`all-minilm` if it is not set).
#[test]
#[ignore = "needs a server: SIX_OLLAMA=http://127.0.0.1:11434"]
fn a_real_server_finds_what_is_meant() {
    let endpoint = env::var("SIX_OLLAMA").expect("SIX_OLLAMA names a server");
    let model = env::var("SIX_OLLAMA_MODEL").unwrap_or_else(|_| "all-minilm".to_owned());
    let settings = OllamaSettings { endpoint, query_timeout: Duration::from_secs(60), ..OllamaSettings::new(model) };
    let ollama = Ollama::open(&settings).expect("the model is there");
    println!("{} of {} values, warm after {:?}", ollama.id(), ollama.width(), ollama.warm_up(Duration::from_secs(60)));
    let long = "let x = [(0, 1), (2, 3)];\n".repeat(4000);
    let texts = ["The cat sleeps on the sofa.", "Invoices are paid within thirty days.", &long];
    let vectors = ollama.embed(&texts).expect("vectors, also of a text that is far too long");
    assert!(vectors.iter().all(|vector| vector.len() == ollama.width() && (cosine(vector, vector) - 1.0).abs() < 1e-3));
    let query = ollama.embed_query("When does a bill have to be settled?", QUERY_PIECES).expect("a vector");
    let [cat, invoice, code] = [0, 1, 2].map(|text| cosine(&query, &vectors[text]));
    println!("cat {cat}, invoice {invoice}, code {code}");
    assert!(invoice > cat && invoice > code);
}
