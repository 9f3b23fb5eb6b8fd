//! The agent's events: the state follows, then screens open.

use super::edit::given_back;
use super::{call, open, overlay, reply, tour};
use crate::agent::{
    AgentEvent, AnswerDelta, AnswerEvent, ApprovalState, ChildEvent, CompactionEvent,
    CompactionPlan, ContextEvent, JobInfo, Notice, NoticeLevel, SessionEvent, SessionInfo, TurnEnd,
    TurnEvent, UndoWay,
};
use crate::context::ContextView;
use crate::transcript::{
    Compaction, Entry, EntryId, Message, StopReason, Timestamp, Trigger, lost_reasoning_words,
};
use crate::tui::effect::Effect;
use crate::tui::keymap::Action;
use crate::tui::model::{Activity, CompactionProgress, Model, TurnPhase};
use crate::tui::numbers;
use crate::tui::overlay::lists::permissions::mode_sentence;
use crate::tui::render::safe;
use crate::tui::transcript::{Note, begin_recovery, join_recovery};

use std::sync::Arc;

/// Columns of foreign text on the status line.
const STATUS_COLUMNS: usize = 120;

/// Something happened in the agent. The open screens hear of it first; a reply is for what
/// asked for it.
pub(super) fn on_event(model: &mut Model, event: AgentEvent) -> Vec<Effect> {
    if let AgentEvent::Reply { to: Some(id), .. } = &event {
        let purpose = model.queries.close(*id, &model.screens);
        return purpose.map_or_else(Vec::new, |purpose| reply::deliver(model, event, purpose));
    }
    let heard = overlay::on_event(model, &event);
    let mut effects = heard.effects;
    effects.extend(call::on_event(model, &event));
    follow(model, &event);
    effects.extend(tour::explain_gauge(model));
    effects.extend(open_for(model, event, heard.is_taken));
    effects
}

/// Lets the state follow an event where there are no screens: none opens for it.
pub fn follow_in_lines(model: &mut Model, event: &AgentEvent) -> Vec<Effect> {
    let effects = call::on_event(model, event);
    follow(model, event);
    effects
}

/// Lets the state follow an event.
fn follow(model: &mut Model, event: &AgentEvent) {
    match event {
        AgentEvent::Stream(event) => on_stream(model, event),
        AgentEvent::Turn(event) => on_turn(model, event),
        AgentEvent::Context(event) => on_context(model, event),
        AgentEvent::Compaction(event) => on_compaction(model, event),
        AgentEvent::Session(event) => on_session(model, event),
        AgentEvent::Child(event) => on_child(model, event),
        // A screen shows it.
        AgentEvent::Reply { .. } => {}
        AgentEvent::Notice(notice) => on_notice(model, notice.clone()),
    }
}

/// The screen that an event asks for. `is_taken`: an open screen shows it already.
fn open_for(model: &mut Model, event: AgentEvent, is_taken: bool) -> Vec<Effect> {
    match event {
        AgentEvent::Turn(TurnEvent::Approval(request)) => open::approval(model, request),
        AgentEvent::Turn(TurnEvent::Oversize(offer)) => open::oversize(model, offer),
        AgentEvent::Turn(TurnEvent::Form(request)) => open::form(model, request),
        AgentEvent::Turn(TurnEvent::InputReturned(inputs)) => given_back::take(model, inputs),
        AgentEvent::Context(ContextEvent::UndoPlanned(plan)) => open::undo(model, *plan),
        AgentEvent::Compaction(CompactionEvent::Review(proposal)) if !is_taken => {
            open::review(model, proposal)
        }
        AgentEvent::Reply { reply, .. } => reply::refresh(model, reply, is_taken),
        AgentEvent::Turn(
            TurnEvent::ApprovalClosed { .. }
            | TurnEvent::OversizeClosed { .. }
            | TurnEvent::FormClosed { .. }
            | TurnEvent::Queued(_)
            | TurnEvent::Jobs(_)
            | TurnEvent::Finished(_),
        )
        | AgentEvent::Context(
            ContextEvent::View(_)
            | ContextEvent::Overflow { .. }
            | ContextEvent::Replayed { .. }
            | ContextEvent::Pruned { .. }
            | ContextEvent::Guarded { .. }
            | ContextEvent::OverrideApplied { .. }
            | ContextEvent::RuleChanged { .. }
            | ContextEvent::ActUndone { .. },
        )
        | AgentEvent::Compaction(
            CompactionEvent::Started { .. }
            | CompactionEvent::Progress { .. }
            | CompactionEvent::Delta(_)
            | CompactionEvent::Audited(_)
            | CompactionEvent::Review(_)
            | CompactionEvent::Sources(_)
            | CompactionEvent::Planned(_)
            | CompactionEvent::Applied { .. }
            | CompactionEvent::Cancelled { .. }
            | CompactionEvent::Failed { .. }
            | CompactionEvent::Undone { .. },
        )
        | AgentEvent::Stream(_)
        | AgentEvent::Session(_)
        | AgentEvent::Child(_)
        | AgentEvent::Notice(_) => Vec::new(),
    }
}

