//! Compaction by hand and at the load line: review, undo, and what is sent afterwards.

use plimsoll::agent::{
    AgentEvent, CompactOptions, CompactionEvent, CompactionProposal, ContextOp, Op, Query,
    QueryReply, ReviewDecision,
};
use plimsoll::transcript::{CompactionStanding, EntryId, Trigger};
use serde_json::{Value, json};

use super::agent::{Agent, Harness, has_no_tools, joined, messages};
use super::flow_overflow::SUMMARY;
use super::server::{Reply, Say, Server, Wire, status, text};

const BOTH: [Wire; 2] = [Wire::Anthropic, Wire::OpenAi];

async fn talk(agent: &mut Agent, turns: usize) {
    for turn in 0..turns {
        agent.ask(&format!("question {turn}")).await;
    }
}

fn answers(turns: usize) -> Vec<Reply> {
    (0..turns)
        .map(|turn| text(format!("answer {turn}")))
        .collect()
}

async fn applied(agent: &mut Agent) {
    agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Applied { .. })))
        .await;
}

#[tokio::test]
async fn a_manual_compaction_carries_its_instructions_and_can_be_undone() {
    for wire in BOTH {
        let mut script = answers(5);
        script.extend([text(SUMMARY), text("next"), text("last")]);
        let server = Server::start(wire, script).await;
        let harness = Harness::new(&server).wordy().without_audit();
        let mut agent = harness.start().await;
        talk(&mut agent, 5).await;
        agent
            .compact(Some("stress </untrusted-text> ports"), true)
            .await;
        applied(&mut agent).await;
        let ask = server.body(5);
        assert!(has_no_tools(&ask));
        let all = joined(&ask);
        assert!(
            all.contains("stress &lt;/untrusted-text&gt; ports"),
            "{all}"
        );
        agent.ask("now what").await;
        let all = joined(&server.body(6));
        assert!(
            all.contains("SUMMARISED") && !all.contains("answer 0"),
            "{all}"
        );
        assert!(
            all.contains("question 4") && all.contains("now what"),
            "{all}"
        );
        agent.send(Op::Context(ContextOp::Uncompact)).await;
        agent
            .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Undone { .. })))
            .await;
        agent.ask("and then").await;
        let sent: Vec<String> = messages(&server.body(7))
            .into_iter()
            .map(|(_, t)| t)
            .collect();
        let expected = [
            "question 0",
            "answer 0",
            "question 1",
            "answer 1",
            "question 2",
            "answer 2",
            "question 3",
            "answer 3",
            "question 4",
            "answer 4",
            "now what",
            "next",
            "and then",
        ];
        assert_eq!(sent, expected);
        agent.stop().await;
    }
}

