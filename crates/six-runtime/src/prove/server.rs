//! A server on loopback that plays Ollama, mostly badly, as long as it is held.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};
use six_core::text::sha256_hex;

/// How long a client may take over its request.
const REQUEST: Duration = Duration::from_secs(5);

/// Longest request that is read to its end.
const REQUEST_BYTES: usize = 1 << 20;

/// Values of a vector: one for each digit of a text's hash, so that every text has a direction of its own.
const WIDTH: usize = 64;

/// A model whose vectors have one value more.
pub(super) const WIDER: &str = "wider";

/// What is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// It is another program.
    Stranger,
    /// It has no model of any name.
    Modelless,
    /// It takes every request and answers none.
    Wedged,
    /// It gives vectors of another width than it says.
    Narrow,
    /// It answers without a vector.
    Empty,
    /// Nothing: it has every model.
    Well,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Server {
    address: SocketAddr,
    is_over: Arc<AtomicBool>,
    listening: Option<JoinHandle<()>>,
}

impl Server {
    /// Begins to listen on a free port.
    pub(super) fn start(manner: Manner) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let listening = std::thread::Builder::new().spawn(move || {
            let mut unanswered = Vec::new();
            for mut stream in listener.incoming().flatten() {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                if manner == Manner::Wedged {
                    unanswered.push(stream);
                } else {
                    // A client that went away has its reason.
                    let _ = answer(&mut stream, manner);
                }
            }
        })?;
        Ok(Self { address, is_over, listening: Some(listening) })
    }

    /// The address as the configuration takes it.
    pub(super) fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // It waits for a connection, and gets one.
        let woken = TcpStream::connect(self.address).is_ok();
        if let Some(listening) = self.listening.take().filter(|_| woken) {
            let _ = listening.join();
        }
    }
}

/// Answers one request.
fn answer(stream: &mut TcpStream, manner: Manner) -> io::Result<()> {
    stream.set_read_timeout(Some(REQUEST))?;
    let (path, asked) = read_request(stream)?;
    if manner == Manner::Stranger {
        return say(stream, 200, "text/html", "<html>a harbour master's page</html>");
    }
    let (status, answer) = match manner {
        Manner::Modelless => (404, json!({"error": "model not found"})),
        _ if path == "/api/show" => (200, metadata(&asked)),
        Manner::Narrow => (200, json!({"embeddings": [[0.5, 0.5]]})),
        Manner::Empty => (200, json!({"embeddings": []})),
        Manner::Stranger | Manner::Wedged | Manner::Well => (200, json!({"embeddings": vectors(&asked)})),
    };
    say(stream, status, "application/json", &answer.to_string())
}

fn say(stream: &mut TcpStream, status: u16, mime: &str, body: &str) -> io::Result<()> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status} -\r\ncontent-type: {mime}\r\nconnection: close\r\n");
    write!(stream, "{head}content-length: {length}\r\n\r\n{body}")
}

fn metadata(asked: &Value) -> Value {
    let is_wider = asked["model"].as_str().is_some_and(|model| model.starts_with(WIDER));
    let width = WIDTH + usize::from(is_wider);
    let info = json!({"general.architecture": "bert", "bert.context_length": 512, "bert.embedding_length": width});
    json!({"details": {"family": "bert"}, "model_info": info, "capabilities": ["embedding"]})
}

/// A vector for each text that was sent.
fn vectors(asked: &Value) -> Vec<Vec<f64>> {
    let texts = asked["input"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let value = |digit: char| f64::from(digit.to_digit(16).unwrap_or(0)) - 7.5;
    texts.map(|text| sha256_hex(text).chars().map(value).collect()).collect()
}

/// The path that is asked for, and what is sent with it.
fn read_request(stream: &mut TcpStream) -> io::Result<(String, Value)> {
    let mut lines = BufReader::new(stream);
    let (mut path, mut length) = (String::new(), 0_usize);
    loop {
        let mut line = String::new();
        if lines.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if path.is_empty() {
            line.split(' ').nth(1).unwrap_or_default().clone_into(&mut path);
        }
        if let Some(("content-length", value)) = line.to_ascii_lowercase().split_once(':') {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length.min(REQUEST_BYTES)];
    lines.read_exact(&mut body)?;
    Ok((path, serde_json::from_slice(&body).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(server: &Server, path: &str, body: &str) -> io::Result<String> {
        let mut stream = TcpStream::connect(server.address)?;
        stream.set_read_timeout(Some(REQUEST))?;
        write!(stream, "POST {path} HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}", body.len())?;
        let mut said = String::new();
        stream.read_to_string(&mut said)?;
        Ok(said)
    }

    #[test]
    fn it_answers_as_badly_as_it_is_asked_to_and_is_gone_when_it_is_dropped() {
        for (manner, told) in [
            (Manner::Stranger, "harbour master"),
            (Manner::Modelless, "404"),
            (Manner::Narrow, "[0.5,0.5]"),
            (Manner::Empty, "[]"),
        ] {
            let server = Server::start(manner).unwrap();
            assert!(asked(&server, "/api/embed", "{}").unwrap().contains(told), "{manner:?}");
        }
        let narrow = Server::start(Manner::Narrow).unwrap();
        assert!(asked(&narrow, "/api/show", "{}").unwrap().contains("embedding_length"));
        let address = narrow.address;
        drop(narrow);
        assert!(TcpStream::connect(address).is_err());
    }

    #[test]
    fn one_that_is_well_gives_each_text_its_own_vector_and_says_which_model_is_wider() {
        let server = Server::start(Manner::Well).unwrap();
        let body = |path, body: Value| {
            let said = asked(&server, path, &body.to_string()).unwrap();
            serde_json::from_str::<Value>(said.split_once("\r\n\r\n").unwrap().1).unwrap()
        };
        let made = body("/api/embed", json!({"input": ["a berth", "a crane", "a berth"]}));
        let of = |n: usize| made["embeddings"][n].as_array().unwrap();
        assert_eq!((of(0).len(), of(0) == of(2), of(0) == of(1)), (WIDTH, true, false));
        let width = |model| body("/api/show", json!({"model": model}))["model_info"]["bert.embedding_length"].clone();
        assert_eq!((width("plain:latest"), width("wider:latest")), (json!(WIDTH), json!(WIDTH + 1)));
    }

    #[test]
    fn a_wedged_one_takes_the_request_says_nothing_and_still_ends() {
        let server = Server::start(Manner::Wedged).unwrap();
        let mut stream = TcpStream::connect(server.address).unwrap();
        write!(stream, "POST /api/show HTTP/1.1\r\n\r\n").unwrap();
        drop(server);
        let mut said = String::new();
        assert!(stream.read_to_string(&mut said).is_err() || said.is_empty());
    }
}
