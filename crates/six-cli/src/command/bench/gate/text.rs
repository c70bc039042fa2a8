//! What was measured, for a screen of eighty columns.

use std::collections::BTreeMap;

use serde::Serialize;
use six_core::inject::{CandidateReceipt, Intent};
use six_core::text::printable;

use super::intent::Agreement;
use super::reading::{Reading, Wrong};
use super::relevance::{Case, Outcome, Relevance, name};
use super::share::{Share, percent};
use super::sweep::SweepRow;
use super::{Measured, Tried};
use crate::command::bench::rates::{Mean, Rates};
use crate::output::{count, fit};

/// Columns of a row that ends with the beginning of a prompt.
const COLUMNS: usize = 80;

/// All of it; with the prompts that went wrong if `verbose`.
pub(super) fn render(measured: &Measured, verbose: bool) -> String {
    let mut lines = intents(&measured.labels, &measured.intent);
    if verbose && !measured.intent.wrong.is_empty() {
        lines.push(String::new());
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
            lines.extend(tried.wrong.iter().flat_map(went_wrong));
        }
    }
    lines.join("\n")
}

fn intents(labels: &str, reading: &Reading) -> Vec<String> {
    let all = &reading.all;
    let mut lines = vec![
        format!("intents of {}: {labels}", count(all.prompts as u64, "prompt")),
        format!("  {:<13} {:>15} {:>15} {:>15} {:>15}", "", "all", "exact", "sure", "mean of sources"),
        format!("  {:<13}{}", "", format!(" {:>7} {:>7}", "prec.", "recall").repeat(4)),
    ];
    let over_sources = [reading.over_sources.build, reading.over_sources.investigate, reading.over_sources.decide];
    let columns = all.rates().into_iter().zip(reading.exact.rates()).zip(reading.sure.rates()).zip(over_sources);
    for ((((name, all), (_, exact)), (_, sure)), Mean { precision, recall }) in columns {
        let pairs = [all, exact, sure].map(|rates| [rates.precision, rates.recall]);
        lines.push(row(name, [pairs[0], pairs[1], pairs[2], [precision, recall]].as_flattened()));
    }
    let silent = [all, &reading.exact, &reading.sure].map(|agreement| agreement.none_silent);
    let silent = silent.into_iter().chain([reading.over_sources.none_silent]);
    lines.push(silent.fold(format!("  {:<13}", "none silent"), |row, value| format!("{row} {:>15}", points(value))));
    lines.push(String::from("  all: right if it is among the reported; exact: if nothing else is reported;"));
    lines.push(String::from("  sure: as all, without the labels in doubt"));
    if reading.machine.silent.of > 0 {
        let (silent, recognised) = (reading.machine.silent, reading.machine.recognised);
        lines.push(format!(
            "  of {} that a program wrote: silent {}, recognised {}",
            count(silent.of as u64, "turn"),
            silent.percent(),
            recognised.percent()
        ));
    }
    if reading.taken_for_machine > 0 {
        lines.push(format!("  a person's, taken for a program's: {}", count(reading.taken_for_machine as u64, "turn")));
    }
    for (by, parts) in [("language", &reading.by_lang), ("source", &reading.by_source)] {
        lines.push(String::new());
        lines.extend(table(by, parts));
    }
    lines
}

fn row(name: &str, cells: &[Option<f64>]) -> String {
    cells.iter().fold(format!("  {name:<13}"), |row, cell| format!("{row} {:>7}", points(*cell)))
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
    begun(&format!("  {}, {} read as {}: ", wrong.id, names(&wrong.labelled), names(&wrong.reported)), &wrong.head)
}

/// A miss or a false alarm, and below it what was shown and what kept the item back.
fn went_wrong(outcome: &Outcome) -> Vec<String> {
    let shown = outcome.shown.iter().map(|shown| format!("    shown: {}", arithmetic(shown)));
    let (what, target) = match &outcome.case {
        Case::Unrelated { lang } => (format!("unrelated, {lang}"), None),
        Case::NearMiss { kind } => (format!("near miss of a {}", name(kind)), None),
        Case::Planted { kind, how, fell, target, .. } => {
            let fell = fell.as_deref().unwrap_or_default();
            (format!("{} by {}, missed at {fell}", name(kind), name(how)), target.as_ref())
        }
    };
    let target = target.map(|target| format!("    asked about: {}", arithmetic(target)));
    let head = begun(&format!("  {}, {what}: ", outcome.id), &outcome.head);
    std::iter::once(head).chain(target).chain(shown).collect()
}

/// An item with the words by which it was weighed.
fn arithmetic(one: &CandidateReceipt) -> String {
    let terms = one.tokens.iter().map(|term| format!("{} {:.1}", term.t, term.idf));
    let cosine = one.cosine.map(|cosine| format!("cosine {cosine:.2}"));
    fit(&format!("{} {}", one.item, terms.chain(cosine).collect::<Vec<_>>().join(", ")), COLUMNS - 20)
}

