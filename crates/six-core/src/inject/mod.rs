//! When to interrupt: a cascade of refusals, cheapest first, whose every verdict is stored.

mod anchors;
mod block;
mod budget;
mod candidate;
mod clause;
mod consider;
mod damping;
mod decide;
mod extent;
mod intent;
mod label;
mod lexicon;
mod limits;
mod meaning;
mod mention;
mod prose;
mod quote;
mod receipt;
mod relevance;
mod scope;
mod shell;
mod topic;
mod touch;
mod touched;
mod turn;

pub use anchors::{AnchorQuery, AnchorStates, CitedText, Sight, judge_lost, judge_place};
pub(crate) use block::quoted;
pub use block::{Block, BlockKind, Section, Shown, render_block, render_item};
pub use budget::{CEILING_UNITS, estimate_tokens};
pub use candidate::{Candidate, CandidateQuery, Candidates, MeaningQuery, SentPrompt, StoryRecord, ThreadStory};
pub(crate) use clause::OPAQUE;
pub use consider::{Considered, consider};
pub use damping::{is_damped, max_deliveries};
pub use decide::{
    BlockPlan, Difference, Setting, admit, decide, may_pass_by_meaning, most_items, needed_weight, replay, weight,
};
pub use intent::{Intent, Intents, judge_intents, judge_intents_with};
pub use label::{Today, age, anchor_label, place};
#[cfg(test)]
pub(crate) use lexicon::Endings;
pub(crate) use lexicon::Spelling;
pub use lexicon::{ExtraWords, is_english};
pub use limits::{Emission, Limits};
pub use meaning::meaning_text;
pub(crate) use prose::mask_quoted;
pub use quote::quote;
pub use receipt::{BlockReceipt, CandidateReceipt, Gate, ItemKind, Receipt, TermReceipt, shown_correction, stale_key};
pub use relevance::{idf, prompt_terms, without_marks};
pub use scope::{is_of_paths, scope_holds, scope_meets_folder};
pub use topic::{Topic, topics_of};
pub use touch::{Touch, touch};
pub use touched::{Touched, TouchedQuery, consider_touched, tool_key};
pub use turn::{Turn, judge_turn, judge_words, machine_source};
