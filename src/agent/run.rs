//! The actor: owns the session, takes one [`Op`] after the other, says what happens.
//!
//! While a turn or a compaction runs, ops are read between its awaits (`inbox`); so
//! there is one owner of all state and no lock.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use crate::agent::actor::Actor;
use crate::agent::children::Children;
use crate::agent::compaction::state::{AutoCompaction, Compactor};
use crate::agent::cost::Costs;
use crate::agent::exit;
use crate::agent::files::FileActs;
use crate::agent::files::watch::FileScan;
use crate::agent::guidance::Guidance;
use crate::agent::handle::{AgentHandle, StartError};
use crate::agent::hooks::{EventHooks, HookState};
use crate::agent::mailbox::{EventSender, Mailbox};
use crate::agent::mentions::ServerTexts;
use crate::agent::model::ActiveModel;
use crate::agent::model::switch::ModelSwitch;
use crate::agent::protocol::{
    AgentEvent, ApprovalState, Notice, Op, SaveOutcome, SessionCost, SessionEvent, TurnEvent,
};
use crate::agent::recall::RecallDesk;
use crate::agent::sessions::SessionActs;
use crate::agent::sessions::title::TitleWork;
use crate::agent::settings::kept_permissions;
use crate::agent::setup::{AgentSetup, ModelConnection, SystemPrompt};
use crate::agent::thread::Thread;
use crate::agent::thread::conversation::Conversation;
use crate::agent::toolbox::{Toolbox, tool_scope};
use crate::agent::turn::failure::failure;
use crate::agent::turn::reminder::Reminders;
use crate::agent::turn::{TurnLoop, jobs};
use crate::engine::counting::{TokenCounting, ruler_of};
use crate::tool::{ApprovalPolicy, ReadLog, TaskHost};
use crate::transcript::{ExpectedTokens, Image, StopReason};

/// Ops that may wait; a front end never sends more at once.
const OPS_CAPACITY: usize = 64;
/// Events that may wait until the front end takes them.
const EVENTS_CAPACITY: usize = 1_024;

/// Starts an agent on the current runtime.
pub fn spawn(setup: AgentSetup) -> AgentHandle {
    let (ops, ops_rx) = mpsc::channel(OPS_CAPACITY);
    let (events_tx, events) = mpsc::channel(EVENTS_CAPACITY);
    let (ready_tx, ready) = oneshot::channel();
    let task = tokio::spawn(async move {
        match Box::pin(Actor::start(setup, ops_rx, events_tx)).await {
            Ok(mut actor) => {
                let _ = ready_tx.send(Ok(()));
                let registry = &actor.model.connection.registry;
                actor.setup.refresh_catalogue(registry);
                actor.setup.sources.start();
                actor.setup.start_servers(actor.events.clone());
                // A front end shows a long session while it is measured.
                actor.thread.publish_view().await;
                Box::pin(actor.run()).await;
            }
            Err((error, events)) => {
                let notice = Notice::error(error.to_string());
                let _ = events.send(AgentEvent::Notice(notice)).await;
                let _ = ready_tx.send(Err(error));
            }
        }
    });
    AgentHandle {
        ops,
        events,
        ready,
        task,
    }
}

/// The parts that an actor is built from.
struct OpenedParts {
    connection: ModelConnection,
    policy: ApprovalPolicy,
    conversation: Conversation,
    prompt: SystemPrompt,
}

