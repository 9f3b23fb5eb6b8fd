//! Sub-agents: agents with sessions of their own that do a part of the work.
//!
//! A sub-agent is a whole agent. Whoever started it sees it through [`Children`]: starts one,
//! waits for its end, asks how it is. Its events are read by a task of its own (`follow`), which
//! hands its questions to the person (`questions`); `launch` decides what it begins with.
//!
//! - `role`: what its setup says of it; `record`: what is known of each
//! - `report`: what its caller is told
//! - `caller`: what the agent that starts them does with all that
//!
//! Invariant: a caller that waits holds no request slot, and no lock of this module is held
//! while something is waited for.

pub(in crate::agent) mod caller;
mod follow;
pub(in crate::agent) mod launch;
mod questions;
mod record;
pub(in crate::agent) mod report;
pub(in crate::agent) mod role;

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::{Semaphore, watch};

use crate::agent::handle::AgentHandle;
use crate::agent::mailbox::EventSender;
use crate::agent::protocol::{
    ChildEvent, ChildId, ChildInfo, ChildState, ChildTranscript, ModelCost, Op, SessionOp,
    SubmitWhen, TurnEnd, TurnOp,
};
use crate::agent::setup::AgentSetup;
use crate::session;
use crate::tool::{TaskCall, TaskRunner, ToolError, ToolJob, ToolOutcome};
use crate::transcript::{ChildLink, Entry, EntryBody, Message, ModelRef, StopReason};

use launch::CallerState;
use record::{ChildControl, ChildRecord, ChildTable};

/// Between two lists while they work.
const LIST_INTERVAL: Duration = Duration::from_millis(200);
/// A sub-agent that was asked to stop is ended after this time.
const STOP_PATIENCE: Duration = Duration::from_secs(5);

/// Starts an agent. The start is handed in: whoever starts agents also makes these.
pub(in crate::agent) type SpawnAgent = fn(AgentSetup) -> AgentHandle;

/// The sub-agents of a session. Cheap to clone; all clones are the same.
#[derive(Clone)]
pub(in crate::agent) struct Children {
    shared: Arc<ChildrenState>,
}

struct ChildrenState {
    table: Mutex<ChildTable>,
    caller: Mutex<Option<Arc<CallerState>>>,
    events: EventSender,
    /// Counts changes.
    changes: watch::Sender<u64>,
    /// One question is before the person at a time, those of the session's own agent included.
    question_turn: Arc<Semaphore>,
    spawn: SpawnAgent,
    /// Somebody answers their questions.
    can_ask: bool,
    /// They are those of a sub-agent: what they ask goes on to its caller.
    is_inner: bool,
}

impl Children {
    /// None yet. Their events go to `events`; the setup of their caller says whether questions
    /// have answers.
    pub(in crate::agent) fn new(
        events: EventSender,
        spawn: SpawnAgent,
        setup: &AgentSetup,
    ) -> Self {
        let (changes, news) = watch::channel(0);
        let shared = Arc::new(ChildrenState {
            table: Mutex::default(),
            caller: Mutex::default(),
            events: events.clone(),
            changes,
            question_turn: Arc::new(Semaphore::new(1)),
            spawn,
            can_ask: setup.can_ask(),
            is_inner: setup.child.is_some(),
        });
        tokio::spawn(list_changes(Arc::downgrade(&shared), news, events));
        Self { shared }
    }

    fn table(&self) -> MutexGuard<'_, ChildTable> {
        let table = &self.shared.table;
        table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is started from here on takes this from its caller.
    pub(in crate::agent) fn use_caller(&self, state: CallerState) {
        *self.caller() = Some(Arc::new(state));
    }

    fn caller(&self) -> MutexGuard<'_, Option<Arc<CallerState>>> {
        let caller = &self.shared.caller;
        caller.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known_caller(&self) -> Result<Arc<CallerState>, ToolError> {
        let missing = || ToolError("task: no sub-agent can be started now.".to_owned());
        self.caller().clone().ok_or_else(missing)
    }

    fn changed(&self) {
        self.shared.changes.send_modify(|count| *count += 1);
    }

