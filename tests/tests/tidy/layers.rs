//! Which words belong to which layer.

use crate::source::{Finding, SourceFile};
use crate::{catches, hold, leaves_alone};

/// The crates that speak to the database.
const SQL: [&str; 3] = ["rusqlite", "sqlite_vec", "libsqlite3_sys"];

/// Field names of the host that nobody would use by chance.
const HOST_WORDS: [&str; 14] = [
    "hookSpecificOutput",
    "hookEventName",
    "additionalContext",
    "systemMessage",
    "parentUuid",
    "isSidechain",
    "isMeta",
    "isCompactSummary",
    "toolUseResult",
    "promptSource",
    "permissionDecision",
    "hook_event_name",
    "stop_hook_active",
    "last_assistant_message",
];

/// Field names of the host that are fair names for our own things too: only as a literal they are the host's.
const HOST_KEYS: [&str; 4] = ["\"transcript_path\"", "\"tool_use_id\"", "\"tool_response\"", "\"custom_instructions\""];

fn sql_outside_the_store(files: &[SourceFile]) -> Vec<Finding> {
    let outside = files.iter().filter(|file| file.is_rust() && !file.is_test());
    let advice = "SQL lives in six-store alone; ask it for what you need";
    words_in(outside.filter(|file| !file.path.starts_with("crates/six-store/")), &SQL, advice)
}

fn host_words_outside_the_wire(files: &[SourceFile]) -> Vec<Finding> {
    let outside = files.iter().filter(|file| file.is_rust() && !file.is_test());
    let outside: Vec<_> = outside.filter(|file| !file.path.starts_with("crates/six-core/src/event/")).collect();
    let advice = "the host's field names are known in six-core/src/event only; take the typed event from there";
    let mut findings = words_in(outside.iter().copied(), &HOST_WORDS, advice);
    findings.extend(words_in(outside.into_iter(), &HOST_KEYS, advice));
    findings
}

/// One finding for each line of code that has one of the words.
fn words_in<'a>(files: impl Iterator<Item = &'a SourceFile>, words: &[&str], advice: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files {
        for (number, line) in file.code() {
            if let Some(word) = words.iter().find(|word| line.contains(**word)) {
                findings.push(Finding::at(file, number, format!("{word}: {advice}")));
            }
        }
    }
    findings
}

fn broken_migration_numbers(files: &[SourceFile]) -> Vec<Finding> {
    let numbered = |file: &&SourceFile| file.path.contains("/migrations/") && file.has_extension("sql");
    let mut migrations: Vec<&SourceFile> = files.iter().filter(numbered).collect();
    migrations.retain(|file| !file.path.ends_with("/schema.sql"));
    migrations.sort_by_key(|file| &file.path);
    let mut findings = Vec::new();
    for (expected, file) in (1..).zip(migrations) {
        let name = file.path.rsplit('/').next().unwrap_or_default();
        if !name.starts_with(&format!("{expected:04}-")) {
            let advice = format!("migration {expected} must be called {expected:04}-WHAT.sql: no gap, no number twice");
            findings.push(Finding::at(file, 1, advice));
            break;
        }
    }
    findings
}

#[test]
fn only_the_store_speaks_sql() {
    hold(sql_outside_the_store);
    catches(sql_outside_the_store, "crates/six-runtime/src/a.rs", "use rusqlite::Connection;\n");
    leaves_alone(sql_outside_the_store, "crates/six-store/src/a.rs", "use rusqlite::Connection;\n");
    leaves_alone(sql_outside_the_store, "crates/six-cli/src/a.rs", "// rusqlite is not ours\n");
}

#[test]
fn only_the_wire_knows_the_hosts_field_names() {
    hold(host_words_outside_the_wire);
    catches(host_words_outside_the_wire, "hooks/src/lib.rs", "let a = v[\"parentUuid\"];\n");
    catches(host_words_outside_the_wire, "hooks/src/lib.rs", "let a = v[\"transcript_path\"];\n");
    leaves_alone(host_words_outside_the_wire, "hooks/src/lib.rs", "let a = event.transcript_path;\n");
    leaves_alone(host_words_outside_the_wire, "crates/six-core/src/event/wire.rs", "v[\"parentUuid\"];\n");
    let tested = "fn f() {}\n#[cfg(test)]\nmod tests {\n    // parentUuid\n    const A: &str = \"isMeta\";\n}\n";
    leaves_alone(host_words_outside_the_wire, "crates/six-core/src/ingest/a.rs", tested);
}

#[test]
fn migrations_are_numbered_without_a_gap() {
    hold(broken_migration_numbers);
    catches(broken_migration_numbers, "crates/six-store/migrations/0002-late.sql", "");
    leaves_alone(broken_migration_numbers, "crates/six-store/migrations/0001-init.sql", "");
    leaves_alone(broken_migration_numbers, "crates/six-store/migrations/schema.sql", "");
}