impl Actor {
    async fn start(
        setup: AgentSetup,
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
        setup: AgentSetup,
        ops: mpsc::Receiver<Op>,
        events: mpsc::Sender<AgentEvent>,
    ) -> Result<(Self, Vec<Notice>), StartError> {
        let role = setup.child.clone();
        let registry = role.as_ref().map_or_else(
            || Arc::new(setup.registry()),
            |role| Arc::clone(&role.registry),
        );
        let context = setup.settings.context.clone();
        let (conversation, mut notices) = Conversation::open(&setup, context)?;
        let last = conversation.last_model();
        let connection = setup
            .choose(registry, last)
            .await
            .map_err(StartError::Model)?;
        let agent = &setup.settings.agent;
        let mut policy = ApprovalPolicy::new(agent.tools.approvals, &agent.tools.approvals_allow)
            .map_err(|error| StartError::Settings(error.to_string()))?
            .with_read_only(agent.tools.approvals_read_only);
        notices.extend(kept_permissions::take_always(&mut policy, &setup));
        if let Some(role) = &role {
            policy = role.policy.clone();
        }
        let prompt = setup.prompt(&connection.model);
        notices.extend(setup.notices.iter().map(Notice::warning));
        notices.extend(setup.unknown_tools_off().map(Notice::warning));
        notices.extend(prompt.notices.iter().cloned());
        let mut actor = Self::put_together(
            setup,
            OpenedParts {
                connection,
                policy,
                conversation,
                prompt,
            },
            ops,
            events,
        );
        actor.apply_model_settings();
        Reminders::of(&mut actor).resume_plan_mode();
        if actor.setup.flags.plan_mode {
            actor.toolbox.policy.set_plan_mode(true);
        }
        Ok((actor, notices))
    }

    /// An actor that has not done anything yet.
    fn put_together(
        setup: AgentSetup,
        opened: OpenedParts,
        ops: mpsc::Receiver<Op>,
        events: mpsc::Sender<AgentEvent>,
    ) -> Self {
        let OpenedParts {
            connection,
            policy,
            conversation,
            prompt,
        } = opened;
        let tools = setup.tools_for(&prompt, &connection.model);
        let lineage = conversation.lineage();
        let context = setup.surroundings(&prompt, &tools, connection.model.clone(), &lineage);
        let counting = TokenCounting::of(&connection.model);
        let ruler = ruler_of(setup.settings.context.ruler, counting);
        let thinking = conversation
            .last_thinking()
            .unwrap_or(setup.settings.agent.thinking);
        let mut scope = tool_scope(&setup, &connection, &conversation, &prompt);
        jobs::report(&scope.jobs, events.clone());
        let events = EventSender::new(events);
        let children = Children::new(events.clone(), spawn, &setup);
        scope.tasks = Some(TaskHost(Arc::new(children.clone())));
        Self {
            mailbox: Mailbox::new(ops, events.clone()),
            thread: Thread {
                conversation,
                context,
                events: events.clone(),
                ruler,
                draft: None,
                prompt,
                last_request: None,
                asked_tokens: 0,
                expected: ExpectedTokens::default(),
                has_told_full_rules: false,
                has_told_saved: true,
            },
            model: ActiveModel::new(connection, thinking),
            toolbox: Toolbox {
                tools,
                policy,
                scope,
                recall: RecallDesk::default(),
                looking: FileScan::default(),
                detach: None,
                reached: Vec::new(),
            },
            compactor: Compactor::default(),
            costs: Costs::of(&setup),
            children,
            hooks: HookState::default(),
            title: TitleWork::default(),
            listed_all: false,
            events,
            setup: Arc::new(setup),
        }
    }

    /// Says which session is open.
    async fn announce(&mut self, notices: Vec<Notice>) {
        self.sum_up_usage();
        let info = self.session_info();
        self.events.emit(SessionEvent::Opened(Box::new(info))).await;
        self.open_children();
        for notice in notices {
            self.events.notice(notice).await;
        }
        if let Some(note) = self
            .model
            .connection
            .registry
            .address(&self.model.connection.model.model)
            .and_then(|a| a.note)
        {
            self.events.notice(Notice::info(note)).await;
        }
        // Where nobody looks at a screen, the refusal itself says it.
        if self.setup.is_interactive
            && let Some(notice) = self.setup.window_too_small(
                &self.model.connection.registry,
                &self.model.connection.model,
            )
        {
            self.events.notice(notice).await;
        }
        let model = &self.model.connection.model.model;
        let registry = &self.model.connection.registry;
        if let Some(notice) = self.setup.lifecycle_notice(registry, model) {
            self.events.notice(notice).await;
        }
        if let Some(remark) = self.model.reasoning_remark() {
            self.events.notice(Notice::warning(remark)).await;
        }
        let wanted = self.setup.settings.context.server;
        if self.model.connection.registry.server_context(model, wanted) != wanted {
            let text = format!(
                "context.server = {}: not supported by {}",
                wanted.name(),
                model
            );
            self.events.notice(Notice::warning(text)).await;
        }
    }

