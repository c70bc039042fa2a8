//! Lists of what git leaves out. They come with a checkout of anybody's making.

use std::path::Path;

use ignore::gitignore::GitignoreBuilder;

use crate::read_file::{ReadError, read_file};

/// Largest list that is read.
const CAP_BYTES: u64 = 1 << 20;

/// Whether the list in the file, which speaks of what is below `base`, leaves the path out; `None` where it is too large for
/// that to be known. One that is not there, is no file or can't be read leaves nothing out, nor does a line that can't be
/// understood.
pub(crate) fn leaves_out(list: &Path, base: &Path, path: &Path, is_folder: bool) -> Option<bool> {
    let bytes = match read_file(list, CAP_BYTES) {
        Ok(bytes) => bytes,
        Err(ReadError::TooLarge { .. }) => return None,
        Err(_) => return Some(false),
    };
    let mut builder = GitignoreBuilder::new(base);
    for line in String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').lines() {
        let _ = builder.add_line(None, line);
    }
    Some(builder.build().is_ok_and(|list| list.matched_path_or_any_parents(path, is_folder).is_ignore()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn left_out(list: &Path, path: &str) -> Option<bool> {
        leaves_out(list, Path::new("/p"), &Path::new("/p").join(path), false)
    }

    #[test]
    fn a_list_leaves_out_what_it_says_whatever_its_bytes_are() {
        let dir = tempfile::tempdir().unwrap();
        let list = dir.path().join(".gitignore");
        assert_eq!(left_out(&list, "a.log"), Some(false), "there is none");
        fs::write(&list, b"\xef\xbb\xbf*.log\r\n\xff\xfe\nout/\n[\n").unwrap();
        let told = ["a.log", "out/b", "c"].map(|path| left_out(&list, path));
        assert_eq!(told, [Some(true), Some(true), Some(false)]);
    }

    #[test]
    fn of_a_list_that_is_too_large_nobody_knows_what_it_leaves_out() {
        let dir = tempfile::tempdir().unwrap();
        let list = dir.path().join(".gitignore");
        fs::write(&list, "#".repeat(1 << 20)).unwrap();
        assert_eq!(left_out(&list, "a"), Some(false));
        fs::write(&list, "#".repeat((1 << 20) + 1)).unwrap();
        assert_eq!(left_out(&list, "a"), None);
    }
}
