//! What was said in real sessions is found again, by its own words.
//!
//! The transcripts are no part of the repository; without them this test says that it is skipped.
#![expect(clippy::expect_used, reason = "a test without its ground has to stop, and say where")]

use std::fs;
use std::path::Path;

use serde_json::Value;
use testkit::{Scratch, session_files, shared};

/// Neighbouring chunks share at least as many characters, so that a sentence of at most so many is whole in one of them.
const SENTENCE_CHARS: usize = 150;

/// Words of a sentence that says something of its own.
const LEAST_WORDS: usize = 5;

/// The longest sentence of a session that fits: in what a person typed or the assistant answered on the main thread.
fn longest_sentence(transcript: &Path) -> Option<String> {
    let text = fs::read(transcript).expect("a transcript can be read");
    let said: Vec<String> = String::from_utf8_lossy(&text)
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .flat_map(|record: Value| said_in(&record))
        .collect();
    let sentences = said.iter().flat_map(|text| text.split(['\n', '.', '?', '!', '|', '*', '`', '#', '"']));
    sentences
        .map(str::trim)
        .filter(|sentence| sentence.chars().count() <= SENTENCE_CHARS && sentence.split(' ').count() >= LEAST_WORDS)
        .max_by_key(|sentence| sentence.chars().count())
        .map(str::to_owned)
}

/// How the host opens what it writes in a person's name: tags and notes in brackets.
const WRITTEN_BY_THE_HOST: [&str; 2] = ["<", "["];

/// The texts of a record that were typed by a person or answered by the assistant.
fn said_in(record: &Value) -> Vec<String> {
    let by_a_voice = record["type"] == "assistant" || record["type"] == "user";
    if !by_a_voice || ["isMeta", "isApiErrorMessage", "isCompactSummary"].iter().any(|mark| record[mark] == true) {
        return Vec::new();
    }
    let texts = match &record["message"]["content"] {
        Value::String(text) => vec![text.clone()],
        Value::Array(blocks) => blocks
            .iter()
            .filter(|block| block["type"] == "text")
            .filter_map(|block| Some(block["text"].as_str()?.to_owned()))
            .collect(),
        _ => Vec::new(),
    };
    let typed = |text: &String| !WRITTEN_BY_THE_HOST.iter().any(|opening| text.trim_start().starts_with(opening));
    texts.into_iter().filter(typed).collect()
}

/// The rank of the first hit that holds the sentence, from 1.
fn rank(scratch: &Scratch, sentence: &str) -> Option<usize> {
    let found = scratch.six(&["search", "--json", "--limit", "10", "--", sentence]);
    let hits = found.json()["hits"].as_array().cloned().unwrap_or_default();
    let holds = |hit: &Value| {
        let field = |name: &str| hit[name].as_str().expect("a hit has an id and a snippet").to_owned();
        field("snippet").contains(sentence) || scratch.six(&["show", &field("id")]).stdout.contains(sentence)
    };
    hits.iter().position(holds).map(|at| at + 1)
}

#[test]
fn every_session_is_found_by_a_sentence_of_its_own() {
    let Some(folder) = shared("data/transcripts") else { return };
    let scratch = Scratch::new();
    let project = scratch.project();
    scratch.six(&["install", project.to_str().expect("scratch paths are UTF-8"), "--no-ingest"]).ok();
    let transcripts = session_files(&folder);
    let mut args = vec!["ingest", "--json"];
    args.extend(transcripts.iter().flat_map(|file| ["--transcript", file.to_str().expect("the paths are UTF-8")]));
    assert_eq!(scratch.six(&args).ok().json()["failures"], Value::Array(Vec::new()));

    let asked: Vec<(&Path, Option<String>)> =
        transcripts.iter().map(|file| (file.as_path(), longest_sentence(file))).collect();
    let ranks: Vec<(&Path, &str, Option<usize>)> = asked
        .iter()
        .filter_map(|(file, sentence)| {
            let sentence = sentence.as_deref()?;
            Some((*file, sentence, rank(&scratch, sentence)))
        })
        .collect();
    let lost: Vec<_> = ranks.iter().filter(|(.., rank)| rank.is_none()).collect();
    let mute: Vec<_> = asked.iter().filter(|(_, sentence)| sentence.is_none()).map(|(file, _)| file).collect();
    let first = ranks.iter().filter(|(.., rank)| *rank == Some(1)).count();
    println!("{} asked for, {first} found first; nothing is said in {mute:#?}", ranks.len());
    assert!(lost.is_empty(), "{} of {} are not found: {lost:#?}", lost.len(), ranks.len());
    assert!(ranks.len() > transcripts.len() / 2, "most sessions say something: {mute:#?}");
}
