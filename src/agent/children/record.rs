//! The sub-agents of a session as they are now, and the links that its log lacks.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::task::AbortHandle;

use crate::agent::protocol::{
    ChildId, ChildInfo, ChildLoad, ChildState, ModelCost, Op, SessionCost, TurnEnd, TurnEvent,
};
use crate::clock::Stopwatch;
use crate::transcript::{ChildEnd, ChildLink, Entry, Message, ModelRef};

/// Characters of the text that streams that are kept.
const MAX_LIVE_CHARS: usize = 16_000;

/// All sub-agents that a session has had.
#[derive(Default)]
pub(super) struct ChildTable {
    /// Oldest first.
    pub children: Vec<ChildRecord>,
    /// Questions of sub-agents that wait for the person, by the number that the person sees.
    pub questions: BTreeMap<u64, OpenQuestion>,
    /// Links that are not in the log yet, in order.
    pub unwritten: Vec<ChildLink>,
    pub last_number: u64,
    /// Numbers that calls were given before they began, by call.
    pub reserved: BTreeMap<String, u64>,
    pub last_question: u64,
}

/// A question of a sub-agent.
pub(super) struct OpenQuestion {
    pub child: u64,
    /// Its number in the sub-agent.
    pub inner: u64,
    pub about: QuestionAbout,
    /// Held while the person is asked: one question at a time.
    pub turn: Option<OwnedSemaphorePermit>,
    /// What waits for its turn.
    pub waiting: Option<AbortHandle>,
}

/// What a sub-agent's question is about.
pub(super) enum QuestionAbout {
    /// Whether a call of this tool may run.
    Approval { tool: String },
    /// What a tool that runs wants to know.
    Form,
}

impl OpenQuestion {
    /// It is not asked any more.
    pub(super) fn closed(&self, id: u64) -> TurnEvent {
        match self.about {
            QuestionAbout::Approval { .. } => TurnEvent::ApprovalClosed { id },
            QuestionAbout::Form => TurnEvent::FormClosed { id },
        }
    }
}

/// A sub-agent.
pub(super) struct ChildRecord {
    pub link: ChildLink,
    pub model: ModelRef,
    pub session: Option<PathBuf>,
    /// Reaches it while it runs.
    pub control: Option<ChildControl>,
    pub state: ChildState,
    pub doing: String,
    pub load: ChildLoad,
    pub cost: ModelCost,
    pub time: ChildTime,
    /// What was said in this run of the program, oldest first.
    pub entries: Vec<Arc<Entry>>,
    /// The text that streams.
    pub live: String,
    /// Its own sub-agents.
    pub inner: Vec<ChildInfo>,
    pub end: Option<TurnEnd>,
    /// Its caller knows how it ended.
    pub is_told: bool,
    /// The log of its caller has its end.
    pub has_logged_end: bool,
}

/// How long a sub-agent has run.
pub(super) enum ChildTime {
    Runs(Stopwatch),
    Ended(Duration),
}

/// Reaches a sub-agent that runs.
pub(super) struct ChildControl {
    pub ops: mpsc::Sender<Op>,
    pub task: AbortHandle,
    /// It was asked to stop.
    pub is_stopping: bool,
}

impl ChildTable {
    pub(super) fn get(&self, number: u64) -> Option<&ChildRecord> {
        self.children.iter().find(|it| it.link.number == number)
    }

    pub(super) fn get_mut(&mut self, number: u64) -> Option<&mut ChildRecord> {
        self.children.iter_mut().find(|it| it.link.number == number)
    }

    /// All of them with their own, each after the one that it works for.
    pub(super) fn list(&self) -> Vec<ChildInfo> {
        let mut list = Vec::new();
        for child in &self.children {
            let info = child.info();
            let id = info.id.clone();
            list.push(info);
            list.extend(child.inner.iter().map(|inner| ChildInfo {
                id: id.join(&inner.id),
                ..inner.clone()
            }));
        }
        list
    }
}

