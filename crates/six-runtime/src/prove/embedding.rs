//! Faults of what makes the vectors.

use std::net::TcpListener;

use six_core::health::{CheckName, Fault};

use super::injection::{Eyes, Heal, Inject, Injection, Unproven};
use super::machine::Machine;
use super::server::{Manner, Server};

const fn injection(fault: Fault, what: &'static str, inject: Inject) -> Injection {
    Injection { check: CheckName::Embedding, fault, what, eyes: Eyes::Command, inject, heal: Heal::Fix }
}

/// What is wrong with a server.
pub(super) const INJECTIONS: &[Injection] = &[
    injection(Fault::EmbedderUnreachable, "the server is stopped", |m| {
        // A port that was free a moment ago, and that nobody listens at.
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        configure(m, &format!("http://{address}"))
    }),
    injection(Fault::EmbedderNotOllama, "another program answers in its place", |m| serve(m, Manner::Stranger)),
    injection(Fault::EmbedderModelMissing, "the server has not got the model", |m| serve(m, Manner::Modelless)),
    injection(Fault::EmbedderWidth, "the server's vectors have another width", |m| serve(m, Manner::Narrow)),
];

fn serve(machine: &mut Machine, manner: Manner) -> Result<bool, Unproven> {
    let server = Server::start(manner)?;
    let endpoint = server.endpoint();
    machine.server = Some(server);
    configure(machine, &endpoint)
}

fn configure(machine: &mut Machine, endpoint: &str) -> Result<bool, Unproven> {
    for (key, value) in [("embed.ollama.endpoint", endpoint), ("embed.provider", "ollama")] {
        machine.runner().six(&["config", "set", key, value].map(String::from))?;
    }
    Ok(true)
}
