//! The actor: owns the session, takes one [`Op`] after the other, says what happens.
//!
//! While a turn or a compaction runs, ops are read between its awaits (`inbox`); so
//! there is one owner of all state and no lock.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::automatic::AutoCompaction;
use super::background::Background;
use super::bill::Bill;
use super::conversation::{Conversation, Counting, Precision};
use super::failure::failure;
use super::hooks::Hook;
use super::inbox::Stop;
use super::jobs;
use super::limit::Limits;
use super::looking::{self, Looking};
use super::permissions;
use super::protocol::Account;
use super::protocol::{
    AgentEvent, ApprovalDecision, ContextEvent, Kept, Notice, Op, OversizeChoice, ReviewDecision,
    SessionEvent, TurnEvent,
};
use super::setup::{Helm, Prompt, Setup};
use super::turn::exit;
use super::waiting::WaitingLine;
use crate::context::ruler::Ruler;
use crate::context::{ContextView, Pressure, Surroundings};
use crate::session::Durability;
use crate::tool::{ApprovalPolicy, KnownRepository, ReadLog, SealedPlaces, ToolScope, ToolSet};
use crate::transcript::{
    CompletionRequest, EntryBody, Expected, Image, Message, ModelRef, StopReason, ThinkingLevel,
    Usage,
};

/// Ops that may wait; a front end never sends more at once.
const OPS_CAPACITY: usize = 64;
/// Events that may wait until the front end takes them.
const EVENTS_CAPACITY: usize = 1_024;

/// A running agent.
pub struct Handle {
    /// Takes requests.
    pub ops: mpsc::Sender<Op>,
    /// Says what happens; ends after [`Op::Shutdown`].
    pub events: mpsc::Receiver<AgentEvent>,
    /// Resolves when the session is open, or says why it cannot be.
    pub ready: oneshot::Receiver<Result<(), StartError>>,
    /// The task.
    pub task: JoinHandle<()>,
}

/// Why an agent did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The session cannot be opened.
    #[error(transparent)]
    Session(#[from] crate::session::SessionError),
    /// The model cannot be chosen.
    #[error("{0}")]
    Model(crate::provider::ProviderError),
    /// A setting that only shows itself in use.
    #[error("{0}")]
    Settings(String),
}

/// Starts an agent on the current runtime.
pub fn spawn(setup: Setup) -> Handle {
    let (ops, ops_rx) = mpsc::channel(OPS_CAPACITY);
    let (events_tx, events) = mpsc::channel(EVENTS_CAPACITY);
    let (ready_tx, ready) = oneshot::channel();
    let task = tokio::spawn(async move {
        match Actor::start(setup, ops_rx, events_tx).await {
            Ok(mut actor) => {
                let _ = ready_tx.send(Ok(()));
                // A front end shows a long session while it is measured.
                actor.show_first_view().await;
                Box::pin(actor.run()).await;
            }
            Err((error, events)) => {
                let notice = Notice::error(error.to_string());
                let _ = events.send(AgentEvent::Notice(notice)).await;
                let _ = ready_tx.send(Err(error));
            }
        }
    });
    Handle {
        ops,
        events,
        ready,
        task,
    }
}

