//! `six search`

use std::process::ExitCode;

use serde_json::{Value, json};
use six_core::record::{EntryKind, Source, UnixMs};
use six_core::search::{Degraded, Filter, Found, Hit, NoVector, Query, parse_query, snippet};
use six_core::text::{Redactor, printable};
use six_runtime::embed::{Embedding, Patience};
use six_runtime::project::identity::Project;
use six_store::Store;

use crate::cli::SearchArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure, nearest, store_failure};
use crate::output::{ago, object};
use crate::parse::{parse_day, parse_span};

/// Characters of a snippet.
const SNIPPET_CHARS: usize = 400;

/// Runs it: exit code 1 when nothing was found.
pub(crate) fn run(context: &Context, args: &SearchArgs) -> Result<ExitCode, Failure> {
    let filter = Filter {
        kinds: named(&args.kind, "kind", EntryKind::parse, &EntryKind::ALL.map(EntryKind::as_str))?,
        sources: named(&args.source, "source", Source::parse, &Source::ALL.map(Source::as_str))?,
        path: args.path.clone(),
        since: args.since.as_deref().map(|text| parse_since(text, context)).transpose()?,
    };
    let project = context.project()?;
    let store = Context::reader(&project)?;
    let query = query(context, &project, &store, &args.query.join(" "), filter, args.limit.get())?;
    let Found { hits, degraded } = store.search(&query).map_err(|fault| store_failure(&project, &fault))?;
    context.print(&if context.json {
        object(
            "search",
            json!({
                "hits": hits.iter().map(|hit| hit_json(hit, &query)).collect::<Vec<_>>(),
                "degraded": degraded.iter().map(degraded_json).collect::<Vec<_>>(),
            }),
        )
    } else {
        let passages = hits.iter().map(|hit| hit_text(hit, &query, args.explain, context));
        passages.collect::<Vec<_>>().join("\n")
    });
    if !context.json && !degraded.is_empty() {
        let told: Vec<String> = degraded.iter().map(Degraded::to_string).collect();
        context.say(&printable(&told.join("; ")));
    }
    if hits.is_empty() {
        context.say(nothing(&query, args));
        return Ok(Exit::Nothing.into());
    }
    Ok(ExitCode::SUCCESS)
}

/// The question in words and as a vector. A provider that makes none leaves it to the words, and the answer says so.
fn query(
    context: &Context,
    project: &Project,
    store: &Store,
    text: &str,
    filter: Filter,
    limit: usize,
) -> Result<Query, Failure> {
    let config = context.config(project)?;
    let mut query = parse_query(text, filter, limit, context.now);
    query.fusion = config.search.fusion;
    if !query.terms.is_empty() {
        let embedding = Embedding::of(store, &config.embed, Patience::Search);
        let embedding = embedding.map_err(|fault| store_failure(project, &fault))?;
        let made = embedding.embed_query(&Redactor::new().redact(text));
        query.vector = made.map_err(|why| NoVector::Failed(why.to_string()));
    }
    Ok(query)
}

/// Why there may be more to find, with the sentence that a person reads.
fn degraded_json(degraded: &Degraded) -> Value {
    let mut body = json!(degraded);
    if let Some(fields) = body.as_object_mut() {
        fields.insert(String::from("text"), Value::String(degraded.to_string()));
    }
    body
}

/// Why nothing was found, as far as that can be told, and what next.
fn nothing(query: &Query, args: &SearchArgs) -> &'static str {
    let is_filtered = !args.kind.is_empty() || !args.source.is_empty() || args.path.is_some() || args.since.is_some();
    if query.terms.is_empty() {
        "nothing found: there is no word to look for in the query"
    } else if is_filtered {
        "nothing found; with --kind, --source, --path or --since left out more may be"
    } else {
        "nothing found; six status says what has been read"
    }
}

fn named<T>(
    names: &[String],
    what: &str,
    parse: impl Fn(&str) -> Option<T>,
    known: &[&str],
) -> Result<Vec<T>, Failure> {
    names
        .iter()
        .map(|name| {
            parse(&name.replace('-', "_")).ok_or_else(|| {
                let next = nearest(name, known).map_or_else(
                    || format!("one of: {}", known.join(", ")),
                    |near| format!("did you mean --{what} {near}?"),
                );
                Failure::misuse(format_args!("there is no {what} {name:?}"), next)
            })
        })
        .collect()
}

