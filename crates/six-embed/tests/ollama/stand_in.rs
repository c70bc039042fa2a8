//! A model that stands in for one that the server does not have.

use six_embed::ollama::{Ollama, OllamaError, OllamaSettings, Unfit};
use six_embed::{EmbedError, Embedder};

use crate::fake::Fake;
use crate::{MODEL, lengths, settings};

const MODELS: &[(&str, usize)] = &[MODEL, ("other:latest", 4), ("wide:latest", 8)];

fn asked(fake: &Fake, model: &str, fallback: &str, indexed_width: Option<usize>) -> OllamaSettings {
    let fallback = Some(fallback.to_owned());
    OllamaSettings { model: model.to_owned(), fallback, indexed_width, ..settings(fake) }
}

fn impossible(model: &str, fallback: &str, why: Unfit) -> EmbedError {
    let (model, fallback) = (model.to_owned(), fallback.to_owned());
    OllamaError::ImpossibleFallback { fallback, model, why }.into()
}

fn id(settings: &OllamaSettings) -> Result<String, EmbedError> {
    Ollama::open(settings).map(|ollama| ollama.id().to_owned())
}

#[test]
fn a_fallback_is_judged_by_metadata_and_nothing_is_loaded() {
    let fake = Fake::with_models(MODELS, lengths);
    let check = |fallback| Ollama::check_fallback(&asked(&fake, "plain", fallback, None));
    assert_eq!(check("other"), Ok(()));
    let width = Unfit::Width { expected: 4, found: 8 };
    assert_eq!(check("wide"), Err(impossible("plain:latest", "wide:latest", width)));
    assert_eq!(check("absent"), Err(impossible("plain:latest", "absent:latest", Unfit::Missing)));
    assert_eq!(check("plain:latest"), Err(impossible("plain:latest", "plain:latest", Unfit::Same)));
    assert_eq!(Ollama::check_fallback(&settings(&fake)), Ok(()));
    assert_eq!(fake.embeds().len(), 0);
}

#[test]
fn a_fallback_for_a_missing_model_is_judged_by_the_index() {
    let fake = Fake::with_models(MODELS, lengths);
    let check = |indexed_width| Ollama::check_fallback(&asked(&fake, "absent", "wide", indexed_width));
    assert_eq!(check(Some(8)), Ok(()));
    let width = Unfit::Width { expected: 4, found: 8 };
    assert_eq!(check(Some(4)), Err(impossible("absent:latest", "wide:latest", width)));
    assert!(matches!(check(None), Err(EmbedError::Ollama(OllamaError::ModelMissing { .. }))));
}

#[test]
fn the_model_is_preferred_to_its_fallback() {
    let fake = Fake::with_models(MODELS, lengths);
    assert_eq!(id(&asked(&fake, "plain", "other", Some(4))), Ok("ollama/plain:latest.p1".to_owned()));
    assert_eq!(fake.requests().len(), 1, "a fallback that is not needed costs nothing");
}

#[test]
fn a_fallback_stands_in_for_a_missing_model_under_its_own_id() {
    let fake = Fake::with_models(MODELS, lengths);
    let ollama = Ollama::open(&asked(&fake, "absent", "other", Some(4))).expect("the fallback fits");
    assert_eq!((ollama.id(), ollama.stands_in()), ("ollama/other:latest.p1", true));
    assert!(ollama.embed(&["a"]).is_ok());
    assert_eq!(fake.embeds()[0]["model"], "other:latest");
}

#[test]
fn a_fallback_that_does_not_fit_never_stands_in() {
    let fake = Fake::with_models(MODELS, lengths);
    let width = Unfit::Width { expected: 4, found: 8 };
    assert_eq!(id(&asked(&fake, "absent", "wide", Some(4))), Err(impossible("absent:latest", "wide:latest", width)));
    let missing = impossible("absent:latest", "gone:latest", Unfit::Missing);
    assert_eq!(id(&asked(&fake, "absent", "gone", Some(4))), Err(missing));
    let model = id(&asked(&fake, "absent", "other", None));
    assert!(matches!(model, Err(EmbedError::Ollama(OllamaError::ModelMissing { .. }))), "no index to fit into");
}
