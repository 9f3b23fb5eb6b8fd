//! Search through the transcript, and copying code blocks.

use super::{story, text};
use crate::tui::effect::Effect;
use crate::tui::testing::Harness;

fn find(it: &mut Harness, query: &str) {
    it.type_text(&format!("/search {query}"));
    it.keys("enter");
    it.wait(5_000);
}

#[test]
fn a_search_at_every_size() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12), (20, 6)] {
        let mut it = story(columns, rows);
        find(&mut it, "refresh");
        insta::assert_snapshot!(format!("search_{columns}x{rows}"), it.screen());
    }
}

#[test]
fn n_and_shift_n_go_through_all_places_and_escape_ends() {
    let mut it = Harness::new(80, 12);
    for number in 0..30 {
        it.user(&format!("number {number} is a Lark"));
        it.answer(vec![text("and this is none")]);
    }
    find(&mut it, "lark");
    let count = |it: &Harness| {
        it.model
            .conversation
            .search()
            .map(super::super::super::transcript::Search::count)
    };
    let (first, of) = count(&it).unwrap();
    assert_eq!(of, 30);
    it.keys("n");
    let next = if first == 30 { 1 } else { first + 1 };
    assert_eq!(count(&it), Some((next, 30)));
    assert!(it.screen().contains(&format!("number {} is", next - 1)));
    assert!(it.screen().contains(&format!("\"lark\" {next}/30")));
    it.keys("N N");
    let before = if first == 1 { 30 } else { first - 1 };
    assert_eq!(count(&it), Some((before, 30)));
    assert!(it.screen().contains(&format!("number {} is", before - 1)));
    it.keys("esc");
    assert_eq!(count(&it), None);
    it.keys("n");
    assert_eq!(it.model.composer.buffer.text(), "n", "keys are text again");
}

#[test]
fn a_search_opens_the_card_that_holds_the_text() {
    let mut it = story(80, 24);
    assert!(!it.screen().contains("fn refresh() {}"));
    find(&mut it, "fn refresh()");
    assert!(it.screen().contains("fn refresh() {}"), "{}", it.screen());
    find(&mut it, "no such words");
    assert!(it.model.conversation.search().is_none());
}

#[test]
fn the_search_key_begins_and_goes_on() {
    let mut it = story(80, 24);
    it.keys("f3");
    assert_eq!(it.model.composer.buffer.text(), "/search ");
    it.type_text("guard");
    it.keys("enter");
    assert!(it.model.conversation.search().is_some());
    it.keys("f3");
    assert_eq!(it.model.composer.buffer.text(), "");
}

#[test]
fn a_code_block_is_copied_by_its_number() {
    let mut it = Harness::new(80, 24);
    it.answer(vec![text(
        "a\n\n```rust\nlet a = 1;\n```\n\nb\n\n```\nx\ny\n```\n",
    )]);
    for (typed, expected) in [
        ("/copy 2", Some("x\ny\n")),
        ("/copy 3", None),
        ("/copy x", None),
    ] {
        it.take_effects();
        it.type_text(typed);
        it.keys("enter");
        let copied = it
            .take_effects()
            .into_iter()
            .find_map(|effect| match effect {
                Effect::Copy(text) => Some(text),
                _ => None,
            });
        assert_eq!(copied.as_deref(), expected, "{typed}");
    }
    assert!(it.screen().contains("has 2 code blocks"));
}
