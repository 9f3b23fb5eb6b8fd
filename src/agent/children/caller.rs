//! What an agent does with its sub-agents: gives them what they begin with, keeps their links in
//! its log, hands on what the person says, and tells its model how they ended.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::agent::actor::Actor;
use crate::agent::children::inherited_entries;
use crate::agent::children::launch::{CallerState, ChildBrief};
use crate::agent::guidance::is_summarised;
use crate::agent::protocol::{ApprovalDecision, ChildId, ModelCost, Notice, QueryId, QueryReply};
use crate::agent::thread::conversation::Conversation;
use crate::agent::turn::reminder::Reminders;
use crate::context::ContextView;
use crate::engine::happening::{EndedSubagent, SubagentWish};
use crate::session::{Durability, outputs_folder};
use crate::tool::TaskTool;
use crate::transcript::{ChildLink, Entry, EntryBody, Message, NoteKind, PromptCacheTtl, ToolCall};

/// The end of a sub-agent that was prepared for and never began.
const NOT_STARTED: &str = "not_started";

/// The links of a session's log, in order; those that a fork inherited are its caller's.
fn links_of(conversation: &Conversation) -> Vec<ChildLink> {
    let entries = conversation.transcript().entries();
    entries
        .iter()
        .skip(inherited_entries(entries))
        .filter_map(|entry| match &entry.body {
            EntryBody::Child(link) => Some(link.as_ref().clone()),
            _ => None,
        })
        .collect()
}

/// For how long a fork finds its caller's prompt in the provider's cache.
fn prompt_ttl_secs(agent: &Actor) -> u64 {
    let wished = agent.setup.settings.agent.network.prompt_cache.ttl;
    let context = agent.thread.conversation.context();
    context
        .prune
        .prompt_ttl_secs(wished == PromptCacheTtl::Hour)
}

/// The calls that start sub-agents.
fn tasks(calls: &[ToolCall]) -> impl Iterator<Item = &ToolCall> {
    calls.iter().filter(|call| call.name == TaskTool::NAME)
}

/// What the context engine tells sub-agents before their tasks, by the task.
fn briefs_for(agent: &mut Actor, calls: &[ToolCall]) -> BTreeMap<String, ChildBrief> {
    let ttl_secs = prompt_ttl_secs(agent);
    let since = agent.setup.clock.now();
    let cap_tokens = agent.setup.settings.agent.limits.subagent_window_tokens;
    let caller_tokens = agent.thread.asked_tokens;
    let engines = agent.thread.conversation.engines();
    let mut briefs = BTreeMap::new();
    for call in tasks(calls) {
        let argument = |name: &str| call.arguments[name].as_str().unwrap_or_default();
        let wish = SubagentWish {
            call: call.id.clone(),
            agent: argument("agent").to_owned(),
            task: argument("prompt").to_owned(),
            inherit: argument("inherit").to_owned(),
            cap_tokens,
            caller_tokens,
            ttl_secs,
        };
        if let Some(text) = engines.prepare_subagent(&wish) {
            let brief = ChildBrief {
                text,
                since,
                ttl_secs,
            };
            briefs.insert(wish.task, brief);
        }
    }
    briefs
}

/// Takes back what the context engine prepared for calls that started no sub-agent: of those
/// that begin from here on the last number was `before`.
pub(in crate::agent) fn release_children(agent: &mut Actor, calls: &[ToolCall], before: u64) {
    let children = &agent.children;
    let engines = agent.thread.conversation.engines();
    for call in tasks(calls).filter(|call| !children.has_started(&call.id, before)) {
        engines.subagent_ended(&EndedSubagent {
            call: call.id.clone(),
            reason: NOT_STARTED.to_owned(),
            result: String::new(),
        });
    }
}

impl Actor {
    /// What is started from here on takes what holds now, and what the context engine tells
    /// those that these calls start.
    pub(in crate::agent) fn prepare_children(&mut self, calls: &[ToolCall]) {
        let briefs = briefs_for(self, calls);
        let mut branch = self.thread.conversation.transcript().branch();
        let is_answer = |entry: &Arc<Entry>| {
            matches!(
                entry.message().map(AsRef::as_ref),
                Some(Message::Assistant(_))
            )
        };
        if let Some(at) = branch.iter().rposition(is_answer) {
            branch.truncate(at);
        }
        self.children.use_caller(CallerState {
            setup: Arc::clone(&self.setup),
            registry: Arc::clone(&self.model.connection.registry),
            model: self.model.connection.model.clone(),
            thinking: self.model.thinking,
            policy: self.toolbox.policy.clone(),
            tools: self.toolbox.tools.clone(),
            prompt: self.thread.prompt.clone(),
            bill: self.costs.bill.clone(),
            limit: self.cost_limit(),
            session: self.thread.conversation.path(),
            branch,
            asked_tokens: self.thread.asked_tokens,
            agents: self.setup.agents(),
            briefs,
        });
    }

