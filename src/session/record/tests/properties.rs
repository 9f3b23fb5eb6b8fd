//! Any entry reads back as it was written; no text panics.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::*;
use crate::transcript::{
    ArgumentCut, AskCheck, AssistantMessage, AssistantPart, AuditRecord, BashExecution,
    CacheDiagnosis, Compaction, CompactionCause, CompactionCost, CompactionDetails, Cut, CutForm,
    CutPhase, Decision, EngineMark, Entry, ExpectedTokens, Expense, HistoryShare, IdentifierDemand,
    Image, Measurement, Message, Part, Purpose, RuleChange, RuleId, StopReason, SummariserKey,
    SummaryAppendix, SummaryAttempt, SummaryCheck, TailExceptions, ToolCall, ToolResult, Trigger,
    UngroundedClaim, Usage, UsageSample, UserMessage,
};

fn text() -> impl Strategy<Value = String> {
    proptest::string::string_regex("[a-z\"\\\\\n\u{0}é漢😀\u{2028}]{0,8}").unwrap()
}

fn id() -> impl Strategy<Value = EntryId> {
    "[0-9a-f]{8}".prop_map(EntryId::new)
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(text(), 0..3)
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        text().prop_map(Part::Text),
        (text(), text(), prop::option::of(text())).prop_map(|(data, mime, name)| {
            Part::Image(Image {
                data: data.into(),
                mime,
                name,
            })
        }),
    ]
}

fn parts() -> impl Strategy<Value = Vec<Part>> {
    prop::collection::vec(part(), 0..3)
}

fn expected() -> impl Strategy<Value = Option<ExpectedTokens>> {
    let expected =
        (0..99_999_u64, 0..9_u64).prop_map(|(tokens, uncertain_tokens)| ExpectedTokens {
            tokens,
            uncertain_tokens,
        });
    prop::option::of(expected)
}

fn usage() -> impl Strategy<Value = Usage> {
    let cost = prop::option::of((0..1_000_000_u32).prop_map(|n| f64::from(n) / 64.0));
    let counts = (1..9_999_u64, 0..9_999_u64, 0..9_u64, 0..9_u64, 0..9_u64);
    let cut = (prop::option::of(0..9_u64), expected());
    (counts, cost, cut).prop_map(
        |((i, o, r, w, reasoning), cost_usd, (cut, expected))| Usage {
            input_tokens: i,
            output_tokens: o,
            reasoning_tokens: reasoning,
            cache_read_tokens: r,
            cache_write_tokens: w,
            cache_write_hour_tokens: w / 2,
            cost_usd,
            server_cut_tokens: cut,
            expected,
        },
    )
}

fn assistant_part() -> impl Strategy<Value = AssistantPart> {
    let arguments = prop_oneof![
        (text(), text()).prop_map(|(k, v)| (json!({ k: v }), None)),
        Just((json!({}), None)),
        Just((Value::Null, None)),
        text().prop_map(|raw| (json!({}), Some(raw))),
    ];
    prop_oneof![
        text().prop_map(AssistantPart::Text),
        (text(), prop::option::of(text()))
            .prop_map(|(text, signature)| AssistantPart::Thinking { text, signature }),
        text().prop_map(|data| AssistantPart::RedactedThinking { data }),
        (text(), text(), arguments).prop_map(|(id, name, (arguments, malformed))| {
            AssistantPart::ToolCall(ToolCall {
                id,
                name,
                arguments,
                malformed,
            })
        }),
    ]
}

