//! Claims in the texts: marks, the cursor on them, and the message behind each.

use super::*;
use crate::tui::theme::Theme;
use crate::tui::widget::TextTone;

/// A review whose claims were looked up.
fn looked_up() -> Review {
    let stage = OverlayStage::session();
    let mut review = review();
    stage.report(&mut review, &sources());
    review
}

/// The pieces of the rows that have this tone.
fn toned(review: &Review, tone: TextTone) -> Vec<String> {
    let rows = review.sheet.rows().iter();
    let sides = rows.flat_map(|row| row.right.iter().flatten());
    let toned = sides.filter(|piece| piece.tone == tone);
    toned.map(|piece| piece.text.clone()).collect()
}

#[test]
fn claims_at_their_sizes() {
    let stage = OverlayStage::session();
    let mut review = looked_up();
    fixture::assert_looks!("claims", stage, &mut review);
    stage.press(&mut review, "Enter j");
    fixture::assert_looks!("claim_that_nothing_says", stage, &mut review);
}

#[test]
fn what_nothing_says_has_a_colour_and_a_sign_and_what_is_said_is_a_link() {
    let stage = OverlayStage::session();
    let mut review = review();
    stage.draw(&mut review, 120, 40);
    assert_eq!(toned(&review, TextTone::Bad), Vec::<String>::new());
    let mut review = looked_up();
    stage.draw(&mut review, 120, 40);
    assert_eq!(toned(&review, TextTone::Bad), ["8f3e21c", "[?]"]);
    assert_eq!(
        toned(&review, TextTone::Link),
        ["refresh.rs", "src/auth/refresh.rs"]
    );
    let area = Rect::new(0, 0, 120, 40);
    let mut buffer = Buffer::empty(area);
    review.draw(area, &mut buffer, &stage.scene());
    let colour = Theme::default().warning.fg;
    let coloured = buffer.content.iter().filter(|cell| Some(cell.fg) == colour);
    let shown: String = coloured.map(ratatui::buffer::Cell::symbol).collect();
    assert!(shown.contains("8f3e21c[?]"), "{shown}");
}

#[test]
fn enter_on_a_claim_opens_the_message_that_says_it() {
    let stage = OverlayStage::session();
    let mut review = looked_up();
    stage.draw(&mut review, 120, 40);
    stage.press(&mut review, "Enter");
    let screen = stage.draw(&mut review, 120, 40);
    assert!(
        screen.contains("identifier `refresh.rs` ← a0000000"),
        "{screen}"
    );
    let mut message = stage.opens(&mut review, "Enter");
    let shown = stage.draw(message.as_mut(), 120, 40);
    assert!(shown.contains("why does the refresh race?"), "{shown}");
    stage.press(&mut review, "j");
    let screen = stage.draw(&mut review, 120, 40);
    assert!(
        screen.contains("! identifier `8f3e21c`: nowhere in the conversation"),
        "{screen}"
    );
    assert!(matches!(
        review.on_key(fixture::key("Enter"), &stage.scene()),
        Reaction::Consumed
    ));
    stage.press(&mut review, "j");
    let mut message = stage.opens(&mut review, "Enter");
    let shown = stage.draw(message.as_mut(), 120, 40);
    assert!(shown.contains("now run the build"), "{shown}");
    stage.press(&mut review, "Esc");
    assert_eq!(
        stage.press(&mut review, "a"),
        answer(ReviewDecision::Accept)
    );
}

#[test]
fn a_fold_never_hides_what_nothing_says() {
    let stage = OverlayStage::session();
    let hidden = NEW.lines().position(|line| line == "five").unwrap();
    let mut review = review();
    assert!(!stage.draw(&mut review, 120, 40).contains("five"));
    let found = SummarySources {
        claims: vec![claim(hidden, "five", None)],
        ..SummarySources::default()
    };
    let event = AgentEvent::Compaction(CompactionEvent::Sources(Box::new(found)));
    stage.report(&mut review, &event);
    assert!(stage.draw(&mut review, 120, 40).contains("five[?]"));
}

#[test]
fn a_line_that_is_only_similar_says_so_and_opens_what_it_is_similar_to() {
    let stage = OverlayStage::session();
    let mut review = looked_up();
    stage.press(&mut review, "s");
    stage.draw(&mut review, 120, 40);
    stage.press(&mut review, "Enter");
    let screen = stage.draw(&mut review, 120, 40);
    assert!(
        screen.contains("similar to a0000000, but not said there"),
        "{screen}"
    );
    assert!(!screen.contains("drawn from"), "{screen}");
    let mut message = stage.opens(&mut review, "Enter");
    assert!(
        stage
            .draw(message.as_mut(), 120, 40)
            .contains("why does the refresh race?")
    );
}

#[test]
fn each_part_of_the_audit_opens_its_findings() {
    let stage = OverlayStage::session();
    let mut review = review();
    stage.press(&mut review, "Tab Right");
    for (width, height) in [(120, 40), (80, 24), (40, 12)] {
        let screen = stage.draw(&mut review, width, height);
        assert!(screen.contains("identifiers 40/41"), "{screen}");
    }
    let mut findings = stage.opens(&mut review, "Enter");
    let screen = stage.draw(findings.as_mut(), 120, 40);
    assert!(screen.contains("›! identifiers 40/41"), "{screen}");
    assert!(
        screen.contains("8f3e21c was missing and was appended (repaired)"),
        "{screen}"
    );
    assert!(screen.contains("8f3e21c appended"), "{screen}");
    stage.press(&mut review, "Tab");
    assert!(stage.draw(&mut review, 120, 40).contains("a accept"));
}

#[test]
fn claims_outside_their_line_are_left_alone() {
    let stage = OverlayStage::session();
    let mut odd = claim(4, "8f3e21c", None);
    odd.span = 2..9_000;
    let cut = Claim {
        line: 5,
        span: 7..8,
        ..claim(4, "8f3e21c", None)
    };
    let beyond = Claim {
        line: 900,
        ..odd.clone()
    };
    let found = SummarySources {
        claims: vec![beyond, odd, cut],
        ..SummarySources::default()
    };
    let event = AgentEvent::Compaction(CompactionEvent::Sources(Box::new(found)));
    let mut review = review();
    stage.report(&mut review, &event);
    fixture::assert_safe_at_all_sizes(&stage, &mut review);
    let screen = stage.draw(&mut review, 120, 40);
    assert!(screen.contains("漢字 input"), "{screen}");
}
