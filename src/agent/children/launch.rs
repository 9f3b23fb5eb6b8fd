//! What a sub-agent begins with: its setup, what it inherits, and what its first request costs.
//!
//! A fork inherits the prompt of its caller byte for byte, so that the provider's cache serves
//! it: system prompt, tools and all that was sent stay as they are, and its task comes after.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::report::Forecast;
use super::role::{ChildRole, MAX_DEPTH, OfferedTools};
use crate::agent::cost::bill::UnloggedCost;
use crate::agent::cost::limit::CostLimit;
use crate::agent::setup::{AgentSetup, SessionSource, SystemPrompt};
use crate::config::{
    AgentDefinition, AgentDefinitions, AgentTools, DEFAULT_AGENT, parse_model, tool_name,
};
use crate::disk::private;
use crate::provider::{Registry, priced};
use crate::session::{self, Header};
use crate::tool::{ApprovalPolicy, Inheritance, TaskCall, ToolError, ToolSet};
use crate::transcript::{
    ChildLink, Entry, EntryBody, Message, ModelInfo, ModelRef, PromptCache, ThinkingLevel,
    Timestamp, Usage,
};

/// Before the task of a fork.
pub(super) const FORK_NOTE: &str = "[You are now a sub-agent of this conversation. Do \
    only the task below; your final message goes back as its result, and nothing else does.]";
/// Characters of a message in what is inherited as a summary, and of all of it.
const MESSAGE_CHARS: usize = 600;
const SUMMARY_CHARS: usize = 12_000;
/// Characters per token where nothing is counted exactly.
const CHARS_PER_TOKEN: u64 = 4;
/// The folder of the sessions of sub-agents, below the outputs of their caller's session.
const AGENTS_FOLDER: &str = "agents";

/// What a sub-agent takes from whoever starts it, as that is now.
pub(in crate::agent) struct CallerState {
    pub setup: Arc<AgentSetup>,
    pub registry: Arc<Registry>,
    pub model: ModelInfo,
    pub thinking: ThinkingLevel,
    pub policy: ApprovalPolicy,
    pub tools: ToolSet,
    pub prompt: SystemPrompt,
    pub bill: UnloggedCost,
    pub limit: CostLimit,
    pub session: Option<PathBuf>,
    /// The conversation without the answer that calls.
    pub branch: Vec<Arc<Entry>>,
    /// Tokens of the newest prompt.
    pub asked_tokens: u64,
    pub agents: AgentDefinitions,
    /// What the context engine tells a sub-agent before its task, by the task.
    pub briefs: BTreeMap<String, ChildBrief>,
}

/// What a context engine tells a sub-agent.
pub(in crate::agent) struct ChildBrief {
    pub text: String,
    /// When that was.
    pub since: Timestamp,
    /// One that begins after so many seconds begins without it.
    pub ttl_secs: u64,
}

/// A sub-agent that is ready to start.
pub(super) struct ChildLaunch {
    pub setup: AgentSetup,
    pub model: ModelRef,
    pub session: Option<PathBuf>,
    /// Without the call.
    pub link: ChildLink,
    /// Its first message.
    pub prompt: String,
}

/// The agent and the model of a call.
struct ChosenAgent<'a> {
    definition: &'a AgentDefinition,
    model: ModelInfo,
}

impl CallerState {
    fn depth(&self) -> usize {
        let role = self.setup.child.as_ref();
        role.map_or(0, |role| role.depth)
    }

    /// What the context engine tells the sub-agent of this call before its task.
    fn brief(&self, call: &TaskCall) -> Option<&str> {
        let brief = self.briefs.get(&call.prompt)?;
        let age_secs = self.setup.clock.now().secs_since(brief.since);
        (age_secs < brief.ttl_secs).then_some(brief.text.as_str())
    }

