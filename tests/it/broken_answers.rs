//! Answers that break off, pause or fail: what is asked for again, what is kept, and what
//! the user is told, with `-p` and on a screen.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use plimsoll::agent::{AgentEvent, AnswerDelta, AnswerEvent};
use plimsoll::transcript::StopReason;
use serde_json::{Value, json};

use super::agent::Harness;
use super::program::{Program, Ran};
use super::server::{Reply, Say, Server, Wire, status, text};
use super::web::{Answer, Web, missing};

/// An event of an answer in the Anthropic format.
fn event(kind: &str, mut data: Value) -> String {
    data["type"] = json!(kind);
    format!("event: {kind}\ndata: {data}\n\n")
}

fn begun(text: &str) -> String {
    let usage = json!({"input_tokens": 1_200, "output_tokens": 3});
    let mut out = event("message_start", json!({"message": {"usage": usage}}));
    if !text.is_empty() {
        out += &event(
            "content_block_start",
            json!({"index": 0, "content_block": {"type": "text", "text": ""}}),
        );
        out += &event(
            "content_block_delta",
            json!({"index": 0, "delta": {"type": "text_delta", "text": text}}),
        );
    }
    out
}

fn ended(text: &str, stop: &str) -> Answer {
    let delta = json!({"delta": {"stop_reason": stop}, "usage": {"output_tokens": 9}});
    stream(begun(text) + &event("message_delta", delta) + &event("message_stop", json!({})))
}

fn overloaded(text: &str) -> Answer {
    let error = json!({"error": {"type": "overloaded_error", "message": "Overloaded"}});
    stream(begun(text) + &event("error", error))
}

fn stream(body: String) -> Answer {
    (200, "content-type: text/event-stream\r\n".to_owned(), body)
}

/// A server whose n-th answer is the n-th, and the last one for ever.
fn script(answers: Vec<Answer>) -> Web {
    let next = AtomicUsize::new(0);
    Web::start(move |asked| {
        if !asked.target.ends_with("/messages") {
            return missing();
        }
        let at = next.fetch_add(1, Ordering::Relaxed);
        answers[at.min(answers.len() - 1)].clone()
    })
}

fn ask(web: &Web, plim: Program, flags: &[&str]) -> (Program, Ran) {
    let plim = plim
        .with("ANTHROPIC_API_KEY", "sk-test-0123456789")
        .with("ANTHROPIC_BASE_URL", &web.base);
    let model = ["-m", "anthropic/claude-sonnet-5-5"];
    let tries = [
        "-S",
        "retry.max_attempts=2",
        "-S",
        "providers.anthropic.gateway=true",
    ];
    // What comes later counts.
    let ran = plim.run(&[&model[..], &tries, flags, &["-p", "a question"]].concat());
    (plim, ran)
}

#[test]
fn an_answer_that_paused_is_printed_whole() {
    let answers = vec![
        ended("I look it up.", "pause_turn"),
        ended("It is forty-two.", "end_turn"),
    ];
    let (_, ran) = ask(&script(answers.clone()), Program::new(), &[]);
    assert_eq!(ran.out, "I look it up.\nIt is forty-two.\n", "{ran:?}");
    let json = ["--output-format", "json"];
    let (_, ran) = ask(&script(answers), Program::new(), &json);
    assert_eq!(ran.json()["text"], "I look it up.\nIt is forty-two.");
}

#[test]
fn an_answer_that_only_ever_pauses_is_not_passed_off_as_whole() {
    let web = script(vec![ended("More.", "pause_turn")]);
    let (_, ran) = ask(&web, Program::new(), &[]);
    assert_eq!(ran.out.lines().count(), 9, "{ran:?}");
    let told = "the answer paused 9 times and is not complete";
    assert!(ran.err.contains(told), "{ran:?}");
}

#[test]
fn an_empty_answer_is_called_empty() {
    for nothing in ["", " \n "] {
        let web = script(vec![ended(nothing, "end_turn")]);
        let (_, ran) = ask(&web, Program::new(), &[]);
        assert_eq!((ran.code, ran.out.trim()), (0, ""), "{ran:?}");
        assert!(ran.err.contains("the model's answer is empty"), "{ran:?}");
    }
}

