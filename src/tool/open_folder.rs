//! A folder that is reached without following a link and then stays the one that was reached,
//! whatever becomes of the names on the way: a file lands where its path was checked, or
//! nowhere.

use std::fs::File;
use std::io;
use std::path::{Component, Path};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use super::FileStamp;

/// Permissions of a new file and a new folder; the process's mask applies.
const NEW_FILE_MODE: u32 = 0o666;
const NEW_FOLDER_MODE: u32 = 0o777;

/// Names that are tried for a temporary file: others are left over from a killed program.
const MAX_NAMES: usize = 100;

/// Opens a folder to work in. On Linux the right to list it is not needed.
#[cfg(any(target_os = "linux", target_os = "android"))]
const REACH: OFlags = OFlags::PATH;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const REACH: OFlags = OFlags::RDONLY;

/// A folder.
pub(super) struct OpenFolder(OwnedFd);

/// Why a folder cannot be reached.
#[derive(Debug)]
pub(super) enum ReachError {
    /// There is a link on the way, where none was when the path was resolved.
    Link,
    /// Anything else.
    Io(io::Error),
}

/// A file that is gone again unless it gets its name.
pub(super) struct TemporaryFile<'a> {
    folder: &'a OpenFolder,
    name: String,
    /// Open for writing.
    pub(super) file: File,
    has_moved: bool,
}

impl OpenFolder {
    /// Reaches an absolute path that has no links in it, and makes the folders that are
    /// missing.
    pub(super) fn reach(path: &Path) -> Result<Self, ReachError> {
        let flags = REACH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut folder = rustix::fs::openat(CWD, "/", flags, Mode::empty())?;
        for part in path.components() {
            let Component::Normal(name) = part else {
                continue;
            };
            let next = match rustix::fs::openat(&folder, name, flags, Mode::empty()) {
                Err(Errno::NOENT) => {
                    match rustix::fs::mkdirat(&folder, name, Mode::from(NEW_FOLDER_MODE)) {
                        Ok(()) | Err(Errno::EXIST) => {}
                        Err(error) => return Err(error.into()),
                    }
                    rustix::fs::openat(&folder, name, flags, Mode::empty())
                }
                other => other,
            };
            folder = next.map_err(|error| {
                let found = rustix::fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW);
                let is_link =
                    found.is_ok_and(|it| FileType::from_raw_mode(it.st_mode) == FileType::Symlink);
                if is_link {
                    ReachError::Link
                } else {
                    error.into()
                }
            })?;
        }
        Ok(Self(folder))
    }

    /// A new file beside the others.
    pub(super) fn temporary_file(&self) -> io::Result<TemporaryFile<'_>> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
        for _ in 0..MAX_NAMES {
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let name = format!(".plim-{}-{number}.tmp", std::process::id());
            match rustix::fs::openat(&self.0, &name, flags, Mode::from(NEW_FILE_MODE)) {
                Ok(file) => {
                    return Ok(TemporaryFile {
                        folder: self,
                        name,
                        file: File::from(file),
                        has_moved: false,
                    });
                }
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// The file with this name, when it is no link.
    pub(super) fn metadata(&self, name: &Path) -> io::Result<std::fs::Metadata> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&self.0, name, flags, Mode::empty())?;
        File::from(file).metadata()
    }

    /// Its state; `None` when it is gone, or a link by now.
    pub(super) fn stamp(&self, name: &Path) -> Option<FileStamp> {
        FileStamp::of_metadata(&self.metadata(name).ok()?).ok()
    }
}

impl TemporaryFile<'_> {
    /// Takes the place of the file with this name.
    pub(super) fn replace(mut self, name: &Path) -> io::Result<()> {
        rustix::fs::renameat(&self.folder.0, &self.name, &self.folder.0, name)?;
        self.has_moved = true;
        Ok(())
    }

    /// Gets this name, which nothing may have yet.
    pub(super) fn create(mut self, name: &Path) -> io::Result<()> {
        let folder = &self.folder.0;
        let flags = RenameFlags::NOREPLACE;
        match rustix::fs::renameat_with(folder, &self.name, folder, name, flags) {
            Ok(()) => {
                self.has_moved = true;
                Ok(())
            }
            // Not every file system can do that at once.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                rustix::fs::linkat(folder, &self.name, folder, name, AtFlags::empty())?;
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }
}

impl Drop for TemporaryFile<'_> {
    fn drop(&mut self) {
        if !self.has_moved {
            let _ = rustix::fs::unlinkat(&self.folder.0, &self.name, AtFlags::empty());
        }
    }
}

impl From<Errno> for ReachError {
    fn from(error: Errno) -> Self {
        Self::Io(error.into())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::unix::fs::symlink;

    use super::super::test_scope::{TestScope, names};
    use super::*;

    #[test]
    fn a_link_anywhere_on_the_way_is_not_followed() {
        let t = TestScope::new();
        std::fs::create_dir(t.root().join("other")).unwrap();
        symlink(t.root().join("other"), t.path("link")).unwrap();
        for path in ["link", "link/new/deep"] {
            let reached = OpenFolder::reach(&t.path(path));
            assert!(matches!(reached, Err(ReachError::Link)), "{path}");
        }
        t.write("file", "");
        let reached = OpenFolder::reach(&t.path("file/x"));
        assert!(matches!(reached, Err(ReachError::Io(_))));
        assert!(names(&t.root().join("other")).is_empty());
    }

    #[test]
    fn a_folder_stays_the_one_that_was_reached_when_a_link_takes_its_name() {
        let t = TestScope::new();
        let other = t.root().join("other");
        std::fs::create_dir(&other).unwrap();
        let folder = OpenFolder::reach(&t.path("dir/new")).unwrap();
        std::fs::rename(t.path("dir"), t.path("moved")).unwrap();
        symlink(&other, t.path("dir")).unwrap();
        let mut file = folder.temporary_file().unwrap();
        file.file.write_all(b"x").unwrap();
        file.create(Path::new("a")).unwrap();
        assert!(names(&other).is_empty());
        assert_eq!(names(&t.path("moved/new")), ["a"]);
        folder
            .temporary_file()
            .unwrap()
            .create(Path::new("a"))
            .unwrap_err();
        drop(folder.temporary_file().unwrap());
        assert_eq!(
            names(&t.path("moved/new")),
            ["a"],
            "no temporary file is left"
        );
        symlink(&other, t.path("moved/new/b")).unwrap();
        assert_eq!(folder.stamp(Path::new("b")), None);
        folder
            .temporary_file()
            .unwrap()
            .replace(Path::new("a"))
            .unwrap();
        assert_eq!(t.content("moved/new/a"), "");
    }
}
