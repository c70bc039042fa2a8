//! Verdicts, reasons and states in plain words.

use six_core::inject::{
    BlockKind, CandidateReceipt, Emission, Gate, ItemKind, Receipt, Touched, max_deliveries, may_pass_by_meaning,
    most_items, needed_weight, weight,
};
use six_core::record::AnchorState;
use six_core::text::printable;

use crate::output::count;

/// Why a turn was not looked at any further, out of its receipt.
pub(crate) fn silence_words(silenced: &str) -> String {
    let known = match silenced {
        "muted" => "six was muted (six mute)",
        "off" => "inject.emission was off",
        "#skip" => "the prompt says #skip",
        "nothing-known" => "nothing that is recorded shares a rare word with it or is near in meaning",
        "no-intent" => "it asks for nothing to be built, investigated or decided",
        "no-terms" => "none of its words could be evidence",
        "subagent" => "it came from a sub-agent (inject.subagents)",
        other => {
            return match other.strip_prefix("machine:") {
                Some(which) => format!("a program wrote it ({})", printable(which)),
                None => printable(other).into_owned(),
            };
        }
    };
    known.to_owned()
}

/// What was missing or doubtful, out of a receipt.
pub(super) fn doubt_words(doubt: &str) -> String {
    let (what, detail) = doubt.split_once(':').unwrap_or((doubt, ""));
    let detail = printable(detail);
    match what {
        "small-corpus" => {
            let chunks = if detail == "1" { "chunk" } else { "chunks" };
            format!("only {detail} {chunks} in the index: frequencies mean nothing, matches alone decide")
        }
        "df-unknown" => format!("{detail} of the words could not be looked up, and counted as common"),
        "candidates" => format!("what is remembered could not be looked up: {detail}"),
        "anchors" => format!("cited places were not looked at: {detail}"),
        "meaning" => format!("nothing was looked for by meaning: {detail}"),
        "config" => format!("the {detail}'s configuration can't be used, defaults were in force (six config list)"),
        _ => printable(doubt).into_owned(),
    }
}

/// What became of an item, with the figures that it was judged by.
pub(crate) fn fate_words(one: &CandidateReceipt, receipt: &Receipt) -> String {
    let limits = &receipt.limits;
    let block = one.block.map_or("a block", BlockKind::as_str);
    match one.verdict {
        Gate::Passed => match receipt.mode {
            Emission::Shadow => format!("passed: in {block}, which was not shown in shadow"),
            Emission::On | Emission::Off => format!("shown in {block}"),
        },
        Gate::Unconfirmed => String::from("fell: a program entered it, and no person has confirmed it"),
        Gate::OutOfScope => String::from("fell: the correction holds elsewhere"),
        Gate::TooFewMatches => format!(
            "fell: it shares {} with the {}, {} needed{}",
            count(one.tokens.len() as u64, "word"),
            asked(receipt),
            limits.min_matches,
            meaning(one, receipt)
        ),
        Gate::NotRare => {
            let rare = one.tokens.iter().filter(|term| term.idf >= limits.rare_idf).count();
            format!(
                "fell: of the shared words {rare} are rare (idf {:.2} or more), {} needed{}",
                limits.rare_idf,
                limits.min_rare,
                meaning(one, receipt)
            )
        }
        Gate::TooWeak => format!(
            "fell: the shared words weigh {:.2} together, {:.2} needed{}",
            weight(&one.tokens),
            needed_weight(receipt.corpus, limits),
            meaning(one, receipt)
        ),
        Gate::OtherMeaning => format!(
            "fell: enough words match, but its likeness in meaning is {:.2} of the {:.2} that words need beside them",
            one.cosine.unwrap_or_default(),
            limits.cosine_among(limits.word_cosine, receipt.compared)
        ),
        Gate::NoBlock => {
            let intents: Vec<&str> = receipt.intents.iter().map(|(intent, _)| intent.as_str()).collect();
            format!(
                "fell: it matters, but no block shows a {} to the intent {}",
                kind_name(one.kind),
                intents.join(", ")
            )
        }
        Gate::Damped => damped(one, receipt),
        Gate::OverBudget if one.units == 0 => {
            let most = one.block.map_or(limits.max_items, |block| most_items(block, limits));
            format!("left out: {block} has its {} already", count(most as u64, "item"))
        }
        Gate::OverBudget => {
            format!("left out: its {} units had no room in {block} ({} for all blocks)", one.units, limits.budget_units)
        }
    }
}

/// What was looked at.
pub(crate) const fn asked(receipt: &Receipt) -> &'static str {
    if receipt.tool.is_some() { "call" } else { "prompt" }
}

/// What of a call of a tool an item speaks of, beside the words that they share; `None` if nothing.
pub(super) fn touched_words(touched: &Touched) -> Option<String> {
    let path = touched.path.as_ref().map(|path| format!("changes {}", printable(path.as_str())));
    let program = touched.program.as_ref().map(|program| format!("starts {}", printable(program)));
    let both: Vec<String> = path.into_iter().chain(program).collect();
    if both.is_empty() { None } else { Some(both.join(" and ")) }
}

fn damped(one: &CandidateReceipt, receipt: &Receipt) -> String {
    if receipt.tool.is_some() {
        let most = max_deliveries(BlockKind::BeforeYouAct, one.kind, &receipt.limits);
        return format!("fell: told before a tool {} in this session already, {most} at most", times(one.delivered));
    }
    if one.is_stale() {
        let most = max_deliveries(BlockKind::StaleClaim, one.kind, &receipt.limits);
        return format!("fell: told to be stale {} in this session, {most} at most", times(one.delivered_stale));
    }
    let most = max_deliveries(BlockKind::DoNotRebuild, one.kind, &receipt.limits);
    format!("fell: shown {} in this session already, {most} at most", times(one.delivered))
}

pub(super) fn times(n: u32) -> String {
    if n == 1 { String::from("once") } else { format!("{n} times") }
}

fn meaning(one: &CandidateReceipt, receipt: &Receipt) -> String {
    one.cosine.filter(|_| may_pass_by_meaning(one.kind)).map_or_else(String::new, |cosine| {
        let needed = receipt.limits.cosine_among(receipt.limits.min_cosine, receipt.compared);
        format!("; in meaning {cosine:.2}, where {needed:.2} would do")
    })
}

/// What an item is.
pub(super) const fn kind_name(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Subsystem => "subsystem",
        ItemKind::Decision => "decision",
        ItemKind::DeadEnd => "dead end",
        ItemKind::Correction => "correction",
        ItemKind::Cheatsheet => "cheatsheet",
        ItemKind::Thread => "thread",
    }
}

/// What became of a cited place.
pub(super) const fn anchor_word(state: &AnchorState) -> &'static str {
    match state {
        AnchorState::Holds => "holds",
        AnchorState::Shifted { .. } => "holds on other lines",
        AnchorState::Moved { .. } => "moved",
        AnchorState::Changed { .. } => "changed",
        AnchorState::SymbolGone => "its name is gone",
        AnchorState::Gone => "gone",
        AnchorState::OtherBranch { .. } => "on another branch",
        AnchorState::Unverifiable => "could not be looked at",
    }
}

/// A gate in a word, for lists: the name that JSON has.
pub(super) fn gate_name(gate: Gate) -> String {
    serde_json::to_value(gate).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}
