//! Servers that are away, busy, or something else.

use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::json;
use six_embed::ollama::{Ollama, OllamaError, OllamaSettings};
use six_embed::{Circuit, EmbedError, Embedder, Guarded, QUERY_PIECES};

use crate::fake::{Fake, Reply};
use crate::{MODEL, PATIENT, SHORT, lengths, open, settings};

fn refusal(settings: &OllamaSettings) -> EmbedError {
    Ollama::open(settings).map(|ollama| ollama.id().to_owned()).expect_err("nobody answers well")
}

fn refusal_of(reply: impl Fn() -> Reply + Send + Sync + 'static) -> String {
    let fake = Fake::new(move |_| reply());
    refusal(&settings(&fake)).to_string().replace(&fake.place(), "[PLACE]")
}

fn html(status: u16) -> Reply {
    Reply::Page(status, "Content-Type: text/html".to_owned(), "<html>Hello</html>")
}

#[test]
fn a_port_where_nobody_listens_is_unreachable() {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port");
    let settings = OllamaSettings { endpoint: format!("http://{free}"), ..OllamaSettings::new("plain") };
    let why = "connection refused".to_owned();
    assert_eq!(refusal(&settings), OllamaError::Unreachable { endpoint: free.to_string(), why }.into());
}

#[test]
fn a_server_that_hangs_up_is_unreachable() {
    insta::assert_snapshot!(refusal_of(|| Reply::HangUp), @"no Ollama server can be reached at [PLACE]: the connection was closed before there was an answer");
}

#[test]
fn a_server_that_does_not_even_give_metadata_is_wedged() {
    let fake = Fake::new(|_| Reply::Silence);
    let settings = OllamaSettings { query_timeout: SHORT, ..settings(&fake) };
    assert_eq!(refusal(&settings), OllamaError::Wedged { endpoint: fake.place(), waited: SHORT }.into());
}

#[test]
fn a_server_that_loads_its_model_is_cold_and_warms_up() {
    let is_loaded = AtomicBool::new(false);
    let fake = Fake::with_models(&[MODEL], move |request| {
        if is_loaded.swap(true, Ordering::Relaxed) { lengths(request) } else { Reply::Silence }
    });
    let settings = OllamaSettings { document_timeout: SHORT, ..settings(&fake) };
    let ollama = Ollama::open(&settings).expect("metadata needs no model");
    let model = MODEL.0.to_owned();
    let cold = OllamaError::Cold { endpoint: fake.place(), model, waited: SHORT };
    assert_eq!(ollama.embed(&["a"]), Err(cold.into()));
    assert!(ollama.warm_up(PATIENT).expect("it has loaded") < PATIENT);
    assert!(ollama.embed_query("a", QUERY_PIECES).is_ok());
}

#[test]
fn a_prompt_does_not_wait_for_a_model_that_is_loaded() {
    let fake = Fake::with_models(&[MODEL], |_| Reply::Silence);
    let settings = OllamaSettings { query_timeout: 10 * SHORT, ..settings(&fake) };
    let ollama = Ollama::open(&settings).expect("metadata needs no model");
    let silent = ollama.embed_query("a", QUERY_PIECES);
    assert!(matches!(silent, Err(EmbedError::Ollama(OllamaError::Cold { .. }))), "{silent:?}");
}

#[test]
fn a_server_that_does_not_warm_up_is_wedged() {
    let fake = Fake::with_models(&[MODEL], |_| Reply::Silence);
    let wedged = OllamaError::Wedged { endpoint: fake.place(), waited: SHORT };
    assert_eq!(open(&fake).warm_up(SHORT), Err(wedged.into()));
}

#[test]
fn a_server_that_is_not_ollama_is_named_as_such() {
    let refusals = [
        refusal_of(|| html(200)),
        refusal_of(|| html(404)),
        refusal_of(|| Reply::Page(404, "Content-Type: text/plain".to_owned(), "404 page not found")),
        refusal_of(|| Reply::Json(404, json!({ "error": "not found" }))),
        refusal_of(|| html(501)),
        refusal_of(|| Reply::Bytes("SSH-2.0-made_up\r\n")),
    ];
    insta::assert_snapshot!(refusals.join("\n"), @r"
    what answers at [PLACE] is not Ollama: it answers /api/show with no JSON
    what answers at [PLACE] is not Ollama: it does not know /api/show (status 404)
    what answers at [PLACE] is not Ollama: it does not know /api/show (status 404)
    what answers at [PLACE] is not Ollama: it does not know /api/show (status 404)
    what answers at [PLACE] is not Ollama: status 501 to /api/show, without Ollama's error message
    what answers at [PLACE] is not Ollama: its answer is no HTTP (protocol: http parse fail: invalid HTTP version)
    ");
}

#[test]
fn a_model_that_is_not_there_can_be_pulled() {
    let fake = Fake::with_models(&[MODEL], lengths);
    let error = refusal(&OllamaSettings { model: "all-minilm".to_owned(), ..settings(&fake) });
    let (endpoint, model) = (fake.place(), "all-minilm:latest".to_owned());
    assert_eq!(error, OllamaError::ModelMissing { endpoint, model }.into());
    assert!(error.to_string().ends_with("`ollama pull all-minilm:latest` gets it"), "{error}");
}

#[test]
fn a_redirect_is_not_followed() {
    let elsewhere = Fake::with_models(&[MODEL], lengths);
    let location = format!("Location: {}/api/show", elsewhere.endpoint());
    for status in [301, 302, 307, 308] {
        let location = location.clone();
        let error = refusal_of(move || Reply::Page(status, location.clone(), ""));
        assert_eq!(error, format!("what answers at [PLACE] is not Ollama: it redirects /api/show (status {status})"));
    }
    assert_eq!(elsewhere.requests(), []);
}

#[test]
fn what_a_failing_server_says_is_repeated_without_its_control_characters() {
    let fake = Fake::with_models(&[MODEL], |_| {
        Reply::Json(500, json!({ "error": format!("\u{1b}[31mout of\nmemory\u{0}{}", "!".repeat(1000)) }))
    });
    let Err(EmbedError::Ollama(OllamaError::Server { status, text, .. })) = open(&fake).embed(&["a"]) else {
        panic!("a failure of the server is told")
    };
    assert_eq!((status, text.chars().count()), (500, 200));
    assert!(text.starts_with("[31mout of memory !!"), "{text}");
    assert_eq!(fake.embeds().len(), 1, "what is not an overflow is not tried again");
}

#[test]
fn after_a_failure_the_server_is_left_alone_and_the_failure_reported_once() {
    let fake = Fake::with_models(&[MODEL], |_| Reply::Json(500, json!({ "error": "no" })));
    let circuit = Circuit::new();
    let guarded = Guarded::new(open(&fake), 4, &circuit);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| guarded.embed(&["a"]).expect_err("the server fails"));
        }
    });
    let asked = fake.embeds().len();
    assert!(matches!(guarded.embed_query("b", QUERY_PIECES), Err(EmbedError::CircuitOpen { .. })));
    assert_eq!(fake.embeds().len(), asked);
    assert!(matches!(circuit.take_first(), Some(EmbedError::Ollama(OllamaError::Server { status: 500, .. }))));
    assert_eq!(circuit.take_first(), None);
}
