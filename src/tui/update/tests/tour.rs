//! The introduction over the usual screens.

use super::*;
use crate::agent::{CompactionEvent, ContextEvent, ContextOp, TurnOp, UndoWay};
use crate::context::Category;
use crate::transcript::UndoableKind;
use crate::tui::testing::view_of;
use crate::tui::tour::{Tour, TourStep};

/// In the practice session, at its beginning.
fn touring(columns: u16, rows: u16) -> Harness {
    let mut screen = Harness::new(columns, rows);
    screen.model.introduction.tour = Some(Tour::default());
    screen.user("why does the token refresh race?");
    screen.event(AgentEvent::Context(ContextEvent::View(Arc::new(
        crate::tui::testing::view_of(&[3_100, 2_400, 0, 0, 0, 0, 0, 9_000, 0, 20_000, 60_000, 0]),
    ))));
    screen.take_effects();
    screen
}

fn step(screen: &Harness) -> TourStep {
    screen
        .model
        .introduction
        .tour
        .map(|tour| tour.step)
        .unwrap()
}

fn taken_back() -> AgentEvent {
    AgentEvent::Context(ContextEvent::ActUndone {
        way: UndoWay::Undo,
        kind: UndoableKind::Restore,
        what: "restore of “x”".to_owned(),
        tokens_change: 0,
    })
}

fn applied(what: &'static str) -> AgentEvent {
    AgentEvent::Context(ContextEvent::OverrideApplied {
        what,
        target: EntryId::new("00000001"),
        others: 0,
        tokens_change: 0,
    })
}

#[test]
fn the_panel_of_the_introduction_fits_every_screen() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12), (20, 6)] {
        let mut screen = touring(columns, rows);
        insta::assert_snapshot!(format!("tour_{columns}x{rows}"), screen.screen());
    }
    for (columns, rows) in [(1, 1), (3, 2), (8, 3), (12, 4)] {
        touring(columns, rows).draw();
    }
}

#[test]
fn the_offer_of_the_first_start_fits_every_screen() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 12), (20, 6)] {
        let mut screen = Harness::new(columns, rows);
        screen.model.introduction.is_offered = true;
        insta::assert_snapshot!(format!("tour_offer_{columns}x{rows}"), screen.screen());
    }
}

#[test]
fn the_offer_is_taken_by_enter_declined_by_esc_and_gone_with_a_message() {
    let offered = || {
        let mut screen = Harness::new(80, 24);
        screen.model.introduction.is_offered = true;
        screen
    };
    let mut screen = offered();
    screen.keys("enter");
    assert_eq!(screen.take_effects(), [Effect::BeginTour]);
    assert!(!screen.model.introduction.is_offered);

    let mut screen = offered();
    screen.keys("esc");
    assert!(!screen.model.introduction.is_offered && screen.take_effects().is_empty());
    assert!(!screen.model.status.is_timeline_armed());

    let mut screen = offered();
    screen.type_text("hello");
    assert!(
        screen.model.introduction.is_offered,
        "it stays while one writes"
    );
    screen.keys("enter");
    assert!(!screen.model.introduction.is_offered);
    let sent = |effect: &Effect| matches!(effect, Effect::Send(Op::Turn(TurnOp::Submit { .. })));
    assert!(screen.take_effects().iter().any(sent));
}

#[test]
fn every_step_says_what_to_do_even_where_there_is_little_room() {
    for rows in [6, 12, 24] {
        let mut screen = touring(44, rows);
        for number in 1..=6 {
            let text = screen.screen();
            let long = format!("practice {number} of 6");
            let short = format!("{number}/6");
            assert!(text.contains(&long) || text.contains(&short), "{text}");
            assert!(text.contains('%'), "the gauge is hidden: {text}");
            let next = match number {
                1 => TourStep::Ledger,
                2 => TourStep::Pruned,
                3 => TourStep::Restore,
                4 => TourStep::Compact,
                _ => TourStep::Undo,
            };
            screen.model.introduction.tour.as_mut().unwrap().step = next;
        }
    }
}