fn assistant() -> impl Strategy<Value = AssistantMessage> {
    let stop = prop::sample::select(vec![
        StopReason::Stop,
        StopReason::Length,
        StopReason::ToolUse,
        StopReason::Refusal,
        StopReason::Paused,
        StopReason::Error,
        StopReason::Aborted,
    ]);
    let content = prop::collection::vec(assistant_part(), 0..4);
    let error = prop::option::of(text());
    let cache = prop::option::of(prop_oneof![
        Just(CacheDiagnosis::Same),
        ("[a-z_]{0,9}", prop::option::of(0..9_u64))
            .prop_map(|(reason, missed)| CacheDiagnosis::changed(&reason, missed)),
        text().prop_map(|reason| CacheDiagnosis::unknown(&reason)),
    ]);
    (
        content,
        text(),
        text(),
        prop::option::of(usage()),
        stop,
        error,
        (prop::option::of(text()), cache),
    )
        .prop_map(
            |(content, provider, model, usage, stop, error, (response_id, cache))| {
                AssistantMessage {
                    content,
                    provider,
                    model,
                    usage,
                    stop,
                    error,
                    response_id,
                    cache,
                }
            },
        )
}

fn any_message() -> impl Strategy<Value = Message> {
    let details = prop::option::of(text().prop_map(|t| json!({"diff": [t, 1]})));
    prop_oneof![
        parts().prop_map(|content| Message::User(UserMessage { content })),
        assistant().prop_map(Message::Assistant),
        (text(), text(), parts(), any::<bool>(), details).prop_map(
            |(call_id, tool_name, content, is_error, details)| Message::ToolResult(ToolResult {
                call_id,
                tool_name,
                content,
                is_error,
                details
            })
        ),
        (
            text(),
            text(),
            prop::option::of(any::<i32>()),
            prop::option::of(any::<u64>()),
            any::<bool>()
        )
            .prop_map(
                |(command, output, exit_code, job, excluded)| Message::BashExecution(
                    BashExecution {
                        files: job.map(|job| json!({"removed": [job.to_string()]})),
                        command,
                        output,
                        exit_code,
                        job,
                        excluded
                    }
                )
            ),
    ]
}

fn compaction() -> impl Strategy<Value = Compaction> {
    let audit = prop::option::of(
        (0..9_u64, texts(), any::<bool>()).prop_map(|(n, list, yes)| AuditRecord {
            sections_found: n,
            identifiers_total: n,
            missing: list.clone(),
            reasons: list,
            ask: if yes {
                AskCheck::Reflected
            } else {
                AskCheck::Missing
            },
            rules_total: n,
            claims_grounded: n,
            passed: !yes,
            ..AuditRecord::default()
        }),
    );
    let share = prop::option::of((0..9_u64).prop_map(|n| HistoryShare {
        dropped_chunks: n,
        dropped_messages: 2 * n,
        dropped_tokens: 3 * n,
    }));
    let trigger =
        prop::sample::select(vec![Trigger::Manual, Trigger::Threshold, Trigger::Overflow]);
    let ids = prop::option::of("[0-9a-f]{7}".prop_map(EntryId::new));
    // What is told with an answer is not told of a summary.
    let asked = usage().prop_map(|usage| Usage {
        cache_write_hour_tokens: 0,
        server_cut_tokens: None,
        expected: None,
        ..usage
    });
    let rest = (asked, any::<bool>(), prop::option::of(text()));
    (text(), ids, texts(), audit, share, trigger, rest).prop_map(
        |(summary, first_kept, list, audit, history_share, trigger, (usage, yes, option))| {
            Compaction {
                summary: summary.clone(),
                first_kept,
                tokens_before: 77,
                details: CompactionDetails {
                    tokens_after: 5,
                    cause: CompactionCause {
                        trigger,
                        attempt: 2,
                        load_line_tokens: 9,
                        engine_reason: option.clone(),
                    },
                    exceptions: TailExceptions {
                        kept_asks: list.iter().map(|id| EntryId::new(id.as_str())).collect(),
                        cut_entry: yes.then(|| EntryId::new("c0ffee00")),
                    },
                    ruler: summary.clone(),
                    engine: summary.clone(),
                    model: summary,
                    instructions: option.clone(),
                    check: SummaryCheck {
                        audit,
                        mended: list.clone(),
                        ungrounded: list
                            .iter()
                            .map(|text| UngroundedClaim {
                                text: text.clone(),
                                class: "path".to_owned(),
                                is_struck: yes,
                            })
                            .collect(),
                        demands: list
                            .iter()
                            .map(|text| IdentifierDemand {
                                text: text.clone(),
                                uses: 3,
                                is_typed: yes,
                            })
                            .collect(),
                        written_by_code_percent: 12,
                        rules_in_block: 4,
                    },
                    degraded: yes,
                    edited: !yes,
                    history_share,
                    aliases: list.iter().map(|id| (id.clone(), id.clone())).collect(),
                    appendix: SummaryAppendix {
                        read_files: list.clone(),
                        modified_files: list.clone(),
                        failures: list,
                        for_others: option.unwrap_or_default(),
                    },
                    summarized_messages: 3,
                    cost: CompactionCost {
                        requests: 4,
                        usage,
                        duration_ms: 12,
                    },
                },
                from_hook: yes,
            }
        },
    )
}

