//! What waits is listed, and what is given back is as many inputs as before.

use crate::agent::{
    AgentEvent, CompactOptions, ContextOp, Op, QueuedInput, ReturnedInput, SubmitWhen, TurnEvent,
    TurnOp,
};
use crate::transcript::Image;
use crate::tui::testing::Harness;

fn queued(text: &str, is_command: bool) -> QueuedInput {
    QueuedInput {
        id: 7,
        text: text.to_owned(),
        when: SubmitWhen::AfterTurn,
        is_command,
    }
}

fn command(text: &str) -> ReturnedInput {
    ReturnedInput {
        text: text.to_owned(),
        images: Vec::new(),
        is_command: true,
    }
}

fn message(text: &str) -> ReturnedInput {
    ReturnedInput {
        is_command: false,
        ..command(text)
    }
}

fn image() -> Image {
    Image {
        data: "AAAA".into(),
        mime: "image/png".to_owned(),
        name: Some("a.png".to_owned()),
    }
}

fn compact(instructions: &str) -> Op {
    Op::Context(ContextOp::Compact(CompactOptions {
        instructions: Some(instructions.to_owned()),
        ..CompactOptions::default()
    }))
}

fn submit(text: &str) -> Op {
    Op::Turn(TurnOp::Submit {
        text: text.to_owned(),
        images: Vec::new(),
        when: SubmitWhen::NextStep,
    })
}

fn shell(command: &str) -> Op {
    Op::Turn(TurnOp::Shell {
        command: command.to_owned(),
        excluded: false,
    })
}

/// What goes to the agent, but for the count of the draft.
fn sent(it: &mut Harness) -> Vec<Op> {
    let ops = it.take_ops().into_iter();
    ops.filter(|op| !matches!(op, Op::Turn(TurnOp::Draft { .. })))
        .collect()
}

#[test]
fn commands_that_wait_are_listed_and_taken_back_like_messages() {
    let mut it = Harness::new(80, 24);
    it.event(AgentEvent::Turn(TurnEvent::Queued(vec![
        queued("and test it", false),
        queued("/compact keep x", true),
    ])));
    let screen = it.screen();
    assert!(screen.contains("later and test it"), "{screen}");
    assert!(
        screen.contains("later /compact keep x · ↑: back to input"),
        "{screen}"
    );
    for take_back in ["up", "ctrl-u"] {
        it.keys(take_back);
        assert_eq!(
            sent(&mut it),
            [Op::Turn(TurnOp::Unqueue { id: 7 })],
            "{take_back}"
        );
    }
    it.type_text("/unqueue");
    it.keys("enter");
    assert_eq!(sent(&mut it), [Op::Turn(TurnOp::Unqueue { id: 7 })]);
    it.event(AgentEvent::Turn(TurnEvent::Queued(Vec::new())));
    assert!(!it.screen().contains("keep x"));
    it.type_text("/unqueue");
    it.keys("enter");
    assert_eq!(sent(&mut it), []);
    assert!(it.screen().contains("nothing is queued"));
}

#[test]
fn esc_between_two_things_that_run_still_stops_what_waits() {
    let mut it = Harness::new(80, 24);
    it.event(AgentEvent::Turn(TurnEvent::Queued(vec![queued(
        "!make", true,
    )])));
    it.keys("esc");
    assert_eq!(sent(&mut it), [Op::Turn(TurnOp::Interrupt)]);
}

#[test]
fn inputs_given_back_are_sent_again_one_by_one_in_their_order() {
    let mut it = Harness::new(80, 24);
    it.type_text("typed since");
    it.event(AgentEvent::Turn(TurnEvent::InputReturned(vec![
        command("/compact keep x"),
        message("then go on\nwith this"),
        command("!ls"),
    ])));
    assert_eq!(
        it.model.composer.buffer.text(),
        "/compact keep x\nthen go on\nwith this\n!ls\ntyped since"
    );
    assert!(it.screen().contains("not sent and not run"));
    it.keys("enter");
    let expected = [
        compact("keep x"),
        submit("then go on\nwith this"),
        shell("ls"),
        submit("typed since"),
    ];
    assert_eq!(sent(&mut it), expected);
    assert!(it.model.composer.buffer.is_empty());
}

#[test]
fn an_input_that_was_edited_is_what_stands_between_the_others() {
    let mut it = Harness::new(80, 24);
    it.event(AgentEvent::Turn(TurnEvent::InputReturned(vec![
        command("!make"),
        message("fix it"),
        command("/compact"),
    ])));
    it.model
        .composer
        .buffer
        .replace("!make\nfix the first error\n/compact");
    it.keys("enter");
    let plain = Op::Context(ContextOp::Compact(CompactOptions::default()));
    let expected = [shell("make"), submit("fix the first error"), plain];
    assert_eq!(sent(&mut it), expected);
}

#[test]
fn messages_given_back_are_one_message_and_what_is_typed_anew_is_what_it_is() {
    let mut it = Harness::new(80, 24);
    it.event(AgentEvent::Turn(TurnEvent::InputReturned(vec![
        message("one"),
        message("two"),
    ])));
    it.keys("enter");
    assert_eq!(sent(&mut it), [submit("one\ntwo")]);
    it.event(AgentEvent::Turn(TurnEvent::InputReturned(vec![
        command("/compact"),
        message("two"),
    ])));
    it.keys("ctrl-c");
    it.type_text("/compact keep");
    it.keys("alt-enter");
    it.model.composer.buffer.replace("/compact keep\ntwo");
    it.take_ops();
    it.keys("enter");
    assert_eq!(sent(&mut it), [compact("keep\ntwo")]);
}

#[test]
fn a_message_that_begins_like_a_command_is_not_run_when_it_is_sent_again() {
    for text in ["!rm -rf x", "/compact"] {
        let mut it = Harness::new(80, 24);
        it.event(AgentEvent::Turn(TurnEvent::InputReturned(vec![message(
            text,
        )])));
        it.keys("enter");
        assert_eq!(sent(&mut it), [submit(&format!(" {text}"))]);
    }
}

#[test]
fn images_stay_with_the_message_and_no_command_loses_them() {
    for typed in ["/prune", "!ls"] {
        let mut it = Harness::new(80, 24);
        it.type_text(typed);
        it.model.composer.attach(image());
        it.keys("enter");
        assert_eq!(sent(&mut it).len(), 1, "{typed}");
        assert_eq!(it.model.composer.buffer.images().len(), 1, "{typed}");
        assert!(it.screen().contains("a.png"));
    }
    let mut it = Harness::new(80, 24);
    it.event(AgentEvent::Turn(TurnEvent::InputReturned(vec![
        command("!ls"),
        ReturnedInput {
            images: vec![image()],
            ..message("look")
        },
    ])));
    it.keys("enter");
    let ops = sent(&mut it);
    assert_eq!(ops[0], shell("ls"));
    assert!(matches!(&ops[1], Op::Turn(TurnOp::Submit { images, .. }) if images.len() == 1));
    assert!(it.model.composer.buffer.is_empty());
}