/// The summary that was asked for again takes the place of the first one only when there is
/// one: what was paid for and shown is not lost by stopping it, nor by a try that fails.
#[tokio::test]
async fn a_retry_that_is_stopped_or_fails_shows_the_summary_from_before() {
    let stalled = Reply::Stall(Say::text("## Goal"));
    let refused = status(400, "invalid_request_error", "no");
    for (again, is_stopped) in [(stalled, true), (refused, false)] {
        let mut script = answers(5);
        script.extend([text(SUMMARY), again]);
        let server = Server::start(Wire::Anthropic, script).await;
        let harness = Harness::new(&server).wordy().without_audit();
        let mut agent = harness.start().await;
        let review =
            |e: &AgentEvent| matches!(e, AgentEvent::Compaction(CompactionEvent::Review(_)));
        talk(&mut agent, 5).await;
        agent.compact(Some("first words"), false).await;
        agent.until(review).await;
        let instructions = Some("second words".to_owned());
        agent
            .send(Op::Context(ContextOp::Review(ReviewDecision::Retry {
                instructions,
            })))
            .await;
        if is_stopped {
            agent
                .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Delta(_))))
                .await;
            agent
                .send(Op::Context(ContextOp::Review(ReviewDecision::StopRetry)))
                .await;
        }
        let AgentEvent::Compaction(CompactionEvent::Review(proposal)) = agent.until(review).await
        else {
            unreachable!()
        };
        assert!(proposal.summary.contains("SUMMARISED talk"));
        // Stopping what is not written any more changes nothing.
        agent
            .send(Op::Context(ContextOp::Review(ReviewDecision::StopRetry)))
            .await;
        assert_eq!(
            proposal.writing.instructions.as_deref(),
            Some("first words")
        );
        agent
            .send(Op::Context(ContextOp::Review(ReviewDecision::Accept)))
            .await;
        applied(&mut agent).await;
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_review_can_be_edited_asked_again_and_cancelled() {
    let mut script = answers(5);
    script.extend([text(SUMMARY), text(SUMMARY), text(SUMMARY), text("next")]);
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).wordy().without_audit();
    let mut agent = harness.start().await;
    let review = |e: &AgentEvent| matches!(e, AgentEvent::Compaction(CompactionEvent::Review(_)));
    talk(&mut agent, 5).await;
    let before = harness.log_without_costs();

    agent.compact(Some("first words"), false).await;
    agent.until(review).await;
    agent
        .send(Op::Context(ContextOp::Review(ReviewDecision::Cancel)))
        .await;
    agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Cancelled { .. })))
        .await;
    assert_eq!(harness.log_without_costs(), before);

    agent.compact(Some("first words"), false).await;
    agent.until(review).await;
    let instructions = Some("second words".to_owned());
    agent
        .send(Op::Context(ContextOp::Review(ReviewDecision::Retry {
            instructions,
        })))
        .await;
    agent.until(review).await;
    let asked = joined(&server.body(7));
    assert!(
        asked.contains("second words") && !asked.contains("first words"),
        "{asked}"
    );
    let edited = SUMMARY.replace("SUMMARISED talk", "EDITED by hand");
    agent
        .send(Op::Context(ContextOp::Review(ReviewDecision::Edit(edited))))
        .await;
    let event = agent.until(review).await;
    let AgentEvent::Compaction(CompactionEvent::Review(proposal)) = event else {
        unreachable!()
    };
    assert!(proposal.edited && proposal.summary.contains("EDITED"));
    assert_eq!(harness.log_without_costs(), before);
    agent
        .send(Op::Context(ContextOp::Review(ReviewDecision::Accept)))
        .await;
    applied(&mut agent).await;
    agent.ask("go on").await;
    let all = joined(&server.body(8));
    assert!(
        all.contains("EDITED by hand") && !all.contains("answer 0"),
        "{all}"
    );
    agent.stop().await;
}

#[tokio::test]
async fn in_a_review_what_was_never_said_is_struck_on_request() {
    const FICTION: &str = "- Deployed 4.2.0 to production; the invoice was $40,000.\n";
    let lying = SUMMARY.replacen("### Done\n", &format!("### Done\n{FICTION}"), 1);
    assert!(lying.contains(FICTION));
    let mut script = answers(5);
    // It is told what it made up once, and says the same again.
    script.extend([text(lying.clone()), text(lying), text("next")]);
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).wordy();
    let mut agent = harness.start().await;
    talk(&mut agent, 5).await;
    agent.compact(None, false).await;
    let shown = reviewed(&mut agent).await;
    let audit = shown.verdict.check.audit.unwrap();
    assert!(audit.claims_grounded < audit.claims_total, "{audit:?}");
    assert!(shown.summary.contains(FICTION), "a person sees all of it");
    agent
        .send(Op::Context(ContextOp::Review(ReviewDecision::Strike)))
        .await;
    let left = reviewed(&mut agent).await;
    let again = left.verdict.check.audit.clone().unwrap();
    assert_eq!(again, audit, "the rating is that of the model's text");
    let check = &left.verdict.check;
    assert!(!check.has_unmarked_claims(&left.summary), "{check:?}");
    assert!(!left.summary.contains("4.2.0"), "{}", left.summary);
    assert!(left.summary.contains("SUMMARISED"), "{}", left.summary);
    assert!(
        left.verdict
            .check
            .mended
            .iter()
            .any(|it| it.starts_with("struck ")),
        "{:?}",
        left.verdict.check.mended
    );
    agent
        .send(Op::Context(ContextOp::Review(ReviewDecision::Accept)))
        .await;
    applied(&mut agent).await;
    agent.ask("go on").await;
    let sent = joined(&server.body(7));
    assert!(
        sent.contains("SUMMARISED") && !sent.contains("4.2.0"),
        "{sent}"
    );
    agent.stop().await;
}

