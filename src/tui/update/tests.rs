use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use crate::agent::{
    AgentEvent, AnswerDelta, Notice, QueuedMessage, SessionList, SubmitWhen, TurnEnd,
};
use crate::context::{Category, Disposition, LeftOut, Role, ViewItem};
use crate::transcript::{
    AssistantPart, AuditRecord, Compaction, CompactionDetails, EntryBody, EntryId, Message,
    ModelRef, StopReason,
};
use crate::tui::input::Input;
use crate::tui::testing::{Harness, call, view_of};

use super::*;

fn text(text: &str) -> AssistantPart {
    AssistantPart::Text(text.to_owned())
}

/// A conversation with a bit of everything.
fn story(columns: u16, rows: u16) -> Harness {
    let mut it = Harness::new(columns, rows);
    it.user("why does the token refresh race? 更新 👩‍👩‍👧");
    it.answer(vec![
        AssistantPart::Thinking {
            text: "Let me look.\nThe guard may be dropped early.".to_owned(),
            signature: None,
        },
        call("c1", "read", "path", "src/auth/refresh.rs"),
        call("c2", "bash", "command", "cargo build -p auth"),
    ]);
    it.result("c1", "fn refresh() {}", json!({"lines": 312}));
    it.result(
        "c2",
        "error[E0502]: no\nsecond\nthird\nfourth",
        json!({"exitCode": 101}),
    );
    it.answer(vec![text(
        "The refresh **guard** is dropped before the await.\n\n- 一つ目\n- two",
    )]);
    it.entry(EntryBody::Compaction(Box::new(Compaction {
        summary: "## Goal\nfix it".to_owned(),
        tokens_before: 171_204,
        details: CompactionDetails {
            tokens_after: 24_310,
            audit: Some(AuditRecord {
                identifiers_found: 41,
                identifiers_total: 41,
                passed: true,
                ..AuditRecord::default()
            }),
            ..CompactionDetails::default()
        },
        ..Compaction::default()
    })));
    it.user("go on");
    let mut view = view_of(&[4_000, 9_000, 6_000, 12_000, 20_000, 27_200, 38]);
    view.prune.cache_secs_left = Some(252);
    it.event(AgentEvent::View(Arc::new(view)));
    it
}

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
fn streaming_tools_and_queue_80x24() {
    let mut it = Harness::new(80, 24);
    it.type_text("run it");
    it.keys("enter");
    it.user("run it");
    it.event(AgentEvent::RequestStarted {
        model: ModelRef::new("anthropic", "claude-sonnet"),
    });
    for part in ["I will ", "run **it**.\n"] {
        it.event(AgentEvent::Delta(AnswerDelta::Text(part.to_owned())));
    }
    it.event(AgentEvent::Delta(AnswerDelta::ToolCall {
        index: 0,
        name: "bash".to_owned(),
        argument_bytes: 1_204,
    }));
    let streaming = it.screen();
    it.answer(vec![
        text("I will run **it**."),
        call("c1", "bash", "command", "make"),
    ]);
    it.event(AgentEvent::ToolStarted {
        call_id: "c1".to_owned(),
        name: "bash".to_owned(),
        title: "make \u{1b}[2J all".to_owned(),
    });
    it.event(AgentEvent::ToolOutput {
        call_id: "c1".to_owned(),
        text: "cc -c a.c\ncc -c b.c\n".to_owned(),
    });
    it.event(AgentEvent::Queued(vec![QueuedMessage {
        id: 7,
        text: "and test it".to_owned(),
        when: SubmitWhen::NextStep,
    }]));
    it.wait(4_200);
    insta::assert_snapshot!(format!("{streaming}{}", it.screen()));
    it.keys("up");
    assert_eq!(it.model.composer.buffer.text(), "and test it");
    assert!(
        it.take_effects()
            .contains(&Effect::Send(Op::Unqueue { id: 7 }))
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
    let mut view = view_of(&[1, 2, 3, 4, 5, 6, 0]);
    let item = |id: &EntryId, disposition, pinned, full, tokens| {
        Arc::new(ViewItem {
            entry: Some(id.clone()),
            role: Role::Tool,
            category: Category::ToolResults,
            tokens,
            tokens_full: full,
            estimate_tokens: tokens,
            is_ask: false,
            from_hook: false,
            disposition,
            reason: (tokens < full).then(|| "1,204 lines trimmed".to_owned()),
            policy: None,
            phase: None,
            turn: 1,
            pinned,
            restored: false,
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
        entry: first,
        disposition: Disposition::Summarized,
        reason: "summarised".to_owned(),
        tokens_full: 5,
        compaction: None,
        turn: 1,
        preview: "".into(),
    }));
    it.event(AgentEvent::View(Arc::new(view)));
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
    assert!(it.take_effects().contains(&Effect::Send(Op::Compact {
        instructions: None,
        yes: false,
        dry_run: false,
        force: false,
        extractive: false,
        from: None,
    })));
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
fn enter_sends_and_remembers() {
    let mut it = Harness::new(80, 24);
    it.type_text("hello");
    it.keys("enter");
    let effects = it.take_effects();
    assert!(effects.contains(&Effect::Send(Op::Submit {
        text: "hello".to_owned(),
        images: Vec::new(),
        when: SubmitWhen::NextStep,
    })));
    assert!(effects.contains(&Effect::SaveHistory("hello".to_owned())));
    it.type_text("later");
    it.keys("alt-enter");
    assert!(matches!(
        it.take_effects().last(),
        Some(Effect::Send(Op::Submit {
            when: SubmitWhen::AfterTurn,
            ..
        }))
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
    let shell = |command: &str, excluded| Op::Shell {
        command: command.to_owned(),
        excluded,
    };
    let compact = |instructions: Option<&str>, yes, dry_run| Op::Compact {
        instructions: instructions.map(str::to_owned),
        yes,
        dry_run,
        force: false,
        extractive: false,
        from: None,
    };
    check("! ls", &shell("ls", false));
    check("!! ls", &shell("ls", true));
    check(
        "/compact --yes keep the -- steps",
        &compact(Some("keep the -- steps"), true, false),
    );
    check("/compact --dry-run", &compact(None, false, true));
    check("/prune --dry-run", &Op::Prune { dry_run: true });
    check(
        "/model gpt",
        &Op::SetModel(ModelRef::new("anthropic", "gpt")),
    );
    check("/model a/b/c", &Op::SetModel(ModelRef::new("a", "b/c")));
    check("/rename two words", &Op::Rename("two words".to_owned()));
    check(
        "/etc/hosts is odd",
        &Op::Submit {
            text: "/etc/hosts is odd".to_owned(),
            images: Vec::new(),
            when: SubmitWhen::NextStep,
        },
    );
}

#[test]
fn escape_stops_and_control_c_clears_then_leaves() {
    let mut it = Harness::new(80, 24);
    it.type_text("x");
    it.keys("ctrl-c");
    assert!(it.model.composer.buffer.is_empty());
    it.keys("ctrl-c");
    assert!(it.screen().contains("ctrl-c again to leave"));
    it.wait(2_500);
    it.keys("ctrl-c");
    assert!(!it.take_effects().contains(&Effect::Quit));
    it.keys("ctrl-c");
    assert!(it.take_effects().contains(&Effect::Quit));
    it.event(AgentEvent::RequestStarted {
        model: ModelRef::default(),
    });
    it.keys("esc");
    assert!(it.take_effects().contains(&Effect::Send(Op::Interrupt)));
    it.event(AgentEvent::TurnFinished(TurnEnd {
        stop: StopReason::Aborted,
        text: String::new(),
        error: Some(Notice::error("it broke").with_hint("try again")),
        exit_code: 130,
    }));
    assert!(!it.model.activity.is_busy());
    assert!(it.screen().contains("it broke"));
}

#[test]
fn the_draft_is_counted_then_saved() {
    let mut it = Harness::new(80, 24);
    it.type_text("abc");
    it.wait(150);
    assert!(it.take_effects().contains(&Effect::Send(Op::Draft {
        text: "abc".to_owned()
    })));
    it.wait(300);
    assert_eq!(it.take_effects(), [Effect::SaveDraft("abc".to_owned())]);
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
    it.event(AgentEvent::Queued(vec![QueuedMessage {
        id: 1,
        text: evil.to_owned(),
        when: SubmitWhen::NextStep,
    }]));
    it.model.session.name = evil.to_owned();
    it.send(Msg::Failed(evil.to_owned()));
    it.send(Msg::Input(Input::Paste(evil.to_owned())));
    it.keys("ctrl-o");
    let screen = it.screen();
    let is_bad = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!screen.contains(is_bad), "{screen:?}");
}

#[test]
fn retries_count_down() {
    let mut it = Harness::new(80, 24);
    it.event(AgentEvent::RequestStarted {
        model: ModelRef::default(),
    });
    it.event(AgentEvent::Retrying {
        attempt: 2,
        max_attempts: 8,
        after: Duration::from_secs(20),
        reason: "overloaded".to_owned(),
    });
    it.wait(5_000);
    assert!(
        it.screen().contains("try 2 of 8 in 15s · overloaded"),
        "{}",
        it.screen()
    );
}

#[test]
fn an_edit_shows_its_diff_and_an_undone_compaction_says_so() {
    let mut it = story(80, 40);
    it.answer(vec![call("c9", "edit", "path", "src/a.rs")]);
    let diff = "--- a\n+++ b\n@@ -1 +1 @@\n-let old = 1;\n+let new = 2;\n";
    it.result("c9", "ok", json!({"diff": diff, "added": 1, "removed": 1}));
    let screen = it.screen();
    assert!(
        screen.contains("let new = 2;") && screen.contains("+1 −1"),
        "{screen}"
    );
    let boundary = it.model.conversation.cells().iter().find_map(|cell| {
        let is_boundary = matches!(cell.body, crate::tui::transcript::Body::Compaction { .. });
        cell.entry.clone().filter(|_| is_boundary)
    });
    it.event(AgentEvent::CompactionUndone {
        target: boundary.unwrap(),
        tokens_after: 190_000,
        over_load_line: true,
    });
    let screen = it.screen();
    assert!(screen.contains("undone: compacted 171k"), "{screen}");
    assert!(screen.contains("beyond the load line"), "{screen}");
}

#[test]
fn a_compaction_shows_its_progress() {
    let mut it = Harness::new(80, 24);
    it.event(AgentEvent::CompactionStarted {
        trigger: crate::transcript::Trigger::Threshold,
        tokens_before: 171_204,
        summarized: 212,
        kept_turns: 3,
    });
    it.event(AgentEvent::CompactionProgress {
        stage: "part 2/3".to_owned(),
    });
    it.event(AgentEvent::CompactionDelta(
        "## Goal\nfix the race".to_owned(),
    ));
    it.wait(14_200);
    let screen = it.screen();
    assert!(
        screen.contains("compacting 212 messages (171k) · threshold · part 2/3"),
        "{screen}"
    );
    assert!(screen.contains("fix the race"), "{screen}");
    it.event(AgentEvent::CompactionFailed {
        trigger: crate::transcript::Trigger::Threshold,
        cause: "timeout",
        message: "the summariser timed out; nothing was changed".to_owned(),
        attempts: 2,
    });
    let screen = it.screen();
    assert!(!screen.contains("fix the race") && screen.contains("nothing was changed"));
}

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

#[test]
fn a_compaction_is_announced_before_it_happens() {
    let mut it = Harness::new(80, 24);
    let mut view = view_of(&[0, 0, 0, 0, 0, 181_000, 0]);
    view.compaction.due = true;
    view.compaction.would_summarize = 212;
    view.compaction.tokens_after_estimate = 24_310;
    it.event(AgentEvent::View(std::sync::Arc::new(view)));
    let screen = it.screen();
    let told = "the next message first compacts 212 messages → about 24.3k";
    assert!(screen.contains(told), "{screen}");
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
            unchanged_prefix_tokens: Some(1_200),
            first_difference: Some("messages[4]".to_owned()),
        }))
    };
    it.event(wire());
    assert!(
        it.screen().contains("first 1.2k tokens unchanged"),
        "{}",
        it.screen()
    );
    it.event(AgentEvent::Models(Vec::new()));
    it.event(AgentEvent::Sessions(SessionList::default()));
    it.keys("esc esc esc");
    assert!(it.model.overlays.is_empty());
}

