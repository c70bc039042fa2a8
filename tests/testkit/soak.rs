//! Thousands of hooks and commands at once, many of them killed, on a store that others hold now and then; then everything
//! that was seen from outside is compared with what is in the store.
//!
//! The plan comes from a seed and is the same every time; what the machine makes of it is not.

mod call;
mod chance;
mod judge;
mod lane;
mod report;
mod told;

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;

use crate::payload;
use crate::scratch::Scratch;
use judge::Judgement;
use lane::{Done, Lane};
pub use report::Report;

/// How long what the hooks started in the background may take to end.
const QUIET: Duration = Duration::from_secs(120);

/// What to do.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Processes to start, hooks and commands; a few more are started to take in what is left.
    pub invocations: usize,
    /// Another number, another plan.
    pub seed: u64,
    /// How many run at once, what they start themselves left out.
    pub processes: usize,
}

/// Does what `plan` says on a machine of its own. The machine stays when something does not hold.
pub fn soak(plan: &Plan) -> Report {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates"]).ok();
    scratch.six(&["decision", "add", "The pier stands on oak piles", "--why", "iron rusted through"]).ok();
    scratch.six(&["correction", "add", "use pnpm, not npm"]).ok();
    let store = scratch.store_folder();
    fs::create_dir_all(scratch.session(0).transcript.parent().expect("a transcript has a folder"))
        .expect("a scratch folder can be made");

    let started = Instant::now();
    let lanes: Vec<Done> = thread::scope(|threads| {
        let lanes: Vec<_> = (0..plan.processes)
            .map(|number| Lane::new(&scratch, &store, plan, number))
            .map(|lane| threads.spawn(|| lane.run()))
            .collect();
        lanes.into_iter().map(|lane| lane.join().expect("a lane ends")).collect()
    });
    let took = started.elapsed();

    let left = wait_for_quiet(&scratch);
    age_halves(&store.join("spool"));
    for command in [["worker"], ["ingest"], ["worker"], ["status"]] {
        scratch.six(&command).ok();
    }
    let reds = reds(&scratch);
    let mut judgement = judge::judge(&scratch, &store, &lanes);
    judgement.violations.extend(left.into_iter().map(|process| format!("still running: {process}")));
    judge_clean_session(&scratch, plan, &mut judgement);
    let store_bytes = fs::metadata(store.join("memory.db")).map_or(0, |file| file.len());
    let kept = (!judgement.violations.is_empty()).then(|| scratch.keep());
    Report { plan: *plan, lanes, judgement, reds, took, store_bytes, kept }
}

/// Files that a hook had half written when it was killed go when they are old enough to be nobody's: now they are.
fn age_halves(spool: &Path) {
    let halves = fs::read_dir(spool).into_iter().flatten().flatten();
    for half in halves.filter(|entry| entry.path().extension().is_some_and(|end| end == "tmp")) {
        let file = fs::File::options().write(true).open(half.path()).expect("a file of ours opens");
        file.set_modified(SystemTime::now() - Duration::from_secs(60 * 60)).expect("a time can be set");
    }
}

/// Waits until nothing runs on this machine any more; answers what still does.
fn wait_for_quiet(scratch: &Scratch) -> Vec<String> {
    let until = Instant::now() + QUIET;
    loop {
        let left = running(scratch);
        if left.is_empty() || Instant::now() > until {
            return left;
        }
        thread::sleep(Duration::from_millis(50));
    }
}

/// Command lines of the processes that have this machine's environment.
fn running(scratch: &Scratch) -> Vec<String> {
    let mark = format!("SIX_HOME={}", scratch.six_home().display());
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ours = processes.filter(|process| {
        let environment = fs::read(process.path().join("environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
    });
    ours.map(|process| {
        String::from_utf8_lossy(&fs::read(process.path().join("cmdline")).unwrap_or_default()).into_owned()
    })
    .collect()
}

/// Checks of `six health`.
const CHECKS: usize = 11;

/// What health says, in a line for each red. Fails the test unless all checks have answered.
pub fn reds(scratch: &Scratch) -> Vec<String> {
    let report = scratch.six(&["health", "--json"]).json();
    let checks = report["checks"].as_array().expect("a report has checks");
    assert_eq!(checks.len(), CHECKS, "{report}");
    let red = checks.iter().filter(|check| check["verdict"] == "red");
    red.map(|check| {
        let said = |field: &str| check[field].as_str().unwrap_or_default().to_owned();
        match check["blocked_by"].as_str() {
            Some(cause) => format!("{}: blocked by {cause}", said("check")),
            None => format!("{} {}: {}", said("check"), said("fault"), said("detail")),
        }
    })
    .collect()
}

/// After a session in which nothing went wrong nothing of the past is red, but what waits for a person.
fn judge_clean_session(scratch: &Scratch, plan: &Plan, judgement: &mut Judgement) {
    let last = u16::try_from(plan.invocations).unwrap_or(u16::MAX).max(60_000);
    let mut session = scratch.session(last);
    let mut told = told::Told::new(scratch, &session);
    let call = |hook: &str, payload: &Value| assert_eq!(scratch.hook(hook, payload).exit, Some(0), "{hook}");
    call("session-start", &payload::session_start(&session, "startup"));
    call("user-prompt-submit", &payload::user_prompt(&mut session, "Where is the pier?"));
    told.prompt("Where is the pier?");
    call("pre-tool-use", &payload::pre_tool_use(&session, "Bash", &serde_json::json!({ "command": "ls" })));
    told.tool("a pier");
    told.answer("Behind the mole.");
    call("stop", &payload::stop(&session, "Behind the mole."));
    call("session-end", &payload::session_end(&session, "prompt_input_exit"));
    scratch.six(&["ingest"]).ok();
    scratch.six(&["worker"]).ok();
    let left = wait_for_quiet(scratch);
    judgement.violations.extend(left.into_iter().map(|process| format!("still running: {process}")));
    let red = reds(scratch).into_iter().filter(|red| !red.starts_with("queue "));
    judgement.violations.extend(red.map(|red| format!("red after a session without a fault: {red}")));
}
