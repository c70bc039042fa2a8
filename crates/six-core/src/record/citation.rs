//! What a text names of the project in passing: paths and names, as far as their form shows it.

/// What a text names, each once, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Citations<'t> {
    /// What could be the path of a file: `src/gate.rs`, `Cargo.toml`. Line numbers behind it are left out.
    pub paths: Vec<&'t str>,
    /// What could be a name in a file: `settle_votes`, `GateKeeper`, `open()`. Of `Gate::open` the last part.
    pub names: Vec<&'t str>,
}

/// A shorter name is a word.
const NAME_MIN_BYTES: usize = 3;

/// Reads paths and names out of a text. Only ASCII ones: text in a script without blanks stands right beside them.
pub fn parse_citations(text: &str) -> Citations<'_> {
    let mut found = Citations::default();
    let mut rest = text;
    while let Some(begin) = rest.find(is_part) {
        let from = rest.get(begin..).unwrap_or_default();
        let end = from.find(|c| !is_part(c)).unwrap_or(from.len());
        let (run, after) = from.split_at(end);
        rest = after;
        let run = run.trim_end_matches(['.', ':', '-', '/']);
        if let Some(path) = path_in(run) {
            put(&mut found.paths, path);
        } else if let Some(name) = name_in(run, after.starts_with('(')) {
            put(&mut found.names, name);
        }
    }
    found
}

fn put<'t>(list: &mut Vec<&'t str>, new: &'t str) {
    if !list.contains(&new) {
        list.push(new);
    }
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '@' | '+' | '$')
}

fn path_in(run: &str) -> Option<&str> {
    let path = run.split_once(':').map_or(run, |(path, _)| path);
    let path = path.strip_prefix("./").unwrap_or(path);
    let file = path.rsplit('/').next().unwrap_or_default();
    let has_ending =
        file.rsplit_once('.').is_some_and(|(_, ending)| ending.starts_with(|c: char| c.is_ascii_alphabetic()));
    let is_path = (path.contains('/') || has_ending) && !path.starts_with('/') && !path.contains("..");
    (is_path && !run.contains("//")).then_some(path)
}

fn name_in(run: &str, is_called: bool) -> Option<&str> {
    let name = run.rsplit([':', '.']).next().unwrap_or_default();
    let is_qualified = run.contains("::");
    let is_camel = name
        .as_bytes()
        .windows(2)
        .any(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()));
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let shows = is_called || is_qualified || is_camel || name.trim_matches('_').contains('_');
    (is_name && shows && name.len() >= NAME_MIN_BYTES).then_some(name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paths_and_names_are_told_by_their_form() {
        let found = parse_citations(
            "Votes settle in `src/gate.rs:40-52` (see ./docs/why.md, Cargo.toml and src/gate.rs). `settle_votes` calls \
             Gate::open, open() and GateKeeper; a well-known word, this one, 3.5 or v1.2.3 is none.",
        );
        assert_eq!(found.paths, ["src/gate.rs", "docs/why.md", "Cargo.toml"]);
        assert_eq!(found.names, ["settle_votes", "open", "GateKeeper"]);
    }

    #[test]
    fn addresses_and_ways_out_are_no_paths() {
        for text in ["https://example.invalid/a/b.rs", "../secret/a.rs", "/etc/passwd", "a/../../b.rs", "..."] {
            assert_eq!(parse_citations(text).paths, [""; 0], "{text}");
        }
    }

    #[test]
    fn text_without_blanks_ends_a_path() {
        assert_eq!(parse_citations("投票はsrc/gate.rsで数える。").paths, ["src/gate.rs"]);
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "(\\PC|src/|a.rs|::|:9|\\(|_|\\.|`){0,60}") {
            let found = parse_citations(&text);
            prop_assert!(found.paths.iter().chain(&found.names).all(|piece| text.contains(piece)));
        }
    }
}
