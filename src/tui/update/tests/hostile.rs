//! Foreign text on every way to the screen: what reaches a cell is never a control
//! character, and never something that reorders or hides text.

use super::*;
use crate::agent::{AnswerEvent, TurnEvent};

/// CSI, OSC 52, OSC 8, a title, DCS, C1, bidi overrides, zero-width, a lone return.
const HOSTILE: &str = "ab\u{1b}[2Jc\u{1b}]52;c;b3du\u{7}d\u{1b}]8;;http://x\u{1b}\\e\u{1b}]0;t\u{7}\
                       f\u{1b}P+q544e\u{1b}\\g\u{9b}31mh\u{9d}0;i\u{9c}j\u{202e}k\u{2066}l\
                       \u{200b}m\u{feff}n\rz\u{8}\u{7f}\u{e0041}";

/// What it is, and how it comes.
type Way = (&'static str, fn(&mut Harness));

fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
        || matches!(c, '\u{e0000}'..='\u{e007f}')
}

fn assert_safe(screen: &mut Harness, what: &str) {
    let text = screen.screen();
    let found: String = text.chars().filter(|c| acts(*c) && *c != '\n').collect();
    assert_eq!(found, "", "{what}: {text}");
    assert!(text.contains("ab"), "{what} is not on the screen: {text}");
}

#[test]
fn foreign_text_never_acts_whichever_way_it_comes() {
    let ways: [Way; 9] = [
        ("a streamed answer", |screen| {
            screen.event(AgentEvent::Stream(AnswerEvent::Delta(AnswerDelta::Text(
                HOSTILE.to_owned(),
            ))));
        }),
        ("a finished answer", |screen| {
            screen.answer(vec![AssistantPart::Text(HOSTILE.to_owned())]);
        }),
        ("a message", |screen| {
            screen.user(HOSTILE);
        }),
        ("a tool call with its result", |screen| {
            screen.answer(vec![call("1", "read", "path", HOSTILE)]);
            screen.result("1", HOSTILE, serde_json::json!({}));
            screen.keys("ctrl-o");
        }),
        ("a running tool", |screen| {
            screen.event(AgentEvent::Stream(AnswerEvent::ToolStarted {
                call_id: "1".to_owned(),
                name: "shell".to_owned(),
                title: HOSTILE.to_owned(),
            }));
            screen.event(AgentEvent::Stream(AnswerEvent::ToolOutput {
                call_id: "1".to_owned(),
                text: HOSTILE.to_owned(),
            }));
        }),
        ("a session's name", |screen| {
            screen.entry(EntryBody::SessionInfo {
                name: HOSTILE.to_owned(),
            });
        }),
        ("an error's body", |screen| {
            screen.event(AgentEvent::Turn(TurnEvent::Finished(TurnEnd {
                stop: StopReason::Error,
                text: String::new(),
                error: Some(Notice::error(HOSTILE).with_hint(HOSTILE)),
                error_kind: None,
                exit_code: 1,
            })));
        }),
        ("a paste", |screen| {
            screen.send(Msg::Input(Input::Paste(HOSTILE.to_owned())));
        }),
        ("a queued message", |screen| {
            screen.event(AgentEvent::Turn(TurnEvent::Queued(vec![QueuedInput {
                id: 1,
                text: HOSTILE.to_owned(),
                when: SubmitWhen::NextStep,
                is_command: false,
            }])));
        }),
    ];
    for (what, arrive) in ways {
        for columns in [120, 40] {
            let mut screen = Harness::new(columns, 24);
            arrive(&mut screen);
            assert_safe(&mut screen, what);
        }
    }
}
