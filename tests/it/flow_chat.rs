//! Chat, tools, steering, errors: what goes out and what is kept.

use plimsoll::agent::{
    AgentEvent, AnswerDelta, AnswerEvent, ApprovalDecision, Op, SessionSource, SubmitWhen,
    TurnEvent, TurnOp,
};
use plimsoll::tool::ApprovalMode;
use plimsoll::transcript::{Image, StopReason};
use serde_json::json;

use super::agent::{Harness, KEY, messages};
use super::server::{Reply, Say, Server, Wire, status, text};

const BOTH: [Wire; 2] = [Wire::Anthropic, Wire::OpenAi];

/// Every call is answered in the message after it, roles are what the wire wants.
fn is_valid(body: &serde_json::Value, wire: Wire) {
    let list = body["messages"].as_array().unwrap();
    for (at, message) in list.iter().enumerate() {
        if message["role"] != "assistant" {
            continue;
        }
        let calls: Vec<&str> = match wire {
            Wire::OpenAi => message["tool_calls"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|call| call["id"].as_str().unwrap())
                .collect(),
            Wire::Anthropic => message["content"]
                .as_array()
                .into_iter()
                .flatten()
                .filter(|part| part["type"] == "tool_use")
                .map(|part| part["id"].as_str().unwrap())
                .collect(),
            Wire::Responses | Wire::Gemini => panic!("have no messages"),
        };
        for (n, id) in calls.iter().enumerate() {
            let answered = match wire {
                Wire::OpenAi => list[at + 1 + n]["tool_call_id"] == **id,
                Wire::Anthropic => list[at + 1]["content"][n]["tool_use_id"] == **id,
                Wire::Responses | Wire::Gemini => false,
            };
            assert!(answered, "call {id} is not answered: {body}");
        }
    }
}

