//! Cuts a page out of a stream of bytes with bounded memory, whatever the lines are like,
//! and counts the rest.

use std::fmt::Write;

use crate::tool::files::text_file::BOM;
use crate::tool::page::{LINE_BYTES, LINE_CHARS, PAGE_BYTES, first_chars};
use crate::transcript::grouped;

/// The page that was read.
#[derive(Debug, Default)]
pub(super) struct ReadPage {
    /// The lines, ended by LF as in the file.
    pub(super) text: String,
    /// How many of them.
    pub(super) shown_lines: u64,
    /// Lines of the whole file.
    pub(super) total_lines: u64,
    /// Shown lines that were too long.
    pub(super) cut_lines: u64,
    /// Whether a shown line held bytes that are no UTF-8.
    pub(super) has_invalid_text: bool,
    /// Whether the first shown line ended in CR LF.
    pub(super) is_crlf: bool,
}

/// Takes bytes in pieces of any size.
#[derive(Debug)]
pub(super) struct LinePager {
    first_line: u64,
    line_limit: usize,
    is_full: bool,
    /// The beginning of the line that is being read, when it is wanted.
    line: Vec<u8>,
    /// Its length so far.
    line_bytes: u64,
    page: ReadPage,
}

impl LinePager {
    /// A page that starts at a line (from 1) and holds at most so many.
    pub(super) fn new(first_line: u64, line_limit: usize) -> Self {
        Self {
            first_line,
            line_limit,
            is_full: false,
            line: Vec::new(),
            line_bytes: 0,
            page: ReadPage::default(),
        }
    }

    /// Takes the next bytes.
    pub(super) fn push(&mut self, mut bytes: &[u8]) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            let (line, rest) = bytes.split_at(end);
            self.extend(line);
            self.end_line(true);
            bytes = rest.get(1..).unwrap_or_default();
        }
        self.extend(bytes);
    }

    /// The page, when the bytes are at their end.
    pub(super) fn finish(mut self) -> ReadPage {
        if self.line_bytes > 0 {
            self.end_line(false);
        }
        self.page
    }

    fn is_wanted(&self) -> bool {
        !self.is_full && self.page.total_lines + 1 >= self.first_line
    }

    fn extend(&mut self, bytes: &[u8]) {
        self.line_bytes += bytes.len() as u64;
        if self.is_wanted() {
            let room = LINE_BYTES.saturating_sub(self.line.len());
            self.line
                .extend_from_slice(bytes.get(..room).unwrap_or(bytes));
        }
    }

    fn end_line(&mut self, has_newline: bool) {
        if self.is_wanted() {
            self.show_line(has_newline);
        }
        self.page.total_lines += 1;
        self.line.clear();
        self.line_bytes = 0;
    }

    fn show_line(&mut self, has_newline: bool) {
        let mut bytes = self.line.as_slice();
        let mut is_crlf = false;
        if has_newline
            && self.line_bytes == bytes.len() as u64
            && let Some(rest) = bytes.strip_suffix(b"\r")
        {
            bytes = rest;
            is_crlf = true;
        }
        let text = String::from_utf8_lossy(bytes);
        // The bytes kept of a long line may end inside a character; that end is cut anyway.
        let is_invalid =
            matches!(text, std::borrow::Cow::Owned(_)) && self.line_bytes == self.line.len() as u64;
        let text = match text.strip_prefix(BOM) {
            Some(rest) if self.page.total_lines == 0 => rest,
            _ => &text,
        };
        let (kept, is_cut) = first_chars(text, LINE_CHARS);
        let is_cut = is_cut || self.line_bytes > self.line.len() as u64;
        let mut line = kept.to_owned();
        if is_cut {
            let _ = write!(
                line,
                " … [line cut; it has {} bytes]",
                grouped(self.line_bytes)
            );
        }
        if has_newline {
            line.push('\n');
        }
        if self.page.text.len() + line.len() > PAGE_BYTES && self.page.shown_lines > 0 {
            self.is_full = true;
            return;
        }
        self.page.is_crlf = self.page.is_crlf || (is_crlf && self.page.shown_lines == 0);
        self.page.text.push_str(&line);
        self.page.shown_lines += 1;
        self.page.cut_lines += u64::from(is_cut);
        self.page.has_invalid_text |= is_invalid;
        self.is_full = self.page.shown_lines >= self.line_limit as u64;
    }
}
