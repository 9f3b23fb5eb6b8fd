//! The one way in which a file is written whole: a temporary file beside it gets its name.
//! A reader sees the old or the new content, never a mixture, and after a failure what was
//! there is there.
//!
//! Paths are followed as the system does. A caller that has checked a path before, and must
//! not be led elsewhere since, takes an [`OpenFolder`] instead, which this is made of.

use std::fs::Permissions;
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::open_folder::{OpenFolder, TemporaryFile};
use super::private;

/// Permission bits of a file that only its owner may use.
const PRIVATE_MODE: u32 = 0o600;

/// How a file is written. The default: only its owner may read it, and the system decides
/// when it reaches the disk.
#[derive(Clone, Debug, Default)]
pub struct WholeFile {
    permissions: Option<Permissions>,
    is_durable: bool,
}

impl WholeFile {
    /// A file that is on disk when it gets its name: it is there after a power cut.
    pub fn durable() -> Self {
        Self {
            permissions: None,
            is_durable: true,
        }
    }

    /// Gives the file these permissions, whatever umask the program was started with;
    /// `None` leaves it to its owner alone.
    #[must_use]
    pub fn with_permissions(mut self, permissions: Option<Permissions>) -> Self {
        self.permissions = permissions;
        self
    }

    /// Gives the file these permission bits.
    #[must_use]
    pub fn with_mode(self, mode: Option<u32>) -> Self {
        self.with_permissions(mode.map(Permissions::from_mode))
    }

    /// Writes a file, over what has its name. Its folder must be there.
    ///
    /// # Errors
    ///
    /// It cannot be written; what was there is unchanged.
    pub fn replace(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let place = FilePlace::of(path)?;
        let folder = OpenFolder::following(&place.folder)?;
        self.fill(&folder, bytes)?.replace(&place.name)
    }

    /// Writes a file that must not exist yet. Its folder must be there.
    ///
    /// # Errors
    ///
    /// Something has its name, or it cannot be written; then no part of it is left.
    pub fn create(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let place = FilePlace::of(path)?;
        let folder = OpenFolder::following(&place.folder)?;
        match self.fill(&folder, bytes)?.create(&place.name) {
            Err(error) if path.symlink_metadata().is_ok() => Err(error),
            // Not every file system can do that in one step.
            Err(_) => self.create_in_two_steps(path, bytes),
            Ok(()) => Ok(()),
        }
    }

    /// A temporary file in the folder that holds `bytes` and has its final permissions.
    fn fill<'a>(&self, folder: &'a OpenFolder, bytes: &[u8]) -> io::Result<TemporaryFile<'a>> {
        let mut temporary = folder.temporary_file(PRIVATE_MODE)?;
        temporary.file.write_all(bytes)?;
        if let Some(permissions) = &self.permissions {
            temporary.file.set_permissions(permissions.clone())?;
        }
        if self.is_durable {
            temporary.file.sync_all()?;
        }
        Ok(temporary)
    }

    /// Makes the file empty and fills it; takes the first step back when the second fails.
    fn create_in_two_steps(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = private::create_new(path)?;
        let written = file.write_all(bytes).and_then(|()| {
            if let Some(permissions) = &self.permissions {
                file.set_permissions(permissions.clone())?;
            }
            if self.is_durable {
                file.sync_all()
            } else {
                Ok(())
            }
        });
        written.inspect_err(|_| {
            let _ = std::fs::remove_file(path);
        })
    }
}

/// A path in two parts.
struct FilePlace {
    folder: PathBuf,
    name: PathBuf,
}

impl FilePlace {
    fn of(path: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
        Ok(Self {
            folder: folder.unwrap_or(Path::new(".")).to_owned(),
            name: PathBuf::from(name),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_replaced_file_is_private_unless_permissions_are_given() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        WholeFile::default().replace(&path, b"one").unwrap();
        assert_eq!(
            (std::fs::read(&path).unwrap(), mode(&path)),
            (b"one".to_vec(), 0o600)
        );
        let readable = WholeFile::durable().with_mode(Some(0o644));
        readable.replace(&path, b"two").unwrap();
        assert_eq!(
            (std::fs::read(&path).unwrap(), mode(&path)),
            (b"two".to_vec(), 0o644)
        );
        assert_eq!(names(folder.path()), ["a"], "no temporary file is left");
    }

    #[test]
    fn a_new_file_does_not_take_the_place_of_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        WholeFile::durable().create(&path, b"one").unwrap();
        let error = WholeFile::durable().create(&path, b"two").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read(&path).unwrap(), b"one");
        assert_eq!(names(folder.path()), ["a"], "no temporary file is left");
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("a")).unwrap();
        WholeFile::default()
            .replace(&folder.path().join("a"), b"x")
            .unwrap_err();
        WholeFile::default()
            .replace(&folder.path().join("none/a"), b"x")
            .unwrap_err();
        assert_eq!(names(folder.path()), ["a"]);
        WholeFile::default()
            .replace(Path::new("/"), b"x")
            .unwrap_err();
    }
}
