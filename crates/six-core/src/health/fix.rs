//! The commands of a fix, written so that they can be pasted into a shell.

use std::borrow::Cow;

/// Wires the project again, and makes and fills a store where there is none.
pub(super) fn install(project: &str) -> String {
    format!("six install {}", shell_word(project))
}

/// `text` as one word of a POSIX shell.
pub(super) fn shell_word(text: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%".contains(c);
    if !text.is_empty() && !text.starts_with('-') && text.chars().all(plain) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("'{}'", text.replace('\'', r"'\''")))
}

/// Whole mebibytes, for details.
pub(super) fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes / (1024 * 1024))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_path_stays_as_it_is_and_any_other_is_quoted() {
        assert_eq!(install("/home/sam/app"), "six install /home/sam/app");
        assert_eq!(install("/home/sam/My App"), "six install '/home/sam/My App'");
        assert_eq!(install("/home/sam/it's; rm -r ~"), r"six install '/home/sam/it'\''s; rm -r ~'");
        assert_eq!(install(""), "six install ''");
    }
}
