//! `six health --prove`: every check is shown to go red, alone, and green again.

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser as _;
use serde_json::{Value, json};
use six_core::health::CheckName;
use six_runtime::end::EndSignal;
use six_runtime::health::store_file;
use six_runtime::project::identity::Project;
use six_runtime::prove::{Ground, Proof, Proven, Unproven, Wish, prove};
use six_store::{Access, Store};

use crate::cli::Cli;
use crate::command::install::running_exe;
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::output::{Bar, object};

/// How long the project's own store is waited for.
const BUSY: Duration = Duration::from_secs(30);

/// Runs it: exit code 0 when all is as it should be, 1 when anything is not, 2 when it could not run.
pub(super) fn run(context: &Context, project: &Project, only: Option<CheckName>) -> Result<ExitCode, Failure> {
    let exe = running_exe()?;
    // For reading: nothing of the project's own is changed.
    let store = Store::open(&store_file(project), Access::Read, BUSY);
    let end = EndSignal::watch();
    let wish = Wish {
        env: &context.env,
        exe: &exe,
        store: store.as_ref().map_err(ToString::to_string),
        only,
        is_command: &|words| Cli::try_parse_from(words).is_ok(),
        is_over: &|| end.came(),
    };
    let bar = Bar::of_faults(context.quiet || context.json);
    let proven = prove(&wish, &mut |done, total| bar.at(done, total)).map_err(|fault| failed(&fault))?;
    drop(bar);
    context.print(&if context.json { object("health-prove", as_json(&proven)) } else { as_text(&proven) });
    Ok(if proven.passed() { ExitCode::SUCCESS } else { Exit::Nothing.into() })
}

fn failed(fault: &Unproven) -> Failure {
    let next = match fault {
        Unproven::Stopped => "run it again: nothing was kept",
        _ => "put that right, then run it again; the project's own store was not touched",
    };
    Failure::misuse(format_args!("nothing is proved: {fault}"), next)
}

/// Schema `six.health-prove/1`.
fn as_json(proven: &Proven) -> Value {
    json!({
        "faults": proven.proofs.iter().map(proof_json).collect::<Vec<_>>(),
        "not_copied": proven.not_copied,
        "red_before": proven.red_before.iter().map(|check| check.as_str()).collect::<Vec<_>>(),
        "passed": proven.passed(),
    })
}

fn proof_json(proof: &Proof) -> Value {
    let names = |checks: &[CheckName]| checks.iter().map(|check| check.as_str()).collect::<Vec<_>>();
    let (found, detail, fix) = match &proof.said {
        Some((fault, detail, fix)) => (Some(*fault), Some(detail), Some(fix)),
        None => (None, None, None),
    };
    json!({
        "check": proof.check.as_str(),
        "fault": proof.fault,
        "injected": proof.what,
        "store": proof.ground.as_str(),
        "found": found,
        "detail": detail,
        "turned_red": proof.turned_red,
        "only_that": proof.only_that(),
        "also_red": names(&proof.also_red),
        "fix": fix,
        "fix_is_known": proof.is_known,
        "by_hand": proof.by_hand,
        "fixed_green": proof.fixed_green(),
        "still_red": names(&proof.still_red),
    })
}

/// One line a fault below the names of the columns, what went wrong below its line, and the sum.
fn as_text(proven: &Proven) -> String {
    let heads = ["check", "what was done", "fault", "red", "only that", "green after"].map(String::from);
    let rows: Vec<[String; 6]> = std::iter::once(heads).chain(proven.proofs.iter().map(cells)).collect();
    let widths: Vec<usize> = (0..6)
        .map(|n| rows.iter().filter_map(|row| row.get(n)).map(|cell| cell.chars().count()).max().unwrap_or(0))
        .collect();
    let mut rows = rows.iter().map(|row| aligned(row, &widths));
    let mut lines: Vec<String> = rows.next().into_iter().collect();
    for (row, proof) in rows.zip(&proven.proofs) {
        lines.push(row);
        lines.extend(complaint(proof));
    }
    lines.extend(notes(proven));
    lines.push(sum(proven));
    lines.join("\n")
}

fn cells(proof: &Proof) -> [String; 6] {
    let yes = |is: bool| if is { "yes" } else { "NO" }.to_owned();
    let mark = if proof.ground == Ground::MadeUp { " *" } else { "" };
    let healed = match (proof.fixed_green(), proof.by_hand) {
        (true, None) => String::from("yes"),
        (true, Some(by_hand)) => format!("yes, by hand: {by_hand}"),
        (false, _) => String::from("NO"),
    };
    [
        proof.check.as_str().to_owned(),
        format!("{}{mark}", proof.what),
        proof.fault.name(),
        yes(proof.turned_red),
        yes(proof.only_that()),
        healed,
    ]
}

fn aligned(row: &[String; 6], widths: &[usize]) -> String {
    let cells = row.iter().zip(widths).map(|(cell, &width)| format!("{cell:width$}"));
    cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
}

fn complaint(proof: &Proof) -> Vec<String> {
    let names = |checks: &[CheckName]| checks.iter().map(|check| check.as_str()).collect::<Vec<_>>().join(", ");
    let mut lines = Vec::new();
    match &proof.said {
        None => lines.push(String::from("  the check stayed green, or another one is blamed")),
        Some((fault, detail, _)) if *fault != proof.fault => {
            lines.push(format!("  it said {}: {detail}", fault.name()));
        }
        Some(_) => {}
    }
    if !proof.also_red.is_empty() {
        lines.push(format!("  also red: {}", names(&proof.also_red)));
    }
    if !proof.still_red.is_empty() {
        lines.push(format!("  not green after the fix: {}", names(&proof.still_red)));
    }
    if let (Some((.., fix)), false) = (&proof.said, proof.is_known) {
        lines.push(format!("  the fix names no command that there is: {fix}"));
    }
    lines
}

