//! A model that writes, on servers that answer well and badly.

use std::net::TcpListener;

use serde_json::{Value, json};
use six_embed::ollama::{Endpoint, Flaw, OllamaError, OllamaSettings, Writer};
use six_embed::{Circuit, EmbedError};

use crate::fake::{Fake, Reply};
use crate::{PATIENT, SHORT};

const MODEL: &str = "scribe:3b";

fn settings(endpoint: String) -> OllamaSettings {
    OllamaSettings {
        endpoint,
        connect_timeout: PATIENT,
        query_timeout: SHORT,
        document_timeout: PATIENT,
        ..OllamaSettings::new(MODEL)
    }
}

fn writer(fake: &Fake) -> Writer {
    Writer::of(&settings(fake.endpoint())).expect("the settings can be meant")
}

/// What comes of a request that is answered like this.
fn written(reply: impl Fn() -> Reply + Send + Sync + 'static) -> Result<String, String> {
    let fake = Fake::new(move |_| reply());
    writer(&fake).write("rules", "notes").map_err(|why| why.to_string().replace(&fake.place(), "[PLACE]"))
}

fn says(answer: Value) -> impl Fn() -> Reply {
    move || Reply::Json(200, answer.clone())
}

fn html(status: u16) -> Reply {
    Reply::Page(status, "Content-Type: text/html".to_owned(), "<html>Hello</html>")
}

#[test]
fn a_text_comes_as_the_model_wrote_it() {
    let answer = json!({ "model": MODEL, "response": "Title: <b>\n\u{1b}[31m", "done": true, "context": [1, 2, 3] });
    assert_eq!(written(says(answer)), Ok("Title: <b>\n\u{1b}[31m".to_owned()));
}

#[test]
fn nobody_is_asked_before_there_is_something_to_write_and_then_once() {
    let fake = Fake::new(|_| Reply::Json(200, json!({ "response": "yes" })));
    let writer = writer(&fake);
    assert_eq!(fake.requests(), []);
    for _ in 0..2 {
        assert_eq!(writer.write("rules", "notes"), Ok("yes".to_owned()));
    }
    let requests = fake.requests();
    assert_eq!(requests.iter().map(|request| request.path.as_str()).collect::<Vec<_>>(), ["/api/generate"; 2]);
    assert_eq!(requests[0].body, requests[1].body, "another option would load the model again");
    assert_eq!((&requests[0].body["system"], &requests[0].body["stream"]), (&json!("rules"), &json!(false)));
}

#[test]
fn notes_of_a_megabyte_are_cut_at_a_character() {
    let fake = Fake::new(|_| Reply::Json(200, json!({ "response": "yes" })));
    assert!(writer(&fake).write("rules", &"漢".repeat(400_000)).is_ok());
    let sent = fake.requests()[0].body["prompt"].as_str().map(|notes| notes.chars().count());
    assert_eq!(sent, Some(2_800));
}

