//! What a compaction does to the view: what was counted is what is sent, nothing grows, a model
//! that writes no summaries is left alone, and nothing is sent that is known not to fit.

use std::path::Path;
use std::sync::Arc;

use plimsoll::agent::{
    AgentEvent, CompactOptions, CompactionEvent, ContextEvent, ContextOp, Op, ReviewDecision,
};
use plimsoll::clock::Clock;
use plimsoll::config::{self, FlagSetting, SettingSources};
use plimsoll::context::rules::{RuleBook, RuleState};
use plimsoll::context::{ContextSettings, Threshold};
use plimsoll::transcript::{EntryBody, EntryId, Message, Timestamp, Transcript};
use serde::Deserialize;
use serde_json::{Value, json};

use super::agent::{Agent, Harness, NOW_MS, has_no_tools, joined};
use super::flow_overflow::SUMMARY;
use super::server::{Reply, Say, Server, Wire, status, text};

/// About 2,100 tokens of Claude's.
fn long(turn: usize) -> Reply {
    text(format!("answer {turn} {}", "lorem ipsum ".repeat(560)))
}

/// Not one of the headings that it is asked for.
fn chat() -> Reply {
    text("We talked about lorem ipsum for a while, and it went well.")
}

fn harness(server: &Server) -> Harness {
    Harness::new(server).window(20_000).set(|s| {
        s.context.compaction.threshold = Some(Threshold::Tokens(12_000));
    })
}

/// The settings of a preset, as the flag gives them.
fn preset_settings(name: &str) -> ContextSettings {
    let flag = FlagSetting {
        key: "preset".to_owned(),
        value: config::SettingValue::Text(name.to_owned()),
        flag: "--preset".to_owned(),
        adds: false,
    };
    let sources = SettingSources {
        flags: vec![flag],
        ..SettingSources::default()
    };
    config::resolve(&sources).unwrap().settings.context
}

/// The first message of a day of work that may be a rule, whatever the detection learns, and the
/// words that may be one.
fn possible_rule() -> (String, String) {
    #[derive(Deserialize)]
    struct Said {
        text: String,
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/rules/unseen-6.jsonl");
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let said: Said = serde_json::from_str(line).unwrap();
        let mut log = Transcript::new();
        let body = EntryBody::Message(Arc::new(Message::user_text(&said.text)));
        log.append(EntryId::new("a1"), Timestamp(0), body).unwrap();
        if let [rule] = RuleBook::of(&log).rules.as_slice()
            && rule.state == RuleState::Possible
            && said.text.is_ascii()
        {
            return (said.text, rule.text.clone());
        }
    }
    panic!("no message may be a rule");
}

fn summaries(server: &Server) -> usize {
    let seen = server.seen();
    seen.iter().filter(|body| has_no_tools(body)).count()
}

fn compactions(harness: &Harness) -> Vec<Value> {
    let mut log = harness.log();
    log.retain(|line| line["type"] == "compaction");
    log
}

/// How often it was said that the model is left alone.
fn told(agent: &Agent) -> usize {
    let is_it = |event: &&AgentEvent| matches!(event, AgentEvent::Notice(notice) if notice.text.contains("no usable summary"));
    agent.events.iter().filter(is_it).count()
}

async fn talk(agent: &mut Agent, server: &Server, turns: std::ops::Range<usize>) {
    server.then(turns.clone().map(long));
    for turn in turns {
        let end = agent.ask(&format!("question {turn}")).await;
        assert_eq!(end.exit_code, 0, "{end:?}");
    }
}

fn is_end(event: &AgentEvent) -> bool {
    matches!(
        event,
        AgentEvent::Compaction(CompactionEvent::Applied { .. } | CompactionEvent::Failed { .. })
    )
}

