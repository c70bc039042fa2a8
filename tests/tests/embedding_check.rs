//! The check `embedding`: what a session's start and `six health` say of a server that makes the vectors, or does not.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use testkit::{Scratch, payload};

/// Longer than a server with its model loaded takes, as the check counts; see `HealthLimits::max_warm_ms`.
const LOADING: Duration = Duration::from_millis(2_100);

/// What the server does with every request.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Mode {
    /// Answers for its models, with vectors of so many values.
    Wide(usize),
    /// The same with four values, and takes as long as loading a model.
    Cold,
    /// Answers for the metadata, and never with a vector.
    Wedged,
    /// Answers for the configured model, and never a question for another.
    OnlyPlain,
    /// Takes connections and never answers.
    Silent,
    /// Closes every connection.
    HangUp,
    /// Answers with a web page.
    Page,
    /// Answers with JSON of its own.
    OtherJson,
    /// Has no model.
    Empty,
    /// Answers with so many vectors for one text.
    Vectors(usize),
    /// Answers with a value that is no number.
    NotFinite,
    /// Fails, and says a key.
    Failing,
}

struct Server {
    endpoint: String,
    shared: Arc<Shared>,
}

struct Shared {
    mode: Mutex<Mode>,
    requests: Mutex<Vec<(String, Value)>>,
    /// Connections that are never answered, kept open.
    held: Mutex<Vec<TcpStream>>,
}

impl Server {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
        let mode = Mutex::new(Mode::Wide(4));
        let shared = Arc::new(Shared { mode, requests: Mutex::default(), held: Mutex::default() });
        let answering = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let answering = Arc::clone(&answering);
                thread::spawn(move || answering.answer(stream));
            }
        });
        Self { endpoint, shared }
    }

    fn turn(&self, mode: Mode) {
        *self.shared.mode.lock().expect("nobody died") = mode;
        self.shared.requests.lock().expect("nobody died").clear();
    }

    fn asked(&self, path: &str) -> Vec<Value> {
        let requests = self.shared.requests.lock().expect("nobody died");
        requests.iter().filter(|(asked, _)| asked == path).map(|(_, body)| body.clone()).collect()
    }
}