pub(super) struct Actor {
    pub setup: Arc<Setup>,
    pub helm: Helm,
    pub tools: ToolSet,
    pub policy: ApprovalPolicy,
    pub scope: ToolScope,
    pub conversation: Conversation,
    pub around: Surroundings,
    /// What stands in the composer: on the gauge, and in no decision.
    pub draft: Option<Arc<Message>>,
    pub thinking: ThinkingLevel,
    pub ops: mpsc::Receiver<Op>,
    events: mpsc::Sender<AgentEvent>,
    /// What was typed while something ran.
    pub waiting: WaitingLine,
    /// Ops that stopped what ran, to be done in its place.
    pub stopped_for: VecDeque<Op>,
    /// Answers that something running waits for.
    pub approval_answer: Option<(u64, ApprovalDecision)>,
    pub review_answer: Option<ReviewDecision>,
    pub oversize_answer: Option<(u64, OversizeChoice)>,
    /// A stop that came while something ran that had to be finished; the next wait heeds it.
    pub late_stop: Option<Stop>,
    /// How many ops came while something ran: any of them may change the next request.
    pub ops_heard: u64,
    /// Ends when another model is put in charge.
    pub helm_changed: CancellationToken,
    /// Hooks that did not do in this run.
    pub hooks_aside: Vec<Hook>,
    pub usage: Usage,
    /// What earlier runs of the session had cost, in US dollars.
    pub spent_before_usd: f64,
    /// Tokens of the prompt that was asked last.
    pub asked_tokens: u64,
    pub last_request: Option<CompletionRequest>,
    /// What the prompt of the request that runs is expected to have.
    pub expected: Expected,
    pub auto: AutoCompaction,
    /// A summary that is prepared for the load line.
    pub background: Option<Background>,
    /// What was asked and stands in no entry yet.
    pub bill: Bill,
    /// Models that could not answer in this turn.
    pub given_up: Vec<ModelRef>,
    /// The model that the session was opened with.
    pub home_model: ModelRef,
    pub is_closing: bool,
    /// A summary is being written: cancelling the review stops it.
    pub is_summarising: bool,
    /// A summary that was asked for again is being written; whether the user stopped it,
    /// so that the one before it comes back.
    pub retry_stopped: Option<bool>,
    pub next_id: u64,
    pub warned_small_window: bool,
    pub limits: Limits,
    pub looking: Looking,
    /// Sends the command that runs to the background.
    pub detach: Option<CancellationToken>,
    /// The model whose server was asked for its window last.
    pub asked_window_of: Option<ModelRef>,
    /// The list of sessions that was asked for last was of all directories.
    pub listed_all: bool,
    pub ruler: Option<Arc<dyn Ruler>>,
    pub ruler_loading: Option<oneshot::Receiver<Arc<dyn Ruler>>>,
    /// What the ruler that is loaded or loading counts in.
    pub ruler_wanted: Option<Counting>,
    pub(super) prompt: Prompt,
}

impl Actor {
    async fn start(
        setup: Setup,
        ops: mpsc::Receiver<Op>,
        events: mpsc::Sender<AgentEvent>,
    ) -> Result<Self, (StartError, mpsc::Sender<AgentEvent>)> {
        match Self::prepare(setup, ops, events.clone()).await {
            Ok((mut actor, notices)) => {
                actor.announce(notices).await;
                Ok(actor)
            }
            Err(error) => Err((error, events)),
        }
    }

    async fn prepare(
        setup: Setup,
        ops: mpsc::Receiver<Op>,
        events: mpsc::Sender<AgentEvent>,
    ) -> Result<(Self, Vec<Notice>), StartError> {
        let registry = Arc::new(setup.registry());
        let context = setup.settings.context.clone();
        let (conversation, mut notices) = Conversation::open(&setup, context, Precision::Quick)?;
        let last = conversation.last_model();
        let helm = setup
            .choose(registry, last)
            .await
            .map_err(StartError::Model)?;
        let agent = &setup.settings.agent;
        let mut policy = ApprovalPolicy::new(agent.tools.approvals, &agent.tools.approvals_allow)
            .map_err(|error| StartError::Settings(error.to_string()))?;
        notices.extend(permissions::take_always(&mut policy, &setup));
        let prompt = setup.prompt();
        notices.extend(setup.notices.iter().map(Notice::warning));
        notices.extend(prompt.notices.iter().cloned());
        let parts = (helm, policy, conversation, prompt);
        let mut actor = Self::put_together(setup, parts, (ops, events));
        actor.apply_model_settings();
        actor.resume_plan_mode();
        if actor.setup.plan_mode {
            actor.policy.set_plan_mode(true);
        }
        Ok((actor, notices))
    }

