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

#[test]
fn a_boundary_says_why_an_engine_cut_there() {
    let mut it = Harness::new(80, 24);
    it.user("go");
    let mut compaction = Compaction {
        tokens_before: 1_000,
        ..Compaction::default()
    };
    compaction.details.engine = "process".to_owned();
    compaction.details.cause.engine_reason = Some("the last question stays".to_owned());
    it.entry(EntryBody::Compaction(Box::new(compaction)));
    let screen = it.screen();
    let words = "cut chosen by engine process: the last question stays";
    assert!(screen.contains(words), "{screen}");
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

/// A command that went well, with its output.
fn shell_call(it: &mut Harness, output: &str, code: i64) {
    it.answer(vec![call("s", "shell", "command", "cargo test")]);
    let text = format!("{output}\n\n[exit code {code}]");
    it.result("s", &text, serde_json::json!({ "exitCode": code }));
}

/// The style of the first cell of a text on the screen.
fn style_at(it: &mut Harness, words: &str) -> ratatui::style::Style {
    let (buffer, _) = it.draw();
    let text = crate::tui::testing::text_of(&buffer);
    let (row, line) = text
        .lines()
        .enumerate()
        .find(|(_, line)| line.contains(words))
        .unwrap_or_else(|| panic!("no {words}:\n{text}"));
    let (before, _) = line.split_once(words).unwrap();
    let column = before.chars().count();
    buffer[(column as u16, row as u16)].style()
}

#[test]
fn a_command_that_went_well_shows_how_its_output_ends() {
    let mut it = Harness::new(80, 24);
    shell_call(
        &mut it,
        "one\ntwo\nthree\n\u{1b}[31mfour\u{1b}[0m\tx\u{7}\n",
        0,
    );
    let screen = it.screen();
    assert!(screen.contains("exit 0 · 4 lines"), "{screen}");
    for words in ["two", "three", "four    x"] {
        assert!(screen.contains(words), "{words}:\n{screen}");
    }
    assert!(
        !screen.contains("one") && !screen.contains("[exit code"),
        "{screen}"
    );
    assert_eq!(
        style_at(&mut it, "four").fg,
        Some(ratatui::style::Color::Red)
    );
    it.keys("ctrl-o");
    assert!(it.screen().contains("one"));
}

#[test]
fn a_command_that_failed_shows_more_and_says_what_it_hides() {
    let mut it = Harness::new(80, 24);
    let output: Vec<String> = (1..=20).map(|at| format!("line {at}")).collect();
    shell_call(&mut it, &output.join("\n"), 2);
    let screen = it.screen();
    for words in ["line 20", "line 15", "[exit code 2]", "lines before"] {
        assert!(screen.contains(words), "{words}:\n{screen}");
    }
    assert!(!screen.contains("line 3\n"), "{screen}");
}

#[test]
fn an_output_without_an_end_is_read_to_its_end() {
    let mut it = Harness::new(80, 24);
    let output: Vec<String> = (1..=3_000).map(|at| format!("line {at}.")).collect();
    shell_call(&mut it, &output.join("\n"), 0);
    it.keys("ctrl-o home");
    assert!(it.screen().contains("line 1."));
    let mut read = 0;
    while !it.screen().contains("line 3000.") {
        it.keys("pagedown");
        read += 1;
        assert!(read < 400, "{}", it.screen());
    }
    assert!(!it.screen().contains(" more"), "{}", it.screen());
    // A search finds what was not laid out yet.
    let mut it = Harness::new(80, 24);
    shell_call(&mut it, &output.join("\n"), 0);
    it.type_text("/search line 2345.");
    it.keys("enter");
    assert!(it.screen().contains("line 2345."), "{}", it.screen());
}

#[test]
fn the_file_of_a_card_can_be_clicked() {
    let mut it = Harness::new(80, 24);
    it.answer(vec![call("r", "read", "path", "src/a b.rs")]);
    it.result(
        "r",
        "x",
        serde_json::json!({"path": "src/a b.rs", "lines": 1}),
    );
    let style = style_at(&mut it, "src/a b.rs");
    let mut cell = ratatui::buffer::Cell::default();
    cell.set_style(style);
    let number = crate::tui::render::link::number_of(&cell).unwrap();
    let opening = crate::tui::render::link::opening(number).unwrap();
    assert!(
        opening.contains(";file:///src/api/src/a%20b.rs\u{1b}"),
        "{opening:?}"
    );
}

#[test]
fn text_is_as_wide_as_set_and_the_sides_of_a_diff_are_placed_as_set() {
    let widest = |it: &mut Harness, sign: &str| {
        let screen = it.screen();
        let lines = screen.lines().filter(|line| line.contains(sign));
        lines.map(|line| line.chars().count()).max().unwrap_or(0)
    };
    let mut it = Harness::new(200, 30);
    let text = "word ".repeat(100);
    it.answer(vec![
        AssistantPart::Text(format!("{text}\n\n```\n{}\n```", "code ".repeat(36))),
        call("e", "edit", "path", "a.rs"),
    ]);
    let diff = "@@ -31 +31 @@\n-old line\n+new line\n";
    it.result(
        "e",
        "done",
        serde_json::json!({"diff": diff, "path": "a.rs", "added": 1, "removed": 1}),
    );
    assert!(
        (100..=113).contains(&widest(&mut it, "word")),
        "{}",
        it.screen()
    );
    assert!(widest(&mut it, "code") > 150, "{}", it.screen());
    let is_split = |it: &mut Harness| {
        let screen = it.screen();
        let old = screen.lines().find(|line| line.contains("old line"));
        old.unwrap().contains("new line")
    };
    assert!(is_split(&mut it), "{}", it.screen());
    let ui = crate::config::UiSettings {
        text_width: 0,
        diff: crate::config::DiffSides::Unified,
        ..crate::config::UiSettings::default()
    };
    it.model.look.draw_as((&ui).into());
    assert!(widest(&mut it, "word") > 150, "{}", it.screen());
    assert!(!is_split(&mut it), "{}", it.screen());
}

#[test]
fn nothing_turns_where_motion_is_reduced() {
    let mut it = Harness::new(80, 24);
    it.answer(vec![call("s", "shell", "command", "sleep 9")]);
    it.event(AgentEvent::Stream(AnswerEvent::ToolStarted {
        call_id: "s".to_owned(),
        name: "shell".to_owned(),
        title: "sleep 9".to_owned(),
    }));
    it.wait(1_000);
    let frames = |it: &mut Harness| {
        let first = it.screen();
        it.wait(300);
        let second = it.screen();
        (first, second)
    };
    let (first, second) = frames(&mut it);
    assert_ne!(first, second);
    let ui = crate::config::UiSettings {
        motion: crate::config::ScreenMotion::Reduced,
        ..crate::config::UiSettings::default()
    };
    it.model.look.draw_as((&ui).into());
    it.wait(700);
    let (first, second) = frames(&mut it);
    assert_eq!(first, second);
    it.wait(1_000);
    assert_ne!(it.screen(), second, "the time goes on");
}

#[test]
fn a_request_that_was_too_long_is_one_card_with_all_that_followed() {
    let mut it = Harness::new(100, 24);
    it.user("hello");
    let overflow = |attempt| {
        AgentEvent::Context(crate::agent::ContextEvent::Overflow {
            requested_tokens: Some(20_000),
            limit_tokens: Some(16_000),
            attempt,
            is_foreseen: false,
        })
    };
    let notice = |text: &str| AgentEvent::Notice(Notice::warning(text.to_owned()).with_hint("how"));
    it.event(notice("the limit is 16,000"));
    it.event(overflow(1));
    it.event(notice("less is sent"));
    it.event(overflow(2));
    let replay = crate::transcript::Decision::Replay {
        original: crate::transcript::EntryId::new("00000001"),
        replay: crate::transcript::EntryId::new("00000002"),
        stripped: false,
    };
    it.entry(EntryBody::Decision(replay));
    let screen = it.screen();
    assert_eq!(screen.matches('▲').count(), 1, "{screen}");
    for words in [
        "attempt 2",
        "→ the limit is 16,000",
        "→ how",
        "→ less is sent",
        "→ your message was sent again",
    ] {
        assert!(screen.contains(words), "{words}:\n{screen}");
    }
    // What comes after the answer has begun is a card of its own.
    it.event(AgentEvent::Stream(AnswerEvent::Delta(AnswerDelta::Text(
        "so".to_owned(),
    ))));
    it.event(notice("something else"));
    assert_eq!(it.screen().matches('▲').count(), 2);
}
