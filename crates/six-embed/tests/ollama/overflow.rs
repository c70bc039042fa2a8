//! Texts that are longer than the model takes.

use serde_json::json;
use six_embed::ollama::OllamaError;
use six_embed::{Circuit, EmbedError, Embedder, Guarded, QUERY_PIECES};

use crate::fake::{Fake, Reply};
use crate::{MODEL, inputs, length_seen, lengths, open};

/// The two ways in which servers were seen to say it.
fn too_long(status: u16) -> Reply {
    let error = match status {
        400 => "the input length exceeds the context length",
        _ => "input is too large to process. increase the physical batch size",
    };
    Reply::Json(status, json!({ "error": error }))
}

/// A server whose model takes texts of up to `limit` characters.
fn taking(limit: usize, status: u16) -> Fake {
    Fake::with_models(&[MODEL], move |request| {
        let fits = inputs(&request.body).iter().all(|text| text.chars().count() <= limit);
        if fits { lengths(request) } else { too_long(status) }
    })
}

fn sent(fake: &Fake) -> Vec<Vec<usize>> {
    fake.embeds().iter().map(|body| inputs(body).iter().map(|text| text.chars().count()).collect()).collect()
}

#[test]
fn a_text_that_overflows_is_halved_until_it_fits() {
    for (status, limit, tries) in [(400, 32, 1), (400, 16, 2), (500, 8, 3), (400, 5, 4), (500, 2, 5), (400, 1, 6)] {
        let fake = taking(limit, status);
        let vectors = open(&fake).embed(&[&"€".repeat(40)]).expect("a head fits");
        let lengths = [32, 16, 8, 4, 2, 1];
        assert_eq!(sent(&fake).concat(), lengths[..tries]);
        assert_eq!(length_seen(&vectors[0]), lengths[tries - 1]);
    }
}

#[test]
fn a_query_is_halved_as_well() {
    let fake = taking(10, 400);
    let vector = open(&fake).embed_query(&"x".repeat(30), QUERY_PIECES).expect("a head fits");
    assert_eq!(length_seen(&vector), 7);
}

#[test]
fn of_many_texts_only_the_long_one_is_cut() {
    let fake = taking(10, 400);
    let texts = ["x".repeat(3), "x".repeat(30), "x".repeat(10)];
    let vectors = open(&fake).embed(&texts.each_ref().map(String::as_str)).expect("heads fit");
    let seen: Vec<usize> = vectors.iter().map(|vector| length_seen(vector)).collect();
    assert_eq!(seen, [3, 7, 10]);
    assert_eq!(sent(&fake), [vec![3, 30, 10], vec![3], vec![30], vec![15], vec![7], vec![10]]);
}

#[test]
fn a_text_that_never_fits_is_given_up_after_five_halvings_and_the_next_one_gets_its_vector() {
    let fake =
        Fake::with_models(
            &[MODEL],
            |request| {
                if inputs(&request.body) == ["ok"] { lengths(request) } else { too_long(400) }
            },
        );
    let circuit = Circuit::new();
    let guarded = Guarded::new(open(&fake), 4, &circuit);
    let overflow = OllamaError::Overflow { model: MODEL.0.to_owned(), characters: 1, halvings: 5 };
    assert_eq!(guarded.embed(&[&"x".repeat(100)]), Err(overflow.clone().into()));
    assert_eq!(sent(&fake).concat(), [32, 16, 8, 4, 2, 1]);
    assert!(guarded.embed(&["ok"]).is_ok());
    assert_eq!(circuit.take_first(), Some(EmbedError::Ollama(overflow)));
}
