//! What an engine program may do beside choosing: say where a compaction cuts and write the
//! summary, hear of entries, turns and sub-agents, and tell a sub-agent something.

use plimsoll::agent::{
    AgentEvent, CompactOptions, CompactionEvent, ContextOp, EngineState, Op, ReviewDecision,
};
use serde_json::{Value, json};

use super::agent::{Agent, Harness, joined};
use super::flow_overflow::SUMMARY;
use super::server::{Say, Server, Wire, text};

/// As long as an answer takes on a busy machine.
const PATIENT_MS: u64 = 10_000;

/// Writes down what it hears, and answers as its mode says.
const PROGRAM: &str = r#"
import json, sys
mode = sys.argv[1]
heard = open("heard.jsonl", "a")
ids = []
for line in sys.stdin:
    request = json.loads(line)
    method, params = request["method"], request["params"]
    if method not in ("initialize", "assemble"):
        print(json.dumps([method, params]), file=heard, flush=True)
    if "id" not in request:
        continue
    result = {}
    if method == "initialize":
        calls = ["plan_shrink", "shrink", "ingest", "after_turn", "prepare_subagent", "subagent_ended"]
        result = {"protocol": 1, "name": mode, "calls": [] if mode == "deaf" else calls}
    elif method == "assemble":
        del ids[params["unchanged"]:]
        ids.extend(group["id"] for group in params["groups"])
    elif method == "plan_shrink":
        if mode == "liar":
            result = {"keep_from": "nowhere", "reason": "a lie"}
        elif mode == "silent":
            result = {"keep_from": ids[-2]}
        else:
            result = {"keep_from": ids[-2], "reason": "the last question stays", "has_summary": mode == "writer"}
    elif method == "shrink":
        if mode == "writer":
            result = {"summary": sys.argv[2]}
        elif mode == "unwilling":
            result = {"nothing": "not on a Monday"}
        else:
            result = {"instructions": "keep every port"}
    elif method == "prepare_subagent":
        result = {"note": "[The parser is in src/parse.rs.]"}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
"#;

async fn start(server: &Server, mode: &str) -> (Harness, Agent) {
    let harness = Harness::new(server)
        .wordy()
        .without_audit()
        .with_tool("task")
        .set(|settings| {
            "process".clone_into(&mut settings.agent.engine.id);
            settings.agent.engine.limit_ms = PATIENT_MS;
        });
    harness.file("program.py", PROGRAM);
    let summary = SUMMARY.replace('\n', "\\n");
    let command = format!("exec python3 program.py {mode} \"$(printf '{summary}')\"");
    let harness = harness.set(|settings| settings.agent.engine.command = Some(command));
    let agent = harness.start().await;
    (harness, agent)
}

/// What the program heard of a method.
fn heard(harness: &Harness, method: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(harness.dir.path().join("work/heard.jsonl"));
    let text = text.unwrap_or_default();
    // The last line may be half written.
    let lines = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines
        .filter(|line| line[0] == method)
        .map(|line| line[1].clone())
        .collect()
}

/// Whether the program heard that a turn ended after a sub-agent did: its caller's.
fn hears_of_callers_turn(harness: &Harness) -> bool {
    let text = std::fs::read_to_string(harness.dir.path().join("work/heard.jsonl"));
    let text = text.unwrap_or_default();
    let ended = text.split_once("\"subagent_ended\"");
    ended.is_some_and(|(_, after)| after.contains("\"after_turn\"") && after.ends_with('\n'))
}

/// Five turns, then `/compact --yes`; gives how it ended.
async fn compacted(server: &Server, mode: &str) -> (Harness, Agent, Vec<String>) {
    let (harness, mut agent) = start(server, mode).await;
    for n in 0..5 {
        agent.ask(&format!("question {n}")).await;
    }
    agent.compact(None, true).await;
    agent.ask("go on").await;
    let mut said: Vec<String> = Vec::new();
    for event in &agent.events {
        match event {
            AgentEvent::Compaction(CompactionEvent::Applied { compaction, .. }) => {
                said.push(format!("applied by {}", compaction.details.model));
            }
            AgentEvent::Notice(notice) => said.push(notice.text.clone()),
            _ => {}
        }
    }
    (harness, agent, said)
}

fn script() -> Vec<super::server::Reply> {
    let mut script: Vec<_> = (0..5).map(|n| text(format!("answer {n}"))).collect();
    script.extend([text(SUMMARY), text("next"), text("more")]);
    script
}

