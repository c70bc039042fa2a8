//! The commands of a fix, written so that they can be pasted into a shell.

use std::borrow::Cow;

use super::CheckName;

/// Wires the project again, and makes and fills a store where there is none.
pub(super) fn install(project: &str) -> String {
    format!("six install {}", shell_word(project))
}

/// Tells all of one check.
pub(super) fn ask_for(check: CheckName) -> String {
    format!("six health --check {}", check.as_str())
}

/// `text` as one word of a POSIX shell.
pub(super) fn shell_word(text: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%".contains(c);
    if !text.is_empty() && !text.starts_with('-') && text.chars().all(plain) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("'{}'", text.replace('\'', r"'\''")))
}

/// A name that somebody else chose, in a sentence: without the marks that make a part of the sentence a command.
pub(super) fn plain(text: &str) -> String {
    text.replace('`', "'")
}

/// Whole mebibytes, for details.
pub(super) fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes / (1024 * 1024))
}

/// The commands that a fix names, each as the words of a POSIX shell: what stands between backticks, or the whole of it.
pub fn parse_commands(fix: &str) -> Vec<Vec<String>> {
    let told: Vec<&str> = if fix.contains('`') { fix.split('`').skip(1).step_by(2).collect() } else { vec![fix] };
    told.into_iter().map(shell_words).filter(|words| !words.is_empty()).collect()
}

/// Whether a fix names this command: word by word, with whatever arguments behind it.
pub fn names_command(fix: &str, command: &[String]) -> bool {
    !command.is_empty() && parse_commands(fix).iter().any(|named| named.starts_with(command))
}

/// The words of a command that [`shell_word`] wrote the arguments of: spaces part them, single quotes keep what is
/// between them, a backslash keeps the next character.
fn shell_words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' => {
                let word = word.get_or_insert_default();
                word.extend(chars.by_ref().take_while(|c| *c != '\''));
            }
            '\\' => word.get_or_insert_default().extend(chars.next()),
            c if c.is_whitespace() => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_as_one_word_is_read_as_one_word() {
        for path in ["/home/sam/app", "/home/sam/My App", r"C:\six\app", "it's; rm -r ~", "", "-x", "a`b", "港/⚓"] {
            assert_eq!(shell_words(&format!("six install {}", shell_word(path))), ["six", "install", path]);
        }
    }

    #[test]
    fn the_commands_of_a_fix_are_the_whole_of_it_or_what_stands_between_backticks() {
        assert_eq!(parse_commands("six repair"), [["six", "repair"]]);
        let fix = format!("start it, or `six config set embed.provider embedded`, then `{}`", install("/a b"));
        assert_eq!(
            parse_commands(&fix),
            [vec!["six", "config", "set", "embed.provider", "embedded"], vec!["six", "install", "/a b"]]
        );
    }

    #[test]
    fn a_fix_names_a_command_word_by_word() {
        let names = |fix: &str, command: &str| names_command(fix, &shell_words(command));
        let fix = "start Ollama, or `six config set embed.provider embedded`, then `six embed --backfill`";
        assert!(names(fix, "six config set embed.provider") && names(fix, "six embed --backfill"));
        for other in
            ["six config set embed", "six config set inject.mode", "six config unset embed.provider", "", "start"]
        {
            assert!(!names(fix, other), "{other}");
        }
        assert!(names("six config unset derived.code_graph", "six config unset derived.code_graph"));
        assert!(names("six install /home/sam/app", "six install"));
        assert!(!names("six lineage --refresh", "six lineage --refresh --all") && !names("six triage-x", "six triage"));
    }

    #[test]
    fn a_plain_path_stays_as_it_is_and_any_other_is_quoted() {
        assert_eq!(install("/home/sam/app"), "six install /home/sam/app");
        assert_eq!(install("/home/sam/My App"), "six install '/home/sam/My App'");
        assert_eq!(install("/home/sam/it's; rm -r ~"), r"six install '/home/sam/it'\''s; rm -r ~'");
        assert_eq!(install(""), "six install ''");
    }
}
