use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::context::TemplateKind;
use crate::context::identifiers::{IdentifierLimits, IdentifierSources, select};
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

fn run(
    kind: &TemplateKind,
    previous: Option<&str>,
    instructions: Option<&str>,
) -> ExtractiveSummary {
    let headings = template::headings(kind);
    let messages = session();
    let secrets = crate::context::redact::KnownSecrets::default();
    let selection = select(IdentifierSources {
        messages: &messages,
        kept: &[],
        previous,
        demands: &[],
        secrets: &secrets,
        limits: IdentifierLimits::default(),
    });
    extract(ExtractSource {
        messages: &messages,
        previous,
        headings: &headings,
        ask: None,
        instructions,
        possible_rules: &[],
        identifiers: &selection.identifiers,
        identifiers_fixed: selection.fixed,
        identifiers_left: selection.left,
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
        "- Tool calls: bash ×1 (1 failed), edit ×1, read ×1",
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
    let text = extract(ExtractSource {
        messages: &[],
        previous: None,
        headings: &headings,
        ask: None,
        instructions: None,
        possible_rules: &[],
        identifiers: &[],
        identifiers_fixed: 0,
        identifiers_left: 0,
    })
    .text;
    assert_eq!(text.matches(NONE).count(), 5);
}

fn extract_of(
    messages: &[SourceMessage],
    previous: Option<&str>,
    instructions: Option<&str>,
) -> String {
    let headings = template::headings(&TemplateKind::Standard);
    extract(ExtractSource {
        messages,
        previous,
        headings: &headings,
        ask: None,
        instructions,
        possible_rules: &[],
        identifiers: &[],
        identifiers_fixed: 0,
        identifiers_left: 0,
    })
    .text
}

fn command(id: &str, line: &str) -> SourceMessage {
    source(Message::Assistant(AssistantMessage {
        content: vec![AssistantPart::ToolCall(ToolCall {
            id: id.to_owned(),
            name: "bash".to_owned(),
            arguments: json!({ "command": line }),
            malformed: None,
        })],
        ..AssistantMessage::default()
    }))
}

#[test]
fn failures_that_passed_later_are_told_as_put_right_and_the_others_name_their_command() {
    let first = [
        command("1", "cargo test"),
        result("1", "bash", "1 failed", true),
        command("2", "psql -f a.sql"),
        result("2", "bash", "refused", true),
        command("1", "cargo test"),
        result("1", "bash", "ok", false),
    ];
    let text = extract_of(&first, None, None);
    assert!(
        text.contains("- Failed: bash `psql -f a.sql`: refused"),
        "{text}"
    );
    assert!(
        text.contains("- Failed, then put right: bash `cargo test`: 1 failed\n"),
        "{text}"
    );
    assert!(!text.contains("Failed: bash `cargo test`"), "{text}");
    assert!(text.contains("- Ran: `cargo test`"), "{text}");
    let then = [
        command("3", "psql -f a.sql"),
        result("3", "bash", "ok", false),
    ];
    let text = extract_of(&then, Some(&text), None);
    assert!(!text.contains("Failed:"), "{text}");
    assert_eq!(text.matches("- Tool calls:").count(), 1, "{text}");
}

#[test]
fn asks_in_between_are_told_and_obstacles_of_earlier_turns_are_not() {
    let messages = [
        source(Message::user_text(
            "<environment_context>\n<cwd>/x</cwd>\n</environment_context>",
        )),
        source(Message::user_text(
            "Port the store to postgres.\n```toml\nurl = 1\n```",
        )),
        answer("I am blocked by the closed tunnel.", &[]),
        source(Message::user_text(
            "The tunnel is open, use the staging database",
        )),
        source(Message::user_text("ok")),
        answer(
            "## Next Steps\n\n| a | we must not |\n\nI fixed the tunnel settings.",
            &[],
        ),
        source(Message::user_text("Write the documentation")),
    ];
    let text = extract_of(&messages, None, None);
    assert!(
        text.starts_with(
            "## Goal\n- First ask: Port the store to postgres. [code left out]\n- Then asked: The tunnel is open, use the staging database\n- Latest ask: Write the documentation\n"
        ),
        "{text}"
    );
    for noise in ["blocked", "```", "| a", "environment", "- Next Steps"] {
        assert!(!text.contains(noise), "{noise}\n{text}");
    }
    assert!(
        text.contains("### Done\n- I fixed the tunnel settings."),
        "{text}"
    );
}

#[test]
fn words_of_instructions_match_words_not_parts_and_verbs_do_not_count() {
    let messages = [source(Message::user_text(
        "Fix keeps_order first.\nThe first migration must run alone.\nImmigration is unrelated here.",
    ))];
    let headings = template::headings(&TemplateKind::Standard);
    let extract = extract(ExtractSource {
        messages: &messages,
        previous: None,
        headings: &headings,
        ask: None,
        instructions: Some("keep the migrations"),
        possible_rules: &[],
        identifiers: &[],
        identifiers_fixed: 0,
        identifiers_left: 0,
    });
    assert_eq!(
        extract.effects,
        ["“migrations”: 1 sentence(s), 0 file(s) first"]
    );
}

#[test]
fn a_secret_at_the_cut_of_an_ask_or_a_command_is_not_half_shown() {
    let key = "sk-abcdefghijklmnopqrstuv123456";
    let ask = format!("{}{key} {}", "word ".repeat(78), "more ".repeat(100));
    let line = format!("{} {key}", "x".repeat(80));
    let messages = [
        source(Message::user_text(ask)),
        command("1", &line),
        result("1", "bash", "no", true),
    ];
    let text = extract_of(&messages, None, None);
    assert!(!text.contains("sk-"), "{text}");
}

#[test]
fn what_the_model_quotes_is_neither_a_rule_nor_a_step() {
    let messages = [
        source(Message::user_text("You must keep the interface.")),
        answer(
            "I do not follow \"you must keep it\". That never works here.\n- `search for TODO in src`\nNext I will do this:",
            &[],
        ),
    ];
    let text = extract_of(&messages, None, None);
    assert!(
        text.contains("## Constraints & Preferences\n- You must keep the interface.\n\n##"),
        "{text}"
    );
    assert!(text.contains("## Next Steps\n(none)"), "{text}");
}
