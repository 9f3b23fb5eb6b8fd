//! The screens of every day: what opens them, what they do, how they look.

use crate::agent::{
    AgentEvent, AnswerEvent, ContextOp, ExportFormat, ModelChoice, Op, Query, QueryReply,
    SessionList, SessionOp, TurnOp,
};
use crate::tui::testing::Harness;

const SIZES: [(u16, u16); 4] = [(120, 40), (80, 24), (40, 12), (20, 6)];

fn models() -> QueryReply {
    QueryReply::Models(vec![ModelChoice::ready("claude-haiku")])
}

#[test]
fn ctrl_p_finds_a_command_and_runs_it() {
    for (columns, rows) in SIZES {
        let mut it = Harness::new(columns, rows);
        it.type_text("half a sentence");
        it.take_effects();
        it.keys("ctrl-p");
        let lists = [
            Op::query(Query::Models),
            Op::query(Query::Sessions { all: false }),
        ];
        assert_eq!(it.take_ops(), lists);
        it.reply(models());
        it.reply(QueryReply::Sessions(SessionList::default()));
        insta::assert_snapshot!(format!("palette_{columns}x{rows}"), it.screen());
        it.type_text("uncompact");
        if (columns, rows) == (80, 24) {
            insta::assert_snapshot!("palette_narrowed_80x24", it.screen());
        }
        it.keys("enter");
        assert_eq!(
            it.take_ops(),
            [Op::Context(ContextOp::Uncompact)],
            "{columns}x{rows}"
        );
        assert!(it.model.screens.is_empty());
        assert_eq!(it.model.composer.buffer.text(), "half a sentence");
    }
}

#[test]
fn the_palette_runs_keys_and_begins_commands_that_want_more() {
    let mut it = Harness::new(80, 24);
    it.keys("ctrl-p");
    it.type_text("f2 what is in the context");
    it.keys("esc ctrl-p");
    it.type_text("ledger");
    it.keys("enter");
    assert_eq!(
        it.model
            .screens
            .top()
            .map(crate::tui::overlay::Overlay::name),
        Some("context")
    );
    it.keys("esc ctrl-p");
    it.type_text("rename");
    it.keys("enter");
    assert_eq!(it.model.composer.buffer.text(), "/rename ");
    assert!(it.model.screens.is_empty());
}

#[test]
fn cost_and_tools_are_asked_for_and_shown() {
    let mut it = Harness::new(80, 24);
    it.type_text("/cost");
    it.keys("enter");
    assert_eq!(it.take_ops(), [Op::query(Query::Cost)]);
    it.reply(QueryReply::Cost(Box::default()));
    assert!(it.screen().contains("no model was asked yet"));
    it.keys("esc");
    it.type_text("/tools");
    it.keys("enter");
    assert_eq!(it.take_ops(), [Op::query(Query::Tools)]);
    it.reply(QueryReply::Tools(Vec::new()));
    assert!(it.screen().contains("~0 tokens in every request"));
    it.keys("esc");
    assert!(it.model.screens.is_empty());
}

#[test]
fn an_export_has_the_format_that_was_named() {
    let mut it = Harness::new(80, 24);
    for (typed, format) in [
        ("/export", ExportFormat::Md),
        ("/export html", ExportFormat::Html),
    ] {
        it.type_text(typed);
        it.keys("esc enter");
        assert_eq!(it.take_ops(), [Op::Session(SessionOp::Export(format))]);
    }
    it.type_text("/export pdf");
    it.keys("enter");
    assert_eq!(it.take_ops(), []);
    assert!(it.screen().contains("/export md, html, jsonl or json"));
}

#[test]
fn init_is_a_message_of_the_user_with_their_wishes_at_its_end() {
    let mut it = Harness::new(80, 24);
    it.type_text("/init mention the fuzzers");
    it.keys("enter");
    let asked = it.take_ops();
    let [Op::Turn(TurnOp::Submit { text, .. })] = &asked[..] else {
        panic!("{asked:?}");
    };
    assert!(text.contains("AGENTS.md"), "{text}");
    assert!(text.ends_with("\n\nmention the fuzzers"), "{text}");
}

/// The answer to what the palette asked for came after it was closed, and opened a screen
/// that nobody had asked for.
#[test]
fn lists_that_come_late_open_nothing() {
    let mut it = Harness::new(80, 24);
    it.keys("ctrl-p esc");
    it.reply(models());
    it.reply(QueryReply::Sessions(SessionList::default()));
    assert!(it.model.screens.is_empty());
    it.type_text("/model");
    it.keys("enter");
    it.reply(models());
    assert_eq!(
        it.model
            .screens
            .top()
            .map(crate::tui::overlay::Overlay::name),
        Some("models")
    );
}

#[test]
fn a_remark_does_not_hide_that_something_goes_on() {
    let mut screen = Harness::new(80, 24);
    screen.event(AgentEvent::Stream(AnswerEvent::ToolStarted {
        call_id: "1".to_owned(),
        name: "shell".to_owned(),
        title: "sleep 4".to_owned(),
    }));
    screen
        .model
        .say(crate::agent::NoticeLevel::Info, "copied 4 characters");
    screen.wait(1_500);
    let text = screen.screen();
    let line = text.lines().find(|it| it.contains("copied 4")).unwrap();
    assert!(line.contains("1.5s · Esc: stop"), "{line}");
    screen.wait(3_000);
    assert!(screen.screen().contains("running shell sleep 4"));
}
