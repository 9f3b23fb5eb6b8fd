//! Opens regular files, and only those. A pipe, a device or a socket under a file's name
//! would make the program wait for ever or read without end; it is refused instead.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Opens a file for reading; a link to it is followed.
///
/// # Errors
///
/// It cannot be opened, or it is not a regular file.
pub fn following(path: &Path) -> io::Result<File> {
    let metadata = path.metadata()?;
    with(path, &metadata, OpenOptions::new().read(true), true)
}

/// Opens a file for reading that must not be a link itself.
///
/// # Errors
///
/// It cannot be opened, or it is a link or no regular file.
pub fn unlinked(path: &Path) -> io::Result<File> {
    with_options(path, OpenOptions::new().read(true))
}

/// Opens a file with these options. What is there must be no link and a regular file;
/// where nothing is, the options say whether it is made.
///
/// # Errors
///
/// It cannot be opened, or it is a link or no regular file.
pub fn with_options(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    with_found(path, path.symlink_metadata(), options, false)
}

/// [`with_options`] for a file of the user, who may have put a link there.
///
/// # Errors
///
/// It cannot be opened, or it is not a regular file.
pub fn following_with_options(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    with_found(path, path.metadata(), options, true)
}

fn with_found(
    path: &Path,
    found: io::Result<Metadata>,
    options: &mut OpenOptions,
    follows: bool,
) -> io::Result<File> {
    match found {
        Ok(metadata) => with(path, &metadata, options, follows),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let file = guarded(options, follows).open(path)?;
            check(&file.metadata()?)?;
            Ok(file)
        }
        Err(error) => Err(error),
    }
}

fn with(
    path: &Path,
    metadata: &Metadata,
    options: &mut OpenOptions,
    follows: bool,
) -> io::Result<File> {
    // Before it is opened: opening a device may do something.
    check(metadata)?;
    let file = guarded(options, follows).open(path)?;
    // It may be another one by now.
    check(&file.metadata()?)?;
    Ok(file)
}

/// The content of a file of at most `max` bytes; a link to it is followed.
///
/// # Errors
///
/// It cannot be read, is not a regular file, or is larger.
pub fn read(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    read_all(following(path)?, max)
}

/// [`read`] as text.
///
/// # Errors
///
/// It cannot be read, is not a regular file, is larger, or is no UTF-8.
pub fn read_text(path: &Path, max: u64) -> io::Result<String> {
    String::from_utf8(read(path, max)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
}

/// [`read_text`] of what the user named on the command line, who may mean a pipe.
///
/// # Errors
///
/// It cannot be read, is larger, or is no UTF-8.
pub fn read_typed_text(path: &Path, max: u64) -> io::Result<String> {
    let bytes = read_all(File::open(path)?, max)?;
    String::from_utf8(bytes)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
}

/// The content of a file of at most `max` bytes that must not be a link itself.
///
/// # Errors
///
/// It cannot be read, is a link or no regular file, or is larger.
pub fn read_unlinked(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    read_all(unlinked(path)?, max)
}

/// Reads the rest of an open file, of at most `max` bytes.
pub(super) fn read_all(file: File, max: u64) -> io::Result<Vec<u8>> {
    let too_large = || io::Error::other(format!("it is larger than {max} bytes"));
    if file.metadata()?.len() > max {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // It may grow meanwhile, and some files do not say how long they are.
    file.take(max.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        return Err(too_large());
    }
    Ok(bytes)
}

/// The name for something that is not a regular file; `None` for a regular one.
pub fn kind_of(metadata: &Metadata) -> Option<&'static str> {
    let kind = metadata.file_type();
    if kind.is_file() {
        None
    } else if kind.is_symlink() {
        Some("it is a symbolic link; links are not followed")
    } else if kind.is_dir() {
        Some("it is a folder, not a file")
    } else {
        Some("it is a pipe, a socket or a device, not a file")
    }
}

fn check(metadata: &Metadata) -> io::Result<()> {
    match kind_of(metadata) {
        None => Ok(()),
        Some(what) => Err(io::Error::other(what)),
    }
}

/// A pipe that takes the file's place meanwhile must not hold the program, nor a link lead
/// it elsewhere.
fn guarded(options: &mut OpenOptions, follows: bool) -> &mut OpenOptions {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let mut flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    if !follows {
        flags |= OFlags::NOFOLLOW;
    }
    options.custom_flags(flags.bits() as i32)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn only_regular_files_are_opened_and_nothing_waits() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::write(at("file"), "text").unwrap();
        symlink("file", at("link")).unwrap();
        symlink("loop", at("loop")).unwrap();
        symlink("/dev/zero", at("endless")).unwrap();
        symlink("/proc/self/mem", at("memory")).unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            at("pipe"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
            0,
        )
        .unwrap();
        assert_eq!(read(&at("file"), 4).unwrap(), b"text");
        assert_eq!(read(&at("link"), 4).unwrap(), b"text");
        assert_eq!(read_unlinked(&at("file"), 4).unwrap(), b"text");
        for (name, words) in [
            ("pipe", "a pipe"),
            ("folder", "a folder"),
            ("endless", "device"),
            ("loop", ""),
        ] {
            let error = read(&at(name), 4).unwrap_err().to_string();
            assert!(error.contains(words), "{name}: {error}");
        }
        for name in ["link", "endless", "loop"] {
            let error = unlinked(&at(name)).unwrap_err().to_string();
            assert!(error.contains("links are not followed"), "{name}: {error}");
        }
        let larger = read(&at("file"), 3).unwrap_err().to_string();
        assert!(larger.contains("larger than 3 bytes"), "{larger}");
        // A file of the kernel has no length, and is bounded all the same.
        assert!(read(Path::new("/proc/self/environ"), 0).is_err());
    }

    #[test]
    fn nothing_is_written_through_a_link_or_into_a_pipe() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::write(at("file"), "text").unwrap();
        symlink("file", at("link")).unwrap();
        symlink("missing", at("dangling")).unwrap();
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        for name in ["link", "dangling"] {
            assert!(with_options(&at(name), &mut options).is_err(), "{name}");
        }
        assert!(!at("missing").exists());
        let mut new = with_options(&at("new"), &mut options).unwrap();
        new.write_all(b"x").unwrap();
        assert_eq!(std::fs::read(at("new")).unwrap(), b"x");
    }
}