/// A request, its answer and its tool calls.
fn on_stream(model: &mut Model, event: &AnswerEvent) {
    match event {
        AnswerEvent::RequestStarted { model: by } => model.enter(TurnPhase::Waiting(by.clone())),
        AnswerEvent::Delta(delta) => on_delta(model, delta),
        AnswerEvent::ToolStarted {
            call_id,
            name,
            title,
        } => tool_started(model, call_id, name, title),
        AnswerEvent::ToolOutput { call_id, text } => {
            model.conversation.tool_output(call_id, text);
        }
        AnswerEvent::ToolFinished {
            call_id, elapsed, ..
        } => {
            model.conversation.tool_finished(call_id, *elapsed);
            model.activity.end_tool(model.now);
        }
        AnswerEvent::Retrying {
            attempt,
            max_attempts,
            after,
            reason,
        } => {
            let wait_ms = i64::try_from(after.as_millis()).unwrap_or(i64::MAX);
            model.enter(TurnPhase::Retrying {
                attempt: *attempt,
                max_attempts: *max_attempts,
                until: Timestamp(model.now.0.saturating_add(wait_ms)),
                reason: safe::one_line(reason, STATUS_COLUMNS),
            });
        }
        // The entry of the answer has it.
        AnswerEvent::Usage { .. } => {}
    }
}

/// Questions, inputs that wait, and the end.
fn on_turn(model: &mut Model, event: &TurnEvent) {
    match event {
        // The agent itself may be idle while a sub-agent asks.
        TurnEvent::Approval(request) if request.asked_by.is_some() => {}
        TurnEvent::Form(request) if request.asked_by.is_some() => {}
        TurnEvent::Approval(_) | TurnEvent::Oversize(_) | TurnEvent::Form(_) => {
            model.enter(TurnPhase::Asking);
        }
        // The composer has inputs again; the open screens hear of what is closed.
        TurnEvent::InputReturned(_)
        | TurnEvent::ApprovalClosed { .. }
        | TurnEvent::OversizeClosed { .. }
        | TurnEvent::FormClosed { .. } => {}
        TurnEvent::Queued(queued) => model.activity.queued.clone_from(queued),
        TurnEvent::Jobs(jobs) => jobs_changed(model, jobs.clone()),
        TurnEvent::Finished(end) => turn_finished(model, end),
    }
}

/// The view and decisions on it.
fn on_context(model: &mut Model, event: &ContextEvent) {
    match event {
        ContextEvent::View(view) => view_changed(model, view),
        ContextEvent::Overflow { .. } => overflowed(model, event.in_words()),
        ContextEvent::Pruned {
            trimmed,
            cleared,
            tokens_saved,
            reasoning_lost,
            dry_run,
            by_person,
            ..
        } => {
            let what = format!(
                "{trimmed} trimmed, {cleared} cleared, {} tokens",
                numbers::tokens(*tokens_saved)
            );
            let what = format!("{what}{}", lost_reasoning_words(*reasoning_lost));
            let told = match (*dry_run, *by_person) {
                (true, _) => PruneTold::Preview,
                (false, true) => PruneTold::WithUndo,
                (false, false) if *reasoning_lost > 0 => PruneTold::Plainly,
                (false, false) => PruneTold::OnItsCard,
            };
            pruned(model, &what, told);
        }
        ContextEvent::Guarded { .. } => say_notice(model, event.in_words()),
        ContextEvent::RuleChanged { what, rule, .. } => {
            let undo = undo_words(model);
            let rule = safe::one_line(&rule.head(), STATUS_COLUMNS);
            model.say(NoticeLevel::Info, format!("rule {what}: {rule} · {undo}"));
        }
        // The entry of the replay shows it; a screen asks about the plan.
        ContextEvent::Replayed { .. } | ContextEvent::UndoPlanned(_) => {}
        ContextEvent::OverrideApplied {
            what,
            target,
            others,
            tokens_change,
        } => {
            let with = match others {
                0 => String::new(),
                n => format!(" with {n} more"),
            };
            let change = numbers::signed(*tokens_change);
            let undo = undo_words(model);
            let text = format!("{what}: {target}{with} · {change} tokens · {undo}");
            model.say(NoticeLevel::Info, text);
        }
        ContextEvent::ActUndone {
            way,
            what,
            tokens_change,
            ..
        } => act_undone(model, *way, what, *tokens_change),
    }
}

