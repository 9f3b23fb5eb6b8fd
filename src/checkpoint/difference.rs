//! The difference between two texts as a unified diff with its counts.

use std::time::Duration;

use similar::{ChangeTag, TextDiff};

/// Unchanged lines around a change.
const CONTEXT_LINES: usize = 3;

/// After this the diff may be larger than the shortest one.
const DIFF_TIME: Duration = Duration::from_millis(300);

/// A longer diff is cut for the screen.
const MAX_DIFF_BYTES: usize = 200 * 1024;

/// A change as people read it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileDifference {
    /// Unified diff with `---`/`+++` header; empty when nothing changes.
    pub diff: String,
    /// Lines added.
    pub added: usize,
    /// Lines removed.
    pub removed: usize,
}

impl FileDifference {
    /// Compares two texts; `None` is a file that is not there.
    pub fn between(shown: &str, old: Option<&str>, new: Option<&str>) -> Self {
        // A name may hold anything: a line of its own would pass for a part of the diff.
        let shown = shown.replace(char::is_control, "\u{fffd}");
        let name = |text: Option<&str>| {
            if text.is_some() {
                shown.clone()
            } else {
                "/dev/null".to_owned()
            }
        };
        let diff = TextDiff::configure()
            .timeout(DIFF_TIME)
            .diff_lines(old.unwrap_or(""), new.unwrap_or(""));
        let count = |tag| {
            diff.iter_all_changes()
                .filter(|change| change.tag() == tag)
                .count()
        };
        let text = diff
            .unified_diff()
            .context_radius(CONTEXT_LINES)
            .header(&name(old), &name(new))
            .to_string();
        Self {
            added: count(ChangeTag::Insert),
            removed: count(ChangeTag::Delete),
            diff: cut(text),
        }
    }
}

impl FileDifference {
    /// Compares two passages of a file whose place in it is not known: no line has a number.
    pub fn between_passages(shown: &str, old: &str, new: &str) -> Self {
        let mut difference = Self::between(shown, Some(old), Some(new));
        let unplaced = difference.diff.split_inclusive('\n').map(|line| {
            // Lines of a text have a sign before them.
            if line.starts_with("@@ ") {
                "@@ @@\n"
            } else {
                line
            }
        });
        difference.diff = unplaced.collect();
        difference
    }
}

fn cut(diff: String) -> String {
    if diff.len() <= MAX_DIFF_BYTES {
        return diff;
    }
    let mut out = String::new();
    for line in diff.split_inclusive('\n') {
        if out.len() + line.len() > MAX_DIFF_BYTES {
            break;
        }
        out.push_str(line);
    }
    out.push_str("\\ The diff is longer than can be shown here\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_counts_and_names() {
        let change = FileDifference::between("a.txt", Some("one\ntwo\n"), Some("one\n2\n3\n"));
        assert_eq!((change.added, change.removed), (2, 1));
        assert_eq!(
            change.diff,
            "--- a.txt\n+++ a.txt\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+3\n"
        );
        let new = FileDifference::between("a.txt", None, Some("x\n"));
        assert!(new.diff.starts_with("--- /dev/null\n+++ a.txt\n"));
        let gone = FileDifference::between("a.txt", Some("x\n"), None);
        assert!(gone.diff.starts_with("--- a.txt\n+++ /dev/null\n"));
        assert_eq!(FileDifference::between("a", Some("x"), Some("x")).diff, "");
        let forged = FileDifference::between("a\n+++ b\u{1b}[2J", None, Some("x\n")).diff;
        assert!(
            forged.contains("+++ a\u{fffd}+++ b\u{fffd}[2J\n"),
            "{forged}"
        );
    }

    #[test]
    fn passages_have_no_line_numbers() {
        let diff = FileDifference::between_passages("a", "@@ x\none\n", "@@ x\n1\n").diff;
        assert_eq!(diff, "--- a\n+++ a\n@@ @@\n @@ x\n-one\n+1\n");
    }

    #[test]
    fn a_huge_diff_is_cut_at_a_line() {
        let change = FileDifference::between("a", None, Some(&"0123456789\n".repeat(60_000)));
        assert!(change.diff.len() <= MAX_DIFF_BYTES + 100);
        assert!(change.diff.ends_with("shown here\n"));
        assert_eq!(change.added, 60_000);
    }
}
