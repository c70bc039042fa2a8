//! Ollama's JSON: what is sent, and what is read of what comes back.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::error::Flaw;

/// How long the server keeps the model in memory after a request. The same on every request, since each sets it anew;
/// longer than a pause between two prompts, since loading a model takes longer than a prompt may wait.
const KEEP_ALIVE: &str = "4h";

/// The same for a model that writes: it is needed for some minutes after a session and is much larger.
const WRITER_KEEP_ALIVE: &str = "5m";

/// Tokens of the context of a model that writes: the notes, the rules and the answer. Another number on the next request
/// would make the server load the model again.
const WRITER_CONTEXT: usize = 4_096;
/// Tokens that it may write.
const WRITER_TOKENS: usize = 320;
/// The same notes give the same words, so that asking again is never a second opinion.
const WRITER_SEED: u64 = 6;

/// Vectors wider than this, and contexts longer, are no model's.
const LARGEST_WIDTH: u64 = 65_536;
const LARGEST_CONTEXT: u64 = 1 << 24;

/// Characters of a server's text that a message repeats.
const SAID: usize = 200;

/// What the server says of a model without loading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Metadata {
    /// Values of a vector.
    pub(crate) width: usize,
    /// Tokens that the model was trained to read at once.
    pub(crate) context: usize,
}

#[derive(Deserialize)]
struct GenerateAnswer {
    response: String,
}

#[derive(Deserialize)]
struct ShowAnswer {
    model_info: Map<String, Value>,
}

#[derive(Deserialize)]
struct EmbedAnswer {
    embeddings: Vec<Vec<f32>>,
}

#[derive(Deserialize)]
struct ErrorAnswer {
    error: String,
}

/// The body of a request for the metadata of `model`.
pub(crate) fn render_show(model: &str) -> String {
    json!({ "model": model }).to_string()
}

/// The body of a request for the vectors of `input`.
///
/// `num_ctx` has to be the same on every request: another one makes the server load the model again. Truncation is
/// switched off because some versions do it and others refuse all the same, and a text must not get another vector
/// from another version.
pub(crate) fn render_embed(model: &str, context: usize, input: &[String]) -> String {
    let options = json!({ "num_ctx": context });
    json!({ "model": model, "input": input, "truncate": false, "options": options, "keep_alive": KEEP_ALIVE })
        .to_string()
}

/// The body of a request for words by `rules` about `notes`.
pub(crate) fn render_generate(model: &str, rules: &str, notes: &str) -> String {
    let options = json!({
        "num_ctx": WRITER_CONTEXT,
        "num_predict": WRITER_TOKENS,
        "seed": WRITER_SEED,
        "temperature": 0,
    });
    json!({
        "model": model,
        "system": rules,
        "prompt": notes,
        "stream": false,
        "options": options,
        "keep_alive": WRITER_KEEP_ALIVE,
    })
    .to_string()
}

/// Reads what a model wrote.
pub(crate) fn parse_generate(body: &[u8]) -> Result<String, Flaw> {
    let GenerateAnswer { response } = serde_json::from_slice(body).map_err(unreadable)?;
    Ok(response)
}

/// Reads width and context of a model.
pub(crate) fn parse_show(body: &[u8]) -> Result<Metadata, Flaw> {
    let ShowAnswer { model_info } = serde_json::from_slice(body).map_err(unreadable)?;
    let architecture = model_info.get("general.architecture").and_then(Value::as_str).unwrap_or_default();
    let number = |what: &'static str, largest: u64| {
        let found = model_info.get(&format!("{architecture}.{what}")).and_then(Value::as_u64);
        let found = found.filter(|number| (1..=largest).contains(number));
        found.and_then(|number| usize::try_from(number).ok()).ok_or(Flaw::Metadata(what))
    };
    Ok(Metadata {
        width: number("embedding_length", LARGEST_WIDTH)?,
        context: number("context_length", LARGEST_CONTEXT)?,
    })
}

/// Reads the vectors of `texts` texts, as the server gave them.
pub(crate) fn parse_embed(body: &[u8], texts: usize) -> Result<Vec<Vec<f32>>, Flaw> {
    let EmbedAnswer { embeddings } = serde_json::from_slice(body).map_err(unreadable)?;
    if embeddings.len() == texts {
        Ok(embeddings)
    } else {
        Err(Flaw::Count { expected: texts, found: embeddings.len() })
    }
}

/// What the server says in an answer that is a failure; nothing if that is not said in its way.
pub(crate) fn parse_error(body: &[u8]) -> Option<String> {
    serde_json::from_slice(body).ok().map(|ErrorAnswer { error }| error)
}

/// A text of a server, fit to be shown: one line, bounded, without control characters.
pub(crate) fn said(text: &str) -> String {
    let printable = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let mut line = String::new();
    for word in printable.take(SAID) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().take(SAID));
    }
    line.chars().take(SAID).collect()
}

#[expect(clippy::needless_pass_by_value, reason = "it is what map_err gives")]
fn unreadable(error: serde_json::Error) -> Flaw {
    Flaw::Unreadable(said(&error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn show(info: &Value) -> Result<Metadata, Flaw> {
        parse_show(json!({ "model_info": info, "details": {} }).to_string().as_bytes())
    }

    #[test]
    fn width_and_context_are_those_of_the_architecture() {
        let info = json!({
            "general.architecture": "nomic-bert",
            "nomic-bert.embedding_length": 768,
            "nomic-bert.context_length": 2048,
            "vision.embedding_length": 9,
        });
        assert_eq!(show(&info), Ok(Metadata { width: 768, context: 2048 }));
    }

    #[test]
    fn numbers_that_cannot_be_true_are_refused() {
        for width in [json!(0), json!(-1), json!(1e30), json!("384"), json!(65_537), json!(null)] {
            let info = json!({"general.architecture": "a", "a.embedding_length": width, "a.context_length": 1});
            assert_eq!(show(&info), Err(Flaw::Metadata("embedding_length")), "{width}");
        }
        assert_eq!(show(&json!({})), Err(Flaw::Metadata("embedding_length")));
    }

    #[test]
    fn every_request_for_vectors_has_the_same_options() {
        insta::assert_snapshot!(
            render_embed("m:latest", 512, &["a".to_owned(), "b\n".to_owned()]),
            @r#"{"input":["a","b\n"],"keep_alive":"4h","model":"m:latest","options":{"num_ctx":512},"truncate":false}"#
        );
    }

    #[test]
    fn every_request_for_words_has_the_same_options() {
        insta::assert_snapshot!(
            render_generate("m:latest", "Be short.", "a\n"),
            @r#"{"keep_alive":"5m","model":"m:latest","options":{"num_ctx":4096,"num_predict":320,"seed":6,"temperature":0},"prompt":"a\n","stream":false,"system":"Be short."}"#
        );
    }

    #[test]
    fn what_a_server_said_is_one_short_line() {
        assert_eq!(said("  out\tof\u{1b}[31m\r\nmemory\u{0} "), "out of [31m memory");
        assert_eq!(said(&"ä".repeat(1000)).chars().count(), SAID);
    }

    proptest! {
        #[test]
        fn no_control_character_of_a_server_is_shown(text in any::<String>()) {
            let line = said(&text);
            prop_assert!(line.chars().count() <= SAID && !line.chars().any(char::is_control));
        }

        #[test]
        fn whatever_comes_is_read_or_refused(body in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = (parse_show(&body), parse_embed(&body, 1), parse_generate(&body), parse_error(&body));
        }
    }
}
