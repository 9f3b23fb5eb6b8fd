//! The search through what was sent.

use crate::tui::composer::{Composer, Draft};
use crate::tui::testing::Harness;

fn sent(columns: u16, rows: u16) -> Harness {
    let mut it = Harness::new(columns, rows);
    let lines = [
        "fix the Token refresh",
        "/context",
        "why the token?",
        "go on",
        "go on again",
    ];
    it.model.composer = Composer::new(Draft::default(), lines.map(str::to_owned).to_vec());
    it
}

#[test]
fn a_history_search_at_every_size() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12), (20, 6)] {
        let mut it = sent(columns, rows);
        it.keys("ctrl-r");
        it.type_text("token");
        insta::assert_snapshot!(format!("recall_{columns}x{rows}"), it.screen());
    }
}

#[test]
fn each_key_narrows_and_control_r_goes_back() {
    let mut it = sent(80, 24);
    it.type_text("a draft");
    it.keys("ctrl-r");
    let text = |it: &Harness| it.model.composer.buffer.text();
    assert_eq!(text(&it), "a draft");
    it.type_text("o");
    assert_eq!(text(&it), "go on again");
    it.type_text("zzz");
    assert_eq!(text(&it), "a draft", "nothing has that: {}", it.screen());
    it.keys("backspace backspace backspace backspace");
    it.type_text("token");
    assert_eq!(text(&it), "why the token?");
    it.keys("ctrl-r");
    assert_eq!(text(&it), "fix the Token refresh");
    it.keys("ctrl-r");
    assert_eq!(text(&it), "fix the Token refresh", "there is no older one");
    it.keys("ctrl-s");
    assert_eq!(text(&it), "why the token?");
    it.keys("esc");
    assert_eq!(text(&it), "a draft");
    assert!(it.model.composer.recall().is_none());
}

#[test]
fn what_is_found_is_taken_and_edited_not_sent() {
    let mut it = sent(80, 24);
    it.keys("ctrl-r");
    it.type_text("context");
    it.take_effects();
    it.keys("enter");
    assert!(it.take_effects().is_empty(), "nothing is sent yet");
    assert_eq!(it.model.composer.buffer.text(), "/context");
    assert!(it.model.completion.popup().is_none());
    it.keys("ctrl-u ctrl-r");
    it.type_text("why");
    it.keys("ctrl-a");
    assert_eq!(
        it.model.composer.buffer.caret(),
        0,
        "the key works on what was taken"
    );
    assert_eq!(it.model.composer.buffer.text(), "why the token?");
    it.keys("ctrl-r");
    it.send(crate::tui::msg::Msg::Input(
        crate::tui::input::Input::Paste("well, ".to_owned()),
    ));
    assert!(it.model.composer.recall().is_none(), "a paste ends it too");
}
