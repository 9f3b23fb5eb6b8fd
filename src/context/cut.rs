//! Shortening one text: what a recorded [`CutForm`] leaves of it, and how forms are
//! made. The form holds everything that the result depends on, so the same bytes come
//! out after a restart and under other settings.

use std::fmt;

use unicode_segmentation::GraphemeCursor;

use crate::transcript::{
    ArgumentCut, AssistantMessage, AssistantPart, CutForm, EntryId, LEFT_OUT_FIELD, ToolCall,
    grouped,
};

/// How far a cut may move to end at a line break, as a share of the kept part.
const SNAP_SHARE: f64 = 0.2;
/// The notice in a message of which only the ends are sent.
const EXCERPT_BEGIN: &str = "[… ";
const EXCERPT_MIDDLE: &str = " characters are not here: ";

/// Says in a message how much of it was left out.
pub fn excerpt_notice(omitted_chars: usize, why: &str) -> String {
    format!("{EXCERPT_BEGIN}{omitted_chars}{EXCERPT_MIDDLE}{why} …]")
}

/// Whether a text holds such a notice: it is a part of what was said.
pub(super) fn is_excerpt(text: &str) -> bool {
    let notices = text
        .lines()
        .filter_map(|line| line.strip_prefix(EXCERPT_BEGIN));
    let mut rest = notices.map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    rest.any(|rest| rest.starts_with(EXCERPT_MIDDLE))
}

/// How the text begins that stands beside what is left of a call's arguments.
pub(super) const ARGUMENT_NOTE: &str = "[pruned: ";

/// What it names the original by where nothing can be recalled.
const NOTE_ENTRY: &str = "; entry ";

/// The note with the address of the original.
pub(super) fn recalled_note(note: &str, address: impl fmt::Display) -> String {
    let said = note.rsplit_once(NOTE_ENTRY).map_or(note, |(said, _)| said);
    format!("{said} · recall {address}]")
}

/// The text that stands beside what is left of a call's arguments. `answer` is the entry that
/// holds all of them.
pub(super) fn argument_note(names: &[&str], chars: usize, answer: &EntryId) -> String {
    format!(
        "{ARGUMENT_NOTE}{}, {} characters, on disk since{NOTE_ENTRY}{answer}]",
        names.join(", "),
        grouped(chars as u64)
    )
}

/// An answer without the arguments that its calls lose. Each such call keeps its name, the rest
/// of its arguments, and says in one more field what is not there.
pub(super) fn without_arguments(
    answer: &AssistantMessage,
    cuts: &[ArgumentCut],
) -> AssistantMessage {
    let mut answer = answer.clone();
    let calls = answer.content.iter_mut().filter_map(|part| match part {
        AssistantPart::ToolCall(call) => Some(call),
        _ => None,
    });
    for (number, call) in calls.enumerate() {
        if let Some(cut) = cuts.iter().find(|cut| cut.call == number) {
            leave_out(call, cut);
        }
    }
    answer
}

fn leave_out(call: &mut ToolCall, cut: &ArgumentCut) {
    let Some(arguments) = call.arguments.as_object_mut() else {
        return;
    };
    let before = arguments.len();
    arguments.retain(|name, _| !cut.names.contains(name));
    if arguments.len() < before {
        arguments.insert(LEFT_OUT_FIELD.to_owned(), cut.note.clone().into());
    }
}

/// The text that is sent instead of `text`.
pub fn apply(text: &str, form: &CutForm) -> String {
    match form {
        // Only answers have arguments.
        CutForm::Arguments { .. } => text.to_owned(),
        CutForm::Clear { placeholder } => placeholder.clone(),
        CutForm::Difference { text, .. } => text.clone(),
        CutForm::Trim {
            head_chars,
            tail_chars,
            notice,
        } => {
            let head = text.get(..byte_of_char(text, *head_chars)).unwrap_or(text);
            let total = text.chars().count();
            let tail_from = total.saturating_sub(*tail_chars).max(*head_chars);
            let tail = text
                .get(byte_of_char(text, tail_from)..)
                .unwrap_or_default();
            let head = head.strip_suffix('\n').unwrap_or(head);
            if tail.is_empty() {
                format!("{head}\n{notice}")
            } else {
                format!("{head}\n{notice}\n{tail}")
            }
        }
    }
}

