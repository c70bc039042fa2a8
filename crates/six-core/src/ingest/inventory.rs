//! The inventory file: what exists in a project, one entry a heading.
//!
//! ```text
//! ## Rate limiter (dormant)
//! One token bucket per client.
//! - paths: `src/limit/`, `src/http/limits.rs`
//! - entry points: `limit::check`
//! - state: dormant
//! ```
//!
//! The text below a heading is the purpose, unless a line names it. A heading without a text of its own groups those below
//! it. Where no line names paths, what stands in back-ticks and looks like a path is one.

use super::decode::decode;
use super::document::DocumentFile;
use super::heading::{Markup, headings};
use crate::record::{Origin, Subsystem, SubsystemId, SubsystemState, UnixMs};
use crate::text::{Redacted, Redactor, cut_bytes, sha256_hex};

/// The places of the inventory, relative to the project root.
pub const INVENTORY_PATHS: [&str; 2] = ["INVENTORY.md", "docs/INVENTORY.md"];

/// Entries that are taken from one file; the rest stays text of a document.
const MAX_ENTRIES: usize = 1_000;
/// Bytes of a name, a purpose, and of one path or entry point.
const NAME_BYTES: usize = 120;
const PURPOSE_BYTES: usize = 1_000;
const PLACE_BYTES: usize = 300;
/// Paths and entry points of one entry.
const MAX_PLACES: usize = 20;

/// Whether a document is the project's inventory.
pub fn is_inventory(path: &str) -> bool {
    INVENTORY_PATHS.iter().any(|place| place.eq_ignore_ascii_case(path))
}

/// The subsystems that an inventory file names, in order; empty for one that can't be read as text. Ids are stable as long as
/// file and name are. `now` stands in where the file has no time.
pub fn parse_inventory(file: &DocumentFile<'_>, now: UnixMs, redactor: Redactor) -> Vec<Subsystem> {
    let Ok(decoded) = decode(file.bytes) else { return Vec::new() };
    let clean = redactor.redact(&decoded.text);
    let lines: Vec<&str> = clean.as_str().lines().collect();
    let found = headings(Markup::Markdown, clean.as_str());
    let source = redactor.redact(file.path);
    let mut subsystems: Vec<Subsystem> = Vec::new();
    for (at, heading) in found.iter().enumerate() {
        let end = found.get(at + 1).map_or(lines.len(), |next| next.line);
        let is_title = heading.level == 1 && at == 0 && found.len() > 1;
        let Some(body) = lines.get(heading.line + 1..end).filter(|_| !is_title) else { continue };
        let (name, stated) = split_state(heading.title);
        let name = cut_bytes(name, NAME_BYTES);
        let entry = read_entry(body);
        if name.is_empty() || entry.is_blank || subsystems.iter().any(|known| known.name.as_str() == name) {
            continue;
        }
        subsystems.push(Subsystem {
            id: id_of(file.path, name),
            name: redactor.redact(name),
            purpose: redactor.redact(cut_bytes(entry.purpose.trim(), PURPOSE_BYTES)),
            paths: places(&entry.paths, redactor),
            entry_points: places(&entry.entry_points, redactor),
            state: entry.state.or(stated).unwrap_or(SubsystemState::Live),
            // The file says so: nobody has to confirm that something exists, its paths are looked at when it is shown.
            origin: Origin::Tool,
            source_path: Some(source.clone()),
            created: file.at.unwrap_or(now),
        });
        if subsystems.len() >= MAX_ENTRIES {
            break;
        }
    }
    subsystems
}

/// 16 hex digits are 64 bits: no two of a thousand names meet.
fn id_of(path: &str, name: &str) -> SubsystemId {
    let hash = sha256_hex(format!("inventory\0{path}\0{}", name.to_lowercase()));
    SubsystemId::new(format!("i{}", cut_bytes(&hash, 16)))
}

fn places(found: &[&str], redactor: Redactor) -> Vec<Redacted> {
    found.iter().take(MAX_PLACES).map(|place| redactor.redact(cut_bytes(place, PLACE_BYTES))).collect()
}

/// `Rate limiter (dormant)`: the name, and the state in brackets at its end.
fn split_state(title: &str) -> (&str, Option<SubsystemState>) {
    let title = title.trim();
    let split = [('(', ')'), ('[', ']')].into_iter().find_map(|(open, close)| {
        let (name, state) = title.strip_suffix(close)?.rsplit_once(open)?;
        Some((name.trim(), state_of(state)?))
    });
    split.map_or((title, None), |(name, state)| (name, Some(state)))
}

fn state_of(text: &str) -> Option<SubsystemState> {
    let word = text.trim().trim_end_matches('.').to_lowercase();
    match word.as_str() {
        "live" | "active" | "in use" | "running" | "on" | "enabled" | "done" => Some(SubsystemState::Live),
        "dormant" | "off" | "disabled" | "unused" | "inactive" | "not wired" | "switched off" | "parked" => {
            Some(SubsystemState::Dormant)
        }
        "planned" | "todo" | "proposed" | "agreed" | "not started" | "in progress" => Some(SubsystemState::Planned),
        _ => None,
    }
}

#[derive(Default)]
struct InventoryEntry<'a> {
    purpose: String,
    paths: Vec<&'a str>,
    entry_points: Vec<&'a str>,
    state: Option<SubsystemState>,
    is_blank: bool,
}

