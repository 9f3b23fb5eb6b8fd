//! Properties of the projection over arbitrary logs, and cases for each rule.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use serde_json::json;

use crate::context::tail::{self, TailLimits};
use crate::context::{
    Assembler, Category, ContextSettings, ContextView, Disposition, Pressure, Role, Surroundings,
    ruler::Approximate,
};
use crate::transcript::{
    AssistantMessage, AssistantPart, Compaction, CompactionDetails, Entry, EntryBody, EntryId,
    Message, ModelInfo, ModelRef, Overlay, Part, StopReason, Timestamp, ToolCall, ToolResult,
    Transcript, Usage, UserMessage,
};

const NOW: Timestamp = Timestamp(1_800_000_000_000);

fn model() -> ModelInfo {
    ModelInfo {
        window_tokens: Some(200_000),
        ..ModelInfo::unknown(ModelRef::new("p", "m"))
    }
}

fn around() -> Surroundings {
    Surroundings {
        system: Arc::from("You are a test."),
        tools: Arc::from(Vec::new()),
        repeatable: Arc::new(BTreeSet::from(["read".to_owned()])),
        workspace_rules: None,
        model: model(),
        pending: None,
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

fn overlay(overlay: Overlay) -> EntryBody {
    EntryBody::Overlay(overlay)
}

fn view_of(transcript: &Transcript) -> ContextView {
    let mut assembler = Assembler::new(Arc::new(ContextSettings::default()), Arc::new(Approximate));
    assembler
        .evaluate(transcript, &around(), NOW, Pressure::default())
        .view
}

/// `role:entry` of each item behind system and tools, `+` for synthetic ones.
fn shape(view: &ContextView) -> String {
    let names: Vec<String> = view
        .items
        .iter()
        .skip(2)
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
    for (at, item) in view.items.iter().enumerate().skip(2) {
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
    // Displaced behind a user message, in the wrong order.
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
    // The same id in two spans.
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
    let text = view.items.get(2).unwrap().sent.as_ref().unwrap().text();
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
        overlay(Overlay::Undo { target: id(3) }),
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
    assert!(view.items.get(2).unwrap().reason.is_some());
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
        overlay(Overlay::Pin { target: id(2) }),
        compaction("sum", Some(4)),
        overlay(Overlay::Drop { target: id(4) }),
    ]);
    let view = view_of(&transcript);
    assert_eq!(shape(&view), "user:6 assistant:1 tool:2 user:4");
    assert!(view.items.get(3).unwrap().pinned && view.items.get(4).unwrap().pinned);
    let dropped = view.items.get(5).unwrap();
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
        overlay(Overlay::Drop { target: id(2) }),
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
        overlay(Overlay::Replay {
            original: id(1),
            replay: id(3),
            stripped: false,
        }),
    ]);
    let view = view_of(&transcript);
    assert_eq!(shape(&view), "user:2 user:3");
    assert_eq!(view.items.get(3).unwrap().turn, 2);
    check_complete(&view, &transcript);
}

#[test]
fn reported_usage_makes_the_numbers_exact_until_something_is_added() {
    let mut transcript = log(vec![
        user("a question of some length"),
        with_usage(answer("an answer", &[], StopReason::Stop), 31_000, 5),
    ]);
    let view = view_of(&transcript);
    assert!(view.usage.exact);
    assert_eq!(view.usage.tokens, 31_005);
    transcript.push(entry(2, Some(1), user("more"))).unwrap();
    let view = view_of(&transcript);
    assert!(!view.usage.exact);
    assert!(view.usage.tokens > 31_005);
    check_complete(&view, &transcript);
}

#[test]
fn usage_from_before_a_compaction_is_stale() {
    let transcript = log(vec![
        user("a"),
        with_usage(answer("b", &[], StopReason::Stop), 90_000, 5),
        compaction("sum", Some(1)),
        user("c"),
    ]);
    let view = view_of(&transcript);
    assert!(view.usage.tokens < 1_000, "{}", view.usage.tokens);
}

#[test]
fn usage_of_another_model_or_of_zero_is_no_usage() {
    let transcript = log(vec![
        user("a"),
        with_usage(answer("b", &[], StopReason::Stop), 0, 0),
        user("c"),
    ]);
    assert!(!view_of(&transcript).usage.exact);
    let transcript = log(vec![
        user("a"),
        with_usage(answer("b", &[], StopReason::Stop), 90_000, 5),
    ]);
    let mut assembler = Assembler::new(Arc::new(ContextSettings::default()), Arc::new(Approximate));
    let mut around = around();
    around.model.model = ModelRef::new("p", "other");
    let view = assembler
        .evaluate(&transcript, &around, NOW, Pressure::default())
        .view;
    assert!(view.usage.tokens < 1_000);
}