    /// An actor that has not done anything yet.
    fn put_together(
        setup: Setup,
        (helm, policy, conversation, prompt): (Helm, ApprovalPolicy, Conversation, Prompt),
        (ops, events): (mpsc::Receiver<Op>, mpsc::Sender<AgentEvent>),
    ) -> Self {
        let tools = setup.tools();
        let lineage = conversation.lineage();
        let around = setup.surroundings(&prompt, &tools, helm.model.clone(), &lineage);
        let thinking = conversation
            .last_thinking()
            .unwrap_or(setup.settings.agent.thinking);
        let scope = tool_scope(&setup, &helm, &conversation);
        jobs::report(&scope.jobs, events.clone());
        let home_model = helm.model.model.clone();
        Self {
            setup: Arc::new(setup),
            helm,
            tools,
            policy,
            scope,
            conversation,
            around,
            draft: None,
            thinking,
            ops,
            events,
            waiting: WaitingLine::default(),
            stopped_for: VecDeque::new(),
            approval_answer: None,
            review_answer: None,
            oversize_answer: None,
            late_stop: None,
            ops_heard: 0,
            helm_changed: CancellationToken::new(),
            hooks_aside: Vec::new(),
            usage: Usage::default(),
            spent_before_usd: 0.0,
            asked_tokens: 0,
            last_request: None,
            expected: Expected::default(),
            auto: AutoCompaction::default(),
            background: None,
            bill: Bill::default(),
            given_up: Vec::new(),
            home_model,
            is_closing: false,
            is_summarising: false,
            retry_stopped: None,
            next_id: 1,
            warned_small_window: false,
            limits: Limits::default(),
            looking: Looking::default(),
            detach: None,
            asked_window_of: None,
            listed_all: false,
            ruler: None,
            ruler_loading: None,
            ruler_wanted: None,
            prompt,
        }
    }

    /// Says which session is open.
    async fn announce(&mut self, notices: Vec<Notice>) {
        self.sum_up_usage();
        let info = self.session_info();
        self.emit(AgentEvent::Session(SessionEvent::Opened(Box::new(info))))
            .await;
        for notice in notices {
            self.emit(AgentEvent::Notice(notice)).await;
        }
        if let Some(note) = self
            .helm
            .registry
            .address(&self.helm.model.model)
            .and_then(|a| a.note)
        {
            self.notice(Notice::info(note)).await;
        }
        // Where nobody looks at a screen, the refusal itself says it.
        if self.setup.is_interactive
            && let Some(notice) = self
                .setup
                .window_too_small(&self.helm.registry, &self.helm.model)
        {
            self.notice(notice).await;
        }
        let wanted = self.setup.settings.context.server;
        let model = &self.helm.model.model;
        if self.helm.registry.server_context(model, wanted) != wanted {
            let text = format!(
                "context.server = {}: {} cannot do that",
                wanted.name(),
                model
            );
            self.notice(Notice::warning(text)).await;
        }
    }

    async fn show_first_view(&mut self) {
        if self.setup.is_interactive && !self.conversation.transcript().is_empty() {
            self.want_ruler();
        }
        self.publish_view().await;
    }

    pub fn session_info(&self) -> super::SessionInfo {
        let cwd = self.setup.cwd.clone();
        let model = &self.helm.model.model;
        super::SessionInfo {
            // It may have been switched on for this run, and not be in the log yet.
            plan_mode: self.policy.is_plan_mode(),
            ..self.conversation.info(cwd, model, &self.helm.reason)
        }
    }

    /// What earlier runs of this session used.
    fn sum_up_usage(&mut self) {
        let entries = self.conversation.transcript().entries();
        self.usage = Account::of(entries.iter().map(AsRef::as_ref)).total().usage;
        self.spent_before_usd = self.usage.cost_usd.unwrap_or(0.0);
        self.bill.begin_with(self.spent_before_usd);
    }

