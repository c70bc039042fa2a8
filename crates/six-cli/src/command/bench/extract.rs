//! `six bench extract`

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;
use serde_json::{Value, json};
use six_core::curate::{DropReason, Frequencies, Message, Speaker, admit, propose};
use six_core::record::{RecordKind, UnixMs};
use six_core::text::{Redactor, for_each_token};

use self::label::{Labelled, parse_labels};
use self::tally::{Agreement, Judged, Means, measure, measure_by};
use super::machine::machine;
use crate::cli::ExtractArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::{object, quoted};

mod label;
mod tally;
mod text;

/// What helps where there is nothing to measure with.
const NEXT: &str = "six bench extract --labels FILE --turns FILE: one JSON object a line with text and the kinds that it states \
                    (docs/benchmarks.md), or SIX_SHARED with data/labels";

/// All that was measured.
#[derive(Debug, Serialize)]
struct Measured {
    /// Where the labels come from.
    labels: Vec<String>,
    /// Over all turns.
    #[serde(flatten)]
    all: Agreement,
    /// Without the turns whose label is in doubt.
    sure: Agreement,
    /// Means over the sources.
    #[serde(rename = "macro")]
    over_sources: Means,
    by_speaker: BTreeMap<String, Agreement>,
    by_source: BTreeMap<String, Agreement>,
    by_lang: BTreeMap<String, Agreement>,
    /// Sentences that had a cue and made no candidate.
    dropped: BTreeMap<DropReason, u64>,
    /// Turns that were read wrong.
    wrong: Vec<Judged>,
}

/// Runs it. A figure that misses what was promised is told and is no failure.
pub(crate) fn run(context: &Context, args: &ExtractArgs) -> Result<ExitCode, Failure> {
    let mut turns = Vec::new();
    let files = label_files(context, args);
    for (path, speaker) in &files {
        turns.extend(gather_labels(path, *speaker)?);
    }
    let (judged, dropped) = judge_turns(&turns);
    let by_source = measure_by(&judged, |one| &one.source);
    let sure: Vec<Judged> = judged.iter().filter(|one| !one.unsure).cloned().collect();
    let measured = Measured {
        labels: files.iter().map(|(path, _)| path.display().to_string()).collect(),
        all: measure(&judged),
        sure: measure(&sure),
        over_sources: Means::of(&by_source),
        by_speaker: measure_by(&judged, |one| speaker_name(one.speaker)),
        by_source,
        by_lang: measure_by(&judged, |one| &one.lang),
        dropped,
        wrong: judged.into_iter().filter(|one| !one.agrees()).collect(),
    };
    context.print(&if context.json {
        object("bench-extract", body(&measured))
    } else {
        text::render(&measured, args.show)
    });
    Ok(ExitCode::SUCCESS)
}

fn body(measured: &Measured) -> Value {
    let mut body = json!(measured);
    if let Value::Object(fields) = &mut body {
        fields.insert(String::from("machine"), json!(machine()));
    }
    body
}

/// The files that were named; without any, those of the shared labels.
fn label_files(context: &Context, args: &ExtractArgs) -> Vec<(PathBuf, Speaker)> {
    let named = [(&args.labels, Speaker::Operator), (&args.turns, Speaker::Agent)];
    let files: Vec<_> =
        named.into_iter().filter_map(|(file, speaker)| Some((context.dir(Some(file.as_ref()?)), speaker))).collect();
    if !files.is_empty() {
        return files;
    }
    let shared = context.env.six_shared.clone().unwrap_or_else(|| PathBuf::from("../shared"));
    let file = |name: &str| context.dir(Some(&shared.join("data/labels").join(name)));
    vec![(file("prompts.jsonl"), Speaker::Operator), (file("assistant_turns.jsonl"), Speaker::Agent)]
}

fn gather_labels(path: &Path, speaker: Speaker) -> Result<Vec<Labelled>, Failure> {
    let refused = |why: String| Failure::misuse(format_args!("{}: {why}", quoted(path)), NEXT);
    let text = fs::read_to_string(path).map_err(|fault| refused(format!("can't be read: {fault}")))?;
    let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    parse_labels(&name, &text, speaker).map_err(refused)
}

const fn speaker_name(speaker: Speaker) -> &'static str {
    match speaker {
        Speaker::Operator => "operator",
        Speaker::Agent => "agent",
    }
}

/// Reads each turn by itself, as a session of one message. The texts of all turns are the corpus in which a word is rare.
fn judge_turns(turns: &[Labelled]) -> (Vec<Judged>, BTreeMap<DropReason, u64>) {
    let redactor = Redactor::new();
    let messages: Vec<Message> = turns
        .iter()
        .map(|turn| Message {
            turn: turn.id.clone(),
            speaker: turn.speaker,
            text: redactor.redact(&turn.text),
            at: None,
        })
        .collect();
    let frequencies = count_terms(&messages);
    let mut dropped: BTreeMap<DropReason, u64> = BTreeMap::new();
    let mut judged = Vec::with_capacity(turns.len());
    for (turn, message) in turns.iter().zip(&messages) {
        let proposed = propose(std::slice::from_ref(message));
        let extracted = admit(proposed, &frequencies, &[], None, UnixMs(0));
        for (reason, count) in extracted.dropped {
            *dropped.entry(reason).or_default() += count;
        }
        let proposed: BTreeSet<RecordKind> = extracted.candidates.iter().map(|record| record.kind).collect();
        let titles = extracted.candidates.iter().map(|record| (record.kind, record.title.to_string())).collect();
        judged.push(Judged::of(turn, proposed, titles));
    }
    (judged, dropped)
}

fn count_terms(messages: &[Message]) -> Frequencies {
    let mut frequencies = Frequencies { corpus: messages.len() as u64, df: BTreeMap::new() };
    for message in messages {
        let mut terms = BTreeSet::new();
        for_each_token(message.text.as_str(), |token| {
            terms.insert(token.term.to_owned());
        });
        for term in terms {
            *frequencies.df.entry(term).or_default() += 1;
        }
    }
    frequencies
}
