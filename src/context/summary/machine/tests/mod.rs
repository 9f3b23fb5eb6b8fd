mod aliases;
mod sizes;
mod true_names;

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::context::audit::{self, LatestAsk};
use crate::context::summary::{KeptContext, SummaryModel, SummaryRetries};
use crate::context::{AuditSettings, HistorySettings, TemplateKind};
use crate::transcript::{
    AssistantMessage, AssistantPart, EntryId, Message, Part, StopReason, ToolCall, ToolResult,
};

const SECRET: &str = "sk-abcdefghijklmnopqrstuv123456";
const UUID: &str = "550e8400-e29b-41d4-a716-446655440000";

/// A quarter of the characters, so that sizes in tests are easy to choose.
fn count(text: &str) -> u64 {
    text.chars().count().div_ceil(4) as u64
}

fn source(id: usize, message: Message) -> SourceMessage {
    let tokens = count(&serialize::conversation([format!("{message:?}").as_str()]));
    SourceMessage {
        entry: EntryId::new(format!("e{id}")),
        message: Arc::new(message),
        tokens,
    }
}

fn user(id: usize, text: &str) -> SourceMessage {
    source(id, Message::user_text(text))
}

fn answer(id: usize, text: &str) -> SourceMessage {
    source(
        id,
        Message::Assistant(AssistantMessage {
            content: vec![AssistantPart::Text(text.to_owned())],
            ..AssistantMessage::default()
        }),
    )
}

fn small() -> Vec<SourceMessage> {
    vec![
        user(
            0,
            &format!("fix the refresh race in src/auth.rs, request {UUID}"),
        ),
        answer(1, "I will look at the refresh race."),
        user(2, "and then rename the dashboard widget"),
    ]
}

/// Long messages about what [`good`] tells.
fn long(messages: usize, chars: usize) -> Vec<SourceMessage> {
    const TALK: &str = "work goes on in src/auth.rs, the next step is to rename the dashboard widget; \
        what was rolled so far stays as it is, and pending user asks are kept; ";
    let text: String = TALK.chars().cycle().take(chars).collect();
    (0..messages).map(|n| answer(n, &text)).collect()
}

fn model(window_tokens: u64) -> SummaryModel {
    SummaryModel {
        window_tokens,
        ..SummaryModel::default()
    }
}

fn job(messages: Vec<SourceMessage>) -> SummaryJob {
    SummaryJob {
        template: TemplateKind::Openclaw,
        ask: Some(LatestAsk {
            text: "and then rename the dashboard widget".to_owned(),
            entry: Some(EntryId::new("e2")),
            in_tail: false,
        }),
        ..SummaryJob::new(messages, Arc::new(count))
    }
}

fn good() -> String {
    format!(
        "## Decisions\n- work in src/auth.rs\n\n## Open TODOs\n(none)\n\n## Constraints/Rules\n(none)\n\n## Pending user asks\n- rename the dashboard widget\n\n## Exact identifiers\n- {UUID}"
    )
}

fn says(text: &str) -> Reply {
    ends(text, StopReason::Stop)
}

fn ends(text: &str, stop: StopReason) -> Reply {
    Reply::Answer {
        text: text.to_owned(),
        stop,
        had_tool_call: false,
        usage: Usage {
            input_tokens: 10,
            ..Usage::default()
        },
    }
}

/// Feeds the replies in order, the last one again and again; returns the end and the
/// requests.
fn drive(job: SummaryJob, replies: &[Reply]) -> (SummaryStep, Vec<SummaryCall>) {
    let mut machine = Summariser::new(job);
    let mut step = machine.start();
    let mut calls = Vec::new();
    while let SummaryStep::Ask(call) = step {
        let reply = replies.get(calls.len()).or(replies.last()).cloned();
        calls.push(call);
        assert!(calls.len() < 200, "does not end");
        step = machine.on_reply(reply.unwrap());
    }
    (step, calls)
}

fn done(step: SummaryStep) -> SummaryResult {
    match step {
        SummaryStep::Done(result) => *result,
        other => panic!("not done: {other:?}"),
    }
}

#[test]
fn one_request_when_it_fits() {
    let machine = Summariser::new(job(small()));
    assert_eq!(machine.planned_calls(), 1);
    let (step, calls) = drive(job(small()), &[says(&good())]);
    let result = done(step);
    assert_eq!(
        (calls.len(), result.calls, result.usage.input_tokens),
        (1, 1, 10)
    );
    assert_eq!(calls[0].stage, "summary");
    assert!(result.audit.passed && result.findings.is_empty() && result.mended.is_empty());
    assert_eq!(result.summary, good());
    assert!(calls[0].text.contains("[User]\nfix the refresh race"));
}

