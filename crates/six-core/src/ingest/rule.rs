//! Rules in the host's memory folder: a file that states one gives a correction that waits for a person, since the model
//! writes there, too.

use super::decode::decode;
use super::document::{DocumentFile, is_constitution, title_of_path};
use super::front_matter::{FrontMatter, parse_front_matter};
use super::heading::{Markup, headings};
use crate::record::{Origin, Record, RecordId, RecordKind, Source, UnixMs};
use crate::text::{Redacted, Redactor, cut_bytes, one_line, sentences, sha256_hex};

/// What begins the name of a file that states a rule, before an underscore, or stands as the type in its front matter.
const KINDS: [&str; 2] = ["feedback", "invariant"];
/// Bytes of a rule's text that are taken; a longer one is a document, and is found as one.
const BODY_BYTES: usize = 2_000;
/// Hexadecimal digits of an id: as long as a random one.
const ID_DIGITS: usize = 26;

/// The rule that a file of the memory folder states, waiting for a person; `None` for a file that states none. Its id is
/// stable as long as the file's name is, wherever the folder lies. The quote is title and text of the file: what an edit of
/// the file is told by, whoever words the record anew.
pub fn parse_rule(file: &DocumentFile<'_>, now: UnixMs, redactor: Redactor) -> Option<Record> {
    let is_in_folder = file.source == Source::Memory && !is_constitution(file.path);
    let decoded = decode(file.bytes).ok().filter(|_| is_in_folder)?;
    let clean = redactor.redact(&decoded.text);
    let parts = parse_front_matter(clean.as_str());
    let front = parts.front.and_then(Result::ok);
    if !is_rule(title_of_path(file.path), front.as_ref()) {
        return None;
    }
    let (title, rest) = title_and_rest(front.as_ref(), parts.body)?;
    let (title, body) = (redactor.redact(&title), redactor.redact(plain(cut_bytes(rest, BODY_BYTES)).trim()));
    let source_path = rule_source(&redactor.redact(file.path));
    Some(Record {
        quote: quote(&title, &body),
        body,
        source_path: Some(source_path.clone()),
        ..Record::pending(id_of(&source_path), RecordKind::Correction, Origin::Agent, title, now)
    })
}

/// The `source_path` of rules from the file at `path`: its name, since the memory folder has no folders of its own.
pub fn rule_source(path: &Redacted) -> Redacted {
    let len = path.as_str().len();
    path.slice(len - title_of_path(path.as_str()).len()..len).unwrap_or_else(|| path.clone())
}

fn id_of(source_path: &Redacted) -> RecordId {
    RecordId::new(cut_bytes(&sha256_hex(format!("memory\0{source_path}")), ID_DIGITS))
}

fn is_rule(name: &str, front: Option<&FrontMatter>) -> bool {
    let typed = front.and_then(FrontMatter::kind).map(str::trim).unwrap_or_default();
    KINDS.iter().any(|kind| {
        kind.eq_ignore_ascii_case(typed) || name.strip_prefix(kind).is_some_and(|rest| rest.starts_with('_'))
    })
}

/// What the file is described or named as, else its first heading or sentence; and its text without what became the title.
/// `None` for a file that says nothing.
fn title_and_rest<'t>(front: Option<&FrontMatter>, text: &'t str) -> Option<(String, &'t str)> {
    if let Some(stated) = front.and_then(|front| front.description().or(front.name())) {
        return Some((fit(stated), text));
    }
    let first = sentences(text).next()?;
    let found = headings(Markup::Markdown, text);
    let heading = found.iter().map(|heading| heading.title).find(|title| !title.is_empty());
    let said = text.get(first.clone()).unwrap_or_default();
    let title = heading.unwrap_or(said);
    let is_whole = title == said && fit(title).chars().count() < Record::TITLE_MAX_CHARS;
    Some((fit(title), if is_whole { text.get(first.end..).unwrap_or_default() } else { text }))
}

