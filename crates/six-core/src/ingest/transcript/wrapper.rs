//! What the host writes round and into a prompt.

use std::borrow::Cow;

/// Elements that the host attaches to a prompt. They are cut out, the prompt stays.
const ATTACHED: [&str; 7] = [
    "system-reminder",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
    "user-prompt-submit-hook",
    "local-command-caveat",
    "session-start-hook",
];

/// The prompt as its author wrote it. An element that is never closed is the author's own text.
pub(super) fn without_attached(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text.trim());
    }
    let mut kept = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('<')) {
        let open = at + found;
        match end_of_attached(text, open) {
            Some(end) => {
                kept.push_str(text.get(copied..open).unwrap_or_default());
                copied = end;
                at = end;
            }
            None => at = open + 1,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text.trim());
    }
    kept.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(kept.trim().to_owned())
}

/// Where the attached element that opens at byte `open` ends, if one does.
fn end_of_attached(text: &str, open: usize) -> Option<usize> {
    let inside = text.get(open + 1..)?;
    let tag = ATTACHED
        .iter()
        .find(|tag| inside.strip_prefix(**tag).is_some_and(|rest| rest.starts_with('>') || rest.starts_with(' ')))?;
    let close = format!("</{tag}>");
    inside.find(&close).map(|at| open + 1 + at + close.len())
}

/// A command of the project as it was typed: `/name arguments`. The text itself if it has no command in it.
pub(super) fn as_typed(text: &str) -> String {
    let Some(name) = element(text, "command-name") else { return text.trim().to_owned() };
    let slash = if name.starts_with('/') { "" } else { "/" };
    let args = element(text, "command-args").unwrap_or_default();
    format!("{slash}{name} {args}").trim_end().to_owned()
}

/// A shell line as it was typed: `!command`.
pub(super) fn shell_line(text: &str) -> String {
    format!("!{}", element(text, "bash-input").unwrap_or_else(|| text.trim()))
}

/// The trimmed content of the first such element.
fn element<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let open = format!("<{tag}>");
    let (_, after) = text.split_once(&open)?;
    let (inside, _) = after.split_once(&format!("</{tag}>"))?;
    Some(inside.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attached_notes_are_cut_out_and_the_prompt_stays() {
        for (text, kept) in [
            ("Use pnpm.", "Use pnpm."),
            ("<system-reminder>\nnote\n</system-reminder>\nUse pnpm.", "Use pnpm."),
            ("Use <system-reminder>a</system-reminder>pnpm<ide_selection x=\"1\">b</ide_selection>.", "Use pnpm."),
            ("Why is a <system-reminder> here?", "Why is a <system-reminder> here?"),
            ("Is a < b and <T> generic?", "Is a < b and <T> generic?"),
            ("<system-reminder>all of it</system-reminder>", ""),
            ("<ide_opened_files>mine</ide_opened_files>", "<ide_opened_files>mine</ide_opened_files>"),
        ] {
            assert_eq!(without_attached(text), kept);
        }
    }

    #[test]
    fn a_command_is_kept_as_typed() {
        let custom = "<command-message>hello is running</command-message>\n<command-name>/hello</command-name>\n<command-args>Bob</command-args>";
        assert_eq!(as_typed(custom), "/hello Bob");
        assert_eq!(as_typed("<command-message>x</command-message>\n<command-name>x</command-name>"), "/x");
        assert_eq!(as_typed("no command"), "no command");
        assert_eq!(shell_line("<bash-input>git pull</bash-input>"), "!git pull");
    }
}
