//! Notes in a Markdown file of the project, `.plimsoll/notes.md`: the user's to edit and to
//! commit, and one part of the system prompt.
//!
//! The newest notes are at its end, so a cap keeps the end. A link is neither followed nor
//! written: a project that was cloned must not reach other files through it.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{Memory, RecalledNotes, ShownNotes};
use crate::config::TrustedDirs;
use crate::disk::open;
use crate::disk::project::{ProjectFile, root_of};
use crate::engine::text;

/// Bytes of notes in the prompt, some 2,000 tokens.
const MAX_RECALLED_BYTES: u64 = 8 * 1024;
/// Bytes of notes that are shown to people.
const MAX_SHOWN_BYTES: u64 = 1024 * 1024;
/// One note; what is longer belongs into a document of the project.
const MAX_NOTE_CHARS: usize = 2_000;
/// The first lines of a new file.
const HEADING: &str = "# Notes\n\n";
/// The folder of this program in a project.
const FOLDER: &str = ".plimsoll";

/// See the module's description.
pub(super) struct ProjectNotes {
    file: PathBuf,
    /// The folder that holds `.plimsoll`.
    folder: PathBuf,
    /// The user trusts it: it may be somebody else's.
    is_trusted: bool,
}

/// The end of a file.
struct NotesTail {
    text: String,
    /// Bytes before it.
    cut_bytes: u64,
}

impl ProjectNotes {
    /// The notes of the nearest directory from `cwd` up to the project's root that has some,
    /// else of the root.
    pub(super) fn of(cwd: &Path, trusted: &TrustedDirs) -> Self {
        let root = root_of(cwd);
        let notes = |dir: &Path| dir.join(FOLDER).join("notes.md");
        let found = cwd
            .ancestors()
            .take_while(|dir| dir.starts_with(root))
            .find(|dir| notes(dir).symlink_metadata().is_ok());
        let folder = found.unwrap_or(root);
        Self {
            file: notes(folder),
            folder: folder.to_owned(),
            is_trusted: trusted.holds(folder),
        }
    }

    fn read(&self, max_bytes: u64) -> io::Result<NotesTail> {
        self.refuse_links()?;
        let file = ProjectFile {
            path: &self.file,
            folder: &self.folder,
            root: &self.folder,
            is_trusted: self.is_trusted,
        };
        let mut file = match file.open() {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(NotesTail {
                    text: String::new(),
                    cut_bytes: 0,
                });
            }
            Err(error) => return Err(error),
        };
        let mut cut_bytes = file.metadata()?.len().saturating_sub(max_bytes);
        file.seek(SeekFrom::Start(cut_bytes))?;
        let mut bytes = Vec::new();
        file.take(max_bytes).read_to_end(&mut bytes)?;
        if cut_bytes > 0 {
            // From the next whole line on; of one endless line what there is.
            let broken = bytes
                .iter()
                .position(|&byte| byte == b'\n')
                .map_or(0, |at| at + 1);
            bytes.drain(..broken);
            cut_bytes += broken as u64;
        }
        Ok(NotesTail {
            text: String::from_utf8_lossy(&bytes).trim().to_owned(),
            cut_bytes,
        })
    }

    fn refuse_links(&self) -> io::Result<()> {
        let is_link = |path: &Path| path.symlink_metadata().is_ok_and(|it| it.is_symlink());
        if is_link(&self.file) || self.file.parent().is_some_and(is_link) {
            return Err(io::Error::other(
                "it is a symbolic link; links are not followed",
            ));
        }
        Ok(())
    }

    fn append(&self, note: &str) -> io::Result<()> {
        self.refuse_links()?;
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let mut file = open::with_options(&self.file, &mut options)?;
        let mut out = String::new();
        if file.metadata()?.len() == 0 {
            out.push_str(HEADING);
        } else {
            file.seek(SeekFrom::End(-1))?;
            let mut last = [0];
            file.read_exact(&mut last)?;
            if last != *b"\n" {
                out.push('\n');
            }
        }
        out.push_str(note);
        file.write_all(out.as_bytes())
    }

    fn fault(&self, error: &io::Error) -> String {
        format!("{}: {error}", self.file.display())
    }
}

impl Memory for ProjectNotes {
    fn recall(&self) -> RecalledNotes {
        let place = self.file.display();
        let NotesTail { text, cut_bytes } = match self.read(MAX_RECALLED_BYTES) {
            Ok(tail) => tail,
            Err(error) => {
                return RecalledNotes {
                    part: None,
                    warning: Some(format!("{place} was skipped: {error}")),
                };
            }
        };
        if text.is_empty() {
            return RecalledNotes::default();
        }
        let cleaned = text::cleaned(&text);
        let (text, removed) = (cleaned.text, cleaned.removed);
        let removed = (removed > 0).then(|| format!("{place}: {}", text::removed_text(removed)));
        let (cut, warning) = match cut_bytes {
            0 => (String::new(), None),
            bytes => (
                format!(
                    "[{bytes} earlier bytes of this file are not shown; read it if you need them]\n"
                ),
                Some(format!(
                    "{place}: the first {bytes} bytes were left out; notes are limited to \
                     {MAX_RECALLED_BYTES} bytes"
                )),
            ),
        };
        RecalledNotes {
            part: Some(format!(
                "# Notes that the user keeps about this project, from {place}\n\n{cut}{text}"
            )),
            warning: warning.or(removed),
        }
    }

