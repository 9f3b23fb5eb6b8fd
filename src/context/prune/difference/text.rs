//! The text of a read that is sent as its difference to an earlier one: a line that says which
//! lines of which read it stands for, what changed in unified form with the numbers of the
//! file's lines, and what follows the lines of the read.

use std::collections::HashSet;
use std::fmt::Write;

use serde_json::Value;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::transcript::{Message, ToolCall};

/// Unchanged lines around a change.
const CONTEXT_LINES: usize = 3;

/// What a read showed of a file.
pub(super) struct ShownLines {
    /// The file, as the tool names it.
    pub path: String,
    /// Number of the first line.
    pub from: u64,
    pub lines: Vec<String>,
    /// What follows the last line: its end, and the closing notice.
    pub rest: String,
}

impl ShownLines {
    /// What the result of a call shows; `None` of an image, an empty file, a failed call, or
    /// where the log does not say how many lines of which file they are.
    pub(super) fn of(call: &ToolCall, result: &Message) -> Option<Self> {
        let Message::ToolResult(answer) = result else {
            return None;
        };
        if call.name != "read" || answer.is_error || result.images().next().is_some() {
            return None;
        }
        let path = shown_path(result)?;
        let details = answer.details.as_ref()?;
        let count = usize::try_from(details.get("lines")?.as_u64()?).ok()?;
        let offset = call.arguments.get("offset").and_then(Value::as_u64);
        let text = result.text();
        let mut lines: Vec<&str> = text.split('\n').collect();
        if count == 0 || lines.len() < count || path.chars().any(char::is_control) {
            return None;
        }
        lines.truncate(count);
        let length = lines.iter().map(|line| line.len() + 1).sum::<usize>() - 1;
        Some(Self {
            path: path.to_owned(),
            from: offset.unwrap_or(1).max(1),
            rest: text.get(length..)?.to_owned(),
            lines: lines.into_iter().map(str::to_owned).collect(),
        })
    }

    /// Number of the line at a place.
    fn number(&self, at: usize) -> u64 {
        self.from.saturating_add(at as u64)
    }

    /// Number of the last line.
    pub(super) fn to(&self) -> u64 {
        self.number(self.lines.len().saturating_sub(1))
    }
}

/// The file that a result says it is about.
pub(super) fn shown_path(result: &Message) -> Option<&str> {
    match result {
        Message::ToolResult(result) => result.details.as_ref()?.get("path")?.as_str(),
        Message::User(_) | Message::Assistant(_) | Message::BashExecution(_) => None,
    }
}

/// A line of either read, by its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Same { old: usize, new: usize },
    Removed(usize),
    Added(usize),
}

impl Step {
    fn is_same(self) -> bool {
        matches!(self, Self::Same { .. })
    }

    fn old_place(self) -> Option<usize> {
        match self {
            Self::Same { old, .. } | Self::Removed(old) => Some(old),
            Self::Added(_) => None,
        }
    }

    fn new_place(self) -> Option<usize> {
        match self {
            Self::Same { new, .. } | Self::Added(new) => Some(new),
            Self::Removed(_) => None,
        }
    }
}

/// The text that says `new` as a difference to `base`, which `address` leads to; `None` where
/// they have so little in common that it would not be half as long.
pub(super) fn difference(
    base: &ShownLines,
    new: &ShownLines,
    address: Option<&str>,
) -> Option<String> {
    if !has_half_in_common(base, new) {
        return None;
    }
    let steps = trimmed(&steps(base, new))?;
    let first = steps.iter().find_map(|step| step.old_place())?;
    let last = steps.iter().rev().find_map(|step| step.old_place())?;
    let is_changed = steps.iter().any(|step| !step.is_same());
    let address = address.map(|address| format!(" ({address})"));
    let mut text = format!(
        "[{}, lines {}–{}: as lines {}–{} of your latest read above that shows lines \
         {}–{} in full{}, {}]",
        new.path,
        new.from,
        new.to(),
        base.number(first),
        base.number(last),
        base.from,
        base.to(),
        address.unwrap_or_default(),
        if is_changed {
            "with these changes"
        } else {
            "unchanged"
        }
    );
    for hunk in hunks(&steps) {
        write_hunk(&mut text, hunk, base, new);
    }
    text.push_str(&new.rest);
    Some(text)
}