    /// Resolves with each change of any of them.
    pub(in crate::agent) fn changes(&self) -> watch::Receiver<u64> {
        self.shared.changes.subscribe()
    }

    /// All of them, as they are now.
    pub(in crate::agent) fn list(&self) -> Vec<ChildInfo> {
        self.table().list()
    }

    /// Links that the log lacks, in order. They are to be written now.
    pub(in crate::agent) fn take_unwritten(&self) -> Vec<ChildLink> {
        let mut table = self.table();
        let links = std::mem::take(&mut table.unwritten);
        for link in links.iter().filter(|link| link.end.is_some()) {
            if let Some(child) = table.get_mut(link.number) {
                child.has_logged_end = true;
            }
        }
        links
    }

    /// What those cost whose end is not in the log: name and sum of each.
    pub(in crate::agent) fn unlogged_costs(&self) -> Vec<(String, ModelCost)> {
        let table = self.table();
        let children = table.children.iter().filter(|it| !it.has_logged_end);
        children
            .map(|child| (child.link.agent.clone(), child.cost))
            .collect()
    }

    /// What was said in a sub-agent's session, and the text that streams. Of one whose entries
    /// are not in memory, its file is read.
    pub(in crate::agent) fn transcript(&self, id: &ChildId) -> Option<ChildTranscript> {
        let (own, inner) = id.split();
        let number = own.as_str().parse().ok()?;
        let (info, entries, live) = {
            let table = self.table();
            let child = table.get(number)?;
            match inner {
                None => (child.info(), child.entries.clone(), child.live.clone()),
                Some(inner) => {
                    let info = child.inner.iter().find(|it| it.id == inner)?;
                    let info = ChildInfo {
                        id: id.clone(),
                        ..info.clone()
                    };
                    (info, Vec::new(), String::new())
                }
            }
        };
        let entries = match (&info.session, entries.is_empty()) {
            (Some(path), true) => read_entries(path),
            _ => entries,
        };
        Some(ChildTranscript {
            info,
            entries,
            live,
        })
    }

    /// Says something to one that runs; false when none of this name does.
    pub(in crate::agent) async fn steer(&self, id: &ChildId, text: String) -> bool {
        let (own, inner) = id.split();
        let op = match inner {
            None => TurnOp::Submit {
                text,
                images: Vec::new(),
                when: SubmitWhen::NextStep,
            },
            Some(id) => TurnOp::TellChild { id, text },
        };
        self.send(&own, Op::Turn(op)).await
    }

    /// Stops one that runs; false when none of this name does.
    pub(in crate::agent) async fn stop(&self, id: &ChildId) -> bool {
        let (own, inner) = id.split();
        if let Some(id) = inner {
            return self.send(&own, Op::Turn(TurnOp::StopChild(id))).await;
        }
        let number: Result<u64, _> = own.as_str().parse();
        number.is_ok_and(|number| self.stop_number(number))
    }

    async fn send(&self, own: &ChildId, op: Op) -> bool {
        let ops = own.as_str().parse().ok().and_then(|number| {
            let table = self.table();
            Some(table.get(number)?.control.as_ref()?.ops.clone())
        });
        match ops {
            Some(ops) => ops.send(op).await.is_ok(),
            None => false,
        }
    }

    fn stop_number(&self, number: u64) -> bool {
        let control = {
            let mut table = self.table();
            let control = table
                .get_mut(number)
                .and_then(|child| child.control.as_mut());
            let Some(control) = control else {
                return false;
            };
            control.is_stopping = true;
            (control.ops.clone(), control.task.clone())
        };
        tokio::spawn(async move {
            let (ops, task) = control;
            let _ = ops.send(Op::Turn(TurnOp::Interrupt)).await;
            tokio::time::sleep(STOP_PATIENCE).await;
            // A sub-agent that has ended has no task any more.
            task.abort();
        });
        true
    }

    /// Stops all of them and waits for their ends.
    pub(in crate::agent) async fn end_all(&self) {
        let mut changes = self.changes();
        for number in self.reachable() {
            self.stop_number(number);
        }
        loop {
            let is_over = self.reachable().is_empty();
            if is_over || changes.changed().await.is_err() {
                return;
            }
        }
    }