/// A date (its local midnight) or an age.
fn parse_since(text: &str, context: &Context) -> Result<UnixMs, Failure> {
    if let Some(at) = parse_day(text, context.offset).or_else(|| UnixMs::parse_rfc3339(text)) {
        return Ok(at);
    }
    parse_span(text).map(|age| UnixMs(context.now.0.saturating_sub(age))).ok_or_else(|| {
        Failure::misuse(format_args!("--since {text:?} is no time"), "a date (2026-03-14) or an age (7d, 12h, 30m)")
    })
}

/// One hit as programs read it.
pub(crate) fn hit_json(hit: &Hit, query: &Query) -> Value {
    json!({
        "id": hit.id,
        "record": hit.record,
        "kind": hit.kind,
        "source": hit.source,
        "title": hit.title,
        "path": hit.path,
        "lines": hit.lines.map(|(first, last)| [first, last]),
        "session": hit.session,
        "date": hit.at.map(UnixMs::rfc3339),
        "snippet": snippet(&hit.text, &query.terms, SNIPPET_CHARS).text,
        "score": hit.score,
        "parts": hit.parts,
        "label": hit.label,
        "duplicates": hit.duplicates,
    })
}

/// What it is and, of a record, the id that its commands take.
pub(crate) fn kind_and_record(hit: &Hit) -> String {
    let kind = hit.kind.as_str();
    hit.record.as_ref().map_or_else(|| kind.to_owned(), |id| format!("{kind} {id}"))
}

/// One hit as a person reads it: what, where and how old, then the passage with the matches marked.
fn hit_text(hit: &Hit, query: &Query, explain: bool, context: &Context) -> String {
    let mut lines = vec![format!(
        "{} {}{}",
        hit.id,
        kind_and_record(hit),
        if hit.title.is_empty() { String::new() } else { format!("  {}", printable(&hit.title)) }
    )];
    let mut place = Vec::new();
    if let Some(path) = &hit.path {
        place.push(match hit.lines {
            Some((first, last)) => format!("{}:{first}-{last}", printable(path)),
            None => printable(path).into_owned(),
        });
    }
    if let Some(at) = hit.at {
        place.push(ago(context.now, at));
    }
    if !hit.label.is_empty() {
        place.push(hit.label.clone());
    }
    if !hit.duplicates.is_empty() {
        place.push(format!("also: {}", hit.duplicates.len()));
    }
    if !place.is_empty() {
        lines.push(format!("  {}", place.join("  ")));
    }
    let passage = snippet(&hit.text, &query.terms, SNIPPET_CHARS);
    let marked = context.screen.mark(&passage.text, &passage.marks);
    lines.extend(marked.lines().filter(|line| !line.trim().is_empty()).map(|line| format!("    {line}")));
    if explain {
        lines.push(format!("  {}", score_text(hit)));
        if !hit.duplicates.is_empty() {
            lines.push(format!("  the same again: {}", hit.duplicates.join(" ")));
        }
    }
    lines.push(String::new());
    lines.join("\n")
}