/// Compactions, from the start to the end or back.
fn on_compaction(model: &mut Model, event: &CompactionEvent) {
    match event {
        CompactionEvent::Started {
            trigger,
            tokens_before,
            summarized,
            ..
        } => compaction_started(model, *trigger, *tokens_before, *summarized),
        CompactionEvent::Progress { stage } => {
            if let Some(compaction) = &mut model.activity.compaction {
                compaction.stage = safe::one_line(stage, STATUS_COLUMNS);
            }
        }
        CompactionEvent::Delta(text) => model.conversation.compacting(text),
        CompactionEvent::Review(_) => review_opened(model),
        // The review shows the audit and hears of the sources.
        CompactionEvent::Audited(_) | CompactionEvent::Sources(_) => {}
        CompactionEvent::Planned(plan) => compaction_planned(model, plan),
        CompactionEvent::Applied { compaction, .. } => {
            compaction_applied(model, compaction);
        }
        CompactionEvent::Cancelled { .. } | CompactionEvent::Failed { .. } => {
            model.end_compaction();
            review_ended(model);
            remark_notice(model, "⚓", event.in_words());
        }
        CompactionEvent::Undone {
            target,
            tokens_after,
            over_load_line,
        } => compaction_undone(model, target, *tokens_after, *over_load_line),
    }
}

/// The session, its entries and its model.
fn on_session(model: &mut Model, event: &SessionEvent) {
    match event {
        SessionEvent::Opened(info) => session_opened(model, info),
        SessionEvent::Entry(entry) => entry_written(model, entry),
        SessionEvent::BranchMoved(branch) => branch_moved(model, branch),
        SessionEvent::ModelSwitched { model: to, reason } => {
            say_notice(model, event.in_words());
            model.session.model = to.clone();
            model.session.about_model.reason.clone_from(reason);
        }
        SessionEvent::Reasoning(state) => model.session.about_model.reasoning.clone_from(state),
        SessionEvent::Engine(id) => model.session.engine.clone_from(id),
        SessionEvent::PlanMode(on) => {
            model.session.mode.is_planning = *on;
            say_notice(model, event.in_words());
        }
        SessionEvent::Approvals(state) => approvals_changed(model, state),
        // An open picker hears of it; the farewell is the runner's.
        SessionEvent::Saved(is_saved) => model.session.saving.has_failed = !is_saved,
        SessionEvent::ServersOffer(offers) => model.completion.offer(Arc::clone(offers)),
        SessionEvent::ModelsListed(_) | SessionEvent::Ended(_) => {}
    }
}

/// Sub-agents: the card of a call shows the one that it started, so only the end of one that
/// ran in the background is said.
fn on_child(model: &mut Model, event: &ChildEvent) {
    match event {
        ChildEvent::Started(info) => {
            model.session.background.put_agent(info);
            model.conversation.agent_changed(info);
        }
        ChildEvent::Ended(info) => {
            model.session.background.put_agent(info);
            model.conversation.agent_changed(info);
            if info.is_background {
                say_notice(model, event.in_words());
            }
        }
        ChildEvent::Listed(list) => {
            for info in list.iter().filter(|info| info.id.depth() == 1) {
                model.conversation.agent_changed(info);
            }
            model.session.background.agents.clone_from(list);
        }
    }
}

fn approvals_changed(model: &mut Model, state: &ApprovalState) {
    if state.mode != model.session.mode.approvals.mode {
        model.say(NoticeLevel::Info, mode_sentence(state.mode));
    }
    model.session.mode.approvals.clone_from(state);
}

