//! `six search`

use std::process::ExitCode;

use chrono::{NaiveDate, NaiveTime};
use serde_json::{Value, json};
use six_core::record::{EntryKind, Source, UnixMs};
use six_core::search::{Filter, Hit, Query, parse_query, snippet};
use six_core::text::printable;

use crate::cli::SearchArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure, nearest, store_failure};
use crate::output::{age, object, print};

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
    let query = parse_query(&args.query.join(" "), filter, args.limit);
    let hits = store.search(&query).map_err(|fault| store_failure(&project, &fault))?;
    print(&if context.json {
        object(
            "search",
            json!({"hits": hits.iter().map(|hit| hit_json(hit, &query)).collect::<Vec<_>>(), "degraded": []}),
        )
    } else {
        hits.iter().map(|hit| hit_text(hit, &query, args.explain, context.now)).collect::<Vec<_>>().join("\n")
    });
    if hits.is_empty() {
        context.say("nothing found");
        return Ok(Exit::Nothing.into());
    }
    Ok(ExitCode::SUCCESS)
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
            parse(name).ok_or_else(|| {
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
    let ms_per = |unit: char| match unit {
        'm' => Some(60_000),
        'h' => Some(3_600_000),
        'd' => Some(UnixMs::DAY_MS),
        'w' => Some(7 * UnixMs::DAY_MS),
        _ => None,
    };
    if let Ok(date) = NaiveDate::parse_from_str(text, "%Y-%m-%d") {
        let midnight = date.and_time(NaiveTime::MIN).and_utc().timestamp_millis();
        return Ok(UnixMs(midnight - i64::from(context.offset.local_minus_utc()) * 1000));
    }
    if let Some(at) = UnixMs::parse_rfc3339(text) {
        return Ok(at);
    }
    let age = text
        .char_indices()
        .last()
        .and_then(|(end, unit)| text.get(..end)?.parse::<i64>().ok()?.checked_mul(ms_per(unit)?));
    age.map(|age| UnixMs(context.now.0.saturating_sub(age))).ok_or_else(|| {
        Failure::misuse(format_args!("--since {text:?} is no time"), "a date (2026-03-14) or an age (7d, 12h, 30m)")
    })
}

/// One hit as programs read it.
pub(crate) fn hit_json(hit: &Hit, query: &Query) -> Value {
    json!({
        "id": hit.id,
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
    })
}

/// One hit as a person reads it: what, where and how old, then the passage.
fn hit_text(hit: &Hit, query: &Query, explain: bool, now: UnixMs) -> String {
    let mut lines = vec![format!(
        "{} {}{}",
        hit.id,
        hit.kind.as_str(),
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
        place.push(age(now, at));
    }
    if !hit.label.is_empty() {
        place.push(hit.label.clone());
    }
    if !place.is_empty() {
        lines.push(format!("  {}", place.join("  ")));
    }
    let passage = snippet(&hit.text, &query.terms, SNIPPET_CHARS);
    lines.extend(printable(&passage.text).lines().map(|line| format!("    {line}")));
    if explain {
        let parts = hit.parts;
        lines.push(format!(
            "  score {:.3} = lexical {:.3} x weight {:.3} x freshness {:.3}",
            hit.score, parts.lexical, parts.weight, parts.freshness
        ));
    }
    lines.push(String::new());
    lines.join("\n")
}