/// Some servers cannot stream; asking them again and again costs the same answer each time.
#[test]
fn an_answer_in_one_piece_is_read_like_a_stream() {
    let chat = json!({
        "choices": [{"message": {"content": "All of it."}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 12, "completion_tokens": 3},
        "error": null,
    });
    let gemini = json!({
        "candidates": [{"content": {"parts": [{"text": "All of it."}]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 12, "candidatesTokenCount": 3},
    });
    let rows = [
        ("openai/test", "/v1", chat),
        ("gemini/gemini-2.5-pro", "/v1beta", gemini),
    ];
    for (model, path, whole) in rows {
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let web = Web::start(move |request| {
            let answers = ["/completions", ":stream"];
            if !answers.iter().any(|part| request.target.contains(part)) {
                return missing();
            }
            count.fetch_add(1, Ordering::Relaxed);
            let head = "content-type: application/json\r\n".to_owned();
            (200, head, whole.to_string())
        });
        let plim = Program::new().with("GEMINI_API_KEY", "sk-test-0123456789");
        let base = format!("{}{path}", web.base);
        let shape = ["-p", "go", "--output-format", "json"];
        let ran = plim.run(&[&["--base-url", &base, "-m", model][..], &shape].concat());
        let said = ran.json();
        assert_eq!(said["text"], "All of it.", "{ran:?}");
        let usage = (&said["usage"]["input"], &said["usage"]["output"]);
        assert_eq!(usage, (&json!(12), &json!(3)), "{ran:?}");
        assert_eq!(asked.load(Ordering::Relaxed), 1, "{ran:?}");
    }
}

#[test]
fn a_broken_answer_is_asked_for_again_when_nobody_has_seen_it() {
    let answers = vec![overloaded("Half an ans"), ended("All of it.", "end_turn")];
    let web = script(answers.clone());
    let (plim, ran) = ask(&web, Program::new(), &[]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "All of it.\n"), "{ran:?}");
    assert!(ran.err.contains("Overloaded; trying again in"), "{ran:?}");
    assert!(ran.err.contains("(attempt 2 of 2)"), "{ran:?}");
    let log = std::fs::read_to_string(plim.session()).unwrap();
    assert!(!log.contains("Half an ans"), "{log}");
    // In a stream it has been seen.
    let stream = ["--output-format", "stream-json"];
    let (_, ran) = ask(&script(answers), Program::new(), &stream);
    let lines = ran.lines();
    assert!(
        lines.iter().all(|line| line["type"] != "retrying"),
        "{ran:?}"
    );
    assert_eq!(lines.last().unwrap()["text"], "Half an ans");
    assert_eq!(ran.code, 1);
}

#[test]
fn what_arrived_of_a_failed_answer_is_printed_with_its_price_and_its_error() {
    let web = script(vec![stream(begun("Half an ans"))]);
    let (plim, ran) = ask(&web, Program::new(), &[]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (1, "Half an ans\n"),
        "{ran:?}"
    );
    let told: Vec<&str> = ran.err.lines().collect();
    let [_retry, error, hint] = told[..] else {
        panic!("{ran:?}");
    };
    let sentence = "the connection ended before the answer was complete";
    assert_eq!(error, format!("plim: network error: {sentence}"));
    assert!(
        hint.contains("the partial answer is kept; continue with: plim -c -p \"continue\""),
        "{ran:?}"
    );
    let log = std::fs::read_to_string(plim.session()).unwrap();
    assert_eq!(log.matches("Half an ans").count(), 1, "once: {log}");

    let json = ["--output-format", "json"];
    let (_, ran) = ask(&web, Program::new(), &json);
    let result = ran.json();
    assert_eq!(result["text"], "Half an ans");
    assert_eq!(result["stop_reason"], "error");
    assert_eq!((ran.code, &result["exit_code"]), (1, &json!(1)));
    // Both tries were paid for.
    assert_eq!(result["usage"]["input"], 2 * 1_200);
    assert!(result["cost"].as_f64().unwrap() > 0.0, "{result}");
    assert_eq!(result["error"]["kind"], "network");
    let kept = ["--no-session"];
    let (_, ran) = ask(&web, Program::new(), &kept);
    assert!(ran.err.contains("nothing was kept"), "{ran:?}");
}

#[test]
fn an_error_says_what_happened_what_was_kept_and_what_to_do() {
    let refusal = |status: u16, kind: &str| {
        let body = json!({"type": "error", "error": {"type": kind, "message": "model: the words"}});
        let head = "content-type: application/json\r\n".to_owned();
        (status, head, body.to_string())
    };
    let cases = [
        (401, "authentication_error", 3, "unauthorized", "--offline"),
        (
            403,
            "permission_error",
            3,
            "permission_denied",
            "another model",
        ),
        (404, "not_found_error", 3, "model_not_found", "plim models"),
        (402, "billing_error", 3, "payment_required", "balance"),
        (
            400,
            "invalid_request_error",
            1,
            "invalid_request",
            "plim request",
        ),
        (
            429,
            "rate_limit_error",
            1,
            "rate_limited",
            "fallback_models",
        ),
        (500, "api_error", 1, "overloaded", "wait and try again"),
        (
            529,
            "overloaded_error",
            1,
            "overloaded",
            "wait and try again",
        ),
    ];
    for (status, name, code, kind, advice) in cases {
        let web = script(vec![refusal(status, name)]);
        let flags = ["--output-format", "json", "-S", "retry.max_attempts=1"];
        let (plim, ran) = ask(&web, Program::new(), &flags);
        let error = &ran.json()["error"];
        assert_eq!(
            (ran.code, error["kind"].as_str()),
            (code, Some(kind)),
            "{ran:?}"
        );
        let hint = error["hint"].as_str().unwrap();
        assert!(hint.contains(advice), "{status}: {hint}");
        assert!(
            hint.contains("your message is kept; continue with: plim -c -p"),
            "{hint}"
        );
        assert!(error["message"].as_str().unwrap().contains("the words"));
        let log = std::fs::read_to_string(plim.session()).unwrap();
        assert!(log.contains("a question"), "{log}");
    }
}

#[test]
fn an_own_command_attaches_the_image_that_it_is_given() {
    let web = script(vec![ended("A picture.", "end_turn")]);
    let plim = Program::new()
        .with("ANTHROPIC_API_KEY", "sk-test-0123456789")
        .with("ANTHROPIC_BASE_URL", &web.base);
    std::fs::write(plim.dir().join("a.png"), b"\x89PNG....").unwrap();
    let folder = plim.dir().join(".plimsoll/commands");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("look.md"), "Describe $ARGUMENTS").unwrap();
    for prompt in ["/look @a.png", "Describe @a.png"] {
        let model = "anthropic/claude-sonnet-5-5";
        let ran = plim.run(&["-m", model, "-p", "--output-format", "json", prompt]);
        assert_eq!(ran.json()["text"], "A picture.", "{ran:?}");
        let body = web.asked().last().unwrap().body.clone();
        assert!(body.contains("image/png"), "{prompt}: {body}");
        assert!(body.contains("Describe"), "{prompt}: {body}");
    }
    let ran = plim.run(&["-m", "anthropic/claude-sonnet-5-5", "-p", "See @b.png"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.err.contains("sent as text instead"), "{ran:?}");
}

fn deltas(events: &[AgentEvent]) -> usize {
    let is_text = |it: &&AgentEvent| {
        matches!(
            it,
            AgentEvent::Stream(AnswerEvent::Delta(AnswerDelta::Text(_)))
        )
    };
    events.iter().filter(is_text).count()
}

/// Behind a screen the first word decides.
#[tokio::test]
async fn an_error_before_the_first_word_is_tried_again_and_one_after_it_is_kept() {
    let begun = status(529, "overloaded_error", "Overloaded");
    let tries: [(Reply, bool); 5] = [
        (begun, true),
        (Reply::Cut(Say::default()), true),
        (Reply::Cut(Say::text(" \n")), true),
        (Reply::Cut(Say::text("Half an ans")), false),
        (Reply::Cut(Say::default().thinking("Hm", "s")), false),
    ];
    for (broken, is_tried_again) in tries {
        let name = format!("{broken:?}");
        let server = Server::start(Wire::Anthropic, [broken, text("All of it.")]).await;
        let harness = Harness::new(&server).set(|s| s.agent.network.retry_max_attempts = 3);
        let mut agent = harness.start().await;
        let end = agent.ask("a question").await;
        let counted_down = agent.named(|event| match event {
            AgentEvent::Stream(AnswerEvent::Retrying { attempt: 2, .. }) => Some("retrying"),
            _ => None,
        });
        assert_eq!(!counted_down.is_empty(), is_tried_again, "{name}");
        if is_tried_again {
            assert_eq!(
                (end.exit_code, end.text.as_str()),
                (0, "All of it."),
                "{name}"
            );
        } else {
            assert_eq!((end.exit_code, end.stop), (1, StopReason::Error), "{name}");
            assert_eq!(end.error_kind, Some("network"), "{name}");
            assert!(
                end.error.unwrap().hint.unwrap().contains("continue"),
                "{name}"
            );
            let log = harness.log();
            let last = log.iter().rfind(|it| it["message"]["role"] == "assistant");
            assert_eq!(last.unwrap()["message"]["stopReason"], "error", "{name}");
        }
        agent.stop().await;
    }
}

/// Where answers are shown when they are whole, a word is nothing yet; and what arrived of
/// the last try that said something is kept, also when the wait is stopped.
#[tokio::test]
async fn without_a_reader_a_half_answer_is_tried_again_and_the_newest_half_is_kept() {
    let dead = || status(529, "overloaded_error", "Overloaded");
    let replies = [Reply::Cut(Say::text("Half an ans")), dead(), dead()];
    let server = Server::start(Wire::Anthropic, replies).await;
    let mut harness = Harness::new(&server).set(|s| s.agent.network.retry_max_attempts = 3);
    harness.setup.is_watched = false;
    let mut agent = harness.start().await;
    let end = agent.ask("a question").await;
    assert_eq!((end.exit_code, end.text.as_str()), (1, "Half an ans"));
    assert_eq!(end.error_kind, Some("overloaded"));
    assert_eq!(server.seen().len(), 3);
    assert!(deltas(&agent.events) > 0);
    let log = format!("{:?}", harness.log());
    assert_eq!(log.matches("Half an ans").count(), 1, "{log}");
    agent.stop().await;
}

/// Whoever goes on for another model must not find half of its sentence.
#[test]
fn a_fallback_model_begins_anew() {
    let web = script(vec![
        overloaded("Half an ans"),
        ended("All of it.", "end_turn"),
    ]);
    let other = r#"fallback_models=["anthropic/claude-haiku-5-5"]"#;
    let flags = ["-S", "retry.max_attempts=1", "-S", other];
    let (plim, ran) = ask(&web, Program::new(), &flags);
    assert_eq!((ran.code, ran.out.as_str()), (0, "All of it.\n"), "{ran:?}");
    assert!(
        ran.err.contains("switched to anthropic/claude-haiku-5-5"),
        "{ran:?}"
    );
    let body = web.asked().last().unwrap().body.clone();
    assert!(!body.contains("Half an ans"), "{body}");
    let log = std::fs::read_to_string(plim.session()).unwrap();
    assert!(!log.contains("Half an ans"), "{log}");
    // Text that has been seen does not change.
    let web = script(vec![
        overloaded("Half an ans"),
        ended("All of it.", "end_turn"),
    ]);
    let stream = ["--output-format", "stream-json"];
    let (_, ran) = ask(&web, Program::new(), &[&flags[..], &stream].concat());
    assert_eq!(ran.lines().last().unwrap()["text"], "Half an ans");
    assert_eq!(ran.code, 1, "{ran:?}");
}

/// It was said and paid for: asking again would only cost twice.
#[tokio::test]
async fn a_whole_answer_is_kept_when_the_connection_breaks_behind_it() {
    for rest in ["", "data: {\"choices\": [], \"usa"] {
        let chunk = json!({"choices": [{"index": 0, "delta": {"content": "all of it"},
            "finish_reason": "stop"}], "usage": {"prompt_tokens": 9, "completion_tokens": 3}});
        // More is announced than comes.
        let bytes = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 99999\r\n\r\n\
             data: {chunk}\n\n{rest}"
        );
        let server = Server::start(Wire::OpenAi, [Reply::Raw(bytes.into_bytes())]).await;
        let harness = Harness::new(&server);
        let mut agent = harness.start().await;
        let end = agent.ask("go").await;
        assert_eq!(
            (end.exit_code, end.text.as_str()),
            (0, "all of it"),
            "{end:?}"
        );
        assert_eq!((end.stop, server.seen().len()), (StopReason::Stop, 1));
        agent.stop().await;
    }
}
