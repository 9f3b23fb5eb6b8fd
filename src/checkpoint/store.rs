//! Contents of files, each in a file named by its hash: the same content is kept once,
//! compressed where that helps, and what was altered since is not given back. Private to
//! the user, as the session is, and bounded: what no longer fits is not kept, and said.

use std::fs::Metadata;
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use ring::digest::{SHA256, digest};

use crate::disk::replace::WholeFile;
use crate::disk::{open, private};
use crate::transcript::FileState;

/// Bytes of a megabyte, as settings count.
pub const MEGABYTE: u64 = 1024 * 1024;
/// Larger files are not kept.
pub(super) const MAX_KEPT_BYTES: u64 = 10 * MEGABYTE;
/// The reason given for files that are too large.
const TOO_LARGE: &str = "larger than 10 MB";
/// The folder of contents in a session's folder of outputs.
const FOLDER: &str = "files";
/// The extension of a compressed content.
const PACKED: &str = ".z";
/// Shorter contents take a block of the disk either way.
const MIN_PACKED_BYTES: usize = 4 * 1024;

/// Where contents are.
#[derive(Debug)]
pub struct ContentStore {
    place: StoreFolder,
    /// All contents together take no more than this on disk.
    max_bytes: AtomicU64,
    /// Bytes held; not known before the first is kept.
    held: Mutex<Option<u64>>,
}

#[derive(Debug)]
enum StoreFolder {
    Folder(PathBuf),
    /// For a session without a file: made with the first content, gone with the store.
    Temporary(Mutex<Option<tempfile::TempDir>>),
}

impl ContentStore {
    /// A store in a session's folder of outputs, which need not exist yet. It takes no
    /// more than `max_bytes` on disk.
    pub fn beside(outputs: &Path, max_bytes: u64) -> Self {
        Self {
            place: StoreFolder::Folder(outputs.join(FOLDER)),
            max_bytes: AtomicU64::new(max_bytes),
            held: Mutex::default(),
        }
    }

    /// A store that ends with the program.
    pub fn temporary(max_bytes: u64) -> Self {
        Self {
            place: StoreFolder::Temporary(Mutex::default()),
            max_bytes: AtomicU64::new(max_bytes),
            held: Mutex::default(),
        }
    }

    /// Takes no more than this on disk from now on. What is kept already stays.
    pub fn set_room(&self, max_bytes: u64) {
        self.max_bytes.store(max_bytes, Ordering::Relaxed);
    }

    /// The folder; `make` creates it.
    fn folder(&self, make: bool) -> io::Result<PathBuf> {
        match &self.place {
            StoreFolder::Folder(path) => {
                // They may have come with the session from elsewhere.
                for folder in path.parent().into_iter().chain([path.as_path()]) {
                    private::check_folder(folder)?;
                }
                if make {
                    private::create_folder(path)?;
                }
                Ok(path.clone())
            }
            StoreFolder::Temporary(folder) => {
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
    /// It cannot be written, or there is no room left for it; then nothing of it is left.
    pub fn keep(&self, bytes: &[u8]) -> io::Result<String> {
        let hash = hash_of(bytes);
        let folder = self.folder(true)?;
        let (plain, packed) = (folder.join(&hash), folder.join(format!("{hash}{PACKED}")));
        if plain.is_file() || packed.is_file() {
            return Ok(hash);
        }
        let smaller = packed_form(bytes);
        let (path, content) = match &smaller {
            Some(smaller) => (packed, smaller.as_slice()),
            None => (plain, bytes),
        };
        let mut held = self.held(&folder)?;
        let sum = held.unwrap_or(0) + content.len() as u64;
        let max_bytes = self.max_bytes.load(Ordering::Relaxed);
        if sum > max_bytes {
            let room = max_bytes / MEGABYTE;
            return Err(io::Error::other(format!(
                "the limit of {room} MB is reached (tools.checkpoint_mb)"
            )));
        }
        WholeFile::durable().replace(&path, content)?;
        *held = Some(sum);
        Ok(hash)
    }

    /// The bytes that all contents take, counted the first time.
    fn held(&self, folder: &Path) -> io::Result<MutexGuard<'_, Option<u64>>> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.is_none() {
            let mut sum = 0;
            for entry in std::fs::read_dir(folder)? {
                sum += entry?.metadata().map_or(0, |it| it.len());
            }
            *held = Some(sum);
        }
        Ok(held)
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
        let folder = self.folder(false)?;
        let kept = |name: &str| open::read_unlinked(&folder.join(name), MAX_KEPT_BYTES);
        let bytes = match kept(&format!("{hash}{PACKED}")) {
            Ok(packed) => unpacked(&packed)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => kept(hash)?,
            Err(error) => return Err(error),
        };
        if hash_of(&bytes) == hash {
            Ok(bytes)
        } else {
            Err(io::Error::other("the stored content was altered"))
        }
    }

    /// Whether a content is there.
    pub fn has(&self, hash: &str) -> bool {
        self.get(hash).is_ok()
    }

    /// The state at a path, kept so that it can be restored.
    pub fn state(&self, path: &Path) -> FileState {
        look(path, |bytes| {
            self.keep(bytes)
                .map_err(|error| format!("not kept: {error}"))
        })
    }
}

/// A content in less room; `None` where that does not help.
fn packed_form(bytes: &[u8]) -> Option<Vec<u8>> {
    if bytes.len() < MIN_PACKED_BYTES {
        return None;
    }
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).ok()?;
    let packed = encoder.finish().ok()?;
    (packed.len() < bytes.len() / 10 * 9).then_some(packed)
}

