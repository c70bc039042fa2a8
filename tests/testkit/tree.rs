//! Everything below a folder, to be compared before and after.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Names, kinds, permissions and bytes; times are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree(BTreeMap<PathBuf, Node>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Node {
    File { mode: u32, bytes: Vec<u8> },
    Folder { mode: u32 },
    Link(PathBuf),
    Other,
}

impl Tree {
    /// What is there now. What can't be looked at is not part of it.
    pub fn of(folder: &Path) -> Self {
        let mut nodes = BTreeMap::new();
        gather(folder, folder, &mut nodes);
        Self(nodes)
    }

    /// Fails the test with the names of what differs.
    #[track_caller]
    pub fn is_unchanged(&self, after: &Self) {
        let names: std::collections::BTreeSet<&PathBuf> = self.0.keys().chain(after.0.keys()).collect();
        let differs: Vec<String> = names
            .into_iter()
            .filter(|name| self.0.get(*name) != after.0.get(*name))
            .map(|name| match (self.0.get(name), after.0.get(name)) {
                (None, _) => format!("new: {}", name.display()),
                (_, None) => format!("gone: {}", name.display()),
                _ => format!("changed: {}", name.display()),
            })
            .collect();
        assert!(differs.is_empty(), "{differs:#?}");
    }
}

fn gather(root: &Path, folder: &Path, nodes: &mut BTreeMap<PathBuf, Node>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let Ok(metadata) = path.symlink_metadata() else { continue };
        let name = path.strip_prefix(root).expect("it is below the root").to_path_buf();
        let node = if metadata.is_symlink() {
            Node::Link(fs::read_link(&path).unwrap_or_default())
        } else if metadata.is_dir() {
            gather(root, &path, nodes);
            Node::Folder { mode: mode(&metadata) }
        } else if metadata.is_file() {
            Node::File { mode: mode(&metadata), bytes: fs::read(&path).unwrap_or_default() }
        } else {
            Node::Other
        };
        nodes.insert(name, node);
    }
}

#[cfg(unix)]
fn mode(metadata: &fs::Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode()
}

#[cfg(not(unix))]
fn mode(metadata: &fs::Metadata) -> u32 {
    u32::from(metadata.permissions().readonly())
}
