//! Contents of files, each in a file named by its hash: the same content is kept once, and
//! what was altered since is not given back. Private to the user, as the session is.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ring::digest::{SHA256, digest};

use crate::transcript::FileState;

/// Larger files are not kept.
pub const MAX_KEPT_BYTES: u64 = 10 * 1024 * 1024;
/// What is said of them.
const TOO_LARGE: &str = "larger than 10 MB";
/// The folder of contents in a session's folder of outputs.
const FOLDER: &str = "files";

/// Where contents are.
#[derive(Debug)]
pub struct Store {
    place: Place,
}

#[derive(Debug)]
enum Place {
    Folder(PathBuf),
    /// For a session without a file: made with the first content, gone with the store.
    Temporary(Mutex<Option<tempfile::TempDir>>),
}

impl Store {
    /// A store in a session's folder of outputs, which need not exist yet.
    pub fn beside(outputs: &Path) -> Self {
        Self {
            place: Place::Folder(outputs.join(FOLDER)),
        }
    }

    /// A store that ends with the program.
    pub fn temporary() -> Self {
        Self {
            place: Place::Temporary(Mutex::default()),
        }
    }

    /// The folder; `make` creates it.
    fn folder(&self, make: bool) -> io::Result<PathBuf> {
        match &self.place {
            Place::Folder(path) => {
                if make {
                    let mut builder = DirBuilder::new();
                    builder.recursive(true);
                    #[cfg(unix)]
                    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
                    builder.create(path)?;
                }
                Ok(path.clone())
            }
            Place::Temporary(folder) => {
                let mut folder = folder.lock().unwrap_or_else(PoisonError::into_inner);
                if folder.is_none() {
                    *folder = Some(tempfile::Builder::new().prefix("plim-").tempdir()?);
                }
                let path = folder.as_ref().map(|it| it.path().to_owned());
                path.ok_or_else(|| io::ErrorKind::NotFound.into())
            }
        }
    }

    /// Keeps a content; answers its hash. It is on disk when this returns.
    ///
    /// # Errors
    ///
    /// It cannot be written; then nothing of it is left.
    pub fn keep(&self, bytes: &[u8]) -> io::Result<String> {
        let hash = hash_of(bytes);
        let folder = self.folder(true)?;
        let path = folder.join(&hash);
        if path.is_file() {
            return Ok(hash);
        }
        // Created 0600 by the crate.
        let mut temporary = tempfile::NamedTempFile::new_in(&folder)?;
        temporary.write_all(bytes)?;
        temporary.as_file().sync_data()?;
        temporary.persist(&path)?;
        Ok(hash)
    }

    /// A content that was kept.
    ///
    /// # Errors
    ///
    /// It is not there, or is not what was kept.
    pub fn get(&self, hash: &str) -> io::Result<Vec<u8>> {
        let is_hash = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hash {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let bytes = std::fs::read(self.folder(false)?.join(hash))?;
        if hash_of(&bytes) == hash {
            Ok(bytes)
        } else {
            Err(io::Error::other("the kept content was altered"))
        }
    }

    /// Whether a content is there.
    pub fn has(&self, hash: &str) -> bool {
        self.get(hash).is_ok()
    }

    /// What is at a path, kept so that it can be put back.
    pub fn state(&self, path: &Path) -> FileState {
        look(path, |bytes| {
            self.keep(bytes)
                .map_err(|error| format!("not kept: {error}"))
        })
    }
}

/// What is at a path; nothing is kept.
pub fn present(path: &Path) -> FileState {
    look(path, |bytes| Ok(hash_of(bytes)))
}

/// The name of a content.
pub fn hash_of(bytes: &[u8]) -> String {
    hex(digest(&SHA256, bytes).as_ref())
}

/// Bytes in hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn look(path: &Path, name: impl FnOnce(&[u8]) -> Result<String, String>) -> FileState {
    let unknown = |why: String| FileState::Unknown { why };
    let metadata = match std::fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if is_nothing(&error) => return FileState::Absent,
        Err(error) => return unknown(error.to_string()),
    };
    if metadata.is_symlink() {
        return match std::fs::read_link(path) {
            Ok(target) => match target.to_str() {
                Some(target) => FileState::Link {
                    target: target.to_owned(),
                },
                None => unknown("a link whose target is no text".to_owned()),
            },
            Err(error) => unknown(error.to_string()),
        };
    }
    if !metadata.is_file() {
        let what = if metadata.is_dir() {
            "a folder"
        } else {
            "a pipe, socket or device"
        };
        return unknown(what.to_owned());
    }
    if metadata.len() > MAX_KEPT_BYTES {
        return unknown(TOO_LARGE.to_owned());
    }
    let mut bytes = Vec::new();
    // It may grow meanwhile.
    let read = open(path).and_then(|file| file.take(MAX_KEPT_BYTES + 1).read_to_end(&mut bytes));
    match read {
        Ok(_) if bytes.len() as u64 > MAX_KEPT_BYTES => unknown(TOO_LARGE.to_owned()),
        Ok(_) => match name(&bytes) {
            Ok(hash) => FileState::Content {
                hash,
                bytes: bytes.len() as u64,
                mode: mode_of(&metadata),
            },
            Err(why) => unknown(why),
        },
        Err(error) => unknown(error.to_string()),
    }
}