#[test]
fn answers_that_are_of_no_use_are_told_apart() {
    let refusals = [
        written(says(json!({ "response": "" }))),
        written(says(json!({ "response": " \n\u{0}\t" }))),
        written(says(json!({ "done": true }))),
        written(says(json!({ "response": ["a"] }))),
        written(|| Reply::Page(200, "Content-Type: application/json".to_owned(), "{\"response\": \"half")),
        written(|| Reply::Endless),
        written(|| Reply::HangUp),
        written(|| html(200)),
        written(|| html(404)),
        written(|| Reply::Bytes("SSH-2.0-made_up\r\n")),
        written(|| Reply::Page(302, "Location: http://127.0.0.1:1/".to_owned(), "")),
        written(|| Reply::Json(404, json!({ "error": "model 'scribe:3b' not found" }))),
        written(|| Reply::Json(500, json!({ "error": "\u{1b}[31mout of\nmemory" }))),
    ];
    let refusals: Vec<String> = refusals.into_iter().map(|refusal| refusal.expect_err("it is of no use")).collect();
    insta::assert_snapshot!(refusals.join("\n"), @r"
    the answer of the Ollama server at [PLACE] is of no use: the text is empty
    the answer of the Ollama server at [PLACE] is of no use: the text is empty
    the answer of the Ollama server at [PLACE] is of no use: it can't be read (missing field `response` at line 1 column 13)
    the answer of the Ollama server at [PLACE] is of no use: it can't be read (invalid type: sequence, expected a string at line 1 column 12)
    the answer of the Ollama server at [PLACE] is of no use: it can't be read (EOF while parsing a string at line 1 column 18)
    the answer of the Ollama server at [PLACE] is of no use: it is longer than 262144 bytes
    no Ollama server can be reached at [PLACE]: the connection was closed before there was an answer
    what answers at [PLACE] is not Ollama: it answers /api/generate with no JSON
    what answers at [PLACE] is not Ollama: it does not know /api/generate (status 404)
    what answers at [PLACE] is not Ollama: its answer is no HTTP (protocol: http parse fail: invalid HTTP version)
    what answers at [PLACE] is not Ollama: it redirects /api/generate (status 302)
    the Ollama server at [PLACE] has no model scribe:3b: `ollama pull scribe:3b` gets it
    the Ollama server at [PLACE] answered 500: [31mout of memory
    ");
}

#[test]
fn a_server_that_says_nothing_is_not_waited_for_longer_than_its_time() {
    let fake = Fake::new(|_| Reply::Silence);
    let hasty = OllamaSettings { document_timeout: SHORT, ..settings(fake.endpoint()) };
    let silent = Writer::of(&hasty).expect("the settings can be meant").write("rules", "notes");
    let (endpoint, model) = (fake.place(), MODEL.to_owned());
    assert_eq!(silent, Err(OllamaError::Cold { endpoint, model, waited: SHORT }));
}

#[test]
fn a_port_where_nobody_listens_is_unreachable() {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port");
    let writer = Writer::of(&settings(format!("http://{free}"))).expect("the settings can be meant");
    assert!(matches!(writer.write("rules", "notes"), Err(OllamaError::Unreachable { .. })));
}

#[test]
fn another_machine_is_asked_only_where_that_is_allowed() {
    for endpoint in ["http://192.0.2.7:11434", "http://localhost:11434", "https://127.0.0.1:11434"] {
        let refused = Writer::of(&settings(endpoint.to_owned()));
        assert!(matches!(refused, Err(OllamaError::Endpoint { .. })), "{endpoint}");
    }
    let allowed = OllamaSettings { allow_remote: true, ..settings("http://192.0.2.7:11434".to_owned()) };
    assert!(Writer::of(&allowed).is_ok());
    assert!(Writer::of(&OllamaSettings::new(MODEL)).is_ok(), "{} is this machine", Endpoint::DEFAULT);
}

#[test]
fn an_empty_text_is_the_fault_of_one_text_and_any_other_failure_ends_it() {
    let fake = Fake::new(|request| match request.body["prompt"].as_str() {
        Some("empty") => Reply::Json(200, json!({ "response": " " })),
        Some("fails") => Reply::Json(500, json!({ "error": "no" })),
        _ => Reply::Json(200, json!({ "response": "yes" })),
    });
    let (writer, circuit) = (writer(&fake), Circuit::new());
    let write = |notes: &str| circuit.run(|| writer.write("rules", notes).map_err(EmbedError::from));
    let empty = write("empty").expect_err("there is nothing in it");
    assert_eq!(empty, OllamaError::BadAnswer { endpoint: fake.place(), flaw: Flaw::NoText }.into());
    assert!(empty.is_of_one_text());
    assert_eq!(write("well"), Ok("yes".to_owned()));
    assert!(matches!(write("fails"), Err(EmbedError::Ollama(OllamaError::Server { .. }))));
    assert!(matches!(write("well"), Err(EmbedError::CircuitOpen { .. })));
    assert_eq!(fake.requests().len(), 3);
}