/// The headings in order, with this under the first.
fn under_headings(text: &str) -> String {
    let good = good().replace("- work in src/auth.rs", text);
    good.replace("- rename the dashboard widget", "(none)")
        .replace(&format!("- {UUID}"), "(none)")
}

#[test]
fn a_section_that_is_sorry_beside_ones_that_tell_something_is_no_refusal() {
    let text = good().replace("(none)", "- unable to reproduce it here");
    let (step, calls) = drive(job(small()), &[says(&text)]);
    assert_eq!((done(step).summary, calls.len()), (text, 1));
}

/// One misbehaving first reply; the second is good. What is caught, and whether it
/// costs a retry of the request (with a wait) or a retry of the audit.
#[test]
fn misbehaving_replies_are_retried() {
    let base = good();
    let tool = Reply::Answer {
        text: base.clone(),
        stop: StopReason::ToolUse,
        had_tool_call: true,
        usage: Usage::default(),
    };
    let failed = Reply::Failed {
        message: "529".to_owned(),
        retryable: true,
    };
    let refused = Reply::Refused {
        message: "policy".to_owned(),
    };
    for (name, reply, waits, cue) in [
        ("empty", says("  "), true, ""),
        ("fence only", says("```markdown\n```"), true, ""),
        ("length", ends(&base, StopReason::Length), true, "cut off"),
        ("error", ends(&base, StopReason::Error), true, ""),
        ("refusal", ends("no", StopReason::Refusal), true, ""),
        (
            "apology",
            says("I'm sorry, I cannot help with that."),
            true,
            "",
        ),
        (
            "apology under headings",
            says(&under_headings("I'm sorry, I can't help.")),
            true,
            "says nothing",
        ),
        (
            "headings alone",
            says(&under_headings("(none)")),
            true,
            "says nothing",
        ),
        ("refused", refused, true, ""),
        ("failed", failed, true, ""),
        ("tool", tool, true, "called a tool"),
        (
            "missing section",
            says(&base.replace("## Open TODOs\n(none)\n\n", "")),
            false,
            "missing_section",
        ),
        (
            "doubled section",
            says(&format!("{base}\n## Open TODOs\n- x")),
            false,
            "duplicate_section",
        ),
        (
            "altered id",
            says(&base.replace("446655440000", "446655440001")),
            false,
            "altered_identifier",
        ),
        (
            "lost id",
            says(&base.replace(UUID, "x")),
            false,
            "request 550e8400",
        ),
        (
            "lost ask",
            says(&base.replace("rename the dashboard widget", "x")),
            false,
            "latest_user_ask",
        ),
        (
            "secret",
            says(&format!("{base}\n{SECRET}")),
            false,
            "secret",
        ),
    ] {
        let (step, calls) = drive(job(small()), &[reply, says(&base)]);
        assert_eq!(calls.len(), 2, "{name}");
        assert_eq!(calls[1].delay_ms > 0, waits, "{name}");
        assert!(calls[1].text.contains(cue), "{name}: {}", calls[1].text);
        if !waits {
            assert_eq!(calls[1].stage, "audit · retry 1", "{name}");
        }
        assert_eq!(done(step).summary, base, "{name}");
    }
}

#[test]
fn what_keeps_failing_is_mended_refused_or_degraded() {
    let base = good();
    // Mended, and the best attempt is kept: the second is worse.
    let first = base.replace(UUID, "x");
    let (step, _) = drive(
        job(small()),
        &[says(&first), says("## Decisions\n- work in src/auth.rs")],
    );
    let result = done(step);
    // What the model left out is told, although it was put in.
    assert!(!result.audit.passed);
    assert_eq!(
        (
            result.audit.identifiers_found,
            result.audit.identifiers_total
        ),
        (1, 2)
    );
    assert_eq!(result.audit.missing, [UUID]);
    assert!(
        result
            .summary
            .contains(&format!("- `{UUID}` — fix the refresh race"))
    );
    assert_eq!(result.mended, ["appended 1 missing identifier(s)"]);
    assert!(result.findings.iter().all(|finding| finding.mended));
    assert_eq!(result.findings[0].source, Some(EntryId::new("e0")));
    // Not repaired where the preset forbids it, and a secret never.
    let strict = SummaryJob {
        audit: AuditSettings {
            mend: false,
            ..AuditSettings::default()
        },
        ..job(small())
    };
    let leaking = format!("{base}\n{SECRET}");
    for (job, text, reason) in [
        (strict, first.as_str(), "missing_identifiers"),
        (job(small()), leaking.as_str(), "secret"),
    ] {
        let (step, _) = drive(job.clone(), &[says(text)]);
        let SummaryStep::Failed(failure) = step else {
            panic!("{reason}")
        };
        assert_eq!(failure.reasons, [reason]);
        let degrade = SummaryJob {
            on_failure: FailureMode::Degrade,
            ..job
        };
        let result = done(drive(degrade, &[says(text)]).0);
        assert!(
            result.degraded && !result.summary.contains(SECRET),
            "{reason}"
        );
        assert!(result.audit.passed, "{:?}", result.findings);
    }
}