fn compaction_planned(model: &mut Model, plan: &CompactionPlan) {
    let text = format!(
        "/compact: {} → {}{}; {} summarised, {} kept, {} by {}",
        numbers::tokens(plan.tokens_before),
        plan.about(),
        numbers::tokens(plan.tokens_after),
        numbers::plural(plan.summarized, "message"),
        numbers::grouped(plan.kept),
        numbers::plural(plan.calls, "model call"),
        safe::one_line(&plan.model, STATUS_COLUMNS),
    );
    let label = plan.cut_label();
    let label = label.map(|it| safe::one_line(&it, STATUS_COLUMNS));
    model.remark("⚓", NoticeLevel::Info, text, label);
}

fn session_opened(model: &mut Model, info: &SessionInfo) {
    model.session.open(info);
    model.activity = Activity::default();
    model.screens.clear();
    model.queries.withdraw_screens();
    model.outgoing.replaces = None;
    model.completion.files.forget();
    model.conversation.marks.clear();
    model.conversation.open(&info.branch);
    // A session is opened at rest: calls without a result were cut short with their process.
    model.conversation.turn_finished(false);
    let found = info.found.as_ref();
    if found.is_some_and(|entry| !model.show_entry(entry)) {
        model.say(
            NoticeLevel::Info,
            "the text that was found is on another branch: /tree shows it",
        );
    }
}

fn entry_written(model: &mut Model, entry: &Arc<Entry>) {
    model.session.add_entry(entry);
    if let Some(Message::BashExecution(_)) = entry.message().map(AsRef::as_ref)
        && model.activity.end_shell()
    {
        model.status.hide_stopping();
    }
    model.conversation.push(entry);
}

fn branch_moved(model: &mut Model, branch: &[Arc<Entry>]) {
    model.session.use_branch(branch);
    model.outgoing.replaces = None;
    model.conversation.open(branch);
}

fn view_changed(model: &mut Model, view: &Arc<ContextView>) {
    model.conversation.marks.follow(view);
    model.session.gauge.follow(view, model.now);
    model.activity.steady.follow(view, model.now);
    model.session.view = Some(Arc::clone(view));
}

/// Says which job has ended since.
fn jobs_changed(model: &mut Model, jobs: Vec<JobInfo>) {
    let ended = model.session.use_jobs(jobs);
    if let Some((job, end)) = ended.and_then(|job| Some((job, job.end.as_ref()?))) {
        let level = if end.is_error {
            NoticeLevel::Warning
        } else {
            NoticeLevel::Info
        };
        let text = format!("job {} has ended: {}; /jobs shows it", job.id, end.how);
        model.say(level, text);
    }
}

fn on_delta(model: &mut Model, delta: &AnswerDelta) {
    match delta {
        AnswerDelta::Text(_) => model.enter(TurnPhase::Answering),
        AnswerDelta::Thinking(_) => model.enter(TurnPhase::Thinking),
        AnswerDelta::ToolCall { name, .. } => {
            model.enter(TurnPhase::Calling(safe::one_line(name, STATUS_COLUMNS)));
        }
        AnswerDelta::Reset => {}
    }
    model.conversation.stream(delta);
}

fn tool_started(model: &mut Model, call_id: &str, name: &str, title: &str) {
    let now = model.now;
    model.conversation.tool_started(call_id, name, title, now);
    let text = format!("{name} {title}");
    model.enter(TurnPhase::Tool(safe::one_line(&text, STATUS_COLUMNS)));
}

fn on_notice(model: &mut Model, notice: Notice) {
    let sign = match notice.level {
        NoticeLevel::Info => "·",
        NoticeLevel::Warning => "▲",
        NoticeLevel::Error => "✗",
    };
    if notice.level == NoticeLevel::Error {
        model.activity.refuse_message();
    }
    // The question hides the rows of the transcript that would show it.
    if model.has_question() && notice.level != NoticeLevel::Info {
        model.say(notice.level, notice.text.clone());
    }
    let is_joined = notice.level != NoticeLevel::Error && {
        let hint = notice.hint.as_deref();
        join_recovery(&mut model.conversation, &notice.text, hint)
    };
    if !is_joined {
        model.remark(sign, notice.level, notice.text, notice.hint);
    }
}

fn turn_finished(model: &mut Model, end: &TurnEnd) {
    model.activity.end_turn();
    let is_aborted = end.stop == StopReason::Aborted && end.error.is_none();
    model.conversation.turn_finished(is_aborted);
    model.completion.files.forget();
    model.status.hide_stopping();
    if let Some(error) = &end.error {
        on_notice(model, error.clone());
    }
}