    /// Settings that depend on the model: its own window and load line.
    pub fn apply_model_settings(&mut self) {
        let context = Arc::new(self.settings_for(&self.helm.model.model));
        self.use_pictures_of_model();
        let ruler = self.current_ruler();
        self.conversation.use_ruler(context, ruler);
        let model = &self.helm.model;
        if self.around.model.model != model.model {
            let lineage = self.conversation.lineage();
            self.around.samples = self.setup.samples_of(&model.model, &lineage);
        }
        self.around.model = model.clone();
    }

    async fn run(mut self) {
        while !self.is_closing {
            self.late_stop = None;
            self.settle_bill().await;
            self.heed_overheard().await;
            if let Some(op) = self.stopped_for.pop_front() {
                Box::pin(self.handle(op)).await;
                continue;
            }
            if !self.waiting.is_empty() {
                self.go_on_in_line().await;
                continue;
            }
            let (mut loading, job_end) = (self.ruler_loading.take(), self.job_end());
            let woken = tokio::select! {
                op = self.ops.recv() => Woken::Op(op.map(Box::new)),
                ruler = loaded(&mut loading) => Woken::Ruler(ruler),
                () = job_end => Woken::JobEnd,
            };
            if !matches!(woken, Woken::Ruler(_)) {
                self.ruler_loading = loading;
            }
            match woken {
                Woken::Op(Some(op)) => Box::pin(self.handle(*op)).await,
                Woken::Op(None) => break,
                Woken::Ruler(Some(ruler)) => self.take_ruler(ruler).await,
                Woken::Ruler(None) => self.do_without_exact_ruler().await,
                // Now: what changes from here on is not the job's.
                Woken::JobEnd => _ = self.look_if_jobs_ran().await,
            }
        }
        self.give_back(|_| true).await;
        self.scope.jobs.end_all().await;
        self.background = None;
        self.settle_bill().await;
        let kept = self.conversation.leave(&self.setup.refuges());
        self.emit(AgentEvent::Session(SessionEvent::Ended(kept)))
            .await;
    }

    /// A number that names something in this run.
    pub fn fresh_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    pub async fn emit(&self, event: AgentEvent) {
        // A front end that is gone has no use for events.
        let _ = self.events.send(event).await;
    }

    /// For work beside the actor that reports by itself.
    pub fn reporter(&self) -> mpsc::Sender<AgentEvent> {
        self.events.clone()
    }

    pub async fn notice(&self, notice: Notice) {
        self.emit(AgentEvent::Notice(notice)).await;
    }

    /// Evaluates the view and says so. Records nothing.
    pub async fn publish_view(&mut self) {
        self.take_loaded_ruler();
        let view = self
            .conversation
            .evaluate(&self.around, Pressure::default())
            .view;
        self.show_view(view).await;
    }

    /// Says a view, with what stands in the composer. While the exact ruler is on its way
    /// nobody is shown figures that it would change at once.
    pub async fn show_view(&mut self, view: ContextView) {
        if self.is_measuring() {
            return;
        }
        let shown = match &self.draft {
            Some(draft) => self.conversation.with_draft(view, draft),
            None => view,
        };
        self.emit(AgentEvent::Context(ContextEvent::View(Arc::new(shown))))
            .await;
    }

    /// Appends an entry and says so.
    pub async fn append(
        &mut self,
        body: EntryBody,
        durability: Durability,
    ) -> Arc<crate::transcript::Entry> {
        let (entry, notice) = self.conversation.append(body, durability);
        self.emit(AgentEvent::Session(SessionEvent::Entry(Arc::clone(&entry))))
            .await;
        if let Some(notice) = notice {
            self.notice(notice).await;
        }
        entry
    }

