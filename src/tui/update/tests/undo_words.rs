//! After an act the screen names the key that undoes it.

use super::*;
use crate::agent::{CompactionEvent, ContextOp, RuleList, UndoOp, UndoWay};
use crate::config::{SettingSources, SourceFile, resolve};
use crate::context::rules::RuleState;
use crate::transcript::UndoableKind;
use crate::tui::keymap::Keymap;

fn pruned(by_person: bool) -> AgentEvent {
    AgentEvent::Context(ContextEvent::Pruned {
        trimmed: 4,
        cleared: 1,
        tokens_saved: 5_800,
        cache_given_up_tokens: 0,
        reasoning_lost: 0,
        dry_run: false,
        by_person,
    })
}

fn pinned() -> AgentEvent {
    AgentEvent::Context(ContextEvent::OverrideApplied {
        what: "pinned",
        target: EntryId::new("b0000001"),
        others: 2,
        tokens_change: 1_234,
    })
}

/// The screen after an event at 80×24.
fn after(event: AgentEvent) -> String {
    let mut it = story(80, 24);
    it.event(event);
    it.screen()
}

#[test]
fn an_act_of_the_person_names_the_key_of_undo_and_that_key_undoes() {
    for event in [pinned(), pruned(true)] {
        let mut it = story(80, 24);
        it.event(event);
        assert!(it.screen().contains("alt-u: undo"), "{}", it.screen());
        it.take_ops();
        it.keys("alt-u");
        assert_eq!(it.take_ops(), [Op::Context(ContextOp::Undo(UndoOp::UNDO))]);
    }
}

#[test]
fn a_key_of_undo_that_is_bound_otherwise_is_the_one_that_is_named() {
    let sources = SettingSources {
        user_file: Some(SourceFile {
            path: "/c.toml".into(),
            text: "[keys.main]\nundo-act = \"f9\"".to_owned(),
        }),
        ..SettingSources::default()
    };
    let keys = resolve(&sources).unwrap().settings.ui.keys;
    let mut it = story(80, 24);
    it.model.keymap = Keymap::configured(&keys).unwrap().0;
    it.event(pinned());
    assert!(it.screen().contains("f9: undo"), "{}", it.screen());
}

#[test]
fn what_happened_by_itself_names_the_command_that_reaches_it() {
    let screen = after(pruned(false));
    assert!(!screen.contains("alt-u: undo"), "{screen}");
    assert!(!screen.contains("pruned:"), "its card says it: {screen}");
    let screen = after(AgentEvent::Compaction(CompactionEvent::Applied {
        entry: EntryId::new("c0ffee01"),
        compaction: Box::new(Compaction {
            tokens_before: 17_300,
            details: CompactionDetails {
                tokens_after: 10_900,
                ..CompactionDetails::default()
            },
            ..Compaction::default()
        }),
    }));
    assert!(screen.contains("compacted 17.3k → 10.9k"), "{screen}");
    assert!(screen.contains("/uncompact: undo"), "{screen}");
}

#[test]
fn an_undo_names_the_key_of_redo_and_the_other_way_round() {
    for (way, words) in [
        (UndoWay::Undo, "alt-r: redo"),
        (UndoWay::Redo, "alt-u: undo"),
    ] {
        let screen = after(AgentEvent::Context(ContextEvent::ActUndone {
            way,
            kind: UndoableKind::Prune,
            what: "prune of 5 tool results".to_owned(),
            tokens_change: 5_800,
        }));
        assert!(screen.contains(words), "{screen}");
    }
}

#[test]
fn where_no_key_does_anything_the_command_is_named() {
    for (way, words) in [(UndoWay::Undo, "/redo"), (UndoWay::Redo, "/undo")] {
        let mut it = story(80, 24);
        it.model.keymap = std::mem::take(&mut it.model.keymap).without_keys();
        it.event(AgentEvent::Context(ContextEvent::ActUndone {
            way,
            kind: UndoableKind::Prune,
            what: "prune of 5 tool results".to_owned(),
            tokens_change: 5_800,
        }));
        let screen = it.screen();
        assert!(screen.contains(words), "{screen}");
        assert!(!screen.contains("alt-"), "{screen}");
    }
}

#[test]
fn a_decision_on_a_rule_names_the_key_of_undo() {
    let mut view = view_of(&[
        4_000, 9_000, 0, 0, 0, 6_000, 0, 12_000, 0, 20_000, 27_200, 38,
    ]);
    let rule = crate::context::rules::Rule {
        id: crate::transcript::RuleId::new("r1"),
        text: "never push to main".to_owned(),
        source: EntryId::new("b0000001"),
        state: RuleState::Active,
        reason: String::new(),
        is_confirmed: false,
        uses: 1,
    };
    view.rules.rules = [crate::context::rules::RuleStanding {
        rule: rule.into(),
        tokens: 12,
        place: crate::context::rules::RulePlace::InWindow,
    }]
    .into();
    let listing = RuleList::of(&view).rules.remove(0);
    let screen = after(AgentEvent::Context(ContextEvent::RuleChanged {
        what: "struck",
        rule: Box::new(listing),
        tokens_change: -12,
    }));
    assert!(
        screen.contains("rule struck: never push to main"),
        "{screen}"
    );
    assert!(screen.contains("alt-u: undo"), "{screen}");
}