#[test]
fn a_command_of_the_user_runs_and_ends() {
    let mut it = Harness::new(80, 24);
    it.event(AgentEvent::ToolStarted {
        call_id: "u1".to_owned(),
        name: "shell".to_owned(),
        title: "make".to_owned(),
    });
    assert!(it.screen().contains("shell make"));
    it.entry(EntryBody::Message(Arc::new(Message::BashExecution(
        crate::transcript::BashExecution {
            command: "make".to_owned(),
            output: "done\n".to_owned(),
            exit_code: Some(0),
            excluded: true,
        },
    ))));
    it.event(AgentEvent::ToolFinished {
        call_id: "u1".to_owned(),
        is_error: false,
        elapsed: Duration::from_secs(1),
    });
    let screen = it.screen();
    assert!(!it.model.activity.is_busy());
    assert!(
        screen.contains("!! make") && screen.contains("not in the context"),
        "{screen}"
    );
    assert!(!screen.contains("shell make"), "{screen}");
}

/// A size that is left and back before a frame leaves a screen that the terminal has cut.
#[test]
fn a_resize_draws_the_whole_screen_again() {
    let mut it = Harness::new(120, 40);
    it.model.wants_clear = false;
    it.resize(120, 40);
    assert!(it.model.wants_clear);
}

mod attach;
mod boundary;
mod everyday;
mod history;
mod hostile;
mod modes;
mod mouse;
mod recall;
mod search;
mod telling;
mod tour;