    fn choose(&self, call: &TaskCall) -> Result<ChosenAgent<'_>, ToolError> {
        if self.depth() >= MAX_DEPTH {
            return Err(ToolError(
                "task: a sub-agent of a sub-agent starts no further ones; do it yourself."
                    .to_owned(),
            ));
        }
        if call.is_background && self.depth() > 0 {
            return Err(ToolError(
                "task: a sub-agent waits for its own sub-agents; call without `background`."
                    .to_owned(),
            ));
        }
        let name = call.agent.as_deref().unwrap_or(DEFAULT_AGENT);
        let definition = self
            .agents
            .find(name)
            .ok_or_else(|| ToolError(format!("task: there is no agent `{name}`.")))?;
        let model = match (&call.model, &definition.model) {
            _ if call.inherit == Inheritance::Fork => None,
            (Some(text), _) => Some(parse_model(text).ok_or_else(|| {
                ToolError(format!("task: the model `{text}` is not provider/model."))
            })?),
            (None, own) => own.clone(),
        };
        let model = match model {
            None => self.model.clone(),
            Some(model) => {
                if let Err(error) = self.registry.provider(&model) {
                    return Err(ToolError(format!("task: {model} cannot be used: {error}")));
                }
                self.registry.model_info(&model)
            }
        };
        if call.inherit == Inheritance::Fork && self.session.is_none() {
            return Err(ToolError(
                "task: this session has no file, so it cannot be forked; use `inherit`: none or \
                 summary."
                    .to_owned(),
            ));
        }
        Ok(ChosenAgent { definition, model })
    }

    /// Tokens of the system prompt and the tools.
    fn fixed_tokens(&self, definition: &AgentDefinition) -> u64 {
        let tools = self.tools.schemas();
        let tools: usize = tools
            .iter()
            .map(|tool| tool.description.len() + tool.parameters.to_string().len())
            .sum();
        let chars = self.prompt.system.len() + definition.prompt.len() + tools;
        chars as u64 / CHARS_PER_TOKEN
    }
}

/// What a start would do, in one line.
pub(super) fn forecast(caller: &CallerState, call: &TaskCall) -> Result<String, ToolError> {
    let chosen = caller.choose(call)?;
    let brief = caller.brief(call).map_or(0, str::len);
    let prompt = (call.prompt.len() + brief) as u64 / CHARS_PER_TOKEN;
    let (inherits, tokens, cached_tokens) = match call.inherit {
        Inheritance::None => (
            "nothing",
            caller.fixed_tokens(chosen.definition) + prompt,
            0,
        ),
        Inheritance::Summary => {
            let summary = summary_of(&caller.branch).len() as u64 / CHARS_PER_TOKEN;
            let fixed = caller.fixed_tokens(chosen.definition);
            ("a summary", fixed + summary + prompt, 0)
        }
        Inheritance::Fork => {
            let all = caller.asked_tokens;
            let cached = (chosen.model.prompt_cache != PromptCache::None).then_some(all);
            ("the conversation", all + prompt, cached.unwrap_or_default())
        }
    };
    let usage = Usage {
        input_tokens: tokens.saturating_sub(cached_tokens),
        cache_read_tokens: cached_tokens,
        ..Usage::default()
    };
    let other_model =
        (chosen.model.model != caller.model.model).then(|| chosen.model.model.to_string());
    let forecast = Forecast {
        agent: &chosen.definition.name,
        task: &call.description,
        inherits,
        tokens,
        cached_tokens,
        usage: priced(usage, &chosen.model),
        model: other_model,
    };
    Ok(forecast.words())
}

/// Everything that the sub-agent with this number starts with. A fork's file is written.
pub(super) async fn plan(
    caller: &CallerState,
    call: &TaskCall,
    number: u64,
) -> Result<ChildLaunch, ToolError> {
    let chosen = caller.choose(call)?;
    let clock = caller.setup.clock;
    let id = clock.session_id();
    let session = caller
        .session
        .as_deref()
        .map(|path| session::outputs_folder(path).join(file_name(number)));
    if let Some(path) = &caller.session {
        make_folder(path)?;
    }
    let source = match (&session, call.inherit) {
        (Some(target), Inheritance::Fork) => {
            fork(caller, target, &id).await?;
            SessionSource::Open(target.clone())
        }
        (Some(path), Inheritance::None | Inheritance::Summary) => SessionSource::File(path.clone()),
        (None, _) => SessionSource::Memory,
    };
    let link = ChildLink {
        number,
        agent: chosen.definition.name.clone(),
        task: call.description.clone(),
        session: id.clone(),
        file: if session.is_some() {
            file_name(number)
        } else {
            String::new()
        },
        model: chosen.model.model.to_string(),
        is_background: call.is_background,
        ..ChildLink::default()
    };
    Ok(ChildLaunch {
        setup: setup_of(caller, call, &chosen, source, id),
        model: chosen.model.model.clone(),
        session,
        link,
        prompt: first_message(caller, call),
    })
}