#[test]
fn a_step_is_done_by_doing_it() {
    let mut screen = touring(80, 24);
    screen.keys("f2");
    assert_eq!(step(&screen), TourStep::Ledger);
    screen.keys("esc");
    assert_eq!(step(&screen), TourStep::Ledger, "no item was looked at");
    screen.model.introduction.tour.as_mut().unwrap().step = TourStep::Restore;
    screen.event(applied("pinned"));
    assert_eq!(step(&screen), TourStep::Restore);
    screen.event(applied("restored"));
    assert_eq!(step(&screen), TourStep::Compact);
    screen.event(taken_back());
    screen.event(AgentEvent::Compaction(CompactionEvent::Cancelled {
        reason: "cancelled".to_owned(),
    }));
    assert_eq!(
        step(&screen),
        TourStep::Undo,
        "what was undone before is no answer"
    );
    screen.event(taken_back());
    assert_eq!(step(&screen), TourStep::Over);
    screen.take_effects();
    screen.keys("enter");
    assert_eq!(screen.take_effects(), [Effect::EndTour]);
}

#[test]
fn practice_keeps_no_setting_and_no_key() {
    let mut screen = touring(80, 24);
    for line in [
        "/settings mouse=false",
        "/settings",
        "/login",
        "/logout groq",
    ] {
        screen.type_text(line);
        screen.keys("esc enter");
        let is_draft =
            |effect: &Effect| matches!(effect, Effect::Send(Op::Turn(TurnOp::Draft { .. })));
        assert!(screen.take_effects().iter().all(is_draft), "{line}");
        let text = screen.screen();
        assert!(text.contains("the practice session saves no"), "{text}");
        screen.model.composer.buffer.clear();
    }
}

#[test]
fn practice_reaches_no_model_no_shell_and_no_file() {
    let mut screen = touring(80, 24);
    for line in [
        "hello",
        "!rm -rf build",
        "/init",
        "/export",
        "/remember x",
        "/new",
    ] {
        screen.type_text(line);
        screen.keys("esc enter");
        screen.wait(1_000);
        let effects = screen.take_effects();
        let is_harmless =
            |effect: &Effect| matches!(effect, Effect::Send(Op::Turn(TurnOp::Draft { .. })));
        assert!(effects.iter().all(is_harmless), "{line}: {effects:?}");
        assert!(!screen.model.activity.is_busy());
        screen.model.composer.buffer.clear();
    }
    screen.type_text("/prune");
    screen.keys("esc enter");
    let prune = Effect::Send(Op::Context(ContextOp::Prune { dry_run: false }));
    assert!(screen.take_effects().contains(&prune));
}

fn see(it: &mut Harness) {
    let view = Arc::new(view_of(&[10; Category::COUNT]));
    it.event(AgentEvent::Context(ContextEvent::View(view)));
}

#[test]
fn the_gauge_is_explained_once_when_there_is_a_conversation() {
    let mut it = Harness::new(120, 40);
    it.model.introduction.explains_gauge = true;
    see(&mut it);
    assert!(!it.screen().contains("f4: legend"), "nothing was said yet");
    it.user("hello");
    see(&mut it);
    let screen = it.screen();
    assert!(
        screen.contains("full at 180k tokens") && screen.contains("f4: legend"),
        "{screen}"
    );
    let kept = |effect: &&Effect| **effect == Effect::KeepLegendShown;
    see(&mut it);
    assert_eq!(it.effects.iter().filter(kept).count(), 1);
    assert_eq!(it.screen().matches("f4: legend").count(), 1);
}

#[test]
fn whoever_was_told_before_is_not_told_again() {
    let mut it = Harness::new(120, 40);
    it.user("hello");
    see(&mut it);
    assert!(!it.screen().contains("f4: legend"));
    it.keys("f4");
    assert!(it.screen().contains("legend of the gauge"));
    it.keys("f4");
    assert!(!it.screen().contains("legend of the gauge"));
    it.type_text("/legend");
    it.keys("enter");
    assert!(it.screen().contains("legend of the gauge"));
}