fn cuts() -> impl Strategy<Value = Vec<Cut>> {
    let form = prop_oneof![
        (any::<usize>(), any::<usize>(), text()).prop_map(|(head_chars, tail_chars, notice)| {
            CutForm::Trim {
                head_chars,
                tail_chars,
                notice,
            }
        }),
        text().prop_map(|placeholder| CutForm::Clear { placeholder }),
        (any::<usize>(), prop::collection::vec(text(), 0..3), text()).prop_map(
            |(call, names, note)| CutForm::Arguments {
                calls: vec![ArgumentCut { call, names, note }],
            }
        ),
    ];
    let phase = prop::sample::select(vec![
        CutPhase::Superseded,
        CutPhase::Soft,
        CutPhase::Arguments,
        CutPhase::Hard,
        CutPhase::ProtectRecent,
        CutPhase::Single,
        CutPhase::Total,
        CutPhase::Overflow,
        CutPhase::Manual,
    ]);
    let cut = (id(), form, phase, text()).prop_map(|(target, form, phase, reason)| Cut {
        target,
        form,
        phase,
        reason,
        tokens_before: 9,
        tokens_after: 1,
    });
    prop::collection::vec(cut, 0..3)
}

fn decision() -> impl Strategy<Value = Decision> {
    prop_oneof![
        (text(), cuts(), any::<u64>(), 0..9_u64, any::<bool>()).prop_map(
            |(policy, cuts, cache_given_up_tokens, reasoning_lost, by_person)| {
                Decision::Prune {
                    policy,
                    cuts,
                    cache_given_up_tokens,
                    reasoning_lost,
                    by_person,
                }
            }
        ),
        cuts().prop_map(|cuts| Decision::Guard { cuts }),
        (prop::collection::vec(id(), 0..3), text())
            .prop_map(|(targets, reason)| Decision::Media { targets, reason }),
        id().prop_map(|target| Decision::Pin { target }),
        id().prop_map(|target| Decision::Restore { target }),
        id().prop_map(|target| Decision::Drop { target }),
        id().prop_map(|target| Decision::Undo { target }),
        (id(), id(), any::<bool>()).prop_map(|(original, replay, stripped)| Decision::Replay {
            original,
            replay,
            stripped
        }),
        (text(), rule_change()).prop_map(|(rule, change)| Decision::Rule {
            rule: RuleId::new(rule),
            change
        }),
    ]
}

fn rule_change() -> impl Strategy<Value = RuleChange> {
    prop_oneof![
        Just(RuleChange::Strike),
        Just(RuleChange::BringBack),
        Just(RuleChange::Confirm),
        text().prop_map(RuleChange::Reword),
        text().prop_map(RuleChange::Add),
    ]
}

