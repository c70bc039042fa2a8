//! What a message is made of.

use serde_json::{Map, Value};

/// One block of a message's content.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// Text that was said.
    Text(String),
    /// Text that was thought.
    Thinking(String),
    /// The model calls a tool.
    ToolUse {
        /// The call.
        id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        input: Value,
    },
    /// A tool's result, as the model sees it.
    ToolResult {
        /// The call.
        tool_use_id: String,
        /// The tool failed or was refused.
        is_error: bool,
        /// All text of the result, one part a line; images and the like are dropped.
        text: String,
    },
    /// A picture, dropped.
    Image,
    /// A kind of block that six has no use for, by its type.
    Other(String),
}

impl Block {
    /// Reads `message.content`: a string, or a list of blocks among which strings may stand.
    pub(super) fn read_all(content: Value) -> Vec<Self> {
        match content {
            Value::String(text) => vec![Self::Text(text)],
            Value::Array(blocks) => blocks.into_iter().map(Self::read).collect(),
            _ => Vec::new(),
        }
    }

    fn read(block: Value) -> Self {
        let mut members = match block {
            Value::String(text) => return Self::Text(text),
            Value::Object(members) => members,
            _ => return Self::Other(String::new()),
        };
        let kind = take_text(&mut members, "type");
        match kind.as_str() {
            "text" => Self::Text(take_text(&mut members, "text")),
            "thinking" => Self::Thinking(take_text(&mut members, "thinking")),
            "tool_use" => Self::ToolUse {
                id: take_text(&mut members, "id"),
                name: take_text(&mut members, "name"),
                input: members.remove("input").unwrap_or_default(),
            },
            "tool_result" => Self::ToolResult {
                tool_use_id: take_text(&mut members, "tool_use_id"),
                is_error: members.get("is_error") == Some(&Value::Bool(true)),
                text: text_of(&Self::read_all(members.remove("content").unwrap_or_default())),
            },
            "image" => Self::Image,
            _ => Self::Other(kind),
        }
    }
}

/// The text blocks, one after the other, a line end between them.
pub(super) fn text_of(blocks: &[Block]) -> String {
    let texts: Vec<&str> = blocks
        .iter()
        .filter_map(|block| match block {
            Block::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    texts.join("\n")
}

fn take_text(members: &mut Map<String, Value>, name: &str) -> String {
    match members.remove(name) {
        Some(Value::String(text)) => text,
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn content_is_a_string_a_list_or_a_mixed_list() {
        assert_eq!(Block::read_all(json!("hi")), [Block::Text("hi".into())]);
        assert_eq!(
            Block::read_all(json!(["hi", {"type": "text", "text": "there"}, {"type": "image", "source": {}}, 7])),
            [Block::Text("hi".into()), Block::Text("there".into()), Block::Image, Block::Other(String::new())]
        );
        assert_eq!(Block::read_all(json!({"type": "text"})), []);
        assert_eq!(Block::read_all(Value::Null), []);
    }

    #[test]
    fn a_result_keeps_its_text_and_drops_its_pictures() {
        let content = json!([{"type": "tool_result", "tool_use_id": "t-1", "is_error": true, "content": [
            {"type": "text", "text": "a"}, {"type": "image"}, {"type": "tool_reference", "tool_name": "x"}, "b"]}]);
        let result = Block::ToolResult { tool_use_id: "t-1".into(), is_error: true, text: "a\nb".into() };
        assert_eq!(Block::read_all(content), [result]);
        let bare = json!([{"type": "tool_result", "tool_use_id": "t-2"}]);
        let result = Block::ToolResult { tool_use_id: "t-2".into(), is_error: false, text: String::new() };
        assert_eq!(Block::read_all(bare), [result]);
    }

    #[test]
    fn calls_thoughts_and_unknown_kinds_are_told_apart() {
        let content = json!([
            {"type": "tool_use", "id": "t-1", "name": "Bash", "input": {"command": "ls"}},
            {"type": "thinking", "thinking": "hm", "signature": "x"},
            {"type": "redacted_thinking", "data": "x"},
        ]);
        let call = Block::ToolUse { id: "t-1".into(), name: "Bash".into(), input: json!({"command": "ls"}) };
        assert_eq!(
            Block::read_all(content),
            [call, Block::Thinking("hm".into()), Block::Other("redacted_thinking".into())]
        );
    }
}
