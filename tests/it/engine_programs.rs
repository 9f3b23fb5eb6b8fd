//! Engine programs of the user's: the example keeps the contract, and whatever else a program
//! does costs a notice and nothing else.

use plimsoll::agent::{AgentEvent, EngineState, Op, Query, QueryReply};

use super::agent::{Agent, Harness, joined};
use super::program::Program;
use super::server::{Server, Wire, text};

/// The example engine, from any folder.
pub const EXAMPLE: &str = concat!(
    "python3 ",
    env!("CARGO_MANIFEST_DIR"),
    "/assets/engines/topic_window.py"
);

/// As long as an answer takes on a busy machine.
const PATIENT_MS: u64 = 10_000;

/// A program that behaves until it is asked for a choice.
const ODD_PROGRAM: &str = r#"
import json, os, sys
mode = sys.argv[1]
for line in sys.stdin:
    request = json.loads(line)
    result = {"protocol": 1, "name": mode, "owns_compaction": True}
    if request["method"] == "assemble":
        groups = request["params"]["groups"]
        first = groups[0]["id"] if groups else None
        if mode == "hang":
            sys.stdin.read()
        elif mode == "not json":
            print("Traceback (most recent call last):", flush=True)
        elif mode == "dies":
            sys.exit(3)
        elif mode == "flood":
            while True:
                print(json.dumps({"jsonrpc": "2.0", "id": -1, "result": {}}), flush=True)
        elif mode == "long line":
            while True:
                print("x" * 65536, end="")
        elif mode == "lie":
            result = {"leave_out": [{"from": "nowhere", "to": first or "nobody", "reason": "a lie"}]}
        elif mode == "keys":
            seen = ",".join(sorted(name for name in os.environ if "KEY" in name))
            result = {"note": f"[keys: {seen}]"}
        elif groups:
            result = {"leave_out": [{"from": first, "to": first, "reason": "greedy"}]}
        else:
            result = {}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
"#;

pub async fn listed(agent: &mut Agent) -> Vec<(String, EngineState)> {
    agent.send(Op::query(Query::Engines)).await;
    let reply = agent
        .until(|event| {
            matches!(
                event,
                AgentEvent::Reply {
                    reply: QueryReply::Engines(_),
                    ..
                }
            )
        })
        .await;
    match reply {
        AgentEvent::Reply {
            reply: QueryReply::Engines(engines),
            ..
        } => engines
            .into_iter()
            .map(|engine| (engine.id.to_owned(), engine.state))
            .collect(),
        _ => unreachable!(),
    }
}

/// How a conversation with a program of this kind goes: what was sent, and the program's state.
async fn chat(mode: &str, limit_ms: u64) -> (String, EngineState, Vec<String>) {
    let server = Server::start(Wire::OpenAi, (0..4).map(|_| text("fine"))).await;
    let harness = Harness::new(&server).set(|settings| {
        "process".clone_into(&mut settings.agent.engine.id);
        settings.agent.engine.limit_ms = limit_ms;
    });
    harness.file("odd.py", ODD_PROGRAM);
    let harness = harness.set(|settings| {
        settings.agent.engine.command = Some(format!("exec python3 odd.py '{mode}'"));
    });
    let mut agent = harness.start().await;
    agent.ask("first").await;
    agent.ask("second").await;
    let end = agent.ask("third").await;
    assert!(end.error.is_none(), "{mode}: {end:?}");
    let states = listed(&mut agent).await;
    let (_, state) = states.into_iter().find(|(id, _)| id == "process").unwrap();
    let events = agent.stop().await;
    let notices = events.iter().filter_map(|event| match event {
        AgentEvent::Notice(notice) if notice.text.contains("context engine") => {
            Some(notice.text.clone())
        }
        _ => None,
    });
    (joined(&server.body(2)), state, notices.collect())
}

