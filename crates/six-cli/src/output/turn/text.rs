//! The story as text: a line for each thing that a reader asks.

use chrono::FixedOffset;
use six_core::inject::{
    BlockReceipt, CandidateReceipt, Difference, Emission, Gate, Limits, Receipt, may_pass_by_meaning,
};
use six_core::record::OutcomeKind;
use six_core::text::printable;
use six_store::Turn;

use super::Titles;
use super::words::{anchor_word, doubt_words, fate_words, gate_name, kind_name, silence_words, times, touched_words};
use crate::output::{count, fit};

/// Columns of a title.
const TITLE_COLUMNS: usize = 80;
/// Columns of a prompt in a list.
const HEAD_COLUMNS: usize = 60;

/// The whole story.
pub(crate) fn turn_text(turn: &Turn, titles: &Titles, offset: FixedOffset) -> String {
    let receipt = &turn.receipt;
    let mut lines = vec![
        format!("turn {}, {}", turn.number, receipt.at.minute(offset)),
        format!("  {:<9} \"{}\"", what_came(receipt), printable(&one_line(receipt.head.as_str()))),
        format!("  from      {}", writer(receipt)),
        format!("  session   {}", printable(receipt.session.as_str())),
        format!("  event     {}", turn.event),
        format!("  emission  {}", emission(receipt.mode)),
        format!("  said      {}", said(turn)),
    ];
    for (intent, words) in &receipt.intents {
        lines.push(format!("  intent    {}, shown by: {}", intent.as_str(), printable(&words.join(", "))));
    }
    if !receipt.terms.is_empty() {
        lines.push(format!("  words     {}", printable(&receipt.terms.join(" "))));
        lines.push(format!("  index     {}", count(receipt.corpus, "chunk")));
    }
    lines.extend(receipt.blocks.iter().map(block_line));
    lines.extend(receipt.candidates.iter().zip(1_u32..).flat_map(|(one, n)| item_lines(one, n, receipt, titles)));
    lines.extend(receipt.degraded.iter().map(|doubt| format!("  note      {}", doubt_words(doubt))));
    lines.push(format!("  took      {}", latency(receipt)));
    lines.extend(judgement_lines(turn, offset));
    lines.join("\n")
}

/// One turn in a list.
pub(crate) fn turn_line(turn: &Turn, offset: FixedOffset) -> String {
    let receipt = &turn.receipt;
    let blocks: Vec<&str> = receipt.blocks.iter().map(|block| block.kind.as_str()).collect();
    let outcome = match (&receipt.silenced, blocks.as_slice()) {
        (Some(why), _) => format!("silent: {}", printable(why)),
        (None, []) => String::from("silent: nothing passed"),
        (None, blocks) if receipt.mode == Emission::Shadow => format!("shadow: {}", blocks.join(", ")),
        (None, blocks) => blocks.join(", "),
    };
    let head = fit(&printable(&one_line(receipt.head.as_str())), HEAD_COLUMNS);
    format!("{:>5}  {}  {:<28}  {head}", turn.number, receipt.at.minute(offset), fit(&outcome, 28))
}

/// What deciding it again gives.
pub(crate) fn replay_text(turn: &Turn, differences: &[Difference], titles: &Titles) -> String {
    let (then, now) = (turn.receipt.limits.rules, Limits::default().rules);
    let rules = if then == now {
        format!("under the same rules ({now})")
    } else {
        format!("under other rules: {then} then, {now} now")
    };
    let considered = count(turn.receipt.candidates.len() as u64, "item");
    if differences.is_empty() {
        return format!("turn {}: decided again {rules}, with the same outcome for {considered}", turn.number);
    }
    let mut lines = vec![format!(
        "turn {}: decided again {rules}, with another outcome for {} of {considered}",
        turn.number,
        differences.len()
    )];
    for difference in differences {
        let Some(one) = turn.receipt.candidates.get(difference.at) else { continue };
        lines.push(format!("  {}", named(one, titles)));
        for (when, (block, gate)) in [("then", difference.then), ("now ", difference.now)] {
            let block = block.map_or_else(String::new, |block| format!(", in {}", block.as_str()));
            lines.push(format!("    {when}  {}{block}", gate_name(gate)));
        }
    }
    lines.join("\n")
}

