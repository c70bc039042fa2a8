//! What was measured, for a screen of eighty columns.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::Serialize;
use six_core::inject::Intent;

use super::intent::{Agreement, Mean, Rates};
use super::reading::{Reading, Wrong};
use super::relevance::{Case, Outcome, Relevance};
use super::share::{Share, percent};
use super::sweep::SweepRow;
use super::{Measured, Tried};
use crate::output::{count, fit};

/// Columns of a row that ends with the beginning of a prompt.
const COLUMNS: usize = 80;

/// All of it; with the prompts that went wrong if `verbose`.
pub(super) fn render(measured: &Measured, verbose: bool) -> String {
    let mut lines = intents(&measured.labels, &measured.intent);
    if verbose {
        lines.extend(measured.intent.wrong.iter().map(misread));
    }
    let own = measured.own.iter().map(|own| ("a copy of the project's own store", own));
    for (place, tried) in std::iter::once(("a made-up store", &measured.made_up)).chain(own) {
        lines.push(String::new());
        lines.extend(relevance(place, tried));
        if !tried.sweep.is_empty() {
            lines.push(String::new());
            lines.extend(sweep(&tried.sweep));
        }
        if verbose {
            lines.push(String::new());
            lines.extend(tried.wrong.iter().map(went_wrong));
        }
    }
    lines.join("\n")
}

fn intents(labels: &str, reading: &Reading) -> Vec<String> {
    let all = &reading.all;
    let mut lines = vec![
        format!("intents of {}: {labels}", count(all.prompts as u64, "prompt")),
        row("", ["all", "", "exact", "", "sure", "", "sources", ""]),
        row("", ["prec.", "recall", "prec.", "recall", "prec.", "recall", "prec.", "recall"]),
    ];
    let over_sources = [reading.over_sources.build, reading.over_sources.investigate, reading.over_sources.decide];
    let columns = all.rates().into_iter().zip(reading.exact.rates()).zip(reading.sure.rates()).zip(over_sources);
    for ((((name, all), (_, exact)), (_, sure)), Mean { precision, recall }) in columns {
        let pair = |rates: Rates| [points(rates.precision), points(rates.recall)];
        let [[a, b], [c, d], [e, f]] = [pair(all), pair(exact), pair(sure)];
        lines.push(row(name, [a, b, c, d, e, f, points(precision), points(recall)]));
    }
    let silent = [all, &reading.exact, &reading.sure].map(|agreement| points(agreement.none_silent));
    let [a, b, c] = silent;
    let none = String::new;
    lines.push(row("none silent", [none(), a, none(), b, none(), c, none(), points(reading.over_sources.none_silent)]));
    lines.push(String::from("all: right if among the reported; exact: if it alone is; sure: without doubtful labels"));
    if reading.machine.silent.of > 0 {
        let (silent, recognised) = (reading.machine.silent, reading.machine.recognised);
        lines.push(format!(
            "of {} that a program wrote: silent {}, recognised {}",
            count(silent.of as u64, "turn"),
            silent.percent(),
            recognised.percent()
        ));
    }
    if reading.taken_for_machine > 0 {
        lines.push(format!("a person's, taken for a program's: {}", count(reading.taken_for_machine as u64, "turn")));
    }
    for (by, parts) in [("language", &reading.by_lang), ("source", &reading.by_source)] {
        lines.push(String::new());
        lines.extend(table(by, parts));
    }
    lines
}

fn row<T: Display>(name: &str, cells: [T; 8]) -> String {
    cells.iter().fold(format!("  {name:<13}"), |row, cell| format!("{row} {cell:>7}")).trim_end().to_owned()
}

fn points(value: Option<f64>) -> String {
    value.map_or_else(|| String::from("-"), |value| format!("{:.1}", value * 100.0))
}

fn table(by: &str, parts: &BTreeMap<String, Agreement>) -> Vec<String> {
    let pair = |rates: Rates| format!("{:>6}{:>6}", points(rates.precision), points(rates.recall));
    let mut lines = vec![format!(
        "  {:<24} {:>5} {:>12} {:>12} {:>12} {:>6}",
        format!("by {by}"),
        "n",
        "build",
        "investigate",
        "decide",
        "none"
    )];
    lines.extend(parts.iter().map(|(part, agreement)| {
        let [(_, build), (_, investigate), (_, decide)] = agreement.rates();
        format!(
            "  {:<24} {:>5} {} {} {} {:>6}",
            fit(part, 24),
            agreement.prompts,
            pair(build),
            pair(investigate),
            pair(decide),
            points(agreement.none_silent)
        )
    }));
    lines
}

