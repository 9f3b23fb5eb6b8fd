use std::sync::Arc;

use super::*;
use crate::agent::{AnswerDelta, ApprovalDecision, ApprovalRequest, TurnEnd};
use crate::config::NotifyMethod;
use crate::transcript::{StopReason, ToolCall};
use crate::tui::testing::view_of;

/// What a hostile model, tool or file might say.
const HOSTILE: &str = "a\u{1b}]52;c;b3du\u{7}b\u{1b}[2Jc\u{9b}31md\u{202e}e\u{200b}f\rg";

fn chat() -> Chat<Vec<u8>> {
    let options = PlainOptions {
        first_prompt: None,
        paths: Paths::below(std::path::Path::new("/nonexistent/home")),
        cwd: "/nonexistent/work".into(),
        notify: NotifyWhen::Never,
        line: Line::from_env(NotifyMethod::Bell, |_| None),
    };
    Chat::new(options, Vec::new())
}

fn printed(chat: &mut Chat<Vec<u8>>) -> String {
    String::from_utf8(std::mem::take(&mut chat.out)).unwrap()
}

fn text(text: &str) -> AgentEvent {
    AgentEvent::Delta(AnswerDelta::Text(text.to_owned()))
}

fn end() -> AgentEvent {
    AgentEvent::TurnFinished(TurnEnd {
        stop: StopReason::Stop,
        text: String::new(),
        error: None,
        exit_code: 0,
    })
}

fn approval(title: &str) -> AgentEvent {
    AgentEvent::Approval(Box::new(ApprovalRequest {
        id: 7,
        call: ToolCall {
            id: "c".to_owned(),
            name: "shell".to_owned(),
            arguments: serde_json::json!({ "command": title }),
            malformed: None,
        },
        title: title.to_owned(),
        cwd: "/src".into(),
        diff: None,
        pattern: "shell:cargo *".to_owned(),
        outside: Vec::new(),
    }))
}

#[test]
fn an_answer_comes_line_by_line_with_the_gauge_behind_it() {
    let mut chat = chat();
    chat.on_line("hello").unwrap();
    assert!(matches!(&chat.asked[..], [Op::Submit { text, .. }] if text == "hello"));
    assert_eq!(printed(&mut chat), "", "no prompt while the model answers");
    chat.on_event(text("one\ntw")).unwrap();
    assert_eq!(printed(&mut chat), "one\n");
    chat.on_event(text("o\nthree")).unwrap();
    let view = view_of(&[1_000, 0, 0, 500, 0, 0, 0]);
    chat.on_event(AgentEvent::View(Arc::new(view))).unwrap();
    chat.on_event(end()).unwrap();
    assert_eq!(
        printed(&mut chat),
        "two\nthree\ncontext: about 1% full, 1.5k of 200k tokens; 178k to the load line\nyou: "
    );
}

#[test]
fn an_approval_is_a_typed_question() {
    for (line, expected) in [
        ("y", ApprovalDecision::Once),
        ("s", ApprovalDecision::Session),
        ("p", ApprovalDecision::Pattern("shell:cargo *".to_owned())),
        ("a", ApprovalDecision::Always("shell:cargo *".to_owned())),
        ("No", ApprovalDecision::Deny { feedback: None }),
        (
            "use just instead",
            ApprovalDecision::Deny {
                feedback: Some("use just instead".to_owned()),
            },
        ),
    ] {
        let mut chat = chat();
        chat.on_event(approval("cargo build")).unwrap();
        let asked = printed(&mut chat);
        assert!(
            asked.starts_with("question: may shell run? cargo build\nin /src\n"),
            "{asked}"
        );
        assert!(asked.ends_with("answer: "), "{asked}");
        chat.on_line(" ").unwrap();
        assert_eq!(chat.asked, [], "an empty line is no answer");
        chat.on_line(line).unwrap();
        assert_eq!(
            chat.asked,
            [Op::Approve {
                id: 7,
                decision: expected
            }]
        );
    }
}

#[test]
fn a_question_that_is_settled_elsewhere_takes_no_line() {
    let mut chat = chat();
    chat.on_event(approval("ls")).unwrap();
    chat.on_event(AgentEvent::ApprovalClosed { id: 7 }).unwrap();
    chat.on_line("y").unwrap();
    assert!(matches!(&chat.asked[..], [Op::Submit { .. }]));
}

