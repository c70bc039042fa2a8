//! Which journal the store's file gets. WAL needs memory that all processes share over a file; file systems of a network and
//! of a virtual machine's host do not give it, and say nothing.

use std::path::Path;

/// The journal of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Journal {
    /// Readers go on while one writes.
    Wal,
    /// Readers and the writer wait for each other: the file system, by its name, is not safe for more.
    Rollback(&'static str),
}

impl Journal {
    /// That of a file in this folder. Other systems than Linux do not tell what a folder lies on.
    pub(crate) fn of(folder: &Path) -> Self {
        file_system(folder).map_or(Self::Wal, Self::Rollback)
    }

    /// Its name in `SQLite`.
    pub(crate) const fn pragma(self) -> &'static str {
        match self {
            Self::Wal => "wal",
            Self::Rollback(_) => "delete",
        }
    }
}

#[cfg(target_os = "linux")]
fn file_system(folder: &Path) -> Option<&'static str> {
    let kind = rustix::fs::statfs(folder).ok()?.f_type;
    #[expect(clippy::cast_sign_loss, clippy::cast_possible_truncation, reason = "the kernel's numbers have 32 bits")]
    unsafe_name(kind as u32)
}

#[cfg(not(target_os = "linux"))]
fn file_system(_: &Path) -> Option<&'static str> {
    None
}

/// The name of a file system that is not safe for WAL, by the number that the kernel has for it (`linux/magic.h`).
#[cfg(target_os = "linux")]
fn unsafe_name(kind: u32) -> Option<&'static str> {
    Some(match kind {
        0x6969 => "nfs",
        0x517b => "smb",
        0xfe53_4d42 => "smb2",
        0xff53_4d42 => "cifs",
        0x0102_1997 => "9p",
        // sshfs, shared folders of virtual machines and of containers' hosts; local ones among them lose only speed.
        0x6573_5546 => "fuse",
        0x786f_4256 => "vboxsf",
        0x00c3_6400 => "ceph",
        0x5346_414f => "afs",
        0x7375_7245 => "coda",
        0x0bd0_0bd0 => "lustre",
        _ => return None,
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn only_file_systems_of_other_machines_are_unsafe() {
        for (kind, name) in [
            (0x6969, Some("nfs")),
            (0xff53_4d42, Some("cifs")),
            (0x6573_5546, Some("fuse")),
            (0xef53, None),
            (0x9123_683e, None),
            (0x5846_5342, None),
            (0x0102_1994, None),
        ] {
            assert_eq!(unsafe_name(kind), name, "{kind:x}");
        }
        assert_eq!(Journal::of(&std::env::temp_dir()), Journal::Wal);
        assert_eq!(Journal::of(Path::new("/no/such/folder")), Journal::Wal);
        assert_eq!(Journal::Rollback("nfs").pragma(), "delete");
    }
}