#[tokio::test]
async fn a_program_that_hangs_lies_dies_or_floods_costs_a_notice_and_nothing_else() {
    // Nobody waits longer than this for the one that hangs; the others answer at once.
    for (mode, why) in [
        ("hang", "late twice"),
        ("lie", "a group that is not there"),
        ("not json", "not a JSON object"),
        ("flood", "lines and no answer"),
        ("greedy", "has to be sent"),
    ] {
        let limit_ms = if mode == "hang" { 250 } else { PATIENT_MS };
        let (sent, state, notices) = chat(mode, limit_ms).await;
        for said in ["first", "second", "third", "fine"] {
            assert!(sent.contains(said), "{mode}: {sent}");
        }
        assert!(
            matches!(&state, EngineState::SetAside(found) if found.contains(why)),
            "{mode}: {state:?}"
        );
        assert!((1..=2).contains(&notices.len()), "{mode}: {notices:?}");
    }
    // One that ends is started again before it is given up.
    for mode in ["dies", "long line"] {
        let (sent, _, notices) = chat(mode, PATIENT_MS).await;
        assert!(
            sent.contains("first") && sent.contains("third"),
            "{mode}: {sent}"
        );
        assert!(notices[0].contains("ended"), "{mode}: {notices:?}");
    }
}

#[tokio::test]
async fn a_program_gets_no_keys() {
    let (sent, state, notices) = chat("keys", PATIENT_MS).await;
    assert!(sent.contains("[keys: ]"), "{sent}");
    assert_eq!((state, notices.len()), (EngineState::InCharge, 0));
}

#[tokio::test]
async fn programs_that_cannot_begin_are_set_aside_at_once() {
    for (command, why) in [
        ("exit 3", "ended"),
        ("echo hello; cat > /dev/null", "not a JSON object"),
        ("yes", "not a JSON object"),
        ("cat > /dev/null; true", "it took"),
        (
            "read line; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocol\":9}}'; cat > /dev/null",
            "version 9",
        ),
    ] {
        let server = Server::start(Wire::OpenAi, [text("fine")]).await;
        let harness = Harness::new(&server).set(|settings| {
            settings.agent.engine.id = "process".to_owned();
            settings.agent.engine.limit_ms = if why == "it took" { 50 } else { PATIENT_MS };
            settings.agent.engine.command = Some(command.to_owned());
        });
        let mut agent = harness.start().await;
        assert!(agent.ask("hello").await.error.is_none(), "{command}");
        let states = listed(&mut agent).await;
        let (_, state) = states.into_iter().find(|(id, _)| id == "process").unwrap();
        assert!(
            matches!(&state, EngineState::SetAside(found) if found.contains(why)),
            "{command}: {state:?}"
        );
        agent.stop().await;
    }
}

#[test]
fn the_example_passes_the_check_and_a_liar_does_not() {
    let plim = Program::new();
    let ran = plim.run(&["engine", "check", EXAMPLE]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("all 10 trials passed"), "{ran:?}");
    let ran = plim.run(&["engine", "check", "--json", "echo nothing; cat > /dev/null"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["passed"], false);
    assert!(
        report["trials"][0]["fault"]
            .as_str()
            .unwrap()
            .contains("not a JSON object")
    );
    let ran = plim.run(&["engine", "schema"]);
    let schema: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert!(schema["$defs"]["assemble_result"].is_object());
}

#[test]
fn a_project_cannot_name_the_program() {
    let plim = Program::new();
    let folder = plim.dir().join(".plimsoll");
    std::fs::create_dir_all(&folder).unwrap();
    let mark = plim.dir().join("ran");
    let config = format!(
        "[context]\nengine = \"process\"\nengine_command = \"touch {}; exit 1\"\n",
        mark.display()
    );
    std::fs::write(folder.join("config.toml"), config).unwrap();
    let dir = plim.dir().display().to_string();
    let trusted = format!("trusted_dirs=[\"{dir}\"]");
    plim.run(&["--offline", "-S", &trusted, "-p", "hello"]);
    assert!(!mark.exists());
}
