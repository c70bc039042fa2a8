//! All settings, as those who act on them read them.

use super::gate::Gate;
use super::guard::OnDeadEnd;
use super::provider::EmbedProvider;
use crate::inject::{Emission, Limits};
use crate::search::{EmbedTranscripts, Fusion};

/// Every setting. The field `a.b` is the key `a.b`, but for the thresholds of [`InjectConfig`]; [`KEYS`](super::KEYS) says what each is for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Config {
    /// `capture.*`
    pub capture: CaptureConfig,
    /// `embed.*`
    pub embed: EmbedConfig,
    /// `derived.*`
    pub derived: DerivedConfig,
    /// `guard.*`
    pub guard: GuardConfig,
    /// `health.*`
    pub health: HealthConfig,
    /// `ingest.*`
    pub ingest: IngestConfig,
    /// `inject.*`
    pub inject: InjectConfig,
    /// `search.*`
    pub search: SearchConfig,
    /// `store.*`
    pub store: StoreConfig,
}

/// `capture.*`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaptureConfig {
    /// A model of the Ollama server (`embed.ollama.endpoint`) words candidates and tells stories of threads.
    pub synthesis: bool,
    /// That model.
    pub model: String,
}

impl Default for CaptureConfig {
    /// A small model that answers without thinking aloud first, reads many languages, and fits beside an editor: 2 GB.
    fn default() -> Self {
        Self { synthesis: false, model: String::from("qwen2.5:3b") }
    }
}

/// `embed.*`
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EmbedConfig {
    /// What makes vectors.
    pub provider: EmbedProvider,
    /// Which messages of sessions get vectors.
    pub transcripts: EmbedTranscripts,
    /// Milliseconds that an Ollama server may add to a prompt; 0 = none is asked there.
    pub deadline_ms: u64,
    /// `embed.ollama.*`
    pub ollama: OllamaConfig,
}

/// `embed.ollama.*`: read only where the provider is Ollama, and the server also where a model of it writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OllamaConfig {
    /// The server: `http://HOST:PORT`.
    pub endpoint: String,
    /// Its model.
    pub model: String,
    /// A model of the same server for when that one can't be used.
    pub fallback: Option<String>,
    /// The server may be another machine, which then reads every text that is embedded.
    pub allow_remote: bool,
}

impl Default for OllamaConfig {
    /// The literal address: `localhost` is looked up, and may answer as IPv6, where Ollama does not listen.
    fn default() -> Self {
        Self {
            endpoint: String::from("http://127.0.0.1:11434"),
            model: String::from("nomic-embed-text"),
            fallback: None,
            allow_remote: false,
        }
    }
}

/// `derived.*`: what the project derives elsewhere, relative to its root; not set = nothing is derived.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DerivedConfig {
    /// The file or folder that a script writes the state of the project to.
    pub project_state: Option<String>,
    /// The file or folder of a code graph.
    pub code_graph: Option<String>,
}

/// `health.*`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthConfig {
    /// Whether the checks run.
    pub gate: Gate,
    /// Milliseconds that an Ollama server may take at a session's start to load its model.
    pub warmup_ms: u64,
    /// Words and phrases that the project has given up: its standing rules must not use them.
    pub deprecated_terms: Vec<String>,
}

impl Default for HealthConfig {
    /// A model of half a gigabyte is loaded from a slow disk in 8 s.
    fn default() -> Self {
        Self { gate: Gate::On, warmup_ms: 8_000, deprecated_terms: Vec::new() }
    }
}

/// `guard.*`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GuardConfig {
    /// What happens to a call of a tool that would go into a dead end.
    pub dead_ends: OnDeadEnd,
}

/// `ingest.*`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IngestConfig {
    /// Patterns of ledgers, as in a `.gitignore` at the project's root: one without a slash fits in every folder.
    pub ledgers: Vec<String>,
}

impl Default for IngestConfig {
    fn default() -> Self {
        Self { ledgers: ["docs/ledger/*.md", "LEDGER.md", "*.ledger.md"].map(String::from).to_vec() }
    }
}

/// `inject.*`
#[derive(Debug, Clone, PartialEq, Default)]
pub struct InjectConfig {
    /// What happens with a block that was decided.
    pub emission: Emission,
    /// Prompts inside sub-agents are looked at as well.
    pub subagents: bool,
    /// The thresholds, of which each is a key of its own; what is no key has the value of this version.
    pub limits: Limits,
}

/// `search.*`
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SearchConfig {
    /// How the two legs become one ranking.
    pub fusion: Fusion,
}

/// `store.*`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreConfig {
    /// Size in MiB from which on no more transcripts and commits are taken in.
    pub quota_mib: u64,
}

impl Default for StoreConfig {
    fn default() -> Self {
        Self { quota_mib: 1024 }
    }
}

impl StoreConfig {
    /// The quota in bytes.
    pub const fn quota_bytes(&self) -> u64 {
        self.quota_mib.saturating_mul(1024 * 1024)
    }
}
