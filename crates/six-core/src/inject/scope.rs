//! Where a correction holds.

use std::iter;

/// Whether a prompt is where a correction with this scope holds: everywhere (an empty scope), under paths (a pattern, or
/// several with commas or blanks between them), or for a topic, which holds here and has its words matched as all others.
/// Under paths it holds unless the prompt names paths and none of them can fit.
pub fn scope_holds(scope: &str, prompt: &str) -> bool {
    if !is_of_paths(scope) {
        return true;
    }
    let mut elsewhere = false;
    for word in prompt.split(ends_word) {
        let Some(named) = named_path(word) else { continue };
        if patterns(scope).any(|pattern| fits(pattern, &named.path)) {
            return true;
        }
        elsewhere |= named.sure;
    }
    !elsewhere
}

/// Whether a session in a folder of the project (relative, empty for the project itself) is where a correction with this
/// scope can hold: not where it holds only under other folders.
pub fn scope_meets_folder(scope: &str, folder: &str) -> bool {
    !is_of_paths(scope) || patterns(scope).any(|pattern| meets(pattern, folder))
}

/// Whether a pattern can fit anything at or below a folder: as far as both go, they go the same way.
fn meets(pattern: &str, folder: &str) -> bool {
    let pattern = pattern.replace('\\', "/");
    let pattern = pattern.trim_start_matches("./").trim_start_matches('/');
    // A name alone may be that of a file in any folder.
    if !pattern.contains('/') {
        return true;
    }
    let wanted = pattern.split('/').filter(|part| !part.is_empty());
    let parts = folder.split('/').filter(|part| !part.is_empty());
    wanted.zip(parts).take_while(|(want, _)| *want != "**").all(|(want, part)| part_fits(want, part))
}

/// Whether a scope is a pattern of paths, or several, and not a topic: of a topic it can't be said that a path belongs to
/// it.
pub fn is_of_paths(scope: &str) -> bool {
    let is_pattern = |piece: &str| piece.contains(['/', '\\', '*']) || has_extension(piece);
    patterns(scope).next().is_some() && patterns(scope).all(is_pattern)
}

fn patterns(scope: &str) -> impl Iterator<Item = &str> {
    scope.split(|c: char| c == ',' || c.is_whitespace()).filter(|piece| !piece.is_empty())
}

/// Extensions of files that a project is made of. Other words with a dot are hosts, versions and ends of sentences.
const EXTENSIONS: &str = "astro bash bat bzl c cc cfg cjs clj conf cpp cs css csv cts cxx dart dockerfile el elm env erl ex \
                          exs fs go gql gradle graphql groovy h hpp hrl hs html ini ipynb java jl js json jsonc jsonl jsx \
                          kt kts less lock lua m md mdx mjs ml mli mm mts nim nix php pl properties proto ps1 py pyi r rb \
                          rs rst sass sbt scala scss sh sol sql svelte svg swift tf tfvars toml ts tsx txt vue xml yaml \
                          yml zig zsh";

fn has_extension(name: &str) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(_, end)| EXTENSIONS.split_ascii_whitespace().any(|e| e.eq_ignore_ascii_case(end)))
}

/// What a prompt names.
struct Named {
    path: String,
    /// Whether it can be nothing but a path: `input/output` has a slash and `Node.js` a dot as well.
    sure: bool,
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | ',' | ';' | '|')
}

fn named_path(word: &str) -> Option<Named> {
    if word.contains("://") {
        return None;
    }
    let word = word.trim_start_matches('@').trim_end_matches(['.', ':', '!', '?']);
    let path = without_lines(word).replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path).to_owned();
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let file = has_extension(name);
    if path.contains('/') {
        let deep = folders.contains('/') || name.is_empty() || file || folders.is_empty();
        let sure = deep && path.chars().any(char::is_alphabetic);
        Some(Named { path, sure })
    } else if file {
        let product = name.to_ascii_lowercase().ends_with(".js");
        Some(Named { sure: !product, path })
    } else {
        None
    }
}

