//! What English sentences state: kinds of wording, all made up.

use std::collections::BTreeMap;

use super::{DropReason, Message, Proposed, Speaker, propose};
use crate::record::RecordKind::{self, Correction, DeadEnd, Decision};
use crate::text::Redactor;

fn said(speaker: Speaker, text: &str) -> Proposed {
    let text = Redactor::new().redact(text);
    propose(&[Message { turn: String::from("t-1"), speaker, text, at: None }])
}

fn kinds(speaker: Speaker, text: &str) -> Vec<RecordKind> {
    said(speaker, text).proposals.into_iter().map(|proposal| proposal.kind).collect()
}

fn misses(speaker: Speaker, kind: RecordKind, expected: bool, texts: &[&str]) -> Vec<String> {
    let states = |text: &&&str| kinds(speaker, text).contains(&kind) != expected;
    texts.iter().filter(states).map(|text| (*text).to_owned()).collect()
}

#[test]
fn decisions_of_an_operator_are_found() {
    let texts = [
        "We decided to keep the write-ahead log for the ledger.",
        "let's go with sqlite for the queue",
        "going with option 2, a single table per tenant",
        "ok, we'll use the outbox pattern for mails",
        "Decision: the importer stays synchronous for now.",
        "I've settled on zod for validating the forms",
        "we're dropping support for node 16",
        "the retry limit is locked in at five attempts",
        "approved: the scheduler moves to its own crate",
        "instead of redis we use a postgres queue",
        "let's keep the parser hand-written, it's small enough",
        "for now the cache lives in memory only",
        "no, we won't support Windows XP in the installer",
        "we are not going to add telemetry to the agent",
        "I'd rather have one worker per shard",
        "timestamps should always be stored in UTC",
        "option B, but with the lock held only while writing",
        "the gateway owns retries, services must not retry themselves",
        "let's default the log level to warn",
        "we agreed that the API stays read-only until the audit",
        "we'll ship the beta without offline sync",
    ];
    assert_eq!(misses(Speaker::Operator, Decision, true, &texts), [""; 0]);
}

#[test]
fn decisions_of_an_agent_are_found() {
    let texts = [
        "We decided to store amounts as integers of cents.",
        "I went with a bounded channel instead of an unbounded one because the reader is slow.",
        "I chose serde over a hand-written parser.",
        "We'll use an exclusive lock rather than a lease.",
        "Decision: exports run in the worker, not in the request.",
        "The team agreed on trunk-based development.",
        "We settled on a token bucket for the limiter.",
        "I've opted for a separate table because the rows are wide.",
        "Going with the streaming reader for large archives.",
    ];
    assert_eq!(misses(Speaker::Agent, Decision, true, &texts), [""; 0]);
}

#[test]
fn dead_ends_are_found() {
    let texts = [
        "We tried memory-mapping the index, but it deadlocks on network drives.",
        "I tried a global mutex. It stalled every worker under load.",
        "Polling the webhook endpoint was ruled out because of the rate limit.",
        "The regex approach does not work because brackets nest.",
        "We abandoned the rewrite in Zig, the toolchain broke every week.",
        "Reverted the lazy loading: it broke the import order.",
        "We backed out the shared cache because it leaked sessions.",
        "Using the vendor's SDK is a dead end, it never frees its handles.",
        "Caching by URL can't work since the tokens are in the query.",
        "The gRPC bridge turned out to be too slow for the scanner.",
        "Switching the allocator made no difference to the peak.",
        "Debouncing in the client didn't help, the events arrive twice.",
        "Sharding by tenant is not viable until the billing split lands.",
        "The polyfill was superseded by the native API.",
        "We gave up on incremental builds, the graph is never right.",
    ];
    for speaker in [Speaker::Operator, Speaker::Agent] {
        assert_eq!(misses(speaker, DeadEnd, true, &texts), [""; 0]);
    }
}

#[test]
fn corrections_of_an_operator_are_found() {
    let texts = [
        "no, use pnpm not npm",
        "No, that's the wrong file, the config is in deploy/",
        "don't add comments to every line",
        "stop adding comments to the code",
        "never commit directly to main",
        "always run the linter before you commit",
        "that's not what I asked for, revert the rename",
        "I meant the staging cluster, not production",
        "you forgot to update the changelog",
        "wrong, the limit is per user",
        "use the logger instead of println in the server",
        "actually it should be a warning and not an error",
        "why did you delete the fixtures? put them back",
        "from now on write tests before the fix",
        "you're editing the generated client, change the schema instead",
        "please don't touch the migrations in db/",
        "this should not be public, make it private to the crate",
        "we don't use default exports here",
        "I said two spaces, not four",
        "nope, the id comes from the header, not the body",
    ];
    assert_eq!(misses(Speaker::Operator, Correction, true, &texts), [""; 0]);
    assert_eq!(misses(Speaker::Agent, Correction, false, &texts), [""; 0], "only an operator corrects");
}