    /// The sub-agents are those that the log of this conversation names.
    pub(in crate::agent) fn open_children(&self) {
        let conversation = &self.thread.conversation;
        let outputs = conversation.path().map(|path| outputs_folder(&path));
        // A sub-agent begins without any, whatever its fork inherited.
        let links = match self.setup.child {
            Some(_) => Vec::new(),
            None => links_of(conversation),
        };
        self.children.open(links, outputs.as_deref());
    }

    /// Keeps what happened to sub-agents in the log.
    pub(in crate::agent) async fn log_children(&mut self) {
        for link in self.children.take_unwritten() {
            if let Some(end) = &link.end {
                self.costs.usage = self.costs.usage.plus(end.usage);
                let ended = EndedSubagent {
                    call: link.call.clone(),
                    reason: end.state.clone(),
                    result: self.children.final_text(link.number),
                };
                self.thread.conversation.engines().subagent_ended(&ended);
            }
            let body = EntryBody::Child(Box::new(link));
            self.thread.append(body, Durability::Flush).await;
        }
    }

    /// Hands an answer to the sub-agent that asked; false when none of them did. What was
    /// allowed for more than the call holds here, too.
    pub(in crate::agent) async fn answer_child(
        &mut self,
        id: u64,
        decision: &ApprovalDecision,
    ) -> bool {
        let Some(answered) = self.children.answer(id, decision).await else {
            return false;
        };
        match answered.decision {
            ApprovalDecision::Session => self.allow_for_session(&answered.tool, None).await,
            ApprovalDecision::Pattern(pattern) => {
                self.allow_pattern(&answered.tool, pattern).await;
            }
            ApprovalDecision::Always(pattern) => self.allow_always(&answered.tool, pattern).await,
            ApprovalDecision::Once | ApprovalDecision::Deny { .. } => {}
        }
        true
    }

    /// Says something to a sub-agent.
    pub(in crate::agent) async fn tell_child(&mut self, id: ChildId, text: String) {
        if !self.children.steer(&id, text).await {
            self.no_such_child(&id).await;
        }
    }

    /// Stops a sub-agent.
    pub(in crate::agent) async fn stop_child(&mut self, id: ChildId) {
        if !self.children.stop(&id).await {
            self.no_such_child(&id).await;
        }
    }

    async fn no_such_child(&self, id: &ChildId) {
        let notice = Notice::info(format!("no sub-agent {id} is running"));
        self.events
            .notice(notice.with_hint("/agents lists them"))
            .await;
    }

    /// What was said in the session of a sub-agent.
    pub(in crate::agent) async fn show_child(&self, to: Option<QueryId>, id: ChildId) {
        let children = self.children.clone();
        // Its file may be long.
        let read = tokio::task::spawn_blocking(move || children.transcript(&id)).await;
        if let Ok(Some(transcript)) = read {
            let reply = QueryReply::Child(Box::new(transcript));
            self.events.reply(to, reply).await;
        } else {
            let notice = Notice::info("there is no such sub-agent");
            self.events
                .notice(notice.with_hint("/agents lists them"))
                .await;
        }
    }

    /// What sub-agents cost that the log does not say yet, by agent.
    pub(in crate::agent) fn unlogged_child_costs(&self) -> Vec<(String, ModelCost)> {
        self.children.unlogged_costs()
    }
}

impl Reminders<'_> {
    /// Tells the model which sub-agents have ended unseen; true when something was written.
    pub(crate) async fn tell_ended_children(&mut self) -> bool {
        let reports = self.agent.children.take_reports();
        for report in &reports {
            let body = EntryBody::note(NoteKind::Agent, report.clone());
            self.agent.thread.append(body, Durability::Flush).await;
        }
        self.agent.log_children().await;
        !reports.is_empty()
    }

    /// Names the sub-agents that run, when a summary stands for what said so.
    pub(crate) async fn repeat_children(&mut self, view: &ContextView) -> bool {
        let Some((calls, note)) = self.agent.children.running() else {
            return false;
        };
        let branch = self.agent.thread.conversation.transcript().branch();
        let source = branch
            .iter()
            .rev()
            .find(|entry| says_running(entry, &calls));
        let is_lost = source.is_some_and(|entry| is_summarised(view, &entry.id));
        if is_lost {
            let body = EntryBody::note(NoteKind::Agent, note);
            self.agent.thread.append(body, Durability::Flush).await;
        }
        is_lost
    }
}

/// Whether an entry tells the model that these run: the result of a call, or a note.
fn says_running(entry: &Entry, calls: &[String]) -> bool {
    match entry.message().map(AsRef::as_ref) {
        Some(Message::ToolResult(result)) => calls.contains(&result.call_id),
        Some(_) => false,
        None => entry.body.note_kind() == Some(NoteKind::Agent),
    }
}
