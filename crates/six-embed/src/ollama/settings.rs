//! What a configuration says about the server.

use std::time::Duration;

use super::endpoint::Endpoint;
use super::error::OllamaError;
use super::model_name::ModelName;

/// What a configuration says about the server, as it says it: [`Self::check`] tells whether it can be meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OllamaSettings {
    /// `http://HOST:PORT`.
    pub endpoint: String,
    /// Whether an endpoint that is not a literal loopback address is accepted.
    pub allow_remote: bool,
    /// The model that makes the vectors.
    pub model: String,
    /// The model that stands in when the server does not have the other one.
    pub fallback: Option<String>,
    /// Values of the vectors that the index has of `model`, if it has any.
    pub indexed_width: Option<usize>,
    /// How long a connection may take.
    pub connect_timeout: Duration,
    /// How long the server's metadata and the vector of a query may take, each.
    pub query_timeout: Duration,
    /// How long one request with texts of documents may take.
    pub document_timeout: Duration,
}

impl OllamaSettings {
    /// `model` on this machine, with the times of a hook: a prompt waits for the query.
    ///
    /// A port that nobody listens at refuses within 4 ms, so a connection that takes 0.2 s comes to nothing.
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            endpoint: Endpoint::DEFAULT.to_owned(),
            allow_remote: false,
            model: model.into(),
            fallback: None,
            indexed_width: None,
            connect_timeout: Duration::from_millis(200),
            query_timeout: Duration::from_secs(2),
            document_timeout: Duration::from_secs(60),
        }
    }

    /// Whether endpoint and names can be meant. Asks nobody.
    pub fn check(&self) -> Result<(), OllamaError> {
        self.parse_endpoint()?;
        self.parse_model()?;
        self.parse_fallback()?;
        Ok(())
    }

    pub(crate) fn parse_endpoint(&self) -> Result<Endpoint, OllamaError> {
        let bad = |why| OllamaError::Endpoint { endpoint: without_user(&self.endpoint).to_owned(), why };
        Endpoint::parse(&self.endpoint, self.allow_remote).map_err(bad)
    }

    pub(crate) fn parse_model(&self) -> Result<ModelName, OllamaError> {
        parse_name(&self.model)
    }

    pub(crate) fn parse_fallback(&self) -> Result<Option<ModelName>, OllamaError> {
        self.fallback.as_deref().map(parse_name).transpose()
    }
}

/// What stands behind the user and the password, if there are any: they are repeated nowhere.
fn without_user(endpoint: &str) -> &str {
    endpoint.rsplit_once('@').map_or(endpoint, |(_, host)| host)
}

fn parse_name(text: &str) -> Result<ModelName, OllamaError> {
    ModelName::parse(text).map_err(|why| OllamaError::Name { model: text.to_owned(), why })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ollama::{BadEndpoint, BadModelName};

    #[test]
    fn a_mistake_is_told_without_a_server() {
        let right = OllamaSettings::new("all-minilm");
        assert_eq!(right.check(), Ok(()));
        let remote = OllamaSettings { endpoint: "http://192.0.2.7:11434".to_owned(), ..right.clone() };
        assert!(matches!(remote.check(), Err(OllamaError::Endpoint { why: BadEndpoint::Remote, .. })));
        assert_eq!(OllamaSettings { allow_remote: true, ..remote }.check(), Ok(()));
        let user = OllamaSettings { endpoint: "http://bob:xylo@phone@127.0.0.1:1".to_owned(), ..right.clone() };
        let told = user.check().map_err(|why| why.to_string());
        let words = "\"127.0.0.1:1\" can't be the Ollama endpoint: \
                     a user or a password stands before it, and six sends none: take it out";
        assert_eq!(told, Err(words.to_owned()));
        let fallback = OllamaSettings { fallback: Some(String::new()), ..right };
        assert_eq!(fallback.check(), Err(OllamaError::Name { model: String::new(), why: BadModelName }));
    }
}
