//! Writing new members in the hand of the file.

use super::document::{Container, Document};
use super::splice::Splice;
use jsonc_parser::common::Ranged;
use serde::Serialize;
use serde_json::ser::{PrettyFormatter, Serializer};

/// How a file is laid out.
pub(super) struct Layout<'a> {
    body: &'a str,
    line_end: &'static str,
    /// One step of indentation.
    step: String,
}

/// A member or an element to be written.
pub(super) struct Item {
    /// On several lines, `\n` between them, indented from column 0 on.
    tall: String,
    /// On one line.
    flat: String,
}

impl<'a> Layout<'a> {
    pub(super) fn of(document: &Document<'a>) -> Self {
        let body = document.body;
        let line_end = if body.contains("\r\n") { "\r\n" } else { "\n" };
        let first = document.root.as_ref().and_then(|root| root.properties.first());
        let step = first.map(|first| indent_at(body, first.start())).filter(|indent| !indent.is_empty());
        Self { body, line_end, step: step.unwrap_or("  ").to_owned() }
    }

    /// A list element, or with a name an object member.
    pub(super) fn item(&self, name: Option<&str>, value: &impl Serialize) -> Item {
        let mut tall = Vec::new();
        let formatter = PrettyFormatter::with_indent(self.step.as_bytes());
        let flat = serde_json::to_string(value).unwrap_or_default();
        let tall = match value.serialize(&mut Serializer::with_formatter(&mut tall, formatter)) {
            Ok(()) => String::from_utf8(tall).unwrap_or_default(),
            Err(_) => flat.clone(),
        };
        match name.map(|name| serde_json::to_string(name).unwrap_or_default()) {
            Some(name) => Item { tall: format!("{name}: {tall}"), flat: format!("{name}:{flat}") },
            None => Item { tall, flat },
        }
    }

    /// Makes a file of nothing but white space one object with one member.
    pub(super) fn whole_file(&self, item: &Item) -> Splice {
        let (end, step, at) = (self.line_end, &self.step, self.body.len());
        let inserted = format!("{{{end}{step}{}{end}}}{end}", self.indented(item, step));
        Splice { start: at, end: at, inserted }
    }

    /// Puts items at the end of a container, separated as its last two are.
    pub(super) fn appended(&self, container: &Container, items: &[Item]) -> Splice {
        let Some(&(last_start, last_end)) = container.items.last() else {
            return self.filled(container, items);
        };
        let before = container.items.iter().rev().nth(1).map_or(container.open, |(_, end)| *end);
        let gap = self.body.get(before..last_start).unwrap_or_default();
        let gap = gap.split_once(',').map_or(gap, |(_, after)| after);
        let indent = gap.rsplit_once('\n').map(|(_, indent)| indent);
        let mut inserted = String::new();
        for item in items {
            inserted.push(',');
            inserted.push_str(gap);
            inserted.push_str(&indent.map_or_else(|| item.flat.clone(), |indent| self.indented(item, indent)));
        }
        Splice { start: last_end, end: last_end, inserted }
    }

    /// Puts items into an empty container. What stood between its brackets stays behind the items, so that
    /// [`Self::emptied`] can give it back.
    fn filled(&self, container: &Container, items: &[Item]) -> Splice {
        let outer = indent_at(self.body, container.open);
        let inner = format!("{outer}{}", self.step);
        let lines: Vec<String> =
            items.iter().map(|item| format!("{}{inner}{}", self.line_end, self.indented(item, &inner))).collect();
        let inserted = format!("{}{}{outer}", lines.join(","), self.line_end);
        Splice { start: container.open, end: container.open, inserted }
    }

    /// Takes all items out of a container, and the line end that [`Self::filled`] put behind them.
    pub(super) fn emptied(&self, container: &Container) -> Splice {
        let last_end = container.items.last().map_or(container.open, |(_, end)| *end);
        let behind = self.body.get(last_end..container.close).unwrap_or_default();
        let closing = format!("{}{}", self.line_end, indent_at(self.body, container.open));
        let end = if behind.starts_with(&closing) { last_end + closing.len() } else { last_end };
        Splice { start: container.open, end, inserted: String::new() }
    }

    fn indented(&self, item: &Item, indent: &str) -> String {
        item.tall.replace('\n', &format!("{}{indent}", self.line_end))
    }
}

/// The white space at the start of the line that holds byte `at`.
fn indent_at(body: &str, at: usize) -> &str {
    let before = body.get(..at).unwrap_or(body);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = body.get(line_start..).unwrap_or_default();
    let width = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..width).unwrap_or_default()
}