#[test]
fn orders_questions_and_talk_of_an_operator_state_nothing() {
    let texts = [
        "add a retry to the upload",
        "can you explain how the scheduler picks a worker?",
        "should we use sqlite or postgres for the queue?",
        "run the tests and push the branch",
        "commit and open a pr please",
        "let's run the benchmarks again",
        "let's look at the failing job",
        "thanks, looks great",
        "the build is green",
        "what did we decide about the cache?",
        "fix the flaky test in the importer",
        "no worries, take your time",
        "no problem, continue",
        "please write a readme for the crate",
        "why is the import so slow?",
        "maybe we could use a queue some day",
        "if we went with postgres, what would change?",
    ];
    for kind in [Decision, DeadEnd, Correction] {
        assert_eq!(misses(Speaker::Operator, kind, false, &texts), [""; 0], "{kind:?}");
    }
}

#[test]
fn narration_and_reports_of_an_agent_state_nothing() {
    let texts = [
        "Let me check the tests first.",
        "I'll read the config and run the build.",
        "All tests pass and the branch is pushed.",
        "Now I need to update the callers.",
        "Done. The changelog has been updated.",
        "The test fails because the fixture is missing.",
        "I found three usages of the old helper.",
        "Would you like me to go with option A or option B?",
        "We could use a bounded channel instead.",
        "The docs say that they decided to drop the flag.",
        "Looking at the logs, the worker restarts every hour.",
        "Here's a summary of the changes:",
        "I haven't decided on a format yet.",
    ];
    for kind in [Decision, DeadEnd, Correction] {
        assert_eq!(misses(Speaker::Agent, kind, false, &texts), [""; 0], "{kind:?}");
    }
}

/// The reasons for which something was dropped.
fn dropped(speaker: Speaker, text: &str) -> Vec<DropReason> {
    let proposed = said(speaker, text);
    assert!(proposed.proposals.is_empty(), "{text}: {:?}", proposed.proposals);
    let counts: BTreeMap<DropReason, u64> = proposed.dropped;
    counts.into_keys().collect()
}

#[test]
fn what_is_not_asserted_is_dropped_with_the_reason() {
    for (speaker, text, reason) in [
        (Speaker::Operator, "Have we decided to keep the ledger in sqlite?", DropReason::Question),
        (
            Speaker::Operator,
            "maybe we settled on the token bucket, or it might be the leaky one",
            DropReason::Hypothetical,
        ),
        (Speaker::Agent, "Eventually we'll use the shared scheduler for exports.", DropReason::Future),
        (Speaker::Agent, "The maintainer said that we decided on a single writer.", DropReason::Quotation),
        (Speaker::Agent, "We haven't decided on the storage format.", DropReason::Negated),
        (Speaker::Agent, "# We decided on the storage format", DropReason::NoProse),
        (Speaker::Agent, "Done, going with the bounded channel now works and all tests pass.", DropReason::StatusEcho),
        (Speaker::Agent, "Let me settle on a format first.", DropReason::Narration),
        (Speaker::Operator, "we decided to add this to the memory file", DropReason::AboutMemory),
    ] {
        assert_eq!(dropped(speaker, text), [reason], "{text}");
    }
}

#[test]
fn code_quotations_tables_and_own_blocks_are_no_evidence() {
    for text in [
        "```\n// we decided to use sqlite for the queue\n```",
        "> we decided to use sqlite for the queue",
        "| we decided to use sqlite | for the queue |",
        "<six-memory>\nwe decided to use sqlite for the queue\n</six-memory>",
        "the note says \"we decided to use sqlite for the queue\"",
        "see `we decided to use sqlite for the queue`",
        "$ echo we decided to use sqlite for the queue",
    ] {
        for speaker in [Speaker::Operator, Speaker::Agent] {
            assert_eq!(said(speaker, text), Proposed::default(), "{text}");
        }
    }
}
