//! Cases for each rule of the projection; what providers counted and what holds for any
//! log are in the modules below.

mod fences;
mod measured;
mod properties;
mod standing;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::json;

use crate::context::{
    Category, ContextSettings, ContextView, Disposition, RequestContext, Role, ShrinkMode,
    ViewAssembler, ruler::Approximate,
};
use crate::transcript::{
    AssistantMessage, AssistantPart, BashExecution, Compaction, Decision, Entry, EntryBody,
    EntryId, ExpectedTokens, Message, ModelInfo, ModelRef, Part, StopReason, Timestamp, ToolCall,
    ToolResult, Transcript, Usage,
};

const NOW: Timestamp = Timestamp(1_800_000_000_000);

fn model() -> ModelInfo {
    ModelInfo {
        window_tokens: Some(200_000),
        ..ModelInfo::unknown(ModelRef::new("p", "m"))
    }
}

fn around() -> RequestContext {
    RequestContext {
        system: Arc::from("You are a test."),
        tools: Arc::from(Vec::new()),
        memory: None,
        skills: None,
        servers: Arc::default(),
        repeatable: Arc::new(BTreeSet::from(["read".to_owned()])),
        workspace_rules: None,
        model: model(),
        samples: Arc::default(),
        live: None,
        tools_running: false,
    }
}

fn id(n: usize) -> EntryId {
    EntryId::new(format!("{n:08x}"))
}

fn entry(n: usize, parent: Option<usize>, body: EntryBody) -> Arc<Entry> {
    Arc::new(Entry {
        id: id(n),
        parent: parent.map(id),
        timestamp: Timestamp(1_799_000_000_000 + n as i64 * 1_000),
        body,
    })
}

fn log(bodies: Vec<EntryBody>) -> Transcript {
    let mut transcript = Transcript::new();
    for (n, body) in bodies.into_iter().enumerate() {
        transcript.push(entry(n, n.checked_sub(1), body)).unwrap();
    }
    transcript
}

fn message(message: Message) -> EntryBody {
    EntryBody::Message(Arc::new(message))
}

fn user(text: &str) -> EntryBody {
    message(Message::user_text(text))
}

fn answer(text: &str, calls: &[&str], stop: StopReason) -> EntryBody {
    let mut content = vec![AssistantPart::Text(text.to_owned())];
    content.extend(calls.iter().map(|call| {
        AssistantPart::ToolCall(ToolCall {
            id: (*call).to_owned(),
            name: "read".to_owned(),
            arguments: json!({"path": call}),
            malformed: None,
        })
    }));
    message(Message::Assistant(AssistantMessage {
        content,
        provider: "p".into(),
        model: "m".into(),
        stop,
        ..AssistantMessage::default()
    }))
}

fn with_usage(body: EntryBody, prompt: u64, output: u64) -> EntryBody {
    let EntryBody::Message(shared) = body else {
        panic!("not a message")
    };
    let Message::Assistant(mut answer) = Message::clone(&shared) else {
        panic!("not an answer")
    };
    answer.usage = Some(Usage {
        input_tokens: prompt,
        output_tokens: output,
        expected: Some(ExpectedTokens::text(prompt)),
        ..Usage::default()
    });
    message(Message::Assistant(answer))
}

fn result(call: &str, text: &str) -> EntryBody {
    message(Message::ToolResult(ToolResult {
        call_id: call.to_owned(),
        tool_name: "read".to_owned(),
        content: vec![Part::Text(text.to_owned())],
        ..ToolResult::default()
    }))
}

fn compaction(summary: &str, first_kept: Option<usize>) -> EntryBody {
    EntryBody::Compaction(Box::new(Compaction {
        summary: summary.to_owned(),
        first_kept: first_kept.map(id),
        ..Compaction::default()
    }))
}

fn decided(decision: Decision) -> EntryBody {
    EntryBody::Decision(decision)
}

fn view_of(transcript: &Transcript) -> ContextView {
    let mut assembler =
        ViewAssembler::new(Arc::new(ContextSettings::default()), Arc::new(Approximate));
    assembler
        .evaluate(transcript, &around(), NOW, ShrinkMode::default())
        .view
}

