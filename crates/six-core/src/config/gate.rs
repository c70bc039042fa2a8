//! `health.gate`: whether the checks run.

use serde::{Deserialize, Serialize};

/// Whether the checks run: the switch of an ablation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Gate {
    /// At every session's start, and when somebody asks.
    #[default]
    On,
    /// None runs, and the line says so.
    Off,
}

impl Gate {
    /// What the key takes.
    pub const WORDS: &'static [&'static str] = &["on", "off"];
}
