//! AGENTS.md and CLAUDE.md: what a project tells every agent that works in it.
//!
//! Read from the project's root down to the working directory, so that the nearest
//! file has the last word; capped, and what the cap cut off is said.
//!
//! Whoever wrote a project also chose its files: a link out of it, a file of somebody else,
//! and characters that nobody sees do not reach the model, and that is said.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::config::layers::trust::TrustedDirs;
use crate::context::invisible;
use crate::disk::open;
use crate::disk::project::{Head, ProjectFile, root_of};

/// Bytes of rules in a request, all files together: some 8,000 tokens, which is a
/// tenth of the usable part of a 100k window at most.
pub(crate) const MAX_RULES_BYTES: usize = 32 * 1024;

/// Files that hold rules. CLAUDE.md counts only where there is no AGENTS.md beside it,
/// because the two are usually one text under two names.
const NAMES: [&str; 2] = ["AGENTS.md", "CLAUDE.md"];

/// All rules that apply in a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProjectRules {
    /// Outermost first.
    pub files: Vec<RulesFile>,
}

/// One file of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesFile {
    /// Where it is.
    pub path: PathBuf,
    /// The text of the rules.
    pub text: String,
    /// Bytes at its end that were not.
    pub cut_bytes: usize,
    /// Characters that nobody sees and that were taken out.
    pub invisible: usize,
    /// Why it was not read; `text` is empty then.
    pub error: Option<String>,
}

impl ProjectRules {
    /// One sentence for each thing that was left out of a file, or for the file.
    pub fn notices(&self) -> Vec<String> {
        self.files.iter().flat_map(RulesFile::notices).collect()
    }
}

impl RulesFile {
    fn notices(&self) -> Vec<String> {
        let path = self.path.display();
        if let Some(error) = &self.error {
            return vec![format!("{path} was skipped: {error}")];
        }
        let cut = (self.cut_bytes > 0).then(|| {
            format!(
                "{path}: the last {} bytes were left out; instruction files are limited to \
                 {MAX_RULES_BYTES} bytes",
                self.cut_bytes
            )
        });
        let removed = (self.invisible > 0)
            .then(|| format!("{path}: {}", invisible::removed_text(self.invisible)));
        cut.into_iter().chain(removed).collect()
    }
}

/// Reads the rules for `cwd`. The user's own file comes first and need not exist. The
/// cap is spent from the nearest file outwards: what is closest to the work stays.
pub fn read_rules(cwd: &Path, user_file: &Path, trusted: &TrustedDirs) -> ProjectRules {
    let root = root_of(cwd);
    let mut left = MAX_RULES_BYTES;
    let mut files: Vec<RulesFile> = Vec::new();
    for dir in cwd.ancestors().take_while(|dir| dir.starts_with(root)) {
        let Some(path) = rules_file(dir) else {
            continue;
        };
        let file = ProjectFile {
            path: &path,
            folder: dir,
            root,
            is_trusted: trusted.holds(dir),
        };
        let head = file.read_head(wanted_bytes(left));
        files.push(capped(path, head, &mut left));
    }
    if user_file.symlink_metadata().is_ok() {
        let head = read_own_head(user_file, wanted_bytes(left));
        files.push(capped(user_file.to_owned(), head, &mut left));
    }
    files.reverse();
    ProjectRules { files }
}

/// Whatever has the name counts: what is no file is said to be none.
fn rules_file(dir: &Path) -> Option<PathBuf> {
    NAMES
        .iter()
        .map(|name| dir.join(name))
        .find(|path| path.symlink_metadata().is_ok_and(|it| !it.is_dir()))
}

/// Enough to see that there is more.
fn wanted_bytes(left: usize) -> u64 {
    left as u64 + char::MAX.len_utf8() as u64
}

/// The user's own file may be a link to anywhere.
fn read_own_head(path: &Path, max: u64) -> io::Result<Head> {
    let file = open::following(path)?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    file.take(max).read_to_end(&mut bytes)?;
    Ok(Head { bytes, length })
}

fn capped(path: PathBuf, head: io::Result<Head>, left: &mut usize) -> RulesFile {
    let (head, error) = match head {
        Ok(head) => (head, None),
        Err(error) => (Head::default(), Some(error.to_string())),
    };
    let text = String::from_utf8_lossy(&head.bytes);
    let cleaned = invisible::cleaned(&text);
    let kept = fitting(&cleaned.text, *left);
    *left -= kept.len();
    let unread = head.length - (head.bytes.len() as u64).min(head.length);
    RulesFile {
        path,
        cut_bytes: cleaned.text.len() - kept.len() + unread as usize,
        text: kept.to_owned(),
        invisible: cleaned.removed,
        error,
    }
}

/// The whole lines that fit into `max` bytes; of a single longer line the characters that do.
fn fitting(text: &str, max: usize) -> &str {
    if text.len() <= max {
        return text;
    }
    let end = text.floor_char_boundary(max);
    let fits = text.get(..end).unwrap_or_default();
    match fits.rfind('\n') {
        Some(newline) => fits.get(..=newline).unwrap_or(fits),
        None => fits,
    }
}