#[tokio::test]
async fn neither_striking_nor_editing_makes_a_degraded_summary_a_good_one() {
    let cut: String = SUMMARY.lines().take(4).collect::<Vec<_>>().join("\n");
    let cut = format!("{cut}\n- Deployed 4.2.0 to production.\n");
    let mut script = answers(5);
    script.extend([text(cut.clone()), text(cut), text("next")]);
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).wordy();
    let mut agent = harness.start().await;
    talk(&mut agent, 5).await;
    agent.compact(None, false).await;
    let shown = reviewed(&mut agent).await;
    assert!(shown.writing.degraded, "{:?}", shown.verdict.check);
    let percent = shown.verdict.check.written_by_code_percent;
    let sections = shown.verdict.check.audit.as_ref().unwrap().sections_found;
    let spaced = format!("{} ", shown.summary);
    for decision in [
        ReviewDecision::Edit(spaced),
        ReviewDecision::Strike,
        ReviewDecision::Strike,
    ] {
        agent
            .send(Op::Context(ContextOp::Review(decision.clone())))
            .await;
        let left = reviewed(&mut agent).await;
        assert!(left.writing.degraded, "{decision:?}");
        let check = left.verdict.check;
        assert!(
            check.written_by_code_percent >= percent,
            "{decision:?} {check:?}"
        );
        assert_eq!(check.audit.unwrap().sections_found, sections);
    }
    // What a person writes below every heading is theirs.
    let whole = SUMMARY
        .replace("SUMMARISED", "what was asked, in my words:")
        .replace("(none)", "nothing so far");
    agent
        .send(Op::Context(ContextOp::Review(ReviewDecision::Edit(whole))))
        .await;
    let own = reviewed(&mut agent).await;
    assert!(!own.writing.degraded, "{:?}", own.verdict.check);
    agent.stop().await;
}

async fn reviewed(agent: &mut Agent) -> CompactionProposal {
    let is_review =
        |e: &AgentEvent| matches!(e, AgentEvent::Compaction(CompactionEvent::Review(_)));
    let event = agent.until(is_review).await;
    let AgentEvent::Compaction(CompactionEvent::Review(proposal)) = event else {
        unreachable!()
    };
    *proposal
}

#[tokio::test]
async fn a_manual_compaction_that_fails_changes_nothing() {
    for bad in [
        text(""),
        Say::text("no")
            .call("c9", "read", &json!({"path": "x"}))
            .reply(),
        Say::text("I cannot").stop("refusal").reply(),
        Say::text("## Goal\nhalf").stop("max_tokens").reply(),
    ] {
        let mut script = answers(5);
        script.extend((0..9).map(|_| bad.clone()));
        let server = Server::start(Wire::Anthropic, script).await;
        let harness = Harness::new(&server).wordy();
        let mut agent = harness.start().await;
        talk(&mut agent, 5).await;
        let before = harness.log_without_costs();
        agent.compact(None, true).await;
        agent
            .until(|e| {
                matches!(
                    e,
                    AgentEvent::Compaction(CompactionEvent::Failed {
                        cause: "summariser_failed",
                        ..
                    })
                )
            })
            .await;
        assert_eq!(harness.log_without_costs(), before);
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_compaction_that_takes_too_long_changes_nothing() {
    let mut script = answers(5);
    script.push(Reply::Stall(Say::text("## Goal")));
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server)
        .wordy()
        .set(|s| s.context.compaction.timeout_secs = 1);
    let mut agent = harness.start().await;
    talk(&mut agent, 5).await;
    let before = harness.log_without_costs();
    agent.compact(None, true).await;
    agent
        .until(|e| {
            matches!(
                e,
                AgentEvent::Compaction(CompactionEvent::Failed {
                    cause: "timeout",
                    ..
                })
            )
        })
        .await;
    assert_eq!(harness.log_without_costs(), before);
    agent.stop().await;
}

#[tokio::test]
async fn the_load_line_compacts_before_the_request_and_only_once() {
    for wire in BOTH {
        // The usable part is 15,000; each answer has about 2,500 tokens, of which Claude makes
        // more of a text.
        let repeated = if wire == Wire::Anthropic { 620 } else { 830 };
        let long = |n: usize| text(format!("answer {n} {}", "lorem ipsum ".repeat(repeated)));
        let mut script: Vec<Reply> = (0..4).map(long).collect();
        script.extend([text(SUMMARY), text("short"), text("short")]);
        let server = Server::start(wire, script).await;
        let harness = Harness::new(&server).window(20_000).set(|s| {
            s.context.audit.enabled = false;
            s.context.compaction.threshold = Some(plimsoll::context::Threshold::Tokens(12_000));
        });
        let mut agent = harness.start().await;
        let mut turn = 0;
        while !agent
            .events
            .iter()
            .any(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Applied { .. })))
        {
            agent.ask(&format!("question {turn}")).await;
            turn += 1;
            assert!(turn < 8);
        }
        agent.ask("final").await;
        let last = server.seen().pop().unwrap();
        let all = joined(&last);
        assert!(
            all.contains("SUMMARISED") && !all.contains("answer 0"),
            "{turn}"
        );
        assert!(all.contains("final"));
        let started = agent.named(|e| {
            matches!(
                e,
                AgentEvent::Compaction(CompactionEvent::Started {
                    trigger: Trigger::Threshold,
                    ..
                })
            )
            .then_some("s")
        });
        assert_eq!(started.len(), 1);
        agent.stop().await;
    }
}