#[test]
fn lines_continue_and_commands_work() {
    let mut chat = chat();
    chat.on_line("one\\").unwrap();
    chat.on_line("two").unwrap();
    chat.on_line("/compact --dry-run").unwrap();
    chat.on_line("/pruned").unwrap();
    chat.on_line("/summary").unwrap();
    chat.on_line("/nonsense").unwrap();
    assert!(matches!(&chat.asked[0], Op::Submit { text, .. } if text == "one\ntwo"));
    assert!(matches!(&chat.asked[1], Op::Compact(options) if options.dry_run));
    assert_eq!(chat.asked.len(), 2);
    let out = printed(&mut chat);
    for part in [
        "more: ",
        "nothing is in the window yet",
        "no compaction yet",
        "there is no /nonsense",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    chat.on_line("/help").unwrap();
    assert!(printed(&mut chat).contains("/context: what is in the window"));
    chat.on_line("/quit").unwrap();
    assert!(chat.is_leaving);
}

#[test]
fn the_second_interrupt_leaves_unless_something_runs() {
    let mut chat = chat();
    chat.on_line("hello").unwrap();
    chat.on_interrupt(true).unwrap();
    assert_eq!(chat.asked.last(), Some(&Op::Interrupt));
    chat.on_event(end()).unwrap();
    chat.on_interrupt(true).unwrap();
    assert!(!chat.is_leaving);
    chat.on_interrupt(true).unwrap();
    assert!(chat.is_leaving);
}

#[test]
fn nothing_foreign_acts_on_the_terminal() {
    let mut chat = chat();
    chat.on_event(text(HOSTILE)).unwrap();
    chat.on_event(AgentEvent::ToolStarted {
        call_id: "c".to_owned(),
        name: HOSTILE.to_owned(),
        title: HOSTILE.to_owned(),
    })
    .unwrap();
    chat.on_event(AgentEvent::Notice(
        crate::agent::Notice::error(HOSTILE).with_hint(HOSTILE),
    ))
    .unwrap();
    chat.on_event(approval(HOSTILE)).unwrap();
    chat.on_line("n").unwrap();
    chat.on_line(&format!("/{HOSTILE}")).unwrap();
    let out = printed(&mut chat);
    let acts = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202e}' | '\u{200b}');
    assert!(!out.contains(acts), "{out:?}");
    assert!(out.contains('␛'), "{out}");
}

#[test]
fn jobs_and_steps_are_read_out() {
    let mut chat = chat();
    chat.on_line("/jobs").unwrap();
    assert!(printed(&mut chat).contains("nothing runs in the background"));
    let job = crate::agent::JobInfo {
        id: 2,
        command: "npm run dev".to_owned(),
        output: String::new(),
        elapsed: std::time::Duration::from_secs(3),
        end: None,
    };
    chat.on_event(AgentEvent::Jobs(vec![job])).unwrap();
    chat.on_line("/jobs").unwrap();
    assert!(printed(&mut chat).contains("job 2: running, 3.0s: npm run dev"));
    chat.model.session.todo = Some(crate::transcript::TodoList {
        items: vec![crate::transcript::TodoItem {
            text: format!("mend it {HOSTILE}"),
            state: crate::transcript::TodoState::InProgress,
        }],
    });
    chat.on_line("/todo").unwrap();
    let text = printed(&mut chat);
    assert!(text.contains("in progress: mend it"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
}

#[test]
fn what_needs_the_screen_says_so_in_one_line_and_asks_for_nothing() {
    for line in [
        "/palette",
        "/rewind",
        "/tree",
        "/timeline",
        "/intro",
        "/settings",
        "/login groq",
    ] {
        let mut chat = chat();
        chat.on_line(line).unwrap();
        let printed = printed(&mut chat);
        let name = line.split(' ').next().unwrap();
        assert_eq!(
            printed,
            format!("{name} needs the screen: start without --plain\nyou: ")
        );
        assert!(chat.asked.is_empty(), "{line}");
    }
    let mut chat = chat();
    chat.on_line("/settings prune.policy=off").unwrap();
    assert!(!chat.asked.is_empty(), "what is said in words is done");
}