#[tokio::test]
async fn an_answer_streams_and_is_kept() {
    for wire in BOTH {
        let server = Server::start(wire, [text("Hello there"), text("Again")]).await;
        let harness = Harness::new(&server);
        let mut agent = harness.start().await;
        let end = agent.ask("hi").await;
        assert_eq!((end.exit_code, end.text.as_str()), (0, "Hello there"));
        let streamed: String = agent
            .events
            .iter()
            .filter_map(|event| match event {
                AgentEvent::Stream(AnswerEvent::Delta(AnswerDelta::Text(text))) => {
                    Some(text.as_str())
                }
                _ => None,
            })
            .collect();
        assert_eq!(streamed, "Hello there");
        agent.ask("more").await;
        let sent: Vec<_> = messages(&server.body(1));
        let expected = [
            ("user", "hi"),
            ("assistant", "Hello there"),
            ("user", "more"),
        ];
        assert_eq!(
            sent,
            expected.map(|(role, text)| (role.to_owned(), text.to_owned()))
        );
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_tool_reads_a_file_and_its_result_goes_back() {
    for wire in BOTH {
        let server = Server::start(
            wire,
            [
                Say::text("Looking.")
                    .call("call_1", "read", &json!({"path": "a.txt"}))
                    .reply(),
                text("It says plum."),
            ],
        )
        .await;
        let harness = Harness::new(&server);
        harness.file("a.txt", "plum\n");
        let mut agent = harness.start().await;
        let end = agent.ask("read a.txt").await;
        assert_eq!((end.exit_code, end.text.as_str()), (0, "It says plum."));
        let body = server.body(1);
        is_valid(&body, wire);
        let last = messages(&body).pop().unwrap().1;
        assert!(
            last.starts_with("result:") && last.contains("plum"),
            "{last}"
        );
        agent.stop().await;
    }
}

#[tokio::test]
async fn unusable_calls_are_answered_and_the_loop_goes_on() {
    for wire in BOTH {
        let server = Server::start(
            wire,
            [
                Say::text("a")
                    .call("c1", "no_such_tool", &json!({}))
                    .reply(),
                Say::text("b").raw_call("c2", "read", "{\"path\": ").reply(),
                Say::text("c")
                    .call("c3", "read", &json!({"path": "missing"}))
                    .reply(),
                text("done"),
            ],
        )
        .await;
        let harness = Harness::new(&server);
        let mut agent = harness.start().await;
        let end = agent.ask("go").await;
        assert_eq!((end.exit_code, end.text.as_str()), (0, "done"), "{end:?}");
        for index in 0..4 {
            is_valid(&server.body(index), wire);
        }
        assert!(
            messages(&server.body(1))
                .pop()
                .unwrap()
                .1
                .contains("no_such_tool")
        );
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_refusal_with_words_goes_back_to_the_model() {
    for wire in BOTH {
        let server = Server::start(
            wire,
            [
                Say::text("w")
                    .call("c1", "shell", &json!({"command": "touch never"}))
                    .reply(),
                text("fine"),
            ],
        )
        .await;
        let harness = Harness::new(&server).set(|s| s.agent.tools.approvals = ApprovalMode::Ask);
        let mut agent = harness.start().await;
        agent.say("go").await;
        let request = agent.approval().await;
        let decision = ApprovalDecision::Deny {
            feedback: Some("use the other file".to_owned()),
        };
        agent
            .send(Op::Turn(TurnOp::Approve {
                id: request.id,
                decision,
            }))
            .await;
        let end = agent.turn_end().await;
        assert_eq!(end.exit_code, 0);
        let last = messages(&server.body(1)).pop().unwrap().1;
        assert!(last.contains("use the other file"), "{last}");
        is_valid(&server.body(1), wire);
        assert!(!harness.setup.cwd.join("never").exists());
        agent.stop().await;
    }
}

#[tokio::test]
async fn an_approval_covers_what_it_says() {
    let run = |id: &str, word: &str| {
        Say::text("w")
            .call(id, "shell", &json!({"command": format!("echo {word}")}))
            .reply()
    };
    let cases: [(&str, ApprovalDecision, usize); 3] = [
        ("once", ApprovalDecision::Once, 2),
        ("session", ApprovalDecision::Session, 1),
        ("pattern", ApprovalDecision::Pattern(String::new()), 1),
    ];
    for (name, decision, asked) in cases {
        let server = Server::start(
            Wire::Anthropic,
            [run("c1", "one"), run("c2", "one"), text("end")],
        )
        .await;
        let harness = Harness::new(&server).set(|s| s.agent.tools.approvals = ApprovalMode::Ask);
        let mut agent = harness.start().await;
        agent.say("go").await;
        let mut approvals = 0;
        loop {
            let event = agent
                .until(|e| {
                    matches!(
                        e,
                        AgentEvent::Turn(TurnEvent::Approval(_) | TurnEvent::Finished(_))
                    )
                })
                .await;
            let AgentEvent::Turn(TurnEvent::Approval(request)) = event else {
                break;
            };
            approvals += 1;
            let decision = match &decision {
                ApprovalDecision::Pattern(_) => ApprovalDecision::Pattern(request.pattern.clone()),
                other => other.clone(),
            };
            agent
                .send(Op::Turn(TurnOp::Approve {
                    id: request.id,
                    decision,
                }))
                .await;
        }
        assert_eq!(approvals, asked, "{name}");
        assert!(messages(&server.body(2)).pop().unwrap().1.contains("one"));
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_message_typed_while_a_tool_runs_follows_the_batch() {
    for wire in BOTH {
        let server = Server::start(
            wire,
            [
                Say::text("w")
                    .call(
                        "c1",
                        "shell",
                        &json!({"command": "while [ ! -e go ]; do sleep 0.01; done"}),
                    )
                    .reply(),
                text("ok"),
            ],
        )
        .await;
        let harness = Harness::new(&server);
        let mut agent = harness.start().await;
        agent.say("start").await;
        agent
            .until(|event| matches!(event, AgentEvent::Stream(AnswerEvent::ToolStarted { .. })))
            .await;
        agent.say("and be quick").await;
        agent
            .until(|event| matches!(event, AgentEvent::Turn(TurnEvent::Queued(q)) if !q.is_empty()))
            .await;
        harness.file("go", "");
        agent.turn_end().await;
        let sent = messages(&server.body(1));
        let joined: String = sent.iter().map(|(_, text)| text.as_str()).collect();
        assert!(joined.ends_with("and be quick"), "{sent:?}");
        is_valid(&server.body(1), wire);
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_stopped_tool_is_answered_in_the_next_request() {
    for wire in BOTH {
        let server = Server::start(
            wire,
            [
                Say::text("w")
                    .call("c1", "shell", &json!({"command": "sleep 30"}))
                    .call("c2", "shell", &json!({"command": "touch never"}))
                    .reply(),
                text("ok"),
            ],
        )
        .await;
        let harness = Harness::new(&server);
        let mut agent = harness.start().await;
        agent.say("start").await;
        agent
            .until(|event| matches!(event, AgentEvent::Stream(AnswerEvent::ToolStarted { .. })))
            .await;
        agent.send(Op::Turn(TurnOp::Interrupt)).await;
        let end = agent.turn_end().await;
        assert_eq!(end.exit_code, 130);
        agent.ask("and now").await;
        is_valid(&server.body(1), wire);
        assert!(!harness.setup.cwd.join("never").exists());
        agent.stop().await;
    }
}

#[tokio::test]
async fn who_stops_an_answer_has_the_queued_messages_back() {
    let server = Server::start(Wire::Anthropic, [Reply::Stall(Say::text("half"))]).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.say("start").await;
    agent
        .until(|event| matches!(event, AgentEvent::Stream(AnswerEvent::Delta(_))))
        .await;
    let returned =
        |event: &AgentEvent| matches!(event, AgentEvent::Turn(TurnEvent::InputReturned(_)));
    let told = |event: AgentEvent| match event {
        AgentEvent::Turn(TurnEvent::InputReturned(inputs)) => inputs
            .into_iter()
            .map(|input| (input.text, input.images.len()))
            .collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    let image = Image {
        data: "AAAA".into(),
        mime: "image/png".to_owned(),
        name: None,
    };
    for (text, when, images) in [
        ("one", SubmitWhen::NextStep, Vec::new()),
        ("two", SubmitWhen::AfterTurn, vec![image]),
        ("three", SubmitWhen::NextStep, Vec::new()),
    ] {
        let text = text.to_owned();
        agent
            .send(Op::Turn(TurnOp::Submit { text, images, when }))
            .await;
    }
    let queued = agent
        .until(|event| matches!(event, AgentEvent::Turn(TurnEvent::Queued(all)) if all.len() == 3))
        .await;
    let AgentEvent::Turn(TurnEvent::Queued(queued)) = queued else {
        panic!("{queued:?}");
    };
    agent
        .send(Op::Turn(TurnOp::Unqueue { id: queued[1].id }))
        .await;
    let two = told(agent.until(returned).await);
    assert_eq!(two, [("two".to_owned(), 1)]);
    agent.send(Op::Turn(TurnOp::Interrupt)).await;
    let others = told(agent.until(returned).await);
    assert_eq!(others, [("one".to_owned(), 0), ("three".to_owned(), 0)]);
    assert_eq!(agent.turn_end().await.stop, StopReason::Aborted);
    agent.stop().await;
    assert_eq!(server.seen().len(), 1, "nothing was sent behind it");
}

#[tokio::test]
async fn an_interrupted_answer_is_kept_as_aborted() {
    for wire in BOTH {
        let server =
            Server::start(wire, [Reply::Stall(Say::text("half an ans")), text("ok")]).await;
        let harness = Harness::new(&server);
        let mut agent = harness.start().await;
        agent.say("one").await;
        agent
            .until(|event| matches!(event, AgentEvent::Stream(AnswerEvent::Delta(_))))
            .await;
        agent.send(Op::Turn(TurnOp::Interrupt)).await;
        let end = agent.turn_end().await;
        assert_eq!((end.stop, end.exit_code), (StopReason::Aborted, 130));
        let kept = harness.log_without_costs().pop().unwrap();
        assert_eq!(kept["message"]["stopReason"], "aborted", "{kept}");
        assert!(kept.to_string().contains("half an ans"));
        assert_eq!(agent.ask("two").await.exit_code, 0);
        is_valid(&server.body(1), wire);
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_cut_answer_is_kept_and_not_asked_again() {
    for wire in BOTH {
        let server = Server::start(wire, [Reply::Cut(Say::text("half")), text("ok")]).await;
        let harness = Harness::new(&server);
        let mut agent = harness.start().await;
        let end = agent.ask("one").await;
        assert_eq!((end.stop, end.exit_code), (StopReason::Error, 1));
        assert_eq!(server.left(), 1);
        let log = harness.log();
        assert!(
            log.iter()
                .any(|line| line["message"]["stopReason"] == "error"),
            "{log:?}"
        );
        assert_eq!(agent.ask("two").await.exit_code, 0);
        agent.stop().await;
    }
}

#[tokio::test]
async fn what_failed_before_the_first_word_is_asked_again() {
    for wire in BOTH {
        let limited = Reply::Status(
            429,
            vec![("retry-after-ms", "5".to_owned())],
            json!({"error": {"type": "rate_limit_error", "message": "slow down"}}).to_string(),
        );
        let server = Server::start(wire, [limited, Reply::Reset, text("ok")]).await;
        let harness = Harness::new(&server);
        let mut agent = harness.start().await;
        let end = agent.ask("one").await;
        assert_eq!((end.exit_code, end.text.as_str()), (0, "ok"));
        assert_eq!(server.body(0), server.body(2));
        let retries = agent.named(|e| {
            matches!(e, AgentEvent::Stream(AnswerEvent::Retrying { .. })).then_some("retry")
        });
        assert_eq!(retries.len(), 2);
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_wrong_key_ends_with_advice_and_is_written_nowhere() {
    for wire in BOTH {
        let server = Server::start(
            wire,
            [status(
                401,
                "authentication_error",
                &format!("invalid key {KEY}"),
            )],
        )
        .await;
        let harness = Harness::new(&server);
        let mut agent = harness.start().await;
        let end = agent.ask("one").await;
        assert_eq!(end.exit_code, 3);
        assert!(end.error.as_ref().unwrap().hint.is_some());
        let events = agent.stop().await;
        assert!(!format!("{events:?}").contains(KEY));
        let mut folders = vec![harness.dir.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for file in std::fs::read_dir(folder).unwrap() {
                let path = file.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    assert!(!String::from_utf8_lossy(&std::fs::read(&path).unwrap()).contains(KEY));
                }
            }
        }
    }
}

#[tokio::test]
async fn another_model_takes_over() {
    for code in [401, 429] {
        let server = Server::start(Wire::OpenAi, [status(code, "x", "no"), text("ok")]).await;
        let harness = Harness::new(&server).set(|s| {
            s.agent.network.retry_max_attempts = 1;
            s.agent.fallback_models =
                vec![plimsoll::transcript::ModelRef::new("openai", "gpt-4o-mini")];
        });
        let mut agent = harness.start().await;
        let end = agent.ask("one").await;
        assert_eq!(end.exit_code, 0, "{code}: {end:?}");
        assert_eq!(server.body(1)["model"], "gpt-4o-mini");
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_window_below_the_minimum_sends_nothing() {
    let server = Server::start(Wire::Anthropic, [text("never")]).await;
    let harness = Harness::new(&server).window(15_999);
    let mut agent = harness.start().await;
    let end = agent.ask("hi").await;
    let error = end.error.unwrap();
    assert_eq!(end.exit_code, 1);
    assert!(
        error.text.contains("15,999") && error.text.contains("16,000"),
        "{}",
        error.text
    );
    assert!(server.seen().is_empty());
    agent.stop().await;
}

#[tokio::test]
async fn an_opened_session_goes_on_with_the_same_prefix() {
    for wire in BOTH {
        let server = Server::start(wire, [text("one"), text("two")]).await;
        let mut harness = Harness::new(&server);
        let mut agent = harness.start().await;
        agent.ask("first").await;
        agent.stop().await;
        // A write that was cut off.
        let mut log = std::fs::read(harness.session()).unwrap();
        log.extend_from_slice(b"{\"type\":\"message\",\"id\":\"abc");
        std::fs::write(harness.session(), log).unwrap();
        harness.setup.source = SessionSource::Open(harness.session());
        let mut agent = harness.start().await;
        agent.ask("second").await;
        let sent: Vec<String> = messages(&server.body(1))
            .into_iter()
            .map(|(_, t)| t)
            .collect();
        assert_eq!(sent, ["first", "one", "second"]);
        assert_eq!(server.body(0)["tools"], server.body(1)["tools"]);
        agent.stop().await;
    }
}
