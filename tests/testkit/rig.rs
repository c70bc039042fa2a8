//! The real client, offline: the shared rig runs it against a mock of the model's API and writes down what it sent.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::scratch::{PATIENCE, Scratch};
use crate::shared::shared;

/// One client at a time: the first run installs it, and two of them on two cores run into the rig's time limits.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The rig, found and ready.
#[derive(Debug)]
pub struct Rig {
    script: PathBuf,
}

/// One run of the rig on a scratch project: a headless session, the same one resumed, and with
/// [`RigRun::interactive`] a third in a terminal (prompt, `/compact`, prompt, `/clear`, prompt, `/exit`).
#[derive(Debug)]
pub struct RigRun<'a> {
    rig: &'a Rig,
    scratch: &'a Scratch,
    prompts: [&'a str; 2],
    interactive: bool,
}

/// A call of a hook, as the rig's recorder saw it beside ours.
#[derive(Debug)]
pub struct HostCall {
    /// The host's name of the event.
    pub event: String,
    /// The payload.
    pub payload: Value,
}

/// A request that the client sent to the model.
#[derive(Debug)]
pub struct Request {
    /// What it was for: `turn`, `compact`, or a side question of the client.
    pub kind: String,
    /// Every text in it, the system prompt first, then the messages in order.
    pub texts: Vec<String>,
}

/// What a run left behind.
#[derive(Debug)]
pub struct Witness {
    /// Every call of every hook event, in order.
    pub calls: Vec<HostCall>,
    /// Every request to the model, in order.
    pub requests: Vec<Request>,
}

impl Rig {
    /// The rig, unless it is not on this machine: then the test is skipped, and that is said.
    pub fn find() -> Option<Self> {
        Some(Self { script: shared("claude-rig/run.sh")? })
    }

    /// A run on the project of `scratch` that begins with `prompt`. Its home is the home of `scratch`, and the rig
    /// empties it first.
    pub fn run<'a>(&'a self, scratch: &'a Scratch, prompt: &'a str) -> RigRun<'a> {
        RigRun { rig: self, scratch, prompts: [prompt, "Thank you, that is all."], interactive: false }
    }
}

impl<'a> RigRun<'a> {
    /// The prompt of the resumed session.
    #[must_use]
    pub fn then(mut self, prompt: &'a str) -> Self {
        self.prompts[1] = prompt;
        self
    }

    /// With the session in a terminal.
    #[must_use]
    pub fn interactive(mut self) -> Self {
        self.interactive = true;
        self
    }

    /// Runs it. The model answers every prompt with `answer`.
    pub fn answered(self, answer: &str) -> Witness {
        self.scripted(&[("", &format!("<<text:{answer}>>"))])
    }

    /// Runs it. The model answers a prompt by the directives of the first of these whose text occurs in it.
    pub fn scripted(self, script: &[(&str, &str)]) -> Witness {
        let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let out = self.scratch.host();
        let answers = out.join("answers.json");
        let rules: Vec<Value> = script.iter().map(|(when, what)| json!({ "when": when, "do": what })).collect();
        fs::write(&answers, Value::from(rules).to_string()).expect("a scratch file can be written");
        let mut command = Command::new("bash");
        command.arg(&self.rig.script).arg(self.scratch.project()).arg(&out).stdin(Stdio::null());
        for (name, _) in env::vars_os().filter(|(name, _)| belongs_to_a_client(&name.to_string_lossy())) {
            command.env_remove(name);
        }
        command
            .env("RIG_CACHE", cache())
            .env("RIG_PROMPT", self.prompts[0])
            .env("RIG_PROMPT2", self.prompts[1])
            .env("RIG_SCRIPT", &answers)
            .env("RIG_PASS", "SIX_HOME SIX_PATIENCE GIT_CONFIG_NOSYSTEM GIT_CONFIG_GLOBAL")
            .env("SIX_HOME", self.scratch.six_home())
            .env("SIX_PATIENCE", PATIENCE.to_string())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null");
        if !self.interactive {
            command.env("RIG_NO_TMUX", "1");
        }
        if loopback_only_is_possible() {
            command.env("RIG_NETNS", "1");
        }
        let ran = command.output().expect("bash starts");
        let said = format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
        assert!(ran.status.success(), "the rig failed:\n{said}");
        // The rig goes on when a session fails or an event does not come, and only says so.
        assert!(ran.stderr.is_empty() || !complains(&ran.stderr), "the client did not do its part:\n{said}");
        Witness::read(self.scratch)
    }
}

