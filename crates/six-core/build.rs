//! Turns the word lists into sorted tables, so that a process that judges one prompt has nothing to set up.

#[expect(dead_code, reason = "the part that reads a list is shared with the library")]
#[path = "src/inject/lexicon/format.rs"]
mod format;
#[expect(dead_code, reason = "the part that reads a list is shared with the library")]
#[path = "src/inject/lexicon/forms.rs"]
mod forms;

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

use forms::Spelling::{self, Accents, Letters, Plain, Umlauts};

const LANGUAGES: [(&str, Spelling); 9] = [
    ("en", Plain),
    ("de", Umlauts),
    ("es", Accents),
    ("fr", Accents),
    ("pt", Accents),
    ("ru", Letters),
    ("zh", Letters),
    ("ja", Plain),
    ("ko", Plain),
];

#[expect(clippy::disallowed_methods, reason = "a build script reads and writes where the build says")]
fn main() -> io::Result<()> {
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    let mut source = String::new();
    for (language, spelling) in LANGUAGES {
        let list = format!("src/inject/lexicon/{language}.txt");
        println!("cargo::rerun-if-changed={list}");
        render_table(&mut source, (language, spelling), &fs::read_to_string(list)?);
    }
    println!("cargo::rerun-if-changed=src/inject/lexicon/format.rs");
    println!("cargo::rerun-if-changed=src/inject/lexicon/forms.rs");
    fs::write(Path::new(&out).join("lexicon.rs"), source)
}

/// All phrases in one text and numbers into it: a table of references would be relocated in every process.
fn render_table(source: &mut String, (language, spelling): (&str, Spelling), list: &str) {
    let phrases = format::parse_phrases(list, spelling);
    let text: String = phrases.iter().map(|(phrase, _)| phrase.as_str()).collect();
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
