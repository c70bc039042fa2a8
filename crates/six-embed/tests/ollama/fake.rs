//! A server on loopback that plays Ollama, well or badly.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use serde_json::{Value, json};

/// What the server does with a request.
pub(crate) enum Reply {
    /// An answer in JSON.
    Json(u16, Value),
    /// An answer of another kind: status, header lines, body.
    Page(u16, String, &'static str),
    /// These bytes.
    Bytes(&'static str),
    /// A body that never ends.
    Endless,
    /// Nothing, with the connection open.
    Silence,
    /// Nothing, with the connection closed.
    HangUp,
}

/// A request as it came.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) body: Value,
}

type Script = dyn Fn(&Request) -> Reply + Send + Sync;

/// Answers by a script until it is dropped.
pub(crate) struct Fake {
    address: SocketAddr,
    shared: Arc<Shared>,
    listening: Option<JoinHandle<()>>,
}

struct Shared {
    script: Box<Script>,
    requests: Mutex<Vec<Request>>,
    /// Connections that are answered with silence, which have to stay open.
    silent: Mutex<Vec<TcpStream>>,
    is_over: AtomicBool,
}

impl Fake {
    /// A server that answers as `script` says.
    pub(crate) fn new(script: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let shared = Arc::new(Shared {
            script: Box::new(script),
            requests: Mutex::default(),
            silent: Mutex::default(),
            is_over: AtomicBool::new(false),
        });
        let answering = Arc::clone(&shared);
        let listening = thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if answering.is_over.load(Ordering::Relaxed) {
                    return;
                }
                let answering = Arc::clone(&answering);
                thread::spawn(move || answering.answer(stream));
            }
        });
        Self { address, shared, listening: Some(listening) }
    }

    /// Has models of these names and widths, with a context of 8 tokens, and answers requests for vectors as `embed`
    /// says.
    pub(crate) fn with_models(
        models: &'static [(&'static str, usize)],
        embed: impl Fn(&Request) -> Reply + Send + Sync + 'static,
    ) -> Self {
        Self::new(move |request| {
            let model = request.body["model"].as_str().unwrap_or_default();
            match models.iter().find(|(name, _)| *name == model) {
                None => Reply::Json(404, json!({ "error": format!("model '{model}' not found") })),
                Some((_, width)) if request.path == "/api/show" => Reply::Json(
                    200,
                    json!({
                        "license": "made up",
                        "details": { "family": "bert" },
                        "model_info": {
                            "general.architecture": "bert",
                            "bert.context_length": 8,
                            "bert.embedding_length": width,
                        },
                        "capabilities": ["embedding"],
                    }),
                ),
                Some(_) => embed(request),
            }
        })
    }

    /// The address as a configuration gives it.
    pub(crate) fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The address as messages give it.
    pub(crate) fn place(&self) -> String {
        self.address.to_string()
    }

    /// All requests up to now.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.shared.requests.lock().expect("no thread died").clone()
    }

    /// The bodies of those for vectors.
    pub(crate) fn embeds(&self) -> Vec<Value> {
        let requests = self.requests().into_iter();
        requests.filter(|request| request.path == "/api/embed").map(|request| request.body).collect()
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for a connection.
        drop(TcpStream::connect(self.address));
        if let Some(listening) = self.listening.take() {
            let _ = listening.join();
        }
    }
}

impl Shared {
    fn answer(&self, mut stream: TcpStream) {
        let Some(request) = read(&stream) else { return };
        self.requests.lock().expect("no thread died").push(request.clone());
        match (self.script)(&request) {
            Reply::Json(status, body) => {
                write(&mut stream, status, "Content-Type: application/json", &body.to_string());
            }
            Reply::Page(status, headers, body) => write(&mut stream, status, &headers, body),
            Reply::Bytes(bytes) => drop(stream.write_all(bytes.as_bytes())),
            Reply::Endless => {
                let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n";
                let mut sent = stream.write_all(head.as_bytes());
                while sent.is_ok() && !self.is_over.load(Ordering::Relaxed) {
                    sent = stream.write_all(&[b' '; 4096]);
                }
            }
            Reply::Silence => self.silent.lock().expect("no thread died").push(stream),
            Reply::HangUp => {}
        }
    }
}

/// A request whose body is JSON.
fn read(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Request { path, body: serde_json::from_slice(&body).ok()? })
}

/// Whoever does not listen any more misses nothing.
fn write(stream: &mut TcpStream, status: u16, headers: &str, body: &str) {
    let length = body.len();
    let answer =
        format!("HTTP/1.1 {status} X\r\n{headers}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}");
    let _ = stream.write_all(answer.as_bytes());
}
