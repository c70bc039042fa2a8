//! Turns the word lists into sorted tables, so that a process that judges one prompt has nothing to set up.

#[expect(dead_code, reason = "the part that reads a list is shared with the library")]
#[path = "src/inject/lexicon/format.rs"]
mod format;

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

const LANGUAGES: [&str; 9] = ["en", "de", "es", "fr", "pt", "ru", "zh", "ja", "ko"];

#[expect(clippy::disallowed_methods, reason = "a build script reads and writes where the build says")]
fn main() -> io::Result<()> {
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    let mut source = String::new();
    for language in LANGUAGES {
        let list = format!("src/inject/lexicon/{language}.txt");
        println!("cargo::rerun-if-changed={list}");
        render_table(&mut source, language, &fs::read_to_string(list)?);
    }
    println!("cargo::rerun-if-changed=src/inject/lexicon/format.rs");
    fs::write(Path::new(&out).join("lexicon.rs"), source)
}

/// All phrases in one text and numbers into it: a table of references would be relocated in every process.
fn render_table(source: &mut String, language: &str, list: &str) {
    let phrases = format::parse_phrases(list);
    let text: String = phrases.iter().map(|(phrase, _)| *phrase).collect();
    let name = language.to_uppercase();
    let _ = writeln!(source, "pub(super) static {name}_TEXT: &str = {text:?};");
    let _ = writeln!(source, "pub(super) static {name}_ENTRIES: [Entry; {}] = [", phrases.len());
    let mut start = 0;
    for (phrase, cues) in phrases {
        let end = start + phrase.len();
        let _ = writeln!(source, "    Entry {{ start: {start}, end: {end}, cues: Cues({}) }},", cues.0);
        start = end;
    }
    let _ = writeln!(source, "];");
}
