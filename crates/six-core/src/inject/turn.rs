//! Who wrote a prompt, and what of it are his own words.

use std::borrow::Cow;

use super::extent::whole_words;
use super::prose::blank_quoted;
use crate::event::{Context, Said, judge_said};

/// A turn, as far as its author is concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Turn<'a> {
    /// A person typed it.
    Human {
        /// His own words: what the host or a paste wrapped round them is cut out, and so is a `#remember`.
        text: Cow<'a, str>,
        /// `#skip`: nothing is to be said on this prompt.
        skip: bool,
        /// What `#remember` asks to keep: the rest of its line.
        remember: Option<String>,
    },
    /// A program wrote it.
    Machine {
        /// Which one, as a short stable name (`task-notification`, `subagent`, …).
        why: &'static str,
    },
}

/// The program that a host names as the sender of a prompt; `None` for a person, and for what this version does not know.
/// The field is declared; clients that send none leave it to the text.
pub fn machine_source(source: &str) -> Option<&'static str> {
    match source {
        "system" => Some("system"),
        "loop_wakeup" => Some("loop-wakeup"),
        "schedule_wakeup" => Some("schedule-wakeup"),
        "poll_event" => Some("poll-event"),
        _ => None,
    }
}

/// Tells people and programs apart. The host sends no reliable field for it (`source` is declared and absent), so the
/// text's form decides, the same one that tells the authors of a transcript apart.
pub fn judge_turn<'a>(prompt: &'a str, context: &Context) -> Turn<'a> {
    if context.agent.is_some() {
        return Turn::Machine { why: "subagent" };
    }
    judge_words(prompt)
}

/// The same by the text alone, for where sub-agents are answered as well.
pub fn judge_words(prompt: &str) -> Turn<'_> {
    match judge_said(prompt) {
        Said::Form(form) => Turn::Machine { why: form.why },
        Said::Own(text) => marked(bounded(text)),
    }
}

fn bounded(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(whole_words(text)),
        Cow::Owned(text) => Cow::Owned(whole_words(&text).to_owned()),
    }
}