/// `role:entry` of each item after system and tools, `+` for synthetic ones.
fn shape(view: &ContextView) -> String {
    let names: Vec<String> = view
        .items
        .iter()
        .skip(5)
        .map(|item| match &item.entry {
            Some(entry) => format!("{}:{}", item.role.name(), trim(entry)),
            None => format!("{}:+", item.role.name()),
        })
        .collect();
    names.join(" ")
}

fn trim(entry: &EntryId) -> String {
    let digits = entry.as_str().trim_start_matches('0');
    if digits.is_empty() {
        "0".to_owned()
    } else {
        digits.to_owned()
    }
}

/// The strict rules that providers share.
fn check_valid(view: &ContextView) {
    let mut open: Vec<String> = Vec::new();
    let mut used = BTreeSet::new();
    for (at, item) in view.items.iter().enumerate().skip(5) {
        let sent = item.sent.as_deref().expect("a conversation item is sent");
        if at == 2 {
            assert_eq!(item.role, Role::User, "the first message is the user's");
        }
        match sent {
            Message::ToolResult(result) => {
                assert_eq!(open.first(), Some(&result.call_id), "results in call order");
                open.remove(0);
            }
            other => {
                assert!(open.is_empty(), "a call is unanswered: {open:?}");
                assert!(
                    !other.text().trim().is_empty() || has_more(other),
                    "an empty message is sent"
                );
            }
        }
        if let Message::Assistant(answer) = sent {
            for call in answer.tool_calls() {
                assert!(
                    used.insert(call.id.clone()),
                    "call id {} is used twice",
                    call.id
                );
                assert!(call.arguments.is_object());
                open.push(call.id.clone());
            }
        }
    }
    assert!(open.is_empty(), "a call is unanswered at the end: {open:?}");
}

fn has_more(message: &Message) -> bool {
    match message {
        Message::Assistant(answer) => answer.tool_calls().next().is_some(),
        other => other.images().next().is_some(),
    }
}

fn check_complete(view: &ContextView, transcript: &Transcript) {
    let mut seen: Vec<EntryId> = view
        .items
        .iter()
        .filter_map(|item| item.entry.clone())
        .collect();
    seen.extend(view.left_out.iter().map(|left| left.entry.clone()));
    seen.sort();
    let mut expected: Vec<EntryId> = transcript
        .branch()
        .iter()
        .filter(|entry| entry.body.speaks_to_model())
        .map(|entry| entry.id.clone())
        .collect();
    expected.sort();
    assert_eq!(seen, expected, "each speaking entry exactly once");
    let items: u64 = view.items.iter().map(|item| item.tokens).sum();
    assert_eq!(items, view.usage.tokens);
    assert_eq!(view.usage.by_category.total(), view.usage.tokens);
}

#[test]
fn results_pair_within_their_span_only() {
    let check = |bodies: Vec<EntryBody>, expected: &str| {
        let transcript = log(bodies);
        let view = view_of(&transcript);
        assert_eq!(shape(&view), expected);
        check_valid(&view);
        check_complete(&view, &transcript);
    };
    let tool = StopReason::ToolUse;
    // Displaced after a user message, in the wrong order.
    check(
        vec![
            user("a"),
            answer("", &["x", "y"], tool),
            user("b"),
            result("y", "2"),
            result("x", "1"),
        ],
        "user:0 assistant:1 tool:4 tool:3 user:2",
    );
    // A missing result, a duplicate, an orphan.
    check(
        vec![
            user("a"),
            answer("", &["x", "y"], tool),
            result("x", "1"),
            result("x", "2"),
            result("z", "3"),
        ],
        "user:0 assistant:1 tool:2 tool:+",
    );
    // One id in two spans.
    check(
        vec![
            user("a"),
            answer("", &["x"], tool),
            result("x", "1"),
            answer("", &["x"], tool),
            result("x", "2"),
        ],
        "user:0 assistant:1 tool:2 assistant:3 tool:4",
    );
    // Aborted calls are not completed; an answer left empty is left out.
    check(
        vec![
            user("a"),
            answer("", &["x"], StopReason::Aborted),
            result("x", "1"),
            user("b"),
        ],
        "user:0 user:3",
    );
    // The result behind an answer that an undo names is no result of the answer before it.
    check(
        vec![
            user("a"),
            answer("", &["x"], tool),
            answer("", &["y"], tool),
            result("x", "1"),
            decided(Decision::Undo { target: id(2) }),
        ],
        "user:0 assistant:1 tool:+",
    );
    // A conversation that begins with an answer gets a first user message.
    check(
        vec![answer("hello", &[], StopReason::Stop), user("a")],
        "user:+ assistant:0 user:1",
    );
}

