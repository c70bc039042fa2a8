//! What a call of a tool touches: the words that it brings in, the file that it changes, the programs that it starts.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::Limits;
use super::extent::whole_words;
use super::relevance::{code_terms, without_marks};
use super::shell::{Command, commands};
use crate::event::{Action, Context, ToolCall};
use crate::text::{Redacted, Redactor, tokens};

/// What a call touches.
#[derive(Debug)]
pub struct Touch {
    /// What is looked at: new text, commands, a prompt.
    pub text: Redacted,
    /// The file that is changed, relative to the project's root, with `/`; `None` outside of it and for other calls.
    pub path: Option<Redacted>,
    /// Distinct terms to match items by, those that the call brings in first.
    pub terms: Vec<String>,
    /// How many of `terms` are new: the rest stands in what is taken out as well, so that it tells where the call is and
    /// not what it does.
    fresh: usize,
    /// The words of `path`.
    path_terms: BTreeSet<String>,
    /// The commands that do more than look.
    pub(super) commands: Vec<Command>,
}

/// Terms of a call for one of a prompt: code says less with more words.
const TERMS_PER_TERM: usize = 4;

/// What a call touches; `None` for one that changes and starts nothing. `root` is the folder of the project.
pub fn touch(call: &ToolCall, context: &Context, root: &Path, limits: &Limits) -> Option<Touch> {
    match call.action()? {
        Action::Edit { path, old, new } => {
            let path = relative(path, context.cwd.as_deref(), root);
            Touch::of_text(&joined(&new), &joined(&old), path, limits)
        }
        Action::Write { path, text } => {
            let path = relative(path, context.cwd.as_deref(), root);
            // The name of a new file is as much news as its text.
            let name = path.as_deref().and_then(|path| Path::new(path).file_stem()?.to_str()).unwrap_or_default();
            Touch::of_text(&format!("{name}\n{}", whole_words(text)), "", path, limits)
        }
        Action::Run(line) => Touch::of_commands(commands(whole_words(line)), limits),
        Action::HandOver(prompt) => Touch::of_text(prompt, "", None, limits),
    }
}

impl Touch {
    fn of_text(new: &str, old: &str, path: Option<String>, limits: &Limits) -> Option<Self> {
        let text = redact(new);
        let many = Limits { max_terms: limits.max_terms.saturating_mul(TERMS_PER_TERM), ..limits.clone() };
        let before: BTreeSet<String> = tokens(whole_words(old)).into_iter().map(|token| token.term).collect();
        let (mut terms, kept): (Vec<String>, Vec<String>) =
            code_terms(&without_marks(text.as_str()), &many).into_iter().partition(|term| !before.contains(term));
        let fresh = terms.len();
        terms.extend(kept);
        let path = path.map(|path| redact(&path));
        let path_terms = path.iter().flat_map(|path| tokens(path.as_str())).map(|token| token.term).collect();
        (fresh > 0).then_some(Self { text, path, terms, fresh, path_terms, commands: Vec::new() })
    }

    fn of_commands(commands: Vec<Command>, limits: &Limits) -> Option<Self> {
        let lines: Vec<String> =
            commands.iter().map(|command| format!("{}\n{}", command.words.join(" "), command.input)).collect();
        let touch = Self::of_text(lines.join("").trim_end(), "", None, limits);
        if commands.is_empty() {
            return touch;
        }
        // A program may be a word that is no term, such as `make`.
        let nothing = || Self {
            text: Redacted::literal(""),
            path: None,
            terms: Vec::new(),
            fresh: 0,
            path_terms: BTreeSet::new(),
            commands: Vec::new(),
        };
        Some(Self { commands, ..touch.unwrap_or_else(nothing) })
    }

    /// Whether a term is among those that the call brings in.
    pub(super) fn brings_in(&self, term: &str) -> bool {
        self.terms.iter().take(self.fresh).any(|fresh| fresh == term)
    }

    /// Whether a term stands in the name of the file that is changed: there it says nothing more.
    pub(super) fn is_of_path(&self, term: &str) -> bool {
        self.path_terms.contains(term)
    }

    /// The programs that are started, as terms of the index.
    pub fn program_terms(&self) -> Vec<String> {
        let programs: BTreeSet<&String> = self.commands.iter().flat_map(|command| &command.programs).collect();
        let redactor = Redactor::new();
        let whole = |text: &str| tokens(text).into_iter().next().map(|token| token.term);
        programs.into_iter().filter_map(|name| whole(&without_marks(redactor.redact(name).as_str()))).collect()
    }
}

/// Pieces as one text, each as far as it is looked at.
fn joined(pieces: &[&str]) -> String {
    let pieces: Vec<&str> = pieces.iter().map(|piece| whole_words(piece)).collect();
    pieces.join("\n")
}

/// A text as far as it is looked at, without secrets.
fn redact(text: &str) -> Redacted {
    Redactor::new().redact(whole_words(text))
}

