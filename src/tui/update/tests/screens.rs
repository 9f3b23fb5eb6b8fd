//! The main screen at its sizes, and what it shows of a story.

use super::*;
use crate::agent::{AnswerEvent, ContextEvent, ContextOp, TurnEvent, TurnOp};
use crate::transcript::{Author, EntryOverride};

#[test]
fn main_screen_120x40() {
    insta::assert_snapshot!(story(120, 40).screen());
}

#[test]
fn main_screen_80x24() {
    insta::assert_snapshot!(story(80, 24).screen());
}

#[test]
fn main_screen_40x12() {
    insta::assert_snapshot!(story(40, 12).screen());
}

#[test]
fn main_screen_20x6() {
    insta::assert_snapshot!(story(20, 6).screen());
}

#[test]
fn greeting_80x24() {
    insta::assert_snapshot!(Harness::new(80, 24).screen());
}

#[test]
fn greeting_at_the_other_sizes() {
    for (columns, rows) in [(120, 40), (40, 12), (20, 6)] {
        let name = format!("greeting_{columns}x{rows}");
        insta::assert_snapshot!(name, Harness::new(columns, rows).screen());
    }
}

#[test]
fn streaming_tools_and_queue_80x24() {
    let mut it = Harness::new(80, 24);
    it.type_text("run it");
    it.keys("enter");
    it.user("run it");
    it.event(AgentEvent::Stream(AnswerEvent::RequestStarted {
        model: ModelRef::new("anthropic", "claude-sonnet"),
    }));
    for part in ["I will ", "run **it**.\n"] {
        it.event(AgentEvent::Stream(AnswerEvent::Delta(AnswerDelta::Text(
            part.to_owned(),
        ))));
    }
    it.event(AgentEvent::Stream(AnswerEvent::Delta(
        AnswerDelta::ToolCall {
            index: 0,
            name: "bash".to_owned(),
            argument_bytes: 1_204,
        },
    )));
    let streaming = it.screen();
    it.answer(vec![
        text("I will run **it**."),
        call("c1", "bash", "command", "make"),
    ]);
    it.event(AgentEvent::Stream(AnswerEvent::ToolStarted {
        call_id: "c1".to_owned(),
        name: "bash".to_owned(),
        title: "make \u{1b}[2J all".to_owned(),
    }));
    it.event(AgentEvent::Stream(AnswerEvent::ToolOutput {
        call_id: "c1".to_owned(),
        text: "cc -c a.c\ncc -c b.c\n".to_owned(),
    }));
    it.event(AgentEvent::Turn(TurnEvent::Queued(vec![QueuedInput {
        id: 7,
        text: "and test it".to_owned(),
        when: SubmitWhen::NextStep,
        is_command: false,
    }])));
    it.wait(4_200);
    insta::assert_snapshot!(format!("{streaming}{}", it.screen()));
    it.keys("up");
    assert!(
        it.take_effects()
            .contains(&Effect::Send(Op::Turn(TurnOp::Unqueue { id: 7 })))
    );
}

#[test]
fn an_open_card_shows_arguments_and_result_60x20() {
    let mut it = story(60, 20);
    it.keys("ctrl-c ctrl-up ctrl-up enter");
    insta::assert_snapshot!(it.screen());
}

