use serde_json::json;

use super::*;
use crate::provider::testing::{assistant, call, request, result, user};
use crate::transcript::{ModelInfo, ModelRef, ToolSchema};

fn check(text: &str, expected: &[(&str, Value)]) {
    let understood = commands::understand(text);
    let got: Vec<(&str, Value)> = understood
        .actions
        .into_iter()
        .map(|action| match action {
            OfflineAction::Call { tool, arguments } => (tool, arguments),
            OfflineAction::Help => ("help", Value::Null),
            OfflineAction::Summarise => ("summarise", Value::Null),
        })
        .collect();
    assert_eq!(got, expected, "{text}");
    assert!(
        understood.unclear.is_empty(),
        "{text}: {:?}",
        understood.unclear
    );
}

#[test]
fn the_language() {
    let read = |path: &str| ("read", json!({"path": path}));
    let shell = |command: &str| ("shell", json!({"command": command}));
    check("read src/main.rs", &[read("src/main.rs")]);
    check("Please READ `src/main.rs`.", &[read("src/main.rs")]);
    check("show me the file \"a b.txt\"", &[read("a b.txt")]);
    check("cat @Cargo.toml", &[read("Cargo.toml")]);
    check(
        "read a.rs lines 10-20",
        &[("read", json!({"path": "a.rs", "offset": 10, "limit": 11}))],
    );
    check(
        "read first 5 lines of a.rs",
        &[("read", json!({"path": "a.rs", "limit": 5}))],
    );
    check(
        "read a.rs from line 7",
        &[("read", json!({"path": "a.rs", "offset": 7}))],
    );
    check("list src", &[("list", json!({"path": "src"}))]);
    check("ls", &[("list", json!({"path": "."}))]);
    check("list the files in ..", &[("list", json!({"path": ".."}))]);
    check("search for TODO", &[("search", json!({"pattern": "TODO"}))]);
    check(
        "find \"foo and read\" in src/a",
        &[(
            "search",
            json!({"pattern": "foo and read", "path": "src/a"}),
        )],
    );
    check("grep fn main", &[("search", json!({"pattern": "fn main"}))]);
    check("run cargo check", &[shell("cargo check")]);
    check("run `cargo test -- a b`", &[shell("cargo test -- a b")]);
    check("$ ls -la | head", &[shell("ls -la | head")]);
    check("run make and sit", &[shell("make and sit")]);
    check(
        "what changed?",
        &[shell("git status --short && git diff --stat")],
    );
    check("Summarize so far", &[("summarise", Value::Null)]);
    check("help", &[("help", Value::Null)]);
    check("what can you do?", &[("help", Value::Null)]);
    check(
        "write a.md: hello: you",
        &[("write", json!({"path": "a.md", "content": "hello: you\n"}))],
    );
    check(
        "write \"hi there\" to a.md",
        &[("write", json!({"path": "a.md", "content": "hi there\n"}))],
    );
    check(
        "create a.md:\n\nread this\nthen that\n",
        &[(
            "write",
            json!({"path": "a.md", "content": "read this\nthen that\n"}),
        )],
    );
    check(
        "write a.rs:\n```rust\nfn a() {}\n```",
        &[("write", json!({"path": "a.rs", "content": "fn a() {}\n"}))],
    );
    check(
        "replace \"a b\" with 'c' in x.rs",
        &[(
            "edit",
            json!({"path": "x.rs", "old_text": "a b", "new_text": "c"}),
        )],
    );
    check(
        "read a.rs and list src, then run cargo check; search for x",
        &[
            read("a.rs"),
            ("list", json!({"path": "src"})),
            shell("cargo check"),
            ("search", json!({"pattern": "x"})),
        ],
    );
    check(
        "- read a.rs\n- list src",
        &[read("a.rs"), ("list", json!({"path": "src"}))],
    );
}

#[test]
fn what_it_does_not_understand_it_says() {
    for text in [
        "explain monads",
        "read",
        "read two files please",
        "list a b",
        "replace a",
        "漢字",
        "write x",
    ] {
        let understood = commands::understand(text);
        assert!(understood.actions.is_empty(), "{text}: {understood:?}");
        assert_eq!(understood.unclear.len(), 1, "{text}");
    }
    let mixed = commands::understand("tell me a story and read a.rs");
    assert_eq!((mixed.actions.len(), mixed.unclear.len()), (1, 1));
    assert_eq!(commands::understand("").actions.len(), 0);
}

#[test]
fn every_example_works() {
    for command in COMMANDS {
        let understood = commands::understand(command.example);
        assert_eq!(
            (understood.actions.len(), understood.unclear.len()),
            (1, 0),
            "{}",
            command.example
        );
    }
}

proptest::proptest! {
    #[test]
    fn any_message_is_survived(text in "(read|run|write|list|search for|replace| and |then|:|\n|`|\"|'|“|[a-z漢 ]{0,5}){0,12}") {
        let _ = commands::understand(&text);
    }
}

fn offline(window: Option<u64>) -> Offline {
    let known = ModelInfo {
        window_tokens: window,
        ..Catalogue::default().lookup(&ModelRef::new("offline", "plain"))
    };
    let catalogue = Catalogue::default();
    catalogue.learn(known);
    Offline::new(Arc::new(catalogue))
}