/// The tool that was about to run, or that it was a prompt.
fn what_came(receipt: &Receipt) -> String {
    receipt.tool.as_deref().map_or_else(|| String::from("prompt"), |tool| printable(tool).into_owned())
}

fn writer(receipt: &Receipt) -> &'static str {
    if receipt.tool.is_some() {
        return "the agent, before a tool";
    }
    match (receipt.human, receipt.silenced.as_deref()) {
        (true, _) => "a person",
        (false, Some("subagent") | None) => "a sub-agent",
        (false, Some(_)) => "a program",
    }
}

const fn emission(mode: Emission) -> &'static str {
    match mode {
        Emission::On => "on",
        Emission::Shadow => "shadow: decided and recorded, not shown",
        Emission::Off => "off",
    }
}

/// What came of it in one line.
fn said(turn: &Turn) -> String {
    let receipt = &turn.receipt;
    if let Some(why) = &receipt.silenced {
        return format!("nothing: {}", silence_words(why));
    }
    if receipt.blocks.is_empty() {
        return String::from(match receipt.candidates.len() {
            _ if receipt.degraded.iter().any(|doubt| doubt.starts_with("candidates:")) => {
                "nothing: what is remembered could not be looked up"
            }
            0 => "nothing: no item shares a rare word with the prompt",
            _ => "nothing: no item passed all gates",
        });
    }
    let blocks: Vec<&str> = receipt.blocks.iter().map(|block| block.kind.as_str()).collect();
    let tokens: u64 = receipt.blocks.iter().map(|block| u64::from(block.tokens)).sum();
    let all = format!("{}, about {}", blocks.join(", "), count(tokens, "token"));
    match (receipt.mode, turn.ended) {
        (Emission::Shadow, _) => format!("nothing, but it would have been: {all}"),
        (_, Some((OutcomeKind::Ok, 1..))) => all,
        (_, Some((outcome, 0))) => {
            format!("nothing, although this was ready: {all}; the hook ended as {}", outcome.as_str())
        }
        (_, Some((outcome, _))) => format!("{all}; the hook ended as {}", outcome.as_str()),
        (_, None) => format!("{all}; the hook left no end: it is running, or was killed"),
    }
}

fn block_line(block: &BlockReceipt) -> String {
    let items: Vec<&str> = block.items.iter().map(six_core::record::ItemId::as_str).collect();
    let left = if block.left_out > 0 { format!("; {} left out", block.left_out) } else { String::new() };
    format!(
        "  block     {}: {}, about {}: {}{left}",
        block.kind.as_str(),
        count(u64::from(block.bytes), "byte"),
        count(u64::from(block.tokens), "token"),
        printable(&items.join(", "))
    )
}

fn item_lines(one: &CandidateReceipt, number: u32, receipt: &Receipt, titles: &Titles) -> Vec<String> {
    let mut lines = vec![format!("  item {number:<4} {}", named(one, titles))];
    let mut detail = |text: String| lines.push(format!("            {text}"));
    if !one.tokens.is_empty() {
        let terms = one.tokens.iter().map(|term| {
            let rare = if term.idf >= receipt.limits.rare_idf { ", rare" } else { "" };
            format!("{} (in {}, idf {:.2}{rare})", printable(&term.t), count(term.df, "chunk"), term.idf)
        });
        detail(format!("matches {}; sum {:.2}", terms.collect::<Vec<_>>().join(", "), one.sum));
    }
    if let Some(touched) = one.touched.as_ref().and_then(touched_words) {
        detail(format!("speaks of a call that {touched}"));
    }
    if let Some(cosine) = one.cosine {
        let least = receipt.limits.cosine_among(receipt.limits.min_cosine, receipt.compared);
        let passes = if may_pass_by_meaning(one.kind) {
            format!("{least:.2} passes")
        } else {
            format!("{least:.2} passes with a rare word of its title")
        };
        detail(format!("in meaning {cosine:.2} ({passes})"));
    }
    if !one.anchors.is_empty() {
        let states: Vec<&str> = one.anchors.iter().map(anchor_word).collect();
        detail(format!("cited places: {}", states.join(", ")));
    }
    if one.delivered + one.delivered_stale > 0 && one.verdict != Gate::Damped {
        detail(format!("shown before in this session: {}", times(one.delivered.max(one.delivered_stale))));
    }
    detail(format!("-> {}", fate_words(one, receipt)));
    lines
}

