//! What the host's memory folder holds.

use super::ActiveDays;
use crate::ingest::FrontMatterFault;
use crate::record::UnixMs;

/// What the host's memory folder holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemoryFilesEvidence {
    /// The host's settings switch its memory off.
    Off,
    /// There is no folder, or no Markdown file in it.
    Empty,
    /// It holds something.
    Seen(Box<MemoryFolder>),
}

/// A memory folder that is not empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemoryFolder {
    /// `MEMORY.md`, as a person would type its path; fixes name it.
    pub index_path: String,
    /// What it says; `None` where there is none.
    pub index: Option<IndexSeen>,
    /// Topic files that were looked into.
    pub topics: u64,
    /// Topic files that neither `MEMORY.md` nor another topic file names, and that were not written a moment ago.
    pub orphans: Vec<String>,
    /// Files whose front matter can't be read.
    pub unreadable_fronts: Vec<(String, FrontMatterFault)>,
    /// Files with a conflict that a merge left, and its line.
    pub conflicts: Vec<(String, u32)>,
    /// Files that were not looked into: too many, too large, or not to be read.
    pub unseen: u64,
}

/// `MEMORY.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IndexSeen {
    /// Its size alone, since it is far too long to be read.
    TooLarge {
        /// On the disk.
        bytes: u64,
    },
    /// What it says.
    Read(IndexRead),
}

/// What `MEMORY.md` says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IndexRead {
    /// Lines that the host loads.
    pub lines: u64,
    /// UTF-16 units that the host loads.
    pub units: u64,
    /// The title of its longest section, and the units of that.
    pub longest: Option<(String, u64)>,
    /// Links whose file does not exist: their lines, and where they lead.
    pub broken: Vec<(u32, String)>,
    /// Files that are linked more than once outside the anchor.
    pub linked_twice: Vec<String>,
    /// Where work is to be taken up.
    pub anchor: Option<AnchorSeen>,
    /// It was seeded and is still built like that: an anchor belongs to it.
    pub is_adopted: bool,
}

/// The section of `MEMORY.md` that says where work is to be taken up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnchorSeen {
    /// The line of its heading.
    pub line: u32,
    /// The file that was last to be brought up to date with it: the first that it names, else `MEMORY.md`.
    pub file: String,
    /// When that file changed.
    pub changed: UnixMs,
    /// Days with any heartbeat since then; `None` where there is no store to tell.
    pub active_days: Option<ActiveDays>,
    /// It says that nothing is in progress.
    pub is_at_rest: bool,
}

impl MemoryFilesEvidence {
    /// Where work is to be taken up, where `MEMORY.md` says it.
    pub(in crate::health) fn anchor(&self) -> Option<&AnchorSeen> {
        let Self::Seen(folder) = self else { return None };
        match folder.index.as_ref()? {
            IndexSeen::Read(index) => index.anchor.as_ref(),
            IndexSeen::TooLarge { .. } => None,
        }
    }
}

#[cfg(test)]
impl MemoryFilesEvidence {
    /// All is well.
    pub(crate) fn sound() -> Self {
        Self::Seen(Box::new(MemoryFolder {
            index_path: "/home/sam/.claude/projects/-home-sam-app/memory/MEMORY.md".into(),
            index: Some(IndexSeen::Read(IndexRead {
                lines: 20,
                units: 900,
                longest: Some(("INVARIANTS".into(), 300)),
                anchor: Some(AnchorSeen {
                    line: 5,
                    file: "checkpoint.md".into(),
                    changed: UnixMs(0),
                    active_days: Some(ActiveDays::until_today(1)),
                    is_at_rest: false,
                }),
                is_adopted: true,
                ..IndexRead::default()
            })),
            topics: 3,
            ..MemoryFolder::default()
        }))
    }
}
