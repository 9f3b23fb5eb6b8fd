//! Collects the lines of a search until a page is full.

use std::io;

use grep_searcher::{Searcher, Sink, SinkContext, SinkMatch};

use crate::tool::page::{PAGE_BYTES, first_chars};

/// Characters shown of one line; enough to see what matched in all but generated files.
const SHOWN_CHARS: usize = 500;

/// The matches so far.
#[derive(Debug, Default)]
pub(super) struct SearchMatches {
    limit: u64,
    text: String,
    file: String,
    count: u64,
    count_before_file: u64,
    files: u64,
    skipped: u64,
    withheld: u64,
    cut_lines: u64,
    is_page_full: bool,
}

impl SearchMatches {
    /// Takes at most so many matching lines.
    pub(super) fn new(limit: u64) -> Self {
        Self {
            limit,
            ..Self::default()
        }
    }

    /// Starts the matches of this file.
    pub(super) fn begin_file(&mut self, shown: &str) {
        shown.clone_into(&mut self.file);
        self.count_before_file = self.count;
    }

    /// The file could not be read (to its end).
    pub(super) fn skip_file(&mut self) {
        self.skipped += 1;
    }

    /// The file may hold secrets, and nobody agreed to look into it.
    pub(super) fn withhold_file(&mut self) {
        self.withheld += 1;
    }

    /// Whether nothing more is taken.
    pub(super) fn is_full(&self) -> bool {
        self.is_page_full || self.count >= self.limit
    }

    /// Matching lines.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Files with matches.
    pub(super) fn files(&self) -> u64 {
        self.files
    }

    /// Files that could not be read.
    pub(super) fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Files that may hold secrets.
    pub(super) fn withheld(&self) -> u64 {
        self.withheld
    }

    /// Lines that were too long.
    pub(super) fn cut_lines(&self) -> u64 {
        self.cut_lines
    }

    /// All of it.
    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// Adds a line; `mark` is `:` for a match and `-` for a line around it.
    fn push(&mut self, mark: char, number: Option<u64>, bytes: &[u8]) -> bool {
        let line = String::from_utf8_lossy(bytes);
        let (shown, is_cut) = first_chars(line.trim_end_matches(['\r', '\n']), SHOWN_CHARS);
        let number = number.unwrap_or(0);
        let dots = if is_cut { "…" } else { "" };
        let line = format!("{}{mark}{number}{mark}{shown}{dots}\n", self.file);
        if self.text.len() + line.len() > PAGE_BYTES {
            self.is_page_full = true;
            return false;
        }
        self.cut_lines += u64::from(is_cut);
        self.text.push_str(&line);
        true
    }
}

impl Sink for &mut SearchMatches {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        if self.is_full() || !self.push(':', found.line_number(), found.bytes()) {
            return Ok(false);
        }
        if self.count == self.count_before_file {
            self.files += 1;
        }
        self.count += 1;
        Ok(!self.is_full())
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> io::Result<bool> {
        Ok(self.push('-', context.line_number(), context.bytes()))
    }

    fn context_break(&mut self, _: &Searcher) -> io::Result<bool> {
        self.text.push_str("--\n");
        Ok(true)
    }
}
