//! What the hooks cost the person who waits for them: whole processes, one after the other, with the file cache warm.

use std::fs::OpenOptions;
use std::io::Write;
use std::time::Duration;

use six_core::event::{ProbeEvent, ProbeTranscript};

use super::figure::{Budget, Figure};
use super::stage::{Session, Stage, Watch, run};
use super::text::{Prose, word};
use crate::failure::{Exit, Failure};

/// Prompts between two runs of the worker: hooks leave their journal to it, and nobody types more without a pause.
const PROMPTS_OF_A_SESSION: usize = 50;

/// Runs of each hook that are watched for memory, apart from those that are timed.
const WATCHED: usize = 20;

/// What a prompt hook may hold, in megabytes.
const PROMPT_MB: f64 = 40.0;

/// Words of the answer that a Stop hook finds new in the transcript: 50 KB with what stands round them.
const WORDS_OF_A_TURN: usize = 6_800;

/// One way of calling a hook.
struct Case<'a> {
    what: &'a str,
    hook: &'a str,
    event: ProbeEvent<'a>,
    p50: Option<f64>,
    p99: Option<f64>,
    peak: Option<f64>,
    /// Whether the transcript grows before each run.
    grows: bool,
}

/// What the hooks took, and which of them are not there.
pub(super) struct Timed {
    pub(super) figures: Vec<Figure>,
    pub(super) absent: Vec<String>,
}

/// Milliseconds that a prompt with retrieval may take, in the middle and at worst.
fn retrieval_budget(chunks: usize) -> (f64, f64) {
    match chunks {
        ..=20_000 => (12.0, 30.0),
        20_001..=200_000 => (40.0, 80.0),
        _ => (100.0, 200.0),
    }
}

/// Times every hook that is there. `known` is the title of a record.
pub(super) fn time_hooks(stage: &Stage, chunks: usize, on: &str, known: &str, runs: usize) -> Result<Timed, Failure> {
    let (p50, p99) = retrieval_budget(chunks);
    let common: Vec<String> = (40..52).map(word).collect();
    let asks = |what: &str| format!("Please add a test for what follows: {what}.");
    let (known, common) = (asks(known), asks(&common.join(" ")));
    let prompt = |what, event, p50, p99| Case {
        what,
        hook: "user-prompt-submit",
        event,
        p50: Some(p50),
        p99: Some(p99),
        peak: Some(PROMPT_MB),
        grows: false,
    };
    let other = |what, hook, event, p50, p99| Case { what, hook, event, p50: Some(p50), p99, peak: None, grows: false };
    let cases = [
        prompt("prompt hook, no intent", ProbeEvent::Prompt("Thanks, that looks right to me."), 4.0, 10.0),
        prompt("prompt hook, retrieval, known", ProbeEvent::Prompt(&known), p50, p99),
        prompt("prompt hook, retrieval, common words", ProbeEvent::Prompt(&common), p50, p99),
        other("session start hook", "session-start", ProbeEvent::SessionStart, 40.0, Some(100.0)),
        other("hook before a tool", "pre-tool-use", ProbeEvent::ToolBegins("cargo test"), 4.0, None),
        other("hook after a tool", "post-tool-use", ProbeEvent::ToolEnded("cargo test"), 4.0, None),
        Case {
            grows: true,
            ..other("stop hook, 50 KB of new transcript", "stop", ProbeEvent::Stop("It is done."), 30.0, None)
        },
    ];
    let mut timed = Timed { figures: Vec::new(), absent: Vec::new() };
    for case in &cases {
        if stage.hook(case.hook).is_none() {
            timed.absent.push(format!("six-{}", case.hook));
            continue;
        }
        timed.figures.extend(time_case(stage, case, on, runs)?);
    }
    timed.absent.dedup();
    Ok(timed)
}

/// Each run is the first of its session, so that nothing is held back because it was said before.
fn time_case(stage: &Stage, case: &Case<'_>, on: &str, runs: usize) -> Result<Vec<Figure>, Failure> {
    let mut times = Vec::with_capacity(runs);
    let mut peak = None;
    for number in 0..runs + WATCHED {
        if number % PROMPTS_OF_A_SESSION == 0 {
            stage.settle()?;
        }
        let session = stage.session(number);
        if case.grows {
            grow(&session, number)?;
        }
        let Some(hook) = stage.hook(case.hook) else { break };
        let payload = session.probe().payload(case.event);
        if number < runs {
            times.push(run(hook, &payload, Watch::Time)?.ms);
        } else {
            peak = peak.max(run(hook, &payload, Watch::Memory(Duration::ZERO))?.peak_bytes);
        }
    }
    let mut figures = Figure::times(case.what, on, times, case.p50, case.p99);
    figures.extend(peak.map(|bytes| {
        let plain = Figure::plain(case.what, on, "peak MB", megabytes(bytes));
        case.peak.map_or(plain.clone(), |most| plain.within(Budget::AtMost(most)))
    }));
    Ok(figures)
}

/// In millions of bytes.
#[expect(clippy::cast_precision_loss, reason = "sizes stay far below 2^52")]
pub(super) fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// Writes a turn of 50 KB into the session's transcript.
fn grow(session: &Session, number: usize) -> Result<(), Failure> {
    let mut prose = Prose::new(number as u64);
    let mut transcript = ProbeTranscript::new(session.probe());
    transcript.prompt("Go on, please.");
    transcript.answer(&prose.text(WORDS_OF_A_TURN));
    let file = OpenOptions::new().create(true).append(true).open(session.transcript());
    file.and_then(|mut file| file.write_all(transcript.lines().as_bytes())).map_err(|fault| {
        Failure::new(
            Exit::Misuse,
            format_args!("{} can't be written: {fault}", session.transcript().display()),
            "see whether the disk is full: df",
        )
    })
}
