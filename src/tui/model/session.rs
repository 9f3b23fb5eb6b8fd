//! The open session as its events tell it.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use crate::agent::{ApprovalState, ChildInfo, JobInfo, SessionCost, SessionInfo};
use crate::context::ContextView;
use crate::transcript::{Entry, EntryBody, EntryId, ModelRef, ReasoningState, TodoList};
use crate::tui::gauge::GaugeMemory;

/// The open session.
#[derive(Debug, Default)]
pub struct SessionState {
    /// Its id; empty before one is open.
    pub id: String,
    /// Its name; may be empty.
    pub name: String,
    /// Its file.
    pub path: Option<PathBuf>,
    /// The directory it belongs to.
    pub cwd: PathBuf,
    /// The current model.
    pub model: ModelRef,
    /// What is said of it.
    pub about_model: ModelNotes,
    /// The context engine.
    pub engine: String,
    /// Whether it is written.
    pub saving: SavingState,
    /// US dollars so far.
    pub cost_usd: Option<f64>,
    /// Its entries.
    pub published: PublishedEntries,
    /// The newest view.
    pub view: Option<Arc<ContextView>>,
    /// What the gauge keeps of the views before.
    pub gauge: GaugeMemory,
    /// What may be done without asking.
    pub mode: SessionMode,
    /// Commands and sub-agents.
    pub background: BackgroundWork,
    /// The steps that the model keeps.
    pub todo: TodoPanel,
}

/// Whether the session is written to its file.
#[derive(Debug, Default)]
pub struct SavingState {
    /// Why nothing can be written.
    pub read_only: Option<String>,
    /// The newest entries could not be saved.
    pub has_failed: bool,
}

/// What may be done without asking.
#[derive(Debug, Default)]
pub struct SessionMode {
    /// Plan mode is on: nothing is changed.
    pub is_planning: bool,
    /// What runs without asking otherwise.
    pub approvals: ApprovalState,
}

/// Commands in the background, and sub-agents.
#[derive(Debug, Default)]
pub struct BackgroundWork {
    /// Background jobs, oldest first.
    pub jobs: Vec<JobInfo>,
    /// Sub-agents of the session, oldest first.
    pub agents: Vec<ChildInfo>,
}

impl BackgroundWork {
    /// A sub-agent is in this state now.
    pub fn put_agent(&mut self, info: &ChildInfo) {
        match self.agents.iter_mut().find(|it| it.id == info.id) {
            Some(known) => known.clone_from(info),
            None => self.agents.push(info.clone()),
        }
    }
}

/// All published entries.
#[derive(Debug, Default)]
pub struct PublishedEntries {
    /// The entries by id.
    pub by_id: HashMap<EntryId, Arc<Entry>>,
    /// Those of them that the active branch does not have.
    pub aside: HashSet<EntryId>,
}

/// What is said of the model that answers.
#[derive(Debug, Default)]
pub struct ModelNotes {
    /// Why this model.
    pub reason: String,
    /// How hard it reasons; `None` when it is not known to.
    pub reasoning: Option<ReasoningState>,
}

/// The steps that the model keeps, and how they are shown.
#[derive(Debug, Default)]
pub struct TodoPanel {
    /// The steps.
    pub list: Option<TodoList>,
    /// Only a line of them is shown.
    pub is_folded: bool,
}

impl SessionState {
    /// Another session is open. Its directory's jobs go on.
    pub fn open(&mut self, info: &SessionInfo) {
        let all = || info.branch.iter().chain(&info.aside);
        self.published = PublishedEntries {
            by_id: all()
                .map(|entry| (entry.id.clone(), Arc::clone(entry)))
                .collect(),
            aside: info.aside.iter().map(|entry| entry.id.clone()).collect(),
        };
        self.id.clone_from(&info.id);
        self.name.clone_from(&info.name);
        self.path.clone_from(&info.path);
        self.cwd.clone_from(&info.cwd);
        self.model = info.model.clone();
        self.about_model = ModelNotes {
            reason: info.model_reason.clone(),
            reasoning: info.reasoning.clone(),
        };
        self.engine.clone_from(&info.engine);
        self.saving = SavingState {
            read_only: info.read_only.clone(),
            has_failed: false,
        };
        self.background.agents.clear();
        self.view = None;
        self.gauge = GaugeMemory::default();
        self.cost_usd = SessionCost::of(all().map(AsRef::as_ref))
            .total()
            .usage
            .cost_usd;
        self.mode = SessionMode {
            is_planning: info.plan_mode,
            approvals: info.approvals.clone(),
        };
        self.todo.list = TodoList::newest(&info.branch);
    }

    /// An entry was written.
    pub fn add_entry(&mut self, entry: &Arc<Entry>) {
        if let EntryBody::SessionInfo { name } = &entry.body {
            self.name.clone_from(name);
        }
        if let Some(list) = TodoList::of_entry(entry) {
            self.todo.list = Some(list);
        }
        self.add_cost(entry);
        let by_id = &mut self.published.by_id;
        by_id.insert(entry.id.clone(), Arc::clone(entry));
    }

    /// Adds up what `/cost` adds up: what is in the log was paid for, on whatever branch.
    fn add_cost(&mut self, entry: &Entry) {
        let usage = SessionCost::of(std::iter::once(entry)).total().usage;
        if let Some(usd) = usage.cost_usd {
            *self.cost_usd.get_or_insert(0.0) += usd;
        }
    }

    /// The branch is another one.
    pub fn use_branch(&mut self, branch: &[Arc<Entry>]) {
        self.published.use_branch(branch);
        self.todo.list = TodoList::newest(branch);
    }

    /// The jobs are in this state now; the newest that has ended since is returned.
    pub fn use_jobs(&mut self, jobs: Vec<JobInfo>) -> Option<&JobInfo> {
        let was_running = |job: &JobInfo| {
            let before = self.background.jobs.iter().find(|it| it.id == job.id);
            before.is_none_or(|before| before.end.is_none())
        };
        let ended = jobs
            .iter()
            .rposition(|job| job.end.is_some() && was_running(job));
        self.background.jobs = jobs;
        ended.and_then(|at| self.background.jobs.get(at))
    }
}

impl PublishedEntries {
    /// Whether nothing was published.
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    fn use_branch(&mut self, branch: &[Arc<Entry>]) {
        self.aside.extend(self.by_id.keys().cloned());
        for entry in branch {
            self.by_id.insert(entry.id.clone(), Arc::clone(entry));
            self.aside.remove(&entry.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{Message, Timestamp};
    use crate::tui::testing::entry;

    fn said(number: usize) -> Arc<Entry> {
        let message = Arc::new(Message::user_text("hello"));
        entry(number, Timestamp(0), EntryBody::Message(message))
    }

    #[test]
    fn entries_that_a_branch_leaves_are_aside_until_it_comes_back() {
        let mut session = SessionState::default();
        let entries = [said(1), said(2)];
        for entry in &entries {
            session.add_entry(entry);
        }
        session.use_branch(&entries[..1]);
        assert!(session.published.aside.contains(&entries[1].id));
        assert!(!session.published.aside.contains(&entries[0].id));
        session.use_branch(&entries);
        assert!(session.published.aside.is_empty());
        assert_eq!(session.published.by_id.len(), 2);
    }

    #[test]
    fn an_entry_can_name_the_session() {
        let mut session = SessionState::default();
        let name = "refactor".to_owned();
        session.add_entry(&entry(1, Timestamp(0), EntryBody::SessionInfo { name }));
        assert_eq!(session.name, "refactor");
    }
}
