use super::*;
use crate::agent::{ContextOp, Query, QueryReply, UndoOp};
use crate::context::{Category, Role};
use crate::transcript::{ServerContext, ServerEdits};
use crate::tui::overlay::fixture::{self, OverlayStage};

#[test]
fn the_ledger_at_its_sizes() {
    let stage = OverlayStage::session();
    let mut ledger = Ledger::all();
    fixture::assert_looks!("all", stage, &mut ledger);
}

#[test]
fn what_the_server_does_further_is_said_above_the_rows() {
    let mut stage = OverlayStage::session();
    let mut ledger = Ledger::all();
    assert!(!stage.draw(&mut ledger, 120, 40).contains("the server"));
    let mut view = (**stage.view.as_ref().unwrap()).clone();
    view.window.server = ServerEdits {
        context: ServerContext::ClearToolUses,
        from_tokens: Some(96_000),
    };
    stage.view = Some(Arc::new(view));
    let screen = stage.draw(&mut ledger, 120, 40);
    assert!(
        screen.contains("the server clears old tool results from 96.0k"),
        "{screen}"
    );
}

#[test]
fn what_was_taken_out_at_its_sizes() {
    let stage = OverlayStage::session();
    let mut ledger = Ledger::pruned();
    fixture::assert_looks!("pruned", stage, &mut ledger);
}

#[test]
fn no_size_and_no_text_breaks_it() {
    let stage = OverlayStage::session();
    let mut ledger = Ledger::all();
    fixture::assert_safe_at_all_sizes(&stage, &mut ledger);
    stage.press(&mut ledger, "g");
    fixture::assert_safe_at_all_sizes(&stage, &mut ledger);
    fixture::assert_safe_at_all_sizes(&stage, &mut Ledger::pruned());
    fixture::assert_safe_at_all_sizes(&OverlayStage::empty(), &mut Ledger::all());
}

#[test]
fn the_first_press_shows_the_effect_and_the_second_sends_it() {
    let stage = OverlayStage::session();
    let id = EntryId::new("b0000003");
    for (key, op, shown) in [
        (
            "p",
            Op::Context(ContextOp::Pin(id.clone())),
            "pin (group of 4): ~+50,283 tokens → 48%",
        ),
        (
            "r",
            Op::Context(ContextOp::Restore(id.clone())),
            "restore and 1 more (~2.9k): ~+50,283 tokens → 48%",
        ),
        (
            "d",
            Op::Context(ContextOp::Drop(id.clone())),
            "drop (group of 4): ~−31,974 tokens → 7%",
        ),
    ] {
        let mut ledger = Ledger::all();
        stage.press(&mut ledger, "/ c a r g o space b u i l d Enter");
        let asks = Effect::Send(Op::query(Query::Foresee(Box::new(op.clone()))));
        assert_eq!(stage.press(&mut ledger, key), std::slice::from_ref(&asks));
        let screen = stage.draw(&mut ledger, 120, 40);
        assert!(screen.contains(shown), "{key}: {screen}");
        assert_eq!(stage.press(&mut ledger, key), [Effect::Send(op)]);
        assert_eq!(
            stage.press(&mut ledger, key),
            [asks],
            "a third press plans again"
        );
    }
}

/// What the agent found by trying it takes the place of the estimate, on the bar too.
#[test]
fn what_the_agent_foresees_is_shown_before_it_is_done() {
    let stage = OverlayStage::session();
    let mut ledger = Ledger::all();
    stage.press(&mut ledger, "u");
    let before = stage.draw(&mut ledger, 120, 40);
    let foreseen = |op: Op, tokens_after| {
        AgentEvent::reply(QueryReply::Foreseen {
            op,
            undoes: Some("undo of the drop of “x”".to_owned()),
            tokens_after,
        })
    };
    let other = foreseen(Op::Context(ContextOp::Pin(EntryId::new("b0000001"))), 1);
    stage.report(&mut ledger, &other);
    assert_eq!(
        stage.draw(&mut ledger, 120, 40),
        before,
        "another plan's answer"
    );
    stage.report(
        &mut ledger,
        &foreseen(
            Op::Context(ContextOp::Undo(UndoOp::UNDO.confirmed())),
            65_751,
        ),
    );
    let screen = stage.draw(&mut ledger, 120, 40);
    let said = "undo of the drop of “x”: +20,000 tokens → 33% · u again: do it";
    assert!(screen.contains(said), "{screen}");
    assert!(screen.contains("▪+++++"), "{screen}");
}

