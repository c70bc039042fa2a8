//! Verdicts as they are handed in.

use std::fs::File;
use std::io::{self, Read};

use serde_json::Value;
use six_core::curate::{Ruling, RulingFault, TriageVerdict};
use six_core::text::printable;

use crate::failure::{Failure, nearest};

/// The word for standard input.
const STDIN: &str = "-";

/// Bytes of verdicts that are read: some ten thousand of them.
const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// Without these a verdict is none.
const NEEDED: [&str; 2] = ["id", "verdict"];

const FIELDS: [&str; 8] = ["id", "verdict", "version", "thread", "title", "into", "by", "reason"];

/// Reads a file, or standard input.
pub(super) fn read(file: &str) -> Result<String, Failure> {
    let what = if file == STDIN { "standard input" } else { file };
    let failed = |fault: io::Error| {
        Failure::misuse(
            format_args!("{} can't be read: {fault}", printable(what)),
            "six triage --apply FILE, or - for standard input",
        )
    };
    let mut bytes = Vec::new();
    let source: Box<dyn Read> =
        if file == STDIN { Box::new(io::stdin()) } else { Box::new(File::open(file).map_err(failed)?) };
    source.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(failed(io::Error::new(io::ErrorKind::InvalidData, "it has more than 8 MB")));
    }
    let text = String::from_utf8(bytes).map_err(|_| failed(io::ErrorKind::InvalidData.into()))?;
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}

/// Reads an array of verdicts. The fault names the verdict, the field, and where in the text it stands.
pub(super) fn parse_rulings(text: &str) -> Result<Vec<Ruling>, RulingFault> {
    let fault = match serde_json::from_str::<Vec<Ruling>>(text) {
        Ok(rulings) => return Ok(rulings),
        Err(fault) => fault,
    };
    let place = format!("line {}, column {}", fault.line(), fault.column());
    let whole = |why: String| RulingFault { id: String::new(), why };
    if !fault.is_data() {
        return Err(whole(format!("{place}: it is no JSON: {}", reason(&fault))));
    }
    let Ok(Value::Array(rulings)) = serde_json::from_str(text) else {
        return Err(whole(format!("{place}: verdicts come as an array: [{{\"id\": ..., \"verdict\": ...}}]")));
    };
    let first = rulings.iter().enumerate().find_map(|(n, ruling)| Some((n, ruling, wrong_in(ruling)?)));
    Err(match first {
        Some((n, ruling, why)) => {
            let id = ruling.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
            RulingFault { id, why: format!("{place}, verdict {}: {why}", n + 1) }
        }
        None => whole(format!("{place}: {}", reason(&fault))),
    })
}

/// The message without the place, which stands before it.
fn reason(fault: &serde_json::Error) -> String {
    let text = fault.to_string();
    text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what).to_owned()
}

/// What is wrong in one verdict, by its own reading, since a reader of JSON names no near names.
fn wrong_in(ruling: &Value) -> Option<String> {
    let Value::Object(fields) = ruling else { return Some(String::from("it is no object")) };
    if let Some(name) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
        return Some(format!("there is no field {:?}; {}", printable(name), advice(name, &FIELDS)));
    }
    if let Some(missing) = NEEDED.into_iter().find(|name| !fields.contains_key(*name)) {
        return Some(format!("the field {missing:?} is missing"));
    }
    let is_wrong = |(name, value): &(&String, &Value)| match value {
        Value::String(_) => false,
        Value::Null => NEEDED.contains(&name.as_str()),
        _ => true,
    };
    if let Some((name, _)) = fields.iter().find(is_wrong) {
        return Some(format!("the field {name:?} is no text"));
    }
    let verdict = fields.get("verdict").and_then(Value::as_str)?;
    let known = TriageVerdict::ALL.map(TriageVerdict::as_str);
    (!known.contains(&verdict))
        .then(|| format!("there is no verdict {:?}; {}", printable(verdict), advice(verdict, &known)))
}

fn advice(typed: &str, known: &[&str]) -> String {
    nearest(&typed.to_lowercase(), known)
        .map_or_else(|| format!("one of: {}", known.join(", ")), |near| format!("did you mean {near:?}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_in_verdicts_is_named_with_its_place_and_the_nearest_name() {
        let told: Vec<String> = [
            "",
            "[",
            "{}",
            "[1]",
            r#"[{"id": "a", "verdict": "confirm"},
  {"id": "b", "verdict": "confrim"}]"#,
            r#"[{"id": "a", "verdict": "Confirm"}]"#,
            r#"[{"id": "a", "verdict": "banana"}]"#,
            r#"[{"id": "a", "verdict": "confirm", "thraed": "x"}]"#,
            r#"[{"id": "a"}]"#,
            r#"[{"verdict": "confirm"}]"#,
            r#"[{"id": 7, "verdict": "confirm"}]"#,
            r#"[{"id": "a", "id": "b", "verdict": "confirm"}]"#,
            r#"[{"id": "a", "verdict": "confirm", "title": ["x"]}]"#,
        ]
        .iter()
        .map(|text| parse_rulings(text).unwrap_err())
        .map(|fault| format!("{}| {}", fault.id, fault.why))
        .collect();
        insta::assert_snapshot!(told.join("\n"), @r#"
        | line 1, column 0: it is no JSON: EOF while parsing a value
        | line 1, column 1: it is no JSON: EOF while parsing a list
        | line 1, column 0: verdicts come as an array: [{"id": ..., "verdict": ...}]
        | line 1, column 2, verdict 1: it is no object
        b| line 2, column 34, verdict 2: there is no verdict "confrim"; did you mean "confirm"?
        a| line 1, column 33, verdict 1: there is no verdict "Confirm"; did you mean "confirm"?
        a| line 1, column 32, verdict 1: there is no verdict "banana"; one of: confirm, reject, merge, supersede
        a| line 1, column 43, verdict 1: there is no field "thraed"; did you mean "thread"?
        a| line 1, column 12, verdict 1: the field "verdict" is missing
        | line 1, column 23, verdict 1: the field "id" is missing
        | line 1, column 9, verdict 1: the field "id" is no text
        | line 1, column 17: duplicate field `id`
        a| line 1, column 44, verdict 1: the field "title" is no text
        "#);
    }

    #[test]
    fn a_field_that_is_null_is_not_there() {
        let rulings = parse_rulings(r#"[{"id": "a", "verdict": "confirm", "thread": null, "title": null}]"#).unwrap();
        assert_eq!((&rulings[0].thread, &rulings[0].title), (&None, &None));
        assert!(parse_rulings("[]").unwrap().is_empty());
    }
}
