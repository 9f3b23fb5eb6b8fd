use super::*;
use crate::context::{Category, Role};
use crate::tui::overlay::fixture::{self, OverlayStage};
use crate::tui::widget::scroll_text::MarkedText;

fn view_of(stage: &OverlayStage, id: &str) -> ItemView {
    let view = stage.view.as_ref().unwrap();
    let item = view
        .items
        .iter()
        .find(|item| item.entry.as_ref().is_some_and(|e| e.as_str() == id));
    ItemView::sent(Arc::clone(item.unwrap()))
}

#[test]
fn a_trimmed_result_from_both_sides() {
    let stage = OverlayStage::session();
    let mut view = view_of(&stage, "b0000003");
    fixture::assert_looks!("trimmed", stage, &mut view);
}

#[test]
fn tab_shows_the_other_side_on_a_narrow_screen() {
    let stage = OverlayStage::session();
    let mut view = view_of(&stage, "b0000003");
    assert!(!stage.draw(&mut view, 80, 24).contains("54 lines trimmed"));
    stage.press(&mut view, "Tab");
    assert!(stage.draw(&mut view, 80, 24).contains("54 lines trimmed"));
}

#[test]
fn the_original_is_copied_untouched() {
    let stage = OverlayStage::session();
    let mut view = view_of(&stage, "b0000005");
    assert_eq!(
        stage.press(&mut view, "y"),
        [Effect::Copy(fixture::HOSTILE.to_owned())]
    );
    fixture::assert_safe_at_all_sizes(&stage, &mut view);
}

#[test]
fn search_finds_what_was_cut() {
    let stage = OverlayStage::session();
    let mut view = view_of(&stage, "b0000003");
    stage.draw(&mut view, 120, 20);
    stage.press(&mut view, "/ l i n e space 4 4 Enter");
    assert!(
        stage
            .draw(&mut view, 120, 20)
            .contains("× line 44 of the build log")
    );
}

#[test]
fn system_and_tools_show_the_text_that_is_sent() {
    let stage = OverlayStage::session();
    for (at, words, copied) in [
        (0, "Work in small steps.", "You are a careful engineer."),
        (1, "Long ones in pages.", "## read\nReads a file."),
    ] {
        let item = stage.view.as_ref().unwrap().items.get(at).cloned().unwrap();
        let mut view = ItemView::sent(item);
        assert!(stage.draw(&mut view, 120, 20).contains(words));
        let effects = stage.press(&mut view, "y");
        let [Effect::Copy(text)] = &effects[..] else {
            panic!("{effects:?}");
        };
        assert!(text.starts_with(copied), "{text}");
    }
}

#[test]
fn a_cut_inside_a_line_shows_what_is_left_of_it() {
    let rows = compare("ab\ncdef\nghij\nkl", "ab\ncd\n[cut]\nij\nkl");
    let text = |pieces: &Option<Vec<MarkedText>>| -> String {
        let pieces = pieces.iter().flatten();
        pieces
            .map(|piece| {
                if piece.strong {
                    format!("<{}>", piece.text)
                } else {
                    piece.text.clone()
                }
            })
            .collect()
    };
    let shown: Vec<String> = rows
        .iter()
        .map(|row| format!("{}|{}", text(&row.left), text(&row.right)))
        .collect();
    assert_eq!(
        shown,
        ["ab|ab", "cd<ef>|cd", "|<[cut]>", "<gh>ij|ij", "kl|kl"]
    );
}

#[test]
fn a_message_that_sets_rules_says_so_and_shows_them() {
    let mut stage = OverlayStage::session();
    let long = format!(
        "{}\nplease never push to main, ok?",
        "one more line\n".repeat(80)
    );
    stage.message("b0000007", Message::user_text(&long), 5);
    let screen = |stage: &OverlayStage| {
        let entry = EntryId::new("b0000007");
        let mut view = ItemView::entry(entry).saying("never push to main");
        stage.draw(&mut view, 120, 24)
    };
    let view = stage.view.take().unwrap();
    let mut items: Vec<ViewItem> = view.items.iter().map(|it| ViewItem::clone(it)).collect();
    let message = fixture::item(
        Some("b0000007"),
        Role::User,
        Category::User,
        400,
        5,
        "one more line",
    );
    items.push(message);
    let mut view = fixture::view(items, Vec::new());
    stage.view = Some(Arc::new(view.clone()));
    let plain = screen(&stage);
    assert!(!plain.contains("sets"), "{plain}");
    assert!(plain.contains("please never push to main, ok?"), "{plain}");
    view.rules.rules = [
        fixture::rule("r1", "never push to main", "b0000007"),
        fixture::rule("r2", "keep it short", "b0000007"),
        fixture::rule("r3", "ask before deleting", "b0000001"),
    ]
    .into();
    stage.view = Some(Arc::new(view));
    let ruling = screen(&stage);
    assert!(ruling.contains("in full · sets 2 rules"), "{ruling}");
}
