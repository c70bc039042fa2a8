//! What the target of a link can mean as a file.

/// The paths that a link's target can mean: without its fragment and a line number behind it, decoded and as written.
/// Empty for what leads out of the machine, stays in the document, or is a pattern rather than a name.
pub fn spellings(target: &str) -> Vec<String> {
    let target = target.trim();
    let path = target.split(['#', '?']).next().unwrap_or_default();
    let path = without_line(path);
    if path.is_empty()
        || has_scheme(path)
        || path.starts_with("//")
        || path.contains(['<', '>', '*', '{', '}', '$', '\0'])
    {
        return Vec::new();
    }
    let decoded = percent_decoded(path);
    let mut all = vec![path.to_owned()];
    all.extend(decoded.filter(|decoded| decoded != path));
    all
}

/// `name:` in front, as of URLs; a single letter is a drive.
fn has_scheme(path: &str) -> bool {
    path.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    })
}

/// `path` without `:12` or `:12-30` behind it.
pub(super) fn without_line(path: &str) -> &str {
    let is_line = |line: &str| !line.is_empty() && line.chars().all(|c| c.is_ascii_digit() || c == '-');
    match path.rsplit_once(':').filter(|(_, line)| is_line(line)) {
        Some((before, _)) => without_line(before),
        None => path,
    }
}

/// Whether the path is that of a Markdown document.
pub(super) fn is_document(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(stem, extension)| !stem.is_empty() && extension.eq_ignore_ascii_case("md"))
}

fn percent_decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = |at: usize| after.get(at).and_then(|digit| char::from(*digit).to_digit(16));
        if let (b'%', Some(high), Some(low)) = (first, hex(0), hex(1)) {
            bytes.push(u8::try_from(high * 16 + low).ok()?);
            rest = after.get(2..).unwrap_or_default();
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok().filter(|path| !path.contains('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_to_a_file_is_found_however_it_is_written() {
        assert_eq!(spellings("a.md"), ["a.md"]);
        assert_eq!(spellings("./sub/a.md#part"), ["./sub/a.md"]);
        assert_eq!(spellings("my%20notes.md?x=1"), ["my%20notes.md", "my notes.md"]);
        assert_eq!(spellings("100%.md"), ["100%.md"]);
        assert_eq!(spellings("src/a.rs:40-72"), ["src/a.rs"]);
        assert_eq!(spellings("/abs/a.md"), ["/abs/a.md"]);
        assert_eq!(spellings("日本.md"), ["日本.md"]);
    }

    #[test]
    fn what_leads_out_of_the_machine_or_stays_in_the_document_is_no_file() {
        for target in [
            "https://example.invalid/a.md",
            "mailto:sam@example.invalid",
            "#part",
            "",
            "//cdn/a",
            "<name>.md",
            "*.md",
            "a%00.md\0",
        ] {
            assert_eq!(spellings(target), Vec::<String>::new(), "{target}");
        }
    }
}
