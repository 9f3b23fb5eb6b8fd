use std::sync::Arc;
use std::time::Instant;

use crate::agent::{AgentEvent, AnswerDelta, AnswerEvent, Notice, NoticeLevel, SessionEvent};
use crate::transcript::{
    AssistantMessage, AssistantPart, Compaction, EntryBody, Message, StopReason, Timestamp,
};
use crate::tui::testing::{Harness, call, entry};

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
    it.event(AgentEvent::Stream(AnswerEvent::Delta(AnswerDelta::Text(
        "one\n\ntwo".to_owned(),
    ))));
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
        // The best of several: a machine with more to do only makes some of them longer.
        let times = (0..40).map(|_| {
            let start = Instant::now();
            it.resize(79, 24);
            it.screen();
            it.resize(80, 24);
            it.screen();
            start.elapsed()
        });
        times.min().unwrap_or_default()
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
    it.event(AgentEvent::Stream(AnswerEvent::Delta(
        AnswerDelta::Thinking("hm".to_owned()),
    )));
    it.event(AgentEvent::Stream(AnswerEvent::Delta(AnswerDelta::Text(
        "void".to_owned(),
    ))));
    it.event(AgentEvent::Stream(AnswerEvent::Delta(AnswerDelta::Reset)));
    assert!(it.model.conversation.is_empty());
    it.event(AgentEvent::Stream(AnswerEvent::Delta(AnswerDelta::Text(
        "half an ans".to_owned(),
    ))));
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

/// A long answer with reasoning, and a reader in the middle of it.
fn parked(it: &mut Harness, text: &str) {
    it.event(AgentEvent::Stream(AnswerEvent::Delta(
        AnswerDelta::Thinking("one\ntwo\nthree".to_owned()),
    )));
    it.event(AgentEvent::Stream(AnswerEvent::Delta(AnswerDelta::Text(
        text.to_owned(),
    ))));
    it.keys("pageup");
}

fn long_text() -> String {
    let lines: Vec<String> = (0..60).map(|at| format!("line {at}\n\n")).collect();
    lines.concat()
}

fn written(text: &str) -> Vec<AssistantPart> {
    let thinking = AssistantPart::Thinking {
        text: "one\ntwo\nthree".to_owned(),
        signature: None,
    };
    vec![thinking, AssistantPart::Text(text.to_owned())]
}

fn transcript_rows(screen: &str) -> Vec<&str> {
    screen.lines().skip(2).take(16).collect()
}

#[test]
fn a_reader_inside_a_streaming_answer_stays_there_when_its_entry_comes() {
    let text = long_text();
    let mut it = many(3);
    parked(&mut it, &text);
    let before = it.screen();
    it.answer(written(&text));
    let after = it.screen();
    assert_eq!(transcript_rows(&before), transcript_rows(&after));
}

#[test]
fn a_remark_inside_a_streaming_answer_moves_no_text() {
    let text = long_text();
    let mut it = many(3);
    it.event(AgentEvent::Stream(AnswerEvent::Delta(AnswerDelta::Text(
        "# Title\n\n".to_owned(),
    ))));
    it.event(AgentEvent::Notice(Notice {
        level: NoticeLevel::Info,
        text: "by the way".to_owned(),
        hint: None,
    }));
    it.event(AgentEvent::Stream(AnswerEvent::Delta(AnswerDelta::Text(
        text.clone(),
    ))));
    it.keys("pageup pageup");
    let before = it.screen();
    it.answer(vec![AssistantPart::Text(format!("# Title\n\n{text}"))]);
    assert_eq!(transcript_rows(&before), transcript_rows(&it.screen()));
    let cells = it.model.conversation.cells().len();
    assert_eq!(cells, 3 + 2, "the answer is one cell, the remark another");
}

#[test]
fn reasoning_that_was_opened_while_it_streamed_stays_open() {
    let mut it = Harness::new(80, 24);
    it.event(AgentEvent::Stream(AnswerEvent::Delta(
        AnswerDelta::Thinking("one\ntwo\nthree".to_owned()),
    )));
    it.keys("ctrl-o");
    assert!(it.screen().contains("two"));
    it.answer(written("done"));
    assert!(it.screen().contains("two"), "{}", it.screen());
}

#[test]
fn a_boundary_inside_a_turn_counts_that_turn() {
    let mut it = Harness::new(80, 24);
    it.user("go");
    it.answer(vec![crate::tui::testing::call(
        "c1", "read", "path", "a.rs",
    )]);
    let kept = it.result("c1", "text", serde_json::json!({"lines": 1}));
    it.entry(EntryBody::Compaction(Box::new(Compaction {
        first_kept: Some(kept),
        tokens_before: 1_000,
        ..Compaction::default()
    })));
    assert!(it.screen().contains("1 turn kept"), "{}", it.screen());
}

fn ended(content: Vec<AssistantPart>, stop: StopReason) -> EntryBody {
    EntryBody::Message(Arc::new(Message::Assistant(AssistantMessage {
        content,
        stop,
        ..AssistantMessage::default()
    })))
}

/// Its turn is long over; a branch that is shown again has no end of a turn to say so.
#[test]
fn the_call_of_a_stopped_answer_waits_for_nothing_when_its_branch_is_shown_anew() {
    for stop in [StopReason::Aborted, StopReason::Error] {
        let calls = vec![call("c1", "list", "path", "src")];
        let branch = vec![entry(0, Timestamp(0), ended(calls, stop))];
        let mut it = Harness::new(80, 24);
        it.event(AgentEvent::Session(SessionEvent::BranchMoved(branch)));
        let screen = it.screen();
        assert!(screen.contains("list src"), "{screen}");
        assert!(screen.contains("not run"), "{screen}");
    }
}

/// The process was killed while the tool ran: nothing waits in a session that is opened.
#[test]
fn nothing_waits_in_a_session_that_is_opened() {
    let calls = vec![call("c1", "list", "path", "src")];
    let mut it = Harness::new(80, 24);
    it.open(vec![entry(
        0,
        Timestamp(0),
        ended(calls, StopReason::ToolUse),
    )]);
    let screen = it.screen();
    assert!(screen.contains("not run"), "{screen}");
}

/// Blanks and reasoning are nothing: without a word the program would look stuck.
#[test]
fn an_empty_answer_is_called_so_once() {
    let blank = AssistantPart::Text(" \n".to_owned());
    let thought = AssistantPart::Thinking {
        text: "Hm.".to_owned(),
        signature: None,
    };
    for content in [vec![], vec![blank], vec![thought]] {
        let mut it = Harness::new(80, 24);
        it.entry(ended(content, StopReason::Stop));
        let notice = Notice::warning("the model's answer is empty").with_hint("type \"continue\"");
        it.event(AgentEvent::Notice(notice));
        let screen = it.screen();
        assert_eq!(screen.matches("answer is empty").count(), 1, "{screen}");
        assert!(screen.contains("type \"continue\""), "{screen}");
    }
}