/// How a prune is told beside its card in the transcript.
#[derive(Clone, Copy)]
enum PruneTold {
    /// It was not done.
    Preview,
    /// A person did it.
    WithUndo,
    /// Reasoning behind it is lost.
    Plainly,
    /// The card says it all.
    OnItsCard,
}

fn pruned(model: &mut Model, what: &str, told: PruneTold) {
    match told {
        PruneTold::Preview => {
            let text = format!("/prune would free: {what}");
            model.remark("✂", NoticeLevel::Info, text, None);
        }
        PruneTold::WithUndo => {
            let undo = undo_words(model);
            model.say(NoticeLevel::Info, format!("pruned: {what} · {undo}"));
        }
        PruneTold::Plainly => model.say(NoticeLevel::Info, format!("pruned: {what}")),
        PruneTold::OnItsCard => {}
    }
}

fn act_undone(model: &mut Model, way: UndoWay, what: &str, tokens_change: i64) {
    let change = numbers::signed(tokens_change);
    let back = match way {
        UndoWay::Undo => key_words(model, Action::RedoAct, "/redo", "redo"),
        UndoWay::Redo => undo_words(model),
    };
    let text = safe::one_line(what, STATUS_COLUMNS);
    let text = format!("{}: {text} · {change} tokens · {back}", way.done());
    model.say(NoticeLevel::Info, text);
}

/// The key that undoes the newest act, or the command where no key does.
fn undo_words(model: &Model) -> String {
    key_words(model, Action::UndoAct, "/undo", "undo")
}

fn key_words(model: &Model, action: Action, command: &str, what: &str) -> String {
    match model.keymap.key_of(action) {
        Some(key) => format!("{key}: {what}"),
        // Its name says what it does.
        None => command.to_owned(),
    }
}

fn compaction_started(model: &mut Model, trigger: Trigger, tokens_before: u64, summarized: u64) {
    review_ended(model);
    model.activity.compaction = Some(CompactionProgress {
        trigger,
        tokens_before,
        summarized,
        stage: String::new(),
        since: model.now,
    });
    model.conversation.end_compacting();
    model.conversation.compacting("");
}

/// While a person looks at the summary of a turn, nothing else goes on in it.
fn review_opened(model: &mut Model) {
    model.end_compaction();
    if model.activity.is_turn_running() {
        model.enter(TurnPhase::Asking);
    }
}

fn review_ended(model: &mut Model) {
    if model.activity.phase == TurnPhase::Asking {
        model.enter(TurnPhase::Sending);
    }
}

fn compaction_applied(model: &mut Model, compaction: &Compaction) {
    model.end_compaction();
    review_ended(model);
    let mut text = format!(
        "compacted {} → {}",
        numbers::tokens(compaction.tokens_before),
        numbers::tokens(compaction.details.tokens_after)
    );
    if let Some(label) = compaction.details.author_label() {
        text = format!("{text} · {label}");
    }
    // Also one that nobody asked for.
    text.push_str(" · /uncompact: undo");
    model.say(NoticeLevel::Info, text);
}

fn compaction_undone(model: &mut Model, target: &EntryId, tokens_after: u64, is_over: bool) {
    model.conversation.undo_compaction(target);
    // It may still say that the compaction was applied.
    model.status.toast = None;
    let text = format!(
        "compaction undone: {} in the window · {}",
        numbers::tokens(tokens_after),
        key_words(model, Action::RedoAct, "/redo", "redo"),
    );
    let hint = is_over.then(|| {
        "over the load line: the next message compacts again unless you prune or drop".to_owned()
    });
    let level = if is_over {
        NoticeLevel::Warning
    } else {
        NoticeLevel::Info
    };
    model.remark("⚓", level, text, hint);
}

/// A request was too long: what follows from it joins the card.
fn overflowed(model: &mut Model, words: Option<Notice>) {
    if let Some(words) = words {
        let note = Note {
            sign: "▲",
            level: words.level,
            text: words.text,
            hint: words.hint,
        };
        begin_recovery(&mut model.conversation, note);
    }
}

/// Writes between the messages what an event says in words.
fn remark_notice(model: &mut Model, sign: &'static str, words: Option<Notice>) {
    if let Some(words) = words {
        model.remark(sign, words.level, words.text, words.hint);
    }
}

/// Shows on the status line, where it passes, what an event says in words.
fn say_notice(model: &mut Model, words: Option<Notice>) {
    if let Some(words) = words {
        model.say(words.level, words.text);
    }
}