    /// The numbers of those that run.
    fn reachable(&self) -> Vec<u64> {
        let table = self.table();
        let running = table.children.iter().filter(|it| it.control.is_some());
        running.map(|it| it.link.number).collect()
    }

    /// Another conversation is open: its sub-agents are those that its log names. Those that
    /// were cut off with an earlier run of the program are reported as interrupted.
    pub(in crate::agent) fn open(&self, links: Vec<ChildLink>, outputs: Option<&Path>) {
        let mut table = ChildTable::default();
        for link in links {
            table.last_number = table.last_number.max(link.number);
            table
                .children
                .retain(|child| child.link.number != link.number);
            let session = outputs
                .filter(|_| !link.file.is_empty())
                .map(|folder| folder.join(&link.file));
            let model = link.model.split_once('/').unwrap_or_default();
            let model = ModelRef::new(model.0, model.1);
            table
                .children
                .push(ChildRecord::known(link, model, session));
        }
        for child in &mut table.children {
            if child.link.end.is_none() {
                recover(child);
            }
        }
        let has_some = !table.children.is_empty();
        *self.table() = table;
        if has_some {
            self.changed();
        }
    }

    /// Gives a call its number: those that begin at the same time are numbered as they were
    /// called.
    pub(in crate::agent) fn reserve(&self, call_id: &str) {
        let mut table = self.table();
        table.last_number += 1;
        let number = table.last_number;
        table.reserved.insert(call_id.to_owned(), number);
    }

    /// The number that was given last.
    pub(in crate::agent) fn last_number(&self) -> u64 {
        self.table().last_number
    }

    /// Whether a call has started one since the last number was `before`.
    pub(in crate::agent) fn has_started(&self, call_id: &str, before: u64) -> bool {
        let table = self.table();
        let mut newer = table.children.iter().rev();
        newer.any(|child| child.link.number > before && child.link.call == call_id)
    }

    /// Starts one; its number.
    async fn start(&self, call: &TaskCall, call_id: &str) -> Result<u64, ToolError> {
        let caller = self.known_caller()?;
        let number = {
            let mut table = self.table();
            let reserved = table.reserved.remove(call_id);
            table.last_number += u64::from(reserved.is_none());
            reserved.unwrap_or(table.last_number)
        };
        let launch = launch::plan(&caller, call, number).await?;
        let handle = (self.shared.spawn)(launch.setup);
        let link = ChildLink {
            call: call_id.to_owned(),
            ..launch.link
        };
        let control = ChildControl {
            ops: handle.ops.clone(),
            task: handle.task.abort_handle(),
            is_stopping: false,
        };
        let child = ChildRecord::started(link.clone(), launch.model, launch.session, control);
        let info = child.info();
        {
            let mut table = self.table();
            table.unwritten.push(link);
            table.children.push(child);
            table.children.sort_by_key(|child| child.link.number);
        }
        let started = ChildEvent::Started(Box::new(info));
        self.shared.events.emit(started).await;
        self.changed();
        tokio::spawn(follow::follow(self.clone(), number, handle, launch.prompt));
        Ok(number)
    }

    async fn run_task(self, call: TaskCall, job: ToolJob) -> ToolOutcome {
        let number = match self.start(&call, &job.call_id).await {
            Ok(number) => number,
            Err(error) => return Err(error).into(),
        };
        if call.is_background {
            let table = self.table();
            return table.get(number).map_or_else(gone, report::begun);
        }
        let mut changes = self.changes();
        let mut is_stopped = false;
        loop {
            let is_running = self
                .table()
                .get(number)
                .is_some_and(|child| child.control.is_some());
            if !is_running {
                break;
            }
            tokio::select! {
                seen = changes.changed() => if seen.is_err() { break },
                () = job.cancel.cancelled(), if !is_stopped => {
                    is_stopped = true;
                    self.stop_number(number);
                }
            }
        }
        let mut table = self.table();
        table.get_mut(number).map_or_else(gone, |child| {
            child.is_told = true;
            report::outcome(child)
        })
    }

