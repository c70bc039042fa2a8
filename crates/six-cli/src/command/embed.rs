//! `six embed`, and the vectors that follow after an ingest.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use six_core::config::{EmbedConfig, EmbedProvider};
use six_core::search::EmbedTranscripts;
use six_core::text::printable;
use six_runtime::embed::{BackfillError, Embedding, Ended, Options, Patience, Provider, Report, all_cores, backfill};
use six_runtime::end::EndSignal;
use six_runtime::ingest::WhenHeld;
use six_runtime::project::identity::Project;
use six_store::{Coverage, Store};

use crate::cli::EmbedArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure, store_failure};
use crate::output::{Bar, count, object};

/// How long a person waits for another run of embedding.
const WAIT: Duration = Duration::from_secs(60);

/// Runs it: exit code 1 when something that should have a vector has none at the end.
pub(crate) fn run(context: &Context, args: &EmbedArgs) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    let config = context.config(&project)?.embed;
    if !args.backfill {
        let store = Context::reader(&project)?;
        let embedding = embedding(&project, &store, &config)?;
        let coverage = embedding.coverage(&store, context.now).map_err(|fault| store_failure(&project, &fault))?;
        context.print(&if context.json {
            object("embed", status_json(&embedding, &coverage))
        } else {
            status_text(&embedding, &coverage)
        });
        return Ok(if embedding.provider.is_ok() { ExitCode::SUCCESS } else { Exit::Nothing.into() });
    }
    let store = context.writer(&project)?;
    let embedding = embedding(&project, &store, &config)?;
    let limit = args.limit.map(usize::from);
    let end = EndSignal::watch();
    let done = complete(context, &project, &store, &embedding, limit, WhenHeld::Wait(WAIT), &end)?;
    if let Some(failure) = done.failure() {
        return Err(failure);
    }
    context.print(&if context.json {
        let mut body = status_json(&embedding, &done.report.coverage);
        if let Some(fields) = body.as_object_mut() {
            fields.insert(String::from("backfill"), done.json());
        }
        object("embed", body)
    } else {
        done.text()
    });
    Ok(match end.exit_code() {
        Some(code) if done.report.ended == Ended::Stopped => code.into(),
        _ if done.is_whole() => ExitCode::SUCCESS,
        _ => Exit::Nothing.into(),
    })
}

/// Embeds what has no vector yet: the step after an ingest. What can't be embedded is found by its words all the same, so
/// that nothing of it is an error.
pub(crate) fn follow(
    context: &Context,
    project: &Project,
    store: &Store,
    config: &EmbedConfig,
    end: &EndSignal,
) -> Result<(String, Value), Failure> {
    let embedding = embedding(project, store, config)?;
    let done = complete(context, project, store, &embedding, None, WhenHeld::Skip, end)?;
    Ok((if done.is_news() { done.text() } else { String::new() }, done.json()))
}

fn embedding(project: &Project, store: &Store, config: &EmbedConfig) -> Result<Embedding, Failure> {
    Embedding::of(store, config, Patience::Person).map_err(|fault| store_failure(project, &fault))
}

fn complete(
    context: &Context,
    project: &Project,
    store: &Store,
    embedding: &Embedding,
    limit: Option<usize>,
    when_held: WhenHeld,
    end: &EndSignal,
) -> Result<Done, Failure> {
    let began = Instant::now();
    let provider = match &embedding.provider {
        Ok(provider) => provider,
        Err(why) => {
            let coverage = embedding.coverage(store, context.now).map_err(|fault| store_failure(project, &fault))?;
            let report = Report { ended: Ended::Failing(why.clone()), coverage, ..Report::default() };
            return Ok(Done { report, took: began.elapsed() });
        }
    };
    let options =
        Options { transcripts: embedding.transcripts, limit, threads: all_cores(), is_over: &|| end.came(), when_held };
    let mut bar = Bar::of_texts(context.quiet || context.json);
    let report = backfill(&project.store_dir, store, provider, &options, &mut bar).map_err(|fault| match fault {
        BackfillError::Store(fault) => store_failure(project, &fault),
        fault @ BackfillError::Lock(_) => Failure::misuse(fault, "six health"),
    })?;
    Ok(Done { report, took: began.elapsed() })
}

/// What a run did, and how long it took.
struct Done {
    report: Report,
    took: Duration,
}

