//! Input and output of an agent: ops, inputs in line, answers to questions, events.
//!
//! The mailbox holds and hands over; what an op does is decided in `inbox`.

use std::collections::VecDeque;

use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};

use crate::agent::protocol::{
    AgentEvent, ApprovalDecision, CompactionEvent, Notice, Op, OversizeChoice, QueryId, QueryReply,
    ReturnedInput, ReviewDecision, TurnEvent,
};
use crate::agent::waiting::{WaitingInput, WaitingLine, WaitingWork};
use crate::tool::FormAnswer;

/// Why something that ran was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::agent) enum TurnStop {
    /// The user stopped it.
    Interrupted,
    /// The program ends.
    Shutdown,
}

/// Sends events to the front end.
#[derive(Clone, Debug)]
pub(in crate::agent) struct EventSender(mpsc::Sender<AgentEvent>);

impl EventSender {
    pub(super) fn new(events: mpsc::Sender<AgentEvent>) -> Self {
        Self(events)
    }

    pub(super) async fn emit(&self, event: impl Into<AgentEvent>) {
        // A front end that is gone has no use for events.
        let _ = self.0.send(event.into()).await;
    }

    /// Whether somebody took it.
    pub(super) async fn reaches(&self, event: impl Into<AgentEvent>) -> bool {
        self.0.send(event.into()).await.is_ok()
    }

    pub(super) async fn notice(&self, notice: Notice) {
        self.emit(notice).await;
    }

    /// The reply to a query; `to` as in [`AgentEvent::Reply`].
    pub(super) async fn reply(&self, to: Option<QueryId>, reply: QueryReply) {
        self.emit(AgentEvent::Reply { to, reply }).await;
    }

    /// A compaction changed nothing, because the person or the program stopped it.
    pub(super) async fn compaction_cancelled(&self, why: &str) {
        let reason = format!("{why}; the conversation is unchanged");
        self.emit(CompactionEvent::Cancelled { reason }).await;
    }

    /// For tasks that report by themselves.
    pub(super) fn sender(&self) -> mpsc::Sender<AgentEvent> {
        self.0.clone()
    }
}

/// The question of a tool that waits for its answer.
#[derive(Debug)]
pub(in crate::agent) struct OpenForm {
    pub id: u64,
    pub answer: oneshot::Sender<FormAnswer>,
    /// The right to ask the person something, until it is dropped.
    pub turn: Option<OwnedSemaphorePermit>,
}

/// Answers of the person that something running waits for.
#[derive(Debug, Default)]
pub(in crate::agent) struct PersonAnswers {
    pub approval: Option<(u64, ApprovalDecision)>,
    pub review: Option<ReviewDecision>,
    pub oversize: Option<(u64, OversizeChoice)>,
    /// The question of a tool that waits.
    pub form: Option<OpenForm>,
}

/// Ops, what waits in line, and answers.
pub(in crate::agent) struct Mailbox {
    pub ops: mpsc::Receiver<Op>,
    events: EventSender,
    /// Messages and commands that were typed while something ran.
    pub waiting: WaitingLine,
    /// Ops that stopped what ran, to be carried out after it.
    pub stopped_for: VecDeque<Op>,
    pub answers: PersonAnswers,
    /// A stop that came while something ran that had to be finished; the next wait obeys it.
    pub late_stop: Option<TurnStop>,
    /// How many ops came while something ran: any of them may change the next request.
    pub ops_heard: u64,
    pub is_closing: bool,
    next_id: u64,
}

impl Mailbox {
    pub(super) fn new(ops: mpsc::Receiver<Op>, events: EventSender) -> Self {
        Self {
            ops,
            events,
            waiting: WaitingLine::default(),
            stopped_for: VecDeque::new(),
            answers: PersonAnswers::default(),
            late_stop: None,
            ops_heard: 0,
            is_closing: false,
            next_id: 1,
        }
    }

    /// A number that names something in this run.
    pub(super) fn fresh_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    /// Puts something in line. While something runs, it is seen there and can be taken back.
    pub(super) fn wait_in_line(&mut self, work: WaitingWork) {
        let id = self.fresh_id();
        self.waiting.push(WaitingInput { id, work });
    }

    /// Gives what waits back to where it came from.
    pub(super) async fn give_back(&mut self, is_wanted: impl Fn(u64) -> bool) {
        self.give_back_after(Vec::new(), is_wanted).await;
    }

    /// Gives back inputs whose turn had come, and after them what waits.
    pub(super) async fn give_back_after(
        &mut self,
        mut returned: Vec<ReturnedInput>,
        is_wanted: impl Fn(u64) -> bool,
    ) {
        let waited = self.waiting.take_back(is_wanted);
        if !waited.is_empty() {
            self.publish_queue().await;
        }
        returned.extend(waited);
        if !returned.is_empty() {
            self.events.emit(TurnEvent::InputReturned(returned)).await;
        }
    }

    pub(super) async fn publish_queue(&mut self) {
        let shown = self.waiting.shown();
        self.events.emit(TurnEvent::Queued(shown)).await;
    }
}
