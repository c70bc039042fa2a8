//! What the store is asked for a prompt, and what it answers.

use std::collections::BTreeMap;

use super::{ItemKind, Topic};
use crate::curate::Prose;
use crate::record::{Anchor, EntryKind, ItemId, Origin, PromptId, RecordState, ThreadId, UnixMs};
use crate::text::Redacted;

/// Which items could matter for a prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateQuery {
    /// Distinct terms of the prompt, stop words and the vocabulary of intent removed.
    pub terms: Vec<String>,
    /// Kinds that the blocks can show.
    pub kinds: Vec<EntryKind>,
    /// At most this many items, those with the most rare matches first.
    pub limit: usize,
    /// What the prompt calls for: corrections that name one of these tools are wanted whatever words they share, some
    /// beyond the limit.
    pub topics: Vec<&'static Topic>,
    /// At most this many threads; 0 asks for none.
    pub threads: usize,
    /// Inverse document frequency from which a term is rare ([`super::Limits::rare_idf`]). Only rare terms bring an item
    /// in: without one it can't pass the gate, and a common term costs as much as it has chunks.
    pub rare_idf: f64,
    /// In an index of fewer chunks every term brings items in, since there the gate asks for no rare one
    /// ([`super::Limits::small_corpus`]).
    pub small_corpus: u64,
    /// The prompt itself: the same one may have been sent before, and taken back before the model had it.
    pub sent: SentPrompt,
    /// What to look for by meaning as well; `None` where no intent lets anything pass by it.
    pub meaning: Option<MeaningQuery>,
}

/// What is looked for by meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeaningQuery {
    /// The person's own words; [`super::meaning_text`] chooses what of them becomes a vector.
    pub text: Redacted,
    /// Whether they are English, as far as that can be told.
    pub english: bool,
    /// Kinds that may come in by meaning alone. What words bring in gets its cosine whatever it is.
    pub kinds: Vec<EntryKind>,
    /// At most this many items, the nearest first.
    pub limit: usize,
}

/// A prompt as far as it is told from others; by default none that was sent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SentPrompt {
    /// SHA-256 (hex) of its redacted text.
    pub hash: String,
    /// The host's id: another one for each time it is sent.
    pub id: Option<PromptId>,
    /// When it was sent.
    pub at: UnixMs,
}

/// What the store answers. All frequencies come from the index's own table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Candidates {
    /// Distinct chunks in the index.
    pub corpus: u64,
    /// In how many distinct chunks each asked term occurs. A term that is absent here could not be looked up.
    pub df: BTreeMap<String, u64>,
    /// Items, best first.
    pub items: Vec<Candidate>,
    /// Threads that share terms with the prompt, best first.
    pub threads: Vec<ThreadStory>,
    /// Damping keys of what was shown when this very prompt was sent just before, under another id: it was taken back (Esc)
    /// before that reached the model. The counts in `items` and `threads` are without it.
    pub taken_back: Vec<ItemId>,
    /// How many items the prompt was compared with by meaning: the best of many is near to anything.
    pub compared: u64,
    /// Why nothing was looked for by meaning although it was asked, as a short stable word.
    pub no_meaning: Option<&'static str>,
}

/// One item that could be shown: a confirmed record or a subsystem.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Key of damping and receipts.
    pub item: ItemId,
    /// What it is.
    pub kind: EntryKind,
    /// Who said it.
    pub origin: Origin,
    /// The model that worded it, or `agent` where one changed what was said; empty where nobody did.
    pub written_by: String,
    /// The inventory file that names it, for a subsystem that nobody entered directly.
    pub named_in: Option<String>,
    /// Title, name or rule.
    pub title: String,
    /// The rest of its text: rationale, why it failed, purpose.
    pub body: String,
    /// What it cites; the paths of a subsystem are anchors without a hash.
    pub anchors: Vec<Anchor>,
    /// State of a subsystem (`live`, `dormant`, `planned`); empty for records.
    pub state: String,
    /// Options that a decision rejected.
    pub rejected: Vec<String>,
    /// Under which condition a dead end is worth another try.
    pub revive_if: String,
    /// Where a correction holds: empty = everywhere, else a path pattern or a topic.
    pub scope: String,
    /// Name of its thread.
    pub thread: Option<String>,
    /// When it was last validated.
    pub validated: UnixMs,
    /// Cosine of its text and the prompt, if both have vectors.
    pub cosine: Option<f64>,
    /// How often this session was shown it as what it is.
    pub delivered: u32,
    /// How often this session was told that it is stale.
    pub delivered_stale: u32,
}

/// A thread with all that was ever in force in it: what its lineage is told from.
#[derive(Debug, Clone, PartialEq)]
pub struct ThreadStory {
    /// Its id.
    pub id: ThreadId,
    /// Its name.
    pub name: String,
    /// One sentence; may be empty.
    pub summary: String,
    /// Whether the matter is still open.
    pub open: bool,
    /// Its newest records, oldest first: those in force, those that others replaced, those given up.
    pub records: Vec<StoryRecord>,
    /// How many more there are, all older.
    pub older: u32,
    /// How often this session was shown it.
    pub delivered: u32,
    /// The same story as a model told it, if nothing that it was told from has changed since.
    pub prose: Option<Prose>,
}

impl ThreadStory {
    /// The key of damping and receipts.
    pub fn item(&self) -> ItemId {
        ItemId::new(format!("thread:{}", self.id))
    }
}

/// One step of a thread.
#[derive(Debug, Clone, PartialEq)]
pub struct StoryRecord {
    /// Key of damping and receipts.
    pub item: ItemId,
    /// A decision or a dead end.
    pub kind: ItemKind,
    /// In force, superseded or retired.
    pub state: RecordState,
    /// Who said it.
    pub origin: Origin,
    /// The choice or the approach.
    pub title: String,
    /// Why.
    pub body: String,
    /// Options that a decision rejected.
    pub rejected: Vec<String>,
    /// Under which condition a dead end is worth another try.
    pub revive_if: String,
    /// The title of the record that replaced it.
    pub superseded_by: Option<String>,
    /// When it was made.
    pub at: UnixMs,
}
