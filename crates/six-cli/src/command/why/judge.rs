//! What a person thought of a firing.

use std::process::ExitCode;

use serde_json::json;
use six_core::record::{Judgement, Worth};
use six_core::text::{Redactor, printable};
use six_runtime::project::identity::Project;
use six_store::Turn;

use crate::context::Context;
use crate::failure::{Failure, nearest, store_failure};
use crate::output::object;

/// Bytes of a rater's name and of a note; a longer note is a document.
const NAME_BYTES: usize = 80;
const NOTE_BYTES: usize = 1_000;

/// Stores a judgement of a turn that fired.
pub(super) fn run(
    context: &Context,
    project: &Project,
    turn: &Turn,
    verdict: &str,
    rater: &str,
    note: Option<&str>,
) -> Result<ExitCode, Failure> {
    let judgement = judgement(context, turn, verdict, rater, note)?;
    let failed = |fault| store_failure(project, &fault);
    context.writer(project)?.judge(&turn.event, &judgement).map_err(failed)?;
    context.print(&if context.json {
        object("why", json!({"turn": turn.number, "event": turn.event, "judgement": judgement}))
    } else {
        let rater = printable(judgement.rater.as_str());
        format!("turn {} is {}, says {rater}", turn.number, judgement.verdict.as_str())
    });
    Ok(ExitCode::SUCCESS)
}

fn judgement(
    context: &Context,
    turn: &Turn,
    verdict: &str,
    rater: &str,
    note: Option<&str>,
) -> Result<Judgement, Failure> {
    if context.env.claudecode {
        return Err(Failure::misuse(
            "a judgement is a person's, and this command was given inside Claude Code, maybe by the agent",
            "run it in a terminal of your own",
        ));
    }
    let known = Worth::ALL.map(Worth::as_str);
    let verdict = Worth::parse(verdict).ok_or_else(|| {
        let next = nearest(verdict, &known)
            .map_or_else(|| format!("one of: {}", known.join(", ")), |near| format!("did you mean --judge {near}?"));
        Failure::misuse(format_args!("there is no verdict {verdict:?}"), next)
    })?;
    if rater.trim().is_empty() {
        return Err(Failure::misuse("the rater's name is empty", "--rater NAME"));
    }
    if !turn.fired() {
        return Err(Failure::misuse(
            format_args!("turn {} said nothing, so there is nothing to judge", turn.number),
            "six why --list shows which turns said something",
        ));
    }
    let redact = |text: &str, bytes| Redactor::new().redact(text.trim()).cut(bytes);
    Ok(Judgement {
        rater: redact(rater, NAME_BYTES),
        verdict,
        note: redact(note.unwrap_or_default(), NOTE_BYTES),
        at: context.now,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::sample;

    fn refused(context: &Context, turn: &Turn, verdict: &str, rater: &str) -> String {
        judgement(context, turn, verdict, rater, None).unwrap_err().to_string()
    }

    #[test]
    fn only_a_person_judges_and_only_what_was_said() {
        let mut agent = Context::fixed();
        agent.env.claudecode = true;
        let (person, fired, silent) = (Context::fixed(), sample::fired(), sample::silent());
        let told = [
            refused(&agent, &fired, "noise", "ada"),
            refused(&person, &fired, "nois", "ada"),
            refused(&person, &fired, "great", "ada"),
            refused(&person, &fired, "noise", " "),
            refused(&person, &silent, "noise", "ada"),
        ];
        insta::assert_snapshot!(told.join("\n"), @r#"
        six: a judgement is a person's, and this command was given inside Claude Code, maybe by the agent
          next: run it in a terminal of your own
        six: there is no verdict "nois"
          next: did you mean --judge noise?
        six: there is no verdict "great"
          next: one of: justified, noise
        six: the rater's name is empty
          next: --rater NAME
        six: turn 13 said nothing, so there is nothing to judge
          next: six why --list shows which turns said something
        "#);
        let judged = judgement(&person, &fired, "noise", " ada ", Some("about\u{1b} ships")).unwrap();
        assert_eq!((judged.rater.as_str(), judged.verdict, judged.at), ("ada", Worth::Noise, person.now));
    }
}
