//! A session with its request context and no actor, for the commands. The views are the
//! actor's own: same conversation, same request context, same order.
//!
//! Nothing is sent here, and with [`SessionSource::Read`](crate::agent::SessionSource::Read)
//! nothing is written or locked.

use std::sync::Arc;

use crate::agent::protocol::Notice;
use crate::agent::sessions::compare;
use crate::agent::setup::{AgentSetup, ModelConnection, SystemPrompt};
use crate::agent::thread::conversation::{Conversation, SettledView};
use crate::agent::thread::request;
use crate::agent::{Clock, StartError};
use crate::context::{ContextView, Evaluation, RequestContext, ShrinkMode};
use crate::engine::counting::{TokenCounting, ruler_of};
use crate::provider::ProviderError;
use crate::transcript::{CompletionRequest, Entry, Message, ModelRef, ThinkingLevel};

/// See the module's description.
pub struct OfflineSession {
    /// The session.
    pub conversation: Conversation,
    /// The facts besides the log that a view depends on.
    pub request_context: RequestContext,
    /// The model that would answer, and its connection.
    pub connection: ModelConnection,
    /// The reasoning level in force.
    pub thinking: ThinkingLevel,
    /// Counted as the next message, and part of no request.
    draft: Option<Arc<Message>>,
    setup: AgentSetup,
    prompt: SystemPrompt,
}

/// How a request differs from the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestChange {
    /// Messages at the start that are the same.
    pub unchanged_messages: usize,
    /// Where the first difference is, in words; `None` when messages were only added.
    pub first_difference: Option<String>,
    /// What the server said of its prompt cache when it answered that one, in words.
    pub cache: Option<String>,
}

impl OfflineSession {
    /// Opens a session and counts it with the ruler that the settings name. A model that
    /// the command line, the settings or the session name is taken as it is: no key is
    /// needed to look, and no server is asked. Notices say what was wrong with the file.
    pub async fn open(setup: AgentSetup) -> Result<(Self, Vec<Notice>), StartError> {
        let context = setup.settings.context.clone();
        let (conversation, notices) = Conversation::open(&setup, context)?;
        let connection = choose(&setup, conversation.last_model()).await?;
        let prompt = setup.prompt(&connection.model);
        let request_context = setup.surroundings(
            &prompt,
            &setup.tools_for(&prompt, &connection.model),
            connection.model.clone(),
            &conversation.lineage(),
        );
        let thinking = conversation
            .last_thinking()
            .unwrap_or(setup.settings.agent.thinking);
        let mut lookout = Self {
            conversation,
            request_context,
            connection,
            thinking,
            draft: None,
            setup,
            prompt,
        };
        lookout.count_exactly();
        Ok((lookout, notices))
    }

    fn count_exactly(&mut self) {
        let model = &self.connection.model;
        let mut context = self.setup.settings.context_for(&model.model);
        context.server = self
            .connection
            .registry
            .server_context(&model.model, context.server);
        let ruler = ruler_of(context.ruler, TokenCounting::of(model));
        self.conversation.use_ruler(Arc::new(context), ruler);
    }