#[test]
fn three_tries_with_growing_waits_then_the_end() {
    let reply = Reply::Failed {
        message: "overloaded".to_owned(),
        retryable: true,
    };
    let (step, calls) = drive(job(small()), &[reply]);
    let SummaryStep::Failed(failure) = step else {
        panic!("{step:?}")
    };
    assert!(failure.message == "the summary could not be written: overloaded");
    let waits: Vec<u64> = calls.iter().map(|call| call.delay_ms).collect();
    assert_eq!(waits.len(), 3);
    assert!(
        waits[0] == 0 && (500..625).contains(&waits[1]) && (1_000..1_250).contains(&waits[2]),
        "{waits:?}"
    );
    for (max_tries, made) in [(0, 1), (1, 1), (2, 2), (3, 3), (8, 3)] {
        let few = SummaryJob {
            model: SummaryModel {
                retries: SummaryRetries {
                    max_tries,
                    ..SummaryRetries::default()
                },
                ..SummaryModel::default()
            },
            ..job(small())
        };
        let reply = Reply::Failed {
            message: "overloaded".to_owned(),
            retryable: true,
        };
        assert_eq!(drive(few, &[reply]).1.len(), made, "{max_tries}");
    }
    let fatal = Reply::Failed {
        message: "bad key".to_owned(),
        retryable: false,
    };
    assert_eq!(drive(job(small()), &[fatal]).1.len(), 1);
}

#[test]
fn without_a_model_nothing_is_asked() {
    let job = SummaryJob {
        extractive: true,
        instructions: Some("dashboard".to_owned()),
        ..job(small())
    };
    assert_eq!(Summariser::new(job.clone()).planned_calls(), 0);
    let (step, calls) = drive(job.clone(), &[]);
    let result = done(step);
    assert!(calls.is_empty() && result.audit.passed && !result.degraded);
    assert_eq!(result, extract(&job));
    assert!(!result.instruction_effects.is_empty());
    let SummaryStep::Failed(_) = drive(
        SummaryJob {
            extractive: true,
            ..self::job(vec![])
        },
        &[],
    )
    .0
    else {
        panic!()
    };
}

#[test]
fn an_edited_text_is_checked_again() {
    let edited = reaudit(&job(small()), &good());
    assert!(edited.audit.passed && edited.findings.is_empty());
    assert_eq!(edited.text, good());
    let edited = reaudit(
        &job(small()),
        &format!("{}\n{SECRET}", good().replace(UUID, "")),
    );
    assert_eq!(
        edited.audit.reasons,
        ["missing_identifiers"],
        "{:?}",
        edited.findings
    );
    assert!(edited.text.ends_with("[secret removed]"), "{}", edited.text);
    let long = format!("{}{}", good(), "\n- words".repeat(3_000));
    assert!(reaudit(&job(small()), &long).text.chars().count() <= MAX_BODY_CHARS);
    assert_eq!(edited.findings[0].source, Some(EntryId::new("e0")));
}

#[test]
fn of_failures_that_a_text_leaves_untold_the_newest_is_named() {
    let mut messages = small();
    for (id, command) in ["cargo test", "psql -f berths.sql"].iter().enumerate() {
        let call_id = format!("call_{id}");
        let call = ToolCall {
            id: call_id.clone(),
            name: "bash".to_owned(),
            arguments: serde_json::json!({ "command": command }),
            malformed: None,
        };
        let content = vec![AssistantPart::ToolCall(call)];
        messages.push(source(
            10 + id,
            Message::Assistant(AssistantMessage {
                content,
                ..AssistantMessage::default()
            }),
        ));
        let result = ToolResult {
            call_id,
            tool_name: "bash".to_owned(),
            content: vec![Part::Text("it was refused".to_owned())],
            is_error: true,
            details: None,
        };
        messages.push(source(20 + id, Message::ToolResult(result)));
    }
    let job = SummaryJob {
        template: TemplateKind::Standard,
        ..job(messages)
    };
    let headings = crate::context::summary::template::headings(&TemplateKind::Standard);
    let lines = headings
        .iter()
        .map(|heading| format!("{}\n(none)\n", heading.line()));
    let untold = |text: &str| {
        let mut findings = reaudit(&job, text).findings.into_iter();
        findings.find(|finding| finding.code == audit::FAILURES_NOT_TOLD)
    };
    let text: String = lines.collect();
    let found = untold(&text).unwrap().text;
    assert!(found.contains("psql -f berths.sql"), "{found}");
    let told = format!("{text}\npsql -f berths.sql was refused");
    assert_eq!(untold(&told), None);
}

