//! The shape that the host demands of `hooks`.

use super::document::{Document, groups_of, handlers_of, program_of_handler};
use super::entry::is_our_program;
use super::fault::{SettingsFault, SettingsProblem};
use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged;
use std::collections::BTreeSet;

/// Checks the hooks of a settings file: strict JSON, no member twice where it matters, objects and lists where the host
/// wants them, and our own entries complete. Foreign entries of an unknown kind are the user's affair.
pub fn validate_hooks(text: &str) -> Result<(), SettingsFault> {
    validate_document(&Document::parse(text)?)
}

pub(super) fn validate_document(document: &Document) -> Result<(), SettingsFault> {
    let Some(root) = &document.root else { return Ok(()) };
    reject_duplicates(document, root, &["hooks"])?;
    let Some(hooks) = root.get("hooks") else { return Ok(()) };
    let Value::Object(hooks) = &hooks.value else {
        return Err(wrong_shape(document, &hooks.value, "\"hooks\"", "an object"));
    };
    let events: Vec<&str> = hooks.properties.iter().map(|event| event.name.as_str()).collect();
    reject_duplicates(document, hooks, &events)?;
    for event in &hooks.properties {
        if event.value.as_array().is_none() {
            return Err(wrong_shape(
                document,
                &event.value,
                &format!("\"{}\"", event.name.as_str()),
                "a list of groups",
            ));
        }
        for group in groups_of(event) {
            validate_group(document, group)?;
        }
    }
    Ok(())
}

fn validate_group(document: &Document, group: &Value) -> Result<(), SettingsFault> {
    let Value::Object(members) = group else {
        return Err(wrong_shape(document, group, "a hook group", "an object"));
    };
    reject_duplicates(document, members, &["hooks"])?;
    if let Some(handlers) = members.get("hooks")
        && handlers.value.as_array().is_none()
    {
        return Err(wrong_shape(document, &handlers.value, "the \"hooks\" of a group", "a list"));
    }
    for handler in handlers_of(group).map_or(&[][..], |handlers| &handlers.elements) {
        validate_handler(document, handler)?;
    }
    Ok(())
}

fn validate_handler(document: &Document, handler: &Value) -> Result<(), SettingsFault> {
    let Value::Object(members) = handler else {
        return Err(wrong_shape(document, handler, "a hook", "an object"));
    };
    reject_duplicates(document, members, &["type", "command", "args"])?;
    if !program_of_handler(handler).is_some_and(is_our_program) {
        return Ok(());
    }
    if members.get("type").is_none() {
        return Err(wrong_shape(document, handler, "the \"type\" of our hook", "\"command\""));
    }
    if let Some(args) = members.get("args")
        && !args.value.as_array().is_some_and(|args| args.elements.iter().all(|arg| arg.as_string_lit().is_some()))
    {
        return Err(wrong_shape(document, &args.value, "\"args\"", "a list of strings"));
    }
    if let Some(timeout) = members.get("timeout")
        && !timeout.value.as_number_lit().is_some_and(|number| number.value.parse::<f64>().is_ok_and(|s| s > 0.0))
    {
        return Err(wrong_shape(document, &timeout.value, "\"timeout\"", "a number of seconds above 0"));
    }
    Ok(())
}

/// Refuses a second member of one of these names: the host takes the last, an editor finds the first.
fn reject_duplicates(document: &Document, object: &Object, names: &[&str]) -> Result<(), SettingsFault> {
    let mut seen = BTreeSet::new();
    for property in &object.properties {
        let name = property.name.as_str();
        if names.contains(&name) && !seen.insert(name) {
            return Err(document.fault(property, SettingsProblem::Duplicate(name.to_owned())));
        }
    }
    Ok(())
}