#[tokio::test]
async fn a_program_says_where_a_compaction_cuts_and_what_the_writer_heeds() {
    let server = Server::start(Wire::Anthropic, script()).await;
    let (harness, agent, said) = compacted(&server, "planner").await;
    let asked = server.body(5).to_string();
    assert!(asked.contains("keep every port"), "{asked}");
    let after = joined(&server.body(6));
    assert!(after.contains("SUMMARISED talk"), "{after}");
    assert!(
        after.contains("question 4") && !after.contains("question 3"),
        "{after}"
    );
    let plan = &heard(&harness, "plan_shrink")[0];
    assert_eq!(plan["reason"], "manual");
    assert!(
        plan["keep_from"].is_string(),
        "what the settings would keep: {plan}"
    );
    assert!(
        said.iter().any(|it| it.starts_with("applied by ")),
        "{said:?}"
    );
    agent.stop().await;
}

/// The plan, the review and the log name the reason of the program that chose the cut; where
/// the settings choose, there is none.
#[tokio::test]
async fn the_reason_for_a_cut_stands_in_the_plan_the_review_and_the_log() {
    for (mode, expected) in [("planner", Some("the last question stays")), ("deaf", None)] {
        let server = Server::start(Wire::Anthropic, script()).await;
        let (harness, mut agent) = start(&server, mode).await;
        for n in 0..5 {
            agent.ask(&format!("question {n}")).await;
        }
        let label = expected.map(|why| format!("cut chosen by engine process: {why}"));
        let options = CompactOptions {
            force: true,
            ..CompactOptions::default()
        };
        let plan = agent.planned(options).await;
        assert_eq!(plan.cut_label(), label, "{mode}");
        let json = plimsoll::headless::planned_json(&plan);
        assert_eq!(json["engine_reason"], json!(expected), "{mode}");
        let options = CompactOptions {
            force: true,
            ..CompactOptions::default()
        };
        agent.send(Op::Context(ContextOp::Compact(options))).await;
        let shown = agent
            .until(|event| matches!(event, AgentEvent::Compaction(CompactionEvent::Review(_))))
            .await;
        let AgentEvent::Compaction(CompactionEvent::Review(proposal)) = shown else {
            unreachable!()
        };
        assert_eq!(proposal.cut_label(), label, "{mode}");
        let accept = ContextOp::Review(ReviewDecision::Accept);
        agent.send(Op::Context(accept)).await;
        let applied = agent
            .until(|event| {
                matches!(
                    event,
                    AgentEvent::Compaction(CompactionEvent::Applied { .. })
                )
            })
            .await;
        let AgentEvent::Compaction(CompactionEvent::Applied { compaction, .. }) = applied else {
            unreachable!()
        };
        assert_eq!(compaction.details.cut_label(), label, "{mode}");
        agent.stop().await;
        let log = serde_json::to_string(&harness.whole_log()).unwrap();
        let stored = log.contains("\"engineReason\":\"the last question stays\"");
        assert_eq!(stored, expected.is_some(), "{mode}: {log}");
    }
}

#[tokio::test]
async fn a_program_writes_the_summary_itself_and_no_model_is_asked() {
    let mut script = script();
    script.remove(5);
    let server = Server::start(Wire::Anthropic, script).await;
    let (_harness, agent, said) = compacted(&server, "writer").await;
    assert!(
        said.contains(&"applied by engine process".to_owned()),
        "{said:?}"
    );
    let after = joined(&server.body(5));
    assert!(after.contains("SUMMARISED talk"), "{after}");
    agent.stop().await;
}

