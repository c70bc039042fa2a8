//! Whether texts are found by what they mean, and whether the provider makes vectors at all: the evidence of the checks
//! `vectors` and `embedding`.

use six_core::health::{EmbeddingEvidence, VectorProbe, VectorsEvidence};
use six_core::record::UnixMs;
use six_core::text::{Redacted, Redactor};
use six_embed::EmbedError;
use six_store::{Coverage, Store, StoreError};

use super::provider::{Embedding, Provider};

/// What is asked of a provider that has made no vector yet, to see whether it makes any.
const ANY_TEXT: &str = "harbour";

/// How far the store is and whether one text comes back.
pub fn gather_vectors(store: &Store, embedding: &Embedding, now: UnixMs) -> Result<VectorsEvidence, StoreError> {
    let Coverage { eligible, embedded, lost, orphans, .. } = embedding.coverage(store, now)?;
    let probe = match &embedding.provider {
        _ if eligible == 0 => VectorProbe::NothingToFind,
        Ok(provider) => look_for_one(store, provider)?,
        Err(why) => no_query(why),
    };
    let idle_boundaries = store.boundaries_since_embedding(now)?;
    Ok(VectorsEvidence { eligible, embedded, lost, orphans, idle_boundaries, probe })
}

/// One embedding end to end.
pub fn gather_embedding(_: &Store, _: &Embedding) -> Result<EmbeddingEvidence, StoreError> {
    Ok(EmbeddingEvidence::default())
}

/// Looks for one text by its own vector through the leg that searches use. A session start waits for that vector, and the
/// one of a long text takes forty milliseconds: a short one is picked.
pub(super) fn look_for_one(store: &Store, provider: &Provider) -> Result<VectorProbe, StoreError> {
    let Some((body, text)) = store.any_short_embedded(&provider.model())? else {
        return Ok(match provider.embed_query(&Redacted::literal(ANY_TEXT)) {
            Ok(_) => VectorProbe::NothingToFind,
            Err(why) => no_query(&why),
        });
    };
    Ok(match provider.embed_document(&Redactor::new().redact(&text)) {
        Err(why) => no_query(&why),
        Ok(vector) if store.finds_by_vector(body, &vector)? => VectorProbe::Found,
        Ok(_) => VectorProbe::NotFound,
    })
}

/// What a server says, and the name of a model, are words of others: what is kept of them went through the redactor.
fn no_query(why: &EmbedError) -> VectorProbe {
    VectorProbe::NoQuery { why: Redactor::new().redact(&why.to_string()).to_string() }
}