fn read_entry<'a>(body: &[&'a str]) -> InventoryEntry<'a> {
    let mut entry = InventoryEntry { is_blank: body.iter().all(|line| line.trim().is_empty()), ..Default::default() };
    let mut told = Vec::new();
    let mut named = None;
    for line in body {
        match field(line) {
            Some((Field::Purpose, value)) => named = Some(value),
            Some((Field::Paths, value)) => entry.paths.extend(list(value)),
            Some((Field::EntryPoints, value)) => entry.entry_points.extend(list(value)),
            Some((Field::State, value)) => entry.state = state_of(value.trim_matches(['`', '*', '_'])).or(entry.state),
            None => told.push(*line),
        }
    }
    if entry.paths.is_empty() {
        entry.paths = told.iter().flat_map(|line| in_ticks(line)).filter(|text| looks_like_path(text)).collect();
    }
    entry.purpose = match named {
        Some(value) => value.to_owned(),
        None => told.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" "),
    };
    entry
}

#[derive(Clone, Copy)]
enum Field {
    Purpose,
    Paths,
    EntryPoints,
    State,
}

/// `- **Paths**: a, b`: which field a line fills, and with what.
fn field(line: &str) -> Option<(Field, &str)> {
    let line = line.trim().trim_start_matches(['-', '*', '+', ' ']);
    let (key, value) = line.split_once(':')?;
    let field = match key.trim_matches(['*', '_', '`', ' ']).to_lowercase().as_str() {
        "purpose" | "for" | "what" | "does" => Field::Purpose,
        "path" | "paths" | "where" | "file" | "files" | "lives in" | "location" => Field::Paths,
        "entry point" | "entry points" | "entry" | "api" | "call" => Field::EntryPoints,
        "state" | "status" => Field::State,
        _ => return None,
    };
    Some((field, value.trim_start_matches("**").trim()))
}

fn list(value: &str) -> impl Iterator<Item = &str> {
    value.split([',', ';']).map(|item| item.trim().trim_matches(['`', '"', '\''])).filter(|item| !item.is_empty())
}

fn in_ticks(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

fn looks_like_path(text: &str) -> bool {
    let has_extension = text.rsplit_once('.').is_some_and(|(stem, end)| {
        !stem.is_empty() && (1..=5).contains(&end.len()) && end.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    !text.contains(char::is_whitespace) && !text.contains("://") && (text.contains('/') || has_extension)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::record::Source;

    fn parse(bytes: &[u8]) -> Vec<Subsystem> {
        let at = Some(UnixMs(5));
        let file = DocumentFile { path: "INVENTORY.md", path_hash: "h", source: Source::Doc, at, bytes };
        parse_inventory(&file, UnixMs(9), Redactor::new())
    }

    fn told(text: &str) -> Vec<String> {
        let all = |places: &[Redacted]| places.iter().map(Redacted::to_string).collect::<Vec<_>>().join("|");
        parse(text.as_bytes())
            .iter()
            .map(|s| {
                format!(
                    "{} [{}] {} @ {} > {}",
                    s.name,
                    s.state.as_str(),
                    s.purpose,
                    all(&s.paths),
                    all(&s.entry_points)
                )
            })
            .collect()
    }

    #[test]
    fn every_heading_with_a_text_is_something_that_exists() {
        let text = "# Inventory\n\nWhat we have.\n\n## Network\n\n### Rate limiter (dormant)\n\nOne token bucket\nper client.\n\n\
                    - paths: `src/limit/`, src/http/limits.rs\n- **Entry points:** `limit::check`\n\n### Retry\n\
                    * Purpose: backs off\n* Status: planned\n";
        assert_eq!(
            told(text),
            [
                "Rate limiter [dormant] One token bucket per client. @ src/limit/|src/http/limits.rs > limit::check",
                "Retry [planned] backs off @  > ",
            ]
        );
    }

    #[test]
    fn paths_in_the_text_are_found_and_other_code_is_none() {
        assert_eq!(
            told("## Relay\nSends mail with `send()` from `src/relay.rs`, see `https://example.invalid/x.html`.\n"),
            [
                "Relay [live] Sends mail with `send()` from `src/relay.rs`, see `https://example.invalid/x.html`. @ src/relay.rs > "
            ]
        );
    }

    #[test]
    fn an_entry_keeps_its_id_when_the_rest_of_the_file_changes() {
        let (one, two) = (parse(b"## Relay\nmail\n"), parse(b"## Cache\nkeeps\n\n## Relay\nletters\n"));
        assert_eq!(one[0].id, two[1].id);
        assert_ne!(two[0].id, two[1].id);
        assert_eq!(two[1].source_path.as_ref().map(Redacted::as_str), Some("INVENTORY.md"));
    }

    #[test]
    fn only_one_file_of_a_project_is_its_inventory() {
        for (path, is) in [("INVENTORY.md", true), ("docs/inventory.md", true), ("vendor/x/INVENTORY.md", false)] {
            assert_eq!(is_inventory(path), is, "{path}");
        }
    }

    #[test]
    fn a_secret_in_it_is_not_kept() {
        let key = format!("{}{}", "gh", "p_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
        let found = parse(format!("## Relay\nuses {key}\n- paths: src/{key}.rs\n").as_bytes());
        assert!(!format!("{found:?}").contains(&key));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(text in "(\\PC|\n|## |- paths: |`|:|\\(dormant\\)){0,80}") {
            for found in parse(text.as_bytes()) {
                prop_assert!(!found.name.is_empty() && found.purpose.as_str().len() <= PURPOSE_BYTES + 64);
            }
        }
    }
}
