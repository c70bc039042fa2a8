//! The binaries under test, built from the tree that the running test was built from.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The root of the checkout that this test was built from.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of the repository")
}

/// The folder with every binary of the workspace, in the profile of the running test.
///
/// Cargo offers a test the binaries of its own package only, so they are built here: once a process, and when nothing
/// changed cargo notices that in a fraction of a second.
pub fn binaries() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(build)
}

/// `TARGET/PROFILE/deps/TEST-HASH` is where cargo puts a test; the binaries belong into `TARGET/PROFILE`.
fn build() -> PathBuf {
    let test = env::current_exe().expect("a running test has a path");
    let folder = test.ancestors().nth(2).expect("cargo runs a test from its target folder").to_path_buf();
    let target = folder.parent().expect("the profile's folder lies in the target folder");
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") => "dev",
        Some(name) => name,
        None => panic!("no profile in {}", folder.display()),
    };
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--locked", "--workspace", "--bins", "--profile", profile, "--target-dir"])
        .arg(target)
        .current_dir(repository())
        .output()
        .expect("cargo starts");
    assert!(built.status.success(), "the binaries do not build:\n{}", String::from_utf8_lossy(&built.stderr));
    folder
}
