//! Large tool outputs that would burden the log: written in full beside the session file,
//! so that the model can be given a part and a path. Never overwrites.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::paths;
use crate::disk::private;

/// Longest stem of a file name in characters: provider call ids can be absurdly long.
const MAX_STEM_CHARS: usize = 64;
/// How many files of the same name are told apart by a number before giving up.
const MAX_NAMESAKES: u32 = 10_000;

/// Writes `bytes` to the session's outputs folder as `<name>.txt` (with a number when
/// that is taken) and returns the path. `name` is reduced to letters that are safe in
/// file names.
pub fn spill(session: &Path, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    let folder = paths::outputs_folder(session);
    private::create_unlinked_folder(&folder)?;
    let stem = safe_stem(name);
    for number in 0..MAX_NAMESAKES {
        let path = match number {
            0 => folder.join(format!("{stem}.txt")),
            n => folder.join(format!("{stem}-{n}.txt")),
        };
        match private::create_new(&path) {
            Ok(mut file) => {
                file.write_all(bytes).inspect_err(|_| {
                    // Half an output that nothing refers to would only mislead.
                    let _ = std::fs::remove_file(&path);
                })?;
                return Ok(path);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        format!(
            "{} contains too many outputs named {stem}",
            folder.display()
        ),
    ))
}

fn safe_stem(name: &str) -> String {
    let stem: String = name
        .chars()
        .take(MAX_STEM_CHARS)
        .map(|c| match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' => c,
            _ => '_',
        })
        .collect();
    if stem.is_empty() {
        "output".to_owned()
    } else {
        stem
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_private_and_never_overwritten() {
        let home = tempfile::tempdir().unwrap();
        let session = home.path().join("s.jsonl");
        let first = spill(&session, "../../etc/passwd", b"one").unwrap();
        let second = spill(&session, "../../etc/passwd", b"two").unwrap();
        assert_eq!(first, home.path().join("s.d/______etc_passwd.txt"));
        assert_eq!(std::fs::read(&first).unwrap(), b"one");
        assert_eq!(std::fs::read(&second).unwrap(), b"two");
        assert!(spill(&session, "", b"").unwrap().ends_with("output.txt"));
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |p: &Path| p.metadata().unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(&first), 0o600);
            assert_eq!(mode(first.parent().unwrap()), 0o700);
        }
    }
}
