//! The card of a compaction: reviewed and undone in place.

use crate::agent::{AgentEvent, CompactionEvent, ContextOp, Op, Query};
use crate::transcript::{Compaction, CompactionDetails, EntryBody, EntryId};
use crate::tui::effect::Effect;
use crate::tui::testing::Harness;

fn compacted(screen: &mut Harness) -> EntryId {
    screen.entry(EntryBody::Compaction(Box::new(Compaction {
        summary: "## Goal\nfix the race".to_owned(),
        tokens_before: 171_204,
        details: CompactionDetails {
            tokens_after: 24_310,
            ..CompactionDetails::default()
        },
        ..Compaction::default()
    })))
}

#[test]
fn the_card_in_focus_is_reviewed_with_enter_and_undone_with_u() {
    let mut screen = Harness::new(80, 24);
    let old = compacted(&mut screen);
    let new = compacted(&mut screen);
    screen.keys("ctrl-up");
    let shown = screen.screen();
    assert!(shown.contains("171k → 24.3k"), "{shown}");
    assert!(shown.contains("enter: review · u: undo"), "{shown}");
    screen.keys("enter u");
    let sent = |op| Effect::Send(op);
    let both = [
        sent(Op::query(Query::Compaction(new))),
        sent(Op::Context(ContextOp::Uncompact)),
    ];
    assert!(screen.effects.ends_with(&both), "{:?}", screen.effects);
    screen.keys("ctrl-up u");
    assert!(
        screen
            .screen()
            .contains("only the newest active compaction")
    );
    screen.keys("enter");
    assert_eq!(
        screen.effects.last(),
        Some(&sent(Op::query(Query::Compaction(old))))
    );
    screen.keys("esc u");
    assert_eq!(
        screen.model.composer.buffer.text(),
        "u",
        "nothing is in focus"
    );
}

#[test]
fn one_that_was_undone_is_not_undone_again() {
    let mut screen = Harness::new(80, 24);
    let target = compacted(&mut screen);
    screen.event(AgentEvent::Compaction(CompactionEvent::Undone {
        target,
        tokens_after: 171_204,
        over_load_line: false,
    }));
    screen.keys("ctrl-up u");
    assert!(
        !screen
            .effects
            .contains(&Effect::Send(Op::Context(ContextOp::Uncompact)))
    );
}
