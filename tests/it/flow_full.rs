//! Windows that are full without an error: what was said is kept and called what it is,
//! and room is made before it goes on.

use plimsoll::agent::{AgentEvent, CompactionEvent, ContextEvent, TurnEvent};
use plimsoll::transcript::{ModelRef, StopReason};
use serde_json::{Value, json};

use super::agent::{Agent, Harness};
use super::flow_overflow::SUMMARY;
use super::server::{Reply, STREAM_HEAD, Say, Server, Wire, text};

fn raw(events: &[Value]) -> Reply {
    let lines = events.iter().map(|event| format!("data: {event}\n\n"));
    Reply::Raw(format!("{STREAM_HEAD}{}", lines.collect::<String>()).into_bytes())
}

/// An answer that ends for length in the words of each protocol. `said` may be empty.
fn cut_off(wire: Wire, said: &str, prompt: u64, output: u64) -> Reply {
    match wire {
        Wire::Anthropic => raw(&[
            json!({"type": "message_start", "message": {"usage": {"input_tokens": prompt, "output_tokens": 0}}}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": said}}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "delta": {"stop_reason": "max_tokens"}, "usage": {"output_tokens": output}}),
            json!({"type": "message_stop"}),
        ]),
        Wire::OpenAi => raw(&[
            json!({"choices": [{"index": 0, "delta": {"content": said}, "finish_reason": "length"}]}),
            json!({"choices": [], "usage": {"prompt_tokens": prompt, "completion_tokens": output}}),
        ]),
        Wire::Responses => raw(&[
            json!({"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": said}),
            json!({"type": "response.incomplete", "response": {"incomplete_details": {"reason": "max_output_tokens"},
                "usage": {"input_tokens": prompt, "output_tokens": output}}}),
        ]),
        Wire::Gemini => raw(&[
            json!({"candidates": [{"content": {"role": "model", "parts": [{"text": said}]}, "finishReason": "MAX_TOKENS"}],
                "usageMetadata": {"promptTokenCount": prompt, "candidatesTokenCount": output}}),
        ]),
    }
}

/// The window of the models that the tests talk to. A few words cannot fill a larger one,
/// whatever a server says.
const WINDOW: u64 = 24_000;

const WIRES: [Wire; 4] = [Wire::Anthropic, Wire::OpenAi, Wire::Responses, Wire::Gemini];

fn notices(agent: &Agent) -> Vec<String> {
    let notices = agent.events.iter().filter_map(|event| match event {
        AgentEvent::Notice(notice) => Some(notice.text.clone()),
        _ => None,
    });
    notices.collect()
}

fn steps(event: &AgentEvent) -> Option<&'static str> {
    match event {
        AgentEvent::Context(ContextEvent::Overflow { .. }) => Some("overflow"),
        AgentEvent::Compaction(CompactionEvent::Applied { .. }) => Some("applied"),
        AgentEvent::Turn(TurnEvent::Finished(_)) => Some("end"),
        _ => None,
    }
}

/// A window of the user's, and a model of which no table says another one.
fn narrow(server: &Server) -> Harness {
    let harness = Harness::new(server).window(WINDOW).without_audit();
    harness.set(|s| {
        let provider = s
            .agent
            .model
            .take()
            .map_or(String::new(), |model| model.provider);
        s.agent.model = Some(ModelRef::new(provider, "of-nobody"));
    })
}

/// Two turns; the second is answered by `reply`, then room is made, then `then` comes.
async fn second_turn(wire: Wire, reply: Reply, then: [Reply; 2]) -> (Server, Agent, Harness) {
    let script = [text("first answer"), reply].into_iter().chain(then);
    let server = Server::start(wire, script).await;
    let harness = narrow(&server);
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    (server, agent, harness)
}