fn named(one: &CandidateReceipt, titles: &Titles) -> String {
    let title = titles.get(&one.item).map_or_else(
        || format!("({}, no longer in the store)", kind_name(one.kind)),
        |title| format!("\"{}\"", fit(&printable(&one_line(title)), TITLE_COLUMNS)),
    );
    format!("{} {title}", printable(one.item.as_str()))
}

/// Milliseconds of each stage: a receipt has the time from the start to the end of each.
fn latency(receipt: &Receipt) -> String {
    let mut from = 0;
    let mut stages: Vec<String> = Vec::new();
    for (name, end) in
        receipt.stages_us.iter().map(|(name, end)| (name.as_str(), *end)).chain([("rest", receipt.took_us)])
    {
        stages.push(format!("{} {}", printable(name), ms(end.saturating_sub(from))));
        from = end;
    }
    if receipt.stages_us.is_empty() {
        return format!("{} ms", ms(receipt.took_us));
    }
    format!("{} ms: {}", ms(receipt.took_us), stages.join(", "))
}

fn ms(us: u64) -> String {
    format!("{}.{}", us / 1_000, us % 1_000 / 100)
}

fn judgement_lines(turn: &Turn, offset: FixedOffset) -> Vec<String> {
    let line = |judged: &six_core::record::Judgement| {
        let note = if judged.note.is_empty() {
            String::new()
        } else {
            format!(": \"{}\"", printable(&one_line(judged.note.as_str())))
        };
        let (verdict, rater, date) =
            (judged.verdict.as_str(), printable(judged.rater.as_str()), judged.at.date(offset));
        format!("  judged    {verdict} by {rater}, {date}{note}")
    };
    turn.judgements.iter().map(line).collect()
}