    /// Appends a message of the user and runs the turn that it starts.
    pub async fn submit(&mut self, text: String, images: Vec<Image>) {
        if self.setup.is_interactive {
            self.want_ruler();
            self.look_early();
        }
        // In the order in which it happened; the last word is the user's.
        self.tell_ended_jobs().await;
        self.append_user(text, images).await;
        self.auto.on_user_message();
        let end = match self.closed_to() {
            Some(refusal) => failure(refusal, "read_only", exit::FAILED, ""),
            None => Box::pin(self.run_turn()).await,
        };
        self.record_plan_mode().await;
        self.around.live = None;
        self.around.tools_running = false;
        self.settle_bill().await;
        self.publish_view().await;
        // What was typed meanwhile was typed for a turn that works: whoever is asked next
        // would fail as well, and who stopped a turn wants nothing sent after it.
        let has_failed = end.error.is_some() || end.stop == StopReason::Aborted;
        self.emit(AgentEvent::Turn(TurnEvent::Finished(end))).await;
        if has_failed {
            self.give_back(|_| true).await;
        }
    }

    pub async fn append_user(&mut self, text: String, images: Vec<Image>) {
        let message = Message::user_parts(text, images);
        self.append(EntryBody::Message(Arc::new(message)), Durability::Flush)
            .await;
    }

    /// Puts another conversation in the place of this one.
    pub async fn replace_conversation(
        &mut self,
        conversation: Conversation,
        mut notices: Vec<Notice>,
    ) {
        self.background = None;
        self.settle_bill().await;
        if let Kept::Unsaved(unsaved) = self.conversation.leave(&self.setup.refuges()) {
            self.notice(unsaved.notice()).await;
        }
        self.conversation = conversation;
        self.scope.reads = Arc::new(ReadLog::default());
        self.scope.spill_dir = self
            .conversation
            .path()
            .map(|path| crate::session::outputs_folder(&path));
        self.watch_anew();
        notices.extend(self.take_up_standing().0);
        let model = self.helm.model.clone();
        notices.extend(self.refresh_prompt());
        let lineage = self.conversation.lineage();
        self.around = self
            .setup
            .surroundings(&self.prompt, &self.tools, model, &lineage);
        self.apply_model_settings();
        self.resume_plan_mode();
        self.policy.end_session();
        self.scope.jobs.leave_conversation();
        self.last_request = None;
        self.auto = AutoCompaction::default();
        self.announce(notices).await;
        // What was typed since waits for this conversation.
        if !self.waiting.is_empty() {
            self.publish_queue().await;
        }
        self.show_first_view().await;
    }
}

/// Where the tools of a conversation work.
fn tool_scope(setup: &Setup, helm: &Helm, conversation: &Conversation) -> ToolScope {
    let extra_dirs = &setup.settings.agent.tools.extra_dirs;
    ToolScope {
        cwd: setup.cwd.clone(),
        extra_dirs: extra_dirs.clone(),
        reads: Arc::new(ReadLog::default()),
        jobs: Arc::default(),
        withheld: helm.registry.key_variables().into(),
        home: setup.environment.get("HOME").map(Into::into),
        spill_dir: conversation
            .path()
            .map(|path| crate::session::outputs_folder(&path)),
        watch: looking::watch(conversation, &setup.cwd, &setup.settings.agent),
        sealed: Arc::new(SealedPlaces::new(
            setup.paths.own_files(),
            setup.paths.own_folders(),
            &setup.cwd,
        )),
        repository: Arc::new(KnownRepository::around(&setup.cwd)),
    }
}

/// What an actor that has nothing to do was woken by.
enum Woken {
    Op(Option<Box<Op>>),
    Ruler(Option<Arc<dyn Ruler>>),
    JobEnd,
}

/// Resolves when the ruler that is loading is there; never when none is.
async fn loaded(loading: &mut Option<oneshot::Receiver<Arc<dyn Ruler>>>) -> Option<Arc<dyn Ruler>> {
    match loading {
        Some(loading) => loading.await.ok(),
        None => std::future::pending().await,
    }
}

/// Between two views while an answer streams: ten a second move the gauge smoothly.
pub(super) const VIEW_INTERVAL: Duration = Duration::from_millis(100);
