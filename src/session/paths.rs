//! Where a session's files are. The folders' names follow the convention of the other
//! programs that use this format. Never touches the disk.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::time;
use crate::transcript::Timestamp;

/// Longest folder name for a working directory in bytes. File systems allow 255; the
/// rest is left for the hash and for programs that add to names.
const MAX_FOLDER_BYTES: usize = 200;

/// A working directory as the name of one folder: `/home/dev/work` is
/// `--home-dev-work--`. Names may coincide (`/a/b`, `/a-b`): headers tell them apart.
/// A very long path keeps its beginning and ends in a hash of the whole.
pub fn encode_cwd(cwd: &Path) -> String {
    let text = cwd.to_string_lossy();
    let inner: String = text
        .strip_prefix(['/', '\\'])
        .unwrap_or(&text)
        .chars()
        .map(|c| match c {
            '/' | '\\' | ':' => '-',
            c if c.is_control() => '-',
            c => c,
        })
        .collect();
    if inner.len() <= MAX_FOLDER_BYTES {
        return format!("--{inner}--");
    }
    let mut end = MAX_FOLDER_BYTES;
    while !inner.is_char_boundary(end) {
        end -= 1;
    }
    let start = inner.get(..end).unwrap_or_default();
    format!("--{start}-{:016x}--", fnv1a(text.as_bytes()))
}

/// The file of a new session that starts at `now` in `cwd`, below the sessions folder.
pub fn session_file(sessions: &Path, cwd: &Path, now: Timestamp, id: &str) -> PathBuf {
    let name = format!("{}_{id}.jsonl", time::to_file_name(now));
    sessions.join(encode_cwd(cwd)).join(name)
}

/// The folder beside a session file that holds its large tool outputs and attachments.
pub fn outputs_folder(session: &Path) -> PathBuf {
    session.with_extension("d")
}

/// A file beside `session`, named after it: `<file>.<suffix>`.
pub(super) fn beside(session: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(session.as_os_str());
    name.push(".");
    name.push(suffix);
    PathBuf::from(name)
}

/// Sixteen digits and letters that stand for `bytes` without saying what they are; the same
/// on every machine.
pub fn fingerprint(bytes: &[u8]) -> String {
    format!("{:016x}", fnv1a(bytes))
}

/// FNV-1a, 64 bits: stable over versions and platforms, unlike the standard hasher.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_named_after_the_directory() {
        let cases = [
            ("/home/dev/work", "--home-dev-work--"),
            ("/", "----"),
            (r"C:\Users\me", "--C--Users-me--"),
            ("/家/仕事", "--家-仕事--"),
            ("/a\nb", "--a-b--"),
        ];
        for (cwd, name) in cases {
            assert_eq!(encode_cwd(Path::new(cwd)), name);
        }
    }

    #[test]
    fn long_paths_stay_short_and_distinct() {
        let long = format!("/{}", "長".repeat(200));
        let (one, two) = (format!("{long}1"), format!("{long}2"));
        let (one, two) = (encode_cwd(Path::new(&one)), encode_cwd(Path::new(&two)));
        assert!(one.len() < 255 && two.len() < 255);
        assert_ne!(one, two);
    }

    #[test]
    fn files_are_named_after_time_and_id() {
        let file = session_file(Path::new("/s"), Path::new("/w"), Timestamp(0), "ab");
        assert_eq!(
            file,
            Path::new("/s/--w--/1970-01-01T00-00-00-000Z_ab.jsonl")
        );
        assert_eq!(
            outputs_folder(&file),
            Path::new("/s/--w--/1970-01-01T00-00-00-000Z_ab.d")
        );
        assert_eq!(
            beside(Path::new("/s/a.jsonl"), "lock"),
            Path::new("/s/a.jsonl.lock")
        );
    }
}
