//! Notes one by one: the items of the list that they are kept as, and whether two of them say
//! alike.

use std::collections::BTreeSet;

/// How the origin of a note begins, which people read and no model is sent.
const ORIGIN_BEGIN: &str = " <!-- from ";
const ORIGIN_END: &str = " -->";
/// Notes with this share of words in common are one note.
const SAME_SHARE: f64 = 0.8;

/// The origin of a note, as it is written after it.
pub(super) fn origin_mark(origin: &str) -> String {
    let plain: String = origin.chars().filter(|c| !c.is_control()).collect();
    format!("{ORIGIN_BEGIN}{}{ORIGIN_END}", plain.replace("--", "-"))
}

/// The origin that a line ends with.
pub(super) fn origin_of(line: &str) -> Option<&str> {
    let marked = line.strip_suffix(ORIGIN_END)?;
    marked.get(marked.rfind(ORIGIN_BEGIN)? + ORIGIN_BEGIN.len()..)
}

/// Notes without their origins.
pub(super) fn without_origins(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let marked = line.strip_suffix(ORIGIN_END);
        let bare = marked.and_then(|line| line.get(..line.rfind(ORIGIN_BEGIN)?));
        bare.unwrap_or(line)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The notes of a text: items of a list with the lines that belong to them, and paragraphs.
pub(in crate::agent) fn single_notes(text: &str) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in without_origins(text).lines() {
        if line.trim().is_empty() || line.starts_with('#') {
            is_open = false;
            continue;
        }
        let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
        match (item, notes.last_mut()) {
            (None, Some(open)) if is_open => {
                open.push('\n');
                open.push_str(line.trim());
            }
            (item, _) => notes.push(item.unwrap_or(line).trim().to_owned()),
        }
        is_open = true;
    }
    notes
}

/// The note among these that says what a new one would say again.
pub(super) fn equal_note<'a>(notes: &'a [String], new: &str) -> Option<&'a String> {
    let new = NoteWords::of(new);
    let may_be = |note: &&String| {
        new.numbers
            .iter()
            .all(|it| note.to_lowercase().contains(it))
    };
    let mut alike = notes.iter().filter(may_be);
    alike.find(|note| NoteWords::of(note).is_like(&new))
}

/// What a note is compared by.
struct NoteWords {
    words: BTreeSet<String>,
    /// Words with digits: where these differ, two notes say different things.
    numbers: BTreeSet<String>,
}

impl NoteWords {
    fn of(note: &str) -> Self {
        let lower = note.to_lowercase();
        let words = lower.split(|c: char| !c.is_alphanumeric());
        let words: BTreeSet<String> = words
            .filter(|it| !it.is_empty())
            .map(str::to_owned)
            .collect();
        let has_digit = |word: &&String| word.contains(|c: char| c.is_ascii_digit());
        Self {
            numbers: words.iter().filter(has_digit).cloned().collect(),
            words,
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        let common = self.words.intersection(&other.words).count();
        let all = self.words.union(&other.words).count();
        all > 0 && self.numbers == other.numbers && common as f64 >= all as f64 * SAME_SHARE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_items_with_the_lines_that_belong_to_them() {
        let text = "# Notes\n\n- build with just\n  not with make\n- port 8080 <!-- from session ab, r4 -->\n\nby hand\n";
        assert_eq!(
            single_notes(text),
            ["build with just\nnot with make", "port 8080", "by hand"]
        );
        assert_eq!(without_origins("a <!-- from x -->"), "a");
        assert_eq!(
            without_origins("a <!-- a comment -->"),
            "a <!-- a comment -->"
        );
        assert!(single_notes("").is_empty());
    }

    #[test]
    fn other_words_for_it_are_the_same_note_and_another_number_is_not() {
        let notes = ["The staging database listens on port 5433 of db-2.".to_owned()];
        for (new, is_same) in [
            ("the staging database listens on port 5433 of db-2", true),
            (
                "The staging database listens on port 5433 of db-2 now",
                true,
            ),
            ("The staging database listens on port 5432 of db-2.", false),
            ("The mailer listens on port 25", false),
            ("", false),
        ] {
            assert_eq!(equal_note(&notes, new).is_some(), is_same, "{new}");
        }
    }
}
