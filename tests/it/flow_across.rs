//! One conversation over all wire formats: switched by hand in the middle of it, moved on by
//! the fallback chain, moved up by an overflow. Each server holds its requests to the rules
//! of its format; what each model used is counted as its own.

use std::collections::BTreeMap;

use plimsoll::agent::{Op, SessionCost, SettingOp};
use plimsoll::provider::{Api, Protocol, ProviderSettings, Timeouts};
use plimsoll::session;
use plimsoll::transcript::{ModelRef, ThinkingLevel};
use serde_json::json;

use super::agent::{Harness, KEY};
use super::server::{Reply, Say, Server, Wire, overflow, status, text};

/// A server of each format.
pub struct Four {
    pub servers: Vec<(ModelRef, Server)>,
}

impl Four {
    pub async fn start() -> Self {
        let of = [
            (Wire::Anthropic, "anthropic", "claude-sonnet-4-5"),
            (Wire::Responses, "openai", "gpt-5"),
            (Wire::Gemini, "gemini", "gemini-3.1-pro-preview"),
            (Wire::OpenAi, "xai", "grok-4"),
        ];
        let mut servers = Vec::new();
        for (wire, provider, model) in of {
            let model = ModelRef::new(provider, model);
            servers.push((model, Server::start(wire, []).await));
        }
        Self { servers }
    }

    /// An agent that begins with the first of them.
    pub fn harness(&self) -> Harness {
        let mut harness = Harness::new(&self.servers[0].1).set(|s| {
            s.agent.base_url = None;
            s.agent.network.retry_max_attempts = 1;
            s.context.audit.enabled = false;
            for (model, server) in &self.servers {
                s.providers.push(ProviderSettings {
                    id: model.provider.clone(),
                    protocol: match server.wire {
                        Wire::Anthropic => Protocol::Anthropic,
                        Wire::Gemini => Protocol::Gemini,
                        Wire::OpenAi | Wire::Responses => Protocol::OpenAi,
                    },
                    api: (server.wire == Wire::Responses).then_some(Api::Responses),
                    base_url: Some(server.base.clone()),
                    api_key_env: None,
                    api_key_cmd: None,
                    gateway: Some(true),
                    fields: plimsoll::provider::RequestFields::default(),
                    headers: BTreeMap::new(),
                    timeouts: Timeouts::default(),
                    models: Vec::new(),
                });
            }
        });
        let known = harness.setup.environment.clone();
        let names = [
            "ANTHROPIC_API_KEY",
            "OPENAI_API_KEY",
            "GEMINI_API_KEY",
            "HOME",
        ];
        let kept = names
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), known.get(*name)?.to_owned())));
        let own = [("XAI_API_KEY".to_owned(), KEY.to_owned())];
        harness.setup.environment = kept.chain(own).collect();
        harness.file("a.txt", "plum\n");
        harness
    }

    pub fn then(&self, at: usize, replies: impl IntoIterator<Item = Reply>) {
        self.servers[at].1.then(replies);
    }

    pub fn model(&self, at: usize) -> ModelRef {
        self.servers[at].0.clone()
    }
}

fn account(harness: &Harness) -> SessionCost {
    let loaded = session::load(&harness.session()).unwrap();
    SessionCost::of(loaded.transcript.entries().iter().map(AsRef::as_ref))
}

#[tokio::test]
async fn a_talk_goes_round_all_formats_with_reasoning_and_tools() {
    let four = Four::start().await;
    let harness = four.harness();
    let mut agent = harness.start().await;
    agent
        .send(Op::Setting(SettingOp::Thinking(ThinkingLevel::High)))
        .await;
    for turn in 0..9 {
        let at = [0, 1, 2, 3, 0, 2, 1, 3, 0][turn];
        let call = Say::text(format!("turn {turn}")).call("x1", "read", &json!({"path": "a.txt"}));
        let call = match at {
            3 => call,
            _ => call.thinking("hm", &format!("c2lnbmVk{turn}")),
        };
        four.then(
            at,
            [
                call.usage(1_000).reply(),
                Say::text("done").usage(1_100).reply(),
            ],
        );
        agent
            .send(Op::Setting(SettingOp::Model(four.model(at))))
            .await;
        let end = agent.ask(&format!("question {turn}")).await;
        assert_eq!(
            (end.exit_code, end.text.as_str()),
            (0, "done"),
            "{turn}: {end:?}"
        );
        let asked = four.servers[at].1.seen();
        let [.., first, second] = asked.as_slice() else {
            panic!("{turn}: too few requests");
        };
        // All that was said before is there, and the own reasoning of this loop.
        for before in 0..=turn {
            assert!(first.to_string().contains(&format!("question {before}")));
        }
        let signed = second.to_string().contains(&format!("c2lnbmVk{turn}"));
        assert_eq!(signed, at != 3, "{turn}: {second:#}");
    }
    agent.stop().await;
    let account = account(&harness);
    for (at, requests) in [(0, 6), (1, 4), (2, 4), (3, 4)] {
        let spent = account.models[&four.model(at).to_string()];
        assert_eq!(spent.requests, requests, "{account:?}");
        assert_eq!(spent.usage.input_tokens, requests * 1_050);
    }
}

