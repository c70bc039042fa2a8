//! A project's standing rules: what they refer to, and what in them can't be so.

use super::command::{Command, commands_of, leaves_folder};
use super::context::{Surroundings, supposes};
use super::link::{is_document, spellings};
use super::markdown::{Lines, Piece, comments, counted, pieces};
use super::path::certain_path;
use super::slot::{slot_in_html, slot_in_text};
use super::term::used_terms;

/// Languages of code blocks whose lines are commands. A block without any may be a drawing.
const SHELLS: &[&str] = &["sh", "bash", "shell", "zsh", "console", "terminal", "shellsession", "fish"];

/// Things that one file of rules may name; a person wrote it, and hundreds are a generated list.
const MAX_MENTIONS: usize = 300;

/// What a file of standing rules says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Constitution {
    /// Terms that the project has given up, in use.
    pub terms: Vec<(u32, String)>,
    /// Places that nobody filled in.
    pub slots: Vec<(u32, String)>,
    /// What has to be there, each once, at its first line.
    pub mentions: Vec<Mention>,
    /// Files that the host reads with this one (`@path`): documents below its folder, as written.
    pub imports: Vec<String>,
}

/// Something that the rules name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// Counted from 1.
    pub line: u32,
    /// What.
    pub reference: Reference,
}

/// What the rules refer to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reference {
    /// A file, or a folder with a slash at its end; from the file's own folder or the project's root.
    Path(String),
    /// Where a link leads: what it can mean as a path.
    Link(Vec<String>),
    /// A script that has to be in `package.json`.
    Script(String),
    /// A target that has to be in the makefile.
    Target(String),
    /// A recipe that has to be in the justfile.
    Recipe(String),
    /// A script that is started by its path.
    Program(String),
}

/// Reads a file of standing rules, given with LF line ends and without a byte order mark. What is named in an example, a
/// plan or a prohibition has not to be there, and is left out.
pub fn parse_constitution(text: &str, deprecated_terms: &[String]) -> Constitution {
    let surroundings = Surroundings::of(text);
    let starts = Lines::of(text);
    let hidden = comments(text);
    let mut rules = Constitution { terms: used_terms(text, deprecated_terms), ..Constitution::default() };
    let mut mention = |at: usize, reference: Reference| {
        let is_known = rules.mentions.iter().any(|mention| mention.reference == reference);
        if !is_known && rules.mentions.len() < MAX_MENTIONS && !supposes(&surroundings.around(at)) {
            rules.mentions.push(Mention { line: counted(at), reference });
        }
    };
    for placed in pieces(text) {
        if hidden.iter().any(|comment| comment.contains(&placed.range.start)) {
            continue;
        }
        let at = starts.at(placed.range.start);
        match &placed.piece {
            Piece::Code(code) => {
                for found in references_in_code(code) {
                    mention(at, found);
                }
            }
            Piece::Link(target) => {
                if let Some(found) = reference_of_link(target) {
                    mention(at, found);
                }
            }
            Piece::Block { info, text } => {
                for (below, found) in references_in_block(info, text) {
                    mention(at + below, found);
                }
            }
            Piece::Text(words) => {
                let line = surroundings.lines().get(at).copied().unwrap_or_default();
                rules.slots.extend(slot_in_text(words, line).map(|slot| (counted(at), slot)));
                for path in imports_in(words) {
                    rules.imports.push(path.to_owned());
                    mention(at, Reference::Link(vec![path.to_owned()]));
                }
            }
            Piece::Html(html) => rules.slots.extend(slot_in_html(html).map(|slot| (counted(at), slot))),
            Piece::Heading { .. } => (),
        }
    }
    rules
}

/// A path, or a command.
fn references_in_code(code: &str) -> Vec<Reference> {
    match certain_path(code) {
        Some(path) => vec![Reference::Path(path)],
        None => commands_of(code).into_iter().map(Reference::from).collect(),
    }
}

/// The commands of a block of shell with their lines below its first. A block that leaves its folder proves nothing.
fn references_in_block(info: &str, text: &str) -> Vec<(usize, Reference)> {
    let language = info.split([' ', ',', '{']).next().unwrap_or_default().to_ascii_lowercase();
    if !SHELLS.contains(&language.as_str()) || leaves_folder(text) {
        return Vec::new();
    }
    let lines = text.lines().zip(1..);
    lines.flat_map(|(line, below)| commands_of(line).into_iter().map(move |command| (below, command.into()))).collect()
}

