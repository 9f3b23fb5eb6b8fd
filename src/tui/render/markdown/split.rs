//! Cuts Markdown into top-level pieces that can be rendered one by one.
//!
//! Sans-IO and looking back only: where a cut is depends on nothing that comes after it,
//! so it does not matter in which pieces the text arrives. Not a Markdown parser: when in
//! doubt it does not cut, and the parser sees more text at once.

use std::ops::Range;

/// A paragraph that grows beyond this many bytes is cut at a blank, so that a frame costs
/// the same however long one paragraph gets. Emphasis across the cut is lost.
const MAX_PARAGRAPH_BYTES: usize = 8 * 1024;

/// The limit for lists, quotes and tables, whose structure a cut would break: far above
/// what people and models write, far below what would be felt in a frame.
const MAX_STRUCTURE_BYTES: usize = 64 * 1024;

/// Blanks before a fence, a heading or a rule; with more it is code or belongs to a list.
const MAX_BLOCK_INDENT: usize = 3;

/// One piece.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// Text for the Markdown parser.
    Block {
        /// Where it is.
        range: Range<usize>,
        /// Whether a blank row goes before it.
        gap: bool,
        /// The number of the first item, when it continues an ordered list.
        ordinal: Option<u64>,
    },
    /// A fenced code block begins.
    CodeStart {
        /// The text after the fence, mostly a language.
        info: String,
        /// Whether a blank row goes before it.
        gap: bool,
    },
    /// One line of code, without its line break.
    CodeLine {
        /// Where it is.
        range: Range<usize>,
    },
    /// The fenced code block ends.
    CodeEnd,
}

/// The kind of the open block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    /// Nothing yet.
    #[default]
    Empty,
    Paragraph,
    Heading,
    List,
    /// A quote, a table or HTML.
    Structure,
}

/// An open fence: its character, its length and its indentation.
#[derive(Clone, Copy, Debug)]
struct Fence {
    mark: char,
    length: usize,
    indent: usize,
}

/// The scan.
#[derive(Debug, Default)]
pub(super) struct Splitter {
    /// Start of the open piece.
    start: usize,
    /// Start of the next line to look at.
    scan: usize,
    kind: Kind,
    gap: bool,
    blank_before: bool,
    fence: Option<Fence>,
    /// The number of the newest ordered item.
    counter: Option<u64>,
    ordinal: Option<u64>,
}

impl Splitter {
    /// The next finished piece.
    pub(super) fn next(&mut self, text: &str) -> Option<Cut> {
        loop {
            let rest = text.get(self.scan..)?;
            let line_len = rest.find('\n').map(|end| end + 1);
            let limit = self.start + self.limit();
            let end = line_len.map_or(text.len(), |len| self.scan + len);
            if end >= limit {
                return self.forced(text, limit);
            }
            let line = rest.get(..line_len?)?.trim_end_matches(['\n', '\r']);
            if let Some(cut) = self.step(line, end) {
                return Some(cut);
            }
        }
    }

    /// The open piece, as far as it has come.
    pub(super) fn rest(&self, text: &str) -> Option<Cut> {
        let range = self.start..text.len();
        let open = text.get(range.clone())?;
        if let Some(fence) = self.fence {
            return if open.is_empty() {
                None
            } else if closes(open, fence) {
                Some(Cut::CodeEnd)
            } else {
                Some(Cut::CodeLine {
                    range: code_range(open, fence, range.end),
                })
            };
        }
        if open.trim().is_empty() {
            return None;
        }
        // A fence that has just begun would look like an empty code block in a paragraph.
        Some(Cut::Block {
            range,
            gap: self.gap,
            ordinal: self.ordinal,
        })
    }

    fn limit(&self) -> usize {
        match self.kind {
            _ if self.fence.is_some() => MAX_PARAGRAPH_BYTES,
            Kind::Empty | Kind::Paragraph | Kind::Heading => MAX_PARAGRAPH_BYTES,
            Kind::List | Kind::Structure => MAX_STRUCTURE_BYTES,
        }
    }

    /// Takes one complete line that ends (with its line break) at `end`.
    fn step(&mut self, line: &str, end: usize) -> Option<Cut> {
        if let Some(fence) = self.fence {
            let start = self.start;
            self.advance(end);
            if closes(line, fence) {
                self.fence = None;
                self.gap = true;
                return Some(Cut::CodeEnd);
            }
            let range = start..start + line.len();
            return Some(Cut::CodeLine {
                range: code_range(line, fence, range.end),
            });
        }
        if line.trim().is_empty() {
            self.blank_before = true;
            self.scan = end;
            if self.kind == Kind::Empty {
                self.start = end;
            }
            return None;
        }
        let indent = line.len() - line.trim_start_matches(' ').len();
        if let Some(fence) = self.opening(line, indent) {
            if self.kind != Kind::Empty {
                return Some(self.cut_before(true));
            }
            let info = line
                .trim_start()
                .trim_start_matches(fence.mark)
                .trim()
                .to_owned();
            let gap = self.gap;
            self.fence = Some(fence);
            self.counter = None;
            self.ordinal = None;
            self.blank_before = false;
            self.advance(end);
            return Some(Cut::CodeStart { info, gap });
        }
        let kind = classify(line);
        if self.kind != Kind::Empty && self.begins_block(kind, indent, line) {
            let gap = self.blank_before || kind != Kind::List || self.kind == Kind::Heading;
            return Some(self.cut_before(gap));
        }
        if self.kind == Kind::Empty {
            self.kind = kind;
            self.number_items(line, indent);
        }
        self.blank_before = false;
        self.scan = end;
        None
    }

