//! What a model wants to read before a query and before a document.

use super::model_name::ModelName;

/// The words before a text that a model was trained with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Prompts {
    /// Before what somebody looks for.
    pub(crate) query: &'static str,
    /// Before what may be found.
    pub(crate) document: &'static str,
}

/// Counts changes of [`FAMILIES`]. It is part of an embedder's id: other words before a text make another vector.
pub(crate) const VERSION: u32 = 1;

const NONE: Prompts = Prompts { query: "", document: "" };
const SENTENCE: Prompts = Prompts { query: "Represent this sentence for searching relevant passages: ", document: "" };
const QUERY: Prompts = Prompts { query: "query: ", document: "" };

/// Words of the names of each family, all of which a member has, and its prompts as the card of the model gives them.
/// The first that fits counts, so that members that differ from their family stand before it.
const FAMILIES: [(&[&str], Prompts); 13] = [
    (&["nomic", "embed", "text"], Prompts { query: "search_query: ", document: "search_document: " }),
    (
        &["e5", "instruct"],
        Prompts {
            query: "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ",
            document: "",
        },
    ),
    (&["e5"], Prompts { query: "query: ", document: "passage: " }),
    (&["mxbai", "embed", "large"], SENTENCE),
    (&["snowflake", "arctic", "embed2"], QUERY),
    (&["snowflake", "arctic", "v2.0"], QUERY),
    (&["snowflake", "arctic", "embed"], SENTENCE),
    (&["bge", "m3"], NONE),
    (&["bge", "zh"], Prompts { query: "为这个句子生成表示以用于检索相关文章:", document: "" }),
    (&["bge", "en"], SENTENCE),
    // The library's short name of bge-large-en.
    (&["bge", "large"], SENTENCE),
    (&["embeddinggemma"], Prompts { query: "task: search result | query: ", document: "title: none | text: " }),
    (
        &["qwen3", "embedding"],
        Prompts {
            query: "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:",
            document: "",
        },
    ),
];

impl Prompts {
    /// The prompts of `model`, none for a family that is not known or wants none.
    pub(crate) fn of(model: &ModelName) -> Self {
        let base = model.base().to_ascii_lowercase();
        let words: Vec<&str> = base.split(['-', '_']).collect();
        let fits = |family: &&(&[&str], Self)| family.0.iter().all(|word| words.contains(word));
        FAMILIES.iter().find(fits).map_or(NONE, |family| family.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_gets_the_words_it_was_trained_with() {
        let names = [
            "nomic-embed-text",
            "nomic-embed-text:v1.5",
            "nomic-embed-text-v2-moe",
            "someone/multilingual-e5-large",
            "multilingual-e5-large-instruct",
            "e5-mistral-7b-instruct",
            "mxbai-embed-large:335m",
            "snowflake-arctic-embed:22m",
            "snowflake-arctic-embed2",
            "hf.co/someone/Snowflake-Arctic-Embed-L-v2.0",
            "bge-large",
            "bge-small-en-v1.5",
            "bge-large-zh-v1.5",
            "embeddinggemma:300m",
            "qwen3-embedding:0.6b",
        ];
        let lines = names.map(|name| {
            let prompts = Prompts::of(&ModelName::parse(name).expect("a name"));
            format!("{name}: {:?} {:?}", prompts.query, prompts.document)
        });
        insta::assert_snapshot!(lines.join("\n"), @r#"
        nomic-embed-text: "search_query: " "search_document: "
        nomic-embed-text:v1.5: "search_query: " "search_document: "
        nomic-embed-text-v2-moe: "search_query: " "search_document: "
        someone/multilingual-e5-large: "query: " "passage: "
        multilingual-e5-large-instruct: "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: " ""
        e5-mistral-7b-instruct: "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: " ""
        mxbai-embed-large:335m: "Represent this sentence for searching relevant passages: " ""
        snowflake-arctic-embed:22m: "Represent this sentence for searching relevant passages: " ""
        snowflake-arctic-embed2: "query: " ""
        hf.co/someone/Snowflake-Arctic-Embed-L-v2.0: "query: " ""
        bge-large: "Represent this sentence for searching relevant passages: " ""
        bge-small-en-v1.5: "Represent this sentence for searching relevant passages: " ""
        bge-large-zh-v1.5: "为这个句子生成表示以用于检索相关文章:" ""
        embeddinggemma:300m: "task: search result | query: " "title: none | text: "
        qwen3-embedding:0.6b: "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:" ""
        "#);
    }

    #[test]
    fn a_model_that_wants_no_words_gets_none() {
        for name in ["all-minilm", "bge-m3", "paraphrase-multilingual", "granite-embedding", "e5/other", "base5"] {
            assert_eq!(Prompts::of(&ModelName::parse(name).expect("a name")), NONE, "{name}");
        }
    }
}
