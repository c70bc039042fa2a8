//! Who said it.

use serde::{Deserialize, Serialize};

/// Who said something. Trust never rises by itself: an origin is set once, when the text is first seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The person who works with the agent.
    Operator,
    /// The agent or one of its sub-agents.
    Agent,
    /// Output of a tool, a file, the web.
    Tool,
    /// Brought in from elsewhere.
    Import,
}

impl Origin {
    /// All origins.
    pub const ALL: [Self; 4] = [Self::Operator, Self::Agent, Self::Tool, Self::Import];

    /// The name in the store and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Agent => "agent",
            Self::Tool => "tool",
            Self::Import => "import",
        }
    }

    /// The origin of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|o| o.as_str() == name)
    }
}
