//! What a server is sent.

use std::env;
use std::process::Command;

use six_embed::ollama::{Ollama, OllamaError, OllamaSettings};
use six_embed::{EmbedError, Embedder, QUERY_PIECES};

use crate::fake::Fake;
use crate::{MODEL, PATIENT, inputs, length_seen, lengths, open, settings};

const NOMIC: &str = "nomic-embed-text:latest";

#[test]
fn a_vector_has_length_one_and_the_order_is_that_of_the_texts() {
    let fake = Fake::with_models(&[MODEL], lengths);
    let vectors = open(&fake).embed(&["a", "bbb", "cc"]).expect("vectors");
    assert_eq!(vectors.iter().map(|vector| length_seen(vector)).collect::<Vec<_>>(), [1, 3, 2]);
    for vector in vectors {
        let length = vector.iter().map(|value| value * value).sum::<f32>();
        assert!((length - 1.0).abs() < 1e-6, "{vector:?}");
    }
}

#[test]
fn metadata_is_asked_for_once_and_nothing_is_tried_out() {
    let fake = Fake::with_models(&[MODEL], lengths);
    let ollama = open(&fake);
    assert_eq!((ollama.id(), ollama.width()), ("ollama/plain:latest.p1", 4));
    ollama.embed(&["a"]).expect("vectors");
    ollama.embed_query("b", QUERY_PIECES).expect("a vector");
    ollama.embed(&[]).expect("no vectors");
    let paths: Vec<String> = fake.requests().into_iter().map(|request| request.path).collect();
    assert_eq!(paths, ["/api/show", "/api/embed", "/api/embed"]);
}

#[test]
fn every_request_has_the_same_options_so_that_the_model_stays_loaded() {
    let fake = Fake::with_models(&[MODEL], lengths);
    let ollama = open(&fake);
    ollama.embed(&["a", "b"]).expect("vectors");
    ollama.embed_query("c", QUERY_PIECES).expect("a vector");
    ollama.warm_up(PATIENT).expect("a warm server");
    let bodies = fake.embeds();
    assert_eq!(bodies.len(), 3);
    for mut body in bodies {
        body["input"].take();
        insta::allow_duplicates! {
            insta::assert_snapshot!(body, @r#"{"input":null,"keep_alive":"4h","model":"plain:latest","options":{"num_ctx":8},"truncate":false}"#);
        }
    }
}

#[test]
fn queries_and_documents_get_the_words_of_their_model() {
    let fake = Fake::with_models(&[(NOMIC, 4)], lengths);
    let settings = OllamaSettings { model: "nomic-embed-text".to_owned(), ..settings(&fake) };
    let ollama = Ollama::open(&settings).expect("the fake has the model");
    ollama.embed(&["a"]).expect("vectors");
    ollama.embed_query("b", QUERY_PIECES).expect("a vector");
    let sent: Vec<_> = fake.embeds().iter().map(inputs).collect();
    assert_eq!(sent, [["search_document: a"], ["search_query: b"]]);
}

#[test]
fn a_long_text_is_cut_before_it_is_sent_and_at_a_character() {
    let fake = Fake::with_models(&[MODEL], lengths);
    let ollama = open(&fake);
    ollama.embed(&[&"ä€".repeat(1000)]).expect("vectors");
    ollama.embed_query(&"ä€".repeat(1000), 2).expect("a vector");
    let sent: Vec<_> = fake.embeds().iter().map(inputs).collect();
    assert_eq!(sent, [["ä€".repeat(16)], ["ä€".repeat(4)]]);
}

#[test]
fn many_texts_go_in_several_requests() {
    let fake = Fake::with_models(&[MODEL], lengths);
    let texts: Vec<String> = (0..70).map(|length| "x".repeat(length % 30)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = open(&fake).embed(&texts).expect("vectors");
    let seen: Vec<usize> = vectors.iter().map(|vector| length_seen(vector)).collect();
    assert_eq!(seen, texts.iter().map(|text| text.len()).collect::<Vec<_>>());
    let sizes: Vec<usize> = fake.embeds().iter().map(|body| inputs(body).len()).collect();
    assert_eq!(sizes, [32, 32, 6]);
}

#[test]
fn another_machine_is_asked_nothing() {
    let remote = OllamaSettings { endpoint: "http://192.0.2.7:11434".to_owned(), ..OllamaSettings::new("plain") };
    let refused = Ollama::open(&remote).map(|ollama| ollama.id().to_owned());
    assert!(matches!(refused, Err(EmbedError::Ollama(OllamaError::Endpoint { .. }))), "{refused:?}");
}

/// Runs a test above once more in a process whose environment names a proxy that does not exist.
#[test]
fn a_proxy_of_the_environment_is_not_used() {
    let name = "requests::metadata_is_asked_for_once_and_nothing_is_tried_out";
    let mut again = Command::new(env::current_exe().expect("this test"));
    again.args(["--exact", name]);
    for variable in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
        again.env(variable, "http://127.0.0.1:1");
    }
    let output = again.env_remove("NO_PROXY").env_remove("no_proxy").output().expect("it starts");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
}