/// Columns that the beginning of a prompt has at least.
const HEAD_COLUMNS: usize = 24;

fn begun(before: &str, text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    format!("{before}{}", fit(&printable(&text), COLUMNS.saturating_sub(before.chars().count()).max(HEAD_COLUMNS)))
}

#[cfg(test)]
mod tests {
    use chrono::FixedOffset;
    use six_core::inject::Limits;
    use six_core::record::UnixMs;

    use super::super::label::parse_labels;
    use super::super::play::Clock;
    use super::super::reading::read;
    use super::super::relevance::{measure, tests::outcomes};
    use super::super::sweep::moves;
    use super::*;

    fn measured() -> Measured {
        let labels = [
            r#"{"id": "a", "text": "add a retry budget to the sync queue", "intent": "build", "lang": "en"}"#,
            r#"{"id": "b", "text": "add a cache #skip", "intent": "build", "lang": "en", "unsure": true}"#,
            r#"{"id": "c", "text": "ok", "intent": "none", "lang": "en", "source": "elsewhere"}"#,
            r#"{"id": "d", "text": "<bash-stdout>x</bash-stdout>", "intent": "none", "machine": true}"#,
        ];
        let clock = Clock { now: UnixMs(0), offset: FixedOffset::east_opt(0).unwrap() };
        let limits = Limits::default();
        let all = outcomes();
        let came = measure(&all);
        let moved = moves(&limits).into_iter().filter(|one| one.threshold == "min_matches");
        let sweep = moved.map(|moved| SweepRow::of(&moved, &came)).collect();
        Measured {
            labels: String::from("mine.jsonl"),
            intent: read(&parse_labels("mine", &labels.join("\n")).unwrap(), clock, &limits).unwrap(),
            made_up: Tried {
                chunks: 1_000,
                came,
                sweep,
                wrong: all.into_iter().filter(|one| !one.is_right()).collect(),
            },
            own: None,
        }
    }

    #[test]
    fn a_person_sees_every_figure_and_what_went_wrong() {
        let text = render(&measured(), true);
        assert!(text.lines().all(|line| line.chars().count() <= COLUMNS), "{text}");
        insta::assert_snapshot!(text, @r"
        intents of 3 prompts: mine.jsonl
                                    all           exact            sure mean of sources
                          prec.  recall   prec.  recall   prec.  recall   prec.  recall
          build           100.0    50.0   100.0    50.0   100.0   100.0   100.0    50.0
          investigate         -       -       -       -       -       -       -       -
          decide              -       -       -       -       -       -       -       -
          none silent             100.0           100.0           100.0           100.0
          all: right if it is among the reported; exact: if nothing else is reported;
          sure: as all, without the labels in doubt
          of 1 turn that a program wrote: silent 100.0 %, recognised 100.0 %

          by language                  n        build  investigate       decide   none
          en                           3  100.0  50.0      -     -      -     -  100.0

          by source                    n        build  investigate       decide   none
          elsewhere                    1      -     -      -     -      -     -  100.0
          mine                         2  100.0  50.0      -     -      -     -      -

          b, build read as none: add a cache #skip

        blocks in a made-up store of 1000 chunks
          unrelated silent         66.7 %  (50.0 % of those with an intent)
          near misses silent        0.0 %
          planted found            20.0 %  (25.0 % of those with an intent)
          shown items right       100.0 %  (a block has 0 bytes, at most 0)
          unrelated: en 50.0 % of 2, ko 100.0 % of 1
          near misses: correction 0.0 % of 1
          planted: subsystem 0.0 % of 1, decision 100.0 % of 1, correction 0.0 % of 3,
            words 33.3 % of 3, paraphrase 0.0 % of 2
          missed at: no-intent 1, not-gathered 2, not-rare 1

          threshold      value  unrelated silent  near misses silent  planted found
          min_matches     1.00            66.7 %               0.0 %         20.0 %
        * min_matches     2.00            66.7 %               0.0 %         20.0 %
          min_matches     3.00            66.7 %               0.0 %         20.0 %

          u2, unrelated, en: add a quorum
            shown: correction:pl-76 quorum 5.2
          n1, near miss of a correction: add a quorum
            shown: correction:pl-76 quorum 5.2
          p2, subsystem by words, missed at not-gathered: add a quorum
            shown: thread:pl-billing quorum 5.2
            shown: dead_end:pl-40 quorum 5.2
          p3, correction by words, missed at not-rare: add a quorum
            asked about: correction:pl-76 quorum 5.2
          p4, correction by paraphrase, missed at no-intent: add a quorum
          p5, correction by paraphrase, missed at not-gathered: add a quorum
        ");
    }

    #[test]
    fn prompts_are_named_only_when_asked_for() {
        let text = render(&measured(), false);
        assert!(!text.contains("read as") && !text.contains("u2") && text.contains("missed at: no-intent 1"), "{text}");
    }
}