/// Makes the folder of the sessions of sub-agents. It may have come with the session from
/// elsewhere, and is no link.
fn make_folder(session: &Path) -> Result<(), ToolError> {
    let outputs = session::outputs_folder(session);
    let agents = outputs.join(AGENTS_FOLDER);
    private::create_unlinked_folder(&outputs)
        .and_then(|()| private::create_unlinked_folder(&agents))
        .map_err(|error| ToolError(format!("task: no session for a sub-agent: {error}")))
}

fn file_name(number: u64) -> String {
    format!("{AGENTS_FOLDER}/{number}.jsonl")
}

async fn fork(caller: &CallerState, target: &Path, id: &str) -> Result<(), ToolError> {
    let Some(source) = caller.session.clone() else {
        return Ok(());
    };
    let cwd = caller.setup.cwd.display().to_string();
    let mut header = Header::new(id, caller.setup.clock.now(), cwd);
    header.parent_session = Some(source.display().to_string());
    let (target, branch) = (target.to_owned(), caller.branch.clone());
    let forked =
        tokio::task::spawn_blocking(move || session::fork(&source, &target, &header, &branch));
    match forked.await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(ToolError(format!(
            "task: the session was not forked: {error}"
        ))),
        Err(_) => Err(ToolError("task: the session was not forked.".to_owned())),
    }
}

fn setup_of(
    caller: &CallerState,
    call: &TaskCall,
    chosen: &ChosenAgent<'_>,
    source: SessionSource,
    id: String,
) -> AgentSetup {
    let is_fork = call.inherit == Inheritance::Fork;
    let mut setup = caller.setup.as_ref().clone();
    setup.source = source;
    // Servers of tools are its caller's, and end with it.
    setup.sources = setup.sources.lent();
    setup.notices = Vec::new();
    setup.flags.model = Some(chosen.model.model.to_string());
    setup.flags.plan_mode = caller.policy.is_plan_mode();
    setup.is_interactive = false;
    setup.is_watched = false;
    let agent = &mut setup.settings.agent;
    agent.thinking = caller.thinking;
    agent.limits.max_turns = call.max_turns.or(agent.limits.max_turns);
    if !is_fork {
        let words = [
            agent.prompt.append.take(),
            Some(chosen.definition.prompt.clone()),
        ];
        agent.prompt.append = Some(words.into_iter().flatten().collect::<Vec<_>>().join("\n\n"));
        let of_all = agent.limits.subagent_window_tokens;
        let window = &mut setup.settings.context.window;
        let caps = [
            of_all,
            window.subagent_cap_tokens,
            chosen.definition.window_cap,
        ];
        window.subagent_cap_tokens = caps.into_iter().flatten().min();
    }
    let tools = if is_fork {
        OfferedTools::Same(caller.tools.clone())
    } else if call.tools.is_empty() {
        OfferedTools::Part(chosen.definition.tools.clone())
    } else {
        let names = call.tools.iter().map(|name| tool_name(name));
        OfferedTools::Part(AgentTools::Only(names.collect()))
    };
    let role = ChildRole {
        depth: caller.depth() + 1,
        session: id,
        caller: caller.session.clone(),
        registry: Arc::clone(&caller.registry),
        policy: caller.policy.clone(),
        can_ask: caller.setup.can_ask(),
        tools,
        prompt: is_fork.then(|| caller.prompt.clone()),
        bill: caller.bill.clone(),
        limit: caller.limit.clone(),
    };
    setup.child = Some(Arc::new(role));
    setup
}

