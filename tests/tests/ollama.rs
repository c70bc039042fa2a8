//! A project whose vectors a server makes: what is sent to it, and which of its models counts.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};
use testkit::Scratch;

/// A server on loopback with models of four values, which keeps what it is sent. It ends with the test's process.
struct Server {
    address: SocketAddr,
    models: Arc<Mutex<Vec<&'static str>>>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn with_models(models: &[&'static str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (models, requests) = (Arc::new(Mutex::new(models.to_vec())), Arc::default());
        let server = Self { address, models: Arc::clone(&models), requests: Arc::clone(&requests) };
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (path, body) = read(&stream);
                let asked: Value = serde_json::from_str(&body).expect("requests are JSON");
                requests.lock().expect("nobody died").push(body);
                let is_there = models.lock().expect("nobody died").iter().any(|name| asked["model"] == *name);
                answer(stream, is_there.then(|| reply(&path, &asked)));
            }
        });
        server
    }

    fn forget(&self, model: &str) {
        self.models.lock().expect("nobody died").retain(|name| *name != model);
    }

    fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("nobody died").clone()
    }

    fn configure(&self, scratch: &Scratch) {
        let endpoint = format!("http://{}", self.address);
        for (key, value) in [
            ("embed.provider", "ollama"),
            ("embed.ollama.endpoint", &endpoint),
            ("embed.ollama.model", "plain"),
            ("embed.ollama.fallback", "other"),
        ] {
            scratch.six(&["config", "set", key, value]).ok();
        }
    }
}

fn read(stream: &TcpStream) -> (String, String) {
    let mut lines = BufReader::new(stream);
    let (mut path, mut length, mut line) = (String::new(), 0, String::new());
    while lines.read_line(&mut line).is_ok_and(|_| !line.trim().is_empty()) {
        if let Some(rest) = line.strip_prefix("POST ") {
            rest.split(' ').next().unwrap_or_default().clone_into(&mut path);
        }
        if let Some(("content-length", value)) = line.to_ascii_lowercase().split_once(':') {
            length = value.trim().parse().expect("a number");
        }
        line.clear();
    }
    let mut body = vec![0; length];
    lines.read_exact(&mut body).expect("a body");
    (path, String::from_utf8(body).expect("a text"))
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

fn answer(mut stream: TcpStream, reply: Option<Value>) {
    let (status, body) = reply.map_or((404, json!({"error": "model not found"})), |body| (200, body));
    let body = body.to_string();
    let head = format!("HTTP/1.1 {status} -\r\ncontent-type: application/json\r\nconnection: close\r\n");
    // A client that has gone has its reason.
    let _ = write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len());
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
