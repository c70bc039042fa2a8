//! Front matter: the fields between two `---` lines at the top of a document.

use std::collections::BTreeMap;

/// The fields of a document's front matter. Nested fields are named with a dot: `metadata.type`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FrontMatter {
    /// Values without quotes; of a list, the items with a comma between them.
    pub fields: BTreeMap<String, String>,
}

/// What makes front matter unreadable. The document below it is read all the same.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrontMatterFault {
    /// There is no closing line.
    #[error("the front matter is never closed")]
    Unclosed,
    /// A line that is no field, no item and no comment.
    #[error("line {line} of the front matter is no `name: value`")]
    NotAField {
        /// Counted from 1 in the file.
        line: u32,
    },
}

/// A document in its two parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts<'a> {
    /// The fields; `None` if the document has no front matter.
    pub front: Option<Result<FrontMatter, FrontMatterFault>>,
    /// What follows; the whole document if the front matter is unclosed.
    pub body: &'a str,
    /// Lines before the body.
    pub lines_before: u32,
}

impl FrontMatter {
    /// `name`.
    pub fn name(&self) -> Option<&str> {
        self.field("name")
    }

    /// `description`.
    pub fn description(&self) -> Option<&str> {
        self.field("description")
    }

    /// `metadata.type`, as the host writes it now, or `type`, as it did before.
    pub fn kind(&self) -> Option<&str> {
        self.field("metadata.type").or_else(|| self.field("type"))
    }

    /// `tags` or `metadata.tags`, with commas between them.
    pub fn tags(&self) -> Option<String> {
        let said = self.field("tags").or_else(|| self.field("metadata.tags"))?;
        let inside = said.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(said);
        let tags: Vec<&str> = inside.split(',').map(unquoted).filter(|tag| !tag.is_empty()).collect();
        (!tags.is_empty()).then(|| tags.join(", "))
    }

    fn field(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }
}

/// Takes a document with LF line ends apart. The fields are read flat and one level deep, which is all that memory files
/// use; quotes and comments are understood, anchors and multi-line values are not.
pub fn parse_front_matter(text: &str) -> Parts<'_> {
    let all_body = |front| Parts { front, body: text, lines_before: 0 };
    let mut lines = text.split_inclusive('\n');
    let Some(opening) = lines.next().filter(|line| line.trim_end() == "---") else { return all_body(None) };
    let mut inside = Vec::new();
    let mut at = opening.len();
    for line in lines {
        at += line.len();
        if matches!(line.trim_end(), "---" | "...") {
            let lines_before = u32::try_from(inside.len() + 2).unwrap_or(u32::MAX);
            let body = text.get(at..).unwrap_or_default();
            return Parts { front: Some(parse_fields(&inside)), body, lines_before };
        }
        inside.push(line.trim_end());
    }
    // A thematic break as first line is Markdown, too: without any field it is no front matter.
    let is_fields = inside.first().is_some_and(|line| split_field(line).is_some());
    all_body(is_fields.then_some(Err(FrontMatterFault::Unclosed)))
}

fn parse_fields(lines: &[&str]) -> Result<FrontMatter, FrontMatterFault> {
    let mut fields = BTreeMap::<String, String>::new();
    let mut parent = String::new();
    let mut last = String::new();
    for (at, line) in lines.iter().enumerate() {
        let content = line.trim_start();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let is_nested = content.len() < line.len();
        if let Some(item) = content.strip_prefix("- ") {
            let items = fields.entry(last.clone()).or_default();
            if !items.is_empty() {
                items.push_str(", ");
            }
            items.push_str(unquoted(item));
            continue;
        }
        match split_field(content) {
            Some((name, value)) => {
                let name = if is_nested && !parent.is_empty() { format!("{parent}.{name}") } else { name.to_owned() };
                if !is_nested {
                    parent.clone_from(&name);
                }
                fields.insert(name.clone(), unquoted(value).to_owned());
                last = name;
            }
            // A value that an editor has wrapped goes on, indented.
            None if is_nested && !last.is_empty() => {
                let value = fields.entry(last.clone()).or_default();
                value.push(' ');
                value.push_str(content);
            }
            // YAML all the same: a name with blanks, an item whose text follows on the next line.
            None if content == "-" || content.contains(": ") || content.ends_with(':') => (),
            None => return Err(FrontMatterFault::NotAField { line: u32::try_from(at + 2).unwrap_or(u32::MAX) }),
        }
    }
    Ok(FrontMatter { fields })
}

