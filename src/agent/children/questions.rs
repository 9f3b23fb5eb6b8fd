//! Questions of sub-agents come up where the person is, one at a time, with the name of who
//! asks; answers go the same way back.

use std::sync::Arc;

use tokio::sync::OwnedSemaphorePermit;

use super::Children;
use super::record::{OpenQuestion, QuestionAbout};
use crate::agent::form::declined_notice;
use crate::agent::protocol::{
    ApprovalDecision, ApprovalRequest, AskingChild, ChildState, FormRequest, Op, TurnEvent, TurnOp,
};
use crate::tool::FormAnswer;

/// Questions of sub-agents are numbered from here, far from those of the agent itself.
const FIRST_QUESTION: u64 = 1 << 40;

/// An answer that a sub-agent was given.
pub(in crate::agent) struct AnsweredQuestion {
    /// The tool that it asked for.
    pub tool: String,
    pub decision: ApprovalDecision,
}

impl Children {
    /// The right to ask the person something, until it is dropped.
    pub(in crate::agent) fn question_turn(
        &self,
    ) -> impl Future<Output = Option<OwnedSemaphorePermit>> + Send + use<> {
        let turn = Arc::clone(&self.shared.question_turn);
        // Only a closed semaphore refuses, and nobody closes this one.
        async move { turn.acquire_owned().await.ok() }
    }

    /// Asks the person for a sub-agent, as soon as no other question is open.
    pub(super) fn ask_person(&self, number: u64, request: ApprovalRequest) {
        let question = OpenQuestion {
            child: number,
            inner: request.id,
            about: QuestionAbout::Approval {
                tool: request.call.name.clone(),
            },
            turn: None,
            waiting: None,
        };
        let doing = format!("asks: {}", request.title);
        let Some((id, asked_by)) = self.open_question(question, request.asked_by.clone(), &doing)
        else {
            return;
        };
        let request = ApprovalRequest {
            id,
            asked_by: Some(asked_by),
            ..request
        };
        let event = TurnEvent::Approval(Box::new(request));
        if !self.shared.can_ask {
            // It is refused already; whoever reads the events knows.
            let children = self.clone();
            tokio::spawn(async move { children.shared.events.emit(event).await });
            return;
        }
        self.put_before_person(id, event);
    }

    /// Asks the person what a tool of a sub-agent wants to know. Nobody is asked on behalf of
    /// one in the background, or where there is nobody.
    pub(super) async fn ask_form(&self, number: u64, request: FormRequest) {
        let question = OpenQuestion {
            child: number,
            inner: request.id,
            about: QuestionAbout::Form,
            turn: None,
            waiting: None,
        };
        let doing = format!("asks: {}", request.form.message);
        let Some((id, asked_by)) = self.open_question(question, request.asked_by.clone(), &doing)
        else {
            return;
        };
        let is_background = self
            .table()
            .get(number)
            .is_some_and(|child| child.link.is_background);
        let is_nobody_there = !self.shared.can_ask && !self.shared.is_inner;
        if is_background || is_nobody_there {
            let notice = declined_notice(&request.form, Some(&asked_by));
            self.shared.events.notice(notice).await;
            self.answer_form(id, &FormAnswer::Decline).await;
            return;
        }
        let request = FormRequest {
            id,
            asked_by: Some(asked_by),
            ..request
        };
        self.put_before_person(id, TurnEvent::Form(Box::new(request)));
    }

    /// Keeps a question of a sub-agent, or of one of its own. Gives the number that the person
    /// sees, and who asks.
    fn open_question(
        &self,
        question: OpenQuestion,
        inner: Option<AskingChild>,
        doing: &str,
    ) -> Option<(u64, AskingChild)> {
        let opened = {
            let mut table = self.table();
            table.last_question += 1;
            let id = FIRST_QUESTION + table.last_question;
            let child = table.get_mut(question.child)?;
            child.state = ChildState::Asking;
            child.does(doing);
            let asked_by = match inner {
                None => AskingChild {
                    id: child.id(),
                    agent: child.link.agent.clone(),
                    task: child.link.task.clone(),
                },
                Some(inner) => AskingChild {
                    id: child.id().join(&inner.id),
                    ..inner
                },
            };
            table.questions.insert(id, question);
            (id, asked_by)
        };
        self.changed();
        Some(opened)
    }

