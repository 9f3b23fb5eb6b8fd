//! The lines of a tool result that speak of a failure.

use std::sync::LazyLock;

use regex::Regex;

use super::frames::is_frame;
use super::texts::whole_head;

/// At most this many error lines of one result are read.
const MAX_ERROR_LINES: usize = 20;
/// An error line is at most this long, in characters.
const MAX_ERROR_LINE_CHARS: usize = 500;

/// Words of error lines, as compilers, shells and runtimes write them.
static ERROR_CUE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"error|Error|ERROR|panicked|FAILED|fatal|Exception|Traceback|exit code [1-9]").ok()
});

/// The lines of a tool result that speak of a failure; of a failed call the first
/// ones when none does.
pub(super) fn error_lines(text: &str, failed: bool) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(cue) = ERROR_CUE.as_ref().and_then(|cue| cue.find(rest)) {
        let (before, after) = rest.split_at_checked(cue.start()).unwrap_or((rest, ""));
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let end = after.find('\n').map_or(rest.len(), |n| cue.start() + n);
        let line = rest.get(start..end).unwrap_or_default();
        // `12: app::error::wrap` only passes the failure on.
        lines.extend(Some(line).filter(|line| !is_frame(line)));
        rest = rest.get(end..).unwrap_or_default();
        if lines.len() >= MAX_ERROR_LINES {
            break;
        }
    }
    if lines.is_empty() && failed {
        lines.extend(text.lines().filter(|l| !l.trim().is_empty()).take(3));
    }
    lines
        .into_iter()
        .map(|line| whole_head(line, MAX_ERROR_LINE_CHARS))
        .collect::<Vec<_>>()
        .join("\n")
}
