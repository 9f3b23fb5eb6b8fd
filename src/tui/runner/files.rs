//! Files that the interface reads and writes: history, draft, attachments, and
//! the list of the workspace. A file that cannot be written never stops anybody.

use std::borrow::Cow;
use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use ignore::WalkBuilder;
use serde::{Deserialize, Serialize};

use super::super::composer::Draft;
use crate::disk::{ignores, open, private};
use crate::transcript::Image;

/// The input history of earlier runs, and its files.
#[derive(Clone, Debug)]
pub struct InputFiles {
    /// Messages sent in earlier sessions, oldest first.
    pub history: Vec<String>,
    /// Where it is kept; `None` keeps it in memory.
    pub history_path: Option<PathBuf>,
    /// Where drafts are kept, one for each session; `None` keeps none.
    pub drafts_dir: Option<PathBuf>,
    /// The name of the draft of a session in which nothing was said yet.
    pub new_draft: String,
}

/// Files of the workspace that are listed.
const MAX_FILES: usize = 50_000;
/// No draft is longer: a picture in it counts with its text.
const MAX_DRAFT_BYTES: u64 = 256 * 1024 * 1024;
/// Attachments above this many bytes are refused by every provider.
pub(super) const MAX_IMAGE_BYTES: u64 = 20 * 1024 * 1024;

/// One line of the history file.
#[derive(Serialize, Deserialize)]
struct HistoryLine<'a> {
    /// Where it was sent.
    dir: Cow<'a, Path>,
    /// The sent text; it may have several lines.
    text: Cow<'a, str>,
}

/// The messages sent in a directory, oldest first, from a history file: one JSON record a
/// line. Lines that are only a string are older than the directories in it and count
/// everywhere; what is neither is skipped.
pub fn load_history(path: &Path, dir: &Path) -> Vec<String> {
    let Ok(file) = open::following(path) else {
        return Vec::new();
    };
    BufReader::new(file)
        .lines()
        .map_while(Result::ok)
        .filter_map(
            |line| match serde_json::from_str::<HistoryLine<'_>>(&line) {
                Ok(sent) => (sent.dir == dir).then(|| sent.text.into_owned()),
                Err(_) => serde_json::from_str(&line).ok(),
            },
        )
        .collect()
}

pub(super) fn append_history(path: Option<&Path>, dir: &Path, line: &str) {
    let Some(path) = path.filter(|_| !line.trim().is_empty()) else {
        return;
    };
    let sent = HistoryLine {
        dir: dir.into(),
        text: line.into(),
    };
    let Ok(mut text) = serde_json::to_string(&sent) else {
        return;
    };
    text.push('\n');
    let written = private::append(path).and_then(|mut file| file.write_all(text.as_bytes()));
    if let Err(error) = written {
        tracing::warn!(%error, "the input history was not saved");
    }
}

/// The file of a draft below the folder of drafts. Names come from session files: one that
/// could lead elsewhere has none.
pub(super) fn draft_file(folder: &Path, name: &str) -> Option<PathBuf> {
    let is_plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0']);
    is_plain.then(|| folder.join(format!("{name}.json")))
}

/// A draft that was kept. One that cannot be read is none.
pub(super) fn load_draft(path: &Path) -> Option<Draft> {
    serde_json::from_slice(&open::read(path, MAX_DRAFT_BYTES).ok()?).ok()
}

/// Leaves an empty file, which says that something was done.
pub(super) fn mark(path: &Path) {
    if let Err(error) = private::replace(path, b"") {
        tracing::debug!(%error, "it was not written down that the gauge was explained");
    }
}

/// Keeps a draft, or removes an empty one.
pub(super) fn save_draft(path: Option<&Path>, draft: &Draft) {
    let Some(path) = path else { return };
    let saved = if draft.is_empty() {
        match fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    } else {
        let write = |text: String| private::replace(path, text.as_bytes());
        let text = serde_json::to_string(draft).map_err(std::io::Error::from);
        text.and_then(write)
    };
    if let Err(error) = saved {
        tracing::warn!(%error, "the draft was not saved");
    }
}

/// Where a file is that the user named: below the workspace, or the home when it says so.
pub fn named_file(path: &Path, home: Option<&Path>, cwd: &Path) -> PathBuf {
    let below_home = home.and_then(|home| Some(home.join(path.strip_prefix("~").ok()?)));
    below_home.unwrap_or_else(|| cwd.join(path))
}