fn relevance(place: &str, tried: &Tried) -> Vec<String> {
    let came = &tried.came;
    let mut lines = vec![format!("blocks in {place} of {}", count(tried.chunks, "chunk"))];
    let mut add = |what: &str, value: Option<f64>, more: &str| {
        lines.push(format!("  {what:<22} {:>8}  {more}", percent(value)).trim_end().to_owned());
    };
    add("unrelated silent", came.unrelated_silent, &seen(came.unrelated_silent_with_intent));
    add("near misses silent", came.negatives_silent, "");
    add("planted found", came.planted_recall, &seen(came.planted_recall_with_intent));
    add("shown items right", came.block_precision, &length(came));
    for (what, parts) in [
        ("unrelated", shares(&came.unrelated_by_lang)),
        ("near misses", shares(&came.negatives_by_kind)),
        ("planted", [shares(&came.planted_by_kind), shares(&came.planted_by_how)].concat()),
    ] {
        lines.extend(folded(&format!("  {what}:"), &parts));
    }
    let fell = came.planted_missed.iter().map(|(gate, count)| format!("{gate} {count}")).collect::<Vec<_>>();
    lines.extend(folded("  missed at:", &fell));
    lines
}

fn seen(value: Option<f64>) -> String {
    format!("({} of those with an intent)", percent(value))
}

fn length(came: &Relevance) -> String {
    came.bytes
        .mean
        .map_or_else(String::new, |mean| format!("(a block has {mean:.0} bytes, at most {})", came.bytes.most))
}

fn shares<K: Serialize>(parts: &BTreeMap<K, Share>) -> Vec<String> {
    parts.iter().map(|(part, share)| format!("{} {} of {}", name(part), share.percent(), share.of)).collect()
}

/// The name that a value has in JSON.
fn name(value: &impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|name| Some(name.as_str()?.to_owned())).unwrap_or_default()
}

/// Words after a head, in as many lines as they need.
fn folded(head: &str, words: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = head.to_owned();
    for (at, word) in words.iter().enumerate() {
        let comma = if at + 1 < words.len() { "," } else { "" };
        if line.chars().count() + word.chars().count() + 1 + comma.len() > COLUMNS {
            lines.push(line);
            line = String::from("   ");
        }
        line = format!("{line} {word}{comma}");
    }
    if !words.is_empty() {
        lines.push(line);
    }
    lines
}

fn sweep(rows: &[SweepRow]) -> Vec<String> {
    let head = format!(
        "  {:<12} {:>7}  {:>16}  {:>18}  {:>13}",
        "threshold", "value", "unrelated silent", "near misses silent", "planted found"
    );
    let line = |row: &SweepRow| {
        format!(
            "{} {:<12} {:>7.2}  {:>16}  {:>18}  {:>13}",
            if row.in_force { "*" } else { " " },
            row.threshold,
            row.value,
            percent(row.unrelated_silent),
            percent(row.negatives_silent),
            percent(row.planted_recall)
        )
    };
    std::iter::once(head).chain(rows.iter().map(line)).collect()
}

fn misread(wrong: &Wrong) -> String {
    let names = |intents: &[Intent]| {
        let names: Vec<&str> = intents.iter().map(|intent| intent.as_str()).collect();
        if names.is_empty() { String::from("none") } else { names.join("+") }
    };
    one_line(&format!("  {}: {} read as {}: ", wrong.id, names(&wrong.labelled), names(&wrong.reported)), &wrong.head)
}

fn went_wrong(outcome: &Outcome) -> String {
    let shown = || outcome.shown.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let what = match &outcome.case {
        Case::Unrelated { lang } => format!("unrelated ({lang}), shown {}", shown()),
        Case::Negative { kind } => format!("near miss of a {}, shown {}", name(kind), shown()),
        Case::Planted { kind, how, fell, .. } => {
            format!("{} by {}, missed at {}", name(kind), name(how), fell.as_deref().unwrap_or_default())
        }
    };
    one_line(&format!("  {}: {what}: ", outcome.id), &outcome.head)
}

fn one_line(head: &str, text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    fit(&format!("{head}{}", six_core::text::printable(&words.join(" "))), COLUMNS.max(head.chars().count() + 24))
}
