//! Keeps automatic compaction from running in circles: one that did not help is not followed
//! by another until something has changed.
//!
//! Reads the log alone, so that it holds across messages and restarts.

use super::projection::FRAME_ITEMS;
use super::view::{Category, ContextView};
use crate::transcript::{Compaction, Decision, Entry, EntryBody, Transcript, Trigger};

/// A compaction that saved less than this share did not help.
const LEAST_SAVED_SHARE: f64 = 0.05;

/// After one that failed or did not help, the next waits until the view has grown by this
/// share of the window.
pub const RETRY_GROWTH_SHARE: f64 = 0.05;

/// Tokens by estimate that the view has to reach before the next automatic compaction;
/// `None` when the last one helped, something has changed since, or the view is that large.
pub(super) fn waits_for(transcript: &Transcript, view: &ContextView) -> Option<u64> {
    let item = view.items.get(FRAME_ITEMS)?;
    let entry = item.entry.as_ref();
    let entry = entry.filter(|_| item.category == Category::Summary)?;
    let EntryBody::Compaction(compaction) = &transcript.get(entry)?.body else {
        return None;
    };
    if compaction.details.cause.trigger == Trigger::Manual || has_helped(compaction, view) {
        return None;
    }
    let details = &compaction.details;
    let line = view.window.load_line;
    let is_other_line =
        details.cause.load_line_tokens != 0 && details.cause.load_line_tokens != line;
    let mut since = transcript.ancestors().take_while(|it| it.id != *entry);
    if is_other_line || since.any(|entry| is_change(entry)) {
        return None;
    }
    let growth = (view.window.tokens? as f64 * RETRY_GROWTH_SHARE) as u64;
    Some(details.tokens_after.saturating_add(growth)).filter(|&wanted| !reaches(view, wanted))
}

/// Whether a view is as large as a compaction that did not help waits for.
pub(super) fn reaches(view: &ContextView, wanted_tokens: u64) -> bool {
    view.estimated_tokens() >= wanted_tokens
}

fn has_helped(compaction: &Compaction, view: &ContextView) -> bool {
    let (before, after) = (compaction.tokens_before, compaction.details.tokens_after);
    let saved = before.saturating_sub(after) as f64;
    after < view.window.load_line_effective && saved >= before as f64 * LEAST_SAVED_SHARE
}

/// Another model, or an act of a person on what is sent.
fn is_change(entry: &Entry) -> bool {
    match &entry.body {
        EntryBody::ModelChange { .. } | EntryBody::ContextEdit { .. } => true,
        EntryBody::Decision(overlay) => matches!(
            overlay,
            Decision::Pin { .. }
                | Decision::Restore { .. }
                | Decision::Drop { .. }
                | Decision::Undo { .. }
                | Decision::Prune {
                    by_person: true,
                    ..
                }
        ),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::fixture::Case;
    use crate::context::settings::Threshold;
    use crate::transcript::{CompactionCause, CompactionDetails};

    const WINDOW: u64 = 40_000;
    const LINE: u64 = 10_000;

    /// A conversation after a compaction with these numbers.
    fn case(trigger: Trigger, before: u64, after: u64) -> Case {
        let mut case = Case::new(WINDOW);
        case.settings.compaction.threshold = Some(Threshold::Tokens(LINE));
        case.user();
        let kept = case.user();
        case.push(EntryBody::Compaction(Box::new(Compaction {
            summary: "sum".to_owned(),
            first_kept: Some(kept),
            tokens_before: before,
            details: CompactionDetails {
                tokens_after: after,
                cause: CompactionCause {
                    trigger,
                    attempt: 0,
                    load_line_tokens: LINE,
                    engine_reason: None,
                },
                ..CompactionDetails::default()
            },
            from_hook: false,
        })));
        case
    }

    fn wait(case: &Case) -> Option<u64> {
        case.evaluate().view.compaction.waits_for
    }

    #[test]
    fn one_that_did_not_help_makes_the_next_wait() {
        for (before, after, is_waiting) in [
            (59_871, 59_864, true),
            // Below the line, and next to nothing was saved.
            (8_000, 7_900, true),
            // Much was saved, and the line is still reached.
            (60_000, 12_000, true),
            (60_000, 6_000, false),
        ] {
            for trigger in [Trigger::Threshold, Trigger::Overflow] {
                let waits = wait(&case(trigger, before, after)).is_some();
                assert_eq!(waits, is_waiting, "{before} {after}");
            }
            assert_eq!(wait(&case(Trigger::Manual, before, after)), None);
        }
    }

    #[test]
    fn it_waits_until_something_changes_or_the_view_has_grown() {
        let useless = || case(Trigger::Threshold, 12_100, 12_000);
        let wanted = 12_000 + WINDOW / 20;
        assert_eq!(wait(&useless()), Some(wanted));
        let mut said = useless();
        said.say("one more message");
        said.answer("and its answer");
        assert_eq!(wait(&said), Some(wanted), "messages alone are no change");
        let mut grown = useless();
        grown.say(&"w".repeat(60_000));
        assert_eq!(wait(&grown), None);
        let mut pinned = useless();
        let target = pinned.user();
        pinned.pin(&target);
        assert_eq!(wait(&pinned), None);
        let mut switched = useless();
        switched.push(EntryBody::ModelChange {
            provider: "p".to_owned(),
            model: "other".to_owned(),
        });
        assert_eq!(wait(&switched), None);
        let mut set = useless();
        set.settings.compaction.threshold = Some(Threshold::Tokens(LINE + 1));
        assert_eq!(wait(&set), None);
    }

    #[test]
    fn a_draft_that_is_large_enough_ends_the_wait_for_who_looks_on() {
        let mut case = case(Trigger::Threshold, 12_100, 12_000);
        let draft = |tokens: usize| {
            Some(crate::transcript::Message::user_text("w".repeat(tokens * 4)).into())
        };
        case.pending = draft(1_000);
        assert!(wait(&case).is_some());
        case.pending = draft(15_000);
        let view = case.evaluate().view;
        assert!(view.compaction.waits_for.is_none() && view.compaction.due);
    }
}
