//! When attachments become a line of text, and that they stay one.

use crate::context::fixture::{Case, item, sent};
use crate::context::{ContextView, Disposition, Evaluation, ShrinkMode};
use crate::transcript::{Decision, EntryBody, EntryId, PromptCache};

fn targets(evaluation: &Evaluation) -> Vec<EntryId> {
    let overlays = evaluation.decisions.iter();
    overlays
        .flat_map(|overlay| match overlay {
            Decision::Media { targets, .. } => targets.clone(),
            other => panic!("{other:?}"),
        })
        .collect()
}

/// One picture, then turns of a question and some answers.
fn pictured(turns: usize, answers_a_turn: usize) -> (Case, EntryId) {
    let mut case = Case::new(200_000);
    let picture = case.show("plan.png");
    case.answer("I see a plan.");
    for _ in 0..turns {
        case.user();
        for _ in 0..answers_a_turn {
            case.answer("More.");
        }
    }
    (case, picture)
}

fn has_image(view: &ContextView, entry: &EntryId) -> bool {
    let message = item(view, entry).sent.clone().unwrap();
    message.images().next().is_some()
}

#[test]
fn attachments_age_by_turns_or_by_groups_whichever_comes_first() {
    let check = |turns, answers_a_turn, is_old: bool| {
        let (case, picture) = pictured(turns, answers_a_turn);
        let evaluation = case.evaluate();
        let expected = if is_old {
            vec![picture.clone()]
        } else {
            vec![]
        };
        assert_eq!(targets(&evaluation), expected, "{turns} {answers_a_turn}");
        assert_eq!(has_image(&evaluation.view, &picture), !is_old);
    };
    check(0, 1, false);
    check(2, 1, false);
    check(3, 1, true);
    // The newest question waits for its answer: its turn is not complete.
    check(3, 0, false);
    check(4, 0, true);
    // Two turns, but more than eight groups.
    check(2, 2, false);
    check(2, 4, true);
}

#[test]
fn an_aged_attachment_is_one_line_ever_after() {
    let (mut case, picture) = pictured(5, 1);
    let before = case.evaluate().view.usage.tokens;
    let settled = case.settle();
    assert_eq!(
        sent(&settled.view, &picture),
        "look\n[Attached image/png: plan.png]"
    );
    let aged = item(&settled.view, &picture);
    assert_eq!(aged.disposition, Disposition::MediaStripped);
    assert_eq!(
        aged.reason.as_deref(),
        Some("attachment older than 3 turns or 8 groups of messages")
    );
    assert!(
        aged.full.estimate_tokens > aged.tokens + 1_500,
        "an image is 1,600"
    );
    assert_eq!(settled.view.usage.tokens, before);
    // Other settings do not bring it back, an undo does.
    case.settings.media.keep_turns = 99;
    case.settings.media.keep_groups = 99;
    assert!(!has_image(&case.evaluate().view, &picture));
    let target = case.transcript.leaf().cloned().unwrap();
    case.push(EntryBody::Decision(Decision::Undo { target }));
    let undone = case.evaluate();
    assert_eq!(undone.decisions, []);
    assert!(has_image(&undone.view, &picture));
}

#[test]
fn the_prune_gate_holds_for_attachments_too() {
    let (mut case, picture) = pictured(5, 1);
    case.cache = PromptCache::Ttl;
    assert_eq!(case.evaluate().decisions, [], "the cache is warm");
    let now = case.evaluate_with(ShrinkMode {
        prune_now: true,
        ..ShrinkMode::default()
    });
    assert_eq!(targets(&now), std::slice::from_ref(&picture));
    case.age_secs = 300;
    assert_eq!(targets(&case.evaluate()), [picture], "the cache is cold");
}

#[test]
fn what_was_not_answered_or_is_held_stays() {
    let mut case = Case::new(200_000);
    case.settings.media.keep_turns = 0;
    case.settings.media.keep_groups = 1;
    let pinned = case.show("pinned.png");
    let restored = case.show("restored.png");
    case.answer("Seen.");
    let plain = case.show("plain.png");
    case.answer("Seen.");
    case.pin(&pinned);
    case.restore(&restored);
    let unanswered = case.show("new.png");
    let evaluation = case.evaluate();
    assert_eq!(targets(&evaluation), [plain]);
    for entry in [&pinned, &restored, &unanswered] {
        assert!(has_image(&evaluation.view, entry));
    }
}
