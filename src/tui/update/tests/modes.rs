//! Plan mode and the list of steps on the screen.

use crate::agent::{AgentEvent, Op, SessionEvent, SettingOp};
use std::sync::Arc;

use crate::transcript::{
    Decision, EntryBody, Message, NoteKind, TodoItem, TodoList, TodoState, ToolResult,
};
use crate::tui::effect::Effect;
use crate::tui::testing::Harness;

#[test]
fn one_key_begins_plan_mode_and_ends_it_whatever_is_typed() {
    let mut it = Harness::new(80, 24);
    let asked = |it: &mut Harness, on| {
        let effects = it.take_effects();
        assert_eq!(
            effects.last(),
            Some(&Effect::Send(Op::Setting(SettingOp::PlanMode(on))))
        );
        it.event(AgentEvent::Session(SessionEvent::PlanMode(on)));
    };
    it.take_effects();
    it.keys("shift-tab");
    asked(&mut it, true);
    it.wait(10_000);
    insta::assert_snapshot!("plan_mode_80x24", it.screen());
    it.type_text("half a sentence");
    it.keys("shift-tab");
    asked(&mut it, false);
    it.wait(10_000);
    assert!(!it.screen().contains("PLAN"));
    it.keys("ctrl-c");
    it.type_text("/plan");
    it.take_effects();
    it.keys("enter");
    asked(&mut it, true);
    it.wait(10_000);
    for (columns, rows) in [(40, 12), (20, 6)] {
        it.resize(columns, rows);
        let screen = it.screen();
        assert!(screen.contains("PLAN"), "{screen}");
    }
}

#[test]
fn what_the_model_is_told_of_plan_mode_goes_when_it_is_taken_back() {
    let mut it = Harness::new(80, 24);
    let told = it.entry(EntryBody::note(NoteKind::Plan, "[Plan mode is on.]"));
    assert!(it.screen().contains("[Plan mode is on.]"));
    it.entry(EntryBody::Decision(Decision::Undo { target: told }));
    assert!(!it.screen().contains("[Plan mode is on.]"));
}

/// The answer of the `todo` tool that keeps these steps.
fn keep(it: &mut Harness, steps: &[(&str, TodoState)]) {
    let list = TodoList {
        items: steps
            .iter()
            .map(|(text, state)| TodoItem {
                text: (*text).to_owned(),
                state: *state,
            })
            .collect(),
    };
    it.entry(EntryBody::Message(Arc::new(Message::ToolResult(
        ToolResult {
            tool_name: TodoList::TOOL.to_owned(),
            details: Some(list.to_details()),
            ..ToolResult::default()
        },
    ))));
}

#[test]
fn the_list_of_steps_stands_above_the_composer_folds_and_goes_when_all_is_done() {
    let mut it = Harness::new(80, 24);
    it.type_text("/todo");
    it.keys("enter");
    assert!(it.screen().contains("no task list"));
    it.wait(10_000);
    let steps = [
        ("read the guard", TodoState::Done),
        ("find who drops it", TodoState::Done),
        (
            "hold the lock \u{1b}[2J across the await 漢字",
            TodoState::InProgress,
        ),
        ("test the race", TodoState::Pending),
        ("write the changelog", TodoState::Pending),
        ("ask for a review", TodoState::Pending),
        ("rename the guard", TodoState::Pending),
    ];
    keep(&mut it, &steps);
    insta::assert_snapshot!("todo_80x24", it.screen());
    it.type_text("/todo");
    it.keys("enter");
    it.wait(10_000);
    let folded = it.screen();
    assert!(folded.contains("todo 2/7 · hold the lock"), "{folded}");
    assert!(!folded.contains("test the race"), "{folded}");
    it.resize(40, 12);
    insta::assert_snapshot!("todo_40x12", it.screen());
    it.resize(20, 6);
    assert!(!it.screen().contains("todo"));
    it.resize(80, 24);
    let done: Vec<_> = steps
        .iter()
        .map(|(text, _)| (*text, TodoState::Done))
        .collect();
    keep(&mut it, &done);
    assert!(!it.screen().contains("todo 7/7"));
    it.open(Vec::new());
    assert_eq!(it.model.session.todo.list, None);
}
