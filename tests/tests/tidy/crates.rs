//! What each crate may depend on, and that all of them live under the same lints.

use std::env;
use std::process::Command;

use testkit::repository;

use crate::source::{Finding, SourceFile};
use crate::{catches, hold, leaves_alone};

/// What a crate must not reach, through whatever other crate.
struct Wall {
    package: &'static str,
    shut_out: &'static [&'static str],
    because: &'static str,
}

const WALLS: [Wall; 4] = [
    Wall {
        package: "six-core",
        shut_out: &[
            "anyhow",
            "clap",
            "crossterm",
            "dirs",
            "fs2",
            "getrandom",
            "iana-time-zone", // chrono's clock
            "ignore",
            "indicatif",
            "rand",
            "ratatui",
            "rusqlite",
            "rustix",
            "signal-hook",
            "sqlite-vec",
            "tempfile",
            "tokio",
            "ureq",
            "walkdir",
        ],
        because: "six-core decides; clock, files, environment, SQL, network and chance come in as arguments",
    },
    Wall {
        package: "six-store",
        shut_out: &["clap", "crossterm", "dirs", "ignore", "indicatif", "ratatui", "tokio", "ureq"],
        because: "six-store remembers; six-runtime touches the rest of the machine",
    },
    Wall {
        package: "six-runtime",
        shut_out: &["clap", "crossterm", "indicatif", "ratatui"],
        because: "six-cli alone talks to a person",
    },
    // The client of an Ollama server is in the session start and the prompt hook alone; `tests/tests/embedding.rs` looks
    // into the binaries.
    Wall {
        package: "six-hooks",
        shut_out: &[
            "aws-lc-rs",
            "clap",
            "clap_builder",
            "crossterm",
            "hyper",
            "indicatif",
            "native-tls",
            "openssl",
            "openssl-sys",
            "ratatui",
            "reqwest",
            "ring",
            "rmcp",
            "rustls",
            "tokio",
        ],
        because: "a hook starts in milliseconds; this belongs to the command or the MCP server",
    },
];

/// The names in the tree of what `package` is built from on this machine.
fn tree(package: &str) -> Vec<String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let listed = Command::new(cargo)
        .args(["tree", "--offline", "--locked", "--edges", "normal", "--prefix", "none", "--format", "{p}"])
        .args(["--package", package])
        .current_dir(repository())
        .output()
        .expect("cargo starts");
    assert!(listed.status.success(), "cargo tree: {}", String::from_utf8_lossy(&listed.stderr));
    let text = String::from_utf8(listed.stdout).expect("cargo prints UTF-8");
    text.lines().filter_map(|line| Some(line.split_once(' ')?.0.to_owned())).collect()
}

fn breaches(wall: &Wall, tree: &[String]) -> Vec<Finding> {
    let reached = wall.shut_out.iter().filter(|name| tree.iter().any(|reached| reached == *name));
    let find_it = |name: &str| format!("`cargo tree -p {} -e normal -i {name}` shows the way to it", wall.package);
    reached.map(|name| Finding::of(wall.package, format!("{name}: {}; {}", wall.because, find_it(name)))).collect()
}

/// The crates with a table of their own, since `forbid` can't be lifted: kernels reach the vector instructions, and `SQLite`
/// is handed an extension as a raw pointer.
const WITH_UNSAFE: [&str; 2] = ["crates/six-embed/Cargo.toml", "crates/six-store/Cargo.toml"];

/// Where their unsafe code is.
const UNSAFE_CODE: [&str; 2] = ["crates/six-embed/src/kernel/", "crates/six-store/src/extension.rs"];

/// What a table of its own has to say instead of `forbid`.
const NO_UNSAFE: (&str, &str) = ("unsafe_code = \"forbid\"", "unsafe_code = \"deny\"");

fn own_lints(files: &[SourceFile]) -> Vec<Finding> {
    let crates = files.iter().filter(|file| file.is_manifest() && file.text.contains("[package]"));
    crates
        .filter(|file| !WITH_UNSAFE.contains(&file.path.as_str()) && !file.text.contains("[lints]\nworkspace = true"))
        .map(|file| Finding::at(file, 1, "inherit the shared lints: `[lints]` with `workspace = true`"))
        .collect()
}