/// An image or a PDF, ready to be sent.
///
/// # Errors
///
/// It cannot be read, is none, or is too large: one sentence.
pub fn read_image(path: &Path) -> Result<Image, String> {
    let shown = path.display();
    let size = fs::metadata(path)
        .map_err(|error| format!("{shown}: {error}"))?
        .len();
    if size > MAX_IMAGE_BYTES {
        return Err(format!(
            "{shown} is larger than 20 MiB; nothing was attached"
        ));
    }
    let bytes = open::read(path, MAX_IMAGE_BYTES).map_err(|error| format!("{shown}: {error}"))?;
    let name = path.file_name();
    let name = name.map(|name| name.to_string_lossy().into_owned());
    image_of(&bytes, name).ok_or_else(|| format!("{shown} is not an image or PDF"))
}

/// The image in these bytes; `None` when they are of no known kind.
pub(super) fn image_of(bytes: &[u8], name: Option<String>) -> Option<Image> {
    let mime = mime_of(bytes)?;
    Some(Image {
        data: base64::engine::general_purpose::STANDARD
            .encode(bytes)
            .into(),
        mime: mime.to_owned(),
        name,
    })
}

/// By the first bytes: endings lie.
fn mime_of(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => Some("image/webp"),
        [b'%', b'P', b'D', b'F', ..] => Some("application/pdf"),
        _ => None,
    }
}

pub(super) fn scan(cwd: &Path) -> Vec<String> {
    let mut builder = WalkBuilder::new(cwd);
    builder.hidden(true).require_git(false);
    ignores::guard(&mut builder, cwd, |_| true);
    let mut files: Vec<String> = builder
        .build()
        .flatten()
        .filter_map(|entry| {
            let kind = entry.file_type()?;
            let path = entry.path().strip_prefix(cwd).ok()?.to_str()?;
            // A directory is completed as well: its slash says so.
            (kind.is_file() || kind.is_dir() && !path.is_empty())
                .then(|| format!("{path}{}", if kind.is_dir() { "/" } else { "" }))
        })
        .take(MAX_FILES)
        .collect();
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_survives_line_breaks_and_damage_and_knows_its_directory() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("deep/history");
        let (here, there) = (Path::new("/here"), Path::new("/there"));
        append_history(Some(&path), here, "one\ntwo");
        append_history(Some(&path), here, "  ");
        append_history(Some(&path), there, "elsewhere");
        fs::write(
            &path,
            format!("{}broken\n\"old\"\n", fs::read_to_string(&path).unwrap()),
        )
        .unwrap();
        append_history(Some(&path), here, "three");
        assert_eq!(load_history(&path, here), ["one\ntwo", "old", "three"]);
        assert_eq!(load_history(&path, there), ["elsewhere", "old"]);
    }

    #[test]
    fn an_empty_draft_removes_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = draft_file(dir.path(), "0197").unwrap();
        let draft = Draft::of_text("half a thought");
        save_draft(Some(&path), &draft);
        assert_eq!(load_draft(&path), Some(draft));
        save_draft(Some(&path), &Draft::default());
        save_draft(Some(&path), &Draft::default());
        assert!(!path.exists());
        for name in ["", "../x", "a/b", "a\\b", ".hidden"] {
            assert_eq!(draft_file(dir.path(), name), None, "{name}");
        }
    }

    #[test]
    fn the_scan_respects_ignore_files_and_images_are_known_by_content() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(".gitignore"), "target\n").unwrap();
        fs::create_dir(dir.path().join("target")).unwrap();
        fs::write(dir.path().join("target/junk"), "x").unwrap();
        fs::write(dir.path().join("b.rs"), "x").unwrap();
        fs::write(dir.path().join("a.png"), b"\x89PNG....").unwrap();
        fs::create_dir(dir.path().join("src")).unwrap();
        fs::write(dir.path().join("src/my file.rs"), "x").unwrap();
        let found = scan(dir.path());
        assert_eq!(found, ["a.png", "b.rs", "src/", "src/my file.rs"]);
        let image = read_image(&dir.path().join("a.png")).unwrap();
        assert_eq!(
            (image.mime.as_str(), image.name.as_deref()),
            ("image/png", Some("a.png"))
        );
        assert!(read_image(&dir.path().join("b.rs")).is_err());
    }
}
