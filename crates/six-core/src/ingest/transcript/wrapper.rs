//! What the host writes round and into a prompt.

use std::borrow::Cow;

use crate::event::without_notes;

/// The prompt as its author wrote it, without the notes that the host attached.
pub(super) fn without_attached(text: &str) -> Cow<'_, str> {
    match without_notes(text) {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    }
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
