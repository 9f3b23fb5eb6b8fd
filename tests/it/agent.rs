//! An agent on a scripted server, in a directory of its own: the helper of the flow
//! tests. Requests are read as role and text, whatever the wire format.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use plimsoll::agent::{
    AgentEvent, AgentHandle, AgentSetup, ApprovalRequest, Clock, CompactOptions, CompactionEvent,
    CompactionPlan, ContextEvent, ContextOp, Op, RequestSlots, SessionEvent, SessionOp,
    SessionSource, StartFlags, SubmitWhen, TurnEnd, TurnEvent, TurnOp,
};
use plimsoll::config::{EnvironmentVars, Settings, UserPaths};
use plimsoll::context::RulerKind;
use plimsoll::provider::{Api, Protocol, ProviderSettings};
use plimsoll::tool::ApprovalMode;
use plimsoll::transcript::{ModelRef, Timestamp};
use serde_json::Value;

use super::server::{Server, Wire};

/// The secret that must never be written anywhere.
pub const KEY: &str = "sk-very-secret-0123456789abcdef";

/// No test waits longer for an event.
const PATIENCE: Duration = Duration::from_mins(1);

/// 2026-01-01.
pub const NOW_MS: i64 = 1_767_225_600_000;

/// The start values of an agent.
pub struct Harness {
    /// Sessions, settings and the working directory are below it.
    pub dir: tempfile::TempDir,
    /// Change them before [`Harness::start`].
    pub setup: AgentSetup,
    /// What is said is long enough that a summary of it frees something.
    is_wordy: bool,
}

/// The tools that every test offers.
const FIRST_TOOLS: [&str; 8] = [
    "read", "list", "search", "write", "edit", "shell", "job", "todo",
];

/// What a wordy user adds to everything.
pub const PADDING: &str = " and please take all the time that you need for it, as it was agreed \
    with everybody who has been asked about that, which took a while, because they had much to say \
    about it, and each of them had another opinion, and they told it at length, and wrote it down \
    afterwards, and sent it to everybody else, who answered each of these letters, and so on, until \
    the winter was over and the snow was gone and nobody could remember what the question had been, \
    let alone why it was asked in the first place, or by whom, or what for, or what should come of \
    it; then somebody found the first letter again, and read it aloud, and all of them nodded";

impl Harness {
    /// Settings for a server: everything allowed, a fixed clock, a ruler without tables.
    pub fn new(server: &Server) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let cwd = dir.path().join("work");
        std::fs::create_dir(&cwd).unwrap();
        let cwd = cwd.canonicalize().unwrap();
        let model = match server.wire {
            Wire::Anthropic => ModelRef::new("anthropic", "claude-sonnet-4-5"),
            Wire::OpenAi => ModelRef::new("openai", "gpt-4o"),
            Wire::Responses => ModelRef::new("openai", "gpt-5"),
            Wire::Gemini => ModelRef::new("gemini", "gemini-3.1-pro-preview"),
        };
        let mut settings = Settings::default();
        settings.context.ruler = RulerKind::Chars4;
        settings.agent.model = Some(model);
        settings.agent.base_url = Some(server.base.clone());
        // As behind a gateway: windows and prices are those of the catalogue.
        for (id, protocol) in [
            ("anthropic", Protocol::Anthropic),
            ("openai", Protocol::OpenAi),
            ("gemini", Protocol::Gemini),
        ] {
            settings.providers.push(ProviderSettings {
                id: id.to_owned(),
                protocol,
                api: (server.wire == Wire::Responses && id == "openai").then_some(Api::Responses),
                base_url: None,
                api_key_env: None,
                api_key_cmd: None,
                timeouts: plimsoll::provider::Timeouts::default(),
                gateway: Some(true),
                fields: plimsoll::provider::RequestFields::default(),
                headers: BTreeMap::new(),
                models: Vec::new(),
            });
        }
        settings.agent.tools.approvals = ApprovalMode::All;
        settings.agent.network.stream_stall_secs = 10;
        // Servers of the machine that the tests run on are out of the game.
        settings.agent.network.probe_local = false;
        settings.agent.network.catalogue_refresh = false;
        settings.agent.network.probe_ms = 15_000;
        let environment: EnvironmentVars = [
            ("ANTHROPIC_API_KEY", KEY),
            ("OPENAI_API_KEY", KEY),
            ("GEMINI_API_KEY", KEY),
            ("HOME", "/nonexistent"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into_iter()
        .collect();
        let setup = AgentSetup {
            settings,
            paths: UserPaths::below(&dir.path().join("home")),
            cwd: cwd.clone(),
            environment,
            source: SessionSource::File(dir.path().join("session.jsonl")),
            clock: Clock::new(Some(Timestamp(NOW_MS))),
            lanes: RequestSlots::new(4),
            sources: plimsoll::tool::ToolSources::default(),
            servers: std::sync::Arc::default(),
            flags: StartFlags::default(),
            is_interactive: true,
            is_watched: true,
            child: None,
            provenance: plimsoll::agent::SettingOrigins::default(),
            notices: Vec::new(),
        };
        let mut harness = Self {
            dir,
            setup,
            is_wordy: false,
        };
        harness.setup.settings.agent.tools.off = harness.further_tools();
        harness
    }

    /// The tools that are on offer beside the first eight. They are off unless a test is
    /// about them: each makes every prompt longer, and with it the windows of the tests.
    fn further_tools(&self) -> Vec<String> {
        let all = self.setup.tools().schemas();
        let names = all.iter().map(|schema| schema.name.clone());
        names
            .filter(|name| !FIRST_TOOLS.contains(&name.as_str()))
            .collect()
    }

    /// Offers this tool too.
    pub fn with_tool(self, name: &str) -> Self {
        self.set(|s| s.agent.tools.off.retain(|off| off != name))
    }

    /// Everything that is said has [`PADDING`].
    pub fn wordy(mut self) -> Self {
        self.is_wordy = true;
        self
    }

    /// Sets the window, in tokens.
    pub fn window(mut self, tokens: u64) -> Self {
        self.setup.settings.context.window.user_tokens = Some(tokens);
        self
    }

    /// Changes the settings.
    pub fn set(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.setup.settings);
        self
    }