#[tokio::test]
async fn who_stands_in_pays_for_itself_in_any_format() {
    let four = Four::start().await;
    four.then(0, [Say::text("one").usage(1_000).reply()]);
    four.then(0, [status(529, "overloaded_error", "Overloaded")]);
    four.then(1, [status(401, "invalid_request_error", "no")]);
    four.then(2, [Say::text("two").usage(3_000).reply()]);
    let harness = four.harness().set(|s| {
        s.agent.fallback_models = vec![four.model(1), four.model(2)];
    });
    let mut agent = harness.start().await;
    assert_eq!(agent.ask("first").await.text, "one");
    let end = agent.ask("second").await;
    assert_eq!((end.exit_code, end.text.as_str()), (0, "two"), "{end:?}");
    agent.stop().await;
    let account = account(&harness);
    let claude = account.models["anthropic/claude-sonnet-4-5"];
    let gemini = account.models["gemini/gemini-3.1-pro-preview"];
    assert_eq!(account.models.len(), 2, "who refused has not been paid");
    assert_eq!((claude.requests, claude.usage.input_tokens), (1, 1_000));
    assert_eq!((gemini.requests, gemini.usage.input_tokens), (1, 3_000));
    // $3 and $15 for a million of tokens there, $2 and $12 here.
    assert!(
        (claude.usage.cost_usd.unwrap() - 0.003_15).abs() < 1e-9,
        "{claude:?}"
    );
    assert!(
        (gemini.usage.cost_usd.unwrap() - 0.006_12).abs() < 1e-9,
        "{gemini:?}"
    );
}

#[tokio::test]
async fn what_overflows_one_format_is_answered_in_another_with_a_larger_window() {
    let four = Four::start().await;
    four.then(0, [Say::text("one").usage(1_000).reply()]);
    four.then(0, (0..2).map(|_| overflow(Wire::Anthropic)));
    four.then(2, [Say::text("read it all").usage(5_000).reply()]);
    let harness = four.harness().set(|s| {
        s.context.compaction.model = Some("offline/plain".to_owned());
        s.agent.overflow_upgrade = true;
        s.agent.fallback_models = vec![four.model(2)];
    });
    let mut agent = harness.start().await;
    agent.ask("first").await;
    let end = agent.ask("second").await;
    assert_eq!(end.text, "read it all", "{end:?}");
    agent.stop().await;
    let account = account(&harness);
    let gemini = account.models["gemini/gemini-3.1-pro-preview"];
    assert_eq!(gemini.usage.input_tokens, 5_000);
    assert_eq!(account.models["anthropic/claude-sonnet-4-5"].requests, 1);
}

#[tokio::test]
async fn a_fallback_in_the_middle_of_a_loop_brings_the_results_along() {
    let four = Four::start().await;
    let call = Say::text("Looking.").thinking("hm", "c2lnbmVk").call(
        "x1",
        "read",
        &json!({"path": "a.txt"}),
    );
    four.then(
        0,
        [call.reply(), status(529, "overloaded_error", "Overloaded")],
    );
    four.then(3, [text("a plum")]);
    let harness = four.harness().set(|s| {
        s.agent.fallback_models = vec![four.model(3)];
    });
    let mut agent = harness.start().await;
    agent
        .send(Op::Setting(SettingOp::Thinking(ThinkingLevel::High)))
        .await;
    let end = agent.ask("go").await;
    assert_eq!((end.exit_code, end.text.as_str()), (0, "a plum"), "{end:?}");
    let sent = four.servers[3].1.body(0).to_string();
    assert!(
        sent.contains("plum") && !sent.contains("c2lnbmVk"),
        "{sent}"
    );
    // And back: the loop began with reasoning of this model, another one went on.
    four.then(0, [text("fine")]);
    agent
        .send(Op::Setting(SettingOp::Model(four.model(0))))
        .await;
    assert_eq!(agent.ask("again").await.text, "fine");
    agent.stop().await;
}
