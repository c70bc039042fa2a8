//! What the embedded model must give, without anything from outside the repository.
#![expect(clippy::expect_used, reason = "a test that can't read its ground has to stop, and say where")]

use std::fmt::Write;

use six_embed::{Embedded, Embedder, PIECES, Path, QUERY_PIECES, Vector, WIDTH};

/// A text, its ids (those of the reference tokenizer), its kept vector in hexadecimal; and so on. Whoever has to change a
/// vector here changes the meaning of every store, and gives the model another id.
const KNOWN: &str = include_str!("known.txt");

fn on_every_path() -> Vec<Embedded> {
    Path::ALL.into_iter().filter_map(|path| Embedded::load_on(path).ok()).collect()
}

fn kept(embedded: &Embedded, text: &str) -> Vector {
    Vector::of(&embedded.embed(&[text]).expect("a vector")[0])
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("a string takes all");
        hex
    })
}

#[test]
fn known_texts_have_known_ids_and_vectors_on_every_path() {
    for embedded in on_every_path() {
        let mut found = String::new();
        for text in KNOWN.lines().step_by(3) {
            let ids: Vec<String> = embedded.pieces(text, PIECES).iter().map(u16::to_string).collect();
            writeln!(found, "{text}\n  {}\n  {}", ids.join(" "), hex(kept(&embedded, text).bytes())).expect("a string");
        }
        assert_eq!(found, KNOWN, "{:?}", embedded.path());
    }
}

#[test]
fn every_path_gives_the_same_bits() {
    let texts = ["", "x", &"the queue holds a lock ".repeat(60), "\u{0}\u{1f980}\u{301}", "fn main() {}"];
    let vectors = on_every_path().into_iter().map(|embedded| embedded.embed(&texts).expect("vectors"));
    let bits = |vectors: Vec<Vec<f32>>| vectors.concat().into_iter().map(f32::to_bits).collect::<Vec<_>>();
    let mut all = vectors.map(bits);
    let first = all.next().expect("the portable path is always there");
    assert!(all.all(|other| other == first));
}

#[test]
fn what_means_the_same_is_nearer_than_what_shares_words() {
    let embedded = Embedded::load().expect("the shipped model");
    let query = embedded.embed_query("my laptop is slow", QUERY_PIECES).expect("a vector");
    let cosine = |text| Vector::of(&query).cosine(&kept(&embedded, text)).expect("one width");
    let meant = cosine("how to speed up an old computer");
    assert!(meant > cosine("my dance is slow"));
    assert!(meant > cosine("bread needs flour, water and salt"));
}

#[test]
fn vectors_have_length_1_whatever_the_text() {
    let embedded = Embedded::load().expect("the shipped model");
    let megabyte = "a".repeat(1_000_000);
    let bangs = "!".repeat(1_000_000);
    for text in ["", "\u{0}\u{0}", "\u{7f}\u{1b}[0m", "\u{1f980}\u{1f980}", &megabyte, &bangs] {
        let vector = embedded.embed(&[text]).expect("a vector").concat();
        assert_eq!(vector.len(), WIDTH);
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        assert!((length - 1.0).abs() < 1e-5, "{length} for {:?}", text.chars().next());
    }
}

#[test]
fn a_query_is_read_up_to_its_limit() {
    let embedded = Embedded::load().expect("the shipped model");
    let query = |text: &str| embedded.embed_query(text, QUERY_PIECES).expect("a vector");
    let start = "lock ".repeat(QUERY_PIECES);
    assert_eq!(query(&format!("{start} and bread")), query(&start));
    assert_ne!(query("lock and bread"), query("lock"));
}