#[tokio::test]
async fn the_load_line_compacts_between_tool_batches() {
    let read = |id: &str| {
        Say::text("r")
            .call(id, "read", &json!({"path": format!("{id}.txt")}))
            .reply()
    };
    let script = vec![
        text("hello"),
        read("a"),
        read("b"),
        read("c"),
        read("d"),
        // What came before this turn, and the beginning of this turn.
        text(SUMMARY),
        text(SUMMARY),
        text("done"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).wordy().window(24_000).set(|s| {
        s.context.audit.enabled = false;
        s.context.prune.policy = plimsoll::context::PrunePolicy::Off;
        s.context.compaction.threshold = Some(plimsoll::context::Threshold::Tokens(14_000));
    });
    for name in ["a", "b", "c", "d"] {
        harness.file(
            &format!("{name}.txt"),
            &format!("file {name} {}\n", "lorem ipsum\n".repeat(700)),
        );
    }
    let mut agent = harness.start().await;
    agent.ask("hi").await;
    let end = agent.ask("read them all").await;
    assert_eq!((end.exit_code, end.text.as_str()), (0, "done"), "{end:?}");
    let summaries: Vec<usize> = server
        .seen()
        .iter()
        .enumerate()
        .filter_map(|(at, body)| has_no_tools(body).then_some(at))
        .collect();
    assert_eq!(summaries, [5, 6]);
    let next = server.body(7);
    let all = joined(&next);
    assert!(all.contains("SUMMARISED"));
    assert_eq!(all.matches("read them all").count(), 1, "{all}");
    agent.stop().await;
}

/// Everything of a compaction that was applied can be seen again afterwards.
#[tokio::test]
async fn a_compaction_of_the_log_is_shown_as_it_was_reviewed() {
    let mut script = answers(5);
    script.extend([text(SUMMARY), text("next")]);
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server)
        .wordy()
        .set(|s| s.context.audit.retries = 0);
    let mut agent = harness.start().await;
    talk(&mut agent, 5).await;
    agent.compact(Some("stress ports"), false).await;
    let reviewed = agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Review(_))))
        .await;
    let AgentEvent::Compaction(CompactionEvent::Review(reviewed)) = reviewed else {
        unreachable!()
    };
    agent
        .send(Op::Context(ContextOp::Review(ReviewDecision::Accept)))
        .await;
    applied(&mut agent).await;
    agent.ask("now what").await;
    let before = harness.log();
    let Some(AgentEvent::Compaction(CompactionEvent::Applied { entry: id, .. })) = agent
        .events
        .iter()
        .find(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Applied { .. })))
        .cloned()
    else {
        unreachable!()
    };
    agent.send(Op::query(Query::Compaction(id.clone()))).await;
    let shown = agent
        .until(|e| {
            matches!(
                e,
                AgentEvent::Reply {
                    reply: QueryReply::Compaction { .. },
                    ..
                }
            )
        })
        .await;
    let AgentEvent::Reply {
        reply:
            QueryReply::Compaction {
                entry,
                standing,
                proposal,
            },
        ..
    } = shown
    else {
        unreachable!()
    };
    assert_eq!((entry, standing), (id, CompactionStanding::InForce));
    for (then, now) in [
        (&reviewed.summary, &proposal.summary),
        (
            &reviewed.comparison.left_title,
            &proposal.comparison.left_title,
        ),
        (&reviewed.comparison.left, &proposal.comparison.left),
        (
            &reviewed.comparison.extractive,
            &proposal.comparison.extractive,
        ),
        (&reviewed.writing.model, &proposal.writing.model),
    ] {
        assert_eq!(then, now);
    }
    assert_eq!(reviewed.verdict.check, proposal.verdict.check);
    assert_eq!(reviewed.writing.instructions, proposal.writing.instructions);
    assert_eq!(
        (
            reviewed.effect.tokens_before,
            reviewed.effect.tokens_after,
            reviewed.effect.summarized,
            reviewed.effect.kept
        ),
        (
            proposal.effect.tokens_before,
            proposal.effect.tokens_after,
            proposal.effect.summarized,
            proposal.effect.kept
        )
    );
    assert!(proposal.sources.is_some());
    let no_compaction = harness.log()[1]["id"].as_str().unwrap().to_owned();
    agent
        .send(Op::query(Query::Compaction(EntryId::new(no_compaction))))
        .await;
    agent
        .until(|e| matches!(e, AgentEvent::Notice(n) if n.text.contains("not a compaction")))
        .await;
    assert_eq!(harness.log(), before, "looking changes nothing");
    agent.stop().await;
}

