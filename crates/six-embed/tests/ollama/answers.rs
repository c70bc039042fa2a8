//! Answers of a server that is well, and vectors that are not.

use serde_json::{Value, json};
use six_embed::ollama::{Flaw, Ollama, OllamaError, OllamaSettings};
use six_embed::{EmbedError, Embedder};

use crate::fake::{Fake, Reply};
use crate::{MODEL, lengths, open, settings};

fn refusal_of(reply: impl Fn() -> Reply + Send + Sync + 'static) -> EmbedError {
    let fake = Fake::with_models(&[MODEL], move |_| reply());
    open(&fake).embed(&["a"]).expect_err("the answer is bad")
}

fn flaw_of(reply: impl Fn() -> Reply + Send + Sync + 'static) -> Flaw {
    match refusal_of(reply) {
        EmbedError::Ollama(OllamaError::BadAnswer { flaw, .. }) => flaw,
        other => panic!("{other}"),
    }
}

fn vectors(embeddings: Value) -> impl Fn() -> Reply {
    move || Reply::Json(200, json!({ "model": "plain", "embeddings": embeddings }))
}

fn called_json(body: &'static str) -> impl Fn() -> Reply {
    move || Reply::Page(200, "Content-Type: application/json; charset=utf-8".to_owned(), body)
}

#[test]
fn json_that_cannot_be_read_is_a_bad_answer() {
    for body in ["", "{", "{}", "[]", "{\"embeddings\":[[1,2,NaN,4]]}", "{\"embeddings\":[[1,2,null,4]]}"] {
        let flaw = flaw_of(called_json(body));
        assert!(matches!(flaw, Flaw::Unreadable(_)), "{body}: {flaw}");
    }
}

#[test]
fn a_page_instead_of_vectors_is_not_of_ollama() {
    let error = refusal_of(|| Reply::Page(200, "Content-Type: text/html".to_owned(), "<html>"));
    assert!(matches!(error, EmbedError::Ollama(OllamaError::NotOllama { .. })), "{error}");
}

#[test]
fn more_or_fewer_vectors_than_texts_are_refused() {
    assert_eq!(flaw_of(vectors(json!([]))), Flaw::Count { expected: 1, found: 0 });
    assert_eq!(flaw_of(vectors(json!([[1, 0, 0, 0], [1, 0, 0, 0]]))), Flaw::Count { expected: 1, found: 2 });
}

#[test]
fn a_vector_of_another_width_is_refused() {
    for (vector, found) in [(json!([]), 0), (json!([1, 2, 3]), 3), (json!([1, 2, 3, 4, 5]), 5)] {
        assert_eq!(refusal_of(vectors(json!([vector]))), EmbedError::WrongWidth { expected: 4, found });
    }
}

#[test]
fn a_vector_without_a_direction_is_refused_and_blames_the_text_alone() {
    let replies: [(Box<dyn Fn() -> Reply + Send + Sync>, Flaw); 3] = [
        (Box::new(called_json("{\"embeddings\":[[1,2,3,1e39]]}")), Flaw::NotFinite),
        (
            Box::new(|| {
                let error = "failed to encode response: json: unsupported value: NaN";
                Reply::Json(500, json!({ "error": error }))
            }),
            Flaw::NotFinite,
        ),
        (Box::new(vectors(json!([[0, 0, 0, 0]]))), Flaw::AllZero),
    ];
    for (reply, flaw) in replies {
        let error = refusal_of(reply);
        assert!(error.is_of_one_text(), "{error}");
        assert!(matches!(&error, EmbedError::Ollama(OllamaError::BadAnswer { flaw: found, .. }) if *found == flaw));
    }
}

#[test]
fn an_answer_without_end_is_not_read_to_its_end() {
    assert_eq!(flaw_of(|| Reply::Endless), Flaw::TooLarge { limit: (64 << 10) + 4 * 32 });
    let fake = Fake::new(|_| Reply::Endless);
    let refused = Ollama::open(&settings(&fake)).map(|ollama| ollama.id().to_owned());
    let flaw = Flaw::TooLarge { limit: 4 << 20 };
    assert_eq!(refused, Err(OllamaError::BadAnswer { endpoint: fake.place(), flaw }.into()));
}

#[test]
fn metadata_without_a_width_is_refused() {
    let fake = Fake::new(|_| Reply::Json(200, json!({ "model_info": { "general.architecture": "bert" } })));
    let refused = Ollama::open(&settings(&fake)).map(|ollama| ollama.id().to_owned());
    let flaw = Flaw::Metadata("embedding_length");
    assert_eq!(refused, Err(OllamaError::BadAnswer { endpoint: fake.place(), flaw }.into()));
}

#[test]
fn a_model_that_changed_its_width_is_refused_before_a_text_is_sent() {
    let fake = Fake::with_models(&[MODEL], lengths);
    let settings = OllamaSettings { indexed_width: Some(384), ..settings(&fake) };
    let refused = Ollama::open(&settings).map(|ollama| ollama.id().to_owned());
    assert_eq!(refused, Err(EmbedError::WrongWidth { expected: 384, found: 4 }));
    assert_eq!(fake.embeds().len(), 0);
}