/// `name: value`, where the name has no blanks.
fn split_field(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':')?;
    let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
    let is_value = value.is_empty() || value.starts_with([' ', '\t']);
    (is_name && is_value).then_some((name, value.trim()))
}

fn unquoted(value: &str) -> &str {
    let value = value.trim();
    let value = if matches!(value, ">" | "|" | ">-" | "|-") { "" } else { value };
    for quote in ['"', '\''] {
        if let Some(inside) = value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            return inside;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn front(text: &str) -> FrontMatter {
        parse_front_matter(text).front.unwrap().unwrap()
    }

    #[test]
    fn a_memory_file_of_the_host_is_read() {
        let text = "---\nname: invoices\ndescription: \"How invoices: are numbered\"\nmetadata:\n  type: project\n  tags:\n    - a\n    - b\n---\nBody\n";
        let parts = parse_front_matter(text);
        assert_eq!((parts.body, parts.lines_before), ("Body\n", 9));
        let front = front(text);
        assert_eq!(front.name(), Some("invoices"));
        assert_eq!(front.description(), Some("How invoices: are numbered"));
        assert_eq!(front.kind(), Some("project"));
        assert_eq!(front.fields["metadata.tags"], "a, b");
    }

    #[test]
    fn tags_are_read_in_every_form() {
        for said in
            ["tags: [a, 'b c']", "tags: a, b c", "tags:\n- a\n- \"b c\"", "metadata:\n  tags:\n    - a\n    - b c"]
        {
            assert_eq!(front(&format!("---\n{said}\n---\n")).tags().as_deref(), Some("a, b c"), "{said}");
        }
        assert_eq!(front("---\ntags: []\nname: x\n---\n").tags(), None);
    }

    proptest! {
        #[test]
        fn any_front_matter_is_taken_apart_without_loss(text in r"(---\n|[a-z]{1,5}: ?|\[|\]|- |\n|  |[a-zé'#>|]{0,6}){0,30}") {
            let parts = parse_front_matter(&text);
            prop_assert!(text.ends_with(parts.body));
            let before = &text[..text.len() - parts.body.len()];
            prop_assert_eq!(before.matches('\n').count(), parts.lines_before as usize);
            if let Some(Ok(front)) = parts.front {
                let _ = (front.name(), front.description(), front.kind(), front.tags());
            }
        }
    }

    #[test]
    fn the_older_form_comments_and_wrapped_values_are_read() {
        let front = front("---\n# mine\nname: 'x'\ntype: feedback\ndescription: >\n  one\n  two\n---\n");
        assert_eq!((front.name(), front.kind()), (Some("x"), Some("feedback")));
        assert_eq!(front.description().map(str::trim), Some("one two"));
    }

    #[test]
    fn yaml_that_is_of_no_use_here_is_no_fault() {
        let front = front("---\nname: x\nlast seen: today\n\"a b\": c\nitems:\n-\n  one\n---\n");
        assert_eq!(front.name(), Some("x"));
    }

    #[test]
    fn a_document_without_front_matter_is_all_body() {
        for text in ["# Title\n---\nx: y\n---\n", "", "---\n\nA break, then text.\n", "--- \ntext"] {
            let parts = parse_front_matter(text);
            assert_eq!((parts.front, parts.body, parts.lines_before), (None, text, 0));
        }
    }

    #[test]
    fn what_is_unreadable_is_named_and_the_body_stays() {
        let broken = parse_front_matter("---\nname: x\nthis is no field\n---\nBody");
        assert_eq!(broken.front, Some(Err(FrontMatterFault::NotAField { line: 3 })));
        assert_eq!(broken.body, "Body");
        let unclosed = parse_front_matter("---\nname: x\nBody");
        assert_eq!(unclosed.front, Some(Err(FrontMatterFault::Unclosed)));
        assert_eq!(unclosed.body, "---\nname: x\nBody");
    }
}
