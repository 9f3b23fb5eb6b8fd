use std::sync::Arc;
use std::time::Instant;

use crate::agent::{AgentEvent, AnswerDelta};
use crate::transcript::{EntryBody, Message, Timestamp};
use crate::tui::testing::{Harness, entry};

fn many(count: usize) -> Harness {
    let branch = (0..count)
        .map(|at| {
            let message = Message::user_text(format!("message {at}\nwith two lines"));
            entry(at, Timestamp(0), EntryBody::Message(Arc::new(message)))
        })
        .collect();
    let mut it = Harness::new(80, 24);
    it.open(branch);
    it.screen();
    it
}

#[test]
fn reading_stops_following_and_counts_what_is_new() {
    let mut it = many(50);
    assert!(it.screen().contains("message 49"));
    it.keys("pageup");
    assert!(!it.model.conversation.is_following());
    let before = it.screen();
    it.event(AgentEvent::Delta(AnswerDelta::Text(
        "one\n\ntwo".to_owned(),
    )));
    let after = it.screen();
    assert!(after.contains("↓ 4 new lines"), "{after}");
    assert_eq!(
        before.lines().nth(5),
        after.lines().nth(5),
        "the text stays where it is"
    );
    it.keys("ctrl-end");
    assert!(it.model.conversation.is_following());
    assert!(it.screen().contains("two"));
}

#[test]
fn scrolling_reaches_both_ends_line_by_line() {
    let mut it = many(20);
    it.keys("home");
    assert!(it.screen().contains("message 0\n"));
    for _ in 0..200 {
        it.keys("shift-down");
    }
    assert!(it.model.conversation.is_following());
    for _ in 0..200 {
        it.keys("shift-up");
    }
    assert!(it.screen().contains("message 0\n"));
    it.keys("alt-down");
    let screen = it.screen();
    assert!(!screen.contains("message 0\n") && screen.contains("message 1\n"));
    it.keys("alt-up alt-up");
    assert!(it.screen().contains("message 0\n"));
}

#[test]
fn a_frame_costs_the_viewport_not_the_transcript() {
    let cost = |count| {
        let mut it = many(count);
        it.keys("pageup");
        let start = Instant::now();
        for _ in 0..20 {
            it.resize(79, 24);
            it.screen();
            it.resize(80, 24);
            it.screen();
        }
        start.elapsed()
    };
    let (short, long) = (cost(100), cost(10_000));
    assert!(
        long < short * 5,
        "{long:?} for 10,000 messages, {short:?} for 100"
    );
}

#[test]
fn a_stream_is_replaced_by_its_entry() {
    let mut it = Harness::new(80, 24);
    it.event(AgentEvent::Delta(AnswerDelta::Thinking("hm".to_owned())));
    it.event(AgentEvent::Delta(AnswerDelta::Text("void".to_owned())));
    it.event(AgentEvent::Delta(AnswerDelta::Reset));
    assert!(it.model.conversation.is_empty());
    it.event(AgentEvent::Delta(AnswerDelta::Text(
        "half an ans".to_owned(),
    )));
    it.answer(vec![crate::transcript::AssistantPart::Text(
        "half an answer".to_owned(),
    )]);
    assert_eq!(it.model.conversation.cells().len(), 1);
    assert_eq!(
        it.model.conversation.last_answer().as_deref(),
        Some("half an answer")
    );
}

#[test]
fn a_click_opens_a_card() {
    let mut it = Harness::new(80, 24);
    it.answer(vec![crate::tui::testing::call(
        "c1", "read", "path", "a.rs",
    )]);
    it.result("c1", "line of the file", serde_json::json!({"lines": 1}));
    let screen = it.screen();
    assert!(!screen.contains("line of the file"));
    let row = screen
        .lines()
        .position(|line| line.contains("a.rs"))
        .unwrap();
    it.click(10, row as u16);
    assert!(it.screen().contains("line of the file"));
}
