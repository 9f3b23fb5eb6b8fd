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

/// Permissions of a new folder; the process's mask applies.
const NEW_FOLDER_MODE: u32 = 0o777;

/// Names that are tried for a temporary file: others are left over from a killed program.
const MAX_NAMES: usize = 100;

/// Opens a folder to work in. On Linux the right to list it is not needed.
#[cfg(any(target_os = "linux", target_os = "android"))]
const REACH: OFlags = OFlags::PATH;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const REACH: OFlags = OFlags::RDONLY;

/// A folder, by what it is and not by its path.
#[derive(Debug)]
pub struct OpenFolder(OwnedFd);

/// Why a folder cannot be reached.
#[derive(Debug)]
pub enum ReachError {
    /// There is a link on the way.
    Link,
    /// Anything else.
    Io(io::Error),
}

/// A file that is removed again unless it gets its name.
#[derive(Debug)]
pub struct TemporaryFile<'a> {
    folder: &'a OpenFolder,
    name: String,
    /// Open for writing.
    pub file: File,
    has_moved: bool,
}

impl OpenFolder {
    /// Opens a folder that is there, wherever links on its way lead.
    ///
    /// # Errors
    ///
    /// It is not there, or is not a folder.
    pub fn following(path: &Path) -> io::Result<Self> {
        let flags = REACH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self(rustix::fs::openat(CWD, path, flags, Mode::empty())?))
    }

    /// Reaches an absolute path that has no links in it, and makes the folders that are
    /// missing.
    ///
    /// # Errors
    ///
    /// A link is on the way, or a folder cannot be opened or made.
    pub fn reach(path: &Path) -> Result<Self, ReachError> {
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

    /// A new file beside the others, with these permission bits; the process's mask applies.
    ///
    /// # Errors
    ///
    /// It cannot be made.
    pub fn temporary_file(&self, mode: u32) -> io::Result<TemporaryFile<'_>> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
        for _ in 0..MAX_NAMES {
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let name = format!(".plim-{}-{number}.tmp", std::process::id());
            match rustix::fs::openat(&self.0, &name, flags, Mode::from(mode)) {
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

    /// The known state of the file with this name.
    ///
    /// # Errors
    ///
    /// It cannot be opened, or is a link.
    pub fn metadata(&self, name: &Path) -> io::Result<std::fs::Metadata> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&self.0, name, flags, Mode::empty())?;
        File::from(file).metadata()
    }
}

impl TemporaryFile<'_> {
    /// Takes the place of the file with this name.
    ///
    /// # Errors
    ///
    /// It cannot be moved there; then it is removed.
    pub fn replace(mut self, name: &Path) -> io::Result<()> {
        rustix::fs::renameat(&self.folder.0, &self.name, &self.folder.0, name)?;
        self.has_moved = true;
        Ok(())
    }

    /// Gets this name, which nothing may have yet.
    ///
    /// # Errors
    ///
    /// Something has it, or it cannot be moved there; then it is removed.
    pub fn create(mut self, name: &Path) -> io::Result<()> {
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

    use super::*;

    /// Permissions as other programs give them to new files.
    const MODE: u32 = 0o666;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    /// A folder without links in its path, with a folder `other`.
    fn home() -> (tempfile::TempDir, std::path::PathBuf) {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().canonicalize().unwrap();
        std::fs::create_dir(path.join("other")).unwrap();
        (home, path)
    }

    #[test]
    fn a_link_anywhere_on_the_way_is_not_followed() {
        let (_home, at) = home();
        symlink(at.join("other"), at.join("link")).unwrap();
        for path in ["link", "link/new/deep"] {
            let reached = OpenFolder::reach(&at.join(path));
            assert!(matches!(reached, Err(ReachError::Link)), "{path}");
        }
        std::fs::write(at.join("file"), "").unwrap();
        let reached = OpenFolder::reach(&at.join("file/x"));
        assert!(matches!(reached, Err(ReachError::Io(_))));
        assert!(names(&at.join("other")).is_empty());
    }

    #[test]
    fn a_folder_stays_the_one_that_was_reached_when_a_link_takes_its_name() {
        let (_home, at) = home();
        let other = at.join("other");
        let folder = OpenFolder::reach(&at.join("dir/new")).unwrap();
        std::fs::rename(at.join("dir"), at.join("moved")).unwrap();
        symlink(&other, at.join("dir")).unwrap();
        let mut file = folder.temporary_file(MODE).unwrap();
        file.file.write_all(b"x").unwrap();
        file.create(Path::new("a")).unwrap();
        assert!(names(&other).is_empty());
        let moved = at.join("moved/new");
        assert_eq!(names(&moved), ["a"]);
        let second = folder.temporary_file(MODE).unwrap();
        second.create(Path::new("a")).unwrap_err();
        drop(folder.temporary_file(MODE).unwrap());
        assert_eq!(names(&moved), ["a"], "no temporary file is left");
        symlink(&other, moved.join("b")).unwrap();
        folder.metadata(Path::new("b")).unwrap_err();
        let third = folder.temporary_file(MODE).unwrap();
        third.replace(Path::new("a")).unwrap();
        assert_eq!(std::fs::read(moved.join("a")).unwrap(), b"");
    }
}