/// The title as a sentence, and the text.
fn quote(title: &Redacted, body: &Redacted) -> Redacted {
    if body.is_empty() {
        return title.clone();
    }
    let ends = title.as_str().ends_with(['.', '!', '?', ':', '…', '。', '！', '？', '：']);
    Redacted::join(&[title.clone(), body.clone()], if ends { "\n" } else { ".\n" })
}

/// Text without Markdown's marks of emphasis and of headings, which only a page shows.
fn plain(text: &str) -> String {
    let unmarked = |line: &str| {
        let bare = line.trim_start_matches('#');
        let line = if bare.len() < line.len() && bare.starts_with(' ') { bare.trim_start() } else { line };
        line.split(' ').map(without_emphasis).collect::<Vec<_>>().join(" ")
    };
    text.split('\n').map(unmarked).collect::<Vec<_>>().join("\n")
}

/// A word without `**` round it; that of a path (`src/**`) is no emphasis.
fn without_emphasis(word: &str) -> String {
    if word.contains('/') {
        return word.to_owned();
    }
    let inner = word.strip_prefix("**").unwrap_or(word);
    inner.strip_suffix("**").map_or_else(|| inner.replacen("**", "", usize::from(!inner.contains('`'))), str::to_owned)
}

/// One line of at most as many characters as a title has, without marks.
fn fit(text: &str) -> String {
    let line = one_line(&plain(text));
    match line.char_indices().nth(Record::TITLE_MAX_CHARS - 1) {
        Some((at, last)) if at + last.len_utf8() < line.len() => format!("{}…", cut_bytes(&line, at)),
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::record::RecordState;

    const NOW: UnixMs = UnixMs(77);

    fn rule_of(path: &str, text: &str) -> Option<Record> {
        let file =
            DocumentFile { path, path_hash: "0f", source: Source::Memory, at: Some(UnixMs(7)), bytes: text.as_bytes() };
        parse_rule(&file, NOW, Redactor::new())
    }

    fn told(name: &str, text: &str) -> (String, String) {
        let rule = rule_of(&format!("/m/{name}"), text).unwrap();
        (rule.title.to_string(), rule.body.to_string())
    }

    #[test]
    fn a_rule_waits_for_a_person_and_knows_its_file() {
        let rule = rule_of("/m/feedback_pnpm.md", "Use pnpm.\n\nThe lockfile is pnpm's.\n").unwrap();
        assert_eq!((rule.kind, rule.state, rule.origin), (RecordKind::Correction, RecordState::Pending, Origin::Agent));
        assert_eq!((rule.title.as_str(), rule.body.as_str()), ("Use pnpm.", "The lockfile is pnpm's."));
        assert_eq!(rule.quote.as_str(), "Use pnpm.\nThe lockfile is pnpm's.");
        assert_eq!(rule.source_path.as_ref().map(Redacted::as_str), Some("feedback_pnpm.md"));
        assert_eq!((rule.id.as_str().len(), rule.created), (ID_DIGITS, NOW));
    }

    #[test]
    fn its_id_is_that_of_the_name_wherever_the_folder_lies_and_whatever_it_says() {
        let id = |path: &str, text: &str| rule_of(path, text).unwrap().id;
        let first = id("/m/feedback_a.md", "Use pnpm.");
        assert_eq!(first, id("/home/sam/elsewhere/feedback_a.md", "Use npm."));
        assert_ne!(first, id("/m/feedback_b.md", "Use pnpm."));
    }

    #[test]
    fn a_file_is_a_rule_by_its_name_or_by_its_type_and_by_nothing_else() {
        for (name, text, is) in [
            ("feedback_a.md", "Use pnpm.", true),
            ("invariant_a.md", "Use pnpm.", true),
            ("a.md", "---\ntype: feedback\n---\nUse pnpm.", true),
            ("a.md", "---\nmetadata:\n  type: Invariant\n---\nUse pnpm.", true),
            ("a.md", "---\nname: a\nno field\n---\nUse pnpm.", false),
            ("feedback_a.md", "---\nname: a\nno field\n---\nUse pnpm.", true),
            ("a.md", "---\ntype: project\n---\nUse pnpm.", false),
            ("MEMORY.md", "Use pnpm.", false),
            ("CLAUDE.md", "---\ntype: feedback\n---\nUse pnpm.", false),
            ("feedbacks.md", "Use pnpm.", false),
            ("feedback_a.md", "  \n", false),
            ("feedback_a.md", "---\ntype: feedback\n---\n", false),
        ] {
            assert_eq!(rule_of(&format!("/m/{name}"), text).is_some(), is, "{name} | {text}");
        }
        let document = DocumentFile {
            path: "docs/feedback_a.md",
            path_hash: "0f",
            source: Source::Doc,
            at: None,
            bytes: b"Use pnpm.",
        };
        assert_eq!(parse_rule(&document, NOW, Redactor::new()), None, "the project's documents are no memory files");
    }

    #[test]
    fn it_is_titled_by_what_says_it_best_and_says_nothing_twice() {
        let body = "Because of the lockfile.";
        for (text, title) in [
            (format!("---\nname: pnpm\ndescription: \"Use pnpm\"\n---\n{body}"), "Use pnpm"),
            (format!("---\nname: Use pnpm\n---\n{body}"), "Use pnpm"),
            (format!("# Use pnpm\n\n{body}"), "Use pnpm"),
            (format!("Use pnpm! {body}"), "Use pnpm!"),
        ] {
            assert_eq!(told("feedback_a.md", &text), (title.to_owned(), body.to_owned()), "{text}");
        }
        assert_eq!(told("feedback_a.md", "---\ndescription: Use pnpm\n---\n"), ("Use pnpm".into(), String::new()));
        let below = "Long ago.\n\n# Use pnpm\n\nAlways.";
        assert_eq!(
            told("feedback_a.md", below),
            ("Use pnpm".into(), below.replace("# ", "")),
            "a heading further down"
        );
    }

    #[test]
    fn a_long_rule_is_cut_and_loses_nothing_of_its_first_sentence() {
        let long = format!("Use pnpm {}.", "and pnpm alone ".repeat(40).trim());
        let (title, body) = told("feedback_a.md", &long);
        assert_eq!((title.chars().count(), title.ends_with('…')), (Record::TITLE_MAX_CHARS, true));
        assert_eq!(body, long);
        assert!(told("feedback_a.md", &"規則。".repeat(9_000)).1.len() <= BODY_BYTES);
    }

    #[test]
    fn its_quote_reads_as_sentences_and_shows_no_marks_of_a_page() {
        let text = "---\ndescription: Use **pnpm**\n---\n## Why\n\n**Why:** the lockfile `a**b` of src/** is pnpm's.";
        let rule = rule_of("/m/feedback_a.md", text).unwrap();
        assert_eq!(rule.title.as_str(), "Use pnpm");
        assert_eq!(rule.quote.as_str(), "Use pnpm.\nWhy\n\nWhy: the lockfile `a**b` of src/** is pnpm's.");
        let alone = rule_of("/m/feedback_a.md", "**Never** use npm.").unwrap();
        assert_eq!((alone.title.as_str(), alone.quote.as_str()), ("Never use npm.", "Never use npm."));
    }

    #[test]
    fn secrets_of_a_file_reach_neither_title_nor_text() {
        let secret = ["gh", "p_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].concat();
        let rule = rule_of("/m/feedback_a.md", &format!("Log in with {secret}.\n\nAgain: {secret}")).unwrap();
        assert!(!format!("{rule:?}").contains(&secret), "{rule:?}");
    }

    proptest! {
        #[test]
        fn any_file_gives_a_rule_that_fits_or_none(text in "(\\PC{0,150}|\n|# |---\n|type: feedback\n){0,12}") {
            if let Some(rule) = rule_of("/m/feedback_a.md", &text) {
                let chars = rule.title.as_str().chars().count();
                prop_assert!(0 < chars && chars <= Record::TITLE_MAX_CHARS, "{}", rule.title);
                prop_assert_eq!(rule.title.as_str().lines().count(), 1);
                prop_assert!(rule.body.as_str().len() <= BODY_BYTES);
                prop_assert_eq!(rule_of("/m/feedback_a.md", &text), Some(rule));
            }
        }
    }
}
