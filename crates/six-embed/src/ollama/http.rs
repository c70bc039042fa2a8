//! One request and its answer, within bounds of time and size.

use std::io;
use std::time::Duration;

use ureq::{Agent, Timeout};

/// The answer to a request, whatever its status.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Whether the server calls the body JSON.
    pub(crate) says_json: bool,
    pub(crate) body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum NoAnswer {
    /// No connection, or one that broke.
    Unreachable(String),
    /// Nothing came in the given time.
    Silent,
    /// What came is no HTTP.
    NotHttp(String),
    /// More bytes than the request allowed.
    TooLarge,
}

/// What one request may cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// From the beginning to the last byte of the answer.
    pub(crate) time: Duration,
    /// Bytes of the answer's body.
    pub(crate) bytes: u64,
}

/// An HTTP client that does what it is told and no more: no proxy out of the environment, no redirect followed.
pub(crate) fn agent(connect_timeout: Duration) -> Agent {
    Agent::config_builder()
        .proxy(None)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .timeout_connect(Some(connect_timeout))
        .user_agent("six")
        .build()
        .new_agent()
}

/// Sends `body`, a JSON text, to `url`.
pub(crate) fn post(agent: &Agent, url: &str, body: &str, bounds: Bounds) -> Result<Answer, NoAnswer> {
    if bounds.time.is_zero() {
        return Err(NoAnswer::Silent);
    }
    let request = agent.post(url).config().timeout_global(Some(bounds.time)).build();
    let mut response = request.header("content-type", "application/json").send(body).map_err(no_answer)?;
    let says_json = response.body().mime_type().is_some_and(|mime| mime == "application/json");
    let status = response.status().as_u16();
    let body = response.body_mut().with_config().limit(bounds.bytes).read_to_vec().map_err(no_answer)?;
    Ok(Answer { status, says_json, body })
}

fn no_answer(error: ureq::Error) -> NoAnswer {
    match error {
        ureq::Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
            NoAnswer::Unreachable("no connection in time".to_owned())
        }
        ureq::Error::Timeout(_) => NoAnswer::Silent,
        ureq::Error::BodyExceedsLimit(_) => NoAnswer::TooLarge,
        ureq::Error::Io(error) => broken(&error),
        ureq::Error::HostNotFound => NoAnswer::Unreachable("no machine has this name".to_owned()),
        ureq::Error::Protocol(_) | ureq::Error::Http(_) | ureq::Error::LargeResponseHeader(..) => {
            NoAnswer::NotHttp(error.to_string())
        }
        other => NoAnswer::Unreachable(other.to_string()),
    }
}

fn broken(error: &io::Error) -> NoAnswer {
    match error.kind() {
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => NoAnswer::Silent,
        io::ErrorKind::ConnectionRefused => NoAnswer::Unreachable("connection refused".to_owned()),
        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => {
            NoAnswer::Unreachable("the connection was closed before there was an answer".to_owned())
        }
        _ => NoAnswer::Unreachable(error.to_string()),
    }
}
