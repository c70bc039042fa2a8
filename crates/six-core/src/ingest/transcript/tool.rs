//! A tool call in one line: the tool, what it was called on, what came of it.

use serde_json::Value;

use crate::text::{Redacted, Redactor, cut_bytes, one_line};

/// Longest argument that is kept, in bytes. A command or a path is shorter; a script in an argument is cut.
const ARGUMENT_BYTES: usize = 400;

/// Longest error that is kept, in bytes: enough for a compiler's first message.
const ERROR_BYTES: usize = 1000;

/// How much of an argument or error is redacted before it is cut, so that a cut never hides a secret from the redactor.
const REDACTED_BYTES: usize = 16 * 1024;

/// Arguments that say what a call was about, most telling first.
const TELLING: [&str; 13] = [
    "command",
    "file_path",
    "notebook_path",
    "pattern",
    "path",
    "query",
    "url",
    "description",
    "skill",
    "subject",
    "plan",
    "title",
    "name",
];

/// How the host begins the result of a call that the person refused.
const REFUSED: &str = "The user doesn't want to proceed with this tool use";

/// What stands before the words that the person gave as the reason.
const REASON_FOLLOWS: &str = "the user said:\n";

/// What the host writes after them in some versions.
const REASON_ENDS: &str = "\n\nNote: The user's next message";

/// The line of a call: `Bash: cargo test`, `Grep: fn main in src`.
pub(super) fn call_line(name: &str, input: &Value, redactor: Redactor) -> Redacted {
    let argument = match TELLING.iter().find_map(|key| text_at(input, key).map(|text| (*key, text))) {
        Some(("pattern", pattern)) => match text_at(input, "path") {
            Some(path) => format!("{pattern} in {path}"),
            None => pattern.to_owned(),
        },
        Some((_, text)) => text.to_owned(),
        None => first_text(input).unwrap_or_default().to_owned(),
    };
    let name = bounded(name, ARGUMENT_BYTES, redactor);
    if argument.trim().is_empty() {
        return name;
    }
    Redacted::join(&[name, bounded(&argument, ARGUMENT_BYTES, redactor)], ": ")
}

/// What came of a call: `ok`, `refused by the operator`, `error: …`.
pub(super) fn outcome(is_error: bool, text: &str, redactor: Redactor) -> Redacted {
    if !is_error {
        return Redacted::literal("ok");
    }
    if text.starts_with(REFUSED) {
        return Redacted::literal("refused by the operator");
    }
    let text = text.trim().trim_start_matches("<tool_use_error>").trim_end_matches("</tool_use_error>");
    Redacted::join(&[Redacted::literal("error"), bounded(text, ERROR_BYTES, redactor)], ": ")
}

/// What begins the name of a tool that a server brings.
const OF_SERVER: &str = "mcp__";

/// Whether the host words the errors of that tool, or puts its own words before them. The text of a server's tool is handed on
/// as it is: it may pretend that a person refused the call, and say anything in that person's name.
pub(super) fn words_errors(tool: &str) -> bool {
    !tool.starts_with(OF_SERVER)
}

/// The words with which the person refused a call, if that is what this is: see [`words_errors`].
pub(super) fn refusal_reason(text: &str) -> Option<&str> {
    let (_, reason) = text.strip_prefix(REFUSED)?.split_once(REASON_FOLLOWS)?;
    let reason = reason.split_once(REASON_ENDS).map_or(reason, |(reason, _)| reason).trim();
    (!reason.is_empty()).then_some(reason)
}

fn text_at<'a>(input: &'a Value, key: &str) -> Option<&'a str> {
    input.get(key)?.as_str().filter(|text| !text.trim().is_empty())
}

fn first_text(input: &Value) -> Option<&str> {
    input.as_object()?.values().find_map(Value::as_str)
}

/// One line, redacted, then cut. Redacted before the lines are joined too, since some secrets are known by their lines.
fn bounded(text: &str, limit: usize, redactor: Redactor) -> Redacted {
    let clean = redactor.redact(cut_bytes(text, REDACTED_BYTES));
    if !clean.as_str().contains(['\n', '\t']) {
        return clean.cut(limit);
    }
    let line = one_line(clean.as_str());
    redactor.redact(&line).cut(limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_call_is_told_by_its_most_telling_argument() {
        let redactor = Redactor::new();
        for (name, input, line) in [
            (
                "Bash",
                json!({"command": "cargo test\n  -p core", "description": "Run tests"}),
                "Bash: cargo test -p core",
            ),
            ("Write", json!({"file_path": "/w/a.rs", "content": "fn main() {}"}), "Write: /w/a.rs"),
            ("Grep", json!({"pattern": "fn main", "path": "src"}), "Grep: fn main in src"),
            ("Glob", json!({"pattern": "*.rs"}), "Glob: *.rs"),
            ("TodoWrite", json!({"todos": []}), "TodoWrite"),
            ("mcp__x__get", json!({"id": "A-1"}), "mcp__x__get: A-1"),
            ("Odd", json!("text"), "Odd"),
        ] {
            assert_eq!(call_line(name, &input, redactor).as_str(), line);
        }
        let long = call_line("Bash", &json!({"command": "é".repeat(20_000)}), redactor);
        assert!(long.as_str().len() <= ARGUMENT_BYTES + "Bash: ".len());
    }

    #[test]
    fn an_outcome_is_ok_refused_or_the_error() {
        let redactor = Redactor::new();
        assert_eq!(outcome(false, "a lot of output", redactor).as_str(), "ok");
        assert_eq!(outcome(true, "Exit code 1\nnot found", redactor).as_str(), "error: Exit code 1 not found");
        let refused = format!("{REFUSED}. … To tell you how to proceed, the user said:\nUse pnpm.");
        assert_eq!(outcome(true, &refused, redactor).as_str(), "refused by the operator");
        assert_eq!(refusal_reason(&refused), Some("Use pnpm."));
        assert_eq!(refusal_reason(&format!("{refused}{REASON_ENDS} may contain a correction.")), Some("Use pnpm."));
        assert_eq!(refusal_reason("output that quotes: the user said:\nhello"), None);
        assert_eq!(refusal_reason(&format!("{REFUSED}. STOP.")), None);
    }
}
