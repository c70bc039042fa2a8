//! Where the sets come from.

use std::fs;
use std::path::{Path, PathBuf};

use super::set::{Set, parse_sessions, parse_set};
use crate::context::Context;
use crate::failure::Failure;
use crate::output::quoted;

/// What helps where there is nothing to measure with.
const NEXT: &str =
    "six bench retrieval --set FILE (its form: docs/benchmarks.md), or --data DIR with a folder `retrieval`";

/// The sets that were named; without any, all below the data folder.
pub(crate) fn gather_sets(context: &Context, named: &[PathBuf], data: Option<&Path>) -> Result<Vec<Set>, Failure> {
    let paths = if named.is_empty() {
        find_sets(&data_folder(context, data))?
    } else {
        named.iter().map(|path| context.dir(Some(path))).collect()
    };
    paths.iter().map(|path| read_set(path)).collect()
}

/// `--data`, else `SIX_SHARED/data/bench`, else the same beside the project's folder.
fn data_folder(context: &Context, data: Option<&Path>) -> PathBuf {
    match (data, &context.env.six_shared) {
        (Some(data), _) => context.dir(Some(data)),
        (None, Some(shared)) => context.dir(Some(&shared.join("data/bench"))),
        (None, None) => context.dir(Some(Path::new("../shared/data/bench"))),
    }
}

fn find_sets(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut sets: Vec<PathBuf> = fs::read_dir(folder.join("retrieval"))
        .map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
        .unwrap_or_default();
    sets.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    sets.sort();
    let sessions = folder.join("devmembench");
    if sessions.is_dir() {
        sets.push(sessions);
    }
    if sets.is_empty() {
        return Err(Failure::misuse(format_args!("there are no sets in {}", folder.display()), NEXT));
    }
    Ok(sets)
}

/// A file of groups, or a folder of sessions and questions.
fn read_set(path: &Path) -> Result<Set, Failure> {
    let name = path.file_stem().map_or_else(|| String::from("set"), |name| name.to_string_lossy().into_owned());
    let set = if path.is_dir() {
        parse_sessions(&name, &read(&path.join("sessions.json"))?, &read(&path.join("questions.json"))?)
    } else {
        parse_set(&name, &read(path)?)
    };
    set.map_err(|fault| Failure::misuse(format_args!("{} is no set: {fault}", quoted(path)), NEXT))
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path)
        .map_err(|fault| Failure::misuse(format_args!("{} can't be read: {fault}", quoted(path)), NEXT))
}