/// `src/a.rs:12-40` and `src/a.rs:12:7` name the file.
fn without_lines(word: &str) -> &str {
    let mut path = word;
    while let Some((head, tail)) = path.rsplit_once(':') {
        if head.is_empty() || !tail.bytes().all(|b| b.is_ascii_digit() || b == b'-') {
            break;
        }
        path = head;
    }
    path
}

/// Parts of a pattern or of a path; one of more is not told apart from what fits.
const MAX_PARTS: usize = 32;

/// Whether a path, of which a prompt may name only the end or which may begin outside the project, can be one of the
/// pattern's. A pattern without a slash is a name in any folder, one of folders alone is all that they hold.
fn fits(pattern: &str, path: &str) -> bool {
    let pattern = pattern.replace('\\', "/");
    let pattern = pattern.trim_start_matches("./").trim_start_matches('/');
    let mut wanted: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty()).collect();
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let Some((last, name)) = wanted.last().copied().zip(parts.last()) else { return true };
    if parts.len() == 1 && !path.ends_with('/') && has_extension(name) {
        return !(last.contains('*') || has_extension(last)) || last == "**" || part_fits(last, name);
    }
    if wanted.len().max(parts.len()) > MAX_PARTS {
        return true;
    }
    if !has_extension(last) && last != "**" {
        wanted.push("**");
    }
    let begins = |from: usize| wanted.get(from).is_some_and(|part| !part.contains('*'));
    (0..parts.len()).any(|from| all_fit(&wanted, parts.get(from..).unwrap_or_default()))
        || (1..wanted.len()).any(|from| begins(from) && all_fit(wanted.get(from..).unwrap_or_default(), &parts))
}

/// `**` is any number of parts. How many parts can be those of the pieces so far is told piece by piece: trying all
/// lengths of each `**` would take a time that doubles with every one.
fn all_fit(wanted: &[&str], parts: &[&str]) -> bool {
    let mut ends: Vec<bool> = (0..=parts.len()).map(|taken| taken == 0).collect();
    for want in wanted {
        ends = if *want == "**" {
            ends.iter()
                .scan(false, |begun, end| {
                    *begun |= *end;
                    Some(*begun)
                })
                .collect()
        } else {
            let longer = ends.iter().zip(parts).map(|(end, part)| *end && part_fits(want, part));
            iter::once(false).chain(longer).collect()
        };
    }
    ends.last().is_some_and(|all| *all)
}

