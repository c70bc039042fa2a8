//! Labelled prompts, read by the hook's own plan.

use std::collections::BTreeMap;

use serde::Serialize;
use six_core::inject::{Intent, Limits};
use six_core::record::{Evidence, SessionId, Why};

use super::intent::{Agreement, Judged, Means, Rule, measure, measure_by};
use super::label::Labelled;
use super::play::{Clock, play};
use super::share::Share;
use crate::failure::Failure;

/// What reading comes to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Reading {
    /// All of a person's prompts: an intent is recalled if it is among the reported ones, and every other reported one is
    /// a false positive of that intent.
    #[serde(flatten)]
    pub(super) all: Agreement,
    /// The same, where only a prompt counts as right whose reported intents are those labelled, all and no other.
    pub(super) exact: Agreement,
    /// Without the prompts whose label is in doubt.
    pub(super) sure: Agreement,
    /// Means over the sources.
    #[serde(rename = "macro")]
    pub(super) over_sources: Means,
    /// By where a prompt comes from.
    pub(super) by_source: BTreeMap<String, Agreement>,
    /// By its language.
    pub(super) by_lang: BTreeMap<String, Agreement>,
    /// What became of the prompts that a program wrote.
    pub(super) machine: Machine,
    /// A person's prompts that were taken for a program's; the intents labelled there are missed.
    pub(super) taken_for_machine: usize,
    /// Prompts that were read wrong.
    pub(super) wrong: Vec<Wrong>,
}

/// Prompts that a program wrote.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub(super) struct Machine {
    /// Told from a person's.
    pub(super) recognised: Share,
    /// With no intent, whether they were recognised or not.
    pub(super) silent: Share,
}

/// A prompt that was read wrong.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Wrong {
    /// Its id.
    pub(super) id: String,
    /// What was labelled.
    pub(super) labelled: Vec<Intent>,
    /// What was reported.
    pub(super) reported: Vec<Intent>,
    /// How it begins.
    pub(super) head: String,
}

/// Reads prompts as the hook does, with nothing in store.
pub(super) fn read(prompts: &[Labelled], clock: Clock, limits: &Limits) -> Result<Reading, Failure> {
    let mut judged: Vec<(&Labelled, Judged)> = Vec::with_capacity(prompts.len());
    let mut machine = Machine::default();
    let mut taken_for_machine = 0;
    let mut wrong = Vec::new();
    for prompt in prompts {
        let session = SessionId::new(format!("bench-gate-{}", prompt.id));
        let receipt = play(&prompt.text, &session, clock, limits, |_| Evidence::Missing(Why::NoStore))?;
        let reported: Vec<Intent> = receipt.intents.iter().map(|(intent, _)| *intent).collect();
        let one = if prompt.machine {
            machine.recognised.add(!receipt.human);
            machine.silent.add(reported.is_empty());
            Judged { labelled: Vec::new(), reported }
        } else {
            taken_for_machine += usize::from(!receipt.human);
            Judged { labelled: prompt.intents.clone(), reported }
        };
        if !one.agrees() {
            let (labelled, reported, head) = (one.labelled.clone(), one.reported.clone(), receipt.head.to_string());
            wrong.push(Wrong { id: prompt.id.clone(), labelled, reported, head });
        }
        if !prompt.machine {
            judged.push((prompt, one));
        }
    }
    let by_source = measure_by(judged.iter().map(|(prompt, one)| (prompt.source.as_str(), one)));
    Ok(Reading {
        all: measure(judged.iter().map(|(_, one)| one), Rule::Among),
        exact: measure(judged.iter().map(|(_, one)| one), Rule::Exact),
        sure: measure(judged.iter().filter(|(prompt, _)| !prompt.unsure).map(|(_, one)| one), Rule::Among),
        over_sources: Means::of(&by_source),
        by_source,
        by_lang: measure_by(judged.iter().map(|(prompt, one)| (prompt.lang.as_str(), one))),
        machine,
        taken_for_machine,
        wrong,
    })
}

#[cfg(test)]
mod tests {
    use chrono::FixedOffset;
    use six_core::record::UnixMs;

    use super::super::label::parse_labels;
    use super::*;

    #[test]
    fn a_prompt_is_read_as_the_hook_reads_it_and_a_programs_turn_is_no_persons() {
        let labels = [
            r#"{"id": "a", "text": "add a retry budget to the sync queue", "intent": "build"}"#,
            r#"{"id": "b", "text": "thanks, that's all", "intent": "none"}"#,
            r#"{"id": "c", "text": "add a cache #skip", "intent": "build", "unsure": true}"#,
            r#"{"id": "d", "text": "<task-notification>\nadd a cache\n</task-notification>", "intent": "build", "machine": true}"#,
            r#"{"id": "e", "text": "<task-notification>\nx\n</task-notification>", "intent": "build"}"#,
        ];
        let clock = Clock { now: UnixMs(0), offset: FixedOffset::east_opt(0).unwrap() };
        let found = read(&parse_labels("mine", &labels.join("\n")).unwrap(), clock, &Limits::default()).unwrap();
        assert_eq!((found.all.prompts, found.all.build.tp, found.all.build.missed), (4, 1, 2));
        assert_eq!((found.sure.prompts, found.sure.build.missed), (3, 1));
        assert_eq!(found.all.none_silent, Some(1.0));
        assert_eq!((found.machine.recognised.hit, found.machine.silent.hit, found.taken_for_machine), (1, 1, 1));
        assert_eq!(found.wrong.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["c", "e"]);
        assert_eq!(found.by_source["mine"], found.all);
    }
}