impl Shared {
    fn answer(&self, stream: TcpStream) {
        let Some((path, body)) = read(&stream) else { return };
        self.requests.lock().expect("nobody died").push((path.clone(), body.clone()));
        let mode = *self.mode.lock().expect("nobody died");
        let is_show = path == "/api/show";
        match mode {
            Mode::Silent => self.hold(stream),
            Mode::OnlyPlain if model(&body) != "plain:latest" => self.hold(stream),
            Mode::Wedged if !is_show => self.hold(stream),
            Mode::HangUp => {}
            Mode::Page => say(stream, 200, "text/html", "<html>a printer</html>"),
            Mode::OtherJson => say(stream, 200, "application/json", r#"{"printers": 3}"#),
            Mode::Failing => {
                let key = ["gh", "p_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].concat();
                say(stream, 500, "application/json", &json!({ "error": format!("no {key} {}", "x".repeat(9_000)) }));
            }
            _ if mode == Mode::Empty || !["plain:latest", "wide:latest"].contains(&model(&body)) => {
                say(stream, 404, "application/json", &json!({"error": "model not found"}));
            }
            Mode::Cold if !is_show => {
                let (_held, never) = mpsc::channel::<()>();
                let _ = never.recv_timeout(LOADING);
                vectors(stream, 4, 1, &body);
            }
            _ if is_show => {
                let width = if let Mode::Wide(width) = mode { width } else { 4 };
                let width = if model(&body) == "wide:latest" { width + 1 } else { width };
                let info = json!({"model_info": {
                    "general.architecture": "bert", "bert.context_length": 512, "bert.embedding_length": width
                }});
                say(stream, 200, "application/json", &info);
            }
            Mode::OnlyPlain => vectors(stream, 4, 1, &body),
            Mode::Vectors(count) => vectors(stream, 4, count, &body),
            Mode::NotFinite => say(stream, 500, "application/json", r#"{"error": "json: unsupported value: NaN"}"#),
            Mode::Wide(width) => {
                let texts = body["input"].as_array().map_or(0, Vec::len);
                vectors(stream, width, texts, &body);
            }
            Mode::Wedged | Mode::Cold | Mode::Empty => {}
        }
    }

    fn hold(&self, stream: TcpStream) {
        self.held.lock().expect("nobody died").push(stream);
    }
}

fn model(body: &Value) -> &str {
    body["model"].as_str().unwrap_or_default()
}

/// The path and the body of a request; `None`: the client has gone, or sends no JSON.
fn read(stream: &TcpStream) -> Option<(String, Value)> {
    let mut lines = BufReader::new(stream);
    let (mut path, mut length, mut line) = (String::new(), 0, String::new());
    while lines.read_line(&mut line).is_ok_and(|_| !line.trim().is_empty()) {
        if let Some(rest) = line.strip_prefix("POST ") {
            rest.split(' ').next().unwrap_or_default().clone_into(&mut path);
        }
        if let Some(("content-length", value)) = line.to_ascii_lowercase().split_once(':') {
            length = value.trim().parse().ok()?;
        }
        line.clear();
    }
    let mut body = vec![0; length];
    lines.read_exact(&mut body).ok()?;
    Some((path, serde_json::from_slice(&body).ok()?))
}

fn vectors(stream: TcpStream, width: usize, count: usize, body: &Value) {
    let text = |at: usize| body["input"].get(at).and_then(Value::as_str).map_or(1, str::len);
    let vector = |at: usize| (0..width).map(|value| if value == 0 { text(at) } else { 10 + value }).collect::<Vec<_>>();
    say(stream, 200, "application/json", &json!({ "embeddings": (0..count).map(vector).collect::<Vec<_>>() }));
}

fn say(mut stream: TcpStream, status: u16, mime: &str, body: &(impl ToString + ?Sized)) {
    let body = body.to_string();
    let head = format!("HTTP/1.1 {status} -\r\ncontent-type: {mime}\r\nconnection: close\r\n");
    // A client that has gone has its reason.
    let _ = write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len());
}

/// Sets the machine up for a server, with more settings.
fn configure(scratch: &Scratch, endpoint: &str, more: &Value) {
    let mut settings = json!({
        "embed.provider": "ollama", "embed.ollama.endpoint": endpoint, "embed.ollama.model": "plain",
    });
    for (key, value) in more.as_object().expect("settings") {
        settings[key] = value.clone();
    }
    fs::create_dir_all(scratch.six_home()).expect("a folder can be made");
    fs::write(scratch.six_home().join("config.json"), settings.to_string()).expect("a file can be written");
}

/// A project whose texts have vectors of the server.
fn embedded_by(server: &Server, more: &Value) -> Scratch {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    configure(&scratch, &server.endpoint, more);
    let ingested = scratch.six(&["ingest", "--json"]).ok().json();
    assert_eq!(ingested["vectors"]["ended"], "finished", "{ingested}");
    scratch
}

fn check(scratch: &Scratch, name: &str) -> Value {
    let checks = scratch.six(&["health", "--json"]).json()["checks"].clone();
    checks.as_array().expect("checks").iter().find(|check| check["check"] == name).expect("it is one").clone()
}

/// The lines of the gate in the context of a session's start.
fn started(scratch: &Scratch) -> String {
    let start = scratch.answer("session-start", &payload::session_start(&scratch.session(1), "startup"));
    start.context().expect("the health line")
}

/// A session's start and `six health` are red with `fault`, say `words`, and block `vectors` alone.
fn assert_red(scratch: &Scratch, fault: &str, words: &str) {
    let seen = check(scratch, "embedding");
    assert_eq!((&seen["verdict"], &seen["fault"]), (&json!("red"), &json!(fault)), "{seen}");
    assert!(seen["detail"].as_str().is_some_and(|detail| detail.contains(words)), "{words:?}: {seen}");
    assert_eq!(check(scratch, "vectors")["blocked_by"], "embedding", "{fault}");
    assert_red_at_start(scratch, words);
}

fn assert_red_at_start(scratch: &Scratch, words: &str) {
    let told = started(scratch);
    assert!(told.contains("MEMORY-HEALTH: 9/11 GREEN (2 RED)"), "{told}");
    let reds: Vec<&str> = told.lines().filter(|line| line.trim_start().starts_with("RED ")).collect();
    assert!(reds.len() == 1 && reds[0].contains("RED embedding: "), "{told}");
    assert!(reds[0].contains(words) && reds[0].contains("(blocks vectors)") && reds[0].contains("FIX: "), "{told}");
}

fn assert_green(scratch: &Scratch) {
    for name in ["embedding", "vectors"] {
        assert_eq!(check(scratch, name)["verdict"], "green", "{}", check(scratch, name));
    }
    let told = started(scratch);
    assert!(!told.contains("RED "), "{told}");
}

#[test]
fn each_way_in_which_a_server_fails_is_told_as_itself_and_is_green_again_when_it_is_well() {
    let server = Server::new();
    let scratch = embedded_by(&server, &json!({}));
    assert_green(&scratch);
    for (mode, fault, words) in [
        (Mode::HangUp, "embedder-unreachable", "closed before there was an answer"),
        (Mode::Page, "embedder-not-ollama", "is not Ollama"),
        (Mode::OtherJson, "embedder-bad-answer", "of no use"),
        (Mode::Empty, "embedder-model-missing", "has no model plain:latest"),
        (Mode::Wide(5), "embedder-width", "a vector of 5 values is refused: 4 are expected"),
        (Mode::Vectors(2), "embedder-bad-answer", "2 vectors for 1 texts"),
        (Mode::Vectors(0), "embedder-bad-answer", "0 vectors for 1 texts"),
        (Mode::NotFinite, "embedder-bad-answer", "no finite number"),
        (Mode::Failing, "embedder-bad-answer", "[redacted:github-token]"),
        (Mode::Silent, "embedder-wedged", "takes requests and does not answer"),
    ] {
        server.turn(mode);
        assert_red(&scratch, fault, words);
    }
    server.turn(Mode::Wide(4));
    assert_green(&scratch);
}

#[test]
fn a_server_that_is_not_running_is_told_with_the_two_ways_out_and_the_model_inside_six_needs_none() {
    let server = Server::new();
    let scratch = embedded_by(&server, &json!({}));
    let gone = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    configure(&scratch, &format!("http://{gone}"), &json!({}));
    assert_red(&scratch, "embedder-unreachable", &format!("{gone}: connection refused"));
    let fix = "start Ollama, or `six config set embed.provider embedded`";
    assert_eq!(check(&scratch, "embedding")["fix"], fix);
    let status = scratch.six(&["embed", "--json"]).json().to_string();
    let detail = check(&scratch, "embedding")["detail"].clone();
    assert!(status.contains(detail.as_str().expect("words")), "the same words: {status}");
    server.turn(Mode::Wide(4));
    fs::write(scratch.six_home().join("config.json"), "{}").expect("a file can be written");
    scratch.six(&["embed", "--backfill"]).ok();
    assert_green(&scratch);
    assert_eq!(server.asked("/api/show").len(), 0, "nobody asked a network");
}

#[test]
fn a_server_that_loads_its_model_is_green_with_the_time_and_then_without() {
    let server = Server::new();
    let scratch = embedded_by(&server, &json!({}));
    server.turn(Mode::Cold);
    let told = started(&scratch);
    assert!(!told.contains("RED ") && told.contains("note embedding: warmed in "), "{told}");
    assert_eq!(server.asked("/api/embed").len(), 1, "loading is waited for once");
    assert!(check(&scratch, "embedding")["note"].as_str().is_some_and(|note| note.starts_with("warmed in ")));
    server.turn(Mode::Wide(4));
    assert_eq!(check(&scratch, "embedding")["note"], Value::Null);
}

#[test]
fn a_server_that_never_finishes_loading_costs_a_start_its_warm_up_and_no_other_check_its_line() {
    let server = Server::new();
    let scratch = embedded_by(&server, &json!({"health.warmup_ms": 1_000}));
    server.turn(Mode::Wedged);
    assert_red_at_start(&scratch, "takes requests and does not answer");
    assert_eq!(server.asked("/api/embed").len(), 1);
}

#[test]
fn a_project_that_allows_no_time_for_loading_is_green_with_a_server_that_needs_none() {
    let server = Server::new();
    let scratch = embedded_by(&server, &json!({"health.warmup_ms": 0}));
    assert!(!started(&scratch).contains("RED "));
    server.turn(Mode::Silent);
    assert_red_at_start(&scratch, "takes requests and does not answer");
}

#[test]
fn a_start_asks_for_one_vector_with_the_options_of_every_other_request() {
    let server = Server::new();
    let scratch = embedded_by(&server, &json!({}));
    let before = server.asked("/api/embed").first().expect("texts were embedded").clone();
    server.turn(Mode::Wide(4));
    started(&scratch);
    let asked = server.asked("/api/embed");
    assert_eq!(asked.len(), 1, "one vector for both checks: {asked:?}");
    for option in ["options", "keep_alive", "truncate", "model"] {
        assert_eq!(asked[0][option], before[option], "{option}");
    }
}

#[test]
fn a_fallback_that_could_never_stand_in_is_red_while_the_model_is_well_and_nothing_of_it_is_loaded() {
    let server = Server::new();
    for (fallback, words, fix) in [
        (
            "absent",
            "the server does not have it",
            "`ollama pull absent:latest`, or `six config unset embed.ollama.fallback`",
        ),
        ("wide", "its vectors have 5 values, and 4 are needed", "six config unset embed.ollama.fallback"),
        ("plain", "it is the same model", "six config unset embed.ollama.fallback"),
    ] {
        server.turn(Mode::Wide(4));
        let scratch = embedded_by(&server, &json!({"embed.ollama.fallback": fallback}));
        let seen = check(&scratch, "embedding");
        assert_eq!((&seen["fault"], &seen["fix"]), (&json!("embedder-fallback"), &json!(fix)), "{seen}");
        assert!(seen["detail"].as_str().is_some_and(|detail| detail.contains(words)), "{seen}");
        assert_eq!(check(&scratch, "vectors")["verdict"], "green", "vectors are made all the same");
        let told = started(&scratch);
        assert!(told.contains("RED embedding: ") && told.contains(words), "{told}");
        assert!(server.asked("/api/embed").iter().all(|asked| asked["model"] == "plain:latest"), "{fallback}");
    }
}

#[test]
fn a_vector_that_was_made_counts_whatever_the_server_does_not_say_of_the_fallback() {
    let server = Server::new();
    let scratch = embedded_by(&server, &json!({"embed.ollama.fallback": "absent", "health.warmup_ms": 0}));
    server.turn(Mode::OnlyPlain);
    let told = started(&scratch);
    assert!(!told.contains("RED "), "{told}");
}

#[test]
fn an_endpoint_that_is_refused_is_red_the_day_it_is_configured_and_nobody_is_asked() {
    let server = Server::new();
    let scratch = embedded_by(&server, &json!({}));
    server.turn(Mode::Wide(4));
    for (endpoint, words) in [
        ("http://192.0.2.7:11434", "`embed.ollama.allow_remote` is not set"),
        ("http://localhost:11434", "names are not looked up"),
    ] {
        configure(&scratch, endpoint, &json!({}));
        assert_red(&scratch, "embedder-refused", words);
    }
    assert_eq!(server.asked("/api/show").len(), 0, "nobody was asked");
    configure(&scratch, "nowhere", &json!({}));
    assert_eq!(check(&scratch, "store")["fault"], "configuration", "a file with it is not used, and that is told");
}
