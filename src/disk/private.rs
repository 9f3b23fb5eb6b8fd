//! Folders and files that only their owner may read: what the program keeps holds source
//! code, command output and what people typed.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use super::open;
use super::replace::WholeFile;

/// Creates a folder and its missing parents, 0700.
///
/// # Errors
///
/// It cannot be created.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    builder.mode(0o700);
    builder.create(path)
}

/// Creates the folder that a file lies in.
///
/// # Errors
///
/// It cannot be created.
pub fn create_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), create_folder)
}

/// [`create_folder`] for a folder that lies beside a session: it may have come with the
/// session from elsewhere, and then must be no link.
///
/// # Errors
///
/// It cannot be created, or is a link or a file.
pub fn create_unlinked_folder(path: &Path) -> io::Result<()> {
    check_folder(path)?;
    create_folder(path)?;
    check_folder(path)
}

/// Whether a folder is one, and not a link to one; where nothing is, nothing is wrong.
///
/// # Errors
///
/// It is a link or a file.
pub fn check_folder(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(metadata) => {
            let what = open::kind_of(&metadata).unwrap_or("it is a file, not a folder");
            let name = path.display();
            Err(io::Error::other(format!("{name} is not used: {what}")))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Lets only the owner into a folder that is there already.
///
/// # Errors
///
/// The folder belongs to somebody else.
pub fn keep_out_others(path: &Path) -> io::Result<()> {
    fs::set_permissions(path, Permissions::from_mode(0o700))
}

/// Whether `path` leads to this open file.
pub fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), path.metadata()) {
        (Ok(ours), Ok(there)) => ours.dev() == there.dev() && ours.ino() == there.ino(),
        _ => false,
    }
}

/// Options that create files 0600.
pub fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

/// A new file for writing; fails when something of that name is there.
///
/// # Errors
///
/// It is there, or cannot be created.
pub fn create_new(path: &Path) -> io::Result<File> {
    options().write(true).create_new(true).open(path)
}

/// A file of the user to write at the end of, made with its folder when it is missing.
///
/// # Errors
///
/// It cannot be opened, or is not a regular file.
pub fn append(path: &Path) -> io::Result<File> {
    create_parent(path)?;
    open::following_with_options(path, options().create(true).append(true))
}

/// A file beside a session to write at the end of, made when it is missing.
///
/// # Errors
///
/// It cannot be opened, or is a link or no regular file.
pub fn append_unlinked(path: &Path) -> io::Result<File> {
    open::with_options(path, options().create(true).append(true))
}

/// Replaces a file as a whole: a reader sees the old or the new text, never a mixture. The
/// folder is made when it is missing.
///
/// # Errors
///
/// It cannot be written; then what was there is there.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    create_parent(path)?;
    WholeFile::default().replace(path, bytes)
}

/// Takes the rights on a file from everybody but its owner. Answers the permission bits
/// that it had, when others had any.
///
/// # Errors
///
/// Others may read or write it, and that could not be changed.
pub fn close_to_others(path: &Path) -> io::Result<Option<u32>> {
    const OTHERS: u32 = 0o077;
    let metadata = match path.metadata() {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mode = metadata.permissions().mode() & 0o777;
    if mode & OTHERS == 0 {
        return Ok(None);
    }
    fs::set_permissions(path, Permissions::from_mode(mode & !OTHERS))?;
    // Some file systems have no rights, and say that it was done.
    if path.metadata()?.permissions().mode() & OTHERS == 0 {
        Ok(Some(mode))
    } else {
        Err(io::Error::other("its file system stores no permissions"))
    }
}
