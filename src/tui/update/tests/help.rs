//! Help: of everything, and of the screen or question that has the keyboard.

use super::questions::{asking, review};
use super::*;
use crate::config::{SettingSources, SourceFile, resolve};
use crate::tui::keymap::Keymap;
use crate::tui::overlay::Overlay;

fn top(it: &Harness) -> Option<&'static str> {
    it.model.screens.top().map(Overlay::name)
}

#[test]
fn help_has_sections_by_task_with_keys_first_and_the_keys_of_every_screen() {
    for (columns, rows) in [(160, 40), (80, 24), (40, 12)] {
        let mut it = story(columns, rows);
        it.keys("?");
        insta::assert_snapshot!(format!("help_{columns}x{rows}"), it.screen());
    }
    let mut it = story(80, 300);
    it.keys("?");
    let screen = it.screen();
    let row = |words: &str| {
        let at = screen.lines().position(|line| line.contains(words));
        at.unwrap_or_else(|| panic!("{words} is not in\n{screen}"))
    };
    assert!(row("talk") < row("look at the context"));
    assert!(row("look at the context") < row("f2") && row("f2") < row("/context  "));
    assert!(row("/compact") < row("undo, rewind"));
    it.resize(80, 700);
    let screen = it.screen();
    for words in [
        "keys: /context and /pruned",
        "keys: /rules",
        "keys: open question",
    ] {
        assert!(screen.contains(words), "{words} is not in\n{screen}");
    }
    it.type_text("uncompact");
    let screen = it.screen();
    assert!(
        screen.contains("/uncompact") && !screen.contains("/theme"),
        "{screen}"
    );
}

#[test]
fn f1_and_the_question_mark_show_the_keys_of_a_screen_and_esc_leads_back() {
    for key in ["?", "f1"] {
        let mut it = story(80, 24);
        it.keys("f2 s j");
        let before = it.screen();
        it.keys(key);
        let screen = it.screen();
        assert_eq!(top(&it), Some("help"));
        assert!(screen.contains("keys · /context and /pruned"), "{screen}");
        assert!(screen.contains("pin: never pruned"), "{screen}");
        it.keys("esc");
        assert_eq!(it.screen(), before, "nothing is lost");
    }
}

#[test]
fn where_letters_are_text_f1_alone_is_the_help() {
    let mut it = story(80, 24);
    it.keys("ctrl-p");
    it.type_text("co?");
    assert_eq!(top(&it), Some("palette"));
    let before = it.screen();
    it.keys("f1");
    assert!(it.screen().contains("keys · command palette"));
    it.keys("f1");
    assert_eq!(it.screen(), before);
}

#[test]
fn a_question_has_its_help_and_keeps_its_answers_and_the_draft() {
    let mut it = story(80, 24);
    it.type_text("half a message");
    it.event(asking(3, "rm *"));
    let before = it.screen();
    it.keys("f1");
    let screen = it.screen();
    assert!(screen.contains("keys · open question"), "{screen}");
    assert!(screen.contains("deny and stop"), "{screen}");
    it.keys("esc");
    assert_eq!(it.screen(), before);
    assert_eq!(it.take_ops(), [], "nothing was answered");
    assert_eq!(it.model.composer.buffer.text(), "half a message");
}

#[test]
fn a_review_has_its_help_before_and_after_the_keyboard_was_moved_in() {
    let mut it = story(80, 24);
    it.event(review());
    it.keys("f1");
    assert!(it.screen().contains("keys · open question"));
    it.keys("esc tab ?");
    let screen = it.screen();
    assert!(screen.contains("keys · review of a compaction"), "{screen}");
    it.keys("esc");
    assert_eq!(top(&it), Some("review"));
    it.keys("i");
    it.type_text("why?");
    it.keys("f1");
    assert!(it.screen().contains("keys · a text field"));
    it.keys("esc");
    assert!(it.screen().contains("why?"));
}

#[test]
fn a_key_of_a_screen_that_is_bound_otherwise_works_and_is_in_its_help() {
    let sources = SettingSources {
        user_file: Some(SourceFile {
            path: "/c.toml".into(),
            text: "[keys.ledger]\nrequest = \"x\"\n[keys.reading]\nup = \"w\"".to_owned(),
        }),
        ..SettingSources::default()
    };
    let keys = resolve(&sources).unwrap().settings.ui.keys;
    let mut it = story(80, 24);
    it.model.keymap = Keymap::configured(&keys).unwrap().0;
    it.keys("f2 ?");
    it.type_text("request");
    let screen = it.screen();
    assert!(screen.contains("x  the exact next request"), "{screen}");
    it.keys("esc esc w");
    assert_eq!(it.take_ops(), [], "w moves now");
    it.keys("x");
    assert_eq!(it.take_ops().len(), 1);
}
