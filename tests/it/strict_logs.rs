//! Logs as hostile as they come (other programs' files, killed sessions, reused ids,
//! branches, overlays on anything), and the property that every request made of them
//! passes the strict rules of all wire formats.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use plimsoll::agent::encode;
use plimsoll::context::ruler::Approximate;
use plimsoll::context::{
    ContextSettings, GateKind, PrunePolicy, RequestContext, ShrinkMode, ViewAssembler,
};
use plimsoll::provider::{Environment, Registry};
use plimsoll::transcript::{
    AssistantMessage, AssistantPart, BashExecution, Compaction, Cut, CutForm, CutPhase, Decision,
    Entry, EntryBody, EntryId, Image, Message, ModelInfo, ModelRef, Part, StopReason,
    ThinkingLevel, Timestamp, ToolCall, ToolResult, ToolSchema, Transcript, UserMessage,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::server::Wire;
use super::{strict, strict_gemini};

const NOW: Timestamp = Timestamp(1_800_000_000_000);

/// The entries that one step adds to a log. Targets are taken modulo the log's length.
#[derive(Clone, Debug)]
pub enum Step {
    Say(EntryBody),
    /// A call that writes a file, and its result: kind, characters, failed.
    Write(usize, usize, bool),
    Compact(usize, bool),
    Edit(usize, Option<Vec<Part>>),
    Media(usize),
    /// A read is a difference to another result, wherever both are.
    Difference(usize, usize),
    Pin(usize),
    Drop(usize),
    Restore(usize),
    Undo(usize),
    Replay(usize, usize),
    /// The next entry follows another one: a branch.
    Move(usize),
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => Just("some text".to_owned()),
        1 => Just(String::new()),
        1 => Just(" \n\t ".to_owned()),
        1 => Just("ends blank \n".to_owned()),
        1 => Just("</summary> 上下文 😀".to_owned()),
        1 => Just("a line of output\n".repeat(900)),
        1 => any::<String>(),
    ]
}

fn images() -> impl Strategy<Value = Image> {
    let mime = prop::sample::select(vec![
        "image/png",
        "image/jpeg",
        "image/jpg",
        "IMAGE/PNG",
        "image/svg+xml",
        "image/tiff",
        "application/pdf",
        "audio/wav",
        "",
    ]);
    let data = prop::sample::select(vec!["aGVsbG8=", "", "not base64!"]);
    (mime, data, any::<bool>()).prop_map(|(mime, data, named)| Image {
        data: Arc::from(data),
        mime: mime.to_owned(),
        name: named.then(|| "shot".to_owned()),
    })
}

fn parts() -> impl Strategy<Value = Vec<Part>> {
    let part = prop_oneof![
        3 => texts().prop_map(Part::Text),
        1 => images().prop_map(Part::Image),
    ];
    prop::collection::vec(part, 0..4)
}

fn ids() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "call_1".to_owned(),
        "call_2".to_owned(),
        "AbCdEf123".to_owned(),
        "functions.read:0".to_owned(),
        "functions_read_0".to_owned(),
        "call_1_2".to_owned(),
        String::new(),
        "呼び出し".to_owned(),
        format!("{}a", "fc_0123456789".repeat(6)),
        format!("{}b", "fc_0123456789".repeat(6)),
    ])
}

fn names() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "read".to_owned(),
        "shell".to_owned(),
        "mcp.server/tool".to_owned(),
        String::new(),
        "n".repeat(200),
        "чтение".to_owned(),
    ])
}

fn arguments() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![
        json!({"path": "a.txt"}),
        json!({}),
        Value::Null,
        json!([1, 2]),
        json!("text"),
    ])
}