/// Whether at least half of what the new read shows was shown before: without that a
/// difference is not worth looking for.
fn has_half_in_common(base: &ShownLines, new: &ShownLines) -> bool {
    let known: HashSet<&str> = base.lines.iter().map(String::as_str).collect();
    let length = |is_known: bool| -> usize {
        let lines = new.lines.iter();
        let lines = lines.filter(|line| known.contains(line.as_str()) == is_known);
        lines.map(|line| line.len() + 1).sum()
    };
    length(true) >= length(false)
}

fn steps(base: &ShownLines, new: &ShownLines) -> Vec<Step> {
    let mut steps = Vec::with_capacity(new.lines.len());
    for op in capture_diff_slices(Algorithm::Myers, &base.lines, &new.lines) {
        if let DiffOp::Equal {
            old_index,
            new_index,
            len,
        } = op
        {
            steps.extend((0..len).map(|at| Step::Same {
                old: old_index + at,
                new: new_index + at,
            }));
        } else {
            steps.extend(op.old_range().map(Step::Removed));
            steps.extend(op.new_range().map(Step::Added));
        }
    }
    steps
}

/// Without the lines of the base before and after those that the new read stands for: another
/// range of the file is no change of it. `None` where nothing is the same.
fn trimmed(steps: &[Step]) -> Option<Vec<Step>> {
    let first = steps.iter().position(|step| step.is_same())?;
    let last = steps.iter().rposition(|step| step.is_same())?;
    let removed = |part: &[Step]| -> Vec<Step> {
        let gone = part.iter().filter(|step| matches!(step, Step::Removed(_)));
        gone.copied().collect()
    };
    let added = |part: &[Step]| -> Vec<Step> {
        let new = part.iter().filter(|step| matches!(step, Step::Added(_)));
        new.copied().collect()
    };
    let (head, rest) = steps.split_at(first);
    let (middle, tail) = rest.split_at(last + 1 - first);
    let (new_head, new_tail) = (added(head), added(tail));
    let (old_head, old_tail) = (removed(head), removed(tail));
    let skipped = old_head.len().saturating_sub(new_head.len());
    let mut kept: Vec<Step> = old_head.into_iter().skip(skipped).collect();
    kept.extend(new_head);
    kept.extend_from_slice(middle);
    kept.extend(old_tail.into_iter().take(new_tail.len()));
    kept.extend(new_tail);
    Some(kept)
}

/// The changes with a few unchanged lines around them; those that would touch are one.
fn hunks(steps: &[Step]) -> Vec<&[Step]> {
    let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
    let changed = steps.iter().enumerate().filter(|(_, step)| !step.is_same());
    for (at, _) in changed {
        let from = at.saturating_sub(CONTEXT_LINES);
        let to = (at + CONTEXT_LINES + 1).min(steps.len());
        match ranges.last_mut() {
            Some(newest) if from <= newest.end => newest.end = to,
            _ => ranges.push(from..to),
        }
    }
    let hunks = ranges.into_iter().map(|range| steps.get(range));
    hunks.flatten().collect()
}

fn write_hunk(text: &mut String, hunk: &[Step], base: &ShownLines, new: &ShownLines) {
    let old: Vec<usize> = hunk.iter().filter_map(|step| step.old_place()).collect();
    let shown: Vec<usize> = hunk.iter().filter_map(|step| step.new_place()).collect();
    let _ = write!(
        text,
        "\n@@ -{},{} +{},{} @@",
        old.first().map_or(0, |at| base.number(*at)),
        old.len(),
        shown.first().map_or(0, |at| new.number(*at)),
        shown.len()
    );
    for step in hunk {
        let (sign, line) = match *step {
            Step::Same { new: at, .. } => (' ', new.lines.get(at)),
            Step::Removed(at) => ('-', base.lines.get(at)),
            Step::Added(at) => ('+', new.lines.get(at)),
        };
        let _ = write!(text, "\n{sign}{}", line.map_or("", String::as_str));
    }
}
