//! Former contents of files from version control: a copy of its index says which content a
//! file with this size and time had. Read before a command runs, as the command may change it.
//!
//! The index is parsed here, in about sixty lines: `gix-index` reads more formats, but brings
//! 31 crates and a new version every month, and only names, times and hashes are needed; the
//! contents come from git itself.
//!
//! Nothing of a repository's configuration is run and nothing is fetched. What is in
//! doubt, e.g. a file written in the same instant as the index, is not answered.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::stamp::StatStamp;
use super::store::hex;
use crate::disk::open;

/// A larger index belongs to a tree that is not looked at anyway.
const MAX_INDEX_BYTES: u64 = 32 * 1024 * 1024;
/// A file that says where the repository is has one line.
const MAX_POINTER_BYTES: u64 = 64 * 1024;
/// Bytes of an entry before its hash: ten numbers of four bytes.
const STAT_BYTES: usize = 40;
/// Bytes of a SHA-1.
const HASH_BYTES: usize = 20;

/// A repository's index at a moment.
#[derive(Debug)]
pub(super) struct GitIndex {
    /// The working tree.
    top: PathBuf,
    git_dir: PathBuf,
    bytes: Vec<u8>,
    written: SystemTime,
}

/// The entry of a file in the index.
#[derive(Clone, Debug, PartialEq, Eq)]
struct GitEntry {
    modified: SystemTime,
    bytes: u32,
    hash: String,
}

impl GitIndex {
    /// The index of the repository that a folder lies in.
    pub(super) fn around(folder: &Path) -> Option<Self> {
        let (top, git_dir) = folder.ancestors().find_map(|top| {
            let dot = top.join(".git");
            if dot.is_dir() {
                return Some((top.to_owned(), dot));
            }
            // A working tree beside the repository's own.
            let text = open::read_text(&dot, MAX_POINTER_BYTES).ok()?;
            let dir = text.strip_prefix("gitdir:")?.trim();
            Some((top.to_owned(), top.join(dir)))
        })?;
        let path = git_dir.join("index");
        let metadata = path.metadata().ok()?;
        Some(Self {
            bytes: open::read(&path, MAX_INDEX_BYTES).ok()?,
            written: metadata.modified().ok()?,
            top,
            git_dir,
        })
    }

    /// The contents that these files had, of those that are known for sure.
    pub(super) fn contents(&self, wanted: &[(PathBuf, StatStamp)]) -> HashMap<PathBuf, Vec<u8>> {
        let Some(recorded) = entries(&self.bytes) else {
            return HashMap::new();
        };
        let known: Vec<(&PathBuf, &StatStamp, &GitEntry)> = wanted
            .iter()
            .filter_map(|(path, stamp)| {
                let name = path.strip_prefix(&self.top).ok()?.to_str()?;
                let recorded = recorded.get(name.as_bytes())?;
                let is_it = stamp.modified == Some(recorded.modified)
                    && u64::from(recorded.bytes) == stamp.bytes
                    && recorded.modified < self.written;
                is_it.then_some((path, stamp, recorded))
            })
            .collect();
        let hashes: Vec<&str> = known.iter().map(|(_, _, it)| it.hash.as_str()).collect();
        let Some(contents) = self.objects(&hashes) else {
            return HashMap::new();
        };
        known
            .into_iter()
            .zip(contents)
            .filter_map(|((path, stamp, _), content)| {
                // Where contents are converted on the way, it is not what was in the file.
                let content = content.filter(|it| it.len() as u64 == stamp.bytes)?;
                Some((path.clone(), content))
            })
            .collect()
    }

    /// Objects by their hashes, in that order.
    fn objects(&self, hashes: &[&str]) -> Option<Vec<Option<Vec<u8>>>> {
        if hashes.is_empty() {
            return None;
        }
        let mut child = Command::new("git")
            .arg("--git-dir")
            .arg(&self.git_dir)
            .args(["-c", "core.fsmonitor=false", "cat-file", "--batch"])
            .env("GIT_OPTIONAL_LOCKS", "0")
            // What is missing is not fetched: a repository says which program does that.
            // Older versions know only the second way to forbid it.
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_ALLOW_PROTOCOL", "none")
            .env_remove("GIT_INDEX_FILE")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut questions = child.stdin.take()?;
        let text = hashes.join("\n") + "\n";
        // Beside reading: neither end may wait for the other with a full pipe.
        let asking = std::thread::spawn(move || questions.write_all(text.as_bytes()));
        let output = child.wait_with_output().ok()?;
        let _ = asking.join();
        let mut rest = output.stdout.as_slice();
        Some(hashes.iter().map(|_| object(&mut rest)).collect())
    }
}

/// The next object of a batch; `None` when it is missing.
fn object(rest: &mut &[u8]) -> Option<Vec<u8>> {
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let (head, body) = rest.split_at(end);
    *rest = body.get(1..)?;
    let head = std::str::from_utf8(head).ok()?;
    let length: usize = head.split_once(" blob ")?.1.parse().ok()?;
    let content = rest.get(..length)?.to_vec();
    *rest = rest.get(length + 1..)?;
    Some(content)
}

