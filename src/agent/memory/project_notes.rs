//! Notes in a Markdown file of the project, `.plimsoll/notes.md`: the user's to edit and to
//! commit, and one part of the system prompt.
//!
//! The newest notes are at its end, so a cap keeps the end. A link is neither followed nor
//! written: a project that was cloned must not reach other files through it.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::single_notes::{equal_note, origin_mark, origin_of, single_notes, without_origins};
use super::{AddedNotes, FLUSHED, Memory, RecalledNotes, ShownNotes};
use crate::config::TrustedDirs;
use crate::disk::open;
use crate::disk::project::{ProjectFile, root_of};
use crate::disk::replace::WholeFile;
use crate::engine::recall::rough_tokens;
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
    fn recall(&self, limit_tokens: Option<u64>) -> RecalledNotes {
        let place = self.file.display();
        let NotesTail {
            text,
            mut cut_bytes,
        } = match self.read(MAX_RECALLED_BYTES) {
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
        let text = without_origins(&text);
        let cleaned = text::cleaned(&text);
        let (text, removed) = (cleaned.text, cleaned.removed);
        let removed = (removed > 0).then(|| format!("{place}: {}", text::removed_text(removed)));
        let kept = newest_within(&text, limit_tokens);
        let is_over_share = kept.len() < text.len();
        cut_bytes += (text.len() - kept.len()) as u64;
        let text = kept;
        let limit = if is_over_share {
            format!(
                "2% of the model's window ({} tokens)",
                limit_tokens.unwrap_or_default()
            )
        } else {
            format!("{MAX_RECALLED_BYTES} bytes")
        };
        let (cut, warning) = match cut_bytes {
            0 => (String::new(), None),
            bytes => (
                format!(
                    "[{bytes} earlier bytes of this file are not shown; read it if you need them]\n"
                ),
                Some(format!(
                    "{place}: the first {bytes} bytes were left out; notes are limited to {limit}"
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

    fn remember(&self, text: &str, origin: &str) -> Result<String, String> {
        let chars = text.chars().count();
        if chars > MAX_NOTE_CHARS {
            return Err(format!(
                "a note has {MAX_NOTE_CHARS} characters at most, this one has {chars}"
            ));
        }
        let kept = self
            .read(MAX_SHOWN_BYTES)
            .map_err(|error| self.fault(&error))?;
        if let Some(equal) = equal_note(&single_notes(&kept.text), text) {
            return Err(format!(
                "nothing was noted: the notes in {} say it already: {equal}",
                self.file.display()
            ));
        }
        self.append(&bullet(text, origin))
            .map_err(|error| self.fault(&error))?;
        Ok(format!("note added to {}", self.file.display()))
    }

    fn add(&self, notes: &[String], origin: &str) -> Result<AddedNotes, String> {
        let kept = self
            .read(MAX_SHOWN_BYTES)
            .map_err(|error| self.fault(&error))?;
        let mut known = single_notes(&kept.text);
        let mut added = Vec::new();
        for note in notes {
            if equal_note(&known, note).is_none() {
                known.push(note.clone());
                added.push(note.clone());
            }
        }
        let lines: String = added.iter().map(|note| bullet(note, origin)).collect();
        if !lines.is_empty() {
            self.append(&lines).map_err(|error| self.fault(&error))?;
        }
        Ok(AddedNotes {
            added,
            place: self.file.display().to_string(),
        })
    }

    fn take_back(&self, session: &str) -> Result<Vec<String>, String> {
        let text = self
            .read(u64::MAX)
            .map_err(|error| self.fault(&error))?
            .text;
        let own = format!("session {session}, ");
        let is_own = |origin: &&str| origin.starts_with(&own) && origin.ends_with(FLUSHED);
        let Some(newest) = text.lines().rev().filter_map(origin_of).find(is_own) else {
            return Ok(Vec::new());
        };
        if text.contains('\u{fffd}') {
            let place = self.file.display();
            return Err(format!("{place} is not UTF-8, so it is left as it is"));
        }
        let (gone, kept): (Vec<&str>, Vec<&str>) = text
            .lines()
            .partition(|line| origin_of(line) == Some(newest));
        let mut rest = kept.join("\n");
        rest.push('\n');
        let permissions = self.file.metadata().map(|it| it.permissions()).ok();
        WholeFile::durable()
            .with_permissions(permissions)
            .replace(&self.file, rest.as_bytes())
            .map_err(|error| self.fault(&error))?;
        Ok(gone.into_iter().flat_map(single_notes).collect())
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

/// The newest lines of notes that have at most so many tokens together.
fn newest_within(text: &str, limit_tokens: Option<u64>) -> &str {
    let Some(limit) = limit_tokens else {
        return text;
    };
    let mut kept = text;
    while rough_tokens(kept) > limit {
        kept = kept.split_once('\n').map_or("", |(_, rest)| rest);
    }
    kept
}

/// A note as an item of a list, with its origin; further lines belong to it.
fn bullet(text: &str, origin: &str) -> String {
    let plain: String = text
        .chars()
        .filter(|c| *c == '\n' || !c.is_control())
        .collect();
    let lines: Vec<&str> = plain.trim().lines().map(str::trim_end).collect();
    format!("- {}{}\n", lines.join("\n  "), origin_mark(origin))
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
        assert_eq!(notes.recall(None), RecalledNotes::default());
        notes
            .remember("build with just\nnot with make", "session s, r1")
            .unwrap();
        notes
            .remember("the port is 8080\u{1b}[31m", "session s, r1")
            .unwrap();
        let file = dir.path().join(".plimsoll/notes.md");
        assert_eq!(
            fs::read_to_string(&file).unwrap(),
            "# Notes\n\n- build with just\n  not with make <!-- from session s, r1 -->\n\
             - the port is 8080[31m <!-- from session s, r1 -->\n"
        );
        let recalled = ProjectNotes::of(dir.path(), &TrustedDirs::default()).recall(None);
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
            .remember("more", "session s, r1")
            .unwrap();
        assert_eq!(
            fs::read_to_string(&file).unwrap(),
            "no newline at its end\n- more <!-- from session s, r1 -->\n"
        );
    }

    #[test]
    fn the_newest_notes_stay_and_what_was_cut_is_said() {
        let (dir, _) = project();
        let notes = ProjectNotes::of(dir.path(), &TrustedDirs::default());
        for n in 0..900 {
            notes
                .remember(&format!("note {n:04} é"), "session s, r1")
                .unwrap();
        }
        let whole = fs::read(&notes.file).unwrap().len() as u64;
        let recalled = notes.recall(None);
        let part = recalled.part.unwrap();
        assert!(part.ends_with("- note 0899 é") && !part.contains("note 0000"));
        assert!(!part.contains('\u{fffd}'), "cut within a line");
        let kept = part.split_once("need them]\n").unwrap().1;
        let marks = kept.lines().count() as u64 * " <!-- from session s, r1 -->".len() as u64;
        let cut = whole - kept.len() as u64 - marks - 1;
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
        assert!(
            notes
                .remember(&"x".repeat(MAX_NOTE_CHARS + 1), "session s, r1")
                .is_err()
        );
        assert!(!notes.file.exists());
    }

    #[test]
    fn what_is_noted_already_is_not_noted_again() {
        let (dir, _) = project();
        let notes = ProjectNotes::of(dir.path(), &TrustedDirs::default());
        notes
            .remember("The port is 8080.", "session s, r1")
            .unwrap();
        let again = notes
            .remember("the port is 8080", "session t, r9")
            .unwrap_err();
        assert!(
            again.contains("say it already: The port is 8080."),
            "{again}"
        );
        notes.remember("the port is 8081", "session t, r9").unwrap();
        let text = fs::read_to_string(&notes.file).unwrap();
        assert_eq!(text.lines().filter(|it| it.starts_with("- ")).count(), 2);
    }

    #[test]
    fn notes_of_a_model_are_added_once_and_the_newest_of_a_session_are_taken_back() {
        let (dir, _) = project();
        let notes = ProjectNotes::of(dir.path(), &TrustedDirs::default());
        notes
            .remember("The port is 8080.", "session s, r1")
            .unwrap();
        let said = |texts: &[&str]| texts.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let first = super::super::flush_origin("s", "r9");
        let new = said(&["the port is 8080", "tabs, not spaces", "Tabs, not spaces!"]);
        let kept = notes.add(&new, &first).unwrap();
        assert_eq!(kept.added, ["tabs, not spaces"]);
        assert_eq!(notes.add(&new, &first).unwrap().added, [""; 0]);
        let other = super::super::flush_origin("s2", "r4");
        notes.add(&said(&["build with just"]), &other).unwrap();
        let second = super::super::flush_origin("s", "r20");
        notes.add(&said(&["staging is db-2"]), &second).unwrap();
        assert_eq!(notes.take_back("s").unwrap(), ["staging is db-2"]);
        assert_eq!(notes.take_back("s").unwrap(), ["tabs, not spaces"]);
        assert_eq!(notes.take_back("s").unwrap(), [""; 0]);
        let text = fs::read_to_string(&notes.file).unwrap();
        let left = ["The port is 8080.", "build with just"];
        assert_eq!(single_notes(&text), left, "{text}");
    }

    #[test]
    fn notes_are_cut_to_their_share_of_the_window_and_that_is_said() {
        let (dir, _) = project();
        let notes = ProjectNotes::of(dir.path(), &TrustedDirs::default());
        for n in 0..60 {
            let note = format!("note {n:04} of many");
            notes.remember(&note, "session s, r1").unwrap();
        }
        let whole = notes.recall(Some(100_000));
        assert_eq!(whole.warning, None);
        let cut = notes.recall(Some(100));
        let part = cut.part.unwrap();
        let kept = part.split_once("need them]\n").unwrap().1;
        assert!(kept.ends_with("note 0059 of many") && !kept.contains("note 0000"));
        assert!(rough_tokens(kept) <= 100, "{}", rough_tokens(kept));
        let warning = cut.warning.unwrap();
        assert!(
            warning.contains("2% of the model's window (100 tokens)"),
            "{warning}"
        );
    }

    #[test]
    fn a_link_is_neither_read_nor_written() {
        let (dir, _) = project();
        let other = dir.path().join("secret");
        fs::write(&other, "another file\n").unwrap();
        fs::create_dir(dir.path().join(FOLDER)).unwrap();
        std::os::unix::fs::symlink(&other, dir.path().join(".plimsoll/notes.md")).unwrap();
        let notes = ProjectNotes::of(dir.path(), &TrustedDirs::default());
        let recalled = notes.recall(None);
        assert_eq!(recalled.part, None);
        assert!(recalled.warning.unwrap().contains("symbolic link"));
        assert!(notes.remember("x", "session s, r1").is_err() && notes.show().is_err());
        assert_eq!(fs::read_to_string(&other).unwrap(), "another file\n");
    }
}