fn notes(proven: &Proven) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(why) = &proven.not_copied {
        lines.push(format!("* the project's own store could not be copied ({why}): a made-up one was spoiled"));
    } else if proven.proofs.iter().any(|proof| proof.ground == Ground::MadeUp) {
        let red: Vec<&str> = proven.red_before.iter().map(|check| check.as_str()).collect();
        let red = if red.is_empty() { String::new() } else { format!(" (red as it is: {})", red.join(", ")) };
        lines.push(format!("* on a made-up store: the project's own has nothing to show this on{red}"));
    }
    lines
}

fn sum(proven: &Proven) -> String {
    let good = proven.proofs.iter().filter(|proof| proof.is_good()).count();
    let all: BTreeSet<CheckName> = proven.proofs.iter().map(|proof| proof.check).collect();
    let red: BTreeSet<CheckName> =
        proven.proofs.iter().filter(|proof| proof.turned_red).map(|proof| proof.check).collect();
    let checks = match (red.len(), all.len()) {
        (11, 11) => String::from("all eleven checks can go red"),
        (can, total) => format!("{can} of {total} checks were shown to go red"),
    };
    format!("proved: {good} of {} faults, {checks}", proven.proofs.len())
}

#[cfg(test)]
mod tests {
    use six_core::health::Fault;

    use super::*;

    fn good(check: CheckName, fault: Fault, what: &'static str) -> Proof {
        Proof {
            check,
            fault,
            what,
            ground: Ground::Copy,
            said: Some((fault, String::from("as it was meant"), String::from("six repair"))),
            turned_red: true,
            also_red: Vec::new(),
            commands: vec![vec![String::from("six"), String::from("repair")]],
            is_known: true,
            by_hand: None,
            still_red: Vec::new(),
        }
    }

    fn proven() -> Proven {
        let queue = good(CheckName::Queue, Fault::QueueLong, "41 candidates wait");
        let proofs = vec![
            good(CheckName::Store, Fault::StoreParity, "a row of the index is lost"),
            Proof { ground: Ground::MadeUp, by_hand: Some("every candidate is judged"), ..queue },
        ];
        Proven { proofs, not_copied: None, red_before: vec![CheckName::Queue] }
    }

    #[test]
    fn what_was_proved_is_a_line_a_fault_and_a_sum() {
        insta::assert_snapshot!(as_text(&proven()), @r#"
        check  what was done               fault         red  only that  green after
        store  a row of the index is lost  store-parity  yes  yes        yes
        queue  41 candidates wait *        queue-long    yes  yes        yes, by hand: every candidate is judged
        * on a made-up store: the project's own has nothing to show this on (red as it is: queue)
        proved: 2 of 2 faults, 2 of 2 checks were shown to go red
        "#);
    }

    #[test]
    fn what_is_not_as_it_should_be_stands_below_its_line() {
        let mut proven = proven();
        let wrong = |spoil: fn(&mut Proof)| {
            let mut proof = good(CheckName::Ingest, Fault::IngestLag, "a document was not read");
            spoil(&mut proof);
            proof
        };
        proven.proofs = vec![
            wrong(|p| (p.said, p.turned_red, p.is_known) = (None, false, false)),
            wrong(|p| {
                (p.said, p.turned_red) = (Some((Fault::IngestFailing, "4 times".into(), "six ingest".into())), false);
            }),
            wrong(|p| p.also_red = vec![CheckName::Store, CheckName::Render]),
            wrong(|p| p.still_red = vec![CheckName::Ingest]),
            wrong(|p| p.is_known = false),
        ];
        proven.not_copied = Some(String::from("the store is damaged"));
        assert!(!proven.passed());
        insta::assert_snapshot!(as_text(&proven), @r#"
        check   what was done            fault       red  only that  green after
        ingest  a document was not read  ingest-lag  NO   NO         NO
          the check stayed green, or another one is blamed
        ingest  a document was not read  ingest-lag  NO   NO         NO
          it said ingest-failing: 4 times
        ingest  a document was not read  ingest-lag  yes  NO         yes
          also red: store, render
        ingest  a document was not read  ingest-lag  yes  yes        NO
          not green after the fix: ingest
        ingest  a document was not read  ingest-lag  yes  yes        yes
          the fix names no command that there is: six repair
        * the project's own store could not be copied (the store is damaged): a made-up one was spoiled
        proved: 0 of 5 faults, 1 of 1 checks were shown to go red
        "#);
    }

    #[test]
    fn nothing_proved_is_not_passed() {
        assert!(!Proven::default().passed());
        assert!(proven().passed());
    }

    #[test]
    fn json_has_the_documented_fields() {
        insta::assert_json_snapshot!(as_json(&proven()), @r#"
        {
          "faults": [
            {
              "also_red": [],
              "by_hand": null,
              "check": "store",
              "detail": "as it was meant",
              "fault": "store-parity",
              "fix": "six repair",
              "fix_is_known": true,
              "fixed_green": true,
              "found": "store-parity",
              "injected": "a row of the index is lost",
              "only_that": true,
              "still_red": [],
              "store": "copy",
              "turned_red": true
            },
            {
              "also_red": [],
              "by_hand": "every candidate is judged",
              "check": "queue",
              "detail": "as it was meant",
              "fault": "queue-long",
              "fix": "six repair",
              "fix_is_known": true,
              "fixed_green": true,
              "found": "queue-long",
              "injected": "41 candidates wait",
              "only_that": true,
              "still_red": [],
              "store": "made_up",
              "turned_red": true
            }
          ],
          "not_copied": null,
          "passed": true,
          "red_before": [
            "queue"
          ]
        }
        "#);
    }
}
