//! A server on loopback that plays Ollama.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

/// It ends with the test's process, and keeps what it is sent.
#[derive(Debug)]
pub struct OllamaServer {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<OllamaRequest>>>,
}

/// A request as it came.
#[derive(Debug, Clone, PartialEq)]
pub struct OllamaRequest {
    /// `/api/embed` and the like.
    pub path: String,
    /// Its body.
    pub body: Value,
}

impl OllamaServer {
    /// Answers as `reply` says of a path and a body; `None`: the server does not have the model.
    pub fn new(reply: impl Fn(&str, &Value) -> Option<Value> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let requests: Arc<Mutex<Vec<OllamaRequest>>> = Arc::default();
        let server = Self { address, requests: Arc::clone(&requests) };
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (path, body) = read(&stream);
                let body: Value = serde_json::from_str(&body).expect("requests are JSON");
                let answered = reply(&path, &body);
                requests.lock().expect("nobody died").push(OllamaRequest { path, body });
                answer(stream, answered);
            }
        });
        server
    }

    /// The address as a configuration gives it.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All requests up to now.
    pub fn requests(&self) -> Vec<OllamaRequest> {
        self.requests.lock().expect("nobody died").clone()
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

fn answer(mut stream: TcpStream, reply: Option<Value>) {
    let (status, body) = reply.map_or((404, json!({"error": "model not found"})), |body| (200, body));
    let body = body.to_string();
    let head = format!("HTTP/1.1 {status} -\r\ncontent-type: application/json\r\nconnection: close\r\n");
    // A client that has gone has its reason.
    let _ = write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len());
}