impl ChildRecord {
    /// One that has just been started.
    pub(super) fn started(
        link: ChildLink,
        model: ModelRef,
        session: Option<PathBuf>,
        control: ChildControl,
    ) -> Self {
        Self {
            control: Some(control),
            time: ChildTime::Runs(Stopwatch::start()),
            state: ChildState::Running,
            is_told: false,
            ..Self::known(link, model, session)
        }
    }

    /// One of an earlier run of the program, whose end its caller knows.
    pub(super) fn known(link: ChildLink, model: ModelRef, session: Option<PathBuf>) -> Self {
        let end = link.end.as_ref();
        let state = end.and_then(|end| ChildState::from_name(&end.state));
        Self {
            state: state.unwrap_or(ChildState::Interrupted),
            cost: end.map(cost_of).unwrap_or_default(),
            has_logged_end: end.is_some(),
            link,
            model,
            session,
            control: None,
            doing: String::new(),
            load: ChildLoad::default(),
            time: ChildTime::Ended(Duration::ZERO),
            entries: Vec::new(),
            live: String::new(),
            inner: Vec::new(),
            end: None,
            is_told: true,
        }
    }

    pub(super) fn id(&self) -> ChildId {
        ChildId::new(self.link.number)
    }

    /// It does this now; false when that was known.
    pub(super) fn does(&mut self, doing: &str) -> bool {
        let is_new = self.doing != doing;
        if is_new {
            doing.clone_into(&mut self.doing);
        }
        is_new
    }

    /// Takes an entry of its log.
    pub(super) fn hear(&mut self, entry: &Arc<Entry>) {
        let cost = SessionCost::of(std::iter::once(entry.as_ref())).total();
        self.cost = self.cost.plus(&cost);
        if matches!(
            entry.message().map(AsRef::as_ref),
            Some(Message::Assistant(_))
        ) {
            self.live.clear();
        }
        self.entries.push(Arc::clone(entry));
    }

    /// Takes more of the text that streams.
    pub(super) fn stream(&mut self, text: &str) {
        self.live.push_str(text);
        if self.live.len() > 2 * MAX_LIVE_CHARS {
            let from = self.live.len() - MAX_LIVE_CHARS;
            let from = (from..self.live.len()).find(|at| self.live.is_char_boundary(*at));
            self.live = self.live.split_off(from.unwrap_or_default());
        }
    }

    /// All that it has said, answer by answer.
    pub(super) fn words(&self) -> String {
        words_of(self.entries.iter().map(AsRef::as_ref))
    }

    pub(super) fn info(&self) -> ChildInfo {
        ChildInfo {
            id: self.id(),
            agent: self.link.agent.clone(),
            task: self.link.task.clone(),
            call_id: self.link.call.clone(),
            state: self.state,
            doing: self.doing.clone(),
            model: self.model.clone(),
            load: self.load,
            requests: self.cost.requests,
            usage: self.cost.usage,
            elapsed: match &self.time {
                ChildTime::Runs(watch) => watch.elapsed(),
                ChildTime::Ended(elapsed) => *elapsed,
            },
            is_background: self.link.is_background,
            session: self.session.clone(),
        }
    }

    /// The link with its end.
    pub(super) fn ended_link(&self) -> ChildLink {
        ChildLink {
            end: Some(ChildEnd {
                state: self.state.name().to_owned(),
                requests: self.cost.requests,
                unpriced: self.cost.unpriced,
                estimated: self.cost.estimated,
                usage: self.cost.usage,
            }),
            ..self.link.clone()
        }
    }
}

/// What a link says that a sub-agent cost.
fn cost_of(end: &ChildEnd) -> ModelCost {
    ModelCost {
        requests: end.requests,
        usage: end.usage,
        unpriced: end.unpriced,
        estimated: end.estimated,
    }
}

/// All that a model has said, answer by answer.
fn words_of<'a>(entries: impl Iterator<Item = &'a Entry>) -> String {
    let said = entries.filter_map(|entry| match entry.message()?.as_ref() {
        Message::Assistant(answer) => Some(answer.text()),
        _ => None,
    });
    let said: Vec<String> = said
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty())
        .collect();
    said.join("\n\n")
}