fn wrong_shape(document: &Document, at: &impl Ranged, what: &str, expected: &'static str) -> SettingsFault {
    document.fault(at, SettingsProblem::WrongShape { what: what.to_owned(), expected })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> String {
        validate_hooks(text).unwrap_err().to_string()
    }

    #[test]
    fn what_the_host_would_not_read_is_named_with_its_place() {
        let faults = [
            "{\n  // mine\n  \"model\": \"x\"\n}",
            "{\r\n  /* mine */ \"model\": \"x\"\r\n}",
            "{\n  \"env\": {\"ä\": 1,},\n}",
            "{\n  \"a\": 1\n  \"b\": 2\n}",
            "{'a': 1}",
            "{\"a\": \"tab\there\"}",
            "{\"a\": \u{a0}1}",
            "{\"a\": 01}",
            "{\"a\": 1",
            "{} {}",
            "[]",
            "\u{feff}\n\"x\"",
            "nothing",
        ]
        .map(said)
        .join("\n");
        insta::assert_snapshot!(faults, @r#"
        line 2, column 3: a comment, which the host does not accept in its settings
        line 2, column 3: a comment, which the host does not accept in its settings
        line 2, column 17: a comma with nothing after it, which the host does not accept in its settings
        line 2, column 9: not JSON that can be edited: Expected comma
        line 1, column 2: not JSON that can be edited: Single-quoted strings are not allowed
        line 1, column 10: not JSON that can be edited: control character (\u0000-\u001F) found while parsing a string
        line 1, column 7: not JSON that can be edited: expected value
        line 1, column 8: not JSON that can be edited: Expected comma
        line 1, column 1: not JSON that can be edited: Unterminated object
        line 1, column 4: not JSON that can be edited: Text cannot contain more than one JSON value
        line 1, column 1: the settings are not an object
        line 2, column 1: the settings are not an object
        line 1, column 1: not JSON that can be edited: Unexpected word
        "#);
    }

    #[test]
    fn wrong_shapes_and_doubles_are_named_with_their_place() {
        let faults = [
            r#"{"hooks": []}"#,
            r#"{"hooks": null}"#,
            r#"{"hooks": {}, "hooks": {}}"#,
            r#"{"hooks": {}, "\u0068ooks": {}}"#,
            r#"{"hooks": {"Stop": {}}}"#,
            r#"{"hooks": {"Stop": [], "Stop": []}}"#,
            r#"{"hooks": {"Stop": ["x"]}}"#,
            r#"{"hooks": {"Stop": [{"hooks": {}}]}}"#,
            r#"{"hooks": {"Stop": [{"hooks": ["x"]}]}}"#,
            r#"{"hooks": {"Stop": [{"hooks": [{"command": "/a/six-stop"}]}]}}"#,
            r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/a/six-stop", "args": "x"}]}]}}"#,
            r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/a/six-stop", "timeout": "5"}]}]}}"#,
            r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/a/six-stop", "timeout": 0}]}]}}"#,
        ]
        .map(said)
        .join("\n");
        insta::assert_snapshot!(faults, @r#"
        line 1, column 11: "hooks" must be an object
        line 1, column 11: "hooks" must be an object
        line 1, column 15: "hooks" stands here for the second time
        line 1, column 15: "hooks" stands here for the second time
        line 1, column 20: "Stop" must be a list of groups
        line 1, column 24: "Stop" stands here for the second time
        line 1, column 21: a hook group must be an object
        line 1, column 31: the "hooks" of a group must be a list
        line 1, column 32: a hook must be an object
        line 1, column 32: the "type" of our hook must be "command"
        line 1, column 86: "args" must be a list of strings
        line 1, column 89: "timeout" must be a number of seconds above 0
        line 1, column 89: "timeout" must be a number of seconds above 0
        "#);
    }

    #[test]
    fn foreign_entries_may_be_of_any_kind() {
        for text in [
            "",
            " \n",
            "{}",
            r#"{"hooks": {}}"#,
            r#"{"hooks": {"MoonRise": [{"matcher": 1}, {"hooks": []}]}, "model": 1, "model": 2}"#,
            r#"{"hooks": {"Stop": [{"hooks": [{"type": "http", "url": "https://example.invalid"}, {}]}]}}"#,
            r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": "5"}]}]}}"#,
        ] {
            assert_eq!(validate_hooks(text), Ok(()), "{text}");
        }
    }
}
