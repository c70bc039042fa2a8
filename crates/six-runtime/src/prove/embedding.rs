//! Faults of what makes the vectors.

use std::fs;
use std::net::TcpListener;

use six_core::health::{CheckName, Fault};

use super::injection::{Eyes, Heal, Inject, Injection, Unproven};
use super::machine::Machine;
use super::server::{Manner, Server, WIDER};

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
    injection(Fault::EmbedderWedged, "the server takes requests and never answers", |m| serve(m, Manner::Wedged)),
    injection(Fault::EmbedderWidth, "the server's vectors have another width", |m| serve(m, Manner::Narrow)),
    injection(Fault::EmbedderBadAnswer, "the server answers with no vector", |m| serve(m, Manner::Empty)),
    injection(Fault::EmbedderFallback, "the fallback's vectors have another width", |m| {
        serve(m, Manner::Well)?;
        set(m, "embed.ollama.fallback", WIDER)?;
        // The index has to have vectors that nothing of that width could stand in for.
        m.runner().six(&["embed", "--backfill"].map(String::from))?;
        Ok(true)
    }),
    injection(Fault::EmbedderRefused, "another machine is written into the file as the server", |m| {
        configure(m, "http://127.0.0.1:11434")?;
        // The command refuses it.
        edit_configuration(m, |text| text.replace("127.0.0.1", "192.0.2.7"))
    }),
];

fn serve(machine: &mut Machine, manner: Manner) -> Result<bool, Unproven> {
    let server = Server::start(manner)?;
    let endpoint = server.endpoint();
    machine.server = Some(server);
    configure(machine, &endpoint)
}

fn configure(machine: &Machine, endpoint: &str) -> Result<bool, Unproven> {
    set(machine, "embed.ollama.endpoint", endpoint)?;
    set(machine, "embed.provider", "ollama")?;
    Ok(true)
}

fn set(machine: &Machine, key: &str, value: &str) -> Result<(), Unproven> {
    machine.runner().six(&["config", "set", key, value].map(String::from)).map(drop)
}

fn edit_configuration(machine: &Machine, edit: fn(&str) -> String) -> Result<bool, Unproven> {
    let path = machine.configuration();
    let text = fs::read_to_string(&path)?;
    let edited = edit(&text);
    fs::write(&path, &edited)?;
    Ok(edited != text)
}
