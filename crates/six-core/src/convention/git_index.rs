//! Names in git's index, without git.

use memchr::memmem;

/// Whether a file under version control has a path that ends with `path`, below some folder: `None` where the index can't
/// tell, since it is none or its names are compressed (version 4).
///
/// The names stand in the index as they are, each with a NUL behind it, so that looking for one costs a search through the
/// bytes. A folder is given with a slash at its end.
pub fn is_tracked_below(index: &[u8], path: &str) -> Option<bool> {
    let version =
        index.strip_prefix(b"DIRC").and_then(|rest| rest.first_chunk::<4>()).map(|bytes| u32::from_be_bytes(*bytes))?;
    if !matches!(version, 2 | 3) {
        return None;
    }
    let end = if path.ends_with('/') { "" } else { "\0" };
    let sought = format!("/{path}{end}");
    // Before a name stands its length; the low byte of 47 is a slash, the high byte before that is NUL.
    let is_inside = |at: usize| at.checked_sub(1).and_then(|before| index.get(before)).is_some_and(|byte| *byte != 0);
    Some(memmem::find_iter(index, sought.as_bytes()).any(is_inside))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The index of these files: what stands before a name is left zero but for its length.
    fn index(version: u32, names: &[&str]) -> Vec<u8> {
        let mut bytes = b"DIRC".to_vec();
        bytes.extend(version.to_be_bytes());
        bytes.extend(u32::try_from(names.len()).unwrap().to_be_bytes());
        for name in names {
            bytes.extend([0; 60]);
            bytes.extend(u16::try_from(name.len()).unwrap().to_be_bytes());
            bytes.extend(name.as_bytes());
            bytes.push(0);
        }
        bytes
    }

    #[test]
    fn a_name_below_another_folder_is_found_and_its_own_is_not() {
        let long = format!("src/{}.rs", "a".repeat(40));
        assert_eq!(long.len(), 47);
        let index = index(2, &["web/src/a.ts", "src/b.ts", &long]);
        assert_eq!(is_tracked_below(&index, "src/a.ts"), Some(true));
        assert_eq!(is_tracked_below(&index, "src/"), Some(true));
        assert_eq!(is_tracked_below(&index, "src/b.ts"), Some(false));
        assert_eq!(is_tracked_below(&index, "src/a.t"), Some(false));
        assert_eq!(is_tracked_below(&index, &long), Some(false));
    }

    #[test]
    fn an_index_that_can_t_be_read_tells_nothing() {
        assert_eq!(is_tracked_below(&index(4, &["web/src/a.ts"]), "src/a.ts"), None);
        assert_eq!(is_tracked_below(b"", "a"), None);
        assert_eq!(is_tracked_below(b"DIRC", "a"), None);
    }
}