#[tokio::test]
async fn an_answer_that_the_window_cut_off_is_kept_and_called_so() {
    let said = |wire, reason| {
        let reply = Say::text("half an answ").stop(reason).reply();
        (wire, reply)
    };
    let full = |wire: Wire| (wire, cut_off(wire, "half an answ", WINDOW - 500, 500));
    let named = [
        said(Wire::Anthropic, "model_context_window_exceeded"),
        said(Wire::OpenAi, "model_length"),
        said(Wire::Responses, "max_context_length"),
    ];
    for (wire, reply) in named.into_iter().chain(WIRES.map(full)) {
        let then = [text(SUMMARY), text("the rest")];
        let (server, mut agent, harness) = second_turn(wire, reply, then).await;
        let end = agent.ask("second question").await;
        assert_eq!(end.stop, StopReason::Length, "{wire:?}");
        assert_eq!((end.exit_code, end.text.as_str()), (0, "half an answ"));
        let told = notices(&agent);
        assert!(
            told.iter()
                .any(|text| text.contains("the context window is full")),
            "{wire:?}: {told:?}"
        );
        assert!(!told.iter().any(|text| text.contains("output limit")));
        assert_eq!(agent.named(steps), ["end", "applied", "end"], "{wire:?}");
        let end = agent.ask("go on").await;
        assert_eq!(end.text, "the rest");
        let sent = server.body(3).to_string();
        assert!(
            sent.contains("SUMMARISED") && sent.contains("go on"),
            "{sent}"
        );
        let log = harness.log();
        assert!(
            log.iter()
                .any(|line| line.to_string().contains("half an answ"))
        );
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_length_stop_without_a_word_at_the_windows_end_is_an_overflow() {
    for wire in WIRES {
        let reply = cut_off(wire, "", WINDOW * 99 / 100 + 1, 0);
        let then = [text(SUMMARY), text("after")];
        let (server, mut agent, _harness) = second_turn(wire, reply, then).await;
        let end = agent.ask("second question").await;
        assert_eq!(
            (end.exit_code, end.text.as_str()),
            (0, "after"),
            "{wire:?}: {end:?}"
        );
        assert_eq!(
            agent.named(steps),
            ["end", "overflow", "applied", "end"],
            "{wire:?}"
        );
        let sent = server.body(3).to_string();
        assert_eq!(
            sent.matches("second question").count(),
            1,
            "{wire:?}: {sent}"
        );
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_prompt_that_is_longer_than_the_window_and_answered_all_the_same_is_compacted_after() {
    for wire in WIRES {
        let reply = Say::text("a whole answer").usage(WINDOW + 1_000).reply();
        let then = [text(SUMMARY), text("after")];
        let (server, mut agent, _harness) = second_turn(wire, reply, then).await;
        let end = agent.ask("second question").await;
        assert_eq!(end.stop, StopReason::Stop, "{wire:?}");
        assert_eq!((end.exit_code, end.text.as_str()), (0, "a whole answer"));
        agent.ask("third question").await;
        let sent = server.body(3).to_string();
        assert!(
            sent.contains("SUMMARISED") && sent.contains("third question"),
            "{sent}"
        );
        assert!(!notices(&agent).iter().any(|text| text.contains("cut off")));
        agent.stop().await;
    }
}

/// Reasoning that fills the window is not an answer: room is made and the question asked again.
#[tokio::test]
async fn reasoning_that_fills_the_window_is_an_overflow() {
    let full = Say::text("")
        .thinking("long thoughts", "sig")
        .stop("model_context_window_exceeded")
        .reply();
    let then = [text(SUMMARY), text("after")];
    let (server, mut agent, _harness) = second_turn(Wire::Anthropic, full, then).await;
    let end = agent.ask("second question").await;
    assert_eq!((end.exit_code, end.text.as_str()), (0, "after"), "{end:?}");
    let sent = server.body(3).to_string();
    assert_eq!(sent.matches("second question").count(), 1, "{sent}");
    assert!(!server.body(3).to_string().contains("long thoughts"));
    agent.stop().await;
}

/// A length stop far from the window is the output limit, as before.
#[tokio::test]
async fn a_length_stop_far_from_the_window_is_the_output_limit() {
    for wire in WIRES {
        let server = Server::start(wire, [cut_off(wire, "half", 900, 100)]).await;
        let mut agent = Harness::new(&server).start().await;
        let end = agent.ask("question").await;
        assert_eq!(end.stop, StopReason::Length);
        assert!(
            notices(&agent)
                .iter()
                .any(|text| text.contains("output limit"))
        );
        agent.stop().await;
    }
}

/// A number that no prompt of a few words can have raises no alarm.
#[tokio::test]
async fn a_count_that_cannot_be_right_fills_no_window() {
    for wire in WIRES {
        let absurd = Say::text("a whole answer").usage(WINDOW * 4).reply();
        let (server, mut agent, _harness) =
            second_turn(wire, absurd, [text("after"), text("unasked")]).await;
        agent.ask("second question").await;
        agent.ask("third question").await;
        assert_eq!(agent.named(steps), ["end", "end", "end"], "{wire:?}");
        assert_eq!(server.left(), 1);
        agent.stop().await;
    }
}

/// Nobody else says how large the window of a model is that is in no table.
#[tokio::test]
async fn a_window_of_the_users_is_full_as_well() {
    let script = [
        text("first answer"),
        cut_off(Wire::OpenAi, "half", WINDOW - 1_000, 1_000),
        text(SUMMARY),
    ];
    let server = Server::start(Wire::OpenAi, script).await;
    let harness = narrow(&server);
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    agent.ask("second question").await;
    let told = notices(&agent);
    assert!(
        told.iter().any(|text| text.contains("window is full")),
        "{told:?}"
    );
    agent.stop().await;
}

/// The margin is for what nobody counted: a measured conversation leaves all of its room.
#[tokio::test]
async fn room_for_the_answer_is_held_back_beside_what_is_estimated_only() {
    let counted = |tokens| Say::text("fine").usage(tokens).reply();
    let server = Server::start(Wire::OpenAi, [counted(29_000), counted(29_040)]).await;
    let mut agent = Harness::new(&server).window(40_000).start().await;
    agent.ask(&"word".repeat(8_000)).await;
    agent.ask("second question").await;
    let asked = server.body(1)["max_tokens"].as_u64().unwrap();
    // 29,010 are counted, the question is some ten tokens.
    assert!((10_850..10_990).contains(&asked), "{asked}");
    agent.stop().await;
}
