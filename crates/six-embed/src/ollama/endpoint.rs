//! Where the server is.

use std::fmt;
use std::net::SocketAddr;

use thiserror::Error;

/// The root of a server: `http://HOST:PORT`, nothing behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// `HOST:PORT`.
    authority: String,
}

/// Why a text names no server that six would speak to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BadEndpoint {
    /// Not `http://HOST:PORT`.
    #[error("it is not of the form http://HOST:PORT")]
    Form,
    /// A user or a password stands before the host.
    #[error("a user or a password stands before it, and six sends none: take it out")]
    User,
    /// TLS is not built in.
    #[error("six speaks plain HTTP only, which is meant for this machine")]
    Tls,
    /// A name stands where an address of this machine is asked for.
    #[error(
        "names are not looked up, localhost included, since that takes time and may lead elsewhere: write 127.0.0.1"
    )]
    Name,
    /// An address of another machine, or of all of them.
    #[error("it is not an address of this machine (127.0.0.0/8 or [::1]), and `embed.ollama.allow_remote` is not set")]
    Remote,
}

impl Endpoint {
    /// Where Ollama listens when nobody says otherwise.
    pub const DEFAULT: &'static str = "http://127.0.0.1:11434";

    /// Reads `text`. Without `allow_remote` only literal loopback addresses are accepted: what is embedded is the
    /// project's memory, and it leaves the machine only for who has said so.
    pub fn parse(text: &str, allow_remote: bool) -> Result<Self, BadEndpoint> {
        if text.contains('@') {
            return Err(BadEndpoint::User);
        }
        if text.starts_with("https://") {
            return Err(BadEndpoint::Tls);
        }
        let authority = text.strip_prefix("http://").ok_or(BadEndpoint::Form)?;
        let authority = authority.strip_suffix('/').unwrap_or(authority);
        match authority.parse::<SocketAddr>() {
            Ok(address) if address.port() == 0 => Err(BadEndpoint::Form),
            Ok(address) if allow_remote || address.ip().is_loopback() => Ok(Self { authority: address.to_string() }),
            Ok(_) => Err(BadEndpoint::Remote),
            Err(_) if !is_name_and_port(authority) => Err(BadEndpoint::Form),
            Err(_) if allow_remote => Ok(Self { authority: authority.to_owned() }),
            Err(_) => Err(BadEndpoint::Name),
        }
    }

    /// The address of `path`, which starts with a slash.
    #[cfg(feature = "ollama")]
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.authority)
    }
}

/// `HOST:PORT`, as a person reads it.
impl fmt::Display for Endpoint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.authority)
    }
}

fn is_name_and_port(authority: &str) -> bool {
    let Some((name, port)) = authority.split_once(':') else { return false };
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '.' || c == '-');
    // A number with dots that is no address is a mistake, and some resolvers would take it for one.
    let is_number = name.chars().all(|c| c.is_ascii_digit() || c == '.');
    is_name && !is_number && port.parse::<u16>().is_ok_and(|port| port != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str, allow_remote: bool) -> Result<String, BadEndpoint> {
        Endpoint::parse(text, allow_remote).map(|endpoint| endpoint.to_string())
    }

    #[test]
    fn the_default_is_on_this_machine() {
        assert_eq!(read(Endpoint::DEFAULT, false), Ok("127.0.0.1:11434".to_owned()));
    }

    #[test]
    fn every_literal_loopback_address_is_accepted() {
        for text in ["http://127.0.0.1:1", "http://127.8.9.10:65535", "http://[::1]:11434", "http://127.0.0.1:11434/"] {
            assert!(read(text, false).is_ok(), "{text}");
        }
    }

    #[test]
    fn another_machine_is_refused_until_it_is_allowed() {
        for text in ["http://192.0.2.7:11434", "http://0.0.0.0:11434", "http://[2001:db8::1]:80", "http://[::]:80"] {
            assert_eq!(read(text, false), Err(BadEndpoint::Remote), "{text}");
            assert!(read(text, true).is_ok(), "{text}");
        }
        assert_eq!(read("http://[::ffff:192.0.2.7]:80", false), Err(BadEndpoint::Remote));
    }

    #[test]
    fn a_name_is_never_looked_up_unless_remote_is_allowed() {
        for text in ["http://localhost:11434", "http://example.invalid:80", "http://127.0.0.1.example.invalid:80"] {
            assert_eq!(read(text, false), Err(BadEndpoint::Name), "{text}");
            assert!(read(text, true).is_ok(), "{text}");
        }
    }

    #[test]
    fn what_is_more_or_less_than_a_host_and_a_port_is_refused() {
        for text in [
            "",
            "127.0.0.1:11434",
            "http://",
            "http://127.0.0.1",
            "http://127.0.0.1:",
            "http://127.0.0.1:0",
            "http://127.0.0.1:99999",
            "http://127.0.0.1:11434/api",
            "http://127.0.0.1:11434//",
            "http://127.0.0.1:11434?x",
            "http://127.0.0.1:11434#x",
            "http://127.1:80",
            "http://exa mple:80",
            "http://example\n:80",
            "ftp://127.0.0.1:21",
        ] {
            assert_eq!(read(text, true), Err(BadEndpoint::Form), "{text:?}");
            assert_eq!(read(text, false), Err(BadEndpoint::Form), "{text:?}");
        }
        assert_eq!(read("https://127.0.0.1:11434", true), Err(BadEndpoint::Tls));
    }

    #[test]
    fn a_user_or_a_password_is_refused_whatever_else_is_wrong() {
        for text in [
            "http://bob@127.0.0.1:11434",
            "http://bob:xylophone@127.0.0.1:11434",
            "https://bob:xylophone@127.0.0.1:11434",
            "http://127.0.0.1:11434@example.invalid:80",
            "bob:xylophone@127.0.0.1",
        ] {
            assert_eq!(read(text, true), Err(BadEndpoint::User), "{text:?}");
            assert_eq!(read(text, false), Err(BadEndpoint::User), "{text:?}");
        }
    }

    #[test]
    fn the_refusal_says_what_to_write() {
        insta::assert_snapshot!(BadEndpoint::Name, @"names are not looked up, localhost included, since that takes time and may lead elsewhere: write 127.0.0.1");
        insta::assert_snapshot!(BadEndpoint::Remote, @"it is not an address of this machine (127.0.0.0/8 or [::1]), and `embed.ollama.allow_remote` is not set");
    }

    proptest! {
        #[test]
        fn what_is_accepted_without_leave_is_loopback(text in "(http://)?[0-9a-f.:\\[\\]@/l]{0,24}") {
            if let Ok(endpoint) = Endpoint::parse(&text, false) {
                let address: SocketAddr = endpoint.to_string().parse().expect("a literal");
                prop_assert!(address.ip().is_loopback());
            }
        }
    }
}