/// A path of the host relative to the root, with `/`, as far as names tell it: links are not followed.
fn relative(path: &str, cwd: Option<&Path>, root: &Path) -> Option<String> {
    if path.is_empty() {
        return None;
    }
    let mut whole = PathBuf::new();
    for part in cwd.unwrap_or(root).join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                whole.pop();
            }
            part => whole.push(part),
        }
    }
    let parts: Option<Vec<&str>> =
        whole.strip_prefix(root).ok()?.components().map(|part| part.as_os_str().to_str()).collect();
    parts.filter(|parts| !parts.is_empty()).map(|parts| parts.join("/"))
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::{Value, json};

    use super::super::extent::MAX_BYTES;
    use super::*;
    use crate::record::SessionId;

    pub(in crate::inject) fn touched(name: &str, input: Value) -> Option<Touch> {
        let context = Context {
            session_id: SessionId::new("s-1"),
            transcript_path: None,
            cwd: Some("/home/sam/app/web".into()),
            prompt_id: None,
            agent: None,
            permission_mode: None,
        };
        let call = ToolCall { name: name.into(), input, use_id: None };
        touch(&call, &context, Path::new("/home/sam/app"), &Limits::default())
    }

    fn path_of(path: &str) -> Option<String> {
        let touch = touched("Write", json!({"file_path": path, "content": "zeppelin quorum"})).unwrap();
        touch.path.map(|path| path.to_string())
    }

    #[test]
    fn a_path_is_told_from_the_root_of_the_project() {
        for (path, expected) in [
            ("/home/sam/app/src/a.rs", Some("src/a.rs")),
            ("/home/sam/app/./src/../lib//b.rs", Some("lib/b.rs")),
            ("c.rs", Some("web/c.rs")),
            ("../d.rs", Some("d.rs")),
            ("../../e.rs", None),
            ("/home/sam/apple/f.rs", None),
            ("/home/sam/app", None),
            ("/etc/passwd", None),
            ("", None),
        ] {
            assert_eq!(path_of(path).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn what_an_edit_takes_out_and_puts_back_is_no_news() {
        let edit = json!({"file_path": "a.rs", "old_string": "zeppelin", "new_string": "zeppelin quorum"});
        let touch = touched("Edit", edit).unwrap();
        assert_eq!(touch.terms, ["quorum", "zeppelin"]);
        assert!(touch.brings_in("quorum") && !touch.brings_in("zeppelin"));
        let same = json!({"file_path": "a.rs", "old_string": "zeppelin quorum", "new_string": "quorum zeppelin"});
        assert!(touched("Edit", same).is_none(), "nothing comes in");
        assert!(touched("Edit", json!({"file_path": "a.rs", "old_string": "zeppelin", "new_string": ""})).is_none());
    }

    #[test]
    fn the_name_of_a_written_file_is_read_with_it() {
        let touch = touched("Write", json!({"file_path": "/home/sam/app/redis_lock.rs", "content": "lease"})).unwrap();
        for term in ["redi", "leas"] {
            assert!(touch.brings_in(term), "{term}: {:?}", touch.terms);
        }
        assert!(touch.is_of_path("redi") && !touch.is_of_path("leas"));
    }

    #[test]
    fn a_command_is_read_without_what_only_looks() {
        let touch = touched("Bash", json!({"command": "cat zeppelin.md && npm install quorum"})).unwrap();
        assert!(touch.brings_in("quorum") && !touch.brings_in("zeppelin"), "{:?}", touch.terms);
        assert_eq!(touch.program_terms(), ["npm"]);
        assert!(touched("Bash", json!({"command": "cat zeppelin.md | head"})).is_none());
        assert_eq!(touched("Bash", json!({"command": "make"})).unwrap().program_terms(), ["make"]);
    }

    #[test]
    fn a_secret_is_neither_looked_up_nor_kept() {
        let token = format!("{}{}", "gh", "p_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
        for (tool, input) in [
            ("Bash", json!({"command": format!("curl -H 'Authorization: token {token}' https://example.invalid")})),
            ("Write", json!({"file_path": "/home/sam/app/a.env", "content": format!("TOKEN={token}\nzeppelin")})),
            ("Write", json!({"file_path": format!("/home/sam/app/{token}"), "content": "zeppelin"})),
            ("Agent", json!({"prompt": format!("log in with {token} and count zeppelins")})),
        ] {
            let touch = touched(tool, input).unwrap();
            let kept = format!("{} {:?} {:?} {:?}", touch.text, touch.path, touch.terms, touch.program_terms());
            assert!(!kept.contains("a1B2") && !kept.to_lowercase().contains("a1b2"), "{kept}");
        }
    }

    #[test]
    fn a_secret_across_the_end_of_what_is_looked_at_leaves_no_half() {
        let token = format!("{}{}", "gh", "p_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
        for filler in [" ", ";"] {
            let before = format!("zeppelin{filler}");
            for half in [6, 14, 24] {
                let mut text = before.clone() + &filler.repeat(MAX_BYTES - before.len() - half);
                text.push_str(&token);
                text.push_str(" quorum");
                for (tool, input) in [
                    ("Bash", json!({"command": format!("make {text}")})),
                    ("Write", json!({"file_path": "/home/sam/app/a.rs", "content": text})),
                    ("Edit", json!({"file_path": "/home/sam/app/a.rs", "old_string": "x", "new_string": text})),
                    ("Agent", json!({"prompt": text})),
                ] {
                    let touch = touched(tool, input).unwrap();
                    let kept = format!("{} {:?}", touch.text, touch.terms).to_lowercase();
                    assert!(!kept.contains("ghp") && !kept.contains("a1b2"), "{tool}, {half} bytes: {:?}", touch.terms);
                }
            }
        }
    }

    #[test]
    fn megabytes_are_bounded() {
        for text in ["zeppelin ".repeat(600_000), "x".repeat(5 << 20), "🙏".repeat(1_300_000), "a;".repeat(2_000_000)]
        {
            for (tool, input) in [
                ("Bash", json!({"command": text})),
                ("Write", json!({"file_path": "/home/sam/app/a.rs", "content": text})),
                ("Edit", json!({"file_path": text, "old_string": text, "new_string": text})),
            ] {
                if let Some(touch) = touched(tool, input) {
                    assert!(touch.terms.len() <= 128 && touch.text.as_str().len() <= 2 * MAX_BYTES);
                }
            }
        }
    }
}
