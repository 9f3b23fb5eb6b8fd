//! AGENTS.md and CLAUDE.md: what a project tells every agent that works in it.
//!
//! Read from the project's root down to the working directory, so that the nearest
//! file has the last word; capped, and what the cap cut off is said. Files below the working
//! directory are read when the work reaches their folder.
//!
//! Whoever wrote a project also chose its files: a link out of it, a file of somebody else,
//! and characters that nobody sees do not reach the model, and that is said.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::imports::ImportReader;
use crate::config::layers::trust::TrustedDirs;
use crate::config::paths::UserPaths;
use crate::context::invisible;
use crate::disk::open;
use crate::disk::project::{Head, ProjectFile, root_of};

/// Bytes of rules in a request, all files together: some 8,000 tokens, which is a
/// tenth of the usable part of a 100k window at most.
pub(crate) const MAX_RULES_BYTES: usize = 32 * 1024;

/// Bytes of the rules of one folder below the working directory: some 2,000 tokens.
pub(crate) const MAX_NESTED_BYTES: usize = 8 * 1024;

/// Files that hold rules. Of several in one folder the first counts: an override replaces
/// what the project shares, and AGENTS.md and CLAUDE.md are usually one text.
const NAMES: [&str; 3] = [OVERRIDE, "AGENTS.md", IMPORTING];

/// The file that replaces the one beside it.
const OVERRIDE: &str = "AGENTS.override.md";
/// The file that may import others.
const IMPORTING: &str = "CLAUDE.md";

/// Folders of code that others wrote; what they tell agents is for work on that code.
const FOREIGN_FOLDERS: [&str; 5] = [
    "node_modules",
    "vendor",
    "third_party",
    "site-packages",
    "target",
];

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

/// The bytes that are left for rules.
#[derive(Debug)]
pub(super) struct RulesRoom {
    left: usize,
}

impl ProjectRules {
    /// One sentence for each thing that was left out of a file, or for the file.
    pub fn notices(&self) -> Vec<String> {
        let files = self.files.iter();
        files
            .flat_map(|file| file.notices(MAX_RULES_BYTES))
            .collect()
    }
}

impl RulesFile {
    /// A file that is not read.
    pub(super) fn refused(path: PathBuf, reason: &str) -> Self {
        Self {
            path,
            text: String::new(),
            cut_bytes: 0,
            invisible: 0,
            error: Some(reason.to_owned()),
        }
    }

    /// One sentence for each thing that was left out of a file below the working directory.
    pub fn nested_notices(&self) -> Vec<String> {
        self.notices(MAX_NESTED_BYTES)
    }

    /// Its text, with a line about what is not shown.
    pub fn shown_text(&self) -> String {
        let text = self.text.trim();
        match self.cut_bytes {
            0 => text.to_owned(),
            bytes => format!(
                "{text}\n[{bytes} more bytes of this file are not shown; read it if you need \
                 them]"
            ),
        }
    }

    fn notices(&self, limit: usize) -> Vec<String> {
        let path = self.path.display();
        if let Some(error) = &self.error {
            return vec![format!("{path} was skipped: {error}")];
        }
        let cut = (self.cut_bytes > 0).then(|| {
            format!(
                "{path}: the last {} bytes were left out; instruction files are limited to \
                 {limit} bytes",
                self.cut_bytes
            )
        });
        let removed = (self.invisible > 0)
            .then(|| format!("{path}: {}", invisible::removed_text(self.invisible)));
        cut.into_iter().chain(removed).collect()
    }
}

/// The files of the user's own rules, the most general first: those that all programs share,
/// and those of this one.
pub fn own_rules_files(paths: &UserPaths) -> Vec<PathBuf> {
    let shared = paths.home().map(|home| home.join(".config").join(NAMES[1]));
    let own = paths.user_rules_file();
    let replacing = own.with_file_name(OVERRIDE);
    let own = if replacing.symlink_metadata().is_ok() {
        replacing
    } else {
        own
    };
    shared.into_iter().chain([own]).collect()
}

