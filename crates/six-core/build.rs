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
#[path = "src/inject/lexicon/sum.rs"]
mod sum;

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

/// Languages that are told by their words, not by their script.
const LATIN: [&str; 5] = ["en", "de", "es", "fr", "pt"];

/// What the tables are made by.
const FORMATS: [&str; 5] = [
    "src/curate/cue/format.rs",
    "src/curate/cue/marks.rs",
    "src/inject/lexicon/format.rs",
    "src/inject/lexicon/forms.rs",
    "src/inject/lexicon/sum.rs",
];

#[expect(clippy::disallowed_methods, reason = "a build script reads and writes where the build says")]
fn main() -> io::Result<()> {
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    let out = Path::new(&out);
    let (mut lexicon, mut words, mut cues) = (String::new(), String::new(), String::new());
    for (language, spelling) in LANGUAGES {
        let (intents, curation) =
            (format!("src/inject/lexicon/{language}.txt"), format!("src/curate/cue/{language}.txt"));
        println!("cargo::rerun-if-changed={intents}");
        println!("cargo::rerun-if-changed={curation}");
        let name = language.to_uppercase();
        let phrases = format::parse_phrases(&fs::read_to_string(intents)?, spelling);
        render_lexicon(&mut lexicon, &name, &phrases);
        if LATIN.contains(&language) {
            render_words(&mut words, &name, &phrases);
        }
        render_cues(&mut cues, &name, &cue_format::parse_phrases(&fs::read_to_string(curation)?, spelling));
    }
    for format in FORMATS {
        println!("cargo::rerun-if-changed={format}");
    }
    fs::write(out.join("lexicon.rs"), lexicon)?;
    fs::write(out.join("words.rs"), words)?;
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

/// The sums of single words: of all that do something, and of the small ones.
fn render_words(source: &mut String, name: &str, phrases: &[(String, format::Cues)]) {
    let words = || phrases.iter().filter(|(phrase, cues)| !phrase.contains(' ') && *cues != format::Cues::NONE);
    let small = words().filter(|(_, cues)| cues.any(format::Cues::COMMON));
    render_sums(source, &format!("{name}_KNOWN"), words().map(|(word, _)| word));
    render_sums(source, &format!("{name}_SMALL"), small.map(|(word, _)| word));
}

fn render_sums<'a>(source: &mut String, name: &str, words: impl Iterator<Item = &'a String>) {
    let mut sums: Vec<u32> = words.map(|word| sum::sum(word)).collect();
    sums.sort_unstable();
    let _ = writeln!(source, "pub(super) static {name}: [u32; {}] = {sums:?};", sums.len());
}

/// As [`render_lexicon`]. What is behind the gap of a phrase stands in the text behind what is before it.
fn render_cues(source: &mut String, name: &str, phrases: &[cue_format::Phrase<'_>]) {
    let text: String = phrases.iter().flat_map(|phrase| [phrase.head.as_str(), phrase.tail.as_str()]).collect();
    let _ = writeln!(source, "pub(super) static {name}_TEXT: &str = {text:?};");
    let _ = writeln!(source, "pub(super) static {name}_ENTRIES: [Entry; {}] = [", phrases.len());
    let mut start = 0;
    for phrase in phrases {
        let (head, tail) = (phrase.head.len(), phrase.tail.len());
        let cues = phrase.sections.iter().fold(String::from("Cues::NONE"), |cues, section| {
            format!("{cues}.and(Cues::{})", section.to_uppercase().replace('-', "_"))
        });
        let marks = &phrase.marks;
        let _ = writeln!(
            source,
            "    Entry {{ start: {start}, head: {head}, tail: {tail}, marks: {marks:?}, cues: {cues} }},"
        );
        start += head + tail;
    }
    let _ = writeln!(source, "];");
}