    pub(super) fn session_info(&self) -> crate::agent::SessionInfo {
        let cwd = self.setup.cwd.clone();
        let model = &self.model.connection.model.model;
        crate::agent::SessionInfo {
            // It may have been switched on for this run, and not be in the log yet.
            plan_mode: self.toolbox.policy.is_plan_mode(),
            reasoning: self.model.reasoning_state(),
            approvals: ApprovalState::of(&self.toolbox.policy),
            ..self
                .thread
                .conversation
                .info(cwd, model, &self.model.connection.reason)
        }
    }

    /// Adds up the usage of earlier runs of this session.
    fn sum_up_usage(&mut self) {
        // What a sub-agent has of a conversation, its caller has paid for.
        if self.setup.child.is_some() {
            return;
        }
        let entries = self.thread.conversation.transcript().entries();
        self.costs.usage = SessionCost::of(entries.iter().map(AsRef::as_ref))
            .total()
            .usage;
        self.costs.spent_before_usd = self.costs.usage.cost_usd.unwrap_or(0.0);
        self.costs.bill.begin_with(self.costs.spent_before_usd);
    }

    /// Settings that depend on the model: its own window and load line.
    pub(super) fn apply_model_settings(&mut self) {
        let context = Arc::new(self.settings_for(&self.model.connection.model.model));
        let model = self.model.connection.model.clone();
        let thread = &mut self.thread;
        if thread.context.model.model != model.model {
            let lineage = thread.conversation.lineage();
            thread.context.samples = self.setup.samples_of(&model.model, &lineage);
        }
        thread.context.model = model;
        let counting = TokenCounting::of(&thread.context.model);
        thread.ruler = ruler_of(self.setup.settings.context.ruler, counting);
        thread
            .conversation
            .use_ruler(context, Arc::clone(&thread.ruler));
    }

    async fn run(mut self) {
        let source = if self.thread.conversation.transcript().is_empty() {
            "startup"
        } else {
            "resume"
        };
        Box::pin(EventHooks::of(&mut self).session_started(source)).await;
        while !self.mailbox.is_closing {
            self.mailbox.late_stop = None;
            self.settle_bill().await;
            self.heed_overheard().await;
            if let Some(op) = self.mailbox.stopped_for.pop_front() {
                Box::pin(self.handle(op)).await;
                continue;
            }
            if !self.mailbox.waiting.is_empty() {
                self.go_on_in_line().await;
                continue;
            }
            let job_end = self.job_end();
            let woken = tokio::select! {
                op = self.mailbox.ops.recv() => ActorWake::Op(op.map(Box::new)),
                () = job_end => ActorWake::JobEnd,
                title = self.title.written() => ActorWake::Title(title),
            };
            match woken {
                ActorWake::Op(Some(op)) => Box::pin(self.handle(*op)).await,
                ActorWake::Op(None) => break,
                // Now: what changes from here on is not the job's.
                ActorWake::Title(Some(title)) => SessionActs::of(&mut self).take_title(title).await,
                ActorWake::Title(None) => {}
                ActorWake::JobEnd => _ = FileActs::of(&mut self).look_if_jobs_ran().await,
            }
        }
        self.mailbox.give_back(|_| true).await;
        Box::pin(EventHooks::of(&mut self).session_ended("exit")).await;
        self.children.end_all().await;
        self.log_children().await;
        self.toolbox.scope.jobs.end_all().await;
        self.setup.sources.close().await;
        if self.setup.child.is_none() {
            self.setup.servers.close().await;
        }
        self.compactor.background = None;
        self.settle_bill().await;
        let kept = self.thread.conversation.leave(&self.setup.refuges());
        self.events.emit(SessionEvent::Ended(kept)).await;
    }

