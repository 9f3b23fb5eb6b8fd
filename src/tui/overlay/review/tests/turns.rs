//! A first compaction: the turns that go beside the summary.

use super::*;
use crate::context::replaced_turns::{LostKind, LostText, ReplacedTurn, TurnCover};

fn turn(number: u32, words: &str, cover: TurnCover) -> ReplacedTurn {
    ReplacedTurn {
        number,
        entry: EntryId::new(format!("a000000{}", number - 1)),
        words: words.to_owned(),
        calls: u64::from(number),
        failed: 0,
        cover,
        lost: Vec::new(),
    }
}

fn lost(kind: LostKind, text: &str, entry: &str) -> LostText {
    LostText {
        kind,
        text: text.to_owned(),
        entry: EntryId::new(entry),
    }
}

/// A first proposal.
fn first(turns: Vec<ReplacedTurn>) -> Box<CompactionProposal> {
    let mut proposal = proposal();
    proposal.comparison.left.clear();
    proposal.comparison.left_title = "3 turns that go, 1 covered".to_owned();
    proposal.comparison.turns = turns;
    proposal
}

fn three_turns() -> Vec<ReplacedTurn> {
    let mut partly = turn(2, fixture::HOSTILE, TurnCover::Partly);
    partly.lost = vec![
        lost(
            LostKind::Identifier,
            "migrations/0042_users.sql",
            "a0000001",
        ),
        lost(LostKind::FailedCommand, "cargo test -p billing", "b0000003"),
    ];
    partly.failed = 1;
    let mut missing = turn(3, "never push to main", TurnCover::Missing);
    missing.lost = vec![lost(LostKind::Rule, "never push to main", "a0000002"); 9];
    vec![
        turn(1, "why does the refresh race?", TurnCover::Covered),
        partly,
        missing,
    ]
}

#[test]
fn a_first_review_at_its_sizes() {
    let stage = OverlayStage::session();
    let mut review = entered(Review::new(first(three_turns())));
    stage.report(&mut review, &sources());
    fixture::assert_looks!("turns", stage, &mut review);
}

#[test]
fn each_turn_has_its_tick_and_what_is_lost_of_it() {
    let stage = OverlayStage::session();
    let mut turns = three_turns();
    for (width, height) in [(120, 40), (80, 40)] {
        let mut review = entered(Review::new(first(turns.clone())));
        let screen = stage.draw(&mut review, width, height);
        for row in [
            "✓ 1. why does the refresh race? — 1 call",
            "~ 2. ",
            "✗ 3. never push to main — 3 calls",
            "lost: identifier `migrations/0042_users.sql`",
            "and 3 more",
        ] {
            assert!(screen.contains(row), "{row}: {screen}");
        }
        assert!(!screen.contains("extractive summary of"), "{screen}");
    }
    turns[0].cover = TurnCover::Missing;
    let mut review = entered(Review::new(first(turns)));
    assert!(stage.draw(&mut review, 120, 40).contains("✗ 1. why does"));
}

#[test]
fn enter_opens_the_turn_and_the_message_of_what_is_lost() {
    let stage = OverlayStage::session();
    let mut review = entered(Review::new(first(three_turns())));
    stage.draw(&mut review, 120, 40);
    stage.press(&mut review, "Enter");
    let screen = stage.draw(&mut review, 120, 40);
    assert!(
        screen.contains("covered: turn 1. why does the refresh race? — 1 call"),
        "{screen}"
    );
    let mut message = stage.opens(&mut review, "Enter");
    assert!(
        stage
            .draw(message.as_mut(), 120, 40)
            .contains("why does the refresh race?")
    );
    stage.press(&mut review, "j j j");
    let screen = stage.draw(&mut review, 120, 40);
    assert!(screen.contains("! lost: failed command `cargo test -p billing` ← b0000003"));
    let mut message = stage.opens(&mut review, "Enter");
    assert!(
        stage
            .draw(message.as_mut(), 120, 40)
            .contains("of the build log")
    );
}

#[test]
fn later_compactions_are_compared_with_the_summary_before() {
    let stage = OverlayStage::session();
    let mut review = review();
    let screen = stage.draw(&mut review, 120, 40);
    assert!(screen.contains("previous summary (#2, 13:10)"), "{screen}");
    assert!(!screen.contains("✓ 1."), "{screen}");
}

#[test]
fn three_hundred_turns_scroll_and_stay_inside() {
    let stage = OverlayStage::session();
    let turns = (1..=300).map(|number| {
        let mut turn = turn(
            1,
            &format!("{} ask {number}", fixture::HOSTILE),
            TurnCover::Partly,
        );
        turn.number = number;
        turn.lost = vec![lost(LostKind::Identifier, &"漢字/".repeat(90), "a0000001"); 2];
        turn
    });
    let mut review = entered(Review::new(first(turns.collect())));
    fixture::assert_safe_at_all_sizes(&stage, &mut review);
    stage.draw(&mut review, 80, 24);
    stage.press(&mut review, "Enter PgDn PgDn");
    let screen = stage.draw(&mut review, 80, 24);
    assert!(
        screen.contains("turn 7. ") || screen.contains("identifier"),
        "{screen}"
    );
    stage.press(&mut review, "Esc G");
    stage.draw(&mut review, 80, 24);
}
