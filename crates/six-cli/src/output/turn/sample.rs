//! Made-up turns for the tests of what is told of them.

use six_core::inject::{
    BlockKind, BlockReceipt, CandidateReceipt, Emission, Gate, Intent, ItemKind, Limits, Receipt, TermReceipt, Touched,
};
use six_core::record::{AnchorState, EventId, ItemId, Judgement, OutcomeKind, SessionId, UnixMs, Worth};
use six_core::text::{Redacted, Redactor};
use six_store::Turn;

use super::Titles;

fn redacted(text: &str) -> Redacted {
    Redactor::new().redact(text)
}

fn receipt(head: &str) -> Receipt {
    Receipt {
        tool: None,
        compared: 0,
        session: SessionId::new("5e550000-0000-4000-8000-000000000001"),
        prompt_id: None,
        at: UnixMs(1_767_225_600_000),
        prompt_hash: "0f".into(),
        head: redacted(head),
        mode: Emission::On,
        human: true,
        silenced: None,
        intents: Vec::new(),
        terms: Vec::new(),
        corpus: 0,
        candidates: Vec::new(),
        blocks: Vec::new(),
        degraded: Vec::new(),
        limits: Limits { rules: 2, ..Limits::default() },
        stages_us: Vec::new(),
        took_us: 2_310,
    }
}

fn turn(number: i64, receipt: Receipt, bytes: u32) -> Turn {
    let event = EventId::new(format!("ev{number}"));
    Turn { number, event, receipt, ended: Some((OutcomeKind::Ok, bytes)), judgements: Vec::new() }
}

/// One item with its words.
fn item(kind: ItemKind, id: &str, words: &[(&str, u64, f64)], verdict: Gate) -> CandidateReceipt {
    let tokens: Vec<_> =
        words.iter().map(|(t, df, idf)| TermReceipt { t: (*t).into(), df: *df, idf: *idf, names: true }).collect();
    CandidateReceipt {
        item: ItemId::new(id),
        kind,
        sum: tokens.iter().map(|term| term.idf).sum(),
        tokens,
        topic: None,
        touched: None,
        cosine: None,
        confirmed: true,
        in_scope: true,
        anchors: Vec::new(),
        delivered: 0,
        delivered_stale: 0,
        block: None,
        units: 0,
        verdict,
    }
}

/// A person's prompt on which something was said, beside one item for each gate.
pub(crate) fn fired() -> Turn {
    let rare = [("parquet", 2, 5.99), ("manifest", 3, 5.7)];
    let common = [("ship", 200, 1.79), ("writer", 90, 2.58)];
    let block = Some(BlockKind::DoNotRebuild);
    let candidates = vec![
        CandidateReceipt {
            block,
            units: 230,
            anchors: vec![AnchorState::Holds],
            delivered: 1,
            ..item(ItemKind::Decision, "decision:manifests", &rare, Gate::Passed)
        },
        CandidateReceipt { delivered: 3, ..item(ItemKind::Subsystem, "subsystem:writer", &rare, Gate::Damped) },
        CandidateReceipt { block, units: 1_500, ..item(ItemKind::DeadEnd, "dead_end:csv", &rare, Gate::OverBudget) },
        CandidateReceipt { block, ..item(ItemKind::DeadEnd, "dead_end:orc", &rare, Gate::OverBudget) },
        CandidateReceipt { cosine: Some(0.41), ..item(ItemKind::Decision, "decision:quay", &common, Gate::NotRare) },
        item(ItemKind::Correction, "correction:tabs", &[("parquet", 2, 5.99), ("file", 400, 0.2)], Gate::TooWeak),
        item(ItemKind::Decision, "decision:lamp", &rare[..1], Gate::TooFewMatches),
        CandidateReceipt { in_scope: false, ..item(ItemKind::Correction, "correction:ui", &rare, Gate::OutOfScope) },
        CandidateReceipt { confirmed: false, ..item(ItemKind::Subsystem, "subsystem:x", &rare, Gate::Unconfirmed) },
    ];
    let blocks = vec![BlockReceipt {
        kind: BlockKind::DoNotRebuild,
        items: vec![ItemId::new("decision:manifests")],
        bytes: 412,
        tokens: 103,
        left_out: 2,
    }];
    let receipt = Receipt {
        intents: vec![(Intent::Build, vec!["build".into()])],
        terms: ["parquet", "manifest", "writer", "ship"].map(str::to_owned).to_vec(),
        corpus: 1_204,
        candidates,
        blocks,
        degraded: vec!["anchors:out-of-time".into(), "config:project".into()],
        stages_us: [("intent", 1_200), ("candidates", 7_500), ("anchors", 7_900)]
            .map(|(name, us)| (name.into(), us))
            .to_vec(),
        took_us: 9_140,
        ..receipt("Build a Parquet writer\nfor the \u{1b}[2Jship manifests.")
    };
    let judged = |rater, verdict, note| Judgement {
        rater: redacted(rater),
        verdict,
        note: redacted(note),
        at: UnixMs(1_767_225_600_000),
    };
    let judgements = vec![judged("ada", Worth::Justified, ""), judged("bo", Worth::Noise, "known already")];
    Turn { judgements, ..turn(12, receipt, 655) }
}

/// A person's prompt that asks for nothing.
pub(crate) fn silent() -> Turn {
    turn(13, Receipt { silenced: Some("no-intent".into()), ..receipt("Thanks!") }, 0)
}

/// A prompt that a program wrote.
pub(crate) fn machine() -> Turn {
    let silenced = Some("machine:task-notification".into());
    turn(14, Receipt { human: false, silenced, ..receipt("<task-notification> done") }, 0)
}

/// A call of a tool that was warned of, beside what was told before one already.
pub(crate) fn tool() -> Turn {
    let rare = [("redis", 2, 5.99), ("lease", 3, 5.7)];
    let touched = |program: Option<&str>| Some(Touched { path: None, program: program.map(str::to_owned) });
    let candidates = vec![
        CandidateReceipt {
            block: Some(BlockKind::BeforeYouAct),
            units: 210,
            anchors: vec![AnchorState::Gone],
            touched: touched(Some("redis-cli")),
            ..item(ItemKind::DeadEnd, "dead_end:lock", &rare, Gate::Passed)
        },
        CandidateReceipt {
            delivered: 1,
            anchors: vec![AnchorState::Gone],
            touched: touched(Some("redis-cli")),
            ..item(ItemKind::DeadEnd, "dead_end:cli", &[], Gate::Damped)
        },
        CandidateReceipt {
            touched: touched(None),
            ..item(ItemKind::Correction, "correction:keys", &rare[..1], Gate::TooFewMatches)
        },
    ];
    let blocks = vec![BlockReceipt {
        kind: BlockKind::BeforeYouAct,
        items: vec![ItemId::new("dead_end:lock")],
        bytes: 380,
        tokens: 95,
        left_out: 0,
    }];
    let receipt = Receipt {
        tool: Some("Bash".into()),
        human: false,
        terms: rare.map(|(term, ..)| term.to_owned()).to_vec(),
        corpus: 1_204,
        candidates,
        blocks,
        ..receipt("redis-cli set lease 1")
    };
    turn(15, receipt, 420)
}

/// What the items of [`fired`] are called; some are gone.
pub(crate) fn titles() -> Titles {
    [
        ("decision:manifests", "Ship manifests are kept in Parquet files"),
        ("subsystem:writer", "Manifest writer"),
        ("dead_end:csv", "Manifests as CSV\n  said      all is well"),
    ]
    .map(|(item, title)| (ItemId::new(item), title.to_owned()))
    .into()
}
