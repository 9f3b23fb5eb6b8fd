//! Pages of a text: its own bytes, cut where lines end. Pages that follow each other are the
//! text again.

/// Lines of a page at most.
pub const RECALL_PAGE_LINES: usize = 2_000;
/// Bytes of a page at most.
pub const RECALL_PAGE_BYTES: usize = 50 * 1024;
/// A line that is longer counts as several, in bytes: data without line breaks has pages too.
const LINE_BYTES: usize = 8 * 1024;

/// A part of a text by lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecallPage {
    /// The bytes of the text.
    pub text: String,
    /// Its first line, from 1.
    pub first_line: usize,
    /// Its last line.
    pub last_line: usize,
    /// Lines of the whole text.
    pub lines: usize,
}

impl RecallPage {
    /// The page from a line on, from 1; the end of the text, empty, when there is no such line.
    pub fn of(text: &str, first_line: usize, max_lines: usize) -> Self {
        let lines = lines(text);
        let skipped = first_line.max(1) - 1;
        let mut page = Self {
            text: String::new(),
            first_line: skipped + 1,
            last_line: skipped,
            lines: lines.len(),
        };
        let wanted = lines.iter().skip(skipped);
        for line in wanted.take(max_lines.clamp(1, RECALL_PAGE_LINES)) {
            if page.text.len() + line.len() > RECALL_PAGE_BYTES {
                break;
            }
            page.text.push_str(line);
            page.last_line += 1;
        }
        page
    }

    /// The first line of the next page.
    pub fn next(&self) -> Option<usize> {
        (self.last_line < self.lines).then_some(self.last_line + 1)
    }
}

/// The line of a text that holds a byte, from 1, as pages count.
pub(super) fn line_at(text: &str, byte: usize) -> usize {
    let mut end = 0;
    let before = lines(text).into_iter().take_while(|line| {
        end += line.len();
        end <= byte
    });
    before.count() + 1
}

/// The lines of a text with their ends; longer ones in pieces.
fn lines(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        while rest.len() > LINE_BYTES {
            let (piece, after) = rest.split_at(rest.floor_char_boundary(LINE_BYTES));
            out.push(piece);
            rest = after;
        }
        if !rest.is_empty() {
            out.push(rest);
        }
    }
    out
}
