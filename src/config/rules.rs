//! AGENTS.md and CLAUDE.md: what a project tells every agent that works in it.
//!
//! Read from the project's root down to the working directory, so that the nearest
//! file has the last word; capped, and what the cap cut off is said.

use std::path::{Path, PathBuf};

/// Bytes of rules in a request, all files together: some 8,000 tokens, which is a
/// tenth of the usable part of a 100k window at most.
pub const MAX_RULES_BYTES: usize = 32 * 1024;

/// Files that hold rules. CLAUDE.md counts only where there is no AGENTS.md beside it,
/// because the two are usually one text under two names.
const NAMES: [&str; 2] = ["AGENTS.md", "CLAUDE.md"];

/// All rules that apply in a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Outermost first.
    pub files: Vec<RulesFile>,
}

/// One file of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesFile {
    /// Where it is.
    pub path: PathBuf,
    /// What was taken in.
    pub text: String,
    /// Bytes at its end that were not.
    pub cut_bytes: usize,
    /// Why it could not be read; `text` is empty then.
    pub error: Option<String>,
}

impl Rules {
    /// One sentence per file that was cut or could not be read.
    pub fn notices(&self) -> Vec<String> {
        self.files
            .iter()
            .filter_map(|file| {
                let path = file.path.display();
                match (&file.error, file.cut_bytes) {
                    (Some(error), _) => Some(format!("{path} was left out: {error}")),
                    (None, 0) => None,
                    (None, cut) => Some(format!(
                        "{path}: the last {cut} bytes were left out, because rules are limited to \
                         {MAX_RULES_BYTES} bytes"
                    )),
                }
            })
            .collect()
    }
}

/// Reads the rules for `cwd`. The user's own file comes first and need not exist. The
/// cap is spent from the nearest file outwards: what is closest to the work stays.
pub fn read_rules(cwd: &Path, user_file: &Path) -> Rules {
    let root = cwd
        .ancestors()
        .find(|dir| dir.join(".git").exists())
        .unwrap_or(cwd);
    let mut paths: Vec<PathBuf> = cwd
        .ancestors()
        .take_while(|dir| dir.starts_with(root))
        .filter_map(rules_file)
        .collect();
    if user_file.is_file() {
        paths.push(user_file.to_owned());
    }
    let mut left = MAX_RULES_BYTES;
    let mut files: Vec<RulesFile> = paths
        .into_iter()
        .map(|path| read_capped(path, &mut left))
        .collect();
    files.reverse();
    Rules { files }
}

fn rules_file(dir: &Path) -> Option<PathBuf> {
    NAMES
        .iter()
        .map(|name| dir.join(name))
        .find(|path| path.is_file())
}

fn read_capped(path: PathBuf, left: &mut usize) -> RulesFile {
    let (text, error) = match std::fs::read(&path) {
        Ok(bytes) => (String::from_utf8_lossy(&bytes).into_owned(), None),
        Err(error) => (String::new(), Some(error.to_string())),
    };
    let kept = head(&text, *left);
    *left -= kept.len();
    RulesFile {
        path,
        cut_bytes: text.len() - kept.len(),
        text: kept.to_owned(),
        error,
    }
}

/// The whole lines that fit into `max` bytes; of a single longer line the characters that do.
fn head(text: &str, max: usize) -> &str {
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
