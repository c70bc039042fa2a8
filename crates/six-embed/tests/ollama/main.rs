//! The Ollama client against a server on loopback that behaves in every way that a real one was seen to.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that can't get to its question has to stop, and say where"
)]

mod answers;
mod fake;
mod faults;
mod overflow;
mod real;
mod requests;
mod stand_in;
mod writing;

use std::time::Duration;

use serde_json::{Value, json};
use six_embed::ollama::{Ollama, OllamaSettings};

use fake::{Fake, Reply, Request};

/// What a model of the fake is called, and how wide it is.
const MODEL: (&str, usize) = ("plain:latest", 4);

/// Long enough for any machine under any load, for tests that do not wait.
const PATIENT: Duration = Duration::from_secs(30);

/// Short enough for tests that wait to its end.
const SHORT: Duration = Duration::from_millis(150);

fn settings(fake: &Fake) -> OllamaSettings {
    OllamaSettings {
        endpoint: fake.endpoint(),
        connect_timeout: PATIENT,
        query_timeout: PATIENT,
        document_timeout: PATIENT,
        ..OllamaSettings::new(MODEL.0)
    }
}

fn open(fake: &Fake) -> Ollama {
    Ollama::open(&settings(fake)).expect("the fake has the model")
}

/// The texts of a request.
fn inputs(body: &Value) -> Vec<String> {
    let texts = body["input"].as_array().expect("a list").iter();
    texts.map(|text| text.as_str().expect("a text").to_owned()).collect()
}

/// A vector of four values for each text, whose direction tells the length of the text; its own length is not 1.
fn lengths(request: &Request) -> Reply {
    let vector = |text: &String| json!([text.chars().count(), 10, 0, 0]);
    Reply::Json(200, json!({ "embeddings": inputs(&request.body).iter().map(vector).collect::<Vec<_>>() }))
}

/// The length that [`lengths`] saw.
fn length_seen(vector: &[f32]) -> usize {
    let seen = 10.0 * vector[0] / vector[1];
    let length = (0_u16..1000).find(|length| (f32::from(*length) - seen).abs() < 0.5);
    length.map(usize::from).expect("a length")
}