    /// Shows a question as soon as no other one is open.
    fn put_before_person(&self, id: u64, event: TurnEvent) {
        let children = self.clone();
        let waiting = tokio::spawn(async move {
            let turn = children.question_turn().await;
            let is_open = {
                let mut table = children.table();
                let question = table.questions.get_mut(&id);
                question.map(|question| question.turn = turn).is_some()
            };
            if is_open {
                children.shared.events.emit(event).await;
            }
        });
        if let Some(question) = self.table().questions.get_mut(&id) {
            question.waiting = Some(waiting.abort_handle());
        }
    }

    /// A question of a sub-agent is answered, or not asked any more.
    pub(super) async fn close_question(&self, number: u64, inner: u64) {
        let closed = {
            let mut table = self.table();
            let mut questions = table.questions.iter();
            let found = questions.find(|(_, it)| it.child == number && it.inner == inner);
            let id = found.map(|(id, _)| *id);
            let closed = id.and_then(|id| Some((id, table.questions.remove(&id)?)));
            let still_asks = table.questions.values().any(|it| it.child == number);
            if let Some(child) = table.get_mut(number)
                && !still_asks
                && child.state == ChildState::Asking
            {
                child.state = ChildState::Running;
            }
            closed
        };
        if let Some((id, question)) = closed {
            self.withdraw(id, question).await;
        }
        self.changed();
    }

    async fn withdraw(&self, id: u64, question: OpenQuestion) {
        if let Some(waiting) = &question.waiting
            && question.turn.is_none()
        {
            waiting.abort();
            return;
        }
        self.shared.events.emit(question.closed(id)).await;
    }

    /// The sub-agent has ended, and its questions with it.
    pub(super) fn forget_questions(&self, number: u64) {
        let mut table = self.table();
        let ids: Vec<u64> = table
            .questions
            .iter()
            .filter(|(_, it)| it.child == number)
            .map(|(id, _)| *id)
            .collect();
        let gone: Vec<(u64, OpenQuestion)> = ids
            .into_iter()
            .filter_map(|id| Some((id, table.questions.remove(&id)?)))
            .collect();
        drop(table);
        for (id, question) in gone {
            let children = self.clone();
            tokio::spawn(async move { children.withdraw(id, question).await });
        }
    }

    /// Hands an answer to the sub-agent that asked. `None` when none of them did.
    pub(in crate::agent) async fn answer(
        &self,
        id: u64,
        decision: &ApprovalDecision,
    ) -> Option<AnsweredQuestion> {
        let (ops, inner, tool) = {
            let table = self.table();
            let question = table.questions.get(&id)?;
            let QuestionAbout::Approval { tool } = &question.about else {
                return None;
            };
            let control = table.get(question.child)?.control.as_ref()?;
            (control.ops.clone(), question.inner, tool.clone())
        };
        // What holds for good is written down once, by the agent of the person.
        let told = match decision {
            ApprovalDecision::Always(pattern) => ApprovalDecision::Pattern(pattern.clone()),
            other => other.clone(),
        };
        let op = TurnOp::Approve {
            id: inner,
            decision: told,
        };
        let _ = ops.send(Op::Turn(op)).await;
        Some(AnsweredQuestion {
            tool,
            decision: decision.clone(),
        })
    }

    /// Hands the answer of a form to the sub-agent whose tool asked; false when none did.
    pub(in crate::agent) async fn answer_form(&self, id: u64, answer: &FormAnswer) -> bool {
        let found = {
            let table = self.table();
            let question = table.questions.get(&id);
            let question = question.filter(|it| matches!(it.about, QuestionAbout::Form));
            question.and_then(|question| {
                let control = table.get(question.child)?.control.as_ref()?;
                Some((control.ops.clone(), question.inner))
            })
        };
        let Some((ops, inner)) = found else {
            return false;
        };
        let answer = answer.clone();
        let op = TurnOp::AnswerForm { id: inner, answer };
        let _ = ops.send(Op::Turn(op)).await;
        true
    }
}
