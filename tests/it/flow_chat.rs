//! Chat, tools, steering, errors: what goes out and what is kept.

use plimsoll::agent::{AgentEvent, AnswerDelta, ApprovalDecision, Op, SessionSource};
use plimsoll::tool::ApprovalMode;
use plimsoll::transcript::StopReason;
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
        };
        for (n, id) in calls.iter().enumerate() {
            let answered = match wire {
                Wire::OpenAi => list[at + 1 + n]["tool_call_id"] == **id,
                Wire::Anthropic => list[at + 1]["content"][n]["tool_use_id"] == **id,
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
                AgentEvent::Delta(AnswerDelta::Text(text)) => Some(text.as_str()),
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
