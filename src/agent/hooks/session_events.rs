//! Hooks around messages, turns and sessions.

use serde_json::json;

use super::answer::HookText;
use super::run_event::EventHooks;
use crate::agent::exit;
use crate::agent::mailbox::TurnStop;
use crate::agent::mentions::NotFilled;
use crate::agent::protocol::{Notice, ReturnedInput, TurnEnd, TurnEvent};
use crate::agent::turn::TurnLoop;
use crate::agent::turn::failure::failure;
use crate::agent::turn::state::{TurnState, stopped};
use crate::config::HookEvent;
use crate::engine::text::one_line;
use crate::session::Durability;
use crate::transcript::{AssistantMessage, EntryBody, Image, NoteKind, StopReason};

/// How often in a turn hooks may have the model go on after its answer.
const MAX_CONTINUED: u32 = 5;
/// Characters of a reason in a notice.
const REASON_CHARS: usize = 200;

/// Why a message of the user is not sent.
pub(in crate::agent) enum PromptRefusal {
    Blocked(HookText),
    Stopped(TurnStop),
    /// It asks for a prompt that an MCP server does not give. Why, as a clause.
    NoPrompt(String),
}

impl From<NotFilled> for PromptRefusal {
    fn from(why: NotFilled) -> Self {
        match why {
            NotFilled::Stopped(stop) => Self::Stopped(stop),
            NotFilled::NoPrompt(why) => Self::NoPrompt(why),
        }
    }
}

impl PromptRefusal {
    /// How the turn ends that never began.
    pub(in crate::agent) fn end(&self) -> TurnEnd {
        match self {
            Self::Blocked(_) => failure(self.notice(), "hook", exit::REFUSED, ""),
            Self::NoPrompt(_) => failure(self.notice(), "prompt", exit::FAILED, ""),
            Self::Stopped(_) => stopped(String::new()),
        }
    }

    pub(in crate::agent) fn notice(&self) -> Notice {
        let text = match self {
            Self::Blocked(HookText { hook, text }) => {
                let reason = one_line(text, REASON_CHARS);
                format!("the hook {hook} blocked the message: {reason}")
            }
            Self::NoPrompt(why) => format!("the prompt cannot be used: {why}"),
            Self::Stopped(_) => "the message was not sent".to_owned(),
        };
        Notice::error(text)
            .with_hint("nothing was sent or saved; edit the message and send it again")
    }
}

impl EventHooks<'_> {
    /// Asks the hooks about a message of the user. What they add is in the log when this
    /// returns, so that the last word is the user's.
    pub(in crate::agent) async fn ask_prompt_hooks(
        &mut self,
        text: &str,
    ) -> Result<(), PromptRefusal> {
        // What a sub-agent is asked is the words of a model.
        if self.agent.setup.child.is_some() {
            return Ok(());
        }
        let words = json!({ "prompt": text });
        let event = HookEvent::UserPromptSubmit;
        let asked = self.run_hooks(event, &[], words).await;
        let verdict = asked.map_err(PromptRefusal::Stopped)?;
        if let Some(why) = verdict.block.or(verdict.stop) {
            return Err(PromptRefusal::Blocked(why));
        }
        let opening = std::mem::take(&mut self.agent.hooks.opening);
        for context in opening.into_iter().chain(verdict.contexts) {
            self.append_hook_note(&context).await;
        }
        Ok(())
    }

    /// Gives a message back that was not sent, and ends the turn that never began.
    pub(in crate::agent) async fn refuse_prompt(
        &mut self,
        refusal: &PromptRefusal,
        text: String,
        images: Vec<Image>,
    ) {
        let returned = ReturnedInput {
            text,
            images,
            is_command: false,
        };
        self.agent
            .events
            .emit(TurnEvent::Finished(refusal.end()))
            .await;
        self.agent
            .mailbox
            .give_back_after(vec![returned], |_| true)
            .await;
    }

    /// Gives a message back that was typed while a turn ran; the turn goes on without it.
    pub(in crate::agent) async fn return_steering(
        &mut self,
        refusal: &PromptRefusal,
        text: String,
        images: Vec<Image>,
    ) {
        match refusal {
            PromptRefusal::Blocked(_) | PromptRefusal::NoPrompt(_) => {
                self.agent.events.notice(refusal.notice()).await;
            }
            PromptRefusal::Stopped(stop) => self.agent.mailbox.late_stop = Some(*stop),
        }
        let returned = ReturnedInput {
            text,
            images,
            is_command: false,
        };
        self.agent
            .mailbox
            .give_back_after(vec![returned], |_| false)
            .await;
    }

    /// A session was opened: `startup`, `resume` or `clear`.
    pub(in crate::agent) async fn session_started(&mut self, source: &str) {
        if self.agent.setup.child.is_some() {
            return;
        }
        let words = json!({ "source": source });
        let event = HookEvent::SessionStart;
        let asked = self.run_hooks(event, &[source.to_owned()], words).await;
        match asked {
            Ok(verdict) => self.agent.hooks.opening = verdict.contexts,
            Err(stop) => self.agent.mailbox.late_stop = Some(stop),
        }
    }

    /// A session is left: `exit` or `other`.
    pub(in crate::agent) async fn session_ended(&mut self, reason: &str) {
        if self.agent.setup.child.is_some() {
            return;
        }
        let words = json!({ "reason": reason });
        self.agent.hooks.opening.clear();
        self.run_last_hooks(HookEvent::SessionEnd, words).await;
    }

    async fn append_hook_note(&mut self, context: &HookText) {
        let HookText { hook, text } = context;
        let note = format!("[From the hook `{hook}`]\n{text}");
        let body = EntryBody::note(NoteKind::Hook, note);
        self.agent.thread.append(body, Durability::Flush).await;
    }
}

impl TurnLoop<'_> {
    /// Asks the hooks whether the model may end; true when it has to go on.
    pub(in crate::agent) async fn shall_not_stop(
        &mut self,
        answer: &AssistantMessage,
        turn: &mut TurnState,
    ) -> Result<bool, TurnStop> {
        if answer.stop != StopReason::Stop {
            return Ok(false);
        }
        let event = if self.agent.setup.child.is_some() {
            HookEvent::SubagentStop
        } else {
            HookEvent::Stop
        };
        let words = json!({
            "stop_hook_active": turn.hook_continued > 0,
            "last_assistant_message": turn.text(),
        });
        let verdict = EventHooks::of(self.agent)
            .run_hooks(event, &[], words)
            .await?;
        let Some(HookText { hook, text }) = verdict.block.filter(|_| verdict.stop.is_none()) else {
            return Ok(false);
        };
        if turn.hook_continued >= MAX_CONTINUED {
            let text = format!(
                "the hook {hook} wanted the model to continue more than {MAX_CONTINUED} times; \
                 the turn ends"
            );
            self.agent.events.notice(Notice::warning(text)).await;
            return Ok(false);
        }
        turn.hook_continued += 1;
        let context = HookText { hook, text };
        EventHooks::of(self.agent).append_hook_note(&context).await;
        Ok(true)
    }
}