#[test]
fn repair_is_counted() {
    let tool = StopReason::ToolUse;
    let transcript = log(vec![
        user("a"),
        answer("", &["x", "y"], tool),
        user("b"),
        result("x", "1"),
        result("x", "2"),
        result("z", "3"),
    ]);
    let repair = view_of(&transcript).repair;
    assert_eq!(
        (
            repair.added,
            repair.dropped_duplicates,
            repair.dropped_orphans,
            repair.moved
        ),
        (1, 1, 1, 1)
    );
}

#[test]
fn the_newest_compaction_covers_what_the_first_one_kept() {
    let stop = StopReason::Stop;
    let transcript = log(vec![
        user("a"),
        answer("1", &[], stop),
        user("b"),
        answer("2", &[], stop),
        compaction("first", Some(2)),
        user("c"),
        answer("3", &[], stop),
        compaction("second", Some(5)),
        user("d"),
    ]);
    let view = view_of(&transcript);
    assert_eq!(shape(&view), "user:7 user:5 assistant:6 user:8");
    check_complete(&view, &transcript);
    let text = view.items.get(5).unwrap().sent.as_ref().unwrap().text();
    assert!(text.contains("<summary>\nsecond\n</summary>"), "{text}");
    let swallowed = view
        .left_out
        .iter()
        .filter(|left| left.compaction == Some(id(7)))
        .count();
    assert_eq!(swallowed, 5);
}

#[test]
fn undo_brings_back_everything_and_keeps_what_was_said_since() {
    let stop = StopReason::Stop;
    let transcript = log(vec![
        user("a"),
        answer("1", &[], stop),
        user("b"),
        compaction("sum", Some(2)),
        user("c"),
        decided(Decision::Undo { target: id(3) }),
        user("d"),
    ]);
    let view = view_of(&transcript);
    assert_eq!(shape(&view), "user:0 assistant:1 user:2 user:4 user:6");
    check_complete(&view, &transcript);
}

#[test]
fn a_missing_first_kept_entry_keeps_everything_since_the_compaction_before() {
    let transcript = log(vec![
        user("a"),
        compaction("one", Some(0)),
        user("b"),
        compaction("two", Some(99)),
        user("c"),
    ]);
    let view = view_of(&transcript);
    assert_eq!(shape(&view), "user:3 user:2 user:4");
    assert!(view.items.get(5).unwrap().reason.is_some());
}

#[test]
fn a_split_turn_keeps_its_message_and_says_so() {
    let tool = StopReason::ToolUse;
    let transcript = log(vec![
        user("do it"),
        answer("", &["x"], tool),
        result("x", "1"),
        answer("", &["y"], tool),
        result("y", "2"),
        compaction("sum", Some(3)),
    ]);
    let view = view_of(&transcript);
    assert_eq!(shape(&view), "user:5 user:0 user:+ assistant:3 tool:4");
    check_valid(&view);
    check_complete(&view, &transcript);
}

#[test]
fn pins_survive_compaction_with_their_group_and_drops_leave_a_mark() {
    let tool = StopReason::ToolUse;
    let transcript = log(vec![
        user("a"),
        answer("", &["x"], tool),
        result("x", "1"),
        answer("done", &[], StopReason::Stop),
        user("b"),
        decided(Decision::Pin { target: id(2) }),
        compaction("sum", Some(4)),
        decided(Decision::Drop { target: id(4) }),
    ]);
    let view = view_of(&transcript);
    assert_eq!(shape(&view), "user:6 assistant:1 tool:2 user:4");
    assert!(view.items.get(6).unwrap().is_pinned() && view.items.get(7).unwrap().is_pinned());
    let dropped = view.items.get(8).unwrap();
    assert_eq!(dropped.disposition, Disposition::Dropped);
    assert_eq!(
        dropped.sent.as_ref().unwrap().text(),
        "[Dropped by the user]"
    );
    check_valid(&view);
    check_complete(&view, &transcript);
}

#[test]
fn a_dropped_group_leaves_one_line() {
    let transcript = log(vec![
        user("a"),
        answer("look", &["x"], StopReason::ToolUse),
        result("x", "1"),
        user("b"),
        decided(Decision::Drop { target: id(2) }),
    ]);
    let view = view_of(&transcript);
    assert_eq!(shape(&view), "user:0 assistant:1 user:3");
    check_valid(&view);
    check_complete(&view, &transcript);
}