    /// What one said last; empty when nothing is known of it.
    pub(in crate::agent) fn final_text(&self, number: u64) -> String {
        let table = self.table();
        let end = table.get(number).and_then(|child| child.end.as_ref());
        end.map_or_else(String::new, |end| end.text.clone())
    }

    /// The reports of those that have ended and that nobody was told of.
    pub(in crate::agent) fn take_reports(&self) -> Vec<String> {
        let mut table = self.table();
        let mut reports = Vec::new();
        let mut links = Vec::new();
        for child in &mut table.children {
            if !child.is_told && child.state.is_over() {
                child.is_told = true;
                reports.push(report::note(child));
                // Its end is in the log when its report is.
                links.push(child.ended_link());
            }
        }
        table.unwritten.extend(links);
        reports
    }

    /// The calls of those that run in the background, and the note that names them.
    pub(in crate::agent) fn running(&self) -> Option<(Vec<String>, String)> {
        let table = self.table();
        let running = || {
            let all = table.children.iter();
            all.filter(|child| child.link.is_background && !child.state.is_over())
        };
        let calls: Vec<String> = running().map(|child| child.link.call.clone()).collect();
        (!calls.is_empty()).then(|| (calls, report::running_note(running())))
    }
}

fn gone() -> ToolOutcome {
    ToolOutcome::error("The sub-agent is gone; its session has what it said.")
}

/// What an interrupted sub-agent had said, and cost, is in its log; what it was saying is beside
/// it.
fn recover(child: &mut ChildRecord) {
    child.is_told = false;
    child.state = ChildState::Interrupted;
    let Some(path) = &child.session else {
        return;
    };
    let Ok(loaded) = session::load_broken_off(path) else {
        return;
    };
    let branch = loaded.transcript.branch();
    // What a fork inherited is its caller's.
    let inherited = inherited_entries(&branch);
    for entry in branch.iter().skip(inherited) {
        child.hear(entry);
    }
    let last = branch.iter().rev().find_map(|entry| entry.message());
    if let Some(Message::Assistant(answer)) = last.map(AsRef::as_ref)
        && answer.stop == StopReason::Stop
        && answer.tool_calls().next().is_none()
    {
        child.state = ChildState::Done;
        child.end = Some(TurnEnd {
            stop: answer.stop,
            text: answer.text(),
            error: None,
            error_kind: None,
            exit_code: 0,
        });
    }
}

/// How many entries at the beginning of a sub-agent's log are its caller's.
pub(super) fn inherited_entries(branch: &[Arc<Entry>]) -> usize {
    let is_task = |entry: &Arc<Entry>| {
        matches!(&entry.body, EntryBody::Message(message)
            if message.text().starts_with(launch::FORK_NOTE))
    };
    branch.iter().rposition(is_task).unwrap_or(0)
}

/// All entries of a session's branch that are its own; none when it cannot be read.
fn read_entries(path: &Path) -> Vec<Arc<Entry>> {
    let Ok(loaded) = session::load_broken_off(path) else {
        return Vec::new();
    };
    let branch = loaded.transcript.branch();
    let inherited = inherited_entries(&branch);
    branch.into_iter().skip(inherited).collect()
}

impl TaskRunner for Children {
    fn forecast(&self, call: &TaskCall) -> Result<String, ToolError> {
        launch::forecast(self.known_caller()?.as_ref(), call)
    }

    fn run(&self, call: TaskCall, job: ToolJob) -> BoxFuture<'static, ToolOutcome> {
        Box::pin(self.clone().run_task(call, job))
    }
}

/// Says how they are whenever that changes, until they or the listener are gone.
async fn list_changes(
    shared: std::sync::Weak<ChildrenState>,
    mut news: watch::Receiver<u64>,
    events: EventSender,
) {
    while news.changed().await.is_ok() {
        let Some(shared) = shared.upgrade() else {
            return;
        };
        let list = Children { shared }.list();
        if !events.reaches(ChildEvent::Listed(list)).await {
            return;
        }
        tokio::time::sleep(LIST_INTERVAL).await;
    }
}

/// Ends an agent when nothing of it is wanted any more.
fn shutdown() -> Op {
    Op::Session(SessionOp::Shutdown)
}
