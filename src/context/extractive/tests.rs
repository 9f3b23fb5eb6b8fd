use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::context::TemplateKind;
use crate::context::summary::template;
use crate::transcript::{
    AssistantMessage, AssistantPart, EntryId, Message, Part, ToolCall, ToolResult,
};

fn source(message: Message) -> SourceMessage {
    SourceMessage {
        entry: EntryId::new("e"),
        message: Arc::new(message),
        tokens: 1,
    }
}

fn answer(text: &str, calls: &[(&str, &str, &str)]) -> SourceMessage {
    let mut content = vec![AssistantPart::Text(text.to_owned())];
    for (id, name, path) in calls {
        content.push(AssistantPart::ToolCall(ToolCall {
            id: (*id).to_owned(),
            name: (*name).to_owned(),
            arguments: json!({ "path": path }),
            malformed: None,
        }));
    }
    source(Message::Assistant(AssistantMessage {
        content,
        ..AssistantMessage::default()
    }))
}

fn result(id: &str, name: &str, text: &str, is_error: bool) -> SourceMessage {
    source(Message::ToolResult(ToolResult {
        call_id: id.to_owned(),
        tool_name: name.to_owned(),
        content: vec![Part::Text(text.to_owned())],
        is_error,
        details: None,
    }))
}

fn session() -> Vec<SourceMessage> {
    vec![
        source(Message::user_text(
            "Fix the token refresh race. You must not change the public API.",
        )),
        answer("Let me read the file.", &[("1", "read", "src/refresh.rs")]),
        result("1", "read", "fn refresh() {}", false),
        answer(
            "We decided to use a mutex because the guard is dropped early.\n- [x] reproduce it\n- [ ] lock ordering",
            &[("2", "edit", "src/refresh.rs"), ("3", "bash", "")],
        ),
        result("2", "edit", "ok", false),
        result("3", "bash", "error[E0382]: borrow of moved value", true),
        source(Message::user_text(
            "接下来请修复测试。必须保留迁移步骤。 key sk-abcdefghijklmnopqrstuv123456",
        )),
        answer(
            "I will run the tests next. The migration has two steps.",
            &[],
        ),
    ]
}

fn run(kind: &TemplateKind, previous: Option<&str>, instructions: Option<&str>) -> Extract {
    let headings = template::headings(kind);
    let messages = session();
    let identifiers = crate::context::identifiers::select(previous, &messages);
    extract(Source {
        messages: &messages,
        previous,
        headings: &headings,
        ask: None,
        instructions,
        identifiers: &identifiers,
    })
}

#[test]
fn says_enough_to_go_on() {
    let text = run(&TemplateKind::Standard, None, None).text;
    for piece in [
        "## Goal\n- First ask: Fix the token refresh race.",
        "- Latest ask: 接下来请修复测试。",
        "- You must not change the public API.",
        "- 必须保留迁移步骤。",
        "- bash: 1 call(s), 1 failed",
        "- Changed files: `src/refresh.rs`",
        "- We decided to use a mutex",
        "- [ ] lock ordering",
        "- I will run the tests next.",
        "- Failed: bash: error[E0382]",
        "- `src/refresh.rs` (modified)",
        "### Blocked\n(none)",
    ] {
        assert!(text.contains(piece), "{piece}\n{text}");
    }
    assert!(!text.contains("sk-abc"), "{text}");
    assert_eq!(text, run(&TemplateKind::Standard, None, None).text);
}

#[test]
fn instructions_rank_first_and_say_what_they_did() {
    let extract = run(
        &TemplateKind::Standard,
        None,
        Some("keep the migration, refresh and zebra"),
    );
    assert!(
        extract.text.contains("- The migration has two steps."),
        "{}",
        extract.text
    );
    assert!(
        extract
            .effects
            .iter()
            .any(|e| e.starts_with("“migration”: 1 sentence")),
        "{:?}",
        extract.effects
    );
    assert!(
        extract
            .effects
            .iter()
            .any(|e| e.contains("“refresh”") && e.contains("1 file"))
    );
    assert!(!extract.effects.iter().any(|e| e.contains("zebra")));
}

#[test]
fn every_template_is_filled_and_the_previous_summary_carried_over() {
    let custom = TemplateKind::Custom(vec!["## Notizen".to_owned()]);
    for kind in [
        TemplateKind::Standard,
        TemplateKind::Openclaw,
        TemplateKind::Opencode,
        custom,
    ] {
        let text = run(&kind, None, None).text;
        for heading in template::headings(&kind) {
            assert!(text.contains(&heading.line()), "{kind:?}");
        }
        assert!(text.contains("接下来请修复测试"), "{kind:?}\n{text}");
    }
    let text = run(
        &TemplateKind::Openclaw,
        Some("## Decisions\n- keep sqlite\n## Open TODOs\n(none)"),
        None,
    )
    .text;
    assert!(
        text.contains("## Decisions\n- keep sqlite\n- We decided"),
        "{text}"
    );
}

#[test]
fn nothing_to_say_is_said_under_every_heading() {
    let headings = template::headings(&TemplateKind::Openclaw);
    let text = extract(Source {
        messages: &[],
        previous: None,
        headings: &headings,
        ask: None,
        instructions: None,
        identifiers: &[],
    })
    .text;
    assert_eq!(text.matches(NONE).count(), 5);
}