    /// Whether a line cannot belong to the block that is open.
    fn begins_block(&self, kind: Kind, indent: usize, line: &str) -> bool {
        if indent > 0 {
            return false;
        }
        self.blank_before
            || self.kind == Kind::Heading
            || kind == Kind::Heading
            || (kind == Kind::List && (self.kind == Kind::List || may_interrupt(line)))
    }

    /// Closes the open block before the line at `scan`, which is looked at again.
    fn cut_before(&mut self, gap: bool) -> Cut {
        let cut = Cut::Block {
            range: self.start..self.scan,
            gap: self.gap,
            ordinal: self.ordinal,
        };
        self.start = self.scan;
        self.kind = Kind::Empty;
        self.gap = gap;
        self.ordinal = None;
        self.blank_before = false;
        cut
    }

    /// Cuts an overlong piece at the last blank before `limit`.
    fn forced(&mut self, text: &str, limit: usize) -> Option<Cut> {
        let piece = text.get(self.start..text.floor_char_boundary(limit))?;
        let length = piece
            .rfind([' ', '\n'])
            .map_or(piece.len(), |blank| blank + 1);
        let range = self.start..self.start + length;
        if self.fence.is_some() {
            self.advance(range.end);
            return Some(Cut::CodeLine { range });
        }
        let cut = Cut::Block {
            range: range.clone(),
            gap: self.gap,
            ordinal: self.ordinal,
        };
        self.advance(range.end);
        self.kind = Kind::Empty;
        self.gap = false;
        self.ordinal = None;
        Some(cut)
    }

    fn advance(&mut self, to: usize) {
        self.start = to;
        self.scan = to;
    }

    /// Ordered items are cut apart; the count goes on as the parser would count.
    fn number_items(&mut self, line: &str, indent: usize) {
        let written = if self.kind == Kind::List && indent == 0 {
            number(line)
        } else {
            None
        };
        self.ordinal = written.map(|n| self.counter.map_or(n, |c| c.saturating_add(1)));
        self.counter = self.ordinal;
    }

    fn opening(&self, line: &str, indent: usize) -> Option<Fence> {
        let inside_list = indent > 0 && self.kind == Kind::List;
        if indent > MAX_BLOCK_INDENT || inside_list {
            return None;
        }
        let rest = line.trim_start();
        let mark = rest.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let length = rest.chars().take_while(|&c| c == mark).count();
        let info = rest.trim_start_matches(mark);
        (length >= 3 && !(mark == '`' && info.contains('`'))).then_some(Fence {
            mark,
            length,
            indent,
        })
    }
}

/// The code in a line: as much indentation as the fence has is not part of it.
fn code_range(line: &str, fence: Fence, end: usize) -> Range<usize> {
    let blanks = line
        .chars()
        .take(fence.indent)
        .take_while(|&c| c == ' ')
        .count();
    end - line.len() + blanks..end
}

fn closes(line: &str, fence: Fence) -> bool {
    let rest = line.trim_start_matches(' ');
    let length = rest.chars().take_while(|&c| c == fence.mark).count();
    line.len() - rest.len() <= MAX_BLOCK_INDENT + fence.indent
        && length >= fence.length
        && rest.trim_start_matches(fence.mark).trim().is_empty()
}

fn classify(line: &str) -> Kind {
    let rest = line.trim_start();
    let hashes = rest.chars().take_while(|&c| c == '#').count();
    let after = rest.trim_start_matches('#');
    if (1..=6).contains(&hashes) && (after.is_empty() || after.starts_with([' ', '\t'])) {
        Kind::Heading
    } else if is_bullet(rest) || number(rest).is_some() {
        Kind::List
    } else if rest.starts_with(['>', '|', '<']) {
        Kind::Structure
    } else {
        Kind::Paragraph
    }
}

fn is_bullet(rest: &str) -> bool {
    let mut chars = rest.chars();
    matches!(chars.next(), Some('-' | '*' | '+')) && matches!(chars.next(), Some(' ' | '\t'))
}

/// The number of an ordered item.
fn number(rest: &str) -> Option<u64> {
    /// As many digits as `CommonMark` allows.
    const MAX_DIGITS: usize = 9;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let mut chars = after.chars();
    let is_item =
        matches!(chars.next(), Some('.' | ')')) && matches!(chars.next(), Some(' ' | '\t'));
    if is_item && digits.len() <= MAX_DIGITS {
        digits.parse().ok()
    } else {
        None
    }
}

/// Whether a list may begin directly after a paragraph: bullets may, of the numbers only 1
/// (or a year at the start of a line would begin a list).
fn may_interrupt(line: &str) -> bool {
    number(line).is_none_or(|n| n == 1)
}
