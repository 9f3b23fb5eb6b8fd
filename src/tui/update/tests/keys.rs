//! Keys of the main screen: sending, stopping, leaving, the draft.

use super::*;
use crate::agent::{AnswerEvent, ContextOp, SessionOp, SettingOp, TurnEvent, TurnOp};

#[test]
fn enter_sends_and_remembers() {
    let mut it = Harness::new(80, 24);
    it.type_text("hello");
    it.keys("enter");
    let effects = it.take_effects();
    assert!(effects.contains(&Effect::Send(Op::Turn(TurnOp::Submit {
        text: "hello".to_owned(),
        images: Vec::new(),
        when: SubmitWhen::NextStep,
    }))));
    assert!(effects.contains(&Effect::SaveHistory("hello".to_owned())));
    it.type_text("later");
    it.keys("alt-enter");
    assert!(matches!(
        it.take_effects().last(),
        Some(Effect::Send(Op::Turn(TurnOp::Submit {
            when: SubmitWhen::AfterTurn,
            ..
        })))
    ));
}

#[test]
fn shell_commands_and_slash_commands_are_told_apart_from_text() {
    #[track_caller]
    fn check(typed: &str, expected: &Op) {
        let mut it = Harness::new(80, 24);
        it.send(Msg::Input(Input::Paste(typed.to_owned())));
        it.keys("esc enter");
        let sent: Vec<Effect> = it.take_effects();
        assert!(
            sent.contains(&Effect::Send(expected.clone())),
            "{typed}: {sent:?}"
        );
    }
    let shell = |command: &str, excluded| {
        Op::Turn(TurnOp::Shell {
            command: command.to_owned(),
            excluded,
        })
    };
    let compact = |instructions: Option<&str>, yes, dry_run| {
        Op::Context(ContextOp::Compact(CompactOptions {
            instructions: instructions.map(str::to_owned),
            yes,
            dry_run,
            ..CompactOptions::default()
        }))
    };
    check("! ls", &shell("ls", false));
    check("!! ls", &shell("ls", true));
    check(
        "/compact --yes keep the -- steps",
        &compact(Some("keep the -- steps"), true, false),
    );
    check("/compact --dry-run", &compact(None, false, true));
    check(
        "/prune --dry-run",
        &Op::Context(ContextOp::Prune { dry_run: true }),
    );
    check(
        "/model gpt",
        &Op::Setting(SettingOp::Model(ModelRef::new("anthropic", "gpt"))),
    );
    check(
        "/model a/b/c",
        &Op::Setting(SettingOp::Model(ModelRef::new("a", "b/c"))),
    );
    check(
        "/rename two words",
        &Op::Session(SessionOp::Rename("two words".to_owned())),
    );
    check(
        "/etc/hosts is odd",
        &Op::Turn(TurnOp::Submit {
            text: "/etc/hosts is odd".to_owned(),
            images: Vec::new(),
            when: SubmitWhen::NextStep,
        }),
    );
}

#[test]
fn escape_stops_and_control_c_clears_then_leaves() {
    let mut it = Harness::new(80, 24);
    it.type_text("x");
    it.keys("ctrl-c");
    assert!(it.model.composer.buffer.is_empty());
    it.keys("ctrl-c");
    assert!(it.screen().contains("press Ctrl-C again to quit"));
    it.wait(2_500);
    assert!(
        !it.screen().contains("press Ctrl-C again to quit"),
        "it holds no longer"
    );
    it.keys("ctrl-c");
    assert!(!it.take_effects().contains(&Effect::Quit));
    it.type_text("y");
    assert!(
        !it.screen().contains("press Ctrl-C again to quit"),
        "a key came between"
    );
    it.keys("ctrl-c ctrl-c");
    assert!(!it.take_effects().contains(&Effect::Quit));
    it.keys("ctrl-c");
    assert!(it.take_effects().contains(&Effect::Quit));
    it.event(AgentEvent::Stream(AnswerEvent::RequestStarted {
        model: ModelRef::default(),
    }));
    it.keys("esc");
    assert!(
        it.take_effects()
            .contains(&Effect::Send(Op::Turn(TurnOp::Interrupt)))
    );
    it.event(AgentEvent::Turn(TurnEvent::Finished(TurnEnd {
        stop: StopReason::Aborted,
        text: String::new(),
        error: Some(Notice::error("it broke").with_hint("try again")),
        error_kind: None,
        exit_code: 130,
    })));
    assert!(!it.model.activity.is_busy());
    assert!(it.screen().contains("it broke"));
}

#[test]
fn keys_that_scroll_do_nothing_where_nothing_was_said() {
    let mut it = Harness::new(80, 24);
    it.keys("pagedown pageup shift-down shift-up alt-down alt-up ctrl-home ctrl-end home end");
    it.keys("ctrl-down ctrl-up ctrl-o enter pagedown");
    assert!(it.screen().contains("plimsoll"));
}

#[test]
fn the_draft_is_counted_then_saved() {
    let mut it = Harness::new(80, 24);
    it.type_text("abc");
    it.wait(150);
    assert!(
        it.take_effects()
            .contains(&Effect::Send(Op::Turn(TurnOp::Draft {
                text: "abc".to_owned(),
                images: Vec::new(),
            })))
    );
    it.wait(300);
    assert_eq!(
        it.take_effects(),
        [Effect::SaveDraft(Draft::of_text("abc"))]
    );
}

#[test]
fn what_was_said_before_a_message_does_not_stand_in_for_what_goes_on_with_it() {
    let mut it = Harness::new(80, 24);
    it.type_text("/todo");
    it.keys("enter");
    assert!(it.screen().contains("no task list"), "{}", it.screen());
    it.type_text("hello");
    it.keys("enter");
    it.event(AgentEvent::Stream(AnswerEvent::RequestStarted {
        model: ModelRef::default(),
    }));
    it.wait(1_000);
    assert!(!it.screen().contains("there is no list"), "{}", it.screen());
}
