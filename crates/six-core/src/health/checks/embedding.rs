//! Protects: that what is stored and what is asked can be turned into vectors. Without them everything is found by its
//! words alone, and nobody notices.
//!
//! Evidence: one text embedded by the configured provider, end to end; of a server with a fallback, what its metadata says
//! of that. Threshold: none but the time. A server may load its model first, which takes seconds and is no fault: it gets
//! `health.warmup_ms` at a session's start and at least 30 s in `six health`, and beyond [`HealthLimits::max_warm_ms`] a
//! note says how long it took.
//! To do: what the fault asks for, or the model inside six, which asks no network: `six config set embed.provider embedded`.

use crate::config::EmbedProvider;
use crate::health::missing::judge_missing;
use crate::health::{EmbeddingOutcome, Fault, HealthEvidence, HealthLimits, NoEmbedding, Verdict};
use crate::record::Evidence;

const EMBEDDED: &str = "`six config set embed.provider embedded`";

/// Judges what the provider did.
pub(in crate::health) fn judge(evidence: &HealthEvidence, limits: &HealthLimits) -> Verdict {
    let embedding = match &evidence.embedding {
        Evidence::Seen(embedding) => embedding,
        Evidence::Missing(why) => return judge_missing(evidence, *why),
    };
    match &embedding.outcome {
        EmbeddingOutcome::Failed { why, said } => Verdict::red(fault(why), said.as_str(), fix(why)),
        EmbeddingOutcome::Made { stand_in: Some(stand_in), .. } => {
            Verdict::noted(format!("the server does not have the configured model, {stand_in} stands in"))
        }
        EmbeddingOutcome::Made { took_ms, .. }
            if embedding.provider == EmbedProvider::Ollama && *took_ms > limits.max_warm_ms =>
        {
            Verdict::noted(format!("warmed in {}.{} s", took_ms / 1_000, took_ms % 1_000 / 100))
        }
        EmbeddingOutcome::Made { .. } => Verdict::green(),
    }
}

const fn fault(why: &NoEmbedding) -> Fault {
    match why {
        NoEmbedding::Unreachable => Fault::EmbedderUnreachable,
        NoEmbedding::NotOllama => Fault::EmbedderNotOllama,
        NoEmbedding::ModelMissing(_) => Fault::EmbedderModelMissing,
        NoEmbedding::Wedged => Fault::EmbedderWedged,
        NoEmbedding::WrongWidth => Fault::EmbedderWidth,
        NoEmbedding::ImpossibleFallback { .. } => Fault::EmbedderFallback,
        NoEmbedding::EndpointRefused | NoEmbedding::NameRefused => Fault::EmbedderRefused,
        NoEmbedding::BadAnswer => Fault::EmbedderBadAnswer,
        NoEmbedding::Broken => Fault::EmbedderBroken,
        NoEmbedding::Unsupported => Fault::EmbedderUnsupported,
    }
}

