//! Unified diffs as people read them: line numbers of both sides, signs, code in its colours
//! on the background of its side, and inside a changed line the words that changed.
//!
//! Not a diff algorithm for files. Meaning is in the sign; the colour repeats it.

mod paint;
mod side;
#[cfg(test)]
mod tests;

use ratatui::text::Line;

use super::highlight::Highlighter;
use crate::config::DiffSides;
use crate::tui::theme::Theme;
use paint::DiffPainter;

/// Columns from which on the two sides are beside each other: a screen of 160 less the
/// gutters and margins around a diff.
const SPLIT_FROM: u16 = 150;

/// With fewer columns two sides of code beside each other are all line breaks.
const SPLIT_LEAST: u16 = 80;

/// How a diff is drawn.
#[derive(Clone, Copy)]
pub struct DiffLook<'a> {
    /// Columns at most.
    pub width: u16,
    /// The theme.
    pub theme: &'a Theme,
    /// Colours the code; `None` leaves it in the colour of its side.
    pub highlighter: Option<&'a Highlighter>,
    /// How the sides are placed.
    pub sides: DiffSides,
    /// The file, for a diff that does not name it: its ending says the language.
    pub path: &'a str,
}

impl DiffLook<'_> {
    /// Whether two columns of code fit.
    pub fn can_be_split(&self) -> bool {
        self.width >= SPLIT_LEAST
    }

    /// Whether the sides are beside each other.
    pub fn is_split(&self) -> bool {
        match self.sides {
            DiffSides::Auto => self.width >= SPLIT_FROM,
            DiffSides::Unified => false,
            DiffSides::Split => self.can_be_split(),
        }
    }
}

