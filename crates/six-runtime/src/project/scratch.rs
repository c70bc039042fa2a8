//! A machine of its own for a test: a home, a folder for our data, real git repositories.

use crate::home::{Environment, SixHome};
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) struct Scratch {
    dir: tempfile::TempDir,
}

impl Scratch {
    pub(crate) fn new() -> Scratch {
        let scratch = Scratch { dir: tempfile::tempdir().unwrap() };
        std::fs::create_dir(scratch.base().join("home")).unwrap();
        scratch
    }

    /// Canonical.
    pub(crate) fn base(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap()
    }

    /// A path below the home folder.
    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.base().join("home").join(name)
    }

    /// A folder below the home folder.
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        let folder = self.at(name);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// A repository with one commit, whose content is its name.
    pub(crate) fn repository(&self, name: &str) -> PathBuf {
        let root = self.folder(name);
        self.git(&root, &["init", "-q", "-b", "main", "."]);
        self.commit(&root, "README.md", name);
        root
    }

    pub(crate) fn commit(&self, root: &Path, file: &str, content: &str) {
        let path = root.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
        self.git(root, &["add", "-A"]);
        self.git(root, &["commit", "-q", "-m", content]);
    }

    pub(crate) fn git(&self, root: &Path, args: &[&str]) -> String {
        let out = Command::new("git")
            .current_dir(root)
            .args(["-c", "protocol.file.allow=always"])
            .args(args)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.base().join("home"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .envs(["AUTHOR", "COMMITTER"].iter().flat_map(|who| {
                [
                    (format!("GIT_{who}_NAME"), "Ada Example"),
                    (format!("GIT_{who}_EMAIL"), "ada@example.invalid"),
                    (format!("GIT_{who}_DATE"), "2026-01-01T00:00:00Z"),
                ]
            }))
            .output()
            .unwrap();
        assert!(out.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).unwrap().trim().to_owned()
    }

    pub(crate) fn env(&self) -> Environment {
        Environment {
            six_home: Some(self.base().join("six")),
            home: Some(self.base().join("home")),
            ..Environment::default()
        }
    }

    pub(crate) fn six_home(&self) -> SixHome {
        SixHome::resolve(&self.env()).unwrap()
    }
}
