//! Unwiring our hooks without knowing how they got there.

use super::document::{Container, Document, groups_of, handlers_of, hooks_of, program_of_handler};
use super::fault::SettingsFault;
use super::layout::Layout;
use super::schema::{validate_document, validate_hooks};
use super::splice::{Edit, Splice, Wired};
use jsonc_parser::ast::{Object, ObjectProp, Value};

/// Plans how our entries get out of a settings file, whatever else was changed in it since they got in.
///
/// `is_ours` is asked about the path of each program that a hook starts. Our entries go, and with them the groups, lists
/// and the `hooks` member that become empty by that; the file stays. A `hooks` or a list that was there before us and
/// empty goes too: only the spans of the install know that ([`super::undo`]).
pub fn plan_uninstall(text: &str, is_ours: impl Fn(&str) -> bool) -> Result<Edit, SettingsFault> {
    let document = Document::parse(text)?;
    validate_document(&document)?;
    let mut plan = Plan { is_ours, splices: Vec::new(), removed: Vec::new() };
    if let Some(root) = &document.root {
        plan.unwire(&Layout::of(&document), root);
    }
    let (text, spans) = document.spliced(plan.splices);
    validate_hooks(&text)?;
    Ok(Edit { text, spans, added: Vec::new(), repaired: Vec::new(), removed: plan.removed })
}

struct Plan<F> {
    is_ours: F,
    splices: Vec<Splice>,
    removed: Vec<Wired>,
}

impl<F: Fn(&str) -> bool> Plan<F> {
    fn unwire(&mut self, layout: &Layout, root: &Object) {
        let Some(hooks) = hooks_of(root) else { return };
        let gone: Vec<bool> = hooks.properties.iter().map(|event| self.unwire_event(event)).collect();
        if !self.cut_some(&hooks.into(), &gone) {
            return;
        }
        let is_hooks: Vec<bool> = root.properties.iter().map(|member| member.name.as_str() == "hooks").collect();
        if self.cut_some(&root.into(), &is_hooks) {
            self.splices.push(layout.emptied(&root.into()));
        }
    }

    /// Whether nothing of the event would be left; if so, its inside is not touched.
    fn unwire_event(&mut self, event: &ObjectProp) -> bool {
        let Some(groups) = event.value.as_array() else { return false };
        let gone: Vec<bool> = groups_of(event).iter().map(|group| self.unwire_group(event, group)).collect();
        self.cut_some(&groups.into(), &gone)
    }

    fn unwire_group(&mut self, event: &ObjectProp, group: &Value) -> bool {
        let Some(handlers) = handlers_of(group) else { return false };
        let gone: Vec<bool> = handlers
            .elements
            .iter()
            .map(|handler| {
                let ours = program_of_handler(handler).filter(|program| (self.is_ours)(program));
                self.removed.extend(
                    ours.map(|command| Wired { event: event.name.as_str().to_owned(), command: command.to_owned() }),
                );
                ours.is_some()
            })
            .collect();
        self.cut_some(&handlers.into(), &gone)
    }

    /// Cuts items out of a container that keeps others. Answers whether it would keep none; then nothing is cut, and the
    /// caller takes out the container as a whole.
    fn cut_some(&mut self, container: &Container, gone: &[bool]) -> bool {
        if !gone.contains(&true) {
            return false;
        }
        if !gone.contains(&false) {
            return true;
        }
        let mut kept_end = None;
        let mut cut_from = None;
        for (&(start, end), &gone) in container.items.iter().zip(gone) {
            match (gone, kept_end) {
                (true, Some(kept_end)) => self.cut(kept_end, end),
                (true, None) => cut_from = cut_from.or(Some(start)),
                (false, _) => {
                    if let Some(from) = cut_from.take() {
                        self.cut(from, start);
                    }
                    kept_end = Some(end);
                }
            }
        }
        false
    }

    /// Plans a cut; a longer one takes the place of one that begins where it does.
    fn cut(&mut self, start: usize, end: usize) {
        self.splices.retain(|splice| splice.start != start);
        self.splices.push(Splice { start, end, inserted: String::new() });
    }
}

#[cfg(test)]
mod tests {
    use super::super::is_our_program;
    use super::*;

    fn uninstalled(text: &str) -> Edit {
        plan_uninstall(text, is_our_program).unwrap()
    }

    #[test]
    fn an_entry_inside_a_foreign_group_goes_alone() {
        let text = r#"{"hooks": {"Stop": [{"matcher": "x", "hooks": [
  {"type": "command", "command": "/w/six-notes/hook"},
  {"type": "command", "command": "/a/six-stop", "args": []},
  {"type": "command", "command": "/b/six-stop"}, {"type": "command", "command": "last"}
]}]}}"#;
        insta::assert_snapshot!(uninstalled(text).text, @r#"
        {"hooks": {"Stop": [{"matcher": "x", "hooks": [
          {"type": "command", "command": "/w/six-notes/hook"}, {"type": "command", "command": "last"}
        ]}]}}
        "#);
        let removed = uninstalled(text).removed;
        assert_eq!(
            removed.iter().map(|wired| wired.command.as_str()).collect::<Vec<_>>(),
            ["/a/six-stop", "/b/six-stop"]
        );
    }

    #[test]
    fn an_entry_at_the_start_goes_with_its_comma() {
        let text =
            r#"{"hooks": {"Stop": [ {"hooks": [{"command": "/a/six-stop", "type": "command"} , {"command": "b"}]} ]}}"#;
        assert_eq!(uninstalled(text).text, r#"{"hooks": {"Stop": [ {"hooks": [{"command": "b"}]} ]}}"#);
    }

    #[test]
    fn what_becomes_empty_goes_too_and_the_file_stays() {
        let ours = r#"[{"hooks": [{"type": "command", "command": "/a/six-stop"}]}]"#;
        assert_eq!(uninstalled(&format!(r#"{{"hooks": {{"Stop": {ours}}}}}"#)).text, "{}");
        assert_eq!(
            uninstalled(&format!(r#"{{"a": 1, "hooks": {{"Stop": {ours}}}, "b": 2}}"#)).text,
            r#"{"a": 1, "b": 2}"#
        );
        let with_empty = format!(r#"{{"hooks": {{"Stop": {ours}, "PreToolUse": []}}}}"#);
        assert_eq!(uninstalled(&with_empty).text, r#"{"hooks": {"PreToolUse": []}}"#);
    }

    #[test]
    fn a_file_without_us_is_left_alone() {
        for text in
            ["", "{}", r#"{"hooks": {}}"#, r#"{"hooks": {"Stop": [{"hooks": []}, {"hooks": [{"command": "six"}]}]}}"#]
        {
            let edit = uninstalled(text);
            assert_eq!((edit.text.as_str(), edit.spans, edit.removed), (text, vec![], vec![]));
        }
    }
}