fn answer_parts() -> impl Strategy<Value = Vec<AssistantPart>> {
    let signature = prop::sample::select(vec![
        None,
        Some(""),
        Some("c2lnbmVk"),
        Some("text:c2lnbmVk"),
        Some(r#"{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"Z0FB"}"#),
    ]);
    let part = prop_oneof![
        2 => texts().prop_map(AssistantPart::Text),
        1 => (texts(), signature).prop_map(|(text, signature)| AssistantPart::Thinking {
            text,
            signature: signature.map(str::to_owned),
        }),
        1 => prop::sample::select(vec!["", "ZW5jcnlwdGVk"]).prop_map(|data| {
            AssistantPart::RedactedThinking { data: data.to_owned() }
        }),
        3 => (ids(), names(), arguments()).prop_map(|(id, name, arguments)| {
            AssistantPart::ToolCall(ToolCall { id, name, arguments, malformed: None })
        }),
    ];
    prop::collection::vec(part, 0..5)
}

fn answers() -> impl Strategy<Value = Message> {
    let stop = prop::sample::select(vec![
        StopReason::Stop,
        StopReason::ToolUse,
        StopReason::ToolUse,
        StopReason::Length,
        StopReason::Refusal,
        StopReason::Error,
        StopReason::Aborted,
    ]);
    let author = prop::sample::select(vec![
        ("anthropic", "claude-sonnet-4-5"),
        ("anthropic", "claude-opus-4-6"),
        ("openai", "m"),
        ("openai", "gpt-5"),
        ("gemini", "gemini-3-pro-preview"),
        ("gemini", "gemini-2.5-pro"),
        ("mistral", "m"),
        ("", "m"),
    ]);
    (answer_parts(), stop, author).prop_map(|(content, stop, (provider, model))| {
        Message::Assistant(AssistantMessage {
            content,
            provider: provider.to_owned(),
            model: model.to_owned(),
            stop,
            ..AssistantMessage::default()
        })
    })
}

fn messages() -> impl Strategy<Value = Message> {
    prop_oneof![
        3 => parts().prop_map(|content| Message::User(UserMessage { content })),
        4 => answers(),
        5 => (ids(), names(), parts(), any::<bool>()).prop_map(
            |(call_id, tool_name, content, is_error)| Message::ToolResult(ToolResult {
                call_id,
                tool_name,
                content,
                is_error,
                details: None,
            }),
        ),
        1 => (texts(), texts(), any::<bool>()).prop_map(|(command, output, excluded)| {
            Message::BashExecution(BashExecution {
                command,
                output,
                exit_code: Some(0),
                excluded,
                ..BashExecution::default()
            })
        }),
    ]
}

fn bodies() -> impl Strategy<Value = EntryBody> {
    prop_oneof![
        10 => messages().prop_map(|message| EntryBody::Message(Arc::new(message))),
        1 => parts().prop_map(|content| EntryBody::CustomMessage {
            custom_type: "other.note".to_owned(),
            content,
            display: true,
        }),
        1 => texts().prop_map(|summary| EntryBody::BranchSummary { from: None, summary }),
        1 => Just(EntryBody::ModelChange {
            provider: "openai".to_owned(),
            model: "gpt-4o".to_owned(),
        }),
    ]
}

pub fn steps() -> impl Strategy<Value = Vec<Step>> {
    let at = 0..40_usize;
    let step = prop_oneof![
        24 => bodies().prop_map(Step::Say),
        6 => (0..5_usize, 0..9_000_usize, prop::bool::weighted(0.1))
            .prop_map(|(kind, chars, failed)| Step::Write(kind, chars, failed)),
        1 => (at.clone(), any::<bool>()).prop_map(|(at, kept)| Step::Compact(at, kept)),
        1 => (at.clone(), prop::option::of(parts())).prop_map(|(at, new)| Step::Edit(at, new)),
        1 => at.clone().prop_map(Step::Media),
        1 => (at.clone(), at.clone()).prop_map(|(a, b)| Step::Difference(a, b)),
        1 => at.clone().prop_map(Step::Pin),
        1 => at.clone().prop_map(Step::Drop),
        1 => at.clone().prop_map(Step::Restore),
        1 => at.clone().prop_map(Step::Undo),
        1 => (at.clone(), at.clone()).prop_map(|(a, b)| Step::Replay(a, b)),
        1 => at.prop_map(Step::Move),
    ];
    prop::collection::vec(step, 0..40)
}

/// The log that the steps write, with something at its end that wants an answer.
pub fn log(steps: &[Step]) -> Transcript {
    let mut log = Transcript::new();
    for step in steps {
        let body = match step.clone() {
            Step::Say(body) => body,
            Step::Write(kind, chars, failed) => {
                let [call, result] = written(log.len(), kind, chars, failed);
                push(&mut log, call);
                result
            }
            Step::Move(at) => {
                let leaf = target(&log, at);
                log.set_leaf(Some(leaf));
                continue;
            }
            Step::Compact(at, kept) => EntryBody::Compaction(Box::new(Compaction {
                summary: "## Goal\nsummarised".to_owned(),
                first_kept: kept.then(|| target(&log, at)),
                ..Compaction::default()
            })),
            Step::Edit(at, replacement) => EntryBody::ContextEdit {
                target: target(&log, at),
                replacement,
            },
            Step::Media(at) => EntryBody::Decision(Decision::Media {
                targets: vec![target(&log, at)],
                reason: "old".to_owned(),
            }),
            Step::Difference(at, base) => difference(target(&log, at), target(&log, base)),
            Step::Pin(at) => over(Decision::Pin {
                target: target(&log, at),
            }),
            Step::Drop(at) => over(Decision::Drop {
                target: target(&log, at),
            }),
            Step::Restore(at) => over(Decision::Restore {
                target: target(&log, at),
            }),
            Step::Undo(at) => over(Decision::Undo {
                target: target(&log, at),
            }),
            Step::Replay(original, replay) => over(Decision::Replay {
                original: target(&log, original),
                replay: target(&log, replay),
                stripped: false,
            }),
        };
        push(&mut log, body);
    }
    let ask = EntryBody::Message(Arc::new(Message::user_text("and now?")));
    push(&mut log, ask);
    log
}

/// A call of a tool that writes, with its thoughts, and what it is answered.
fn written(n: usize, kind: usize, chars: usize, failed: bool) -> [EntryBody; 2] {
    let text = "a line of a file\n".repeat(chars / 17);
    let (name, arguments) = match kind {
        0 => ("write", json!({"path": "a.txt", "content": text})),
        1 => (
            "edit",
            json!({"path": "a.txt", "old_text": text, "new_text": "b"}),
        ),
        2 => (
            "apply_patch",
            json!({"input": format!("*** Begin Patch\n*** Add File: a\n+{text}")}),
        ),
        3 => (
            "Write",
            json!({"file_path": "a.txt", "content": text, "_pruned": "[pruned: old]"}),
        ),
        _ => ("shell", json!({"command": text})),
    };
    let call = ToolCall {
        id: format!("call_w{n}"),
        name: name.to_owned(),
        arguments,
        malformed: None,
    };
    let (provider, model) = match n % 3 {
        0 => ("gemini", "gemini-3-pro-preview"),
        1 => ("anthropic", "claude-sonnet-4-5"),
        _ => ("openai", "gpt-5"),
    };
    let thought = AssistantPart::Thinking {
        text: "a thought".to_owned(),
        signature: Some("c2lnbmVk".to_owned()),
    };
    let answer = AssistantMessage {
        content: vec![thought, AssistantPart::ToolCall(call.clone())],
        provider: provider.to_owned(),
        model: model.to_owned(),
        stop: StopReason::ToolUse,
        ..AssistantMessage::default()
    };
    let result = ToolResult {
        call_id: call.id,
        tool_name: call.name,
        content: vec![Part::Text("done".to_owned())],
        is_error: failed,
        details: None,
    };
    [Message::Assistant(answer), Message::ToolResult(result)]
        .map(|message| EntryBody::Message(Arc::new(message)))
}

fn difference(target: EntryId, base: EntryId) -> EntryBody {
    over(Decision::Prune {
        policy: "soft-hard".to_owned(),
        cuts: vec![Cut {
            target,
            form: CutForm::Difference {
                base,
                text: "[a.txt, lines 1–2: as lines 1–2 of your latest read]".to_owned(),
            },
            phase: CutPhase::SeenBefore,
            reason: "read before".to_owned(),
            tokens_before: 9,
            tokens_after: 3,
        }],
        cache_given_up_tokens: 0,
        reasoning_lost: 0,
        by_person: false,
    })
}

fn over(overlay: Decision) -> EntryBody {
    EntryBody::Decision(overlay)
}

fn target(log: &Transcript, at: usize) -> EntryId {
    let entries = log.entries();
    match entries.get(at % entries.len().max(1)) {
        Some(entry) => entry.id.clone(),
        None => EntryId::new("nowhere"),
    }
}

fn push(log: &mut Transcript, body: EntryBody) {
    let n = log.len();
    let entry = Entry {
        id: EntryId::new(format!("{n:08x}")),
        parent: log.leaf().cloned(),
        timestamp: Timestamp(NOW.0 - 1_000_000 + n as i64 * 1_000),
        body,
    };
    log.push(Arc::new(entry)).unwrap();
}

pub fn around(model: &ModelInfo) -> RequestContext {
    let schema = ToolSchema {
        name: "read".to_owned(),
        description: "Reads a file.".to_owned(),
        parameters: json!({"type": "object", "additionalProperties": false, "required": ["path"],
            "properties": {"path": {"type": "string"}, "lines": {"oneOf": [{"type": "integer"},
                {"type": "array", "items": {"type": "integer"}}, {"type": "null"}]}}}),
    };
    RequestContext {
        system: Arc::from("You are a test."),
        tools: Arc::from(vec![schema]),
        memory: None,
        skills: None,
        servers: Arc::default(),
        repeatable: Arc::new(BTreeSet::from(["read".to_owned()])),
        workspace_rules: Some(Arc::from("## Red Lines\n- none")),
        model: model.clone(),
        samples: Arc::default(),
        live: None,
        tools_running: false,
    }
}

/// Settings under which guard, pruning and ageing have something to do.
pub fn eager() -> ContextSettings {
    let mut settings = ContextSettings::default();
    settings.window.user_tokens = Some(6_000);
    settings.prune.gate = GateKind::Always;
    settings.prune.hard.min_prunable_chars = 500;
    settings.prune.difference_reads = true;
    settings.media.keep_turns = 1;
    settings
}

/// The other policy, and a guard that holds the total before each request.
fn clearing() -> ContextSettings {
    let mut settings = eager();
    settings.prune.policy = PrunePolicy::ProtectRecent;
    settings.prune.recent.tokens = 500;
    settings.prune.recent.minimum_tokens = 100;
    settings.prune.recent.turns = 1;
    settings.guard.total_always = true;
    settings.guard.total_share = Some(0.5);
    settings.guard.total_target = 0.3;
    settings.guard.tool_output_max_chars = Some(300);
    settings
}

fn bodies_of(log: &Transcript, model: &ModelRef, pressure: ShrinkMode) -> Vec<Value> {
    let registry = Registry::new(Vec::new(), Environment::default(), Duration::from_secs(1));
    let info = registry.model_info(model);
    let provider = registry.encoder(model).unwrap();
    let mut out = Vec::new();
    for settings in [ContextSettings::default(), eager(), clearing()] {
        let mut log = log.clone();
        let mut assembler = ViewAssembler::new(Arc::new(settings), Arc::new(Approximate));
        let request_context = around(&info);
        for _ in 0..2 {
            let evaluation = assembler.evaluate(&log, &request_context, NOW, pressure);
            for level in [
                ThinkingLevel::Default,
                ThinkingLevel::Off,
                ThinkingLevel::High,
            ] {
                out.push(provider.wire_body(&encode(
                    &evaluation.view,
                    &request_context,
                    level,
                    None,
                )));
            }
            for decision in evaluation.decisions {
                push(&mut log, over(decision));
            }
        }
    }
    out
}

pub const MODELS: [(Wire, &str, &str); 7] = [
    (Wire::Anthropic, "anthropic", "claude-sonnet-4-5"),
    (Wire::Anthropic, "anthropic", "claude-opus-4-6"),
    (Wire::OpenAi, "xai", "grok-4"),
    (Wire::Responses, "openai", "gpt-5"),
    (Wire::Gemini, "gemini", "gemini-3-pro-preview"),
    (Wire::Gemini, "gemini", "gemini-2.5-pro"),
    (Wire::OpenAi, "mistral", "mistral-large-latest"),
];

fn is_accepted(log: &Transcript, pressure: ShrinkMode) -> Result<(), String> {
    for (wire, provider, model) in MODELS {
        for body in bodies_of(log, &ModelRef::new(provider, model), pressure) {
            let verdict = match wire {
                // Calls are signed since the third generation.
                Wire::Gemini => strict_gemini::check(&body, model.contains("-3-")),
                _ => strict::check(wire, &body),
            };
            verdict.map_err(|fault| format!("{provider}: {fault}"))?;
            if provider == "mistral" {
                strict::mistral(&body)?;
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_request_of_any_log_passes_the_strict_rules(
        steps in steps(),
        prune_now in any::<bool>(),
        total in any::<bool>(),
        even_exempt in any::<bool>(),
    ) {
        let pressure = ShrinkMode { prune_now, by_person: prune_now, total, even_exempt, tight_single: total };
        let log = log(&steps);
        if let Err(fault) = is_accepted(&log, pressure) {
            prop_assert!(false, "{}", fault);
        }
    }
}

/// A call of `read` and its result.
fn read(n: usize) -> [Step; 2] {
    let call = ToolCall {
        id: format!("call_{}", n % 7),
        name: "read".to_owned(),
        arguments: json!({"path": format!("f{}", n % 5)}),
        malformed: None,
    };
    let answer = AssistantMessage {
        content: vec![AssistantPart::ToolCall(call.clone())],
        stop: StopReason::ToolUse,
        ..AssistantMessage::default()
    };
    let result = ToolResult {
        call_id: call.id,
        tool_name: call.name,
        content: vec![Part::Text(format!("{n}: ") + &"line\n".repeat(n % 90))],
        is_error: n.is_multiple_of(11),
        details: None,
    };
    [Message::Assistant(answer), Message::ToolResult(result)]
        .map(|message| Step::Say(EntryBody::Message(Arc::new(message))))
}

#[test]
fn one_turn_of_five_hundred_calls_and_several_summaries_passes_the_strict_rules() {
    let ask = || {
        Step::Say(EntryBody::Message(Arc::new(Message::user_text(
            "all of it",
        ))))
    };
    let mut steps = vec![ask()];
    for n in 0..500 {
        steps.extend(read(n));
        match n {
            // Into the middle of the turn, each covering what the one before kept.
            150 | 300 => steps.push(Step::Compact(n * 2 - 20, true)),
            // Keeps something that is not on this branch: nothing is found to keep.
            400 => {
                let leaf = steps.len() - 1;
                steps.extend([
                    Step::Move(40),
                    ask(),
                    Step::Move(leaf),
                    Step::Compact(leaf + 1, true),
                ]);
            }
            _ => {}
        }
    }
    let log = log(&steps);
    for pressure in [
        ShrinkMode::default(),
        ShrinkMode {
            by_person: false,
            prune_now: true,
            total: true,
            even_exempt: true,
            tight_single: true,
        },
    ] {
        assert_eq!(is_accepted(&log, pressure), Ok(()));
    }
}

#[test]
fn a_session_of_many_writes_passes_the_strict_rules_and_loses_arguments() {
    let ask = EntryBody::Message(Arc::new(Message::user_text("all of it")));
    let mut steps = vec![Step::Say(ask)];
    steps.extend((0..60).map(|n| Step::Write(n % 5, 300 * (n % 30), n % 9 == 8)));
    let log = log(&steps);
    let pressure = ShrinkMode {
        prune_now: true,
        ..ShrinkMode::default()
    };
    assert_eq!(is_accepted(&log, pressure), Ok(()));
    for (_, provider, model) in MODELS {
        let bodies = bodies_of(&log, &ModelRef::new(provider, model), pressure);
        let shortened = bodies.iter().filter(|body| {
            let text = body.to_string();
            text.contains("[pruned: content, ")
        });
        assert!(shortened.count() > 0, "{provider}/{model}");
    }
}

#[test]
fn a_file_that_is_read_again_passes_the_strict_rules_as_a_difference() {
    let mut steps = Vec::new();
    for n in 0..3 {
        for step in read(n * 5) {
            let Step::Say(EntryBody::Message(message)) = step else {
                continue;
            };
            let message = match message.as_ref() {
                Message::ToolResult(result) => Message::ToolResult(ToolResult {
                    content: vec![Part::Text("a line of the file\n".repeat(80))],
                    details: Some(json!({"path": "f0", "lines": 80, "total": 80})),
                    is_error: false,
                    ..result.clone()
                }),
                other => other.clone(),
            };
            steps.push(Step::Say(EntryBody::Message(Arc::new(message))));
        }
    }
    let log = log(&steps);
    assert_eq!(is_accepted(&log, ShrinkMode::default()), Ok(()));
    for (_, provider, model) in MODELS {
        let bodies = bodies_of(&log, &ModelRef::new(provider, model), ShrinkMode::default());
        let said = "of your latest read above";
        let shortened = bodies.iter().filter(|body| body.to_string().contains(said));
        assert!(shortened.count() > 0, "{provider}/{model}");
    }
}

#[test]
fn an_edit_that_leaves_blank_text_is_not_an_empty_message() {
    let run = BashExecution {
        command: "ls".to_owned(),
        output: "a".to_owned(),
        exit_code: Some(0),
        ..BashExecution::default()
    };
    let answer = AssistantMessage {
        content: vec![AssistantPart::Text("fine".to_owned())],
        ..AssistantMessage::default()
    };
    let steps = [
        Step::Say(EntryBody::Message(Arc::new(Message::BashExecution(run)))),
        Step::Edit(0, Some(vec![Part::Text(" ".to_owned())])),
        Step::Say(EntryBody::Message(Arc::new(Message::Assistant(answer)))),
    ];
    assert_eq!(is_accepted(&log(&steps), ShrinkMode::default()), Ok(()));
}
