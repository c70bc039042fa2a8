//! The project that standing rules speak of: whether a thing that they name is certainly not there.
//!
//! Everything is asked only after the first look has failed to find it: rules that hold cost one `stat` a name.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use six_core::convention::{is_tracked_below, parse_make_targets, parse_npm_scripts, parse_recipes};

use crate::gitignore::leaves_out;
use crate::ingest::Place;
use crate::read_file::read_file;

/// Largest index of git that is searched: about 200 000 files.
const INDEX_CAP_BYTES: u64 = 24 << 20;
/// Largest file that stands for a checkout's `.git`.
const LINK_CAP_BYTES: u64 = 4 << 10;
/// Largest manifest that is read.
const MANIFEST_CAP_BYTES: u64 = 1 << 20;
/// Folders, one and two below the root, in which the manifests of packages are looked for.
const MAX_PACKAGES: usize = 200;

/// What npm runs without a script of that name.
const BUILT_IN: [&str; 3] = ["env", "start", "restart"];
const MAKEFILES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];
const JUSTFILES: [&str; 3] = ["justfile", "Justfile", ".justfile"];

type Names = BTreeSet<String>;

/// A project's root, and what was looked up there.
pub(super) struct Ground<'p> {
    place: &'p Place,
    index: OnceCell<Option<Vec<u8>>>,
    folders: OnceCell<Vec<PathBuf>>,
}

impl<'p> Ground<'p> {
    /// Of a project.
    pub(super) fn of(place: &'p Place) -> Self {
        Self { place, index: OnceCell::new(), folders: OnceCell::new() }
    }

    /// A path is not there: neither from `folder` nor from the root, although the folder that it begins in is, nor below
    /// another folder of the project, and git is not told to ignore it.
    pub(super) fn lacks_path(&self, folder: &Path, path: &str) -> bool {
        let first = path.split('/').next().unwrap_or_default();
        self.bases(folder).iter().any(|base| base.join(first).is_dir()) && self.lacks_program(folder, path)
    }

    /// A script is not there; it needs no folder to begin in.
    pub(super) fn lacks_program(&self, folder: &Path, path: &str) -> bool {
        let is_there = |base: &PathBuf| is_there(&base.join(path));
        !self.bases(folder).iter().any(is_there) && !self.is_ignored(path) && !self.is_elsewhere(path)
    }

    /// None of the paths that a link can mean is there.
    pub(super) fn lacks_link(&self, folder: &Path, spellings: &[String]) -> bool {
        let is_there = |spelling: &String| self.bases(folder).iter().any(|base| base.join(spelling).exists());
        let is_ignored = |spelling: &String| {
            let path = folder.join(spelling);
            path.to_str().is_some_and(|path| self.is_ignored(path)) || self.is_ignored(spelling)
        };
        !spellings.iter().any(|spelling| is_there(spelling) || is_ignored(spelling))
    }

    /// The root's `package.json` has no such script, and no other package's has.
    pub(super) fn lacks_script(&self, name: &str) -> bool {
        !BUILT_IN.contains(&name) && self.lacks_name(&["package.json"], parse_npm_scripts, name)
    }

    /// The root's makefile has no such target, no other one has, and there is no file that it could stand for.
    pub(super) fn lacks_target(&self, name: &str) -> bool {
        !self.place.root.join(name).exists() && self.lacks_name(&MAKEFILES, parse_make_targets, name)
    }

    /// The root's justfile has no such recipe, and no other one has.
    pub(super) fn lacks_recipe(&self, name: &str) -> bool {
        self.lacks_name(&JUSTFILES, parse_recipes, name)
    }

    fn bases(&self, folder: &Path) -> [PathBuf; 2] {
        [self.place.root.join(folder), self.place.root.clone()]
    }

    /// Where the root has no such file, or one that does not tell all its names, nothing is certain.
    fn lacks_name(&self, files: &[&str], parse: fn(&str) -> Option<Names>, name: &str) -> bool {
        let of = |folder: &Path| {
            let path = files.iter().map(|file| folder.join(file)).find(|path| path.is_file())?;
            let bytes = read_file(&path, MANIFEST_CAP_BYTES).ok();
            Some(bytes.and_then(|bytes| parse(str::from_utf8(&bytes).ok()?)))
        };
        let lacks = |names: &Option<Names>| names.as_ref().is_some_and(|names| !names.contains(name));
        of(&self.place.root).is_some_and(|names| lacks(&names))
            && self.folders().iter().filter_map(|folder| of(folder)).all(|names| lacks(&names))
    }

    /// The folders one and two below the root that may be packages.
    fn folders(&self) -> &[PathBuf] {
        self.folders.get_or_init(|| {
            let mut folders = folders_in(&self.place.root);
            let below: Vec<PathBuf> = folders.iter().flat_map(|folder| folders_in(folder)).take(MAX_PACKAGES).collect();
            folders.extend(below);
            folders.truncate(MAX_PACKAGES);
            folders
        })
    }

    /// Whether the project has the path below another folder, or might have: an index that can't be searched proves
    /// nothing, nor does a folder that is empty, as a submodule is before it is fetched.
    fn is_elsewhere(&self, path: &str) -> bool {
        let path = path.trim_start_matches("./");
        let nearest = self.place.root.join(path).ancestors().skip(1).find(|above| above.is_dir()).map(is_empty);
        let tracked = self.index().map(|index| is_tracked_below(index, path));
        nearest.unwrap_or(true) || (self.place.has_git && tracked.flatten() != Some(false))
    }

    fn index(&self) -> Option<&[u8]> {
        let read = || {
            let dot_git = self.place.root.join(".git");
            let git_dir = match read_file(&dot_git, LINK_CAP_BYTES) {
                Ok(link) => self.place.root.join(str::from_utf8(&link).ok()?.strip_prefix("gitdir:")?.trim()),
                Err(_) => dot_git,
            };
            read_file(&git_dir.join("index"), INDEX_CAP_BYTES).ok()
        };
        self.index.get_or_init(read).as_deref()
    }

    /// Whether git is told to ignore the path, or may be: by the root, a folder on the way, or this checkout's own list.
    fn is_ignored(&self, path: &str) -> bool {
        let root = &self.place.root;
        let full = root.join(path.trim_end_matches('/'));
        if !full.starts_with(root) {
            return false;
        }
        let is_folder = path.ends_with('/');
        let lists = full
            .ancestors()
            .skip(1)
            .take_while(|above| above.starts_with(root))
            .map(|above| (above, above.join(".gitignore")));
        lists
            .chain([(root.as_path(), self.place.main.join(".git/info/exclude"))])
            .any(|(base, list)| leaves_out(&list, base, &full, is_folder) != Some(false))
    }
}

/// Whether the path is there; a module of TypeScript is imported by the name that it will have in JavaScript.
fn is_there(path: &Path) -> bool {
    let source = |from: &str, to: &str| {
        let is_compiled = path.extension().is_some_and(|extension| extension == from);
        is_compiled && path.with_extension(to).exists()
    };
    path.exists() || source("js", "ts") || source("js", "tsx") || source("jsx", "tsx")
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none())
}

/// The folders in `folder` that a person would call parts of the project.
fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let is_part = |name: &str| !name.starts_with('.') && !matches!(name, "node_modules" | "target" | "dist" | "vendor");
    let folders =
        entries.flatten().take(MAX_PACKAGES * 5).filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    folders.filter(|entry| entry.file_name().to_str().is_some_and(is_part)).map(|entry| entry.path()).collect()
}
