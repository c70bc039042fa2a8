//! Turns the word lists into sorted tables, so that a process that reads one text has nothing to set up.

#[path = "src/curate/cue/format.rs"]
mod cue_format;
#[expect(dead_code, reason = "the part that reads a list is shared with the library")]
#[path = "src/inject/lexicon/format.rs"]
mod format;
#[expect(dead_code, reason = "the part that reads a list is shared with the library")]
#[path = "src/inject/lexicon/forms.rs"]
mod forms;
#[path = "src/curate/cue/marks.rs"]
mod marks;

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

use forms::Endings;
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

/// What the tables are made by.
const FORMATS: [&str; 4] = [
    "src/curate/cue/format.rs",
    "src/curate/cue/marks.rs",
    "src/inject/lexicon/format.rs",
    "src/inject/lexicon/forms.rs",
];

#[expect(clippy::disallowed_methods, reason = "a build script reads and writes where the build says")]
fn main() -> io::Result<()> {
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    let out = Path::new(&out);
    let (mut lexicon, mut cues, mut kinds) = (String::new(), String::new(), Vec::new());
    for (language, spelling) in LANGUAGES {
        let (intents, curation) =
            (format!("src/inject/lexicon/{language}.txt"), format!("src/curate/cue/{language}.txt"));
        println!("cargo::rerun-if-changed={intents}");
        println!("cargo::rerun-if-changed={curation}");
        let name = language.to_uppercase();
        let phrases = format::parse_phrases(&fs::read_to_string(intents)?, spelling);
        render_lexicon(&mut lexicon, &name, &phrases);
        render_cues(&mut cues, &mut kinds, &name, &cue_format::parse_phrases(&fs::read_to_string(curation)?, spelling));
    }
    for format in FORMATS {
        println!("cargo::rerun-if-changed={format}");
    }
    let _ = writeln!(cues, "pub(super) static KINDS: [Kind; {}] = [{}];", kinds.len(), kinds.concat());
    fs::write(out.join("lexicon.rs"), lexicon)?;
    fs::write(out.join("cues.rs"), cues)
}

/// All phrases in one text and numbers into it: a table of references would be relocated in every process.
fn render_lexicon(source: &mut String, name: &str, phrases: &[(String, format::Cues)]) {
    let text: String = phrases.iter().map(|(phrase, _)| phrase.as_str()).collect();
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

/// As [`render_lexicon`]. A phrase whose letters stand in the text of a longer one already has its place there; what is
/// behind its gap stands behind what is before it.
fn render_cues(source: &mut String, kinds: &mut Vec<String>, name: &str, phrases: &[cue_format::Phrase<'_>]) {
    let letters = |phrase: &cue_format::Phrase<'_>| [phrase.head.as_str(), &phrase.tail].concat();
    let mut longest: Vec<String> = phrases.iter().map(letters).collect();
    longest.sort_by_key(|letters| Reverse(letters.len()));
    let mut text = String::new();
    for letters in longest {
        if !text.contains(&letters) {
            text.push_str(&letters);
        }
    }
    let _ = writeln!(source, "pub(super) static {name}_TEXT: &str = {text:?};");
    let _ = writeln!(source, "pub(super) static {name}_ENTRIES: [Entry; {}] = [", phrases.len());
    for phrase in phrases {
        let (head, tail) = (phrase.head.len(), phrase.tail.len());
        let start = text.find(&letters(phrase)).unwrap_or_default();
        let kind = number_of(kinds, render_kind(phrase));
        let _ = writeln!(source, "    Entry {{ start: {start}, head: {head}, tail: {tail}, kind: {kind} }},");
    }
    let _ = writeln!(source, "];");
}

fn render_kind(phrase: &cue_format::Phrase<'_>) -> String {
    let sections: BTreeSet<String> = phrase.sections.iter().map(|section| section.to_uppercase()).collect();
    let cues = sections.iter().fold(String::from("Cues::NONE"), |cues, section| format!("{cues}.and(Cues::{section})"));
    format!("Kind {{ marks: {:?}, cues: {cues} }},\n", phrase.marks)
}

/// The place of a kind among all; one that is new comes last.
fn number_of(kinds: &mut Vec<String>, kind: String) -> usize {
    kinds.iter().position(|known| *known == kind).unwrap_or_else(|| {
        kinds.push(kind);
        kinds.len() - 1
    })
}
