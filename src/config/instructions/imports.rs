//! `@path` in a CLAUDE.md: another document of the project whose text follows.
//!
//! Code is no import, a file is read once, and nothing outside the project is read.

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Parser, Tag};

use super::rules::{RulesFile, RulesRoom};
use crate::disk::project::ProjectFile;

/// Files that import one another in a row.
const MAX_DEPTH: usize = 5;
/// Files that one file imports, directly or not.
const MAX_FILES: usize = 50;
/// Endings of documents; keys and passwords are in files of other kinds.
const DOCUMENTS: [&str; 4] = ["md", "mdc", "markdown", "txt"];

/// Reads the imports of one file.
pub(super) struct ImportReader<'a> {
    /// The file that imports.
    pub place: ProjectFile<'a>,
    /// What there is room for.
    pub room: &'a mut RulesRoom,
    seen: HashSet<PathBuf>,
    found: Vec<RulesFile>,
}

impl<'a> ImportReader<'a> {
    pub(super) fn new(place: ProjectFile<'a>, room: &'a mut RulesRoom) -> Self {
        let seen = place.path.canonicalize().into_iter().collect();
        Self {
            place,
            room,
            seen,
            found: Vec::new(),
        }
    }

    /// The imported files, in the order in which they are named.
    pub(super) fn read(mut self, text: &str) -> Vec<RulesFile> {
        self.follow(self.place.path, text, 1);
        self.found
    }

    fn follow(&mut self, file: &Path, text: &str, depth: usize) {
        for name in imported_names(text) {
            if self.found.len() >= MAX_FILES {
                return;
            }
            let Some(folder) = file.parent() else {
                return;
            };
            if name.starts_with('~') {
                self.refuse(PathBuf::from(name), "it is outside the project");
                continue;
            }
            let path = folder.join(name);
            // Many other things are written with @ too.
            if path.symlink_metadata().is_err() || path.is_dir() {
                continue;
            }
            if !self
                .seen
                .insert(path.canonicalize().unwrap_or(path.clone()))
            {
                continue;
            }
            if depth > MAX_DEPTH {
                self.refuse(path, "imports are followed five files deep");
            } else if is_document(&path) {
                self.import(&path, depth);
            } else {
                self.refuse(
                    path,
                    "only documents are imported (md, mdc, markdown, txt, README)",
                );
            }
        }
    }

    fn import(&mut self, path: &Path, depth: usize) {
        let place = ProjectFile { path, ..self.place };
        let head = place.read_head(self.room.wanted_bytes());
        let file = self.room.take(path.to_owned(), head);
        let text = file.text.clone();
        self.found.push(file);
        self.follow(path, &text, depth + 1);
    }

    fn refuse(&mut self, path: PathBuf, reason: &str) {
        if self.found.iter().all(|file| file.path != path) {
            self.found.push(RulesFile::refused(path, reason));
        }
    }
}

/// By its ending, or a name in capitals such as README: `.env` and `credentials` are none.
fn is_document(path: &Path) -> bool {
    let is_capital = |c: char| c.is_ascii_uppercase() || matches!(c, '-' | '_');
    let name = path.file_name().and_then(|it| it.to_str());
    match path.extension().and_then(|it| it.to_str()) {
        Some(ending) => DOCUMENTS.contains(&ending.to_ascii_lowercase().as_str()),
        None => name.is_some_and(|name| name.chars().all(is_capital)),
    }
}

/// The paths after each `@` that begins a word and is not in code.
fn imported_names(text: &str) -> Vec<&str> {
    if !text.contains('@') {
        return Vec::new();
    }
    let code: Vec<Range<usize>> = Parser::new(text)
        .into_offset_iter()
        .filter(|(event, _)| {
            matches!(
                event,
                Event::Code(_)
                    | Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock)
                    | Event::InlineHtml(_)
            )
        })
        .map(|(_, range)| range)
        .collect();
    let mut names = Vec::new();
    for (at, _) in text.match_indices('@') {
        let before = text.get(..at).and_then(|it| it.chars().next_back());
        let begins = before.is_none_or(|c| c.is_whitespace() || c == '(');
        if !begins || code.iter().any(|range| range.contains(&at)) {
            continue;
        }
        let rest = text.get(at + 1..).unwrap_or_default();
        let name = rest.split(char::is_whitespace).next().unwrap_or_default();
        let name = name.trim_end_matches(['.', ',', ';', ':', ')', '!', '?']);
        if !name.is_empty() {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_with_an_at_is_an_import_unless_it_is_code() {
        let text = "See @docs/style.md, and (@README).\n@a.md\nmail me@example.org `@code.md`\n\n\
            ```\n@fenced.md\n```\n\n    @indented.md\n\n<!-- @hidden.md -->\n\n- @last.md!";
        assert_eq!(
            imported_names(text),
            ["docs/style.md", "README", "a.md", "last.md"]
        );
        assert_eq!(imported_names("@ nothing"), [""; 0]);
    }
}
