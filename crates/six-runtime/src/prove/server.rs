//! A server on loopback that plays Ollama badly, as long as it is held.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::json;

/// How long a client may take over its request.
const REQUEST: Duration = Duration::from_secs(5);

/// Longest request that is read to its end.
const REQUEST_BYTES: usize = 1 << 20;

/// What is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// It is another program.
    Stranger,
    /// It has no model of any name.
    Modelless,
    /// It gives vectors of another width than it says.
    Narrow,
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
            for mut stream in listener.incoming().flatten() {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                // A client that went away has its reason.
                let _ = answer(&mut stream, manner);
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
    let path = read_request(stream)?;
    let (status, body) = match manner {
        Manner::Stranger => (200, String::from("<html>a harbour master's page</html>")),
        Manner::Modelless => (404, json!({"error": "model not found"}).to_string()),
        Manner::Narrow if path == "/api/show" => (200, metadata()),
        Manner::Narrow => (200, json!({"embeddings": [[0.5, 0.5]]}).to_string()),
    };
    let length = body.len();
    let head = format!("HTTP/1.1 {status} -\r\ncontent-type: application/json\r\nconnection: close\r\n");
    write!(stream, "{head}content-length: {length}\r\n\r\n{body}")
}

fn metadata() -> String {
    let info = json!({"general.architecture": "bert", "bert.context_length": 512, "bert.embedding_length": 8});
    json!({"details": {"family": "bert"}, "model_info": info, "capabilities": ["embedding"]}).to_string()
}

/// The path that is asked for. The body is read and does not matter.
fn read_request(stream: &mut TcpStream) -> io::Result<String> {
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
    lines.read_exact(&mut vec![0; length.min(REQUEST_BYTES)])?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(server: &Server, path: &str) -> io::Result<String> {
        let mut stream = TcpStream::connect(server.address)?;
        stream.set_read_timeout(Some(REQUEST))?;
        write!(stream, "POST {path} HTTP/1.1\r\nContent-Length: 2\r\n\r\n{{}}")?;
        let mut said = String::new();
        stream.read_to_string(&mut said)?;
        Ok(said)
    }

    #[test]
    fn it_answers_as_badly_as_it_is_asked_to_and_is_gone_when_it_is_dropped() {
        for (manner, told) in
            [(Manner::Stranger, "harbour master"), (Manner::Modelless, "404"), (Manner::Narrow, "[0.5,0.5]")]
        {
            let server = Server::start(manner).unwrap();
            assert!(asked(&server, "/api/embed").unwrap().contains(told), "{manner:?}");
        }
        let narrow = Server::start(Manner::Narrow).unwrap();
        assert!(asked(&narrow, "/api/show").unwrap().contains("embedding_length"));
        let address = narrow.address;
        drop(narrow);
        assert!(TcpStream::connect(address).is_err());
    }
}
