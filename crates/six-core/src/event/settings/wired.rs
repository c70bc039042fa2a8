//! Which programs of ours a settings file starts.

use super::document::{Document, groups_of, handlers_of, hooks_of};
use super::entry::is_our_program;
use super::splice::Wired;
use jsonc_parser::ast::Value;

/// What a settings file says about our hooks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HooksRead {
    /// Our programs, each with its event. Other than for an edit, what follows the program in a shell line does not matter.
    pub wired: Vec<Wired>,
    /// `disableAllHooks`, where the file has it.
    pub disabled: Option<bool>,
}

/// Reads a settings file; one that the host would not take says nothing.
pub fn read_hooks(text: &str) -> HooksRead {
    let Ok(Document { root: Some(root), .. }) = Document::parse(text) else { return HooksRead::default() };
    let mut read =
        HooksRead { wired: Vec::new(), disabled: root.get_boolean("disableAllHooks").map(|said| said.value) };
    let Some(hooks) = hooks_of(&root) else { return read };
    for event in &hooks.properties {
        for handler in groups_of(event).iter().filter_map(handlers_of).flat_map(|handlers| &handlers.elements) {
            read.wired.extend(
                program(handler)
                    .filter(|program| is_our_program(program))
                    .map(|command| Wired { event: event.name.as_str().to_owned(), command }),
            );
        }
    }
    read
}

/// The program of a handler: its command, or in the shell form the first word of it.
fn program(handler: &Value) -> Option<String> {
    let handler = handler.as_object()?;
    let command = &handler.get_string("command")?.value;
    let kind = handler.get("type").map(|kind| kind.value.as_string_lit().is_some_and(|kind| kind.value == "command"));
    if kind == Some(false) {
        return None;
    }
    if handler.get("args").is_some() { Some(command.to_string()) } else { first_word(command) }
}

/// The first word of a shell line, without its quotes and backslashes.
fn first_word(line: &str) -> Option<String> {
    let mut word = String::new();
    let mut quote = None;
    let mut chars = line.trim_start().chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None | Some('"'), '\\') => word.push(chars.next()?),
            (None, c) if c.is_whitespace() => break,
            _ => word.push(c),
        }
    }
    Some(word).filter(|word| quote.is_none() && !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wired(handler: &str) -> Vec<String> {
        let text = format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{handler}]}}]}}}}"#);
        read_hooks(&text).wired.into_iter().map(|wired| wired.command).collect()
    }

    #[test]
    fn a_program_is_known_in_both_forms_with_blanks_and_with_what_follows_it() {
        for (handler, program) in [
            (r#"{"type": "command", "command": "/my six/six-stop", "args": []}"#, "/my six/six-stop"),
            (r#"{"command": "/opt/six-stop"}"#, "/opt/six-stop"),
            (r#"{"type": "command", "command": "/opt/six-stop --via settings"}"#, "/opt/six-stop"),
            (r#"{"type": "command", "command": "'/my six/six-stop' --via settings"}"#, "/my six/six-stop"),
            (r#"{"type": "command", "command": "\"/my six\"/six-stop"}"#, "/my six/six-stop"),
            (r#"{"type": "command", "command": "/my\\ six/six-stop"}"#, "/my six/six-stop"),
        ] {
            assert_eq!(wired(handler), [program], "{handler}");
        }
    }

    #[test]
    fn what_only_mentions_a_program_of_ours_does_not_start_it() {
        for handler in [
            r#"{"type": "command", "command": "/my six/six-stop"}"#,
            r#"{"type": "command", "command": "notify /opt/six-stop"}"#,
            r#"{"type": "http", "command": "/opt/six-stop"}"#,
            r#"{"type": "command", "command": "'/opt/six-stop"}"#,
            r#"{"type": "command", "command": ""}"#,
            "7",
        ] {
            assert_eq!(wired(handler), [""; 0], "{handler}");
        }
    }

    #[test]
    fn the_switch_is_read_and_a_file_that_the_host_would_not_take_says_nothing() {
        assert_eq!(read_hooks(r#"{"disableAllHooks": true}"#).disabled, Some(true));
        assert_eq!(read_hooks(r#"{"disableAllHooks": "yes"}"#).disabled, None);
        for text in [
            "",
            "{",
            "[]",
            r#"{"disableAllHooks": true, // no
            }"#,
        ] {
            assert_eq!(read_hooks(text), HooksRead::default(), "{text}");
        }
    }
}
