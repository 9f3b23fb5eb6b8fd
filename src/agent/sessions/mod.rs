//! Sessions around the conversation: another one in its place, models, its name, the exact
//! request.

pub(in crate::agent) mod branch;
pub(in crate::agent) mod export;
pub(in crate::agent) mod fidelity;
pub(in crate::agent) mod offline_session;
pub(in crate::agent) mod past_compaction;
pub(in crate::agent) mod practice;
pub(in crate::agent) mod search;
pub(in crate::agent) mod session_list;
pub(in crate::agent) mod title;

use std::path::PathBuf;
use std::sync::Arc;

use crate::agent::actor::Actor;
use crate::agent::protocol::{
    AgentEvent, CostLimitState, NotesView, Notice, QueryId, QueryReply, SessionCost, SessionEvent,
    ToolFreedom, ToolListing, WireView,
};
use crate::agent::setup::{AgentSetup, SessionSource};
use crate::agent::thread::conversation::Conversation;
use crate::agent::thread::request;
use crate::context::ViewItem;
use crate::engine::recall::RecallAddress;
use crate::engine::text::redact;
use crate::provider::Provider;
use crate::session::Durability;
use crate::tool::{Effect, Plan, Verdict};
use crate::transcript::{CompletionRequest, EntryBody, EntryId, ThinkingLevel, plural};

/// Opens, names, forks and exports sessions.
pub(in crate::agent) struct SessionActs<'a> {
    pub(in crate::agent) agent: &'a mut Actor,
}

impl<'a> SessionActs<'a> {
    pub(super) fn of(agent: &'a mut Actor) -> Self {
        Self { agent }
    }
}

