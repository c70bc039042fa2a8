//! The same for programs.

use serde_json::{Map, Value, json};
use six_core::inject::{CandidateReceipt, Difference, Limits, Receipt};
use six_core::record::UnixMs;
use six_store::Turn;

use super::Titles;
use super::words::fate_words;

/// The receipt with all that `six why` tells.
pub(crate) fn turn_json(turn: &Turn, titles: &Titles) -> Value {
    let receipt = &turn.receipt;
    let intents: Vec<&str> = receipt.intents.iter().map(|(intent, _)| intent.as_str()).collect();
    let words: Map<String, Value> =
        receipt.intents.iter().map(|(intent, words)| (intent.as_str().to_owned(), json!(words))).collect();
    let stages: Map<String, Value> = receipt.stages_us.iter().map(|(name, us)| (name.clone(), json!(us))).collect();
    json!({
        "turn": turn.number,
        "event": turn.event,
        "session": receipt.session,
        "prompt_id": receipt.prompt_id,
        "at": receipt.at.rfc3339(),
        "mode": receipt.mode,
        "human": receipt.human,
        "silenced": receipt.silenced,
        "fired": turn.fired(),
        "outcome": turn.ended.map(|(outcome, _)| outcome.as_str()),
        "emitted_bytes": turn.ended.map(|(_, bytes)| bytes),
        "prompt_hash": receipt.prompt_hash,
        "head": receipt.head,
        "intents": intents,
        "intent_words": words,
        "terms": receipt.terms,
        "corpus": receipt.corpus,
        "candidates": receipt.candidates.iter().map(|one| candidate(one, receipt, titles)).collect::<Vec<_>>(),
        "blocks": receipt.blocks,
        "degraded": receipt.degraded,
        "limits": receipt.limits,
        "stages_us": stages,
        "took_us": receipt.took_us,
        "judgements": turn.judgements.iter().map(|judged| json!({
            "rater": judged.rater,
            "verdict": judged.verdict,
            "note": judged.note,
            "at": UnixMs::rfc3339(judged.at),
        })).collect::<Vec<_>>(),
    })
}

fn candidate(one: &CandidateReceipt, receipt: &Receipt, titles: &Titles) -> Value {
    json!({
        "id": one.item,
        "kind": one.kind,
        "title": titles.get(&one.item),
        "tokens": one.tokens,
        "sum": one.sum,
        "cosine": one.cosine,
        "confirmed": one.confirmed,
        "in_scope": one.in_scope,
        "anchors": one.anchors,
        "delivered": one.delivered,
        "delivered_stale": one.delivered_stale,
        "block": one.block,
        "units": one.units,
        "verdict": one.verdict,
        "why": fate_words(one, receipt),
    })
}

/// What deciding it again gives.
pub(crate) fn replay_json(turn: &Turn, differences: &[Difference]) -> Value {
    let outcome = |(block, gate)| json!({"block": block, "verdict": gate});
    let one = |difference: &Difference| {
        json!({
            "id": turn.receipt.candidates.get(difference.at).map(|one| &one.item),
            "then": outcome(difference.then),
            "now": outcome(difference.now),
        })
    };
    json!({
        "turn": turn.number,
        "event": turn.event,
        "agrees": differences.is_empty(),
        "rules": {"then": turn.receipt.limits.rules, "now": Limits::default().rules},
        "differences": differences.iter().map(one).collect::<Vec<_>>(),
    })
}