/// The arithmetic of a score: what the legs say, the two fused, the factors, and the score as a share of the best hit's.
fn score_text(hit: &Hit) -> String {
    let parts = hit.parts;
    format!(
        "lexical {:.3} and vector {:.3} make {:.3}, x weight {:.3} x freshness {:.3} = {:.3}: score {:.3}, the best is 1",
        parts.lexical,
        parts.vector,
        parts.both,
        parts.weight,
        parts.freshness,
        parts.product(),
        hit.score
    )
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use six_core::record::RecordId;
    use six_core::search::{NoVector, Parts};

    use super::*;
    use crate::output::Screen;

    fn args() -> SearchArgs {
        SearchArgs {
            query: vec![String::from("retry")],
            kind: Vec::new(),
            source: Vec::new(),
            path: None,
            since: None,
            limit: NonZeroUsize::MIN,
            explain: false,
        }
    }

    fn query(words: &str) -> Query {
        parse_query(words, Filter::default(), 10, UnixMs(0))
    }

    fn hit() -> Hit {
        Hit {
            id: String::from("chunk:7"),
            record: None,
            kind: EntryKind::Doc,
            source: Source::Doc,
            title: String::from("Queue > Retries"),
            path: Some(String::from("docs/queue.md")),
            lines: Some((5, 9)),
            session: None,
            at: Some(UnixMs(Context::fixed().now.0 - 3 * UnixMs::DAY_MS)),
            text: String::from("## Retries\n\nEach retry waits longer.\u{1b}[2J"),
            score: 1.0,
            parts: Parts { lexical: 1.0, vector: 0.5, both: 0.75, weight: 1.0, freshness: 0.5 },
            label: String::from("abandoned branch"),
            duplicates: vec![String::from("chunk:9"), String::from("chunk:12")],
        }
    }

    #[test]
    fn a_hit_tells_what_where_and_how_old() {
        insta::assert_snapshot!(hit_text(&hit(), &query("retry"), true, &Context::fixed()), @"
        chunk:7 doc  Queue > Retries
          docs/queue.md:5-9  3 d ago  abandoned branch  also: 2
            ## Retries
            Each retry waits longer.�[2J
          lexical 1.000 and vector 0.500 make 0.750, x weight 1.000 x freshness 0.500 = 0.375: score 1.000, the best is 1
          the same again: chunk:9 chunk:12
        ");
    }

    #[test]
    fn a_hit_that_is_a_record_names_it() {
        let hit = Hit { record: Some(RecordId::new("3f9a2c1e")), kind: EntryKind::DeadEnd, ..hit() };
        assert!(hit_text(&hit, &query("retry"), false, &Context::fixed()).starts_with("chunk:7 dead_end 3f9a2c1e  "));
        assert_eq!(hit_json(&hit, &query("retry"))["record"], "3f9a2c1e");
    }

    #[test]
    fn programs_get_the_parts_and_the_folded_ids_and_why_there_may_be_more() {
        let hit = hit_json(&hit(), &query("retry"));
        assert_eq!(hit["parts"], json!({"lexical": 1.0, "vector": 0.5, "both": 0.75, "weight": 1.0, "freshness": 0.5}));
        assert_eq!(hit["duplicates"], json!(["chunk:9", "chunk:12"]));
        assert_eq!(
            degraded_json(&Degraded::Coverage { embedded: 3, eligible: 8 }),
            json!({
                "reason": "coverage", "embedded": 3, "eligible": 8,
                "text": "3 of 8 texts can be found by meaning so far"
            })
        );
        assert_eq!(
            degraded_json(&Degraded::NoQueryVector { why: NoVector::NotEmbedded }),
            json!({
                "reason": "no_query_vector", "why": "not_embedded",
                "text": "found by words alone: the query was not embedded"
            })
        );
    }

    #[test]
    fn on_a_screen_that_can_the_matches_are_bold() {
        let mut context = Context::fixed();
        context.screen = Screen::bold();
        let text = hit_text(&hit(), &query("longer wait"), false, &context);
        assert!(text.contains("Each retry \u{1b}[1mwaits\u{1b}[0m \u{1b}[1mlonger\u{1b}[0m."), "{text:?}");
    }

    #[test]
    fn nothing_found_is_told_with_what_may_help() {
        let filtered = SearchArgs { path: Some(String::from("docs")), ..args() };
        assert!(nothing(&query("retry"), &args()).contains("six status"));
        assert!(nothing(&query("retry"), &filtered).contains("--path"));
        assert!(nothing(&query(" "), &args()).contains("no word"));
    }

    #[test]
    fn names_are_taken_as_the_commands_spell_them_and_typos_get_advice() {
        let kinds =
            |name: &str| named(&[name.to_owned()], "kind", EntryKind::parse, &EntryKind::ALL.map(EntryKind::as_str));
        assert_eq!(kinds("dead-end").unwrap(), [EntryKind::DeadEnd]);
        insta::assert_snapshot!(kinds("docs").unwrap_err(), @r#"
        six: there is no kind "docs"
          next: did you mean --kind doc?
        "#);
        insta::assert_snapshot!(kinds("zebra").unwrap_err(), @r#"
        six: there is no kind "zebra"
          next: one of: prompt, answer, tool, subagent, summary, doc, memory, ledger, commit, decision, dead_end, correction, cheatsheet, subsystem
        "#);
    }

    #[test]
    fn a_time_is_a_date_or_an_age() {
        let context = Context::fixed();
        let since = |text: &str| parse_since(text, &context).map(|at| (context.now.0 - at.0) / 3_600_000);
        assert_eq!([since("7d").unwrap(), since("12h").unwrap(), since("2025-12-31").unwrap()], [168, 12, 24]);
        insta::assert_snapshot!(since("yesterday").unwrap_err(), @r#"
        six: --since "yesterday" is no time
          next: a date (2026-03-14) or an age (7d, 12h, 30m)
        "#);
        assert!(since("-7d").is_err());
    }
}