impl SessionActs<'_> {
    pub(super) async fn new_session(&mut self) {
        self.agent.setup.servers.offer_anew();
        let source = match self.agent.setup.source {
            SessionSource::Memory | SessionSource::Practice => SessionSource::Memory,
            _ => SessionSource::New,
        };
        self.open_other(source).await;
    }

    pub(super) async fn resume(&mut self, path: PathBuf) {
        self.agent.setup.servers.offer_anew();
        self.open_other(SessionSource::Open(path)).await;
    }

    /// Opens a session at an entry.
    pub(super) async fn resume_at(&mut self, path: PathBuf, entry: EntryId) {
        self.open_at(SessionSource::Open(path), Some(entry)).await;
    }

    pub(super) async fn open_other(&mut self, source: SessionSource) {
        self.open_at(source, None).await;
    }

    async fn open_at(&mut self, source: SessionSource, found: Option<EntryId>) {
        let setup = AgentSetup {
            source,
            ..AgentSetup::clone(&self.agent.setup)
        };
        // It may be the same file. What cannot be saved is said when it is left.
        let _ = self.agent.thread.conversation.close();
        let context = setup.settings.context.clone();
        match Conversation::open(&setup, context) {
            Ok((mut conversation, notices)) => {
                conversation.found = found;
                self.agent.setup = Arc::new(setup);
                self.agent.replace_conversation(conversation, notices).await;
            }
            Err(error) => {
                let notice = Notice::error(error.to_string());
                self.agent
                    .events
                    .notice(notice.with_hint("the open session continues"))
                    .await;
            }
        }
    }

    pub(super) async fn list_models(&mut self, to: Option<QueryId>) {
        let models = self
            .agent
            .setup
            .model_choices(&self.agent.model.connection.registry);
        self.agent
            .events
            .reply(to, QueryReply::Models(models))
            .await;
        if self.agent.setup.flags.offline {
            return;
        }
        // The list is there at once; what the servers on this machine say comes after it.
        let (registry, setup) = (
            Arc::clone(&self.agent.model.connection.registry),
            Arc::clone(&self.agent.setup),
        );
        let events = self.agent.events.sender();
        tokio::spawn(async move {
            registry.survey().await;
            let choices = setup.model_choices(&registry);
            let _ = events
                .send(AgentEvent::Session(SessionEvent::ModelsListed(choices)))
                .await;
        });
    }

    pub(super) async fn show_cost(&mut self, to: Option<QueryId>) {
        let entries = self.agent.thread.conversation.transcript().entries();
        let mut account = SessionCost::of(entries.iter().map(AsRef::as_ref));
        for (agent, cost) in self.agent.unlogged_child_costs() {
            account.add_agent(&agent, &cost);
        }
        let max_usd = self.agent.setup.settings.agent.limits.max_cost_usd;
        account.limit = max_usd.map(|max_usd| CostLimitState {
            max_usd,
            spent_usd: self.agent.cost_limit().spent_usd(),
        });
        self.agent
            .events
            .reply(to, QueryReply::Cost(Box::new(account)))
            .await;
    }

    /// Where a text was said.
    pub(super) async fn recall(&mut self, to: Option<QueryId>, query: &str) {
        let desk = self.agent.toolbox.recall.clone();
        let report = Box::new(desk.report(&mut self.agent.thread, query));
        self.agent
            .events
            .reply(to, QueryReply::Recall(report))
            .await;
    }

    pub(super) async fn list_tools(&mut self, to: Option<QueryId>) {
        let ruler = self.agent.thread.current_ruler();
        let schemas = self.agent.toolbox.tools.schemas();
        let allowed = self.agent.toolbox.policy.permissions();
        let listed = schemas.iter().filter_map(|schema| {
            let effect = self.agent.toolbox.tools.get(&schema.name)?.effect();
            // A call that touches nothing outside, and that no pattern names.
            let verdict = self
                .agent
                .toolbox
                .policy
                .decide(&schema.name, effect, &Plan::default());
            Some(ToolListing {
                name: schema.name.clone(),
                schema_tokens: ruler.tools_tokens(std::slice::from_ref(schema)),
                does: match effect {
                    Effect::Read => "reads",
                    Effect::Edit => "changes files",
                    Effect::Execute => "runs programs",
                    Effect::Fetch => "reads the Internet",
                    Effect::Serve => "asks an MCP server",
                },
                inside: match verdict {
                    Verdict::Allow => ToolFreedom::Runs,
                    Verdict::Ask => ToolFreedom::Asks,
                    Verdict::Refuse(_) => ToolFreedom::Refused,
                },
                patterns: allowed
                    .iter()
                    .filter(|it| it.tool == schema.name && it.pattern.is_some())
                    .map(crate::tool::Permission::calls)
                    .collect(),
            })
        });
        let listed = listed.collect();
        self.agent.events.reply(to, QueryReply::Tools(listed)).await;
    }

    pub(super) async fn list_engines(&mut self, to: Option<QueryId>) {
        let listed = self.agent.thread.conversation.engines().listing();
        let reply = QueryReply::Engines(listed);
        self.agent.events.reply(to, reply).await;
    }

    pub(super) async fn set_thinking(&mut self, level: ThinkingLevel) {
        self.agent.model.thinking = level;
        let body = EntryBody::ThinkingLevelChange {
            level: level.name().to_owned(),
        };
        self.agent.thread.append(body, Durability::Buffered).await;
        let state = self.agent.model.reasoning_state();
        let model = &self.agent.model.connection.model.model;
        let text = match (&state, self.agent.model.reasoning_remark()) {
            (Some(state), Some(remark)) => format!("reasoning: {}; {remark}", state.words()),
            (Some(state), None) => format!("reasoning: {}", state.words()),
            // What a wish would be is not what is sent.
            (None, _) => format!(
                "{} is not known to reason: no reasoning level is sent",
                model.model
            ),
        };
        let events = &self.agent.events;
        events.emit(SessionEvent::Reasoning(state)).await;
        events.notice(Notice::info(text)).await;
    }

    pub(super) async fn rename(&mut self, name: String) {
        self.agent
            .thread
            .append(EntryBody::SessionInfo { name }, Durability::Buffered)
            .await;
    }

    /// Keeps a text for later. The prompt that the provider has cached stays as it is: the
    /// text is in the next one that is made anyway.
    pub(super) async fn remember(&mut self, text: &str) {
        let conversation = &self.agent.thread.conversation;
        let newest = conversation.transcript().ancestors().count();
        let origin = match newest.checked_sub(1).map(RecallAddress::at) {
            Some(address) => format!("session {}, {address}", conversation.id()),
            None => format!("session {}", conversation.id()),
        };
        let kept = self.agent.setup.memory().0.remember(text, &origin);
        let place = match kept {
            Ok(place) => place,
            Err(reason) => {
                self.agent.events.notice(Notice::warning(reason)).await;
                return;
            }
        };
        let mut notice = Notice::info(place);
        if self.agent.thread.conversation.transcript().is_empty() {
            self.agent.refresh_prompt_aloud().await;
            self.agent.thread.publish_view().await;
        } else {
            notice = notice.with_hint(
                "the model reads it from the next session or compaction on; until then the \
                 prompt stays unchanged for the provider's cache",
            );
        }
        self.agent.events.notice(notice).await;
    }

    /// Takes back what the model noted before a compaction of this session, the newest first.
    pub(super) async fn take_back_notes(&mut self) {
        let session = self.agent.thread.conversation.id();
        let notice = match self.agent.setup.memory().0.take_back(session) {
            Err(reason) => Notice::warning(reason),
            Ok(notes) if notes.is_empty() => {
                Notice::info("the model added no notes in this session")
            }
            Ok(notes) => {
                let many = plural(notes.len() as u64, "note");
                let text = format!("{many} removed: {}", notes.join(" · "));
                Notice::info(text).with_hint("the model reads the rest from the next compaction on")
            }
        };
        self.agent.events.notice(notice).await;
    }

    /// Sends the notes of this project.
    pub(super) async fn show_notes(&mut self, to: Option<QueryId>) {
        match self.agent.setup.memory().0.show() {
            Err(reason) => self.agent.events.notice(Notice::warning(reason)).await,
            Ok(shown) if shown.text.is_empty() => {
                let notice = Notice::info(format!("no notes yet in {}", shown.place));
                self.agent
                    .events
                    .notice(notice.with_hint("/remember TEXT adds one"))
                    .await;
            }
            Ok(shown) => {
                self.agent
                    .events
                    .reply(
                        to,
                        QueryReply::Notes(NotesView {
                            place: shown.place,
                            text: shown.text,
                        }),
                    )
                    .await;
            }
        }
    }

    /// The exact body of the next request, and what changed since the last one.
    pub(super) async fn show_wire(&mut self, to: Option<QueryId>) {
        let view = self.agent.thread.current_view();
        let cache_key = self.agent.thread.conversation.cache_key();
        let mut next = request::encode(
            &view,
            &self.agent.thread.context,
            self.agent.model.thinking,
            cache_key,
        );
        next.cache = self.agent.setup.settings.agent.network.prompt_cache;
        let registry = &self.agent.model.connection.registry;
        let body = match registry.encoder(&next.model) {
            Ok(encoder) => shown_body(encoder.as_ref(), &next),
            Err(error) => {
                self.agent
                    .events
                    .notice(Notice::error(error.to_string()))
                    .await;
                return;
            }
        };
        let last = self.agent.thread.last_request.as_ref();
        let (prefix, first_difference) = last.map_or((None, None), |last| compare(last, &next));
        let is_same_frame = last.is_some_and(|last| frame_difference(last, &next).is_none());
        let wire = WireView {
            target: self.wire_target(),
            body,
            // Another model may have answered last, in another wire format.
            last_body: last.and_then(|last| {
                let encoder = registry.encoder(&last.model).ok()?;
                Some(shown_body(encoder.as_ref(), last))
            }),
            unchanged_prefix_tokens: prefix.map(|messages| {
                // System prompt and tools, where they are the same.
                let is_frame = |item: &&Arc<ViewItem>| item.category.is_frame();
                let frame = view.items.iter().take_while(is_frame).count();
                let frame = if is_same_frame { frame } else { 0 };
                let unchanged = view.items.iter().take(frame + messages);
                unchanged.map(|item| item.tokens).sum()
            }),
            first_difference,
            cache: self
                .agent
                .thread
                .conversation
                .cache_diagnosis()
                .map(|diagnosis| diagnosis.in_words()),
        };
        self.agent
            .events
            .reply(to, QueryReply::Wire(Box::new(wire)))
            .await;
    }

    /// Where requests of the model go, without secrets.
    fn wire_target(&self) -> String {
        let connection = &self.agent.model.connection;
        let address = connection.registry.address(&connection.model.model);
        address.map_or_else(
            || "in this process, no network".to_owned(),
            |address| format!("POST {}", masked(&address.url)),
        )
    }
}

