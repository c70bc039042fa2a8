//! What the redactor costs and what it takes: `cargo run --release -p six-core --example redact -- FILE...`.
//!
//! Prints the cost of one short text, the rate over the whole, and how often each kind was found. With `SHOW=N` also up to
//! `N` of each kind with the words around, which is how false finds are seen. Of a JSON file the strings are read.
#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a measurement reads files and a clock, and says what it found"
)]

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::Value;
use six_core::text::Redactor;

fn main() {
    let mut texts = Vec::new();
    for path in std::env::args().skip(1) {
        let file = String::from_utf8_lossy(&std::fs::read(&path).expect("a readable file")).into_owned();
        let extension = std::path::Path::new(&path).extension().and_then(std::ffi::OsStr::to_str);
        if matches!(extension, Some("json" | "jsonl")) {
            serde_json::Deserializer::from_str(&file)
                .into_iter::<Value>()
                .map_while(Result::ok)
                .for_each(|value| strings(value, &mut texts));
        } else {
            texts.push(file);
        }
    }
    let start = Instant::now();
    let short = Redactor::new().redact("Move the pier to the north shore, then run the tests again.");
    println!("first {:?}, {} bytes", start.elapsed(), short.as_str().len());
    let total: usize = texts.iter().map(String::len).sum();
    let start = Instant::now();
    let redacted: Vec<_> = texts.iter().map(|text| Redactor::new().redact(text)).collect();
    let took = start.elapsed();
    #[expect(clippy::cast_precision_loss, reason = "a rate for reading")]
    let rate = total as f64 / 1e6 / took.as_secs_f64();
    println!("{} texts, {total} bytes, {took:?}, {rate:.0} MB/s", texts.len());
    let show = std::env::var("SHOW").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (text, redacted) in texts.iter().zip(&redacted) {
        taken(text, redacted.as_str(), &mut found);
    }
    for (name, mut all) in found {
        println!("{name}: {}", all.len());
        all.sort();
        all.dedup();
        all.iter().take(show).for_each(|one| println!("    {one}"));
    }
}

fn strings(value: Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => into.push(text),
        Value::Array(all) => all.into_iter().for_each(|value| strings(value, into)),
        Value::Object(all) => all.into_iter().for_each(|(_, value)| strings(value, into)),
        _ => {}
    }
}

/// The kinds that were found, each with the words before and what stood there.
fn taken(text: &str, redacted: &str, found: &mut BTreeMap<String, Vec<String>>) {
    const MARK: &str = "[redacted:";
    let mut rest = text;
    let mut parts = redacted.split(MARK);
    let mut before = parts.next().unwrap_or_default();
    for part in parts {
        let (name, after) = part.split_once(']').unwrap_or((part, ""));
        let at = rest.find(before).map_or(0, |at| at + before.len());
        let next: String = after.chars().take(24).collect();
        let here = rest.get(at..).unwrap_or_default();
        let end = if next.is_empty() { here.len() } else { here.find(&next).unwrap_or(here.len()) };
        let lead: String = before.chars().rev().take(50).collect::<Vec<_>>().into_iter().rev().collect();
        let secret: String = here.get(..end).unwrap_or_default().chars().take(90).collect();
        found.entry(name.to_owned()).or_default().push(format!("{lead:?} <<{secret}>> {next:?}"));
        rest = here.get(end..).unwrap_or_default();
        before = after;
    }
}