/// Files of an index by name; `None` for a form that is not understood.
fn entries(bytes: &[u8]) -> Option<HashMap<Vec<u8>, GitEntry>> {
    let number = |at: usize| -> Option<u32> {
        let word = bytes.get(at..at.checked_add(4)?)?;
        Some(u32::from_be_bytes(word.try_into().ok()?))
    };
    if bytes.get(..4)? != b"DIRC" {
        return None;
    }
    let (version, count) = (number(4)?, number(8)?);
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut found = HashMap::new();
    let mut at = 12;
    let mut name: Vec<u8> = Vec::new();
    for _ in 0..count {
        let start = at;
        let modified = time(number(at + 8)?, number(at + 12)?)?;
        let length = number(at + 36)?;
        let hash = bytes.get(at + STAT_BYTES..at + STAT_BYTES + HASH_BYTES)?;
        at += STAT_BYTES + HASH_BYTES;
        let flags = number(at)? >> 16;
        // Only version 3 and later have more flags.
        at += if version > 2 && flags & 0x4000 != 0 {
            4
        } else {
            2
        };
        if version == 4 {
            let (strip, used) = varint(bytes.get(at..)?)?;
            at += used;
            name.truncate(name.len().checked_sub(strip)?);
        } else {
            name.clear();
        }
        let length_of_name = bytes.get(at..)?.iter().position(|byte| *byte == 0)?;
        name.extend_from_slice(bytes.get(at..at + length_of_name)?);
        at += length_of_name + 1;
        if version < 4 {
            at = start + (at - start).next_multiple_of(8);
        }
        // A file in a conflict has several stages, none of which is what is on disk.
        if flags & 0x3000 == 0 {
            let hash = hex(hash);
            let recorded = GitEntry {
                modified,
                bytes: length,
                hash,
            };
            found.insert(name.clone(), recorded);
        }
    }
    Some(found)
}

fn time(secs: u32, nanos: u32) -> Option<SystemTime> {
    UNIX_EPOCH.checked_add(Duration::new(u64::from(secs), nanos.min(999_999_999)))
}

/// A number in the form that version 4 uses, with its bytes.
fn varint(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value: usize = 0;
    for (at, byte) in bytes.iter().enumerate().take(8) {
        value = if at == 0 {
            usize::from(byte & 0x7f)
        } else {
            ((value + 1) << 7) | usize::from(byte & 0x7f)
        };
        if byte & 0x80 == 0 {
            return Some((value, at + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn git(folder: &Path, arguments: &[&str]) -> bool {
        Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@t"])
            .args(arguments)
            .current_dir(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }

    #[test]
    fn what_a_repository_has_not_is_not_fetched_by_a_program_that_it_names() {
        let home = tempfile::tempdir().unwrap();
        let top = home.path();
        if !git(top, &["init", "-q"]) {
            return;
        }
        std::fs::write(top.join("a"), "text").unwrap();
        std::thread::sleep(Duration::from_millis(30));
        assert!(git(top, &["add", "-A"]));
        let mark = top.join("mark");
        let program = format!("touch '{}';", mark.display());
        for (key, value) in [
            ("core.repositoryformatversion", "1"),
            ("extensions.partialClone", "other"),
            ("remote.other.promisor", "true"),
            ("remote.other.url", "."),
            ("remote.other.uploadpack", &program),
        ] {
            assert!(git(top, &["config", key, value]), "{key}");
        }
        std::fs::remove_dir_all(top.join(".git/objects")).unwrap();
        std::fs::create_dir(top.join(".git/objects")).unwrap();
        let index = GitIndex::around(top).unwrap();
        let wanted = [(top.join("a"), StatStamp::at(&top.join("a")).unwrap())];
        assert!(index.contents(&wanted).is_empty());
        assert!(!mark.exists(), "it ran");
    }

    #[test]
    fn unchanged_files_are_known_and_changed_or_foreign_ones_are_not() {
        let home = tempfile::tempdir().unwrap();
        let top = home.path();
        if !git(top, &["init", "-q"]) {
            return;
        }
        for version in ["2", "4"] {
            // A repository keeps the version that it began with.
            let _ = std::fs::remove_file(top.join(".git/index"));
            let _ = std::fs::remove_file(top.join("untracked"));
            std::fs::create_dir_all(top.join("dir")).unwrap();
            for name in ["a", "dir/b", "dir/changed"] {
                std::fs::write(top.join(name), format!("{name}{version}\r\n")).unwrap();
            }
            assert!(git(top, &["config", "index.version", version]));
            std::thread::sleep(Duration::from_millis(30));
            assert!(git(top, &["add", "-A"]));
            std::fs::write(top.join("dir/changed"), "other").unwrap();
            std::fs::write(top.join("untracked"), "x").unwrap();
            let index = GitIndex::around(&top.join("dir")).unwrap();
            assert_eq!(entries(&index.bytes).unwrap().len(), 3);
            let wanted: Vec<_> = ["a", "dir/b", "dir/changed", "untracked"]
                .map(|name| (top.join(name), StatStamp::at(&top.join(name)).unwrap()))
                .into();
            let found = index.contents(&wanted);
            assert_eq!(found.len(), 2, "{version}");
            assert_eq!(
                found[&top.join("dir/b")],
                format!("dir/b{version}\r\n").as_bytes()
            );
        }
        assert!(entries(b"DIRC\0\0\0\x02\0\0\0\x09").is_none());
        assert!(entries(b"none").is_none());
    }
}