impl Done {
    /// Everything that should have a vector has one, or as much was done as was asked for.
    fn is_whole(&self) -> bool {
        matches!(self.report.ended, Ended::Finished | Ended::Limit) && self.report.failed == 0
    }

    /// Whether there is anything to tell after an ingest.
    fn is_news(&self) -> bool {
        self.report.embedded > 0 || !self.is_whole()
    }

    /// What kept the whole run from being done.
    fn failure(&self) -> Option<Failure> {
        match &self.report.ended {
            Ended::Failing(why) => Some(Failure::misuse(
                format_args!("the vectors can't be made: {why} ({} so far)", covered(&self.report.coverage)),
                "put that right, or six config set embed.provider embedded; then six embed --backfill",
            )),
            Ended::Held => Some(Failure::new(
                Exit::Misuse,
                format_args!("another six has been embedding this project for {} s", WAIT.as_secs()),
                "wait for it to end, then run this again",
            )),
            Ended::Finished | Ended::Limit | Ended::Stopped => None,
        }
    }

    fn text(&self) -> String {
        let report = &self.report;
        let covered = covered(&report.coverage);
        let mut lines = vec![match &report.ended {
            Ended::Finished | Ended::Limit if report.embedded == 0 => format!("nothing to embed: {covered}"),
            Ended::Finished | Ended::Limit => format!("embedded {}: {covered}", self.speed()),
            Ended::Stopped => format!("stopped; embedded {}: {covered}. To go on: six embed --backfill", self.speed()),
            Ended::Failing(why) => format!("not embedded: {why}; {covered}. Once that works: six embed --backfill"),
            Ended::Held => String::from("another six is embedding, and makes the new vectors too"),
        }];
        if report.discarded > 0 {
            lines.push(format!(
                "  thrown away, since they did not belong to their texts: {}",
                count(report.discarded, "vector")
            ));
        }
        lines.extend(
            report.failures.iter().map(|failure| format!("  no vector: {} ({})", one_line(&failure.text), failure.why)),
        );
        let unnamed = report.failed.saturating_sub(u64::try_from(report.failures.len()).unwrap_or(u64::MAX));
        if unnamed > 0 {
            lines.push(format!("  no vector: {unnamed} more"));
        }
        lines.join("\n")
    }

    fn speed(&self) -> String {
        let tenths = u64::try_from(self.took.as_millis() / 100).unwrap_or(u64::MAX);
        format!("{} in {}.{} s", count(self.report.embedded, "text"), tenths / 10, tenths % 10)
    }

    fn json(&self) -> Value {
        let report = &self.report;
        json!({
            "ended": match &report.ended {
                Ended::Finished => "finished",
                Ended::Limit => "limit",
                Ended::Stopped => "stopped",
                Ended::Failing(_) => "failing",
                Ended::Held => "held",
            },
            "error": match &report.ended {
                Ended::Failing(why) => Some(why.to_string()),
                _ => None,
            },
            "embedded": report.embedded,
            "failed": report.failed,
            "failures": report.failures.iter().map(|failure| json!({
                "text": failure.text,
                "error": failure.why.to_string(),
            })).collect::<Vec<_>>(),
            "discarded": report.discarded,
            "took_ms": u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX),
            "coverage": coverage_json(&report.coverage),
        })
    }
}

fn covered(coverage: &Coverage) -> String {
    let Coverage { eligible, embedded, other_model, .. } = *coverage;
    let other = if other_model > 0 { format!(" ({other_model} have one of another model)") } else { String::new() };
    format!("{embedded} of {} have a vector{other}", count(eligible, "text"))
}