    /// Appends a message of the user and runs the turn that it starts.
    pub(super) async fn submit(&mut self, text: String, images: Vec<Image>) {
        if self.setup.is_interactive {
            FileActs::of(self).look_early();
        }
        // In the order in which it happened; the last word is the user's.
        Reminders::of(self).tell_ended_jobs().await;
        Reminders::of(self).tell_ended_children().await;
        if let Err(refusal) = Box::pin(EventHooks::of(self).ask_prompt_hooks(&text)).await {
            return EventHooks::of(self)
                .refuse_prompt(&refusal, text, images)
                .await;
        }
        let whole = Box::pin(ServerTexts::of(self).whole(&text, &images)).await;
        let whole = match whole {
            Ok(whole) => whole,
            Err(refusal) => {
                return EventHooks::of(self)
                    .refuse_prompt(&refusal.into(), text, images)
                    .await;
            }
        };
        self.thread.append_user(whole.text, whole.images).await;
        Guidance::of(self).take_asked_skill(&text).await;
        self.compactor.auto.on_user_message();
        let end = match (self.closed_to(), self.cannot_begin()) {
            (Some(refusal), _) => failure(refusal, "read_only", exit::FAILED, ""),
            (None, Some(refusal)) => failure(refusal, "unsaved", exit::FAILED, ""),
            (None, None) => Box::pin(TurnLoop::of(self).run_turn()).await,
        };
        Reminders::of(self).record_plan_mode().await;
        self.thread.context.live = None;
        self.thread.context.tools_running = false;
        self.settle_bill().await;
        self.thread.publish_view().await;
        // What was typed meanwhile was typed for a turn that works: whoever is asked next
        // would fail as well, and who stopped a turn wants nothing sent after it.
        let has_failed = end.error.is_some() || end.stop == StopReason::Aborted;
        self.events.emit(TurnEvent::Finished(end)).await;
        if has_failed {
            self.mailbox.give_back(|_| true).await;
        } else {
            SessionActs::of(self).begin_title();
        }
    }

    /// Puts another conversation in the place of this one.
    pub(super) async fn replace_conversation(
        &mut self,
        conversation: Conversation,
        mut notices: Vec<Notice>,
    ) {
        self.compactor.background = None;
        self.title = TitleWork::default();
        Box::pin(EventHooks::of(self).session_ended("other")).await;
        self.children.end_all().await;
        self.log_children().await;
        self.settle_bill().await;
        if let SaveOutcome::Unsaved(unsaved) = self.thread.conversation.leave(&self.setup.refuges())
        {
            self.events.notice(unsaved.notice()).await;
        }
        let mut before = std::mem::replace(&mut self.thread.conversation, conversation);
        let engines = self.thread.conversation.engines();
        engines.inherit(before.engines());
        self.toolbox.scope.reads = Arc::new(ReadLog::default());
        self.toolbox.scope.spill_dir = self
            .thread
            .conversation
            .path()
            .map(|path| crate::session::outputs_folder(&path));
        FileActs::of(self).watch_anew();
        notices.extend(ModelSwitch::of(self).take_up_standing().0);
        let model = self.model.connection.model.clone();
        notices.extend(self.refresh_prompt());
        let lineage = self.thread.conversation.lineage();
        self.thread.context =
            self.setup
                .surroundings(&self.thread.prompt, &self.toolbox.tools, model, &lineage);
        self.apply_model_settings();
        Reminders::of(self).resume_plan_mode();
        self.toolbox.policy.end_session();
        self.toolbox.scope.jobs.leave_conversation();
        self.thread.last_request = None;
        self.compactor.auto = AutoCompaction::default();
        self.announce(notices).await;
        // What was typed since waits for this conversation.
        if !self.mailbox.waiting.is_empty() {
            self.mailbox.publish_queue().await;
        }
        self.thread.publish_view().await;
        let source = if self.thread.conversation.transcript().is_empty() {
            "clear"
        } else {
            "resume"
        };
        Box::pin(EventHooks::of(self).session_started(source)).await;
    }
}

/// The cause that woke an idle actor.
enum ActorWake {
    Op(Option<Box<Op>>),
    JobEnd,
    Title(Option<String>),
}
