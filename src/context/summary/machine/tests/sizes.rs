//! Material that does not fit into one request: parts and their merge, rolling, overflow.

use super::*;

#[test]
fn parts_and_merge_when_it_does_not_fit() {
    let mut messages = long(12, 8_000);
    messages.extend(small());
    let job = SummaryJob {
        model: model(16_000),
        previous_summary: Some("## Decisions\n- keep sqlite".to_owned()),
        ..job(messages)
    };
    let planned = Summariser::new(job.clone()).planned_calls();
    let (step, calls) = drive(job.clone(), &[says(&good())]);
    let stages: Vec<&str> = calls.iter().map(|call| call.stage.as_str()).collect();
    assert_eq!(planned, calls.len());
    assert_eq!(stages[0], "part 1/3");
    assert_eq!(stages.last(), Some(&"merge"));
    let merge = &calls.last().unwrap().text;
    assert!(merge.contains("keep sqlite") && merge.contains("[Part 3 of 3]"));
    assert!(done(step).summary.contains(UUID));
    for call in &calls {
        assert!(
            count(&call.text) + call.max_output_tokens <= job.model.window_tokens,
            "{}",
            call.stage
        );
    }
}

#[test]
fn few_large_messages_are_rolled() {
    let job = SummaryJob {
        model: model(16_000),
        ..job(long(3, 36_000))
    };
    let rolled = good().replace("- work in", "- rolled so far: work goes on in");
    let (_, calls) = drive(job, &[says(&rolled)]);
    assert!(
        calls[0].stage.starts_with("piece · piece 1/3"),
        "{}",
        calls[0].stage
    );
    assert!(!calls[0].text.contains("- rolled so far:"));
    assert!(
        calls[1]
            .text
            .contains("<previous-summary>\n## Decisions\n- rolled so far")
    );
}

#[test]
fn history_beyond_its_share_is_summarised_first() {
    let mut messages = long(8, 20_000);
    messages.extend(small());
    let job = SummaryJob {
        model: model(60_000),
        kept: KeptContext {
            tokens: 40_000,
            ..KeptContext::default()
        },
        ..job(messages)
    };
    let (step, calls) = drive(job, &[says(&good())]);
    assert_eq!(calls[0].stage, "oldest history");
    assert!(calls[1].text.contains("<previous-summary>"));
    let share = done(step).history_share.unwrap();
    assert!(share.dropped_messages > 0 && share.dropped_tokens > 0 && share.dropped_chunks > 0);
}

#[test]
fn a_split_turn_gets_its_context() {
    let job = SummaryJob {
        turn_prefix: vec![user(9, "build the dashboard"), answer(10, "started")],
        ..job(small())
    };
    let (step, calls) = drive(job, &[says("**asked**\n# big\n- dashboard"), says(&good())]);
    assert_eq!(
        (calls[0].stage.as_str(), calls[1].stage.as_str()),
        ("turn context", "summary")
    );
    assert!(
        calls[0].text.contains("build the dashboard")
            && !calls[1].text.contains("build the dashboard")
    );
    assert!(
        done(step)
            .summary
            .ends_with("## Turn context\n**asked**\n**big**\n- dashboard")
    );
}

fn with_tool_output(chars: usize) -> Vec<SourceMessage> {
    let mut messages = small();
    messages.push(source(
        3,
        Message::Assistant(AssistantMessage {
            content: vec![AssistantPart::ToolCall(ToolCall {
                id: "c".to_owned(),
                name: "read".to_owned(),
                arguments: serde_json::json!({"path": "src/auth.rs"}),
                malformed: None,
            })],
            ..AssistantMessage::default()
        }),
    ));
    messages.push(source(
        4,
        Message::ToolResult(ToolResult {
            call_id: "c".to_owned(),
            tool_name: "read".to_owned(),
            content: vec![Part::Text("z".repeat(chars))],
            ..ToolResult::default()
        }),
    ));
    messages
}

