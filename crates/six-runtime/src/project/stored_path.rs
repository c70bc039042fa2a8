//! Paths in JSON files of ours.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::path::{Path, PathBuf};

/// A path that survives JSON: a string, or an array of bytes when it is not UTF-8 (as Unix allows).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredPath(pub PathBuf);

impl AsRef<Path> for StoredPath {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl From<&Path> for StoredPath {
    fn from(path: &Path) -> StoredPath {
        StoredPath(path.to_owned())
    }
}

impl Serialize for StoredPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.to_str() {
            Some(text) => serializer.serialize_str(text),
            None => self.0.as_os_str().as_encoded_bytes().serialize(serializer),
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Wire {
    Text(String),
    Bytes(Vec<u8>),
}

impl<'de> Deserialize<'de> for StoredPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StoredPath, D::Error> {
        Ok(StoredPath(match Wire::deserialize(deserializer)? {
            Wire::Text(text) => PathBuf::from(text),
            Wire::Bytes(bytes) => path_of_bytes(&bytes),
        }))
    }
}

/// The path whose bytes these are. Elsewhere than on Unix, what is not UTF-8 becomes U+FFFD.
pub(crate) fn path_of_bytes(bytes: &[u8]) -> PathBuf {
    #[cfg(unix)]
    return PathBuf::from(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes));
    #[cfg(not(unix))]
    return PathBuf::from(String::from_utf8_lossy(bytes).into_owned());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn any_path_comes_back_as_it_was() {
        for bytes in [&b"/srv/api"[..], "/srv/überblick/東京".as_bytes(), b"/srv/\xff\xfe"] {
            let path = StoredPath(path_of_bytes(bytes));
            let json = serde_json::to_string(&path).unwrap();
            assert_eq!(serde_json::from_str::<StoredPath>(&json).unwrap(), path, "{json}");
        }
        assert_eq!(serde_json::to_string(&StoredPath("/srv/api".into())).unwrap(), "\"/srv/api\"");
    }
}
