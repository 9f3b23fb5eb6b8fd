//! What messages of the user take from MCP servers: resources and prompts, read before the
//! message is in the log.

use std::sync::Arc;

use crate::agent::actor::Actor;
use crate::agent::mailbox::TurnStop;
use crate::agent::protocol::Notice;
use crate::transcript::Image;

/// See the module's description.
pub(in crate::agent) struct ServerTexts<'a> {
    agent: &'a mut Actor,
}

/// Why a message is not sent.
pub(in crate::agent) enum NotFilled {
    Stopped(TurnStop),
    /// A server does not give the prompt that it asks for. Why, as a clause.
    NoPrompt(String),
}

/// A message as it is sent.
pub(in crate::agent) struct WholeMessage {
    pub text: String,
    pub images: Vec<Image>,
}

impl<'a> ServerTexts<'a> {
    pub(in crate::agent) fn of(agent: &'a mut Actor) -> Self {
        Self { agent }
    }
}

impl ServerTexts<'_> {
    /// A message with what it takes from servers; what is typed meanwhile is heard.
    pub(in crate::agent) async fn whole(
        &mut self,
        text: &str,
        images: &[Image],
    ) -> Result<WholeMessage, NotFilled> {
        let servers = Arc::clone(&self.agent.setup.servers);
        let mut whole = WholeMessage {
            text: text.to_owned(),
            images: images.to_vec(),
        };
        // What a sub-agent is asked is the words of a model.
        if self.agent.setup.child.is_some() || !servers.is_mentioned(text) {
            return Ok(whole);
        }
        let typed = text.to_owned();
        let filling = async move { servers.filled(&typed).await };
        let filled = Box::pin(self.agent.wait(Box::pin(filling))).await;
        let filled = filled.map_err(NotFilled::Stopped)?;
        let filled = filled.map_err(NotFilled::NoPrompt)?;
        for problem in filled.problems {
            let notice = Notice::warning(problem).with_hint("the message is sent without it");
            self.agent.events.notice(notice).await;
        }
        whole.text = filled.text;
        whole.images.extend(filled.images);
        Ok(whole)
    }
}