/// `*` is any number of characters. Case says nothing: file systems differ in it.
fn part_fits(want: &str, part: &str) -> bool {
    let (want, part) = (want.to_lowercase(), part.to_lowercase());
    let mut pieces = want.split('*');
    let Some(mut rest) = pieces.next().and_then(|first| part.strip_prefix(first)) else { return false };
    let mut pieces: Vec<&str> = pieces.collect();
    let Some(last) = pieces.pop() else { return rest.is_empty() };
    for piece in pieces {
        let Some((_, after)) = rest.split_once(piece) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_rule_without_a_scope_or_with_a_topic_holds_everywhere() {
        for scope in ["", "  ", "error messages", "docs and locales/de.json"] {
            assert!(scope_holds(scope, "fix crates/gate/src/lib.rs"), "{scope}");
        }
    }

    #[test]
    fn a_rule_of_paths_holds_unless_only_other_paths_are_named() {
        for (scope, prompt, holds) in [
            ("web/**", "add a field to web/src/form.tsx", true),
            ("web/**", "add a field to crates/http/src/form.rs", false),
            ("web/**", "add a field to the form", true),
            ("web/**", "move crates/http/src/a.rs next to web/src/a.ts", true),
            ("web/**", "in /home/dev/harbour/web/src/form.tsx:12-40, add a field", true),
            ("web/**", r"in C:\dev\harbour\web\src\form.tsx add a field", true),
            ("web/**", "add a field to form.tsx", true),
            ("*.css", "make button.css darker", true),
            ("*.css", "make web/styles/button.css darker", true),
            ("*.css", "make web/button.tsx darker", false),
            ("*.css", "make button.tsx darker", false),
            ("web/**/*.css", "make web/button.css darker", true),
            ("web/**/*.css", "make docs/button.css darker", false),
            ("src/api/", "change `src/api/client.ts`, please", true),
            ("src/api", "change @src/api/client.ts.", true),
            ("src/api/", "change api/client.ts", true),
            ("src/api/", "change src/pages/home.ts", false),
            ("src/api/", "the folder src/api/", true),
            ("src/api/", "the folder src/pages/", false),
            ("Cargo.toml", "bump serde in crates/core/Cargo.toml", true),
            ("Cargo.toml", "bump it in package.json", false),
            ("web/, mobile/", "fix mobile/lib/home.dart", true),
            ("web/, mobile/", "fix crates/a/src/lib.rs", false),
        ] {
            assert_eq!(scope_holds(scope, prompt), holds, "{scope} | {prompt}");
        }
    }

    #[test]
    fn a_session_in_a_folder_meets_the_rules_of_what_lies_above_and_below_it() {
        for (scope, folder, meets) in [
            ("", "web", true),
            ("error messages", "web", true),
            ("web/**", "", true),
            ("web/**", "web", true),
            ("web/**", "web/src/pages", true),
            ("web/styles/", "web", true),
            ("web/styles/", "web/pages", false),
            ("web/**", "crates/http", false),
            ("web/", "website", false),
            ("*.css", "crates/http", true),
            ("Cargo.toml", "crates/http", true),
            ("**/*.css", "crates/http", true),
            ("crates/*/src/**", "crates/http/src/api", true),
            ("crates/*/src/**", "crates/http/tests", false),
            ("web/, crates/", "crates/http", true),
            ("./web/src/a.ts", "web", true),
            (r"web\src", "crates", false),
        ] {
            assert_eq!(scope_meets_folder(scope, folder), meets, "{scope} | {folder}");
        }
    }

    #[test]
    fn what_only_looks_like_a_path_takes_no_rule_away() {
        for prompt in [
            "check the input/output of the parser",
            "is 1/2 right?",
            "see https://example.invalid/docs/a.html",
            "does Node.js 22.4 do that, e.g. in v1.2?",
            "ask the host db.example.invalid",
        ] {
            assert!(scope_holds("web/**", prompt), "{prompt}");
        }
    }

    #[test]
    fn a_scope_is_of_paths_only_if_every_word_of_it_is_one() {
        for (scope, is) in [
            ("web/**", true),
            ("web/, *.css", true),
            (r"web\src", true),
            ("Cargo.toml", true),
            ("", false),
            ("v1.2 api", false),
            ("v1.2", false),
            ("error messages in web/", false),
        ] {
            assert_eq!(is_of_paths(scope), is, "{scope}");
        }
    }

    #[test]
    fn many_stars_are_answered_at_once() {
        let deep = format!("change {}z.rs", "a/".repeat(MAX_PARTS - 1));
        assert!(!scope_holds(&format!("{}b.rs", "**/a/".repeat(MAX_PARTS / 2 - 1)), &deep));
        assert!(scope_holds(&format!("{}z.rs", "**/a/".repeat(MAX_PARTS / 2 - 1)), &deep));
        assert!(!scope_holds(&format!("{}b.rs", "**/".repeat(MAX_PARTS - 1)), &deep));
        let endless = format!("change {}z.rs", "a/".repeat(8_000));
        assert!(scope_holds("web/**/*.css", &endless), "what is too deep to be compared takes no rule away");
    }

    proptest! {
        #[test]
        fn any_scope_and_any_prompt_have_an_answer(scope in "[\\PC*/., ]{0,40}", prompt in "[\\PC*/.:, ]{0,80}") {
            scope_holds(&scope, &prompt);
            scope_meets_folder(&scope, &prompt);
        }

        #[test]
        fn a_file_of_a_folder_fits_it(folder in "[a-m]{1,8}(/[a-m]{1,8}){0,3}", name in "[a-z]{1,8}\\.rs") {
            let other = format!("{}x/{name}", folder.replace('/', "x/"));
            let prompt = format!("change {folder}/{name}");
            for scope in [format!("{folder}/"), format!("{folder}/**"), format!("{folder}/*.rs"), folder.clone() + "/" + &name] {
                prop_assert!(scope_holds(&scope, &prompt), "{}", scope);
            }
            prop_assert!(!scope_holds(&format!("{folder}/"), &format!("change {other}")), "{}", other);
        }
    }
}
