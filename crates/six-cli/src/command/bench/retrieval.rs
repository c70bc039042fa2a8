//! `six bench retrieval`

use std::process::ExitCode;

use serde_json::json;
use six_core::search::{Leg, Legs};
use six_runtime::embed::Provider;

use super::corpus::{Corpus, provider};
use super::machine::{machine, versions};
use super::measure::Measures;
use super::scores::{Scores, SetSummary};
use super::set::{Group, Question, Set};
use super::sources::gather_sets;
use super::verdict::{Loss, judge, losses};
use crate::cli::RetrievalArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::{Bar, count, object};

/// Runs it.
pub(crate) fn run(context: &Context, args: &RetrievalArgs) -> Result<ExitCode, Failure> {
    let sets = gather_sets(context, &args.set, args.data.as_deref())?;
    let provider = provider()?;
    let measured = sets.iter().map(|set| measure(context, set, &provider)).collect::<Result<Vec<_>, _>>()?;
    let losses = losses(&measured);
    context.print(&if context.json {
        object(
            "bench-retrieval",
            json!({
                "sets": measured,
                "losses": losses,
                "verdict": judge(&measured),
                "machine": machine(),
                "versions": versions(&provider),
            }),
        )
    } else {
        as_text(&measured, args.losses.then_some(&losses))
    });
    Ok(ExitCode::SUCCESS)
}

fn measure(context: &Context, set: &Set, provider: &Provider) -> Result<SetSummary, Failure> {
    let documents = set.groups.iter().map(|group| group.documents.len()).sum();
    context.say(&format!("{}: {}, {}", set.name, count(documents as u64, "document"), asked(set.questions())));
    let mut all = Vec::with_capacity(set.questions());
    for group in &set.groups {
        all.extend(ask(context, group, provider)?);
    }
    Ok(SetSummary::of(&set.name, documents, set.left_out, &all))
}

fn asked(questions: usize) -> String {
    if questions == 1 { String::from("1 query") } else { format!("{questions} queries") }
}

fn ask(context: &Context, group: &Group, provider: &Provider) -> Result<Vec<(Option<String>, Scores)>, Failure> {
    let corpus = Corpus::take_in(&group.documents, provider, context.now)?;
    corpus.embed(&mut Bar::of_texts(context.quiet || context.json))?;
    let ask = |question: &Question| Ok((question.kind.clone(), scores(&corpus, question)?));
    group.questions.iter().map(ask).collect()
}

fn scores(corpus: &Corpus<'_>, question: &Question) -> Result<Scores, Failure> {
    let asked = corpus.question(&question.text)?;
    let measures = |legs| Ok(Measures::of(&corpus.ranking(&asked, legs)?, &question.relevant));
    Ok(Scores {
        lexical: measures(Legs::Only(Leg::Lexical))?,
        vector: measures(Legs::Only(Leg::Vector))?,
        fused: measures(Legs::Both)?,
    })
}

fn as_text(sets: &[SetSummary], losses: Option<&Vec<Loss>>) -> String {
    let width = sets.iter().map(|set| set.name.chars().count()).max().unwrap_or(0).max(3);
    let mut lines = vec![format!(
        "{:<width$}  {:>7}  {:<7}  {:>8}  {:>9}  {:>7}  {:>6}",
        "set", "queries", "by", "recall@5", "recall@10", "nDCG@10", "MRR@10"
    )];
    for set in sets {
        for (at, (way, measures)) in set.whole.scores.ways().into_iter().enumerate() {
            let [recall_5, recall_10, ndcg_10, mrr_10] = measures.values().map(|value| value * 100.0);
            let (name, queries) =
                if at == 0 { (set.name.as_str(), set.whole.queries.to_string()) } else { ("", String::new()) };
            lines.push(format!(
                "{name:<width$}  {queries:>7}  {way:<7}  {recall_5:>8.1}  {recall_10:>9.1}  {ndcg_10:>7.1}  {mrr_10:>6.1}"
            ));
        }
    }
    lines.push(String::new());
    lines.push(judge(sets));
    let left_out: usize = sets.iter().map(|set| set.left_out).sum();
    if left_out > 0 {
        lines.push(format!("{} that nothing answers left out", asked(left_out)));
    }
    if let Some(losses) = losses {
        lines.push(if losses.is_empty() { String::from("no loss at all") } else { String::from("losses, in points:") });
        lines.extend(losses.iter().map(|loss| format!("  {} ({})", loss.text(), asked(loss.queries))));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_shows_every_way_and_ends_with_the_verdict() {
        let measures = |value: f64| Measures { recall_5: value, recall_10: value, ndcg_10: value, mrr_10: value };
        let scores = Scores { lexical: measures(0.5), vector: measures(0.25), fused: measures(0.484) };
        let set = SetSummary::of("quay", 3, 2, &[(Some(String::from("where")), scores)]);
        let losses = losses(std::slice::from_ref(&set));
        insta::assert_snapshot!(as_text(&[set], Some(&losses)), @r"
        set   queries  by       recall@5  recall@10  nDCG@10  MRR@10
        quay        1  lexical      50.0       50.0     50.0    50.0
                       vector       25.0       25.0     25.0    25.0
                       fused        48.4       48.4     48.4    48.4

        fused above lexical (nDCG@10) on 0 of 1 sets; lower by more than a point: quay recall@5 -1.6, quay recall@10 -1.6, quay ndcg@10 -1.6, quay mrr -1.6
        2 queries that nothing answers left out
        losses, in points:
          quay recall@5 -1.6 (1 query)
          quay recall@10 -1.6 (1 query)
          quay ndcg@10 -1.6 (1 query)
          quay mrr -1.6 (1 query)
          quay (where) recall@5 -1.6 (1 query)
          quay (where) recall@10 -1.6 (1 query)
          quay (where) ndcg@10 -1.6 (1 query)
          quay (where) mrr -1.6 (1 query)
        ");
    }
}