#[test]
fn a_replay_stands_for_its_original_and_starts_no_turn() {
    let transcript = log(vec![
        user("a"),
        user("b"),
        compaction("sum", Some(1)),
        user("b"),
        decided(Decision::Replay {
            original: id(1),
            replay: id(3),
            stripped: false,
        }),
    ]);
    let view = view_of(&transcript);
    assert_eq!(shape(&view), "user:2 user:3");
    assert_eq!(view.items.get(6).unwrap().turn, 2);
    check_complete(&view, &transcript);
}

#[test]
fn pending_input_is_the_last_item_and_counted() {
    let transcript = log(vec![user("a")]);
    let mut assembler =
        ViewAssembler::new(Arc::new(ContextSettings::default()), Arc::new(Approximate));
    let evaluation = assembler.evaluate(&transcript, &around(), NOW, ShrinkMode::default());
    let draft = Arc::new(Message::user_text("typed so far"));
    let view = assembler.with_draft(evaluation.view, &draft);
    let last = view.items.last().unwrap();
    assert_eq!(
        (last.category, last.entry.clone()),
        (Category::Pending, None)
    );
    assert_eq!(view.usage.by_category.get(Category::Pending), last.tokens);
    check_complete(&view, &transcript);
}

#[test]
fn characters_that_nobody_sees_are_not_sent_and_the_ledger_says_so() {
    let text = "fn main\u{200b}() {}\u{e0041}\u{e0042}";
    let shell = message(Message::BashExecution(BashExecution {
        command: "cat x".to_owned(),
        output: "a\u{202e}b\n".to_owned(),
        exit_code: Some(0),
        ..BashExecution::default()
    }));
    let transcript = log(vec![
        user("read it"),
        answer("", &["c1"], StopReason::ToolUse),
        result("c1", text),
        shell,
    ]);
    let view = view_of(&transcript);
    let sent = |entry: usize| {
        let item = view.items.iter().find(|item| item.entry == Some(id(entry)));
        let item = item.expect("sent");
        let message = item.sent.as_ref().expect("a message");
        (message.text(), item.reason.clone().unwrap_or_default())
    };
    let (said, reason) = sent(2);
    assert_eq!(said, "fn main() {}\n[3 invisible characters were removed]");
    assert_eq!(reason, "3 invisible characters were removed");
    let (said, reason) = sent(3);
    assert!(
        said.contains("ab\n[1 invisible character was removed]"),
        "{said:?}"
    );
    assert_eq!(reason, "1 invisible character was removed");
    // The log has them still, and gives the same view again.
    assert!(
        transcript.entries()[2]
            .message()
            .expect("a result")
            .text()
            .contains(text)
    );
    let again = view_of(&transcript);
    let texts = |view: &ContextView| -> Vec<String> {
        let sent = view.items.iter().filter_map(|item| item.sent.as_ref());
        sent.map(|message| message.text()).collect()
    };
    assert_eq!(texts(&view), texts(&again));
}

#[test]
fn a_message_that_was_shortened_is_whole_again_when_it_is_restored_or_the_edit_undone() {
    let edit = EntryBody::ContextEdit {
        target: id(0),
        replacement: Some(vec![Part::Text("short".to_owned())]),
    };
    let sent = |more: Vec<EntryBody>| {
        let mut bodies = vec![user("all of a long message"), edit.clone()];
        bodies.extend(more);
        let view = view_of(&log(bodies));
        let item = view.items.iter().find(|item| item.entry == Some(id(0)));
        let item = item.unwrap();
        (item.sent.as_ref().unwrap().text(), item.disposition)
    };
    assert_eq!(sent(vec![]), ("short".to_owned(), Disposition::Edited));
    let whole = ("all of a long message".to_owned(), Disposition::Sent);
    let restore = decided(Decision::Restore { target: id(0) });
    assert_eq!(sent(vec![restore]), whole);
    let undo = decided(Decision::Undo { target: id(1) });
    assert_eq!(sent(vec![undo]), whole);
    let pin = decided(Decision::Pin { target: id(0) });
    assert_eq!(sent(vec![pin]).0, "short", "a pin keeps it as it is sent");
}