fn ask(messages: Vec<Message>) -> CompletionRequest {
    let mut request = request("offline", "plain", messages);
    let tools = ["read", "list"].map(|name| ToolSchema {
        name: name.to_owned(),
        description: String::new(),
        parameters: json!({}),
    });
    request.tools = tools.into();
    request
}

async fn run(request: CompletionRequest) -> (String, Vec<StreamEvent>) {
    let items: Vec<_> = offline(Some(32_000))
        .stream(request, CancellationToken::new())
        .collect()
        .await;
    let items: Vec<StreamEvent> = items.into_iter().map(Result::unwrap).collect();
    let text = items.iter().filter_map(|event| match event {
        StreamEvent::Text(text) => Some(text.as_str()),
        _ => None,
    });
    (text.collect(), items.clone())
}

#[tokio::test]
async fn commands_become_calls_and_results_an_account() {
    let (_, items) = run(ask(vec![user("read a.rs and list src")])).await;
    assert_eq!(items.len(), 6);
    assert_eq!(
        items[2],
        StreamEvent::ToolCallStart {
            index: 1,
            id: "offline_2".to_owned(),
            name: "list".to_owned()
        }
    );
    assert_eq!(
        items[3],
        StreamEvent::ToolCallArguments {
            index: 1,
            fragment: "{\"path\":\"src\"}".to_owned()
        }
    );
    assert_eq!(items[5], StreamEvent::Stop(StopReason::ToolUse));

    let calls = vec![
        call("offline_1", "read", json!({"path": "a.rs"})),
        call("offline_2", "list", json!({"path": "src"})),
    ];
    let long: String = (1..=20)
        .map(|n| format!("line {n}"))
        .collect::<Vec<_>>()
        .join("\n");
    let history = vec![
        user("read a.rs and list src"),
        assistant("offline", calls),
        result("offline_1", "read", &long),
        result("offline_2", "list", ""),
    ];
    let (text, items) = run(ask(history.clone())).await;
    assert!(
        text.contains("`read a.rs` answered with 20 lines")
            && text.contains("line 12\n```\n(8 more lines")
    );
    assert!(text.contains("`list src` answered with nothing."));
    assert_eq!(items.last(), Some(&StreamEvent::Stop(StopReason::Stop)));

    let mut next = history;
    next.push(user("summarise"));
    let (text, _) = run(ask(next.clone())).await;
    assert!(
        text.contains("2 messages of yours, 1 answer")
            && text.contains("list 1×, read 1×")
            && text.contains("Paths: a.rs, src.")
    );
    next.pop();
    next.push(user("read b.rs"));
    let (_, items) = run(ask(next)).await;
    assert!(matches!(&items[0], StreamEvent::ToolCallStart { id, .. } if id == "offline_3"));
}

#[tokio::test]
async fn it_is_honest() {
    let (text, _) = run(ask(vec![user("write me a poem")])).await;
    assert!(
        text.contains("not a language model")
            && text.contains("I do not understand \"write me a poem\"")
    );
    assert!(
        COMMANDS
            .iter()
            .all(|command| text.contains(command.pattern))
    );
    let (text, items) = run(ask(vec![user("run ls")])).await;
    assert!(text.contains("`shell`, which is not on offer"));
    assert_eq!(items.last(), Some(&StreamEvent::Stop(StopReason::Stop)));
    let mut short = ask(vec![user("help")]);
    short.max_output_tokens = 5;
    let (text, items) = run(short).await;
    assert!(text.len() <= 20);
    assert_eq!(items.last(), Some(&StreamEvent::Stop(StopReason::Length)));
}

#[tokio::test]
async fn usage_and_overflow_are_genuine() {
    let request = ask(vec![user(&format!("help\n{}", "x".repeat(40_000)))]);
    let bytes = offline(None).wire_body(&request).to_string().len();
    let expected = bytes.div_ceil(4) as u64;
    let ask = async |window| -> Vec<_> {
        let stream = offline(window).stream(request.clone(), CancellationToken::new());
        stream.collect::<Vec<_>>().await
    };
    let fits = ask(Some(expected)).await;
    let usage = fits.iter().find_map(|item| match item {
        Ok(StreamEvent::Usage(usage)) => Some(*usage),
        _ => None,
    });
    assert_eq!(usage.unwrap().input_tokens, expected);
    assert!(usage.unwrap().output_tokens > 0);
    assert_eq!(usage.unwrap().cost_usd, Some(0.0));
    assert!(fits == ask(Some(expected)).await, "not deterministic");
    let refused = ask(Some(expected - 1)).await;
    assert!(matches!(
        refused.as_slice(),
        [Err(ProviderError::ContextOverflow { requested_tokens: Some(r), limit_tokens: Some(l), .. })]
            if *r == expected && *l == expected - 1
    ));
    assert!(ask(None).await.first().is_some_and(Result::is_ok));
}

#[tokio::test]
async fn it_can_be_interrupted() {
    let cancel = CancellationToken::new();
    let mut stream = offline(None).stream(ask(vec![user("help")]), cancel.clone());
    assert!(stream.next().await.unwrap().is_ok());
    cancel.cancel();
    assert_eq!(stream.next().await, Some(Err(ProviderError::Cancelled)));
    assert!(stream.next().await.is_none());
}
