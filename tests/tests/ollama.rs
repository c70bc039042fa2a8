//! A project whose vectors a server makes: what is sent to it, and which of its models counts.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use testkit::{OllamaServer, Scratch};

/// A server with models of four values.
struct Server {
    ollama: OllamaServer,
    models: Arc<Mutex<Vec<&'static str>>>,
}

impl Server {
    fn with_models(models: &[&'static str]) -> Self {
        let models = Arc::new(Mutex::new(models.to_vec()));
        let known = Arc::clone(&models);
        let ollama = OllamaServer::new(move |path, asked| {
            let is_there = known.lock().expect("nobody died").iter().any(|name| asked["model"] == *name);
            is_there.then(|| reply(path, asked))
        });
        Self { ollama, models }
    }

    fn forget(&self, model: &str) {
        self.models.lock().expect("nobody died").retain(|name| *name != model);
    }

    fn requests(&self) -> Vec<String> {
        self.ollama.requests().iter().map(|request| request.body.to_string()).collect()
    }

    fn configure(&self, scratch: &Scratch) {
        for (key, value) in [
            ("embed.provider", "ollama"),
            ("embed.ollama.endpoint", &self.ollama.endpoint()),
            ("embed.ollama.model", "plain"),
            ("embed.ollama.fallback", "other"),
        ] {
            scratch.six(&["config", "set", key, value]).ok();
        }
    }
}

fn reply(path: &str, asked: &Value) -> Value {
    if path == "/api/show" {
        return json!({"model_info": {
            "general.architecture": "bert", "bert.context_length": 512, "bert.embedding_length": 4
        }});
    }
    let texts = asked["input"].as_array().expect("a list");
    let vector = |text: &Value| json!([text.as_str().map_or(0, str::len), 10, 3, 1]);
    json!({"embeddings": texts.iter().map(vector).collect::<Vec<_>>()})
}

fn installed(server: &Server) -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    server.configure(&scratch);
    scratch
}

#[test]
fn a_secret_that_is_searched_for_does_not_reach_the_server() {
    let server = Server::with_models(&["plain:latest"]);
    let scratch = installed(&server);
    scratch.six(&["ingest"]).ok();
    let secret = ["AKIA", "QZ7RW2XN4KDTHB6J"].concat();
    let found = scratch.six(&["search", "harbour", &secret, "--json"]).json();
    assert_eq!(found["degraded"], json!([]), "the query was embedded");
    let requests = server.requests();
    assert!(requests.iter().any(|request| request.contains("harbour [redacted:")), "{requests:?}");
    assert!(requests.iter().all(|request| !request.contains(&secret)));
}

#[test]
fn a_fallback_stands_in_where_the_store_has_vectors_of_the_model_and_no_other_width() {
    let server = Server::with_models(&["plain:latest", "other:latest"]);
    let scratch = installed(&server);
    let model = || scratch.six(&["embed", "--json"]).json()["model"].clone();
    assert_eq!(model(), "ollama/plain:latest.p1");
    server.forget("plain:latest");
    assert_eq!(model(), Value::Null, "a store without vectors has no width to keep to");
    let server = Server::with_models(&["plain:latest", "other:latest"]);
    server.configure(&scratch);
    scratch.six(&["ingest"]).ok();
    server.forget("plain:latest");
    assert_eq!(model(), "ollama/other:latest.p1");
}

#[test]
fn while_the_server_is_away_the_vectors_that_are_there_are_counted_as_such() {
    let server = Server::with_models(&["plain:latest"]);
    let scratch = installed(&server);
    scratch.six(&["ingest"]).ok();
    let coverage = || scratch.six(&["embed", "--json"]).json()["coverage"].clone();
    let whole = coverage();
    assert!(whole["embedded"].as_u64().is_some_and(|texts| texts > 0), "{whole}");
    server.forget("plain:latest");
    assert_eq!(coverage(), whole);
}

#[test]
fn a_server_that_can_t_be_meant_is_told_when_it_is_set() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    let set = |key: &str, value: &str| scratch.six(&["config", "set", key, value]).ok().stderr.clone();
    assert!(set("embed.ollama.endpoint", "http://192.0.2.7:11434").contains("`embed.ollama.allow_remote` is not set"));
    assert!(!set("embed.ollama.allow_remote", "true").contains("no server can be asked"));
}