    fn remember(&self, text: &str) -> Result<String, String> {
        let chars = text.chars().count();
        if chars > MAX_NOTE_CHARS {
            return Err(format!(
                "a note has {MAX_NOTE_CHARS} characters at most, this one has {chars}"
            ));
        }
        self.append(&bullet(text))
            .map_err(|error| self.fault(&error))?;
        Ok(format!("note added to {}", self.file.display()))
    }

    fn show(&self) -> Result<ShownNotes, String> {
        let tail = self
            .read(MAX_SHOWN_BYTES)
            .map_err(|error| self.fault(&error))?;
        Ok(ShownNotes {
            place: self.file.display().to_string(),
            text: tail.text,
        })
    }
}

/// A note as an item of a list; further lines belong to it.
fn bullet(text: &str) -> String {
    let plain: String = text
        .chars()
        .filter(|c| *c == '\n' || !c.is_control())
        .collect();
    let lines: Vec<&str> = plain.trim().lines().map(str::trim_end).collect();
    format!("- {}\n", lines.join("\n  "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join(".git")).unwrap();
        let deep = dir.path().join("src/deep");
        fs::create_dir_all(&deep).unwrap();
        (dir, deep)
    }

    #[test]
    fn notes_are_kept_at_the_projects_root_and_recalled_from_anywhere_in_it() {
        let (dir, deep) = project();
        let notes = ProjectNotes::of(&deep, &TrustedDirs::default());
        assert_eq!(notes.recall(), RecalledNotes::default());
        notes.remember("build with just\nnot with make").unwrap();
        notes.remember("the port is 8080\u{1b}[31m").unwrap();
        let file = dir.path().join(".plimsoll/notes.md");
        assert_eq!(
            fs::read_to_string(&file).unwrap(),
            "# Notes\n\n- build with just\n  not with make\n- the port is 8080[31m\n"
        );
        let recalled = ProjectNotes::of(dir.path(), &TrustedDirs::default()).recall();
        assert_eq!(
            recalled.part.unwrap(),
            format!(
                "# Notes that the user keeps about this project, from {}\n\n# Notes\n\n\
                 - build with just\n  not with make\n- the port is 8080[31m",
                file.display()
            )
        );
        assert_eq!(recalled.warning, None);
    }

    #[test]
    fn a_file_that_was_edited_by_hand_is_gone_on_with() {
        let (dir, deep) = project();
        fs::create_dir(dir.path().join("src/.plimsoll")).unwrap();
        let file = dir.path().join("src/.plimsoll/notes.md");
        fs::write(&file, "no newline at its end").unwrap();
        ProjectNotes::of(&deep, &TrustedDirs::default())
            .remember("more")
            .unwrap();
        assert_eq!(
            fs::read_to_string(&file).unwrap(),
            "no newline at its end\n- more\n"
        );
    }

    #[test]
    fn the_newest_notes_stay_and_what_was_cut_is_said() {
        let (dir, _) = project();
        let notes = ProjectNotes::of(dir.path(), &TrustedDirs::default());
        for n in 0..900 {
            notes.remember(&format!("note {n:04} é")).unwrap();
        }
        let whole = fs::read(&notes.file).unwrap().len() as u64;
        let recalled = notes.recall();
        let part = recalled.part.unwrap();
        assert!(part.ends_with("- note 0899 é") && !part.contains("note 0000"));
        assert!(!part.contains('\u{fffd}'), "cut within a line");
        let kept = part.split_once("need them]\n").unwrap().1.len() as u64;
        let cut = whole - kept - 1;
        assert!(part.contains(&format!("[{cut} earlier bytes")), "{cut}");
        assert!(
            recalled
                .warning
                .unwrap()
                .contains(&format!("the first {cut} bytes"))
        );
        assert!(notes.show().unwrap().text.contains("note 0000"));
    }

    #[test]
    fn a_note_that_is_a_document_is_refused() {
        let (dir, _) = project();
        let notes = ProjectNotes::of(dir.path(), &TrustedDirs::default());
        assert!(notes.remember(&"x".repeat(MAX_NOTE_CHARS + 1)).is_err());
        assert!(!notes.file.exists());
    }

    #[test]
    fn a_link_is_neither_read_nor_written() {
        let (dir, _) = project();
        let other = dir.path().join("secret");
        fs::write(&other, "another file\n").unwrap();
        fs::create_dir(dir.path().join(FOLDER)).unwrap();
        std::os::unix::fs::symlink(&other, dir.path().join(".plimsoll/notes.md")).unwrap();
        let notes = ProjectNotes::of(dir.path(), &TrustedDirs::default());
        let recalled = notes.recall();
        assert_eq!(recalled.part, None);
        assert!(recalled.warning.unwrap().contains("symbolic link"));
        assert!(notes.remember("x").is_err() && notes.show().is_err());
        assert_eq!(fs::read_to_string(&other).unwrap(), "another file\n");
    }
}