#[test]
fn dispositions_show_in_the_gutter_and_on_cards_80x24() {
    let mut it = Harness::new(80, 24);
    let first = it.user("old question");
    let asked = it.answer(vec![
        call("c1", "bash", "command", "make"),
        call("c2", "read", "path", "a"),
    ]);
    let trimmed = it.result("c1", "lots of output", json!({"exitCode": 0}));
    let cleared = it.result("c2", "more of it", json!({"lines": 90}));
    let pinned = it.user("never forget this");
    let mut view = view_of(&[1, 2, 0, 0, 0, 3, 0, 4, 0, 5, 6, 0]);
    let item = |id: &EntryId, disposition, pinned: bool, full, tokens| {
        Arc::new(ViewItem {
            entry: Some(id.clone()),
            role: Role::Tool,
            category: Category::ToolResults,
            tokens,
            estimate_tokens: tokens,
            full: crate::context::FullSize::estimated(full),
            author: Author::Person,
            disposition,
            reason: (tokens < full).then(|| "1,204 lines trimmed".to_owned()),
            cut_by: None,
            turn: 1,
            entry_override: pinned.then_some(EntryOverride::Pin),
            timestamp: None,
            preview: "".into(),
            sent: Some(Arc::new(Message::user_text("head … tail"))),
        })
    };
    for item in [
        item(&asked, Disposition::Sent, false, 20, 20),
        item(&trimmed, Disposition::Trimmed, false, 48_200, 810),
        item(&cleared, Disposition::Cleared, false, 9_000, 12),
        item(&pinned, Disposition::Sent, true, 7, 7),
    ] {
        view.items.push_back_mut(item);
    }
    view.left_out.push_back_mut(Arc::new(LeftOut {
        is_told: true,
        entry: first,
        disposition: Disposition::Summarized,
        reason: "summarised".to_owned(),
        tokens_full: 5,
        compaction: None,
        turn: 1,
        preview: "".into(),
    }));
    it.event(AgentEvent::Context(ContextEvent::View(Arc::new(view))));
    let closed = it.screen();
    it.keys("ctrl-up ctrl-up enter");
    insta::assert_snapshot!(format!("{closed}{}", it.screen()));
}

#[test]
fn completion_list_80x24() {
    let mut it = story(80, 24);
    it.type_text("/co");
    insta::assert_snapshot!(it.screen());
    it.keys("down tab");
    assert_eq!(it.model.composer.buffer.text(), "/compact ");
    it.keys("enter");
    let compaction = Op::Context(ContextOp::Compact(CompactOptions::default()));
    assert!(it.take_effects().contains(&Effect::Send(compaction)));
}

#[test]
fn nothing_panics_at_any_size() {
    for columns in 1..=24 {
        for rows in 1..=14 {
            let mut it = story(columns, rows);
            it.type_text("/日本 two lines\\");
            it.keys("enter");
            it.type_text("@x");
            it.keys("pageup ctrl-up ctrl-o pagedown");
            it.type_text("/");
            let (_, cursor) = it.draw();
            if let Some(cursor) = cursor {
                assert!(cursor.x < columns && cursor.y < rows, "{columns}x{rows}");
            }
        }
    }
}

#[test]
fn hostile_text_never_reaches_the_screen() {
    let evil = "\u{1b}]0;owned\u{7}\u{202e}x\u{9b}31m";
    let mut it = Harness::new(80, 24);
    it.user(evil);
    it.answer(vec![
        text(evil),
        AssistantPart::Thinking {
            text: evil.to_owned(),
            signature: None,
        },
        call("c1", evil, "path", evil),
    ]);
    it.result("c1", evil, json!({"diff": evil, "exitCode": 1}));
    it.event(AgentEvent::Notice(Notice::error(evil).with_hint(evil)));
    it.event(AgentEvent::Turn(TurnEvent::Queued(vec![QueuedInput {
        id: 1,
        text: evil.to_owned(),
        when: SubmitWhen::NextStep,
        is_command: false,
    }])));
    it.model.session.name = evil.to_owned();
    it.send(Msg::Failed(evil.to_owned()));
    it.send(Msg::Input(Input::Paste(evil.to_owned())));
    it.keys("ctrl-o");
    let screen = it.screen();
    let is_bad = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!screen.contains(is_bad), "{screen:?}");
}

/// A size that is left and back before a frame leaves a screen that the terminal has cut.
#[test]
fn a_resize_draws_the_whole_screen_again() {
    let mut it = Harness::new(120, 40);
    it.model.screens.wants_clear = false;
    it.resize(120, 40);
    assert!(it.model.screens.wants_clear);
}