    /// Takes summaries without an audit.
    pub fn without_audit(self) -> Self {
        self.set(|s| s.context.audit.enabled = false)
    }

    /// The file of the session.
    pub fn session(&self) -> PathBuf {
        self.dir.path().join("session.jsonl")
    }

    /// The lines of the session file.
    pub fn log(&self) -> Vec<Value> {
        std::fs::read_to_string(self.session())
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(&line.replace(PADDING, "")).unwrap())
            .collect()
    }

    /// The lines of the session file with all that a wordy user adds.
    pub fn whole_log(&self) -> Vec<Value> {
        let log = std::fs::read_to_string(self.session()).unwrap();
        log.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// The lines of the session file but for those that say what requests cost and came to.
    pub fn log_without_costs(&self) -> Vec<Value> {
        let mut lines = self.log();
        let bills = ["plimsoll.expense", "plimsoll.summary-attempt"];
        lines.retain(|line| !bills.iter().any(|it| line["customType"] == *it));
        lines
    }

    /// Writes a file into the working directory.
    pub fn file(&self, name: &str, text: &str) {
        let path = self.setup.cwd.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Starts the agent.
    pub async fn start(&self) -> Agent {
        let handle = plimsoll::agent::spawn(self.setup.clone());
        let mut agent = Agent {
            handle,
            events: Vec::new(),
            is_wordy: self.is_wordy,
        };
        agent
            .until(|event| matches!(event, AgentEvent::Session(SessionEvent::Opened(_))))
            .await;
        agent
    }
}

/// A running agent with all that it has said.
pub struct Agent {
    handle: AgentHandle,
    /// Every event so far.
    pub events: Vec<AgentEvent>,
    is_wordy: bool,
}

impl Agent {
    /// Sends an op.
    pub async fn send(&self, op: Op) {
        self.handle.ops.send(op).await.unwrap();
    }

    /// Waits until it asks whether it may.
    pub async fn approval(&mut self) -> ApprovalRequest {
        match self
            .until(|it| matches!(it, AgentEvent::Turn(TurnEvent::Approval(_))))
            .await
        {
            AgentEvent::Turn(TurnEvent::Approval(request)) => *request,
            _ => unreachable!(),
        }
    }

    /// Waits for an event; it stays in `events` as the last one.
    pub async fn until(&mut self, wanted: impl Fn(&AgentEvent) -> bool) -> AgentEvent {
        loop {
            let next = tokio::time::timeout(PATIENCE, self.handle.events.recv()).await;
            let event = match next {
                Ok(Some(event)) => event,
                Ok(None) => panic!("the agent ended; {}", self.told()),
                Err(late) => panic!("nothing comes any more ({late}); {}", self.told()),
            };
            self.events.push(event.clone());
            if wanted(&event) {
                return event;
            }
        }
    }

    fn told(&self) -> String {
        self.events
            .iter()
            .map(|event| {
                let text = format!("{event:?}");
                text.chars().take(160).collect::<String>() + "\n"
            })
            .collect()
    }

    /// The plan of a compaction that is only tried.
    pub async fn planned(&mut self, options: CompactOptions) -> CompactionPlan {
        let options = CompactOptions {
            dry_run: true,
            ..options
        };
        self.send(Op::Context(ContextOp::Compact(options))).await;
        let is_plan =
            |it: &AgentEvent| matches!(it, AgentEvent::Compaction(CompactionEvent::Planned(_)));
        match self.until(is_plan).await {
            AgentEvent::Compaction(CompactionEvent::Planned(plan)) => *plan,
            _ => unreachable!(),
        }
    }

    /// Pins, drops, restores or undoes, and waits until it is done.
    pub async fn act(&mut self, op: ContextOp) {
        self.send(Op::Context(op)).await;
        self.until(is_act_done).await;
    }

    /// Says something without waiting.
    pub async fn say(&self, text: &str) {
        self.submit(text, SubmitWhen::NextStep).await;
    }

    /// Says something for later, or to steer.
    pub async fn submit(&self, text: &str, when: SubmitWhen) {
        self.send(Op::Turn(TurnOp::Submit {
            text: text.to_owned() + &PADDING.repeat(if self.is_wordy { 3 } else { 0 }),
            images: Vec::new(),
            when,
        }))
        .await;
    }

    /// Says something and waits for the end of the turn.
    pub async fn ask(&mut self, text: &str) -> TurnEnd {
        self.say(text).await;
        self.turn_end().await
    }

    /// Waits for the end of the turn.
    pub async fn turn_end(&mut self) -> TurnEnd {
        match self
            .until(|event| matches!(event, AgentEvent::Turn(TurnEvent::Finished(_))))
            .await
        {
            AgentEvent::Turn(TurnEvent::Finished(end)) => end,
            _ => unreachable!(),
        }
    }

    /// `/compact`, applied without review.
    pub async fn compact(&mut self, instructions: Option<&str>, yes: bool) {
        self.send(Op::Context(ContextOp::Compact(CompactOptions {
            instructions: instructions.map(str::to_owned),
            yes,
            force: true,
            ..CompactOptions::default()
        })))
        .await;
    }

    /// Ends it and waits until the file is closed.
    pub async fn stop(mut self) -> Vec<AgentEvent> {
        self.send(Op::Session(SessionOp::Shutdown)).await;
        while let Some(event) = self.handle.events.recv().await {
            self.events.push(event);
        }
        self.handle.task.await.unwrap();
        self.events
    }

    /// The names of the events that `pick` names, in order.
    pub fn named(&self, pick: impl Fn(&AgentEvent) -> Option<&'static str>) -> Vec<&'static str> {
        self.events.iter().filter_map(pick).collect()
    }
}

/// Whether an act of a person on the context is done.
pub fn is_act_done(event: &AgentEvent) -> bool {
    matches!(
        event,
        AgentEvent::Context(ContextEvent::OverrideApplied { .. } | ContextEvent::ActUndone { .. })
    )
}

/// All texts of a body's messages, a line break after each.
pub fn joined(body: &Value) -> String {
    let all = messages(body).into_iter();
    all.map(|(_, text)| text + "\n").collect()
}

/// Role and text of each message of a request, tool calls as `call:name`, results as
/// `result:text`; the system prompt is left out.
pub fn messages(body: &Value) -> Vec<(String, String)> {
    let list = body["messages"].as_array().cloned().unwrap_or_default();
    list.iter()
        .filter(|message| message["role"] != "system" && message["role"] != "developer")
        .map(|message| {
            let role = message["role"].as_str().unwrap().to_owned();
            let mut text = parts(&message["content"]);
            for call in message["tool_calls"].as_array().into_iter().flatten() {
                text += "call:";
                text += call["function"]["name"].as_str().unwrap();
            }
            if role == "tool" {
                return ("user".to_owned(), format!("result:{text}"));
            }
            (role, text.replace(PADDING, ""))
        })
        .collect()
}

fn parts(content: &Value) -> String {
    let Some(list) = content.as_array() else {
        return content.as_str().unwrap_or_default().to_owned();
    };
    list.iter()
        .map(|part| match part["type"].as_str() {
            Some("text") => part["text"].as_str().unwrap_or_default().to_owned(),
            Some("tool_use") => format!("call:{}", part["name"].as_str().unwrap()),
            Some("tool_result") => format!("result:{}", parts(&part["content"])),
            other => format!("[{}]", other.unwrap_or("?")),
        })
        .collect()
}

/// Whether a request offers no tools.
pub fn has_no_tools(body: &Value) -> bool {
    body["tools"].as_array().is_none_or(Vec::is_empty)
}