/// A unified diff as lines of at most `look.width` columns. Text that is not a diff is shown
/// as context.
pub fn lines(diff_text: &str, look: &DiffLook<'_>) -> Vec<Line<'static>> {
    let mut painter = DiffPainter::new(look, language(diff_text, look.path), digits(diff_text));
    read(diff_text, &mut painter);
    painter.lines
}

/// A diff without the names of its file before the first hunk: the title above it has them.
pub fn without_names(diff: &str) -> &str {
    let is_headed = diff.starts_with("--- ") || diff.starts_with("diff ");
    let first = diff.find("\n@@ ").filter(|_| is_headed);
    first.and_then(|at| diff.get(at + 1..)).unwrap_or(diff)
}

/// The row of the first changed line among drawn ones; 0 when none is changed.
pub fn first_change(lines: &[Line<'_>]) -> usize {
    let is_changed = |line: &Line<'_>| {
        let mut signs = line.spans.iter().take(SIGN_SPANS);
        signs.any(|span| matches!(&*span.content, "- " | "+ "))
    };
    lines.iter().position(is_changed).unwrap_or(0)
}

/// Spans up to the sign: the numbers before it.
const SIGN_SPANS: usize = 2;

/// Line numbers with more digits are not those of a file that can be edited: not shown.
const MAX_NUMBER_DIGITS: usize = 7;

/// One step through a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
enum DiffStep<'a> {
    /// A line about the file: its names, modes.
    FileHeader(&'a str),
    /// The beginning of a hunk; without numbers where the place in the file is not known.
    HunkHeader(&'a str, Option<(u64, u64)>),
    /// A remark of the diff itself.
    Remark(&'a str),
    /// A line of both sides.
    Context(&'a str),
    /// Removed lines, and the added ones that follow them.
    Changes(Vec<&'a str>, Vec<&'a str>),
}

/// Reads a diff step by step.
fn read(diff_text: &str, painter: &mut DiffPainter<'_>) {
    // Lines that a hunk still owes: until then `--- x` is a removed `-- x`, not a header.
    let mut left = (0, 0);
    let mut removed: Vec<&str> = Vec::new();
    let mut added: Vec<&str> = Vec::new();
    for line in diff_text.lines() {
        if line.starts_with("diff --git ") {
            // A hunk that promised more lines than it has ends here.
            left = (0, 0);
        }
        let in_hunk = left != (0, 0);
        let body = line.get(1..).unwrap_or_default();
        match line.chars().next() {
            Some('-') if in_hunk || !line.starts_with("--- ") => {
                if !added.is_empty() {
                    painter.end_changes(&mut removed, &mut added);
                }
                removed.push(body);
                left.0 = u64::saturating_sub(left.0, 1);
                continue;
            }
            Some('+') if in_hunk || !line.starts_with("+++ ") => {
                added.push(body);
                left.1 = u64::saturating_sub(left.1, 1);
                continue;
            }
            _ => painter.end_changes(&mut removed, &mut added),
        }
        if let Some(hunk) = Hunk::parse(line) {
            left = (hunk.old_len, hunk.new_len);
            painter.step(&DiffStep::HunkHeader(line, Some((hunk.old, hunk.new))));
        } else if line.starts_with(UNPLACED_HUNK) && !in_hunk {
            painter.step(&DiffStep::HunkHeader(line, None));
        } else if !in_hunk && is_file_header(line) {
            painter.step(&DiffStep::FileHeader(line));
        } else if line.starts_with('\\') {
            painter.step(&DiffStep::Remark(line));
        } else {
            painter.step(&DiffStep::Context(line.strip_prefix(' ').unwrap_or(line)));
            left = (
                u64::saturating_sub(left.0, 1),
                u64::saturating_sub(left.1, 1),
            );
        }
    }
    painter.end_changes(&mut removed, &mut added);
}

/// The beginning of a hunk whose place in the file is not known.
const UNPLACED_HUNK: &str = "@@ @@";

fn is_file_header(line: &str) -> bool {
    const STARTS: [&str; 12] = [
        "diff ",
        "index ",
        "--- ",
        "+++ ",
        "new file",
        "deleted file",
        "old mode",
        "new mode",
        "rename ",
        "copy ",
        "similarity ",
        "Binary files",
    ];
    STARTS.iter().any(|start| line.starts_with(start))
}

/// `@@ -old,len +new,len @@`.
struct Hunk {
    old: u64,
    old_len: u64,
    new: u64,
    new_len: u64,
}

impl Hunk {
    fn parse(line: &str) -> Option<Self> {
        let (ranges, _) = line.strip_prefix("@@ -")?.split_once(" @@")?;
        let (old, new) = ranges.split_once(" +")?;
        let (old, old_len) = range(old)?;
        let (new, new_len) = range(new)?;
        Some(Self {
            old,
            old_len,
            new,
            new_len,
        })
    }
}

fn range(text: &str) -> Option<(u64, u64)> {
    let (start, len) = text.split_once(',').unwrap_or((text, "1"));
    Some((start.parse().ok()?, len.parse().ok()?))
}

/// Digits of the largest line number; 0 when there is none.
fn digits(diff_text: &str) -> usize {
    let last = diff_text
        .lines()
        .filter_map(Hunk::parse)
        .map(|hunk| {
            (hunk.old.saturating_add(hunk.old_len)).max(hunk.new.saturating_add(hunk.new_len))
        })
        .max();
    last.map_or(0, |last| last.to_string().len())
        .min(MAX_NUMBER_DIGITS)
}

/// The language of a diff: the ending of the file that it names, else of `path`; for a file
/// without an ending its name.
fn language<'a>(diff_text: &'a str, path: &'a str) -> &'a str {
    let head = diff_text.lines().take_while(|line| !line.starts_with("@@"));
    let names = head.filter_map(|line| {
        let name = line.strip_prefix("+++ ").or(line.strip_prefix("--- "))?;
        (name != "/dev/null").then_some(name)
    });
    let file = names.last().unwrap_or(path);
    let name = file.rsplit('/').next().unwrap_or(file);
    name.rsplit_once('.').map_or(name, |(_, ending)| ending)
}