/// Text whose lines would pose as lines of this story.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use six_core::inject::{Touched, replay};

    use super::super::sample;
    use super::*;

    fn utc() -> FixedOffset {
        FixedOffset::east_opt(0).unwrap()
    }

    #[test]
    fn a_firing_tells_what_was_weighed_and_where_each_item_ended() {
        insta::assert_snapshot!(turn_text(&sample::fired(), &sample::titles(), utc()), @r#"
        turn 12, 2026-01-01 00:00
          prompt    "Build a Parquet writer for the [2Jship manifests."
          from      a person
          session   5e550000-0000-4000-8000-000000000001
          event     ev12
          emission  on
          said      do-not-rebuild, about 103 tokens
          intent    build, shown by: build
          words     parquet manifest writer ship
          index     1204 chunks
          block     do-not-rebuild: 412 bytes, about 103 tokens: decision:manifests; 2 left out
          item 1    decision:manifests "Ship manifests are kept in Parquet files"
                    matches parquet (in 2 chunks, idf 5.99, rare), manifest (in 3 chunks, idf 5.70, rare); sum 11.69
                    cited places: holds
                    shown before in this session: once
                    -> shown in do-not-rebuild
          item 2    subsystem:writer "Manifest writer"
                    matches parquet (in 2 chunks, idf 5.99, rare), manifest (in 3 chunks, idf 5.70, rare); sum 11.69
                    -> fell: shown 3 times in this session already, 3 at most
          item 3    dead_end:csv "Manifests as CSV said all is well"
                    matches parquet (in 2 chunks, idf 5.99, rare), manifest (in 3 chunks, idf 5.70, rare); sum 11.69
                    -> left out: its 1500 units had no room in do-not-rebuild (1600 for all blocks)
          item 4    dead_end:orc (dead end, no longer in the store)
                    matches parquet (in 2 chunks, idf 5.99, rare), manifest (in 3 chunks, idf 5.70, rare); sum 11.69
                    -> left out: do-not-rebuild has its 5 items already
          item 5    decision:quay (decision, no longer in the store)
                    matches ship (in 200 chunks, idf 1.79), writer (in 90 chunks, idf 2.58); sum 4.37
                    in meaning 0.41 (0.34 passes with a rare word of its title)
                    -> fell: of the shared words 0 are rare (idf 3.00 or more), 1 needed
          item 6    correction:tabs (correction, no longer in the store)
                    matches parquet (in 2 chunks, idf 5.99, rare), file (in 400 chunks, idf 0.20); sum 6.19
                    -> fell: the shared words weigh 6.19 together, 7.45 needed
          item 7    decision:lamp (decision, no longer in the store)
                    matches parquet (in 2 chunks, idf 5.99, rare); sum 5.99
                    -> fell: it shares 1 word with the prompt, 2 needed
          item 8    correction:ui (correction, no longer in the store)
                    matches parquet (in 2 chunks, idf 5.99, rare), manifest (in 3 chunks, idf 5.70, rare); sum 11.69
                    -> fell: the correction holds elsewhere
          item 9    subsystem:x (subsystem, no longer in the store)
                    matches parquet (in 2 chunks, idf 5.99, rare), manifest (in 3 chunks, idf 5.70, rare); sum 11.69
                    -> fell: a program entered it, and no person has confirmed it
          note      cited places were not looked at: out-of-time
          note      the project's configuration can't be used, defaults were in force (six config list)
          took      9.1 ms: intent 1.2, candidates 6.3, anchors 0.4, rest 1.2
          judged    justified by ada, 2026-01-01
          judged    noise by bo, 2026-01-01: "known already"
        "#);
    }

    #[test]
    fn a_silent_turn_tells_why_in_a_line() {
        insta::assert_snapshot!(turn_text(&sample::silent(), &Titles::new(), utc()), @r#"
        turn 13, 2026-01-01 00:00
          prompt    "Thanks!"
          from      a person
          session   5e550000-0000-4000-8000-000000000001
          event     ev13
          emission  on
          said      nothing: it asks for nothing to be built, investigated or decided
          took      2.3 ms
        "#);
    }

    #[test]
    fn a_machines_turn_tells_which_program_it_was() {
        insta::assert_snapshot!(turn_text(&sample::machine(), &Titles::new(), utc()), @r#"
        turn 14, 2026-01-01 00:00
          prompt    "<task-notification> done"
          from      a program
          session   5e550000-0000-4000-8000-000000000001
          event     ev14
          emission  on
          said      nothing: a program wrote it (task-notification)
          took      2.3 ms
        "#);
    }

    #[test]
    fn a_call_of_a_tool_tells_what_its_items_speak_of_and_how_often_they_were_told() {
        insta::assert_snapshot!(turn_text(&sample::tool(), &Titles::new(), utc()), @r#"
        turn 15, 2026-01-01 00:00
          Bash      "redis-cli set lease 1"
          from      the agent, before a tool
          session   5e550000-0000-4000-8000-000000000001
          event     ev15
          emission  on
          said      before-you-act, about 95 tokens
          words     redis lease
          index     1204 chunks
          block     before-you-act: 380 bytes, about 95 tokens: dead_end:lock
          item 1    dead_end:lock (dead end, no longer in the store)
                    matches redis (in 2 chunks, idf 5.99, rare), lease (in 3 chunks, idf 5.70, rare); sum 11.69
                    speaks of a call that starts redis-cli
                    cited places: gone
                    -> shown in before-you-act
          item 2    dead_end:cli (dead end, no longer in the store)
                    speaks of a call that starts redis-cli
                    cited places: gone
                    -> fell: told before a tool once in this session already, 1 at most
          item 3    correction:keys (correction, no longer in the store)
                    matches redis (in 2 chunks, idf 5.99, rare); sum 5.99
                    -> fell: it shares 1 word with the call, 2 needed
          took      2.3 ms
        "#);
        let path = Some(six_core::text::Redacted::literal("src/lock.rs"));
        let both = Touched { path, program: Some("make".into()) };
        assert_eq!(touched_words(&both).as_deref(), Some("changes src/lock.rs and starts make"));
    }

    #[test]
    fn what_was_decided_and_not_printed_is_told_as_that() {
        let mut turn = sample::fired();
        let mut told = Vec::new();
        for ended in [Some((OutcomeKind::TimedOut, 0)), None, Some((OutcomeKind::Failed, 655))] {
            turn.ended = ended;
            told.push(said(&turn));
        }
        turn.receipt.mode = Emission::Shadow;
        told.push(said(&turn));
        turn.receipt.blocks.clear();
        told.push(said(&turn));
        turn.receipt.candidates.clear();
        told.push(said(&turn));
        turn.receipt.degraded = vec!["candidates:busy".into()];
        told.push(said(&turn));
        insta::assert_snapshot!(told.join("\n"), @"
        nothing, although this was ready: do-not-rebuild, about 103 tokens; the hook ended as timed-out
        do-not-rebuild, about 103 tokens; the hook left no end: it is running, or was killed
        do-not-rebuild, about 103 tokens; the hook ended as failed
        nothing, but it would have been: do-not-rebuild, about 103 tokens
        nothing: no item passed all gates
        nothing: no item shares a rare word with the prompt
        nothing: what is remembered could not be looked up
        ");
    }

    #[test]
    fn a_list_has_a_line_for_each_turn() {
        let shadow = {
            let mut turn = sample::fired();
            turn.receipt.mode = Emission::Shadow;
            turn
        };
        let turns = [sample::fired(), shadow, sample::silent(), sample::machine(), sample::tool()];
        let lines: Vec<String> = turns.iter().map(|turn| turn_line(turn, utc())).collect();
        insta::assert_snapshot!(lines.join("\n"), @"
        12  2026-01-01 00:00  do-not-rebuild                Build a Parquet writer for the [2Jship manifests.
        12  2026-01-01 00:00  shadow: do-not-rebuild        Build a Parquet writer for the [2Jship manifests.
        13  2026-01-01 00:00  silent: no-intent             Thanks!
        14  2026-01-01 00:00  silent: machine:task-notifi…  <task-notification> done
        15  2026-01-01 00:00  before-you-act                redis-cli set lease 1
        ");
    }

    #[test]
    fn a_replay_that_agrees_says_so_and_one_that_differs_names_every_item() {
        let mut turn = sample::fired();
        turn.receipt.candidates.truncate(2);
        if let Some(damped) = turn.receipt.candidates.get_mut(1) {
            damped.block = None;
        }
        let agrees = replay_text(&turn, &replay(&turn.receipt), &sample::titles());
        if let Some(passed) = turn.receipt.candidates.first_mut() {
            passed.verdict = Gate::TooWeak;
            passed.block = None;
        }
        let differs = replay_text(&turn, &replay(&turn.receipt), &sample::titles());
        turn.receipt.limits.rules = 1;
        let other_rules = replay_text(&turn, &replay(&turn.receipt), &sample::titles());
        insta::assert_snapshot!([agrees, differs, other_rules].join("\n"), @r#"
        turn 12: decided again under the same rules (2), with the same outcome for 2 items
        turn 12: decided again under the same rules (2), with another outcome for 1 of 2 items
          decision:manifests "Ship manifests are kept in Parquet files"
            then  too-weak
            now   passed, in do-not-rebuild
        turn 12: decided again under other rules: 1 then, 2 now, with another outcome for 1 of 2 items
          decision:manifests "Ship manifests are kept in Parquet files"
            then  too-weak
            now   passed, in do-not-rebuild
        "#);
    }
}