/// Chooses where to cut so that about `head_chars` and `tail_chars` remain: at a line
/// break when one is near, and never inside a grapheme. Returns the exact numbers.
pub fn snap(text: &str, head_chars: usize, tail_chars: usize) -> (usize, usize) {
    let total = text.chars().count();
    if head_chars + tail_chars >= total {
        return (total, 0);
    }
    let head = snap_head(text, head_chars);
    let tail = if tail_chars == 0 {
        0
    } else {
        total - snap_tail(text, total - tail_chars)
    };
    (head, tail)
}

/// Kept characters from the start: back to the last line break if it is near.
fn snap_head(text: &str, chars: usize) -> usize {
    let window = text.get(..byte_of_char(text, chars)).unwrap_or(text);
    if let Some(at) = window.rfind('\n') {
        let kept = window.get(..=at).map_or(0, |kept| kept.chars().count());
        if kept as f64 >= chars as f64 * (1.0 - SNAP_SHARE) {
            return kept;
        }
    }
    grapheme_floor(text, chars)
}

/// Character index where the tail begins: forward to after the next line break if it is near.
fn snap_tail(text: &str, from: usize) -> usize {
    let total = text.chars().count();
    let tail = text.get(byte_of_char(text, from)..).unwrap_or_default();
    if let Some(at) = tail.find('\n') {
        let skipped = tail.get(..=at).map_or(0, |skipped| skipped.chars().count());
        if skipped as f64 <= (total - from) as f64 * SNAP_SHARE {
            return from + skipped;
        }
    }
    grapheme_ceil(text, from)
}

fn byte_of_char(text: &str, chars: usize) -> usize {
    text.char_indices()
        .nth(chars)
        .map_or(text.len(), |(at, _)| at)
}

/// Longest prefix of at most `chars` characters that ends at a grapheme boundary.
fn grapheme_floor(text: &str, chars: usize) -> usize {
    let limit = byte_of_char(text, chars);
    let mut cursor = GraphemeCursor::new(limit, text.len(), true);
    if cursor.is_boundary(text, 0) != Ok(false) {
        return chars;
    }
    let floor = cursor.prev_boundary(text, 0).ok().flatten().unwrap_or(0);
    chars - text.get(floor..limit).map_or(0, |cut| cut.chars().count())
}

/// First grapheme boundary at or after character `from`.
fn grapheme_ceil(text: &str, from: usize) -> usize {
    let limit = byte_of_char(text, from);
    let mut cursor = GraphemeCursor::new(limit, text.len(), true);
    if cursor.is_boundary(text, 0) != Ok(false) {
        return from;
    }
    let ceil = cursor.next_boundary(text, 0).ok().flatten();
    let skipped = text.get(limit..ceil.unwrap_or(text.len()));
    from + skipped.map_or(0, |skipped| skipped.chars().count())
}

/// The notice between head and tail.
pub(super) fn notice(omitted_chars: usize, why: &str) -> String {
    format!("[… {omitted_chars} characters cut {why}; run the tool again if they are needed …]")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn trim(text: &str, head: usize, tail: usize) -> String {
        let (head_chars, tail_chars) = snap(text, head, tail);
        apply(
            text,
            &CutForm::Trim {
                head_chars,
                tail_chars,
                notice: "[cut]".into(),
            },
        )
    }

    #[test]
    fn cuts_at_line_breaks_when_they_are_near() {
        let text = "line one\nline two\nline three\nline four\nline five\n";
        assert_eq!(trim(text, 20, 12), "line one\nline two\n[cut]\nline five\n");
    }

    #[test]
    fn never_splits_a_grapheme() {
        let family = "👨‍👩‍👧‍👦";
        let text = family.repeat(10);
        let cut = trim(&text, 10, 10);
        for piece in cut.split("\n[cut]\n") {
            assert!(
                piece.is_empty() || piece.len() % family.len() == 0,
                "{piece:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn keeps_at_most_what_was_asked_and_only_original_text(
            text in "\\PC{0,300}", head in 0usize..80, tail in 0usize..80,
        ) {
            let (kept_head, kept_tail) = snap(&text, head, tail);
            let total = text.chars().count();
            if head + tail >= total {
                prop_assert_eq!((kept_head, kept_tail), (total, 0));
            } else {
                prop_assert!(kept_head <= head);
                prop_assert!(kept_tail <= tail);
                let form = CutForm::Trim {
                    head_chars: kept_head, tail_chars: kept_tail, notice: "\u{1}".into(),
                };
                let sent = apply(&text, &form);
                let (front, back) = sent.split_once("\n\u{1}").unwrap_or((&sent, ""));
                prop_assert!(text.starts_with(front));
                prop_assert!(text.ends_with(back.strip_prefix('\n').unwrap_or(back)));
            }
        }
    }
}
