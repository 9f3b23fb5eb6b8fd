//! The mouse: what is selected, what is copied, what still opens.

use ratatui::style::Modifier;

use super::{story, text};
use crate::tui::effect::Effect;
use crate::tui::input::Input;
use crate::tui::msg::Msg;
use crate::tui::overlay::inspect::text::TextView;
use crate::tui::testing::Harness;

const LONG: &str = "The refresh guard is dropped before the await, so two tasks see the expired token \
                    and both of them ask for a new one.";

/// A question and an answer that is broken to fit.
fn talk(columns: u16, rows: u16) -> Harness {
    let mut it = Harness::new(columns, rows);
    it.user("why?");
    it.answer(vec![text(&format!("{LONG}\n\n```sh\ncargo test\n```"))]);
    it.take_effects();
    it
}

/// The place of a text on the screen: column and row of its first letter.
#[track_caller]
fn place(it: &mut Harness, wanted: &str) -> (u16, u16) {
    let screen = it.screen();
    let found = screen.lines().enumerate().find_map(|(row, line)| {
        let (before, _) = line.split_once(wanted)?;
        Some((before.chars().count() as u16, row as u16))
    });
    found.unwrap_or_else(|| panic!("{wanted:?} is not on the screen:\n{screen}"))
}

fn copied(it: &mut Harness) -> Option<String> {
    it.take_effects()
        .into_iter()
        .find_map(|effect| match effect {
            Effect::Copy(text) => Some(text),
            _ => None,
        })
}

#[test]
fn dragging_copies_the_text_and_not_the_screen() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 16)] {
        let mut it = talk(columns, rows);
        let from = place(&mut it, "refresh");
        // To the last letter of the answer, rows below on a narrow screen.
        let to = place(&mut it, " one.");
        it.drag(from, (to.0 + 4, to.1));
        let expected = LONG.strip_prefix("The ").unwrap();
        assert_eq!(copied(&mut it).as_deref(), Some(expected), "{columns}");
        let said = format!("copied {} characters", expected.len());
        assert!(it.screen().contains(&said), "{}", it.screen());
        // Backwards is the same.
        it.drag((to.0 + 4, to.1), from);
        assert_eq!(copied(&mut it).as_deref(), Some(expected), "{columns}");
    }
}

#[test]
fn a_selection_goes_over_cells_without_the_gutter() {
    let mut it = talk(80, 24);
    let from = place(&mut it, "why?");
    let to = place(&mut it, "cargo test");
    it.drag(from, (79, to.1));
    let expected = format!("why?\n\n{LONG}\n\n```sh\ncargo test");
    assert_eq!(copied(&mut it), Some(expected));
}

#[test]
fn what_is_selected_is_seen_and_escape_ends_it() {
    let mut it = talk(80, 24);
    let from = place(&mut it, "guard");
    it.drag(from, (from.0 + 4, from.1));
    let shown = |it: &mut Harness| {
        let (buffer, _) = it.draw();
        let cells = (0..80u16).filter_map(|x| buffer.cell((x, from.1)));
        let selected = cells.filter(|cell| cell.modifier.contains(Modifier::REVERSED));
        selected
            .map(|cell| cell.symbol().to_owned())
            .collect::<String>()
    };
    assert_eq!(shown(&mut it), "guard");
    it.keys("esc");
    assert_eq!(shown(&mut it), "");
    it.drag(from, (from.0 + 4, from.1));
    it.resize(80, 24);
    assert_eq!(shown(&mut it), "", "other lines after a resize");
}

#[test]
fn a_selection_stays_on_its_text_while_it_scrolls() {
    let mut it = talk(80, 24);
    for number in 0..40 {
        it.user(&format!("message {number}"));
    }
    let from = place(&mut it, "message 38");
    it.drag(from, (from.0 + 9, from.1));
    assert_eq!(copied(&mut it).as_deref(), Some("message 38"));
    it.send(Msg::Input(Input::Scroll {
        steps: -1,
        column: 5,
        row: 5,
    }));
    it.screen();
    let mut again = String::new();
    it.model.with_paint(|chat, paint| {
        again = chat.selected_text(paint);
    });
    assert_eq!(again, "message 38");
    // Beyond the edge the text scrolls along.
    let top = place(&mut it, "message 3");
    let before = it.screen();
    it.drag(top, (0, 0));
    assert_ne!(it.screen(), before);
}

#[test]
fn a_double_click_takes_a_word_and_a_triple_one_a_line() {
    let mut it = talk(40, 16);
    let word = place(&mut it, "guard");
    it.click(word.0 + 2, word.1);
    assert_eq!(copied(&mut it), None);
    it.click(word.0 + 2, word.1);
    assert_eq!(copied(&mut it).as_deref(), Some("guard"));
    it.click(word.0 + 2, word.1);
    assert_eq!(copied(&mut it).as_deref(), Some(LONG));
    it.wait(1_000);
    it.click(word.0 + 2, word.1);
    assert_eq!(copied(&mut it), None, "too late to be a fourth click");
}

#[test]
fn a_click_still_opens_a_card_and_dragging_does_not() {
    let mut it = story(120, 40);
    let card = place(&mut it, "read");
    it.drag(card, (card.0 + 3, card.1));
    assert_eq!(copied(&mut it).as_deref(), Some("read"));
    let closed = it.screen();
    it.wait(1_000);
    it.click(card.0, card.1);
    assert!(it.screen().contains("─ result"), "{}", it.screen());
    it.wait(1_000);
    it.click(card.0, card.1);
    it.wait(5_000);
    assert!(!it.screen().contains("─ result"), "{closed}");
}

#[test]
fn what_is_dragged_on_a_screen_over_the_transcript_is_copied_from_it() {
    let mut it = talk(80, 24);
    let text = "first line\n漢字 second line\nthird line";
    let view = TextView::new("a file".to_owned(), text.to_owned());
    it.model.screens.push(Box::new(view));
    let from = place(&mut it, "first");
    let to = place(&mut it, "third");
    it.drag(from, (to.0 + 4, to.1));
    assert_eq!(
        copied(&mut it).as_deref(),
        Some("first line\n  漢字 second line\n  third")
    );
    assert!(
        it.screen().contains("copied 35 characters"),
        "{}",
        it.screen()
    );
    let is_shown = |it: &mut Harness| {
        let (buffer, _) = it.draw();
        let cell = buffer.cell(to).unwrap();
        cell.modifier.contains(Modifier::REVERSED)
    };
    assert!(is_shown(&mut it));
    it.keys("j");
    assert!(!is_shown(&mut it), "other text stands there now");
    it.click(to.0, to.1);
    assert_eq!(copied(&mut it), None, "a click selects nothing");
    it.keys("esc");
    let word = place(&mut it, "guard");
    it.drag(word, (word.0 + 4, word.1));
    assert_eq!(copied(&mut it).as_deref(), Some("guard"));
}
