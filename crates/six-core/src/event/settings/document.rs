//! A settings file with the place of every value in it.

use super::entry::program_of;
use super::fault::{SettingsFault, SettingsProblem};
use super::splice::{Span, Splice, spliced};
use jsonc_parser::ast::{Array, Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::errors::ParseErrorKind;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde::de::IgnoredAny;

/// A parsed settings file. Ranges in its tree count from the start of `body`.
pub(super) struct Document<'a> {
    text: &'a str,
    /// The text after a byte order mark.
    pub body: &'a str,
    /// `None` for a file of nothing but white space.
    pub root: Option<Object<'a>>,
}

impl<'a> Document<'a> {
    /// Reads strict JSON, as the host does.
    pub(super) fn parse(text: &'a str) -> Result<Self, SettingsFault> {
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        let strict = ParseOptions {
            allow_comments: false,
            allow_loose_object_property_names: false,
            allow_trailing_commas: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let parsed = parse_to_ast(body, &CollectOptions::default(), &strict).map_err(|error| {
            let problem = match error.kind() {
                ParseErrorKind::CommentsNotAllowed | ParseErrorKind::UnterminatedCommentBlock => {
                    SettingsProblem::Comment
                }
                ParseErrorKind::TrailingCommasNotAllowed => SettingsProblem::TrailingComma,
                other => SettingsProblem::Syntax(other.to_string()),
            };
            SettingsFault::at(body, error.range().start, problem)
        })?;
        let Some(value) = parsed.value else { return Ok(Self { text, body, root: None }) };
        reject_what_only_the_lenient_parser_takes(body)?;
        match value {
            Value::Object(root) => Ok(Self { text, body, root: Some(root) }),
            other => Err(SettingsFault::at(body, other.start(), SettingsProblem::NotAnObject)),
        }
    }

    /// The whole text, byte order mark included, with these places of `body` changed.
    pub(super) fn spliced(&self, mut splices: Vec<Splice>) -> (String, Vec<Span>) {
        let mark = self.text.len() - self.body.len();
        for splice in &mut splices {
            splice.start += mark;
            splice.end += mark;
        }
        spliced(self.text, splices)
    }

    /// A fault at a value of the tree.
    pub(super) fn fault(&self, at: &impl Ranged, problem: SettingsProblem) -> SettingsFault {
        SettingsFault::at(self.body, at.start(), problem)
    }
}

/// The parser that knows places takes raw control characters in strings, and white space that is none in JSON.
fn reject_what_only_the_lenient_parser_takes(body: &str) -> Result<(), SettingsFault> {
    serde_json::from_str::<IgnoredAny>(body).map(|_| ()).map_err(|error| {
        let line_start: usize = body.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        let mut offset = (line_start + error.column().saturating_sub(1)).min(body.len());
        while !body.is_char_boundary(offset) {
            offset -= 1;
        }
        // The parser repeats its own count of lines and bytes at the end of its words.
        let words = error.to_string();
        let words = words.split(" at line ").next().unwrap_or_default().to_owned();
        SettingsFault::at(body, offset, SettingsProblem::Syntax(words))
    })
}

/// An object or a list as a row of items between two brackets.
pub(super) struct Container {
    /// After the opening bracket.
    pub open: usize,
    /// At the closing bracket.
    pub close: usize,
    /// Start and end of each item.
    pub items: Vec<(usize, usize)>,
}

impl From<&Object<'_>> for Container {
    fn from(object: &Object) -> Self {
        let items = object.properties.iter().map(|property| (property.start(), property.end())).collect();
        Self { open: object.start() + 1, close: object.end() - 1, items }
    }
}

impl From<&Array<'_>> for Container {
    fn from(array: &Array) -> Self {
        let items = array.elements.iter().map(|element| (element.start(), element.end())).collect();
        Self { open: array.start() + 1, close: array.end() - 1, items }
    }
}

/// The `hooks` of a settings file whose shape has been checked.
pub(super) fn hooks_of<'d, 'a>(root: &'d Object<'a>) -> Option<&'d Object<'a>> {
    root.get("hooks")?.value.as_object()
}

/// The groups of an event; none for what has another shape.
pub(super) fn groups_of<'d, 'a>(event: &'d ObjectProp<'a>) -> &'d [Value<'a>] {
    event.value.as_array().map_or(&[], |groups| &groups.elements)
}

/// The handlers of a group.
pub(super) fn handlers_of<'d, 'a>(group: &'d Value<'a>) -> Option<&'d Array<'a>> {
    group.as_object()?.get("hooks")?.value.as_array()
}

/// The program that a handler starts, if it starts one.
pub(super) fn program_of_handler<'d>(handler: &'d Value) -> Option<&'d str> {
    let handler = handler.as_object()?;
    let command = &handler.get_string("command")?.value;
    let is_command =
        handler.get("type").is_none_or(|kind| kind.value.as_string_lit().is_some_and(|kind| kind.value == "command"));
    program_of(command, handler.get("args").is_none()).filter(|_| is_command)
}
