//! Folders and files that only their owner may read: sessions hold source code, command
//! output and what people typed. On systems without permission bits the defaults apply.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// Creates a folder and its missing parents, 0700.
pub(super) fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Lets only the owner into a folder that is there already.
pub(super) fn keep_out_others(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700))?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// Options that create files 0600.
pub(super) fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// A new file for writing; fails when something of that name is there.
pub(super) fn create_new(path: &Path) -> io::Result<File> {
    options().write(true).create_new(true).open(path)
}

/// Replaces a file as a whole: a reader sees the old or the new text, never a mixture.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    // Created 0600 by the crate.
    let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
    io::Write::write_all(&mut temporary, bytes)?;
    temporary.persist(path)?;
    Ok(())
}

/// Whether `path` leads to this open file.
#[cfg(unix)]
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), path.metadata()) {
        (Ok(ours), Ok(there)) => ours.dev() == there.dev() && ours.ino() == there.ino(),
        _ => false,
    }
}

/// Elsewhere an open file cannot be removed.
#[cfg(not(unix))]
pub(super) fn is_at(_file: &File, _path: &Path) -> bool {
    true
}