impl Actor {
    /// Reads rules and memory afresh. Only where the prefix of the requests changes anyway:
    /// with a summary, and before anything was said. Gives what was not said about them yet.
    pub(super) fn refresh_prompt(&mut self) -> Vec<Notice> {
        let prompt = self.setup.prompt(&self.model.connection.model);
        let known = std::mem::replace(&mut self.thread.prompt, prompt).notices;
        self.thread.context.system = Arc::clone(&self.thread.prompt.system);
        self.thread.context.memory = self.thread.prompt.memory.clone();
        self.thread.context.skills = self.thread.prompt.skills.part().map(Arc::from);
        self.thread.context.workspace_rules = self.thread.prompt.workspace_rules.clone();
        self.toolbox.scope.skill_dirs = self.thread.prompt.skill_dirs();
        let model = &self.model.connection.model;
        self.toolbox.tools = self.setup.tools_for(&self.thread.prompt, model);
        let schemas = self.toolbox.tools.schemas();
        self.thread.context.servers = self.setup.servers.groups(&schemas);
        self.thread.context.tools = schemas;
        let news = self.thread.prompt.notices.iter();
        news.filter(|notice| !known.contains(notice))
            .cloned()
            .collect()
    }

    /// Refreshes the prompt and sends the new notices.
    pub(super) async fn refresh_prompt_aloud(&mut self) {
        for notice in self.refresh_prompt() {
            self.events.notice(notice).await;
        }
    }
}