#[test]
fn long_answers_are_cut_and_keep_their_identifiers() {
    let text = good().replace("(none)", &"- many words here\n".repeat(2_000));
    let mut job = job(small());
    job.audit = AuditSettings {
        retries: 0,
        ..AuditSettings::default()
    };
    let result = done(drive(job.clone(), &[says(&text)]).0);
    assert!(result.summary.chars().count() <= MAX_BODY_CHARS);
    assert!(
        result.summary.contains(UUID) && result.audit.reasons == [audit::TOO_LONG],
        "{:?}",
        result.findings
    );
    assert!(result.degraded && result.written.lacking_percent > 50);
    job.audit.enabled = false;
    let leaking = format!("{text}\n{SECRET}");
    let result = done(drive(job, &[says(&leaking)]).0);
    assert!(!result.summary.contains(SECRET) && result.summary.chars().count() <= MAX_BODY_CHARS);
}

#[test]
fn the_same_job_asks_the_same_bytes() {
    let texts = |seed| {
        let job = SummaryJob {
            model: SummaryModel {
                retries: SummaryRetries {
                    jitter_seed: seed,
                    ..SummaryRetries::default()
                },
                ..model(16_000)
            },
            ..job(long(9, 9_000))
        };
        drive(job, &[says(&good())]).1
    };
    assert_eq!(texts(1), texts(1));
}

fn any_reply() -> impl Strategy<Value = Reply> {
    let texts = prop_oneof![
        Just(good()),
        Just(String::new()),
        Just(format!("{}\n{SECRET}", good())),
        Just("I'm sorry, I cannot.".to_owned()),
        "(## [A-Z][a-z]{2,8}\n- [a-z/.]{0,20}\n){0,4}",
        "\\PC{0,80}",
    ];
    let stops = prop_oneof![
        4 => Just(StopReason::Stop),
        1 => Just(StopReason::Length),
        1 => Just(StopReason::Refusal),
        1 => Just(StopReason::ToolUse),
    ];
    prop_oneof![
        6 => (texts, stops).prop_map(|(text, stop)| ends(&text, stop)),
        1 => Just(Reply::Overflow),
        1 => any::<bool>().prop_map(|retryable| Reply::Failed { message: "x".to_owned(), retryable }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn whatever_a_model_answers_it_ends_and_what_is_stored_holds(
        replies in prop::collection::vec(any_reply(), 1..12),
        sizes in prop::collection::vec(0_usize..30_000, 0..6),
        window_tokens in prop_oneof![Just(0_u64), Just(1_000), Just(16_000), Just(200_000)],
        degrade in any::<bool>(),
        always_chunk in any::<bool>(),
        retries in 0_u32..5,
        kept_tokens in prop_oneof![Just(0_u64), Just(500_000)],
    ) {
        let mut messages = small();
        messages.extend(sizes.iter().map(|size| user(7, &"word ".repeat(size / 5))));
        let job = SummaryJob {
            model: model(window_tokens),
            history: HistorySettings {
                always_chunk,
                ..HistorySettings::default()
            },
            kept: KeptContext { tokens: kept_tokens, ..KeptContext::default() },
            on_failure: if degrade { FailureMode::Degrade } else { FailureMode::Cancel },
            audit: AuditSettings { retries, ..AuditSettings::default() },
            turn_prefix: vec![user(8, "go on with the dashboard")],
            ..job(messages)
        };
        match drive(job.clone(), &replies).0 {
            SummaryStep::Done(result) => {
                prop_assert!(result.summary.chars().count() <= MAX_BODY_CHARS);
                let stored = reaudit(&job, &result.summary).audit;
                prop_assert!(stored.missing.is_empty(), "{:?}", stored);
                prop_assert_eq!(result.audit.secrets, 0);
                prop_assert!(result.summary.contains(UUID));
            }
            SummaryStep::Failed(failure) => prop_assert!(!degrade, "{:?}", failure),
            SummaryStep::Ask(_) => prop_assert!(false),
        }
    }
}
