//! The agent over OpenAI Responses and Gemini: tool loops with the reasoning that has to
//! go back, overflow, and answers that break off. Every request is held to the strict
//! rules of its format by the server.

use serde_json::{Value, json};

use super::agent::{Harness, KEY, has_no_tools, messages};
use super::flow_overflow::recovery;
use super::server::{Reply, Say, Server, Wire, text};

const BOTH: [Wire; 2] = [Wire::Responses, Wire::Gemini];

/// The newest results of tools in a request, as text.
fn newest_results(wire: Wire, body: &Value) -> Vec<String> {
    match wire {
        Wire::Responses => body["input"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|item| item["type"] == "function_call_output")
            .map(|item| item["output"].to_string())
            .collect(),
        _ => body["contents"]
            .as_array()
            .and_then(|contents| contents.last()?["parts"].as_array())
            .into_iter()
            .flatten()
            .filter_map(|part| part.get("functionResponse"))
            .map(|response| response["response"].to_string())
            .collect(),
    }
}

#[tokio::test]
async fn parallel_calls_run_and_the_signed_reasoning_goes_back() {
    for wire in BOTH {
        let server = Server::start(
            wire,
            [
                Say::text("Looking.")
                    .thinking("hm", "c2lnbmVk")
                    .call("x1", "read", &json!({"path": "a.txt"}))
                    .call("x2", "read", &json!({"path": "b.txt"}))
                    .usage(1_000)
                    .reply(),
                text("A plum and a pear."),
                text("Nothing more."),
            ],
        )
        .await;
        let harness = Harness::new(&server);
        harness.file("a.txt", "plum\n");
        harness.file("b.txt", "pear\n");
        let mut agent = harness.start().await;
        let end = agent.ask("read both").await;
        assert_eq!(
            (end.exit_code, end.text.as_str()),
            (0, "A plum and a pear.")
        );
        let body = server.body(1);
        let results = newest_results(wire, &body);
        assert_eq!(results.len(), 2, "{wire:?}");
        assert!(results[0].contains("plum") && results[1].contains("pear"));
        assert!(body.to_string().contains("c2lnbmVk"), "{wire:?}: {body}");
        agent.ask("and now?").await;
        agent.stop().await;
        let log = std::fs::read_to_string(harness.session()).unwrap();
        assert!(!log.contains(KEY));
    }
}

#[tokio::test]
async fn a_broken_call_is_answered_and_the_loop_goes_on() {
    let server = Server::start(
        Wire::Responses,
        [
            Say::text("a").raw_call("x1", "read", "{\"path\": ").reply(),
            Say::text("b")
                .call("x2", "no_such_tool", &json!({}))
                .reply(),
            text("done"),
        ],
    )
    .await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    let end = agent.ask("go").await;
    assert_eq!((end.exit_code, end.text.as_str()), (0, "done"), "{end:?}");
    assert!(newest_results(Wire::Responses, &server.body(2))[1].contains("no_such_tool"));
    agent.stop().await;
}

#[tokio::test]
async fn a_prompt_that_is_too_long_is_recovered_from() {
    for wire in BOTH {
        let script = recovery(wire);
        let server = Server::start(wire, script).await;
        let harness = Harness::new(&server).without_audit();
        let mut agent = harness.start().await;
        agent.ask("first question").await;
        let end = agent.ask("second question").await;
        assert_eq!((end.exit_code, end.text.as_str()), (0, "after"), "{end:?}");
        assert_eq!((server.left(), server.seen().len()), (0, 4), "{wire:?}");
        assert!(has_no_tools(&server.body(2)), "{wire:?}");
        let again = server.body(3).to_string();
        assert!(again.contains("SUMMARISED") && again.contains("second question"));
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_paused_answer_is_sent_back_and_goes_on() {
    let paused = Say::text("So far \n").stop("pause_turn").reply();
    let server = Server::start(Wire::Anthropic, [paused, text("and the rest")]).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    let end = agent.ask("go").await;
    assert_eq!(
        (end.exit_code, end.text.as_str()),
        (0, "So far \nand the rest")
    );
    let sent = messages(&server.body(1));
    assert_eq!(
        sent.last().unwrap(),
        &("assistant".to_owned(), "So far".to_owned())
    );
    agent.stop().await;
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_kept_and_said() {
    for wire in BOTH {
        let server =
            Server::start(wire, [Reply::Cut(Say::text("half an ans")), text("whole")]).await;
        let harness = Harness::new(&server);
        let mut agent = harness.start().await;
        let end = agent.ask("go").await;
        assert_ne!(end.exit_code, 0, "{wire:?}: {end:?}");
        let log = std::fs::read_to_string(harness.session()).unwrap();
        assert!(log.contains("half an ans"), "{wire:?}");
        assert_eq!(agent.ask("again").await.text, "whole");
        agent.stop().await;
    }
}