fn one_line(text: &str) -> String {
    printable(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn coverage_json(coverage: &Coverage) -> Value {
    json!({
        "eligible": coverage.eligible,
        "embedded": coverage.embedded,
        "other_model": coverage.other_model,
    })
}

fn status_json(embedding: &Embedding, coverage: &Coverage) -> Value {
    let provider = embedding.provider.as_ref();
    let model = provider.ok().map(Provider::model);
    json!({
        "provider": embedding.name,
        "model": model.as_ref().map(|model| &model.name),
        "width": model.as_ref().map(|model| model.width),
        "path": provider.ok().and_then(Provider::path),
        "transcripts": embedding.transcripts,
        "error": provider.err().map(ToString::to_string),
        "coverage": coverage_json(coverage),
    })
}

fn status_text(embedding: &Embedding, coverage: &Coverage) -> String {
    let mut lines = vec![format!("provider  {}", provider_word(embedding.name))];
    match &embedding.provider {
        Ok(provider) => {
            let model = provider.model();
            lines.push(format!("model     {}, {} values", printable(&model.name), model.width));
            lines.extend(provider.path().map(|path| format!("runs on   {path}")));
        }
        Err(why) => lines.push(format!("fails     {}", printable(&why.to_string()))),
    }
    lines.push(format!("vectors   {}", covered(coverage)));
    lines.push(format!("turns     {}", turns_word(embedding.transcripts)));
    if coverage.embedded < coverage.eligible {
        lines.push(String::from("The others follow after the next session, or now: six embed --backfill"));
    }
    lines.join("\n")
}

const fn provider_word(provider: EmbedProvider) -> &'static str {
    match provider {
        EmbedProvider::Embedded => "embedded: the model inside this program",
        EmbedProvider::Ollama => "ollama",
    }
}

const fn turns_word(transcripts: EmbedTranscripts) -> &'static str {
    match transcripts {
        EmbedTranscripts::Off => "found by their words alone (embed.transcripts off)",
        EmbedTranscripts::Recent => "those of the last weeks have vectors (embed.transcripts recent)",
        EmbedTranscripts::All => "all have vectors (embed.transcripts all)",
    }
}

#[cfg(test)]
mod tests {
    use six_runtime::embed::{EmbedError, Failure as Unembedded, OllamaError};

    use super::*;

    fn done(ended: Ended, embedded: u64, covered: u64) -> Done {
        let coverage = Coverage { eligible: 130, embedded: covered, ..Coverage::default() };
        Done { report: Report { ended, embedded, coverage, ..Report::default() }, took: Duration::from_millis(3_250) }
    }

    fn refused() -> Ended {
        let (endpoint, why) = (String::from("127.0.0.1:1"), String::from("connection refused"));
        Ended::Failing(OllamaError::Unreachable { endpoint, why }.into())
    }

    #[test]
    fn a_run_says_what_it_did_and_how_far_the_store_is() {
        let texts = [
            done(Ended::Finished, 120, 130),
            done(Ended::Finished, 0, 130),
            done(Ended::Limit, 1, 41),
            done(Ended::Stopped, 30, 40),
            done(refused(), 30, 40),
            done(Ended::Held, 0, 0),
        ];
        insta::assert_snapshot!(texts.map(|done| done.text()).join("\n"), @r"
        embedded 120 texts in 3.2 s: 130 of 130 texts have a vector
        nothing to embed: 130 of 130 texts have a vector
        embedded 1 text in 3.2 s: 41 of 130 texts have a vector
        stopped; embedded 30 texts in 3.2 s: 40 of 130 texts have a vector. To go on: six embed --backfill
        not embedded: no Ollama server can be reached at 127.0.0.1:1: connection refused; 40 of 130 texts have a vector. Once that works: six embed --backfill
        another six is embedding, and makes the new vectors too
        ");
    }

    #[test]
    fn what_failed_and_what_was_thrown_away_is_named() {
        let mut done = done(Ended::Finished, 100, 123);
        done.report.failed = 7;
        let why = EmbedError::ThreadDied;
        done.report.failures = vec![Unembedded { text: String::from("a\u{1b}[31m\nlong text"), why }];
        done.report.discarded = 1;
        done.report.coverage.other_model = 2;
        insta::assert_snapshot!(done.text(), @r"
        embedded 100 texts in 3.2 s: 123 of 130 texts have a vector (2 have one of another model)
          thrown away, since they did not belong to their texts: 1 vector
          no vector: a�[31m long text (a thread that made vectors has died)
          no vector: 6 more
        ");
        assert!(!done.is_whole());
    }

    #[test]
    fn a_provider_that_fails_is_an_error_with_a_way_out() {
        assert!(done(Ended::Stopped, 30, 40).failure().is_none());
        insta::assert_snapshot!(done(refused(), 30, 40).failure().unwrap(), @r"
        six: the vectors can't be made: no Ollama server can be reached at 127.0.0.1:1: connection refused (40 of 130 texts have a vector so far)
          next: put that right, or six config set embed.provider embedded; then six embed --backfill
        ");
    }
}
