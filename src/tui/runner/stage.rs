//! Two conversations, one screen: the practice session of the introduction stands in front
//! of the user's own, which waits as it was.
//!
//! Invariant: what is written in practice is not kept, except a draft that is carried over.

use std::collections::VecDeque;
use std::mem::swap;

use tokio::sync::mpsc;

use super::super::model::Model;
use super::super::msg::Msg;
use super::super::tour::Tour;
use super::{Runner, model};
use crate::agent::{AgentEvent, Op};
use crate::clock::{self, Clock};

/// One conversation: its agent, and what is known of it.
pub(super) struct Stage {
    /// All that the interface knows.
    model: Model,
    ops: mpsc::Sender<Op>,
    outbox: VecDeque<Op>,
    /// What happens meanwhile waits here.
    events: mpsc::Receiver<AgentEvent>,
}

impl Runner {
    /// Opens a practice session in front of the conversation.
    pub(super) fn begin_tour(&mut self) {
        if self.behind.is_some() {
            return;
        }
        let agent = (self.practice)();
        let mut model = model(&self.options);
        model.composer = super::super::composer::Composer::default();
        model.composer.vi = self.options.vi.then(super::Vi::default);
        model.attention.is_away = self.model.attention.is_away;
        model.tour = Some(Tour::default());
        let mut practice = Stage {
            model,
            ops: agent.ops,
            outbox: VecDeque::new(),
            events: agent.events,
        };
        self.load_highlighter(&mut practice.model);
        self.swap_with(&mut practice);
        self.behind = Some(practice);
        self.frames.request(clock::instant());
    }

    /// Goes on with the conversation behind the practice session.
    pub(super) fn end_tour(&mut self) {
        let Some(mut stage) = self.behind.take() else {
            return;
        };
        self.swap_with(&mut stage);
        // An agent whose channels are gone finishes by itself.
        let Stage {
            model: practice, ..
        } = stage;
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

    fn swap_with(&mut self, stage: &mut Stage) {
        swap(&mut self.model, &mut stage.model);
        swap(&mut self.ops, &mut stage.ops);
        swap(&mut self.outbox, &mut stage.outbox);
        swap(&mut self.events, &mut stage.events);
        self.model.wants_clear = true;
    }
}