/// `--context-window` is about the model that answers.
#[tokio::test]
async fn a_model_that_only_writes_summaries_has_its_own_window() {
    let server = Server::start(Wire::OpenAi, answers(5)).await;
    let harness = Harness::new(&server).wordy().window(17_000).set(|s| {
        s.context.compaction.model = Some("openai/gpt-4o-mini".to_owned());
        s.context.compaction.tail.turns = Some(1);
        s.context.compaction.tail.tokens = Some(40);
    });
    let mut agent = harness.start().await;
    agent
        .ask(&format!(
            "read this: {}",
            "lorem ipsum dolor ".repeat(2_000)
        ))
        .await;
    talk(&mut agent, 4).await;
    let options = CompactOptions {
        force: true,
        ..CompactOptions::default()
    };
    let plan = agent.planned(options).await;
    assert_eq!(
        (plan.calls, plan.stages.as_str()),
        (1, "summary"),
        "{plan:?}"
    );
    assert_eq!(plan.model, "openai/gpt-4o-mini");
    agent.stop().await;
}

/// A result whose call is gone is in no request; it was said all the same.
#[tokio::test]
async fn what_repair_keeps_out_of_requests_is_summarised() {
    let mut script = answers(5);
    script.push(text(SUMMARY));
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).wordy().without_audit();
    let mut agent = harness.start().await;
    talk(&mut agent, 5).await;
    agent.stop().await;
    let mut log = harness.whole_log();
    let says = |entry: &Value, said: &str| entry["message"]["content"][0]["text"] == said;
    let at = log
        .iter()
        .position(|entry| says(entry, "answer 0"))
        .unwrap();
    let mut orphan = log[at].clone();
    orphan["id"] = json!("0rphan00");
    orphan["parentId"] = log[at]["id"].clone();
    orphan["message"] = json!({
        "role": "toolResult", "toolCallId": "gone", "toolName": "read", "isError": false,
        "content": [{"type": "text", "text": "the ORPHAN was read"}],
        "timestamp": orphan["message"]["timestamp"],
    });
    log[at + 1]["parentId"] = orphan["id"].clone();
    log.insert(at + 1, orphan);
    let lines: Vec<String> = log.iter().map(Value::to_string).collect();
    std::fs::write(harness.session(), lines.join("\n") + "\n").unwrap();
    let mut agent = harness.start().await;
    agent.compact(None, true).await;
    applied(&mut agent).await;
    let asked = joined(&server.body(5));
    let place = |said: &str| {
        asked
            .find(said)
            .unwrap_or_else(|| panic!("no {said}: {asked}"))
    };
    assert!(place("answer 0") < place("the ORPHAN was read"));
    assert!(place("the ORPHAN was read") < place("question 1"));
    agent.stop().await;
}

#[tokio::test]
async fn after_a_compaction_whose_request_failed_the_next_message_stays_below_the_load_line() {
    let server = Server::start(Wire::Anthropic, []).await;
    let words = |count: usize| "several words of it ".repeat(count);
    let harness = Harness::new(&server)
        .wordy()
        .without_audit()
        .window(20_000)
        .set(|s| {
            s.agent.network.retry_max_attempts = 1;
        });
    let mut agent = harness.start().await;
    server.then((0..3).map(|_| text(words(600))));
    for turn in 0..3 {
        agent.ask(&format!("question {turn}")).await;
    }
    // A compaction, and the request after it fails.
    server.then_for_summaries((0..4).map(|_| text(SUMMARY)));
    server.then([status(500, "api_error", "broken")]);
    let end = agent.ask(&words(900)).await;
    assert!(end.error.is_some());
    let compacted = |agent: &Agent| {
        let applied = |it: &&AgentEvent| {
            matches!(it, AgentEvent::Compaction(CompactionEvent::Applied { .. }))
        };
        agent.events.iter().filter(applied).count()
    };
    assert_eq!(compacted(&agent), 1);
    server.then([text("ok")]);
    assert_eq!(agent.ask(&words(1_200)).await.text, "ok");
    assert_eq!(compacted(&agent), 2, "room was made before it was sent");
    agent.stop().await;
}