#[test]
fn an_overflow_of_the_summary_request_never_ends_the_work() {
    let (step, calls) = drive(
        job(with_tool_output(9_000)),
        &[Reply::Overflow, Reply::Overflow, says(&good())],
    );
    assert!(calls[0].text.contains("[… 7000 more characters omitted]"));
    assert!(calls[1].text.contains("[… 8500 more characters omitted]"));
    assert!(
        calls[2].text.contains("<previous-summary>")
            && !calls[2].text.contains("[User]\nfix the refresh")
    );
    let result = done(step);
    assert!(
        result.stages.contains("oldest half without a model"),
        "{}",
        result.stages
    );
    let degrade = SummaryJob {
        on_failure: FailureMode::Degrade,
        ..job(small())
    };
    let result = done(drive(degrade, &[Reply::Overflow]).0);
    assert!(result.degraded && result.audit.passed);
    let SummaryStep::Failed(_) = drive(job(small()), &[Reply::Overflow]).0 else {
        panic!()
    };
}

/// The server says the same of the same request.
#[test]
fn a_refused_summary_request_is_never_made_again_as_it_was() {
    for messages in [small(), with_tool_output(9_000), with_tool_output(400)] {
        let (_, calls) = drive(job(messages), &vec![Reply::Overflow; 9]);
        for pair in calls.windows(2) {
            assert_ne!(pair[0].text, pair[1].text);
        }
    }
}

#[test]
fn oversized_messages_are_left_out_with_a_note() {
    let mut messages = small();
    messages.push(user(5, &"paste ".repeat(6_000)));
    let job = SummaryJob {
        model: model(20_000),
        ..job(messages)
    };
    let fails = Reply::Failed {
        message: "timeout".to_owned(),
        retryable: true,
    };
    let (step, calls) = drive(job, &[fails.clone(), fails.clone(), fails, says(&good())]);
    assert!(
        calls[3].text.contains("[Large user message (~"),
        "{}",
        calls[3].text
    );
    assert!(calls[3].text.contains("tokens) omitted from summary]"));
    assert!(done(step).stages.contains("without oversized messages"));
}

/// Parts whose summaries are too long for one request are joined a few at a time.
#[test]
fn more_parts_than_one_request_carries_are_joined_in_groups() {
    let mut messages = long(120, 8_000);
    messages.extend(small());
    let job = SummaryJob {
        model: model(8_000),
        previous_summary: Some("## Decisions\n- keep sqlite".to_owned()),
        ..job(messages)
    };
    let told = good().replace(
        "- work in",
        &format!("- {}\n- work in", "so it went on ".repeat(80)),
    );
    let (step, calls) = drive(job.clone(), &[says(&told)]);
    let merges: Vec<&SummaryCall> = calls
        .iter()
        .filter(|call| call.stage.starts_with("merge"))
        .collect();
    assert!(merges.len() > 3, "{}", merges.len());
    let (last, groups) = merges.split_last().unwrap();
    assert!(last.text.contains("keep sqlite"));
    for call in groups {
        assert!(!call.text.contains("keep sqlite"), "{}", call.stage);
    }
    for call in &calls {
        let tokens = count(&call.text) + call.max_output_tokens;
        assert!(tokens <= job.model.window_tokens, "{}", call.stage);
    }
    // Nothing of a part is cut.
    for call in &merges {
        let parts = call.text.matches("[Part ").count();
        assert_eq!(call.text.matches("so it went on ").count(), parts * 80);
    }
    assert!(done(step).summary.contains(UUID));
}

/// A server with a smaller window than it says.
#[test]
fn a_refused_merge_is_made_of_fewer_parts() {
    let mut messages = long(24, 8_000);
    messages.extend(small());
    let job = SummaryJob {
        model: model(16_000),
        ..job(messages)
    };
    let mut machine = Summariser::new(job);
    let mut step = machine.start();
    let (mut refused, mut joined) = (0, Vec::new());
    while let SummaryStep::Ask(call) = &step {
        let parts = call.text.matches("[Part ").count();
        let reply = if call.stage.starts_with("merge") && parts > 2 {
            refused += 1;
            Reply::Overflow
        } else {
            joined.extend(call.stage.starts_with("merge").then_some(parts));
            says(&good())
        };
        step = machine.on_reply(reply);
    }
    assert!(refused > 0 && refused < 8, "{refused}");
    assert!(joined.iter().all(|parts| *parts <= 2), "{joined:?}");
    assert!(done(step).summary.contains(UUID));
}
