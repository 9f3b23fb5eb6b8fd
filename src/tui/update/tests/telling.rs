//! Messages of the screen while things start, stop and come back.

use std::sync::Arc;

use crate::agent::{
    AgentEvent, AnswerDelta, AnswerEvent, CompactionEvent, ContextEvent, Op, ReturnedInput,
    TurnEnd, TurnEvent, TurnOp,
};
use crate::context::{Category, WindowSource};
use crate::transcript::{
    AssistantMessage, EntryBody, EntryId, Message, ModelRef, StopReason, Timestamp, Usage,
};
use crate::tui::effect::Effect;
use crate::tui::testing::{Harness, call, view_of};

#[test]
fn commands_are_not_counted_as_a_message() {
    for typed in ["/context", "/compact keep it", "!ls", "!!ls"] {
        let mut it = Harness::new(80, 24);
        it.type_text("x");
        it.wait(150);
        it.keys("backspace");
        it.take_effects();
        it.type_text(typed);
        it.wait(150);
        let empty = Effect::Send(Op::Turn(TurnOp::Draft {
            text: String::new(),
            images: Vec::new(),
        }));
        assert_eq!(it.take_effects().last(), Some(&empty), "{typed}");
    }
    let mut it = Harness::new(80, 24);
    it.type_text("/usr/bin is a path");
    it.wait(150);
    let effects = it.take_effects();
    let is_draft = |effect: &Effect| matches!(effect, Effect::Send(Op::Turn(TurnOp::Draft { text, .. })) if text.starts_with("/usr"));
    assert!(effects.iter().any(is_draft), "{effects:?}");
}

#[test]
fn a_stopped_command_of_the_user_is_killed_and_no_longer_stopping() {
    let mut it = Harness::new(80, 24);
    it.event(AgentEvent::Stream(AnswerEvent::ToolStarted {
        call_id: "u1".to_owned(),
        name: "shell".to_owned(),
        title: "sleep 9".to_owned(),
    }));
    it.keys("esc");
    assert!(it.screen().contains("stopping …"));
    let run = crate::transcript::BashExecution {
        command: "sleep 9".to_owned(),
        ..Default::default()
    };
    it.entry(EntryBody::Message(Arc::new(Message::BashExecution(run))));
    let screen = it.screen();
    assert!(!screen.contains("stopping"), "{screen}");
    assert!(screen.contains("killed"), "{screen}");
}

#[test]
fn stopping_is_said_until_it_has_stopped_and_then_that_it_has() {
    let mut it = Harness::new(80, 24);
    it.user("slow one");
    it.event(AgentEvent::Stream(AnswerEvent::RequestStarted {
        model: ModelRef::default(),
    }));
    it.keys("esc");
    assert!(it.screen().contains("stopping …"));
    it.event(AgentEvent::Turn(TurnEvent::Finished(TurnEnd {
        stop: StopReason::Aborted,
        text: String::new(),
        error: None,
        error_kind: None,
        exit_code: 130,
    })));
    let screen = it.screen();
    assert!(!screen.contains("stopping"), "{screen}");
    assert_eq!(screen.matches("✗ stopped").count(), 1, "{screen}");
}

#[test]
fn what_goes_on_is_told_on_the_narrowest_screen() {
    let mut it = Harness::new(20, 6);
    it.event(AgentEvent::Stream(AnswerEvent::Delta(AnswerDelta::Text(
        "so".to_owned(),
    ))));
    it.wait(2_400);
    let screen = it.screen();
    assert!(screen.contains("answering  2.4s"), "{screen}");
}

#[test]
fn a_resumed_session_knows_its_price() {
    let mut it = Harness::new(80, 24);
    let answers = [0.25, 0.5].map(|usd| {
        let answer = AssistantMessage {
            usage: Some(Usage {
                cost_usd: Some(usd),
                ..Usage::default()
            }),
            ..AssistantMessage::default()
        };
        let body = EntryBody::Message(Arc::new(Message::Assistant(answer)));
        crate::tui::testing::entry((usd * 100.0) as usize, Timestamp(0), body)
    });
    it.open(answers.to_vec());
    assert_eq!(it.model.session.cost_usd, Some(0.75));
    it.event(AgentEvent::Context(ContextEvent::View(Arc::new(view_of(
        &[9_000; Category::COUNT],
    )))));
    assert!(it.screen().contains("$0.75"), "{}", it.screen());
}

#[test]
fn an_undone_compaction_takes_its_toast_along() {
    let mut it = Harness::new(80, 24);
    let id = EntryId::new("00000001");
    it.event(AgentEvent::Compaction(CompactionEvent::Applied {
        entry: id.clone(),
        compaction: Box::default(),
    }));
    assert!(it.screen().contains("compacted 0"));
    it.event(AgentEvent::Compaction(CompactionEvent::Undone {
        target: id,
        tokens_after: 14_500,
        over_load_line: false,
    }));
    let screen = it.screen();
    assert!(!screen.contains("compacted 0"), "{screen}");
    assert!(screen.contains("14.5k in the window"), "{screen}");
}

#[test]
fn a_message_that_was_not_sent_stands_in_the_composer_before_what_was_typed_since() {
    let mut it = Harness::new(80, 24);
    let returned = |text: &str| {
        let text = text.to_owned();
        AgentEvent::Turn(TurnEvent::InputReturned(vec![ReturnedInput {
            text,
            images: Vec::new(),
            is_command: false,
        }]))
    };
    it.event(returned("the long one"));
    assert_eq!(it.model.composer.buffer.text(), "the long one");
    assert!(it.screen().contains("not sent"));
    it.model.composer.buffer.replace("typed since");
    it.event(returned("the long one"));
    assert_eq!(it.model.composer.buffer.text(), "the long one\ntyped since");
}

#[test]
fn the_last_lines_of_an_error_are_shown_because_they_say_what_it_is() {
    let mut it = Harness::new(80, 24);
    it.answer(vec![call("c1", "shell", "command", "make")]);
    let text = "make: entering\ncc -c a.c\ncc -c b.c\ncc -c c.c\ncc -c d.c\nlinking\nld: cannot find -lz\n\n[exit code 2]\n";
    it.result("c1", text, serde_json::json!({"exitCode": 2}));
    let screen = it.screen();
    assert!(screen.contains("ld: cannot find -lz"), "{screen}");
    assert!(
        screen.contains("[exit code 2]") && screen.contains("before"),
        "{screen}"
    );
    assert!(!screen.contains("make: entering"), "{screen}");
}

#[test]
fn the_first_screen_says_how_large_the_window_is_and_who_says_so() {
    let mut it = Harness::new(80, 24);
    for (tokens, source, said) in [
        (Some(4_096), WindowSource::Server, "window 4.1k (server)"),
        (None, WindowSource::Assumed, "window unknown, 200k assumed"),
    ] {
        let mut view = view_of(&[0; Category::COUNT]);
        view.window.tokens = tokens;
        view.window.source = source;
        it.event(AgentEvent::Context(ContextEvent::View(Arc::new(view))));
        assert!(it.screen().contains(said), "{}", it.screen());
    }
}