fn measurement() -> impl Strategy<Value = EntryBody> {
    prop_oneof![
        (text(), text(), any::<u64>(), any::<bool>()).prop_map(|(provider, model, n, refused)| {
            EntryBody::Measurement(Measurement::Usage(UsageSample {
                ruler: model.clone(),
                provider,
                model,
                estimate_tokens: n,
                actual_tokens: n / 2,
                refused,
            }))
        }),
        (text(), text()).prop_map(|(provider, model)| {
            EntryBody::Measurement(Measurement::CacheContact { provider, model })
        }),
        (text(), any::<bool>()).prop_map(|(id, is_choosing)| {
            EntryBody::Measurement(Measurement::Engine(EngineMark { id, is_choosing }))
        }),
        (text(), text(), text(), any::<u64>()).prop_map(|(provider, model, settings, failures)| {
            let by = SummariserKey {
                provider,
                model,
                settings,
            };
            let attempt = SummaryAttempt { by, failures };
            EntryBody::Measurement(Measurement::SummaryAttempt(attempt))
        }),
        (any::<bool>(), text(), any::<u32>()).prop_map(|(is_answer, model, n)| {
            let purpose = match (is_answer, n % 2) {
                (true, _) => Purpose::Answer,
                (false, 0) => Purpose::Summary,
                (false, _) => Purpose::Title,
            };
            EntryBody::Expense(Expense {
                purpose,
                model,
                requests: n.into(),
                estimated_requests: u64::from(is_answer),
                usage: Usage {
                    input_tokens: n.into(),
                    cost_usd: is_answer.then_some(0.5),
                    ..Usage::default()
                },
            })
        }),
    ]
}

fn body() -> impl Strategy<Value = EntryBody> {
    let other = prop_oneof![
        (prop::option::of(id()), text())
            .prop_map(|(from, summary)| EntryBody::BranchSummary { from, summary }),
        (id(), prop::option::of(parts())).prop_map(|(target, replacement)| {
            EntryBody::ContextEdit {
                target,
                replacement,
            }
        }),
        (text(), parts(), any::<bool>()).prop_map(|(custom_type, content, display)| {
            EntryBody::CustomMessage {
                custom_type,
                content,
                display,
            }
        }),
        text().prop_map(|custom_type| EntryBody::Custom { custom_type }),
        (id(), prop::option::of(text()))
            .prop_map(|(target, label)| EntryBody::Label { target, label }),
        text().prop_map(|name| EntryBody::SessionInfo { name }),
        (text(), text()).prop_map(|(provider, model)| EntryBody::ModelChange { provider, model }),
        text().prop_map(|level| EntryBody::ThinkingLevelChange { level }),
        "future_[a-z]{3}".prop_map(|kind| EntryBody::Unknown { kind }),
    ];
    prop_oneof![
        any_message().prop_map(|message| EntryBody::Message(Arc::new(message))),
        compaction().prop_map(|compaction| EntryBody::Compaction(Box::new(compaction))),
        decision().prop_map(EntryBody::Decision),
        measurement(),
        other,
    ]
}

proptest! {
    #[test]
    fn what_is_written_reads_back(
        id in id(), parent in prop::option::of(id()), ms in 0..4_000_000_000_000_i64, body in body()
    ) {
        let entry = Entry { id, parent, timestamp: Timestamp(ms), body };
        let text = to_line(&entry);
        prop_assert!(!text.contains('\n'));
        let line = read_line(&text).unwrap();
        prop_assert_eq!(line.complaint, None);
        let parent = match line.parent {
            ParentLink::Id(id) => Some(id),
            ParentLink::Root => None,
            ParentLink::Unsaid => panic!("parentId is always written"),
        };
        let read = Entry { id: line.id.unwrap(), parent, timestamp: line.timestamp, body: line.body };
        prop_assert_eq!(read, entry);
    }

    #[test]
    fn no_line_panics(text in ".{0,60}", key in "type|message|content|role") {
        let _ = read_line(&text);
        let _ = read_line(&format!("{{\"type\":\"message\",\"id\":\"a\",\"{key}\":{text}}}"));
    }
}
