//! How long files are, how modules are called and what a `mod.rs` does.

use crate::source::{Finding, SourceFile};
use crate::{catches, hold, leaves_alone};

/// No file that a person maintains gets this long.
const FILE_LINES: usize = 1000;
/// A source file without its tests.
const CODE_LINES: usize = 500;
/// Names that say where something was put and not what it is.
const VAGUE: [&str; 6] = ["utils", "util", "helpers", "helper", "common", "misc"];

fn long_files(files: &[SourceFile]) -> Vec<Finding> {
    let maintained = |file: &&SourceFile| ["rs", "sh", "sql", "toml", "md"].iter().any(|end| file.has_extension(end));
    files
        .iter()
        .filter(maintained)
        .filter_map(|file| {
            let whole = file.lines().count();
            let untested = file.untested().count();
            if whole >= FILE_LINES {
                Some(Finding::at(file, FILE_LINES, format!("{whole} lines; split it below {FILE_LINES}")))
            } else if file.is_rust() && !file.is_test() && untested > CODE_LINES {
                let advice = format!("{untested} lines without its tests; split it by what changes for one reason");
                Some(Finding::at(file, CODE_LINES, advice))
            } else {
                None
            }
        })
        .collect()
}

fn vague_modules(files: &[SourceFile]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        let parts = file.path.trim_end_matches(".rs").split('/');
        for part in parts.filter(|part| VAGUE.contains(part)) {
            findings.push(Finding::at(file, 1, format!("`{part}` says nothing; name the module by what it knows")));
        }
        for (number, line) in file.lines() {
            let inline = line.trim_end().strip_suffix('{').and_then(|head| head.trim().rsplit_once("mod "));
            if let Some((_, name)) = inline.filter(|(_, name)| VAGUE.contains(name)) {
                findings.push(Finding::at(file, number, format!("`mod {name}` says nothing; name what it knows")));
            }
        }
    }
    findings
}

fn working_mod_files(files: &[SourceFile]) -> Vec<Finding> {
    let mod_files = files.iter().filter(|file| file.path.ends_with("/mod.rs"));
    mod_files.filter_map(|file| first_work(file).map(|line| Finding::at(file, line, MOVE_IT))).collect()
}

const MOVE_IT: &str = "a mod.rs only declares (mod, use, docs); move this into a file that is named for it";

/// The first line of a statement that neither declares a module nor names one.
fn first_work(file: &SourceFile) -> Option<usize> {
    let mut statement = String::new();
    let mut begun = 1;
    for (number, line) in file.lines() {
        let line = line.trim();
        if line.is_empty() || line.starts_with("//") || (line.starts_with('#') && line.ends_with(']')) {
            continue;
        }
        if statement.is_empty() {
            begun = number;
        }
        statement.push_str(line);
        statement.push(' ');
        if line.ends_with(';') {
            if !declares(&statement) {
                return Some(begun);
            }
            statement.clear();
        }
    }
    (!statement.is_empty()).then_some(begun)
}

fn declares(statement: &str) -> bool {
    let after_pub = match statement.strip_prefix("pub") {
        Some(rest) => rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |(_, rest)| rest),
        None => statement,
    };
    let item = after_pub.trim_start();
    item.starts_with("use ") || (item.starts_with("mod ") && !item.contains('{'))
}

#[test]
fn no_file_is_too_long_to_find_ones_way_in() {
    hold(long_files);
    catches(long_files, "crates/a/src/b.rs", &"fn f() {}\n".repeat(501));
    catches(long_files, "tests/tests/b.rs", &"fn f() {}\n".repeat(1000));
    let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "    fn g() {}\n".repeat(400));
    leaves_alone(long_files, "crates/a/src/b.rs", &format!("{}{tests}", "fn f() {}\n".repeat(500)));
}

#[test]
fn no_module_is_called_utils() {
    hold(vague_modules);
    catches(vague_modules, "crates/a/src/helpers.rs", "");
    catches(vague_modules, "crates/a/src/common/b.rs", "");
    catches(vague_modules, "crates/a/src/lib.rs", "pub mod utils {\n}\n");
    leaves_alone(vague_modules, "crates/a/src/commonplace.rs", "mod lines {\n}\n");
}

#[test]
fn mod_files_only_declare() {
    hold(working_mod_files);
    catches(working_mod_files, "a/mod.rs", "mod b;\n\npub fn f() {}\n");
    catches(working_mod_files, "a/mod.rs", "pub const N: u8 = 1;\n");
    catches(working_mod_files, "a/mod.rs", "mod b {\n    fn f();\n}\n");
    let declares =
        "//! Docs.\n\n#[cfg(test)]\nmod t;\npub(crate) mod b;\npub use b::{\n    C,\n    D,\n};\nuse b::E;\n";
    leaves_alone(working_mod_files, "a/mod.rs", declares);
}
