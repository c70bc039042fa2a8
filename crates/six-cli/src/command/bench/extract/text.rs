//! What was measured, for a screen of eighty columns.

use std::collections::BTreeMap;

use six_core::text::printable;

use super::Measured;
use super::tally::{Agreement, Judged, KINDS};
use crate::cli::ExtractMisses;
use crate::command::bench::rates::{Mean, Rates};
use crate::output::{count, fit};

/// Columns of a row that ends with the beginning of a turn.
const COLUMNS: usize = 80;

/// All of it; with the turns that went wrong in this way.
pub(super) fn render(measured: &Measured, show: Option<ExtractMisses>) -> String {
    let mut lines = vec![format!("candidates of {}:", count(measured.all.turns as u64, "turn"))];
    lines.extend(measured.labels.iter().map(|path| format!("  {path}")));
    lines.push(String::new());
    lines.push(format!(
        "  {:<11} {:>4} {:>4} {:>4} {:>15} {:>15} {:>17}",
        "", "tp", "fp", "fn", "all", "sure", "mean of sources"
    ));
    lines.push(format!("  {:<26}{}", "", format!(" {:>7} {:>7}", "prec.", "recall").repeat(3)));
    let columns = KINDS.iter().zip(measured.all.rates()).zip(measured.sure.rates()).zip(measured.over_sources.means());
    for (((kind, all), sure), mean) in columns {
        let cells = [means_of(all), means_of(sure), mean].map(pair).concat();
        lines.push(format!("  {:<11} {:>4} {:>4} {:>4}{cells}", kind.as_str(), all.tp, all.fp, all.missed));
    }
    for (by, parts) in
        [("speaker", &measured.by_speaker), ("source", &measured.by_source), ("language", &measured.by_lang)]
    {
        lines.push(String::new());
        lines.extend(table(by, parts));
    }
    if !measured.dropped.is_empty() {
        lines.push(String::new());
        lines.push(String::from("  sentences with a cue that made no candidate:"));
        lines.extend(measured.dropped.iter().map(|(reason, count)| format!("    {:<16} {count:>5}", reason.as_str())));
    }
    if let Some(show) = show {
        lines.push(String::new());
        lines.extend(measured.wrong.iter().flat_map(|one| went_wrong(one, show)));
    }
    lines.join("\n")
}

fn means_of(rates: Rates) -> Mean {
    Mean { precision: rates.precision, recall: rates.recall }
}

fn pair(mean: Mean) -> String {
    format!(" {:>7} {:>7}", points(mean.precision), points(mean.recall))
}

fn points(value: Option<f64>) -> String {
    value.map_or_else(|| String::from("-"), |value| format!("{:.1}", value * 100.0))
}

fn table(by: &str, parts: &BTreeMap<String, Agreement>) -> Vec<String> {
    let head = KINDS.map(|kind| format!(" {:>15}", kind.as_str())).concat();
    let mut lines = vec![format!("  {:<20} {:>5}{head}", format!("by {by}"), "turns")];
    for (part, agreement) in parts {
        let cells = agreement.rates().map(means_of).map(pair).concat();
        lines.push(format!("  {:<20} {:>5}{cells}", fit(&printable(part), 20), agreement.turns));
    }
    lines
}

fn went_wrong(one: &Judged, show: ExtractMisses) -> Vec<String> {
    let head = printable(&one.head);
    let row = |mark: &str, kind: &str| fit(&format!("  {mark} {kind:<10} {:<14} {head}", one.id), COLUMNS);
    let missed = one.states.difference(&one.proposed).map(|kind| row("fn", kind.as_str()));
    let wrong = one.proposed.difference(&one.states).map(|kind| row("fp", kind.as_str()));
    match show {
        ExtractMisses::Fn => missed.collect(),
        ExtractMisses::Fp => wrong.collect(),
        ExtractMisses::All => missed.chain(wrong).collect(),
    }
}