impl Witness {
    fn read(scratch: &Scratch) -> Self {
        let out = scratch.host();
        let lines = |name: &str| -> Vec<Value> {
            let text =
                fs::read_to_string(out.join(name)).unwrap_or_else(|why| panic!("the rig wrote no {name}: {why}"));
            text.lines().map(|line| serde_json::from_str(line).expect("the rig writes JSON lines")).collect()
        };
        let calls = lines("hooks.jsonl")
            .into_iter()
            .filter(|line| line["phase"] == "start")
            .map(|mut line| HostCall { event: text_of(&line["event"]), payload: line["stdin"].take() })
            .collect();
        let requests = lines("requests.jsonl")
            .into_iter()
            .map(|line| {
                let file = out.join(format!("req-{:04}.json", line["n"].as_u64().expect("requests are numbered")));
                let body = fs::read(&file).unwrap_or_else(|why| panic!("the rig wrote no {}: {why}", file.display()));
                let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
                Request { kind: text_of(&line["kind"]), texts: texts(&body) }
            })
            .collect();
        Self { calls, requests }
    }

    /// The first request that holds `text`.
    pub fn request_with(&self, text: &str) -> Option<&Request> {
        self.requests.iter().find(|request| request.holds(text))
    }

    /// The payloads of `event`, in order.
    pub fn payloads(&self, event: &str) -> Vec<&Value> {
        self.calls.iter().filter(|call| call.event == event).map(|call| &call.payload).collect()
    }
}

impl Request {
    /// Whether one of its texts contains `text`.
    pub fn holds(&self, text: &str) -> bool {
        self.texts.iter().any(|held| held.contains(text))
    }

    /// What the newest hook of `event` told the model, with what the client put behind it in the same message: other
    /// hooks' contexts, then texts of its own.
    pub fn told_by(&self, event: &str) -> Option<&str> {
        let mark = format!("{event} hook additional context: ");
        self.texts.iter().rev().find_map(|text| Some(text.rsplit_once(&mark)?.1))
    }
}

/// All texts of a request: plain contents, text blocks, and of any other block its JSON.
fn texts(body: &Value) -> Vec<String> {
    let system = body["system"].as_array().into_iter().flatten().map(block_text);
    let messages = body["messages"].as_array().into_iter().flatten().flat_map(|message| match &message["content"] {
        Value::Array(blocks) => blocks.iter().map(block_text).collect(),
        content => vec![text_of(content)],
    });
    system.chain(messages).collect()
}

fn block_text(block: &Value) -> String {
    block["text"].as_str().map_or_else(|| block.to_string(), str::to_owned)
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Where the client is kept between runs: 400 MB that no checkout should hold.
fn cache() -> PathBuf {
    let under_home = || env::home_dir().expect("a home").join(".cache");
    env::var_os("SIX_RIG_CACHE").map_or_else(
        || env::var_os("XDG_CACHE_HOME").map_or_else(under_home, PathBuf::from).join("six-rig"),
        PathBuf::from,
    )
}

/// Variables of a client that this test may itself be running in, and of a rig that somebody has set up by hand.
fn belongs_to_a_client(name: &str) -> bool {
    let kept = ["RIG_CLIENT", "RIG_VERSION"];
    ["CLAUDE", "ANTHROPIC_", "RIG_", "SIX_"].iter().any(|start| name.starts_with(start)) && !kept.contains(&name)
}

fn complains(stderr: &[u8]) -> bool {
    let text = String::from_utf8_lossy(stderr);
    ["headless session", "interactive session"].iter().any(|start| text.lines().any(|line| line.starts_with(start)))
}

/// Whether this machine lets us make a network of loopback only. Where it does, a hook that reaches for the network
/// fails its test.
fn loopback_only_is_possible() -> bool {
    Command::new("unshare")
        .args(["-rn", "ip", "link", "set", "lo", "up"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