#[tokio::test]
async fn a_program_that_does_not_compact_says_why_and_a_liar_is_set_aside() {
    let mut shorter = script();
    shorter.remove(5);
    let server = Server::start(Wire::Anthropic, shorter).await;
    let (_harness, agent, said) = compacted(&server, "unwilling").await;
    assert!(
        said.iter()
            .any(|it| it.contains("does not compact now: not on a Monday")),
        "{said:?}"
    );
    assert!(!said.iter().any(|it| it.starts_with("applied")), "{said:?}");
    agent.stop().await;
    for (mode, why) in [
        ("liar", "which is not sent"),
        ("silent", "does not say why"),
    ] {
        let server = Server::start(Wire::Anthropic, script()).await;
        let (_harness, mut agent, said) = compacted(&server, mode).await;
        assert!(said.iter().any(|it| it.contains(why)), "{mode}: {said:?}");
        assert!(
            said.iter().any(|it| it.starts_with("applied by ")),
            "{mode}: {said:?}"
        );
        let states = super::engine_programs::listed(&mut agent).await;
        let aside = states
            .iter()
            .any(|(id, state)| id == "process" && matches!(state, EngineState::SetAside(_)));
        assert!(aside, "{mode}: {states:?}");
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_dry_run_shows_the_programs_plan_and_changes_nothing() {
    let server = Server::start(Wire::Anthropic, script()).await;
    let (harness, mut agent) = start(&server, "writer").await;
    for n in 0..5 {
        agent.ask(&format!("question {n}")).await;
    }
    let options = CompactOptions {
        force: true,
        ..CompactOptions::default()
    };
    let plan = agent.planned(options).await;
    assert_eq!((plan.calls, plan.engine.as_str()), (0, "process"));
    assert_eq!(plan.summarized, 8);
    assert!(heard(&harness, "shrink").is_empty());
    assert_eq!(server.seen().len(), 5);
    agent.stop().await;
}

#[tokio::test]
async fn a_program_hears_of_entries_turns_and_sub_agents_and_tells_them_something() {
    let server = Server::start(Wire::Anthropic, task_script()).await;
    let (harness, mut agent) = start(&server, "planner").await;
    agent.ask("where is the parser?").await;
    let child = joined(&server.body(1));
    assert!(
        child.contains("[The parser is in src/parse.rs.]") && child.contains("find the parser"),
        "{child}"
    );
    // Whoever leaves waits for no program: that of the sub-agent may end before it hears of its
    // turn.
    while !hears_of_callers_turn(&harness) {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    agent.stop().await;
    // The sub-agent has an engine of its own, which hears of its entries.
    let entries = heard(&harness, "ingest");
    for (origin, words) in [
        ("user", "where is the parser?"),
        ("model", "I look."),
        ("tool", "It is in src/parse.rs."),
        ("model", "done"),
    ] {
        let is_it = |entry: &&Value| {
            entry["origin"] == origin && entry["text"].as_str().unwrap().contains(words)
        };
        assert!(entries.iter().any(|it| is_it(&it)), "{origin}: {entries:?}");
    }
    let wish = &heard(&harness, "prepare_subagent")[0];
    assert_eq!(
        (&wish["task"], &wish["call"]),
        (&json!("find the parser"), &json!("t1"))
    );
    let ended = &heard(&harness, "subagent_ended")[0];
    assert_eq!(
        (&ended["call"], &ended["reason"]),
        (&json!("t1"), &json!("done"))
    );
    assert!(
        ended["result"].as_str().unwrap().contains("src/parse.rs"),
        "{ended}"
    );
    let turns = heard(&harness, "after_turn");
    assert!((1..=2).contains(&turns.len()), "{turns:?}");
    assert!(turns.iter().all(|turn| turn["outcome"] == "done"));
}

fn task_script() -> [super::server::Reply; 3] {
    let arguments = json!({"description": "look", "prompt": "find the parser"});
    let call = Say::text("I look.")
        .usage(100)
        .call("t1", "task", &arguments);
    [call.reply(), text("It is in src/parse.rs."), text("done")]
}

/// The note counts as long as a fork finds its caller's prompt in the provider's cache.
#[tokio::test]
async fn what_is_prepared_for_a_sub_agent_counts_for_a_while() {
    for (ttl_secs, told, is_given) in [(None, 300, true), (Some(0), 0, false)] {
        let server = Server::start(Wire::Anthropic, task_script()).await;
        let (harness, agent) = start(&server, "planner").await;
        agent.stop().await;
        let harness = harness.set(|settings| settings.context.prune.ttl_secs = ttl_secs);
        let mut agent = harness.start().await;
        agent.ask("where is the parser?").await;
        let child = joined(&server.body(1));
        assert_eq!(child.contains("[The parser is in src/parse.rs.]"), is_given);
        assert!(child.contains("find the parser"), "{child}");
        agent.stop().await;
        let wish = &heard(&harness, "prepare_subagent")[0];
        assert_eq!(wish["ttl_secs"], told, "{wish}");
    }
}

/// What was prepared for a sub-agent that cannot begin is taken back.
#[tokio::test]
async fn a_program_hears_of_a_sub_agent_that_never_began() {
    let arguments = json!({"description": "look", "prompt": "find it", "agent": "nobody"});
    let call = Say::text("I look.").call("t1", "task", &arguments);
    let server = Server::start(Wire::Anthropic, [call.reply(), text("none")]).await;
    let (harness, mut agent) = start(&server, "planner").await;
    agent.ask("where is the parser?").await;
    agent.stop().await;
    assert_eq!(heard(&harness, "prepare_subagent").len(), 1);
    let expected = json!([{"call": "t1", "reason": "not_started", "result": ""}]);
    assert_eq!(json!(heard(&harness, "subagent_ended")), expected);
}

#[tokio::test]
async fn a_program_that_asked_for_nothing_hears_nothing() {
    let server = Server::start(Wire::Anthropic, script()).await;
    let (harness, agent, said) = compacted(&server, "deaf").await;
    assert!(
        said.iter().any(|it| it.starts_with("applied by ")),
        "{said:?}"
    );
    for method in ["ingest", "after_turn", "plan_shrink", "shrink"] {
        assert!(heard(&harness, method).is_empty(), "{method}");
    }
    agent.stop().await;
}