    /// Name of the preset that the settings are laid over.
    pub fn preset(&self) -> &'static str {
        self.setup.settings.preset.name()
    }

    /// Counts this text as the next message; an empty one as none.
    pub fn set_pending(&mut self, text: Option<&str>) {
        self.draft = text
            .filter(|text| !text.trim().is_empty())
            .map(|text| Arc::new(Message::user_text(text)));
    }

    /// Puts another provider's default model in charge. Fails when there is no such
    /// provider.
    pub fn use_provider(&mut self, id: &str) -> Result<(), ProviderError> {
        let registry = Arc::clone(&self.connection.registry);
        let current = &self.connection.model.model;
        let model = if current.provider == id {
            current.clone()
        } else {
            registry
                .default_model(id)
                .unwrap_or_else(|| ModelRef::new(id, current.model.clone()))
        };
        registry.encoder(&model)?;
        self.connection =
            ModelConnection::new(registry, &model, "named on the command line".to_owned());
        let info = self.connection.model.clone();
        let lineage = self.conversation.lineage();
        self.request_context = self.setup.surroundings(
            &self.prompt,
            &self.setup.tools_for(&self.prompt, &info),
            info,
            &lineage,
        );
        self.count_exactly();
        Ok(())
    }

    /// The view of the next request, with what counts as typed.
    pub fn view(&mut self) -> ContextView {
        let view = self.evaluate(ShrinkMode::default()).view;
        match &self.draft {
            Some(draft) => self.conversation.with_draft(view, draft),
            None => view,
        }
    }

    /// The view of the next request with the decisions that it would record.
    pub fn evaluate(&mut self, pressure: ShrinkMode) -> Evaluation {
        self.conversation.evaluate(&self.request_context, pressure)
    }

    /// Records those decisions.
    pub fn settle(&mut self, pressure: ShrinkMode) -> SettledView {
        self.conversation.settle(&self.request_context, pressure)
    }

    /// The next request, in no provider's format.
    pub fn request(&mut self) -> CompletionRequest {
        let view = self.evaluate(ShrinkMode::default()).view;
        let request = request::encode(
            &view,
            &self.request_context,
            self.thinking,
            self.conversation.cache_key(),
        );
        CompletionRequest {
            cache: self.setup.settings.agent.network.prompt_cache,
            ..request
        }
    }

    /// The exact body of the next request. Needs no key.
    pub fn wire_body(&mut self) -> Result<serde_json::Value, ProviderError> {
        let encoder = self
            .connection
            .registry
            .encoder(&self.connection.model.model)?;
        Ok(encoder.wire_body(&self.request()))
    }

    /// The changes since the request that the newest answer came from; `None` before the first
    /// answer. Moves the leaf there and back: for sessions that are only read.
    pub fn change_since_previous(&mut self) -> Option<RequestChange> {
        let next = self.request();
        let branch = self.conversation.transcript().branch();
        let answer: &Arc<Entry> = branch.iter().rev().find(|entry| {
            matches!(
                entry.message().map(AsRef::as_ref),
                Some(Message::Assistant(_))
            )
        })?;
        let leaf = self.conversation.transcript().leaf().cloned();
        self.conversation.move_leaf(answer.parent.clone());
        let before = self.conversation.evaluate_at(
            &self.request_context,
            ShrinkMode::default(),
            Clock::new(Some(answer.timestamp)).now(),
        );
        let previous = request::encode(
            &before.view,
            &self.request_context,
            self.thinking,
            next.cache_key.clone(),
        );
        self.conversation.move_leaf(leaf);
        let (same, first_difference) = compare(&previous, &next);
        Some(RequestChange {
            unchanged_messages: same.unwrap_or(0),
            first_difference,
            cache: self
                .conversation
                .cache_diagnosis()
                .map(|diagnosis| diagnosis.in_words()),
        })
    }
}

/// Flag ▸ settings ▸ the session's model, whether or not a key is set ▸ whatever is there.
async fn choose(setup: &AgentSetup, last: Option<ModelRef>) -> Result<ModelConnection, StartError> {
    let registry = Arc::new(setup.registry());
    let is_asked_for = setup.flags.model.is_some()
        || setup.flags.offline
        || setup.settings.agent.base_url.is_some();
    let is_named = is_asked_for || setup.settings.agent.model.is_some();
    if let (false, Some(model)) = (is_named, &last) {
        let reason = "used last in this session".to_owned();
        return Ok(ModelConnection::new(registry, model, reason));
    }
    let is_known =
        last.is_some() || setup.flags.model.is_some() || setup.settings.agent.model.is_some();
    setup
        .choose_among(registry, last, !is_known)
        .await
        .map_err(StartError::Model)
}