fn open(path: &Path) -> io::Result<std::fs::File> {
    OpenOptions::new().read(true).open(path)
}

/// Nothing is there: also where a folder on the way is a file.
fn is_nothing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Permission bits.
pub(super) fn mode_of(metadata: &std::fs::Metadata) -> Option<u32> {
    const PERMISSIONS: u32 = 0o7777;
    #[cfg(unix)]
    let mode = Some(std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & PERMISSIONS);
    #[cfg(not(unix))]
    let mode = None;
    mode
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_are_private_kept_once_and_not_given_back_altered() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::beside(&home.path().join("s.d"));
        let one = store.keep(b"one").unwrap();
        assert_eq!(store.keep(b"one").unwrap(), one);
        let folder = home.path().join("s.d/files");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        assert_eq!(store.get(&one).unwrap(), b"one");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(&folder), 0o700);
            assert_eq!(mode(&folder.join(&one)), 0o600);
        }
        std::fs::write(folder.join(&one), "two").unwrap();
        assert!(store.get(&one).is_err() && !store.has(&one));
        assert!(store.get("../../etc/passwd").is_err());
        assert!(store.get(&hash_of(b"never")).is_err());
    }

    #[test]
    fn states_of_all_that_can_be_at_a_path() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        let store = Store::temporary();
        std::fs::write(at("bytes"), b"a\r\n\0\xff").unwrap();
        let FileState::Content { hash, bytes, mode } = store.state(&at("bytes")) else {
            panic!("no content");
        };
        assert_eq!((bytes, store.get(&hash).unwrap().len()), (5, 5));
        assert_eq!(store.get(&hash).unwrap(), b"a\r\n\0\xff");
        assert_eq!(mode.is_some(), cfg!(unix));
        assert_eq!(store.state(&at("none")), FileState::Absent);
        assert_eq!(store.state(&at("bytes/below")), FileState::Absent);
        let large = std::fs::File::create(at("large")).unwrap();
        large.set_len(MAX_KEPT_BYTES + 1).unwrap();
        let why = |name: &str| match store.state(&at(name)) {
            FileState::Unknown { why } => why,
            other => panic!("{other:?}"),
        };
        assert_eq!(why("large"), TOO_LARGE);
        std::fs::create_dir(at("dir")).unwrap();
        assert_eq!(why("dir"), "a folder");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("bytes", at("link")).unwrap();
            let target = "bytes".to_owned();
            assert_eq!(store.state(&at("link")), FileState::Link { target });
        }
    }

    #[test]
    fn a_store_that_cannot_write_says_so_and_keeps_nothing() {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("s.d"), "a file in the way").unwrap();
        let store = Store::beside(&home.path().join("s.d"));
        std::fs::write(home.path().join("a"), "x").unwrap();
        assert!(store.keep(b"x").is_err());
        let state = store.state(&home.path().join("a"));
        assert!(
            matches!(&state, FileState::Unknown { why } if why.starts_with("not kept")),
            "{state:?}"
        );
    }
}