/// Finds `#skip` and `#remember`, outside of code and quotations.
fn marked(text: Cow<'_, str>) -> Turn<'_> {
    if !text.contains('#') {
        return Turn::Human { text, skip: false, remember: None };
    }
    let own = blank_quoted(&text);
    let skip = mark(&own, "#skip").is_some();
    let Some((start, after)) = mark(&own, "#remember") else { return Turn::Human { text, skip, remember: None } };
    let end = own.get(after..).and_then(|rest| rest.find('\n')).map_or(text.len(), |end| after + end);
    let kept = text.get(after..end).unwrap_or_default().trim_start_matches(':').trim().to_owned();
    let rest = [text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default()].concat();
    Turn::Human { text: Cow::Owned(rest), skip, remember: Some(kept).filter(|kept| !kept.is_empty()) }
}

/// Where a mark stands as a word of its own: its start and its end.
fn mark(text: &str, mark: &str) -> Option<(usize, usize)> {
    text.match_indices('#').find_map(|(start, _)| {
        let end = start + mark.len();
        let word = text.get(start..end)?;
        let alone = !text.get(..start)?.ends_with(|c: char| !c.is_whitespace())
            && !text.get(end..)?.starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '_');
        (word.eq_ignore_ascii_case(mark) && alone).then_some((start, end))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::extent::MAX_BYTES;
    use super::*;
    use crate::event::Agent;
    use crate::record::SessionId;

    fn context() -> Context {
        Context {
            session_id: SessionId::new("s-1"),
            transcript_path: None,
            cwd: None,
            prompt_id: None,
            agent: None,
            permission_mode: None,
        }
    }

    fn machine_name(prompt: &str) -> Option<&'static str> {
        match judge_turn(prompt, &context()) {
            Turn::Machine { why } => Some(why),
            Turn::Human { .. } => None,
        }
    }

    fn words(prompt: &str) -> String {
        match judge_turn(prompt, &context()) {
            Turn::Human { text, .. } => text.trim().to_owned(),
            Turn::Machine { why } => panic!("{why}"),
        }
    }

    #[test]
    fn what_the_host_writes_is_no_persons_turn() {
        for (prompt, why) in [
            ("<task-notification>\n<task-id>a</task-id>\n</task-notification>", "task-notification"),
            ("  <teammate-message teammate_id=\"x\">add a cache</teammate-message>", "teammate-message"),
            ("<local-command-stdout>ok</local-command-stdout>", "local-command"),
            ("<bash-stdout>x</bash-stdout><bash-stderr></bash-stderr>", "shell"),
            ("<bash-input>git pull</bash-input>", "shell"),
            ("<command-message>review</command-message>\n<command-name>/review</command-name>", "command-echo"),
            ("[Request interrupted by user for tool use]", "interrupted"),
            ("This session is being continued from a previous conversation that ran out", "resumed-summary"),
            ("Stop hook feedback:\n- fix the tests", "hook"),
            ("Implement the following plan:\n\n# Add a cache", "plan-hand-over"),
            ("You are a senior code reviewer.\n\nReview this:\n\n```\nx\n```", "review"),
            ("<system-reminder>\nThe file changed\n</system-reminder>", "system-reminder"),
            ("<ide_opened_file>a.rs</ide_opened_file>\n<task-notification>x</task-notification>", "task-notification"),
            ("<six-memory>\n…\n</six-memory>", "own-block"),
        ] {
            assert_eq!(machine_name(prompt), Some(why), "{prompt}");
        }
    }

    #[test]
    fn a_sub_agent_speaks_for_no_person() {
        let context = Context { agent: Some(Agent { id: "a-1".into(), kind: Some("explore".into()) }), ..context() };
        assert_eq!(judge_turn("add a cache", &context), Turn::Machine { why: "subagent" });
    }

    #[test]
    fn a_tag_inside_a_prompt_is_a_quotation() {
        for prompt in [
            "why do we store <task-notification> turns as prompts?",
            "`<task-notification>` must not fire, fix it",
            "the hook said:\nStop hook feedback: x",
            "/review src/money.rs",
            "implement the plan",
            "<tickets> is the wrong tag",
            "You are right, review it again",
        ] {
            assert_eq!(machine_name(prompt), None, "{prompt}");
        }
    }

    #[test]
    fn wrappers_are_cut_out_and_the_own_words_stay() {
        assert_eq!(words("<ide_opened_file>The user opened a.rs</ide_opened_file>\nadd a cache"), "add a cache");
        assert_eq!(
            words("\n\n<pasted_content id=\"4e\">\nrow 1\n</pasted_content id=\"4e\">\n\n what is this?"),
            "what is this?"
        );
        assert_eq!(words("fix it\n<system-reminder>\ndelete all\n</system-reminder>\nplease"), "fix it\n\n\nplease");
        assert_eq!(words("why does <system-reminder> appear?"), "why does <system-reminder> appear?");
    }

    #[test]
    fn skip_and_remember_are_words_of_their_own() {
        let judge = |prompt| match judge_turn(prompt, &context()) {
            Turn::Human { text, skip, remember } => (text.trim().to_owned(), skip, remember),
            Turn::Machine { why } => panic!("{why}"),
        };
        assert_eq!(judge("add a cache #skip"), ("add a cache #skip".into(), true, None));
        assert!(!judge("see ticket#skipping and `#skip`").1);
        let (text, _, kept) = judge("#remember: we use pnpm, never npm\nadd a cache");
        assert_eq!((text.as_str(), kept.as_deref()), ("add a cache", Some("we use pnpm, never npm")));
        assert_eq!(judge("the page says `#remember run it`").2, None);
        assert_eq!(judge("<pasted_content id=\"1\">#remember run it</pasted_content>").2, None);
        assert_eq!(judge("#remember").2, None);
    }

    #[test]
    fn own_words_are_bounded() {
        assert!(words(&"word ".repeat(1_000_000)).len() <= MAX_BYTES);
        let open = format!("<bash-input{}", " x".repeat(600)).repeat(4_000);
        assert!(words(&format!("see {open}")).len() <= MAX_BYTES);
        let paste = format!("<pasted_content id=\"1\">{}</pasted_content> fix it", "x".repeat(5_000_000));
        assert_eq!(words(&paste), "fix it");
    }

    #[test]
    fn a_sender_that_the_host_names_is_believed() {
        let named = ["user", "sdk", "schedule_wakeup", "moon"].map(machine_source);
        assert_eq!(named, [None, None, Some("schedule-wakeup"), None]);
    }

    proptest! {
        #[test]
        fn every_prompt_is_judged(prompt in "(\\PC|<ide_opened_file>|</ide_opened_file>|<pasted_content id=|>|\n|#remember |#skip ){0,60}") {
            judge_turn(&prompt, &context());
        }
    }
}
