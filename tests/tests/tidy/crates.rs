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

const WALLS: [Wall; 3] = [
    Wall {
        package: "six-core",
        shut_out: &[
            "anyhow",
            "clap",
            "dirs",
            "fs2",
            "getrandom",
            "iana-time-zone", // chrono's clock
            "ignore",
            "indicatif",
            "rand",
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
        shut_out: &["clap", "dirs", "ignore", "indicatif", "tokio", "ureq"],
        because: "six-store remembers; six-runtime touches the rest of the machine",
    },
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

fn own_lints(files: &[SourceFile]) -> Vec<Finding> {
    let crates = files.iter().filter(|file| file.is_manifest() && file.text.contains("[package]"));
    crates
        .filter(|file| !file.text.contains("[lints]\nworkspace = true"))
        .map(|file| Finding::at(file, 1, "inherit the shared lints: `[lints]` with `workspace = true`"))
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
    leaves_alone(own_lints, "Cargo.toml", "[workspace]\n");
}

#[test]
fn a_lint_is_expected_and_never_allowed() {
    hold(silent_exceptions);
    catches(silent_exceptions, "crates/a/src/b.rs", concat!("#[", "allow(dead_code)]\n"));
}