/// A body for people: indented, with what looks like a secret masked.
fn shown_body(encoder: &dyn Provider, request: &CompletionRequest) -> String {
    let text = serde_json::to_string_pretty(&encoder.wire_body(request)).unwrap_or_default();
    redact(&text).into_owned()
}

/// Unchanged messages at the start, and where the first difference is.
pub(in crate::agent) fn compare(
    last: &CompletionRequest,
    next: &CompletionRequest,
) -> (Option<usize>, Option<String>) {
    if let Some(difference) = frame_difference(last, next) {
        return (Some(0), Some(difference.to_owned()));
    }
    let same = last
        .messages
        .iter()
        .zip(&next.messages)
        .take_while(|(a, b)| a.message == b.message)
        .count();
    let difference = (same < last.messages.len()).then(|| {
        let entry = next
            .messages
            .get(same)
            .and_then(|message| message.entry.clone());
        match entry {
            Some(entry) => format!("message {} (entry {entry}) differs", same + 1),
            None => format!("message {} differs", same + 1),
        }
    });
    (Some(same), difference)
}

/// Names the changed parts before all messages, which make every cache useless.
fn frame_difference(last: &CompletionRequest, next: &CompletionRequest) -> Option<&'static str> {
    if last.model != next.model {
        return Some("everything: each model has a prompt cache of its own");
    }
    if last.system != next.system {
        return Some("the system prompt differs");
    }
    (last.tools != next.tools).then_some("the tools differ")
}

/// An address without user name and password.
pub(in crate::agent) fn masked(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, rest))) => format!("{scheme}://…@{rest}"),
        _ => url.to_owned(),
    }
}
