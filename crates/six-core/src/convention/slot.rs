//! Places of a template that nobody filled in.

/// What begins a place that is to be filled in, in brackets of either kind.
const OPENINGS: &[&str] = &[
    "your ",
    "your_",
    "your-",
    "insert ",
    "fill in",
    "fill-in",
    "fill_in",
    "project name",
    "project_name",
    "project-name",
    "project description",
    "describe ",
    "add your ",
    "placeholder",
    "todo: ",
    "replace with ",
];
/// What a to-do asks for when it stands for a text that is missing. A to-do of the project's own says what is to be replaced
/// or described.
const MISSING: &[&str] = &[
    "fill in",
    "fill-in",
    "fill out",
    "fill this",
    "add your",
    "describe your",
    "describe this project",
    "complete this",
    "replace this",
    "replace with your",
];
/// Longest place that is taken for one.
const MAX_CHARS: usize = 80;

/// The first place in words outside code that is to be filled in: `{{name}}`, `[PROJECT NAME]`, `TODO: fill in`. `line` is the
/// whole line that they are a part of.
pub(super) fn slot_in_text(text: &str, line: &str) -> Option<String> {
    braces(text, line).or_else(|| brackets(text)).or_else(|| to_do(text))
}

/// The place that a tag stands for: `<your name>`.
pub(super) fn slot_in_html(html: &str) -> Option<String> {
    let inside = html.trim().strip_prefix('<')?.strip_suffix('>')?;
    is_opening(inside).then(|| html.trim().to_owned()).filter(|slot| slot.chars().count() <= MAX_CHARS)
}

/// A name in braces where a value would stand: alone in its line, after a colon, or shouted as templates do. Words on how a
/// language of templates is written have it in their midst.
fn braces(text: &str, line: &str) -> Option<String> {
    let start = text.find("{{")?;
    let length = text.get(start..)?.find("}}")? + 2;
    let slot = text.get(start..start + length)?;
    let inside = slot.trim_matches(['{', '}']).trim();
    let is_name = !inside.is_empty() && inside.chars().all(|c| c.is_alphanumeric() || " _-".contains(c));
    // `${{ ... }}` is an expression of a workflow.
    let is_expression = text.get(..start).is_some_and(|before| before.ends_with('$'));
    let is_shouted = inside.chars().any(char::is_uppercase) && !inside.chars().any(char::is_lowercase);
    let is_place = is_name && !is_expression && (is_shouted || stands_for_value(slot, line));
    (is_place && slot.chars().count() <= MAX_CHARS).then(|| slot.to_owned())
}

fn stands_for_value(slot: &str, line: &str) -> bool {
    let is_mark = |c: char| c.is_whitespace() || "#>*_-+".contains(c);
    let Some((before, after)) = line.split_once(slot) else { return false };
    let (before, after) = (before.trim_matches(is_mark), after.trim_matches(is_mark));
    before.ends_with([':', '：']) || (before.is_empty() && after.is_empty())
}

fn brackets(text: &str) -> Option<String> {
    for (start, _) in text.match_indices('[') {
        let rest = text.get(start + 1..)?;
        let length = rest.find(']')?;
        let inside = rest.get(..length)?;
        // A template shouts, or says whom it means; `[Your name](url)` is a link, and no text.
        if is_opening(inside) && inside.chars().count() <= MAX_CHARS {
            return Some(format!("[{inside}]"));
        }
    }
    None
}

fn is_opening(inside: &str) -> bool {
    let lower = inside.to_lowercase();
    OPENINGS.iter().any(|opening| lower.starts_with(opening))
}

fn to_do(text: &str) -> Option<String> {
    let at = text.find("TODO").or_else(|| text.find("FIXME"))?;
    let said = text.get(at..)?;
    let asked = said.trim_start_matches(|c: char| c.is_ascii_uppercase()).trim_start_matches([':', ' ', '-', '—']);
    let lower = asked.to_lowercase();
    MISSING.iter().any(|missing| lower.starts_with(missing)).then(|| said.chars().take(MAX_CHARS / 2).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_to_be_filled_in_are_found() {
        for text in [
            "Project: {{name}}",
            "- **Name:** {{ name }} (short)",
            "## {{project-name}}",
            "Rules of {{PROJECT_NAME}}.",
            "# [PROJECT NAME]",
            "TODO: fill in the commands",
            "TODO: describe your project",
            "[Your project description here]",
        ] {
            assert!(slot_in_text(text, text).is_some(), "{text}");
        }
        for html in ["<your project name>", "<FILL-IN: purpose>"] {
            assert!(slot_in_html(html).is_some(), "{html}");
        }
    }

    #[test]
    fn what_only_looks_like_one_is_none() {
        for text in [
            "[ALWAYS] test",
            "[x] done",
            "${{ secrets.TOKEN }}",
            "{{#if a}}",
            "TODO: fix the parser",
            "TODO: replace jest with vitest",
            "TODO: describe the retry policy in docs/",
            "TODO: fill the cache before the tests",
            "Our templates write {{ name }} for a variable",
            "{{ name }} is a variable",
            "{}",
            "}}{{",
            "[",
            "[yours]",
        ] {
            assert_eq!(slot_in_text(text, text), None, "{text}");
        }
        for html in ["<br>", "<details>", "<T>", "<"] {
            assert_eq!(slot_in_html(html), None, "{html}");
        }
    }
}