#[test]
fn leaving_a_plan_sends_nothing() {
    let stage = OverlayStage::session();
    let mut ledger = Ledger::all();
    stage.press(&mut ledger, "u");
    assert!(!stage.closes(&mut ledger, "Esc"));
    let asks = Effect::Send(Op::query(Query::Foresee(Box::new(Op::Context(
        ContextOp::Undo(UndoOp::UNDO.confirmed()),
    )))));
    assert_eq!(stage.press(&mut ledger, "u"), [asks]);
    assert_eq!(
        stage.press(&mut ledger, "u"),
        [Effect::Send(Op::Context(ContextOp::Undo(
            UndoOp::UNDO.confirmed()
        )))]
    );
    assert_eq!(
        stage.press(&mut ledger, "p j p"),
        [],
        "another row is another plan"
    );
    assert!(
        stage
            .draw(&mut ledger, 120, 40)
            .contains("cannot be changed")
    );
}

#[test]
fn a_fold_opens_and_its_messages_open_with_the_summary_beside_them() {
    let stage = OverlayStage::session();
    let mut ledger = Ledger::all();
    stage.press(&mut ledger, "j j j");
    assert!(
        !stage
            .draw(&mut ledger, 120, 40)
            .contains("why does the refresh race?")
    );
    stage.press(&mut ledger, "space j");
    assert!(
        stage
            .draw(&mut ledger, 120, 40)
            .contains("why does the refresh race?")
    );
    let mut item = stage.opens(&mut ledger, "Enter");
    let screen = stage.draw(item.as_mut(), 120, 24);
    assert!(screen.contains("compaction c0ffee01"), "{screen}");
    assert!(screen.contains("× why does the refresh race?"), "{screen}");
}

#[test]
fn filters_sorts_and_words_narrow_the_rows() {
    let stage = OverlayStage::session();
    let mut ledger = Ledger::all();
    stage.press(&mut ledger, "f f");
    let screen = stage.draw(&mut ledger, 120, 40);
    assert!(
        screen.contains("only trimmed") && screen.contains("1 row "),
        "{screen}"
    );
    stage.press(&mut ledger, "Esc s");
    let screen = stage.draw(&mut ledger, 120, 40);
    assert!(screen.contains("by size"), "{screen}");
    stage.press(&mut ledger, "/ R E F R E S H Enter");
    let screen = stage.draw(&mut ledger, 120, 40);
    assert!(
        screen.contains("refresh.rs") && !screen.contains("7 tools"),
        "{screen}"
    );
    assert!(
        !stage.closes(&mut ledger, "Esc"),
        "esc shows all rows first"
    );
    assert!(stage.closes(&mut ledger, "Esc"));
}

#[test]
fn the_request_is_asked_for() {
    let stage = OverlayStage::session();
    let mut ledger = Ledger::all();
    assert_eq!(
        stage.press(&mut ledger, "w"),
        [Effect::Send(Op::query(Query::Wire))]
    );
}

#[test]
fn the_cursor_follows_its_entry_into_the_next_view() {
    let mut stage = OverlayStage::session();
    let mut ledger = Ledger::all();
    stage.press(&mut ledger, "/ n o w space r u n Enter j");
    stage.press(&mut ledger, "k Esc");
    let before = stage.draw(&mut ledger, 80, 24);
    assert!(
        before
            .lines()
            .any(|row| row.starts_with('›') && row.contains("now run")),
        "{before}"
    );
    let old = stage.view.clone().unwrap();
    let mut next = (*old).clone();
    let first = next.items.get(0).cloned().unwrap();
    next.items = std::iter::once(first)
        .chain(old.items.iter().cloned())
        .collect();
    stage.view = Some(Arc::new(next));
    let after = stage.draw(&mut ledger, 80, 24);
    assert!(
        after
            .lines()
            .any(|row| row.starts_with('›') && row.contains("now run")),
        "{after}"
    );
}

#[test]
fn a_frame_costs_the_viewport() {
    let mut stage = OverlayStage::empty();
    let items = (0..100_000).map(|n| {
        let id = format!("{n:08x}");
        fixture::item(Some(&id), Role::User, Category::User, n, n as u32, "words")
    });
    stage.view = Some(Arc::new(fixture::view(items.collect(), Vec::new())));
    let mut ledger = Ledger::all();
    stage.draw(&mut ledger, 120, 40);
    let start = std::time::Instant::now();
    for _ in 0..100 {
        stage.press(&mut ledger, "PgDn");
        stage.draw(&mut ledger, 120, 40);
    }
    // A hundred frames that each walked 100,000 rows would take tens of seconds.
    assert!(
        start.elapsed() < std::time::Duration::from_secs(40),
        "{:?}",
        start.elapsed()
    );
}
