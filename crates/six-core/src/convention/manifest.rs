//! The names that a project's own files define.

use std::collections::BTreeSet;

/// The scripts of a `package.json`; `None` if it can't be read as one.
pub fn parse_npm_scripts(text: &str) -> Option<BTreeSet<String>> {
    let manifest: serde_json::Value = serde_json::from_str(text).ok()?;
    let scripts = manifest.as_object()?.get("scripts");
    Some(
        scripts
            .and_then(serde_json::Value::as_object)
            .map(|scripts| scripts.keys().cloned().collect())
            .unwrap_or_default(),
    )
}

/// The targets of a makefile; `None` if some of them come from elsewhere: from a file that it includes, a pattern, a variable.
pub fn parse_make_targets(text: &str) -> Option<BTreeSet<String>> {
    let mut targets = BTreeSet::new();
    for line in text.lines() {
        let word = line.split_whitespace().next().unwrap_or_default();
        if matches!(word, "include" | "-include" | "sinclude") || line.contains("$(eval") {
            return None;
        }
        if line.starts_with(['\t', ' ', '#', '.']) && !line.starts_with(".PHONY") {
            continue;
        }
        let Some((names, after)) = line.split_once(':') else { continue };
        if after.starts_with('=') || names.contains('=') {
            continue;
        }
        if names.contains(['%', '$']) {
            return None;
        }
        let said = if names == ".PHONY" { after } else { names };
        targets.extend(said.split_whitespace().map(str::to_owned));
    }
    Some(targets)
}

/// The recipes and aliases of a justfile; `None` if some of them come from other files.
pub fn parse_recipes(text: &str) -> Option<BTreeSet<String>> {
    let mut recipes = BTreeSet::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        if matches!(first, "import" | "import?" | "mod" | "mod?") {
            return None;
        }
        if first == "alias" {
            recipes.extend(words.next().map(str::to_owned));
            continue;
        }
        let is_recipe = !line.starts_with([' ', '\t', '#', '[']) && !line.contains(":=") && line.contains(':');
        if is_recipe {
            let name = first.trim_start_matches('@').split(':').next().unwrap_or_default();
            recipes.insert(name.to_owned());
        }
        // A default of a parameter may hold `:=` in a string; such a line is no assignment.
        if !is_recipe && line.contains(":=") && line.contains('(') {
            recipes.insert(first.trim_start_matches('@').to_owned());
        }
    }
    Some(recipes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn scripts_targets_and_recipes_are_read() {
        assert_eq!(parse_npm_scripts(r#"{"scripts": {"a": "x", "b:c": "y"}}"#), Some(set(&["a", "b:c"])));
        assert_eq!(parse_npm_scripts("{}"), Some(set(&[])));
        let make = "CC := gcc\nX = a:b\n.PHONY: all clean\nall: a.o b.o\n\tcc: x\na.o b.o: a.c\n";
        assert_eq!(parse_make_targets(make), Some(set(&["all", "clean", "a.o", "b.o"])));
        let just = "set shell := [\"sh\"]\nversion := \"1\"\nalias b := build\n\n# docs\n@build target='x': lint\n    cc: y\nlint:\n";
        assert_eq!(parse_recipes(just), Some(set(&["b", "build", "lint"])));
    }

    #[test]
    fn what_defines_names_elsewhere_proves_nothing() {
        assert_eq!(parse_npm_scripts("[]"), None);
        assert_eq!(parse_npm_scripts("{"), None);
        for make in ["include rules.mk\n", "-include x\n", "%.o: %.c\n", "$(OBJ): x\n"] {
            assert_eq!(parse_make_targets(make), None, "{make}");
        }
        assert_eq!(parse_recipes("import 'a.just'\n"), None);
    }
}