fn unpacked(packed: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let decoder = DeflateDecoder::new(packed);
    // No longer than anything that is kept, whatever was put there.
    decoder.take(MAX_KEPT_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The state at a path; nothing is kept.
pub(super) fn present(path: &Path) -> FileState {
    look(path, |bytes| Ok(hash_of(bytes)))
}

/// The name of a content.
pub(super) fn hash_of(bytes: &[u8]) -> String {
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
                None => unknown("a link with a target that is not text".to_owned()),
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
    let read =
        open::unlinked(path).and_then(|file| file.take(MAX_KEPT_BYTES + 1).read_to_end(&mut bytes));
    match read {
        Ok(_) if bytes.len() as u64 > MAX_KEPT_BYTES => unknown(TOO_LARGE.to_owned()),
        Ok(_) => match name(&bytes) {
            Ok(hash) => FileState::Content {
                hash,
                bytes: bytes.len() as u64,
                mode: Some(mode_of(&metadata)),
            },
            Err(why) => unknown(why),
        },
        Err(error) => unknown(error.to_string()),
    }
}

/// Nothing is there: also where a folder on the way is a file.
fn is_nothing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Permission bits.
pub(super) fn mode_of(metadata: &Metadata) -> u32 {
    const PERMISSIONS: u32 = 0o7777;
    metadata.permissions().mode() & PERMISSIONS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_are_private_kept_once_and_not_given_back_altered() {
        let home = tempfile::tempdir().unwrap();
        let store = ContentStore::beside(&home.path().join("s.d"), MEGABYTE);
        let one = store.keep(b"one").unwrap();
        assert_eq!(store.keep(b"one").unwrap(), one);
        let folder = home.path().join("s.d/files");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        assert_eq!(store.get(&one).unwrap(), b"one");
        {
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
    fn contents_take_less_room_and_no_more_than_there_is() {
        let home = tempfile::tempdir().unwrap();
        let store = || ContentStore::beside(&home.path().join("s.d"), MEGABYTE);
        let text = "fn main() { println!(\"hello\"); }\n".repeat(20_000);
        let versions: Vec<String> = (0..5).map(|n| format!("// {n}\n{text}")).collect();
        let first = store();
        let hashes: Vec<String> = versions
            .iter()
            .map(|it| first.keep(it.as_bytes()).unwrap())
            .collect();
        for (hash, text) in hashes.iter().zip(&versions) {
            assert_eq!(first.get(hash).unwrap(), text.as_bytes());
        }
        // What does not shrink, in a run of the program that has not counted yet.
        let noise = |seed: u32| -> Vec<u8> {
            let next = |state: &mut u32| {
                *state ^= *state << 13;
                *state ^= *state >> 17;
                *state ^= *state << 5;
                Some(state.to_le_bytes()[0])
            };
            std::iter::successors(Some(seed), |_| Some(seed))
                .scan(seed, |state, _| next(state))
                .take(600 * 1024)
                .collect()
        };
        let second = store();
        let kept = second.keep(&noise(7)).unwrap();
        assert_eq!(second.get(&kept).unwrap(), noise(7));
        let error = second.keep(&noise(9)).unwrap_err();
        assert!(error.to_string().contains("1 MB"), "{error}");
        assert_eq!(second.keep(&noise(7)).unwrap(), kept, "it is there already");
        let broken = home.path().join(format!("s.d/files/{}.z", hashes[0]));
        std::fs::write(broken, "no stream").unwrap();
        assert!(second.get(&hashes[0]).is_err());
    }

    #[test]
    fn states_of_all_that_can_be_at_a_path() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        let store = ContentStore::temporary(MEGABYTE);
        std::fs::write(at("bytes"), b"a\r\n\0\xff").unwrap();
        let FileState::Content { hash, bytes, mode } = store.state(&at("bytes")) else {
            panic!("no content");
        };
        assert_eq!((bytes, store.get(&hash).unwrap().len()), (5, 5));
        assert_eq!(store.get(&hash).unwrap(), b"a\r\n\0\xff");
        assert!(mode.is_some());
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
        let store = ContentStore::beside(&home.path().join("s.d"), MEGABYTE);
        std::fs::write(home.path().join("a"), "x").unwrap();
        assert!(store.keep(b"x").is_err());
        let state = store.state(&home.path().join("a"));
        assert!(
            matches!(&state, FileState::Unknown { why } if why.starts_with("not kept")),
            "{state:?}"
        );
    }
}
