//! Plan mode and the list of steps on the screen.

use crate::agent::{
    AgentEvent, ApprovalMode, ApprovalState, Op, SessionEvent, SettingOp, WorkMode,
};
use std::sync::Arc;

use crate::transcript::{
    Decision, EntryBody, Message, NoteKind, TodoItem, TodoList, TodoState, ToolResult,
};
use crate::tui::effect::Effect;
use crate::tui::testing::Harness;

/// What the agent does with an op on the mode.
fn follow_mode(it: &mut Harness, expected: &SettingOp) {
    let effects = it.take_effects();
    assert_eq!(
        effects.last(),
        Some(&Effect::Send(Op::Setting(expected.clone())))
    );
    let is_planning = matches!(
        expected,
        SettingOp::PlanMode(true) | SettingOp::Mode(WorkMode::Plan)
    );
    if is_planning != it.model.session.mode.is_planning {
        it.event(AgentEvent::Session(SessionEvent::PlanMode(is_planning)));
    }
    if let SettingOp::Mode(mode) = expected
        && let Some(mode) = mode.approvals()
    {
        let state = ApprovalState {
            mode,
            ..ApprovalState::default()
        };
        it.event(AgentEvent::Session(SessionEvent::Approvals(state)));
    }
}

#[test]
fn one_key_goes_through_ask_accept_edits_and_plan_and_each_is_said_once() {
    let mut it = Harness::new(80, 24);
    it.take_effects();
    for (mode, word, told) in [
        (
            WorkMode::AcceptEdits,
            "· accept edits",
            "edits in the folder run",
        ),
        (WorkMode::Plan, "· plan", "the model reads and plans"),
        (WorkMode::Ask, "· ask", "edits, commands and secrets ask"),
        (
            WorkMode::AcceptEdits,
            "· accept edits",
            "edits in the folder run",
        ),
    ] {
        it.type_text("x");
        it.keys("shift-tab");
        follow_mode(&mut it, &SettingOp::Mode(mode));
        let screen = it.screen();
        assert!(screen.contains(told), "{mode:?}: {screen}");
        let header = screen.lines().next().unwrap();
        assert!(header.ends_with(word), "{mode:?}: {header}");
        it.wait(10_000);
        assert!(!it.screen().contains(told), "{mode:?}");
    }
}

#[test]
fn a_mode_that_is_none_of_the_three_is_left_to_ask() {
    let mut it = Harness::new(80, 24);
    let all = ApprovalState {
        mode: ApprovalMode::All,
        ..ApprovalState::default()
    };
    it.event(AgentEvent::Session(SessionEvent::Approvals(all)));
    assert!(it.screen().lines().next().unwrap().ends_with("· allow all"));
    it.take_effects();
    it.keys("shift-tab");
    follow_mode(&mut it, &SettingOp::Mode(WorkMode::Ask));
    assert!(it.screen().lines().next().unwrap().ends_with("· ask"));
}

#[test]
fn plan_mode_is_on_the_screen_at_any_size() {
    let mut it = Harness::new(80, 24);
    it.type_text("/plan");
    it.take_effects();
    it.keys("enter");
    follow_mode(&mut it, &SettingOp::PlanMode(true));
    it.wait(10_000);
    insta::assert_snapshot!("plan_mode_80x24", it.screen());
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
