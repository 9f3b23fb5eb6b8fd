//! Two conversations, one screen: while the practice session of the introduction is shown,
//! the user's own waits as it was.
//!
//! Invariant: what is written in practice is not kept, except a draft that is carried over.

use std::mem::swap;

use super::super::model::Model;
use super::super::msg::Msg;
use super::super::tour::Tour;
use super::link::AgentLink;
use super::{Runner, model};
use crate::clock::{self, Clock};

/// One conversation: its agent, and what is known of it.
pub(super) struct ChatSession {
    model: Model,
    agent: AgentLink,
}

impl Runner {
    /// Shows a practice session instead of the conversation.
    pub(super) fn begin_tour(&mut self) {
        if self.waiting_chat.is_some() {
            return;
        }
        let agent = (self.practice)();
        let mut model = model(&self.options);
        model.composer = super::super::composer::Composer::default();
        model.composer.vi = self.options.vi.then(super::Vi::default);
        model.attention.is_away = self.model.attention.is_away;
        model.introduction.tour = Some(Tour::default());
        let mut practice = ChatSession {
            model,
            agent: AgentLink::new(agent.ops, agent.events),
        };
        self.load_highlighter(&mut practice.model);
        self.swap_with(&mut practice);
        self.waiting_chat = Some(practice);
        self.frames.request(clock::instant());
    }

    /// Goes on with the user's own conversation.
    pub(super) fn end_tour(&mut self) {
        let Some(mut chat) = self.waiting_chat.take() else {
            return;
        };
        self.swap_with(&mut chat);
        // An agent whose channels are gone finishes by itself.
        let ChatSession {
            model: practice, ..
        } = chat;
        let draft = practice.composer.buffer.text();
        if self.model.composer.buffer.is_empty() && !draft.starts_with('/') {
            self.model.composer.buffer.replace(&draft);
        }
        // A theme that was chosen meanwhile stays; what was drawn in another one does not.
        let generation = self.model.look.generation.max(practice.look.generation) + 1;
        self.model.look = practice.look;
        self.model.look.generation = generation;
        self.model.attention.is_away = practice.attention.is_away;
        self.handle(Msg::Tick(Clock::default().now()));
        self.frames.request(clock::instant());
    }

    fn swap_with(&mut self, chat: &mut ChatSession) {
        swap(&mut self.model, &mut chat.model);
        swap(&mut self.agent, &mut chat.agent);
        self.model.screens.wants_clear = true;
    }
}