/// A file by its path, or a document beside this one.
fn reference_of_link(target: &str) -> Option<Reference> {
    let spellings = spellings(target);
    let is_document =
        |path: &str| is_document(path) && !path.contains('/') && certain_path(&format!("d/{path}")).is_some();
    spellings.iter().any(|path| certain_path(path).is_some() || is_document(path)).then_some(Reference::Link(spellings))
}

/// Documents that the host reads together with this one: `@docs/rules.md`, below its folder.
fn imports_in(words: &str) -> impl Iterator<Item = &str> {
    words
        .split_whitespace()
        .filter_map(|word| word.strip_prefix('@'))
        .map(|path| path.trim_end_matches(['.', ',', ';', ')', ':']))
        .filter(|path| is_document(path) && !path.starts_with(['/', '~', '@']) && !path.contains([':', '<', '*']))
}

impl From<Command> for Reference {
    fn from(command: Command) -> Self {
        match command {
            Command::Script(name) => Self::Script(name),
            Command::Target(name) => Self::Target(name),
            Command::Recipe(name) => Self::Recipe(name),
            Command::Program(path) => Self::Program(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn mentions(text: &str) -> Vec<(u32, Reference)> {
        let rules = parse_constitution(text, &[]);
        rules.mentions.into_iter().map(|mention| (mention.line, mention.reference)).collect()
    }

    #[test]
    fn paths_links_and_commands_are_found_at_their_lines() {
        let text = "# Rules\n\nThe gate is `src/gate.rs`, see [aims](docs/aims.md).\n\n- `npm run lint`\n\n```sh\nmake check\n./run.sh\n```\n\n@docs/more.md\n";
        assert_eq!(
            mentions(text),
            [
                (3, Reference::Path("src/gate.rs".into())),
                (3, Reference::Link(vec!["docs/aims.md".into()])),
                (5, Reference::Script("lint".into())),
                (8, Reference::Target("check".into())),
                (9, Reference::Program("run.sh".into())),
                (12, Reference::Link(vec!["docs/more.md".into()])),
            ]
        );
        assert_eq!(parse_constitution(text, &[]).imports, ["docs/more.md"]);
    }

    #[test]
    fn examples_plans_and_prohibitions_need_not_exist() {
        for text in [
            "For example `src/gate.rs`.",
            "Never touch `src/gate.rs`.",
            "Create `src/gate.rs` for it.",
            "## Planned\n\n- `src/gate.rs`\n",
            "```\nsrc/gate.rs\nnpm run x\n```",
            "```sh\ncd web\nnpm run x\n```",
            "<!-- `src/gate.rs` -->",
            "The account @sam/docs and sam@example.invalid",
            "[site](https://example.invalid/a.md) and [part](#part) and [x](guide)",
        ] {
            assert_eq!(mentions(text), [], "{text}");
        }
    }

    #[test]
    fn places_to_fill_in_are_found_outside_code() {
        let rules = parse_constitution("# [PROJECT NAME]\n\nWhat: {{what}} by <your name>. `{{code}}`\n", &[]);
        let slots: Vec<(u32, &str)> = rules.slots.iter().map(|(line, slot)| (*line, slot.as_str())).collect();
        assert_eq!(slots, [(1, "[PROJECT NAME]"), (3, "{{what}}"), (3, "<your name>")]);
    }

    #[test]
    fn the_seeded_constitution_has_nothing_that_can_be_wrong() {
        let seeded = include_str!("../../../../templates/CLAUDE.md");
        assert_eq!(parse_constitution(seeded, &["yarn".into()]), Constitution::default());
    }

    #[test]
    fn hostile_rules_are_read_in_reasonable_time() {
        let many = (0..10_000).fold(String::new(), |all, n| all + &format!("`src/a{n}.rs` "));
        assert_eq!(parse_constitution(&many, &[]).mentions.len(), MAX_MENTIONS);
        for text in
            ["x".repeat(1 << 20), "`".repeat(1 << 16), "{{".repeat(1 << 16), "[".repeat(1 << 16), "<".repeat(1 << 16)]
        {
            parse_constitution(&text, &["x y".into()]);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in r"(# |\n|- |`|```sh\n|a/b\.rs|npm run x|make |@a\.md|\{\{|\}\}|\[|\]\(|\)|<your |>|<!--|-->|é|日本|yarn|not | ){0,60}") {
            let rules = parse_constitution(&text, &["yarn".into(), "日本".into()]);
            let lines = u32::try_from(text.lines().count().max(1)).unwrap();
            prop_assert!(rules.mentions.iter().all(|mention| (1..=lines).contains(&mention.line)));
            prop_assert!(rules.terms.iter().chain(&rules.slots).all(|(line, _)| (1..=lines).contains(line)));
        }
    }
}