/// Reads the rules for `cwd`. The user's own files come first and need not exist. The
/// cap is spent from the nearest file outwards: what is closest to the work stays.
pub fn read_rules(cwd: &Path, own: &[PathBuf], trusted: &TrustedDirs) -> ProjectRules {
    let root = root_of(cwd);
    let mut budget = RulesRoom::of(MAX_RULES_BYTES);
    let mut files: Vec<RulesFile> = Vec::new();
    for dir in cwd.ancestors().take_while(|dir| dir.starts_with(root)) {
        let mut of_folder = rules_of(dir, root, trusted, &mut budget);
        of_folder.reverse();
        files.extend(of_folder);
    }
    for path in own.iter().rev() {
        if path.symlink_metadata().is_ok() {
            let head = read_own_head(path, budget.wanted_bytes());
            files.push(budget.take(path.clone(), head));
        }
    }
    files.reverse();
    ProjectRules { files }
}

/// The rules of the folders between `cwd` and a file or folder that the work has reached,
/// outermost first. Folders of other projects and of foreign code have none.
pub fn read_nested_rules(cwd: &Path, reached: &Path, trusted: &TrustedDirs) -> Vec<RulesFile> {
    let root = root_of(cwd);
    let real = cwd.canonicalize().unwrap_or_else(|_| cwd.to_owned());
    let below = reached.strip_prefix(cwd);
    let Ok(below) = below.or_else(|_| reached.strip_prefix(&real)) else {
        return Vec::new();
    };
    let is_foreign = |name: &str| FOREIGN_FOLDERS.contains(&name) || name.starts_with('.');
    let mut files = Vec::new();
    let mut dir = cwd.to_owned();
    for part in below {
        dir.push(part);
        let is_open = part.to_str().is_some_and(|name| !is_foreign(name));
        if !is_open || !dir.is_dir() || root_of(&dir) != root {
            break;
        }
        let mut budget = RulesRoom::of(MAX_NESTED_BYTES);
        files.extend(rules_of(&dir, root, trusted, &mut budget));
    }
    files
}

/// The rules of one folder: a file, and what it imports.
fn rules_of(
    dir: &Path,
    root: &Path,
    trusted: &TrustedDirs,
    budget: &mut RulesRoom,
) -> Vec<RulesFile> {
    let Some(path) = rules_file(dir) else {
        return Vec::new();
    };
    let place = ProjectFile {
        path: &path,
        folder: dir,
        root,
        is_trusted: trusted.holds(dir),
    };
    let head = place.read_head(budget.wanted_bytes());
    let file = budget.take(path.clone(), head);
    let imported = if path.ends_with(IMPORTING) {
        ImportReader::new(place, budget).read(&file.text)
    } else {
        Vec::new()
    };
    std::iter::once(file).chain(imported).collect()
}

/// Whatever has the name counts: what is no file is said to be none.
fn rules_file(dir: &Path) -> Option<PathBuf> {
    NAMES
        .iter()
        .map(|name| dir.join(name))
        .find(|path| path.symlink_metadata().is_ok_and(|it| !it.is_dir()))
}

impl RulesRoom {
    fn of(limit: usize) -> Self {
        Self { left: limit }
    }

    /// Enough to see that there is more.
    pub(super) fn wanted_bytes(&self) -> u64 {
        self.left as u64 + char::MAX.len_utf8() as u64
    }

    /// A file with as much of its text as there is room for.
    pub(super) fn take(&mut self, path: PathBuf, head: io::Result<Head>) -> RulesFile {
        let head = match head {
            Ok(head) => head,
            Err(error) => return RulesFile::refused(path, &error.to_string()),
        };
        let text = String::from_utf8_lossy(&head.bytes);
        let cleaned = invisible::cleaned(&text);
        let kept = fitting(&cleaned.text, self.left);
        self.left -= kept.len();
        let unread = head.length - (head.bytes.len() as u64).min(head.length);
        RulesFile {
            path,
            cut_bytes: cleaned.text.len() - kept.len() + unread as usize,
            text: kept.to_owned(),
            invisible: cleaned.removed,
            error: None,
        }
    }
}

/// The user's own file may be a link to anywhere.
fn read_own_head(path: &Path, max: u64) -> io::Result<Head> {
    let file = open::following(path)?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    file.take(max).read_to_end(&mut bytes)?;
    Ok(Head { bytes, length })
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