#[tokio::test]
async fn a_model_that_never_uses_the_headings_is_asked_twice_in_sixty_turns() {
    for background in [false, true] {
        let server = Server::start(Wire::Anthropic, []).await;
        let harness = harness(&server).set(|s| s.context.compaction.background = background);
        server.then_for_summaries((0..100).map(|_| chat()));
        let mut agent = harness.start().await;
        talk(&mut agent, &server, 0..60).await;
        assert_eq!(summaries(&server), 2, "background {background}");
        assert_eq!(told(&agent), 1);
        let made = compactions(&harness);
        assert!(made.len() > 5, "{}", made.len());
        let is_labelled = |line: &Value| {
            let details = &line["details"];
            details["degraded"] == true && details["model"] == "extractive"
        };
        assert!(made.iter().all(is_labelled), "{:?}", made.last());
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_model_that_was_left_alone_is_asked_again_by_a_person_or_after_a_change_and_not_by_a_restart()
 {
    let server = Server::start(Wire::Anthropic, []).await;
    let harness = harness(&server);
    server.then_for_summaries((0..100).map(|_| chat()));
    let mut agent = harness.start().await;
    talk(&mut agent, &server, 0..8).await;
    assert_eq!(summaries(&server), 2);
    agent.stop().await;

    let mut agent = harness.start().await;
    talk(&mut agent, &server, 8..24).await;
    assert_eq!((summaries(&server), told(&agent)), (2, 1));
    agent.compact(None, true).await;
    agent.until(is_end).await;
    assert!(summaries(&server) > 2, "/compact asks it");
    let asked = summaries(&server);
    talk(&mut agent, &server, 24..32).await;
    assert_eq!(summaries(&server), asked, "what it wrote was of no use");
    agent.stop().await;

    let harness = harness.set(|s| s.context.audit.retries = 0);
    let mut agent = harness.start().await;
    talk(&mut agent, &server, 32..44).await;
    assert!(summaries(&server) > asked, "a setting of the audit changed");
    agent.stop().await;
}

#[tokio::test]
async fn a_summary_that_succeeds_gives_the_model_its_work_back() {
    let server = Server::start(Wire::Anthropic, []).await;
    let harness = harness(&server);
    server.then_for_summaries([chat(), chat()]);
    let mut agent = harness.start().await;
    talk(&mut agent, &server, 0..8).await;
    assert_eq!(summaries(&server), 2);
    server.then_for_summaries((0..20).map(|_| text(SUMMARY)));
    agent.compact(None, true).await;
    agent.until(is_end).await;
    let asked = summaries(&server);
    talk(&mut agent, &server, 8..20).await;
    assert!(summaries(&server) > asked, "it is asked by itself again");
    agent.stop().await;
}

#[tokio::test]
async fn a_compaction_that_would_free_nothing_is_not_applied_and_says_so() {
    let server = Server::start(Wire::Anthropic, (0..5).map(|_| text("yes"))).await;
    let harness = Harness::new(&server).without_audit();
    let mut agent = harness.start().await;
    for turn in 0..5 {
        agent.ask(&format!("is it {turn}?")).await;
    }
    server.then_for_summaries([text(SUMMARY)]);
    let before = harness.log_without_costs();
    agent.compact(None, true).await;
    let AgentEvent::Compaction(CompactionEvent::Failed { cause, message, .. }) =
        agent.until(is_end).await
    else {
        panic!("it was applied");
    };
    assert_eq!(cause, "not_smaller");
    assert!(
        message.contains("the conversation is unchanged"),
        "{message}"
    );
    assert_eq!(harness.log_without_costs(), before);
    agent.stop().await;
}

/// The tokens of the newest view.
fn view_tokens(agent: &Agent) -> u64 {
    let view = |event: &AgentEvent| match event {
        AgentEvent::Context(ContextEvent::View(view)) => Some(view.usage.tokens),
        _ => None,
    };
    agent.events.iter().rev().find_map(view).unwrap()
}

#[tokio::test]
async fn what_was_pruned_when_it_was_counted_stays_pruned_after_the_compaction() {
    let reads = |turn: usize| {
        let read = Say::text("").call(&format!("c{turn}"), "read", &json!({"path": "big.txt"}));
        [
            read.reply(),
            text(format!("read {turn} {}", "word ".repeat(40))),
        ]
    };
    let server = Server::start(Wire::Anthropic, (0..8).flat_map(reads)).await;
    let mut harness = Harness::new(&server)
        .without_audit()
        .window(100_000)
        .set(|s| s.context.prune.superseded = false);
    harness.file("big.txt", &"a line of the file\n".repeat(1_000));
    let mut agent = harness.start().await;
    for turn in 0..8 {
        agent.ask(&format!("read it, {turn}")).await;
    }
    agent.stop().await;

    // Ten minutes later the provider's cache is cold, and nobody has asked anything since.
    harness.setup.clock = Clock::new(Some(Timestamp(NOW_MS + 600_000)));
    let has_prune = |log: &[Value]| log.iter().any(|it| it["customType"] == "plimsoll.prune");
    assert!(!has_prune(&harness.log()));
    let mut agent = harness.start().await;
    server.then_for_summaries([text(SUMMARY)]);
    agent.compact(None, true).await;
    agent.until(is_end).await;
    agent.stop().await;
    assert!(has_prune(&harness.log()), "what was decided is in the log");
    let made = compactions(&harness).remove(0);
    let forecast = made["details"]["tokensAfter"].as_u64().unwrap();
    let before = made["tokensBefore"].as_u64().unwrap();

    let mut agent = harness.start().await;
    server.then([text("done")]);
    agent.ask("go on").await;
    let after = view_tokens(&agent);
    assert!(after < before, "{before} -> {after}");
    assert!(
        after.abs_diff(forecast) * 20 <= forecast,
        "{forecast} -> {after}"
    );
    agent.stop().await;
}

#[tokio::test]
async fn what_is_known_not_to_fit_is_not_sent() {
    let server = Server::start(Wire::Anthropic, (0..16).map(long)).await;
    let harness = Harness::new(&server).window(64_000);
    let mut agent = harness.start().await;
    for turn in 0..16 {
        agent.ask(&format!("question {turn}")).await;
    }
    agent.stop().await;

    let harness = harness.window(16_000);
    server.then_for_summaries((0..20).map(|_| status(400, "invalid_request_error", "no")));
    let sent = server.seen().len();
    let mut agent = harness.start().await;
    server.then([text("done")]);
    let end = agent.ask("go on").await;
    assert_eq!((end.exit_code, end.text.as_str()), (0, "done"), "{end:?}");
    let seen = server.seen();
    let talk: Vec<&Value> = seen[sent..].iter().filter(|it| !has_no_tools(it)).collect();
    assert_eq!(talk.len(), 1, "only what fits is sent");
    assert!(joined(talk[0]).len() < 16_000 * 4);
    let made = compactions(&harness);
    assert_eq!(made.len(), 1);
    assert_eq!(made[0]["details"]["degraded"], true);
    agent.stop().await;
}

/// A wordy talk of five turns with a compaction and two turns more.
async fn compacted_once(server: &Server, harness: &Harness) -> Agent {
    server.then((0..5).map(|turn| text(format!("answer {turn}"))));
    let mut agent = harness.start().await;
    for turn in 0..5 {
        agent
            .ask(&format!("question {turn} about src/part{turn}.rs"))
            .await;
    }
    server.then_for_summaries((0..9).map(|_| text(SUMMARY)));
    agent.compact(None, true).await;
    agent.until(is_end).await;
    server.then((5..8).map(|turn| text(format!("answer {turn}"))));
    for turn in 5..8 {
        agent
            .ask(&format!("question {turn} about src/part{turn}.rs"))
            .await;
    }
    agent
}

fn last_summary_request(server: &Server) -> String {
    let seen = server.seen();
    joined(seen.iter().rfind(|body| has_no_tools(body)).unwrap())
}

/// What cannot be told from a rule is in no block behind the summary: the summary has to keep it.
#[tokio::test]
async fn what_may_be_a_rule_is_told_to_the_summariser_and_is_in_a_summary_without_a_model() {
    let (said, rule) = possible_rule();
    for extractive in [false, true] {
        let server = Server::start(Wire::Anthropic, (0..6).map(long)).await;
        let harness = Harness::new(&server).wordy();
        let mut agent = harness.start().await;
        agent.ask(&said).await;
        for turn in 1..6 {
            agent.ask(&format!("question {turn}")).await;
        }
        server.then_for_summaries((0..9).map(|_| text(SUMMARY)));
        agent
            .send(Op::Context(ContextOp::Compact(CompactOptions {
                extractive,
                yes: true,
                force: true,
                ..CompactOptions::default()
            })))
            .await;
        agent.until(is_end).await;
        agent.stop().await;
        let (told, before) = if extractive {
            let made = compactions(&harness).remove(0);
            let summary = made["summary"].as_str().unwrap();
            (summary.to_owned(), "## Constraints & Preferences")
        } else {
            (last_summary_request(&server), "may hold beyond the turn")
        };
        let behind = told.split_once(before).map_or("", |(_, behind)| behind);
        let place = behind.split("\n## ").next().unwrap_or_default();
        assert!(place.contains(&format!("- {rule}")), "{told}");
    }
}

#[tokio::test]
async fn a_summary_whose_audit_had_findings_is_rebuilt_from_the_log_and_one_that_holds_is_built_upon()
 {
    for is_checked in [true, false] {
        let server = Server::start(Wire::Anthropic, []).await;
        let harness = Harness::new(&server)
            .wordy()
            .set(|s| s.context.audit.enabled = is_checked);
        let mut agent = compacted_once(&server, &harness).await;
        let made = compactions(&harness);
        let mended = made[0]["details"]["mended"].as_array().map_or(0, Vec::len);
        assert_eq!(mended > 0, is_checked, "{}", made[0]["details"]);
        agent.compact(None, true).await;
        agent.until(is_end).await;
        let asked = last_summary_request(&server);
        assert_eq!(asked.contains("question 0 about"), is_checked, "{asked}");
        assert_eq!(asked.contains("<previous-summary>"), !is_checked);
        assert!(asked.contains("question 4 about"));
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_rebuild_reads_the_log_again_and_shows_what_came_back() {
    let server = Server::start(Wire::Anthropic, []).await;
    let harness = Harness::new(&server).wordy().without_audit();
    let mut agent = compacted_once(&server, &harness).await;
    agent
        .send(Op::Context(ContextOp::Compact(CompactOptions {
            rebuild: true,
            extractive: true,
            ..CompactOptions::default()
        })))
        .await;
    let is_review =
        |e: &AgentEvent| matches!(e, AgentEvent::Compaction(CompactionEvent::Review(_)));
    let AgentEvent::Compaction(CompactionEvent::Review(proposal)) = agent.until(is_review).await
    else {
        unreachable!()
    };
    let rebuilt = proposal.comparison.rebuilt.expect("it was rebuilt");
    assert!(rebuilt.messages >= 4 && rebuilt.lines > 0, "{rebuilt:?}");
    assert!(proposal.comparison.left.contains("SUMMARISED"));
    assert!(
        proposal.summary.contains("src/part0.rs"),
        "{}",
        proposal.summary
    );
    agent
        .send(Op::Context(ContextOp::Review(ReviewDecision::Accept)))
        .await;
    agent.until(is_end).await;
    let made = compactions(&harness);
    assert_eq!(made.len(), 2);
    let stored = made[1]["summary"].as_str().unwrap();
    assert!(stored.contains("src/part0.rs") && !stored.contains("SUMMARISED"));
    agent.stop().await;
}

#[tokio::test]
async fn without_a_summary_there_is_nothing_to_rebuild() {
    let server = Server::start(Wire::Anthropic, [text("yes")]).await;
    let mut agent = Harness::new(&server).start().await;
    agent.ask("is it?").await;
    agent
        .send(Op::Context(ContextOp::Compact(CompactOptions {
            rebuild: true,
            ..CompactOptions::default()
        })))
        .await;
    let AgentEvent::Compaction(CompactionEvent::Failed { message, .. }) = agent.until(is_end).await
    else {
        unreachable!()
    };
    assert!(message.starts_with("nothing to rebuild"), "{message}");
    agent.stop().await;
}

#[tokio::test]
async fn what_a_program_injects_is_no_ask_and_no_goal_of_a_summary() {
    let server = Server::start(Wire::Anthropic, [text("yes")]).await;
    let harness = Harness::new(&server).wordy();
    let mut agent = harness.start().await;
    agent.ask("mend src/typed.rs").await;
    agent.stop().await;
    let mut log = harness.whole_log();
    let last = log.last().unwrap()["id"].clone();
    let injected = "<permissions> Never push. Please rewrite src/injected.rs first. ".repeat(30);
    log.push(json!({
        "type": "custom_message", "customType": "codex.permissions", "content": injected,
        "display": true, "id": "1njected", "parentId": last, "timestamp": log[1]["timestamp"],
    }));
    let lines: Vec<String> = log.iter().map(Value::to_string).collect();
    std::fs::write(harness.session(), lines.join("\n") + "\n").unwrap();
    let mut agent = harness.start().await;
    server.then((0..5).map(|_| text("done")));
    for turn in 0..5 {
        agent.ask(&format!("go on with part {turn}")).await;
    }
    agent
        .send(Op::Context(ContextOp::Compact(CompactOptions {
            extractive: true,
            yes: true,
            ..CompactOptions::default()
        })))
        .await;
    agent.until(is_end).await;
    let made = compactions(&harness);
    let summary = made[0]["summary"].as_str().unwrap();
    assert!(summary.contains("src/typed.rs"), "{summary}");
    assert!(
        !summary.contains("injected") && !summary.contains("Never push"),
        "{summary}"
    );
    agent.stop().await;
}

#[tokio::test]
async fn a_summary_longer_than_what_it_replaces_gives_way_to_a_shorter_one_without_a_model() {
    let server = Server::start(Wire::Anthropic, (0..3).map(|_| text("well"))).await;
    let harness = Harness::new(&server)
        .window(40_000)
        .without_audit()
        .set(|s| {
            s.context.compaction.threshold = Some(Threshold::Tokens(8_000));
            s.context.compaction.tail.turns = Some(1);
            s.context.compaction.tail.tokens = Some(40);
        });
    let mut agent = harness.start().await;
    agent.ask(&"word ".repeat(6_500)).await;
    let log = harness.log();
    let first = log.iter().find(|it| it["message"]["role"] == "user");
    let first = EntryId::new(first.unwrap()["id"].as_str().unwrap());
    agent.send(Op::Context(ContextOp::Pin(first))).await;
    agent
        .until(|e| matches!(e, AgentEvent::Context(ContextEvent::OverrideApplied { .. })))
        .await;
    agent.ask(&"mend src/a.rs and src/b.rs ".repeat(220)).await;
    let windy = SUMMARY.replace("SUMMARISED talk", &"- and so on, and so on\n".repeat(600));
    server.then_for_summaries([text(windy)]);
    agent.ask("what now?").await;
    let made = compactions(&harness);
    assert_eq!(
        made.len(),
        1,
        "{:?}",
        agent
            .events
            .iter()
            .filter(|e| is_end(e))
            .collect::<Vec<_>>()
    );
    let details = &made[0]["details"];
    assert_eq!(
        (&details["degraded"], &details["model"]),
        (&json!(true), &json!("extractive"))
    );
    let before = made[0]["tokensBefore"].as_u64().unwrap();
    assert!(
        details["tokensAfter"].as_u64().unwrap() < before,
        "{details}"
    );
    assert!(made[0]["summary"].as_str().unwrap().contains("src/a.rs"));
    agent.stop().await;
}

/// A summary with the headings of every preset that names each file of a talk.
fn summary_for_any_preset(turns: usize) -> String {
    let files = (0..turns).map(|turn| format!("- `src/part{turn}.rs`"));
    let files = files.collect::<Vec<_>>().join("\n");
    let sections = [
        ("Goal", "question after question about the parts"),
        ("Constraints & Preferences", "(none)"),
        (
            "Progress",
            "### Done\n- talk\n\n### In Progress\n(none)\n\n### Blocked\n(none)",
        ),
        ("Decisions", "(none)"),
        ("Open TODOs", "(none)"),
        ("Constraints/Rules", "(none)"),
        ("Pending user asks", "- question about the parts"),
        ("Next Steps", "(none)"),
        ("Critical Context", "(none)"),
        ("Exact identifiers", files.as_str()),
        ("Relevant Files", files.as_str()),
    ];
    let sections = sections.map(|(title, body)| format!("## {title}\n{body}"));
    sections.join("\n\n")
}

#[tokio::test]
async fn openclaw_compacts_as_often_as_the_default_with_the_same_summariser() {
    const TURNS: usize = 24;
    let mut counts = Vec::new();
    for name in ["default", "openclaw"] {
        let server = Server::start(Wire::Anthropic, []).await;
        server.then_for_summaries((0..60).map(|_| text(summary_for_any_preset(TURNS))));
        let harness = Harness::new(&server).window(64_000).set(|s| {
            s.context = preset_settings(name);
            s.context.compaction.threshold = Some(Threshold::Tokens(24_000));
            s.context.compaction.tail.tokens = Some(6_000);
        });
        let mut agent = harness.start().await;
        server.then((0..TURNS).map(long));
        for turn in 0..TURNS {
            let ask = format!(
                "question {turn} about src/part{turn}.rs, see PR #{}",
                400 + turn
            );
            let end = agent.ask(&ask).await;
            assert_eq!(end.exit_code, 0, "{name} {turn}: {end:?}");
        }
        counts.push(compactions(&harness).len());
        agent.stop().await;
    }
    assert!(counts[0] > 1, "{counts:?}");
    assert!(counts[1] >= counts[0], "default, openclaw: {counts:?}");
}