fn fix(why: &NoEmbedding) -> String {
    match why {
        NoEmbedding::Unreachable => format!("start Ollama, or {EMBEDDED}"),
        NoEmbedding::NotOllama | NoEmbedding::EndpointRefused => format!(
            "say where Ollama listens, as in `six config set embed.ollama.endpoint http://127.0.0.1:11434`, or {EMBEDDED}"
        ),
        NoEmbedding::ModelMissing(model) => format!("`ollama pull {model}`, then `six health`; or {EMBEDDED}"),
        NoEmbedding::Wedged => {
            format!("restart Ollama (`ollama ps` tells what it is at), then `six health`; or {EMBEDDED}")
        }
        NoEmbedding::WrongWidth => {
            format!("get the model back as it was, or {EMBEDDED}, then `six embed --backfill`")
        }
        NoEmbedding::ImpossibleFallback { to_pull: Some(model) } => {
            format!("`ollama pull {model}`, or `six config unset embed.ollama.fallback`")
        }
        NoEmbedding::ImpossibleFallback { to_pull: None } => "six config unset embed.ollama.fallback".to_owned(),
        NoEmbedding::NameRefused => format!(
            "take it out (`six config unset embed.ollama.model`, `six config unset embed.ollama.fallback`), or {EMBEDDED}"
        ),
        NoEmbedding::BadAnswer => format!("restart or update Ollama, then `six health`; or {EMBEDDED}"),
        NoEmbedding::Broken | NoEmbedding::Unsupported => {
            "install six again and look with `six health`, or `six config set embed.provider ollama`".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::sample::{failures, fresh, sound, without_store};
    use crate::health::{CheckName, EmbeddingEvidence};
    use crate::record::Why;

    fn judged(provider: EmbedProvider, outcome: EmbeddingOutcome) -> Verdict {
        let embedding = Evidence::Seen(EmbeddingEvidence { provider, outcome });
        judge(&HealthEvidence { embedding, ..sound() }, &HealthLimits::default())
    }

    fn made(provider: EmbedProvider, took_ms: u64) -> Verdict {
        judged(provider, EmbeddingOutcome::Made { took_ms, stand_in: None })
    }

    #[test]
    fn a_vector_is_green_on_the_first_run_too() {
        assert_eq!(judge(&sound(), &HealthLimits::default()), Verdict::green());
        assert_eq!(judge(&fresh(), &HealthLimits::default()), Verdict::green());
    }

    #[test]
    fn a_server_that_had_to_load_its_model_is_green_with_the_time_and_one_at_the_limit_without() {
        assert_eq!(made(EmbedProvider::Ollama, 2_000), Verdict::green());
        assert_eq!(made(EmbedProvider::Ollama, 2_001), Verdict::noted("warmed in 2.0 s"));
        assert_eq!(made(EmbedProvider::Ollama, 8_249), Verdict::noted("warmed in 8.2 s"));
        assert_eq!(made(EmbedProvider::Embedded, 8_249), Verdict::green(), "it has nothing to load");
    }

    #[test]
    fn a_fallback_that_stands_in_is_a_note() {
        let outcome = EmbeddingOutcome::Made { took_ms: 9_000, stand_in: Some("ollama/other:latest.p1".into()) };
        let note = "the server does not have the configured model, ollama/other:latest.p1 stands in";
        assert_eq!(judged(EmbedProvider::Ollama, outcome), Verdict::noted(note));
    }

    #[test]
    fn every_failure_has_its_fault_the_provider_s_words_and_a_way_out() {
        let told = failures().map(|why| {
            let outcome = EmbeddingOutcome::Failed { why, said: "as it was said".into() };
            let Verdict::Red { fault, detail, fix } = judged(EmbedProvider::Ollama, outcome) else { panic!() };
            assert_eq!(detail, "as it was said");
            format!("{fault:?}: {fix}")
        });
        insta::assert_snapshot!(told.join("\n"), @r"
        EmbedderUnreachable: start Ollama, or `six config set embed.provider embedded`
        EmbedderNotOllama: say where Ollama listens, as in `six config set embed.ollama.endpoint http://127.0.0.1:11434`, or `six config set embed.provider embedded`
        EmbedderModelMissing: `ollama pull plain:latest`, then `six health`; or `six config set embed.provider embedded`
        EmbedderWedged: restart Ollama (`ollama ps` tells what it is at), then `six health`; or `six config set embed.provider embedded`
        EmbedderWidth: get the model back as it was, or `six config set embed.provider embedded`, then `six embed --backfill`
        EmbedderFallback: `ollama pull other:latest`, or `six config unset embed.ollama.fallback`
        EmbedderFallback: six config unset embed.ollama.fallback
        EmbedderRefused: say where Ollama listens, as in `six config set embed.ollama.endpoint http://127.0.0.1:11434`, or `six config set embed.provider embedded`
        EmbedderRefused: take it out (`six config unset embed.ollama.model`, `six config unset embed.ollama.fallback`), or `six config set embed.provider embedded`
        EmbedderBadAnswer: restart or update Ollama, then `six health`; or `six config set embed.provider embedded`
        EmbedderBroken: install six again and look with `six health`, or `six config set embed.provider ollama`
        EmbedderUnsupported: install six again and look with `six health`, or `six config set embed.provider ollama`
        ");
    }

    #[test]
    fn without_the_store_the_check_is_blocked_and_else_red_by_itself() {
        let limits = HealthLimits::default();
        let missing = |why| Evidence::Missing(why);
        let gone = HealthEvidence { embedding: missing(Why::Corrupt), ..without_store(Why::Corrupt) };
        assert_eq!(judge(&gone, &limits), Verdict::Blocked { by: CheckName::Store });
        let late = HealthEvidence { embedding: missing(Why::OutOfTime), ..sound() };
        assert_eq!(judge(&late, &limits).fault(), Some(Fault::CheckFailed));
    }
}