fn first_message(caller: &CallerState, call: &TaskCall) -> String {
    let task = match caller.brief(call) {
        Some(brief) => format!("{brief}\n\n{}", call.prompt),
        None => call.prompt.clone(),
    };
    match call.inherit {
        Inheritance::None => task,
        Inheritance::Summary => format!(
            "[The conversation that this task is a part of, in short:\n{}]\n\n{}",
            summary_of(&caller.branch),
            task
        ),
        Inheritance::Fork => format!("{FORK_NOTE}\n\n{task}"),
    }
}

/// A conversation in short, without a model: its newest summary, then the beginning of each
/// message of the person and of each answer; the newest ones when not all of them have room.
fn summary_of(branch: &[Arc<Entry>]) -> String {
    let newest = branch
        .iter()
        .rposition(|entry| matches!(entry.body, EntryBody::Compaction(_)));
    let summary = newest
        .and_then(|at| branch.get(at))
        .and_then(|entry| match &entry.body {
            EntryBody::Compaction(compaction) => Some(compaction.summary.trim().to_owned()),
            _ => None,
        });
    let since = branch.iter().skip(newest.map_or(0, |at| at + 1));
    let lines: Vec<String> = since.filter_map(|entry| line_of(entry)).collect();
    let mut room = SUMMARY_CHARS;
    let mut kept: Vec<&str> = Vec::new();
    for line in lines.iter().rev() {
        let chars = line.chars().count();
        if chars > room {
            kept.push("[…]");
            break;
        }
        room -= chars;
        kept.push(line);
    }
    kept.reverse();
    let parts = summary.iter().map(String::as_str).chain(kept);
    parts.collect::<Vec<_>>().join("\n\n")
}

fn line_of(entry: &Entry) -> Option<String> {
    let (who, text) = match entry.message()?.as_ref() {
        message @ Message::User(_) => ("User", message.text()),
        Message::Assistant(answer) => ("Assistant", answer.text()),
        Message::ToolResult(_) | Message::BashExecution(_) => return None,
    };
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let head: String = text.chars().take(MESSAGE_CHARS).collect();
    let more = if head.len() < text.len() {
        " […]"
    } else {
        ""
    };
    Some(format!("{who}: {head}{more}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::testing::entry;
    use crate::transcript::{AssistantMessage, AssistantPart, Compaction};

    fn user(id: &str, text: &str) -> Arc<Entry> {
        let message = Message::user_text(text);
        Arc::new(entry(id, EntryBody::Message(Arc::new(message))))
    }

    fn answer(id: &str, text: &str) -> Arc<Entry> {
        let message = Message::Assistant(AssistantMessage {
            content: vec![AssistantPart::Text(text.to_owned())],
            ..AssistantMessage::default()
        });
        Arc::new(entry(id, EntryBody::Message(Arc::new(message))))
    }

    #[test]
    fn a_summary_begins_with_the_newest_one_and_has_what_was_said_since() {
        let compaction = Compaction {
            summary: "What was before.".to_owned(),
            ..Compaction::default()
        };
        let compaction = EntryBody::Compaction(Box::new(compaction));
        let branch = [
            user("a", "old"),
            Arc::new(entry("b", compaction)),
            user("c", "Fix it"),
            answer("d", "Done."),
            user("e", &"x".repeat(5_000)),
        ];
        let text = summary_of(&branch);
        let head = "What was before.\n\nUser: Fix it\n\nAssistant: Done.\n\nUser: xxx";
        assert!(text.starts_with(head), "{text}");
        assert!(text.ends_with("x […]") && text.len() < 1_000, "{text}");
    }

    #[test]
    fn a_long_conversation_keeps_its_newest_messages() {
        let branch: Vec<_> = (0..100)
            .map(|n| answer(&format!("e{n}"), &format!("{n} {}", "y".repeat(1_000))))
            .collect();
        let text = summary_of(&branch);
        assert!(text.starts_with("[…]\n\nAssistant: "), "{text}");
        assert!(text.contains("Assistant: 99 ") && !text.contains("Assistant: 0 "));
        assert!(text.chars().count() < SUMMARY_CHARS + 200);
    }
}