#[test]
fn pending_input_is_the_last_item_and_counted() {
    let transcript = log(vec![user("a")]);
    let mut assembler = Assembler::new(Arc::new(ContextSettings::default()), Arc::new(Approximate));
    let mut around = around();
    around.pending = Some(Arc::new(Message::user_text("typed so far")));
    let view = assembler
        .evaluate(&transcript, &around, NOW, Pressure::default())
        .view;
    let last = view.items.last().unwrap();
    assert_eq!(
        (last.category, last.entry.clone()),
        (Category::Pending, None)
    );
    assert_eq!(view.usage.by_category.get(Category::Pending), last.tokens);
    check_complete(&view, &transcript);
}

/// Arbitrary logs: any order of anything, with ids from a small pool so that they collide.
fn any_body() -> impl Strategy<Value = EntryBody> {
    let call = prop::sample::select(vec!["x", "y", "z", "call|1", ""]);
    let calls = prop::collection::vec(call.clone(), 0..4);
    let stop = prop::sample::select(vec![
        StopReason::Stop,
        StopReason::ToolUse,
        StopReason::Aborted,
        StopReason::Error,
    ]);
    let usage = prop::option::of(0u64..100_000);
    let size = prop::sample::select(vec![0usize, 1, 10, 5_000, 40_000]);
    prop_oneof![
        3 => "[a-z ]{0,12}".prop_map(|text| user(&text)),
        4 => ("[a-z ]{0,6}", calls, stop, usage).prop_map(|(text, calls, stop, usage)| {
            let body = answer(&text, &calls, stop);
            match usage { Some(tokens) => with_usage(body, tokens, 7), None => body }
        }),
        6 => (call, size).prop_map(|(call, size)| result(call, &"word ".repeat(size / 5))),
        1 => prop::option::of(0usize..40).prop_map(|kept| compaction("a summary", kept)),
        1 => (0usize..40).prop_map(|n| overlay(Overlay::Pin { target: id(n) })),
        1 => (0usize..40).prop_map(|n| overlay(Overlay::Drop { target: id(n) })),
        1 => (0usize..40).prop_map(|n| overlay(Overlay::Restore { target: id(n) })),
        1 => (0usize..40).prop_map(|n| overlay(Overlay::Undo { target: id(n) })),
        1 => (0usize..40).prop_map(|n| EntryBody::ContextEdit { target: id(n), replacement: None }),
        1 => (1u64..9_000, 1u64..9_000).prop_map(|(estimate_tokens, actual_tokens)| {
            overlay(Overlay::Calibration(crate::transcript::UsageSample {
                provider: "p".into(), model: "m".into(), ruler: "bytes4".into(),
                estimate_tokens, actual_tokens,
            }))
        }),
        1 => Just(EntryBody::Message(Arc::new(Message::User(UserMessage::default())))),
    ]
}

