//! Reads the events of a sub-agent until it has ended: its state, its words, its questions and
//! its own sub-agents.

use std::sync::Arc;

use super::record::{ChildRecord, ChildTime};
use super::{Children, shutdown};
use crate::agent::handle::AgentHandle;
use crate::agent::protocol::{
    AgentEvent, AnswerDelta, AnswerEvent, ChildEvent, ChildLoad, ChildState, ContextEvent, Notice,
    NoticeLevel, Op, SessionEvent, SubmitWhen, TurnEvent, TurnOp,
};
use crate::context::ContextView;
use crate::transcript::StopReason;

/// Between the name of a server and that of its tool.
const SERVER_JOINT: &str = "__";

/// Gives an agent its task and follows it to its end.
pub(super) async fn follow(children: Children, number: u64, handle: AgentHandle, prompt: String) {
    let AgentHandle {
        ops,
        mut events,
        ready: _ready,
        task: _task,
    } = handle;
    let submit = Op::Turn(TurnOp::Submit {
        text: prompt,
        images: Vec::new(),
        when: SubmitWhen::NextStep,
    });
    // One that could not be started says why in its events.
    let _ = ops.send(submit).await;
    while let Some(event) = events.recv().await {
        let is_over = matches!(event, AgentEvent::Turn(TurnEvent::Finished(_)));
        children.hear(number, event).await;
        if is_over {
            let _ = ops.send(shutdown()).await;
        }
    }
    children.has_ended(number).await;
}

impl Children {
    async fn hear(&self, number: u64, event: AgentEvent) {
        match event {
            AgentEvent::Stream(event) => {
                self.change(number, |child| hear_stream(child, &event));
            }
            AgentEvent::Turn(event) => self.hear_turn(number, event).await,
            AgentEvent::Context(ContextEvent::View(view)) => {
                self.change(number, |child| take_load(child, &view));
            }
            AgentEvent::Session(SessionEvent::Entry(entry)) => {
                self.change(number, |child| {
                    child.hear(&entry);
                    false
                });
            }
            AgentEvent::Session(SessionEvent::ModelSwitched { model, .. }) => {
                self.change(number, |child| {
                    child.model = model;
                    true
                });
            }
            AgentEvent::Child(ChildEvent::Listed(list)) => {
                self.change(number, |child| {
                    child.inner = list;
                    true
                });
            }
            AgentEvent::Notice(notice) => {
                self.change(number, |child| hear_notice(child, notice));
            }
            AgentEvent::Context(_)
            | AgentEvent::Compaction(_)
            | AgentEvent::Session(_)
            | AgentEvent::Child(_)
            | AgentEvent::Reply { .. } => {}
        }
    }

    async fn hear_turn(&self, number: u64, event: TurnEvent) {
        match event {
            TurnEvent::Approval(request) => self.ask_person(number, *request),
            TurnEvent::Form(request) => self.ask_form(number, *request).await,
            TurnEvent::ApprovalClosed { id } | TurnEvent::FormClosed { id } => {
                self.close_question(number, id).await;
            }
            TurnEvent::Finished(end) => self.change(number, |child| {
                child.end = Some(end);
                true
            }),
            // Nobody writes there, and its jobs end with it.
            TurnEvent::Oversize(_)
            | TurnEvent::OversizeClosed { .. }
            | TurnEvent::InputReturned(_)
            | TurnEvent::Queued(_)
            | TurnEvent::Jobs(_) => {}
        }
    }

    /// Changes what is known of one; those who look are told when `change` says so.
    pub(super) fn change(&self, number: u64, change: impl FnOnce(&mut ChildRecord) -> bool) {
        let is_news = self.table().get_mut(number).is_some_and(change);
        if is_news {
            self.changed();
        }
    }

    async fn has_ended(&self, number: u64) {
        self.forget_questions(number);
        let info = {
            let mut table = self.table();
            let Some(child) = table.get_mut(number) else {
                return;
            };
            settle(child);
            let (info, link) = (child.info(), child.ended_link());
            // The end of one in the background is logged with its report.
            if !link.is_background {
                table.unwritten.push(link);
            }
            info
        };
        let ended = ChildEvent::Ended(Box::new(info));
        self.shared.events.emit(ended).await;
        // Who waits for it goes on when its end has been said.
        self.change(number, |child| child.control.take().is_some());
    }
}

/// It has ended: how.
fn settle(child: &mut ChildRecord) {
    let control = child.control.as_ref();
    let is_stopped = control.is_some_and(|it| it.is_stopping);
    if let ChildTime::Runs(watch) = &child.time {
        child.time = ChildTime::Ended(watch.elapsed());
    }
    let end = child.end.as_ref();
    let error = end.and_then(|end| end.error.as_ref());
    child.state = match end {
        _ if is_stopped => ChildState::Stopped,
        None => ChildState::Failed,
        Some(_) if error.is_some() => ChildState::Failed,
        Some(end) if end.stop == StopReason::Aborted => ChildState::Stopped,
        Some(_) => ChildState::Done,
    };
    match (error, child.state) {
        (Some(error), ChildState::Failed) => child.doing = error.text.clone(),
        // What it said last is why.
        (None, ChildState::Failed) => {}
        _ => child.doing.clear(),
    }
    child.live.clear();
}

fn hear_stream(child: &mut ChildRecord, event: &AnswerEvent) -> bool {
    match event {
        AnswerEvent::RequestStarted { .. } => child.does("waits for the model"),
        AnswerEvent::Delta(AnswerDelta::Text(text)) => {
            child.stream(text);
            child.does("answers")
        }
        AnswerEvent::Delta(AnswerDelta::Thinking(_)) => child.does("thinks"),
        AnswerEvent::Delta(AnswerDelta::Reset) => {
            child.live.clear();
            false
        }
        AnswerEvent::ToolStarted { name, title, .. } => child.does(&format!("{name} {title}")),
        AnswerEvent::Retrying { reason, .. } => child.does(&format!("tries again: {reason}")),
        AnswerEvent::ToolOutput { text, .. } => show_progress(child, text),
        AnswerEvent::Delta(AnswerDelta::ToolCall { .. })
        | AnswerEvent::ToolFinished { .. }
        | AnswerEvent::Usage { .. } => false,
    }
}

/// What a tool of a server prints is how far it has come; what others print says less than
/// what they do.
fn show_progress(child: &mut ChildRecord, text: &str) -> bool {
    let name = child.doing.split(' ').next().unwrap_or_default();
    let doing = format!("{name} {}", text.trim());
    name.contains(SERVER_JOINT) && child.does(&doing)
}

fn take_load(child: &mut ChildRecord, view: &Arc<ContextView>) -> bool {
    let load = ChildLoad {
        tokens: view.usage.tokens,
        window_tokens: view.window.tokens,
    };
    let is_new = load != child.load;
    child.load = load;
    is_new
}

/// Only the reason of a failed start is worth keeping; the rest is for people at a screen.
fn hear_notice(child: &mut ChildRecord, notice: Notice) -> bool {
    if notice.level == NoticeLevel::Error && child.end.is_none() {
        child.doing = notice.text;
        return true;
    }
    false
}
