//! Subsystems: what exists, so that it is not built again.

use serde::{Deserialize, Serialize};

use super::{ItemId, Origin, SubsystemId, UnixMs};
use crate::text::Redacted;

/// Whether a subsystem runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SubsystemState {
    /// In use.
    Live,
    /// There, but switched off or not wired.
    Dormant,
    /// Agreed, not yet there.
    Planned,
}

impl SubsystemState {
    /// All states.
    pub const ALL: [Self; 3] = [Self::Live, Self::Dormant, Self::Planned];

    /// The name in the store, in JSON and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Dormant => "dormant",
            Self::Planned => "planned",
        }
    }

    /// The state of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.as_str() == name)
    }
}

/// One entry of the inventory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subsystem {
    /// Stable id.
    pub id: SubsystemId,
    /// What it is called.
    pub name: Redacted,
    /// What it is for, in a sentence or two.
    pub purpose: Redacted,
    /// Where it lives, relative to the project root.
    pub paths: Vec<Redacted>,
    /// Where one calls it: functions, commands, routes.
    pub entry_points: Vec<Redacted>,
    /// Whether it runs.
    pub state: SubsystemState,
    /// Who entered it.
    pub origin: Origin,
    /// The inventory file that it comes from, relative to the project root; `None` for one that was entered directly.
    pub source_path: Option<Redacted>,
    /// When it was entered.
    pub created: UnixMs,
}

impl Subsystem {
    /// The key of damping and receipts.
    pub fn item(&self) -> ItemId {
        ItemId::new(format!("subsystem:{}", self.id))
    }
}
