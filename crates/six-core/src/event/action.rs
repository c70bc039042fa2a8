//! What a call of a tool is about to do, as far as its input tells.

use serde_json::Value;

use super::ToolCall;

/// What a call would change or start, in the words of its input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action<'a> {
    /// A part of a file becomes another one.
    Edit {
        /// The file as the host names it; empty if it names none.
        path: &'a str,
        /// What is taken out.
        old: Vec<&'a str>,
        /// What comes in.
        new: Vec<&'a str>,
    },
    /// A whole file is written.
    Write {
        /// The file as the host names it; empty if it names none.
        path: &'a str,
        /// All that it holds from now on.
        text: &'a str,
    },
    /// A shell runs these lines.
    Run(&'a str),
    /// A sub-agent gets this prompt.
    HandOver(&'a str),
}

impl ToolCall {
    /// What the call does to the project; `None` for a tool that only looks, and for one that is not known. A part of the
    /// input that has another shape than the host gives it counts as absent.
    pub fn action(&self) -> Option<Action<'_>> {
        let text = |field| text_of(&self.input, field);
        Some(match self.name.as_str() {
            "Edit" => {
                Action::Edit { path: text("file_path"), old: vec![text("old_string")], new: vec![text("new_string")] }
            }
            "MultiEdit" => {
                let edits = self.input.get("edits").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
                let each = |field| edits.iter().map(|edit| text_of(edit, field)).collect();
                Action::Edit { path: text("file_path"), old: each("old_string"), new: each("new_string") }
            }
            "NotebookEdit" => {
                Action::Edit { path: text("notebook_path"), old: Vec::new(), new: vec![text("new_source")] }
            }
            "Write" => Action::Write { path: text("file_path"), text: text("content") },
            "Bash" => Action::Run(text("command")),
            "Agent" | "Task" => Action::HandOver(text("prompt")),
            _ => return None,
        })
    }
}

fn text_of<'a>(object: &'a Value, field: &str) -> &'a str {
    object.get(field).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(name: &str, input: Value) -> ToolCall {
        ToolCall { name: name.into(), input, use_id: None }
    }

    #[test]
    fn tools_that_change_or_start_something_are_understood() {
        let edit = call("Edit", json!({"file_path": "/p/a.rs", "old_string": "x", "new_string": "y"}));
        assert_eq!(edit.action(), Some(Action::Edit { path: "/p/a.rs", old: vec!["x"], new: vec!["y"] }));
        let edits =
            json!({"file_path": "/p/a.rs", "edits": [{"old_string": "x", "new_string": "y"}, {"new_string": "z"}]});
        let edits = call("MultiEdit", edits);
        assert_eq!(edits.action(), Some(Action::Edit { path: "/p/a.rs", old: vec!["x", ""], new: vec!["y", "z"] }));
        let cell = call("NotebookEdit", json!({"notebook_path": "/p/a.ipynb", "new_source": "import os"}));
        assert_eq!(cell.action(), Some(Action::Edit { path: "/p/a.ipynb", old: vec![], new: vec!["import os"] }));
        let write = call("Write", json!({"file_path": "/p/b.rs", "content": "fn main() {}"}));
        assert_eq!(write.action(), Some(Action::Write { path: "/p/b.rs", text: "fn main() {}" }));
        assert_eq!(call("Bash", json!({"command": "ls"})).action(), Some(Action::Run("ls")));
        for name in ["Agent", "Task"] {
            assert_eq!(call(name, json!({"prompt": "count"})).action(), Some(Action::HandOver("count")));
        }
    }

    #[test]
    fn tools_that_look_or_are_not_known_do_nothing() {
        for name in ["Read", "Grep", "TaskCreate", "ToolSearch", "mcp__mini__ask", "bash", ""] {
            assert_eq!(call(name, json!({"command": "npm install", "file_path": "/p/a.rs"})).action(), None, "{name}");
        }
    }

    #[test]
    fn an_input_of_another_shape_is_an_empty_one() {
        for input in [json!(null), json!("npm install"), json!(["npm"]), json!(7), json!({"command": ["npm"]})] {
            assert_eq!(call("Bash", input.clone()).action(), Some(Action::Run("")), "{input}");
        }
        for edits in [json!(null), json!("x"), json!([null, 7, "x"])] {
            let call = call("MultiEdit", json!({"file_path": 7, "edits": edits}));
            let Some(Action::Edit { path: "", new, .. }) = call.action() else { panic!("{edits}") };
            assert!(new.iter().all(|text| text.is_empty()));
        }
    }
}
