//! Screens on top: they open, ask, answer and close again.

use super::*;

#[test]
fn screens_open_on_top_and_close_again() {
    for (keys, name) in [
        ("?", "help"),
        ("f1", "help"),
        ("f2", "context"),
        ("/ p r u n e d enter", "pruned"),
        ("/ t h e m e enter", "themes"),
    ] {
        let mut it = story(80, 24);
        it.keys(keys);
        // A completion list takes the first enter of a command with arguments.
        if it.model.overlays.is_empty() {
            it.keys("enter");
        }
        let top = it.model.overlays.last().map(|overlay| overlay.name());
        assert!(top.is_some(), "{keys} opens {name}");
        for (columns, rows) in [(80, 24), (20, 6), (1, 1)] {
            it.resize(columns, rows);
            it.screen();
        }
        it.keys("esc esc");
        assert!(it.model.overlays.is_empty(), "{name} closes");
    }
}

fn question() -> AgentEvent {
    let AssistantPart::ToolCall(call) = call("c7", "bash", "command", "rm -rf target") else {
        unreachable!("a call is a call");
    };
    AgentEvent::Approval(Box::new(crate::agent::ApprovalRequest {
        id: 3,
        call,
        title: "rm -rf target".to_owned(),
        cwd: "/src/api".into(),
        diff: None,
        pattern: "rm *".to_owned(),
        outside: Vec::new(),
    }))
}

/// A question that came up while somebody typed `yes please` took the `y` for an answer.
#[test]
fn the_rest_of_a_sentence_does_not_answer_a_question() {
    let mut it = Harness::new(80, 24);
    it.type_text("oh ");
    it.event(question());
    it.take_effects();
    it.type_text("yes");
    assert_eq!(it.model.composer.buffer.text(), "oh yes");
    assert!(it.screen().contains("allow bash"));
    it.wait(1_000);
    it.keys("y");
    assert!(!it.screen().contains("allow bash"));
    assert_eq!(it.model.composer.buffer.text(), "oh yes");
}

#[test]
fn an_approval_80x24() {
    let mut it = story(80, 24);
    it.event(question());
    insta::assert_snapshot!(it.screen());
    for (columns, rows) in [(120, 40), (80, 24), (40, 12), (20, 6)] {
        it.resize(columns, rows);
        let screen = it.screen();
        assert!(screen.contains("39%"), "the gauge is hidden:\n{screen}");
        assert!(screen.contains("allow bash"), "no question:\n{screen}");
    }
    it.keys("y");
    let sent = it.take_effects();
    assert!(
        sent.contains(&Effect::Send(Op::Approve {
            id: 3,
            decision: crate::agent::ApprovalDecision::Once,
        })),
        "{sent:?}"
    );
    assert!(it.model.overlays.is_empty());
}

#[test]
fn one_event_too_many_does_not_stack_screens() {
    let mut it = Harness::new(80, 24);
    let wire = || {
        AgentEvent::Wire(Box::new(crate::agent::WireView {
            target: "POST https://example.test/v1".to_owned(),
            body: "{}".to_owned(),
            last_body: None,
            unchanged_prefix_tokens: Some(1_200),
            first_difference: Some("messages[4]".to_owned()),
        }))
    };
    it.event(wire());
    it.event(wire());
    assert_eq!(it.model.overlays.len(), 1);
    assert!(
        it.screen().contains("~1,200 leading tokens"),
        "{}",
        it.screen()
    );
    it.event(AgentEvent::Models(Vec::new()));
    it.event(AgentEvent::Sessions(SessionList::default()));
    it.keys("esc esc esc");
    assert!(it.model.overlays.is_empty());
}