/// Shared lints that a crate with a table of its own does not have.
fn lints_left_out(files: &[SourceFile]) -> Vec<Finding> {
    let Some(shared) = files.iter().find(|file| file.path == "Cargo.toml") else { return Vec::new() };
    let tables = shared.text.split("[workspace.lints").skip(1);
    let lints: Vec<&str> = tables
        .flat_map(|table| table.lines().skip(1).take_while(in_table))
        .filter(|line| line.contains(" = "))
        .map(|line| if line == NO_UNSAFE.0 { NO_UNSAFE.1 } else { line })
        .collect();
    let mut findings = Vec::new();
    for own in files.iter().filter(|file| WITH_UNSAFE.contains(&file.path.as_str())) {
        let left_out = lints.iter().filter(|lint| !own.text.lines().any(|line| line == **lint));
        let say = |lint: &&str| Finding::at(own, 1, format!("`{lint}` is a lint of the workspace, and holds here too"));
        findings.extend(left_out.map(say));
    }
    findings
}

fn in_table(line: &&str) -> bool {
    !line.starts_with('[')
}

/// Unsafe code outside the kernels and the one registration.
fn unsafe_elsewhere(files: &[SourceFile]) -> Vec<Finding> {
    let lifts = concat!("expect(unsafe", "_code");
    let elsewhere =
        files.iter().filter(|file| file.is_rust() && !UNSAFE_CODE.iter().any(|place| file.path.starts_with(place)));
    let lines = elsewhere.flat_map(|file| file.lines().map(move |(number, line)| (file, number, line)));
    lines
        .filter(|(_, _, line)| line.contains(lifts))
        .map(|(file, number, _)| {
            Finding::at(file, number, format!("unsafe code lives in {} alone", UNSAFE_CODE.join(" and ")))
        })
        .collect()
}

/// Lint exceptions that nothing ever removes.
fn silent_exceptions(files: &[SourceFile]) -> Vec<Finding> {
    let attributes = [concat!("#[", "allow("), concat!("#![", "allow(")];
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        for (number, line) in file.lines() {
            if attributes.iter().any(|attribute| line.contains(attribute)) {
                findings.push(Finding::at(file, number, "write `expect(lint, reason = \"...\")`, never `allow`"));
            }
        }
    }
    findings
}

#[test]
fn no_crate_reaches_over_its_wall() {
    let findings: Vec<String> =
        WALLS.iter().flat_map(|wall| breaches(wall, &tree(wall.package))).map(|found| found.to_string()).collect();
    assert!(findings.is_empty(), "\n{}\n", findings.join("\n"));
    for wall in &WALLS {
        let planted = [wall.package.to_owned(), wall.shut_out[0].to_owned()];
        assert_eq!(breaches(wall, &planted).len(), 1, "{}", wall.package);
    }
    assert!(tree("six-store").contains(&"rusqlite".to_owned()), "the tree is read as it is printed");
}

#[test]
fn every_crate_inherits_the_lints() {
    hold(own_lints);
    catches(own_lints, "crates/a/Cargo.toml", "[package]\nname = \"a\"\n");
    leaves_alone(own_lints, WITH_UNSAFE[0], "[package]\nname = \"six-embed\"\n");
    leaves_alone(own_lints, "Cargo.toml", "[workspace]\n");
}

#[test]
fn a_crate_with_unsafe_code_leaves_no_lint_out() {
    hold(lints_left_out);
    let shared =
        SourceFile::new("Cargo.toml", "[workspace.lints.rust]\nunsafe_code = \"forbid\"\nmissing_docs = \"warn\"\n");
    let own =
        |text| lints_left_out(&[SourceFile::new("Cargo.toml", &shared.text), SourceFile::new(WITH_UNSAFE[0], text)]);
    assert_eq!(own("[lints.rust]\nunsafe_code = \"deny\"\nmissing_docs = \"warn\"\n").len(), 0);
    assert_eq!(own("[lints.rust]\nunsafe_code = \"deny\"\n").len(), 1);
    assert_eq!(own("[lints.rust]\nunsafe_code = \"allow\"\nmissing_docs = \"warn\"\n").len(), 1);
}

#[test]
fn unsafe_code_lives_where_it_is_known_to() {
    hold(unsafe_elsewhere);
    let planted = concat!("#[expect(unsafe", "_code, reason = \"faster\")]\n");
    catches(unsafe_elsewhere, "crates/six-embed/src/model.rs", planted);
    catches(unsafe_elsewhere, "crates/six-store/src/leg.rs", planted);
    for place in ["crates/six-embed/src/kernel/avx2.rs", "crates/six-store/src/extension.rs"] {
        leaves_alone(unsafe_elsewhere, place, planted);
    }
}

#[test]
fn a_lint_is_expected_and_never_allowed() {
    hold(silent_exceptions);
    catches(silent_exceptions, "crates/a/src/b.rs", concat!("#[", "allow(dead_code)]\n"));
}
