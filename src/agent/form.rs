//! A question of a tool to the person, while it runs: asked one at a time, and taken back when
//! the tool ends.

use tokio_util::sync::CancellationToken;

use crate::agent::actor::Actor;
use crate::agent::mailbox::{OpenForm, TurnStop};
use crate::agent::protocol::{AskingChild, FormRequest, Notice, TurnEvent};
use crate::agent::turn::batch::ToolBatch;
use crate::tool::{FormAnswer, QuestionForm, ToolQuestion};

impl ToolBatch<'_> {
    /// Asks what a tool wants to know; where nobody can be asked, the answer is no. Gives what
    /// stopped the turn meanwhile, and has told the tool then.
    pub(in crate::agent) async fn open_form(
        &mut self,
        question: ToolQuestion,
        cancel: &CancellationToken,
    ) -> Option<TurnStop> {
        let setup = &self.agent.setup;
        // Whoever started a sub-agent answers for it.
        if !setup.is_interactive && setup.child.is_none() {
            let notice = declined_notice(&question.form, None);
            let _ = question.answer.send(FormAnswer::Decline);
            self.agent.events.notice(notice).await;
            return None;
        }
        self.agent.close_form().await;
        let turn = self.agent.children.question_turn();
        let turn = match self.agent.wait(turn).await {
            Ok(turn) => turn,
            Err(stop) => {
                cancel.cancel();
                return Some(stop);
            }
        };
        let id = self.agent.mailbox.fresh_id();
        let ToolQuestion { form, answer } = question;
        self.agent.mailbox.answers.form = Some(OpenForm { id, answer, turn });
        let asked_by = None;
        let request = Box::new(FormRequest { id, form, asked_by });
        self.agent.events.emit(TurnEvent::Form(request)).await;
        None
    }
}

/// Says that a question was declined without anybody having seen it.
pub(in crate::agent) fn declined_notice(
    form: &QuestionForm,
    asked_by: Option<&AskingChild>,
) -> Notice {
    let caller = asked_by.map_or(String::new(), |child| format!(" for {}", child.label()));
    let asker = &form.asker;
    Notice::warning(format!(
        "the MCP server {asker} asked for input{caller}, which was declined"
    ))
    .with_hint("questions are answered on the screen, and not for agents in the background")
}

impl Actor {
    /// Hands an answer to the tool that asked, here or in a sub-agent.
    pub(in crate::agent) async fn answer_form(&mut self, id: u64, answer: FormAnswer) {
        if self.children.answer_form(id, &answer).await {
            return;
        }
        let open = &mut self.mailbox.answers.form;
        let Some(form) = open.take_if(|form| form.id == id) else {
            return;
        };
        // A tool that is gone wants no answer.
        let _ = form.answer.send(answer);
        self.events.emit(TurnEvent::FormClosed { id }).await;
        drop(form.turn);
    }

    /// Takes back a question that nobody waits for any more.
    pub(in crate::agent) async fn close_form(&mut self) {
        if let Some(form) = self.mailbox.answers.form.take() {
            let id = form.id;
            drop(form);
            self.events.emit(TurnEvent::FormClosed { id }).await;
        }
    }
}