fn digest(view: &ContextView) -> String {
    let items: Vec<String> = view
        .items
        .iter()
        .map(|item| {
            format!(
                "{:?} {:?} {} {} {:?} {:?} {}",
                item.entry,
                item.role,
                item.tokens,
                item.tokens_full,
                item.disposition,
                item.sent,
                item.turn
            )
        })
        .collect();
    let left: Vec<String> = view
        .left_out
        .iter()
        .map(|left| format!("{left:?}"))
        .collect();
    format!(
        "{items:#?} {left:?} {:?} {:?} {:?}",
        view.usage, view.prune, view.compaction
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn any_log_gives_a_valid_complete_view_however_it_is_reached(
        bodies in prop::collection::vec(any_body(), 1..40),
        parents in prop::collection::vec(0usize..3, 40),
    ) {
        let mut transcript = Transcript::new();
        let mut assembler =
            Assembler::new(Arc::new(ContextSettings::default()), Arc::new(Approximate));
        for (n, body) in bodies.into_iter().enumerate() {
            // Mostly a chain, sometimes a branch.
            let back = if parents[n] == 0 && n > 3 { 3 } else { 1 };
            transcript.push(entry(n, n.checked_sub(back), body)).unwrap();
            let step = assembler.evaluate(&transcript, &around(), NOW, Pressure::default());
            check_valid(&step.view);
            check_complete(&step.view, &transcript);
        }
        let grown = assembler.evaluate(&transcript, &around(), NOW, Pressure::default());
        prop_assert_eq!(digest(&grown.view), digest(&view_of(&transcript)));
    }

    #[test]
    fn recording_the_decisions_gives_the_same_view(
        bodies in prop::collection::vec(any_body(), 1..60),
    ) {
        let mut transcript = log(bodies);
        let mut around = around();
        around.model.window_tokens = Some(20_000);
        let mut assembler =
            Assembler::new(Arc::new(ContextSettings::default()), Arc::new(Approximate));
        let first = assembler.evaluate(&transcript, &around, NOW, Pressure::default());
        for decision in first.decisions.clone() {
            // Ids that no generated overlay can name.
            let decided = Entry {
                id: id(1_000 + transcript.len()),
                parent: transcript.leaf().cloned(),
                timestamp: NOW,
                body: overlay(decision),
            };
            transcript.push(Arc::new(decided)).unwrap();
        }
        let second = assembler.evaluate(&transcript, &around, NOW, Pressure::default());
        let sent = |view: &ContextView| -> Vec<_> {
            view.items.iter().map(|item| (item.entry.clone(), item.sent.clone())).collect()
        };
        prop_assert_eq!(sent(&first.view), sent(&second.view));
        prop_assert_eq!(first.view.usage.tokens, second.view.usage.tokens);
        prop_assert!(second.decisions.is_empty(), "{:?}", second.decisions);
    }

    #[test]
    fn what_a_compaction_does_not_keep_is_in_its_summary(
        bodies in prop::collection::vec(any_body(), 1..50),
        turns in 0u32..4,
        budget_tokens in prop::sample::select(vec![0u64, 30, 2_000, 20_000]),
        few_asks in any::<bool>(),
        holds_back in any::<bool>(),
    ) {
        let mut transcript = log(bodies);
        let mut assembler =
            Assembler::new(Arc::new(ContextSettings::default()), Arc::new(Approximate));
        let before = assembler.evaluate(&transcript, &around(), NOW, Pressure::default()).view;
        let newest = transcript.branch().into_iter().rev().find(|e| e.body.speaks_to_model());
        let held = newest.filter(|e| holds_back && e.is_typed_by_user()).map(|e| e.id.clone());
        let limits = TailLimits { turns, budget_tokens, few_asks };
        let plan = tail::select(&before, limits, held.as_ref());
        if plan.is_empty() {
            return Ok(());
        }
        let append = |transcript: &mut Transcript, body: EntryBody| {
            let entry = Entry {
                id: id(1_000 + transcript.len()),
                parent: transcript.leaf().cloned(),
                timestamp: NOW,
                body,
            };
            let id = entry.id.clone();
            transcript.push(Arc::new(entry)).unwrap();
            id
        };
        append(&mut transcript, EntryBody::Compaction(Box::new(Compaction {
            summary: "new".into(),
            first_kept: plan.first_kept.clone(),
            details: CompactionDetails {
                kept_asks: plan.kept_asks.clone(),
                ..CompactionDetails::default()
            },
            ..Compaction::default()
        })));
        if let Some(original) = held.clone() {
            let replay = append(&mut transcript, user("again"));
            append(&mut transcript, overlay(Overlay::Replay { original, replay, stripped: false }));
        }
        let after = assembler.evaluate(&transcript, &around(), NOW, Pressure::default()).view;
        check_valid(&after);
        check_complete(&after, &transcript);
        let summarized: BTreeSet<_> = plan.history.iter().chain(&plan.turn_prefix).collect();
        let sent: BTreeSet<_> = after.items.iter().filter_map(|item| item.entry.as_ref()).collect();
        for item in &before.items {
            let Some(entry) = &item.entry else { continue };
            let is_summary = item.category == Category::Summary;
            // A result behind a later user message can find another call of its id there.
            let is_strayed = item.role == Role::Tool && sent.contains(entry);
            let is_left = is_summary || held.as_ref() == Some(entry)
                || item.disposition == Disposition::Dropped;
            prop_assert!(
                is_left || summarized.contains(entry) != sent.contains(entry) || is_strayed,
                "{entry}: summarised {}, sent {}\nplan {plan:?}\nbefore {}\nafter {}",
                summarized.contains(entry), sent.contains(entry), shape(&before), shape(&after)
            );
        }
    }
}
