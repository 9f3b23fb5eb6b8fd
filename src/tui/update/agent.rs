//! What the agent says.

use std::sync::Arc;

use super::{call, given_back, open, overlay, settings};
use crate::agent::{
    Account, AgentEvent, AnswerDelta, AnswerEvent, ApprovalRequest, CompactionEvent,
    CompactionPlan, ContextEvent, JobInfo, Notice, NoticeLevel, Op, QueryId, QueryReply,
    SessionEvent, SessionInfo, TurnEnd, TurnEvent, UndoWay,
};
use crate::context::ContextView;
use crate::transcript::{
    Compaction, Entry, EntryBody, EntryId, Message, StopReason, Timestamp, TodoList, Trigger,
};
use crate::tui::effect::Effect;
use crate::tui::model::{Compacting, Model, Phase};
use crate::tui::numbers;
use crate::tui::overlay::inspect::tables::Tables;
use crate::tui::render::safe;
use crate::tui::transcript::Note;

/// Columns of foreign text on the status line.
const STATUS_COLUMNS: usize = 120;

/// Says that Esc was heard, until what it stops has stopped.
pub(super) const STOPPING: &str = "stopping …";

/// Something happened in the agent.
pub(super) fn on_event(model: &mut Model, event: AgentEvent) -> Vec<Effect> {
    let mut effects = overlay::on_event(model, &event);
    effects.extend(call::on_event(model, &event));
    effects.extend(apply(model, event));
    effects
}

fn apply(model: &mut Model, event: AgentEvent) -> Vec<Effect> {
    match event {
        AgentEvent::Stream(event) => on_stream(model, event),
        AgentEvent::Turn(event) => return on_turn(model, event),
        AgentEvent::Context(event) => return on_context(model, event),
        AgentEvent::Compaction(event) => return on_compaction(model, event),
        AgentEvent::Session(event) => on_session(model, event),
        AgentEvent::Reply { to, reply } => return on_reply(model, to, reply),
        AgentEvent::Notice(notice) => noticed(model, notice),
    }
    Vec::new()
}

/// A request, its answer and its tool calls.
fn on_stream(model: &mut Model, event: AnswerEvent) {
    match event {
        AnswerEvent::RequestStarted { model: by } => enter(model, Phase::Waiting(by)),
        AnswerEvent::Delta(delta) => streamed(model, &delta),
        AnswerEvent::ToolStarted {
            call_id,
            name,
            title,
        } => tool_started(model, &call_id, &name, &title),
        AnswerEvent::ToolOutput { call_id, text } => {
            model.conversation.tool_output(&call_id, &text);
        }
        AnswerEvent::ToolFinished {
            call_id, elapsed, ..
        } => {
            model.conversation.tool_finished(&call_id, elapsed);
            tool_finished(model);
        }
        AnswerEvent::Retrying {
            attempt,
            max_attempts,
            after,
            reason,
        } => {
            let wait_ms = i64::try_from(after.as_millis()).unwrap_or(i64::MAX);
            let phase = Phase::Retrying {
                attempt,
                max_attempts,
                until: Timestamp(model.now.0.saturating_add(wait_ms)),
                reason: safe::one_line(&reason, STATUS_COLUMNS),
            };
            enter(model, phase);
        }
        // The entry of the answer has it.
        AnswerEvent::Usage { .. } => {}
    }
}

/// Questions, inputs that wait, and the end.
fn on_turn(model: &mut Model, event: TurnEvent) -> Vec<Effect> {
    match event {
        TurnEvent::Approval(request) => return asked(model, request),
        TurnEvent::Oversize(offer) => {
            enter(model, Phase::Asking);
            return open::oversize(model, offer);
        }
        TurnEvent::InputReturned(inputs) => return given_back::take(model, inputs),
        // The overlays hear of it.
        TurnEvent::ApprovalClosed { .. } | TurnEvent::OversizeClosed { .. } => {}
        TurnEvent::Queued(queued) => model.session.queued = queued,
        TurnEvent::Jobs(jobs) => jobs_changed(model, jobs),
        TurnEvent::Finished(end) => turn_finished(model, end),
    }
    Vec::new()
}

/// The view and decisions on it.
fn on_context(model: &mut Model, event: ContextEvent) -> Vec<Effect> {
    let words = event.in_words();
    match event {
        ContextEvent::View(view) => viewed(model, view),
        ContextEvent::Overflow { .. } => told(model, "▲", words),
        ContextEvent::Pruned {
            trimmed,
            cleared,
            tokens_saved,
            dry_run,
            ..
        } => pruned(model, trimmed, cleared, tokens_saved, dry_run),
        ContextEvent::Guarded { .. } => hinted_at(model, words),
        // The entry of the replay shows it.
        ContextEvent::Replayed { .. } => {}
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
            let change = numbers::signed(tokens_change);
            let text = format!("{what}: {target}{with} · {change} tokens");
            model.say(NoticeLevel::Info, text);
        }
        ContextEvent::ActUndone {
            way,
            what,
            tokens_change,
            ..
        } => {
            let change = numbers::signed(tokens_change);
            let back = match way {
                UndoWay::Undo => "/redo puts it back",
                UndoWay::Redo => "/undo takes it back",
            };
            let text = safe::one_line(&what, STATUS_COLUMNS);
            let text = format!("{}: {text} · {change} tokens · {back}", way.done());
            model.say(NoticeLevel::Info, text);
        }
        ContextEvent::UndoPlanned(plan) => return open::undo(model, *plan),
    }
    Vec::new()
}

/// Compactions, from the start to the end or back.
fn on_compaction(model: &mut Model, event: CompactionEvent) -> Vec<Effect> {
    let words = event.in_words();
    match event {
        CompactionEvent::Started {
            trigger,
            tokens_before,
            summarized,
            ..
        } => compaction_started(model, trigger, tokens_before, summarized),
        CompactionEvent::Progress { stage } => {
            if let Some(compaction) = &mut model.activity.compaction {
                compaction.stage = safe::one_line(&stage, STATUS_COLUMNS);
            }
        }
        CompactionEvent::Delta(text) => model.conversation.compacting(&text),
        CompactionEvent::Review(proposal) => return open::review(model, proposal),
        // The review shows the audit and hears of the sources.
        CompactionEvent::Audited(_) | CompactionEvent::Sources(_) => {}
        CompactionEvent::Planned(plan) => planned(model, &plan),
        CompactionEvent::Applied { entry, compaction } => {
            compaction_applied(model, &entry, &compaction);
        }
        CompactionEvent::Cancelled { .. } | CompactionEvent::Failed { .. } => {
            end_compaction(model);
            told(model, "⚓", words);
        }
        CompactionEvent::Undone {
            target,
            tokens_after,
            over_load_line,
        } => compaction_undone(model, &target, tokens_after, over_load_line),
    }
    Vec::new()
}

/// The session, its entries and its model.
fn on_session(model: &mut Model, event: SessionEvent) {
    let words = event.in_words();
    match event {
        SessionEvent::Opened(info) => session_opened(model, *info),
        SessionEvent::Entry(entry) => entry_written(model, &entry),
        SessionEvent::BranchMoved(branch) => branch_moved(model, &branch),
        SessionEvent::ModelSwitched { model: to, reason } => {
            hinted_at(model, words);
            model.session.model = to;
            model.session.model_reason = reason;
        }
        SessionEvent::PlanMode(on) => {
            model.session.plan_mode = on;
            hinted_at(model, words);
        }
        // An open picker hears of it; the farewell is the runner's.
        SessionEvent::ModelsListed(_) | SessionEvent::Ended(_) => {}
    }
}

/// What was asked for: a screen opens, or the one that is open follows.
fn on_reply(model: &mut Model, _to: Option<QueryId>, reply: QueryReply) -> Vec<Effect> {
    match reply {
        QueryReply::Wire(wire) => open::wire(model, wire),
        QueryReply::Compaction {
            entry,
            standing,
            proposal,
        } => open::stored_review(model, entry, standing, proposal),
        // The ledger hears of it.
        QueryReply::Foreseen { .. } => Vec::new(),
        // The list of sessions hears of it.
        QueryReply::SessionPeek(_) => Vec::new(),
        QueryReply::Permissions(list) => open::permissions(model, *list),
        QueryReply::Settings(report) => settings::reported(model, *report),
        QueryReply::Logins(choices) => open::logins(model, choices),
        QueryReply::Changes(report) => open::changes(model, *report),
        QueryReply::RewindPlan(plan) => open::rewind(model, *plan),
        QueryReply::Cost(account) => open::tables(model, Tables::cost(&account)),
        QueryReply::Tools(tools) => open::tables(model, Tables::tools(&tools)),
        QueryReply::Models(models) => open::models(model, models),
        QueryReply::Sessions(sessions) => open::sessions(model, sessions),
        QueryReply::History(transcript) => open::history(model, transcript),
        QueryReply::Notes(notes) => open::notes(model, notes),
    }
}

fn planned(model: &mut Model, plan: &CompactionPlan) {
    let text = format!(
        "a compaction would take {} to about {}: {} summarised, {} kept, {} by {}",
        numbers::tokens(plan.tokens_before),
        numbers::tokens(plan.tokens_after_estimate),
        numbers::plural(plan.summarized, "message"),
        numbers::grouped(plan.kept),
        numbers::plural(plan.calls, "model call"),
        safe::one_line(&plan.model, STATUS_COLUMNS),
    );
    remark(model, "⚓", NoticeLevel::Info, text, None);
}

fn session_opened(model: &mut Model, info: SessionInfo) {
    model.session.aside = info.aside.iter().map(|entry| entry.id.clone()).collect();
    let published = info.branch.iter().chain(&info.aside);
    model.session.entries = published
        .map(|entry| (entry.id.clone(), Arc::clone(entry)))
        .collect();
    model.session.id = info.id;
    model.session.name = info.name;
    model.session.path = info.path;
    model.session.cwd = info.cwd;
    model.session.model = info.model;
    model.session.model_reason = info.model_reason;
    model.session.engine = info.engine;
    model.session.read_only = info.read_only;
    model.session.view = None;
    let all = info.branch.iter().chain(&info.aside);
    model.session.cost_usd = Account::of(all.map(AsRef::as_ref)).total().usage.cost_usd;
    model.session.queued.clear();
    model.session.plan_mode = info.plan_mode;
    model.session.todo = TodoList::newest(&info.branch);
    model.activity = crate::tui::model::Activity::default();
    model.overlays.clear();
    model.replaces = None;
    model.completion.files.forget();
    model.conversation.marks.clear();
    model.conversation.open(&info.branch);
    // A session is opened at rest: calls without a result were cut short with their process.
    model.conversation.turn_finished(false);
}

fn entry_written(model: &mut Model, entry: &Arc<Entry>) {
    if let EntryBody::SessionInfo { name } = &entry.body {
        model.session.name.clone_from(name);
    }
    if let Some(list) = TodoList::of_entry(entry) {
        model.session.todo = Some(list);
    }
    spent(model, entry);
    // A command of the user is over; if a turn runs as well, its next event says so.
    if let Some(Message::BashExecution(_)) = entry.message().map(AsRef::as_ref)
        && matches!(model.activity.phase, Phase::Tool(_) | Phase::Sending)
    {
        model.activity.phase = Phase::Idle;
        not_stopping(model);
    }
    model
        .session
        .entries
        .insert(entry.id.clone(), Arc::clone(entry));
    model.conversation.push(entry);
}

fn branch_moved(model: &mut Model, branch: &[Arc<Entry>]) {
    let known = model.session.entries.keys().cloned();
    model.session.aside.extend(known);
    for entry in branch {
        model
            .session
            .entries
            .insert(entry.id.clone(), Arc::clone(entry));
        model.session.aside.remove(&entry.id);
    }
    model.session.todo = TodoList::newest(branch);
    model.replaces = None;
    model.conversation.open(branch);
}

fn viewed(model: &mut Model, view: Arc<ContextView>) {
    model.conversation.marks.follow(&view);
    model.session.viewed_at = model.now;
    model.session.view = Some(view);
}

/// Says which jobs have ended since.
fn jobs_changed(model: &mut Model, jobs: Vec<JobInfo>) {
    let was_running = |job: &JobInfo| {
        let before = model.session.jobs.iter().find(|it| it.id == job.id);
        before.is_none_or(|before| before.end.is_none())
    };
    let ended = jobs
        .iter()
        .rfind(|job| job.end.is_some() && was_running(job));
    if let Some((job, end)) = ended.and_then(|job| Some((job, job.end.as_ref()?))) {
        let level = if end.is_error {
            NoticeLevel::Warning
        } else {
            NoticeLevel::Info
        };
        let text = format!("job {} has ended: {}; /jobs shows it", job.id, end.how);
        model.say(level, text);
    }
    model.session.jobs = jobs;
}

/// A call waits until the user has agreed to it.
fn asked(model: &mut Model, request: Box<ApprovalRequest>) -> Vec<Effect> {
    enter(model, Phase::Asking);
    open::approval(model, request)
}

fn enter(model: &mut Model, phase: Phase) {
    let now = model.now;
    model.activity.enter(phase, now);
}

fn streamed(model: &mut Model, delta: &AnswerDelta) {
    match delta {
        AnswerDelta::Text(_) => enter(model, Phase::Answering),
        AnswerDelta::Thinking(_) => enter(model, Phase::Thinking),
        AnswerDelta::ToolCall { name, .. } => {
            enter(model, Phase::Calling(safe::one_line(name, STATUS_COLUMNS)));
        }
        AnswerDelta::Reset => {}
    }
    model.conversation.stream(delta);
}

fn tool_started(model: &mut Model, call_id: &str, name: &str, title: &str) {
    let now = model.now;
    model.conversation.tool_started(call_id, name, title, now);
    let text = format!("{name} {title}");
    enter(model, Phase::Tool(safe::one_line(&text, STATUS_COLUMNS)));
}

/// Between tools and the next request the turn goes on; a run of the user's own ends here.
fn tool_finished(model: &mut Model) {
    if matches!(model.activity.phase, Phase::Tool(_)) {
        enter(model, Phase::Sending);
    }
}

/// The same sums as `/cost`: what is in the log was paid for, on whatever branch.
fn spent(model: &mut Model, entry: &Entry) {
    let usage = Account::of(std::iter::once(entry)).total().usage;
    if let Some(usd) = usage.cost_usd {
        *model.session.cost_usd.get_or_insert(0.0) += usd;
    }
}

fn noticed(model: &mut Model, notice: Notice) {
    let sign = match notice.level {
        NoticeLevel::Info => "·",
        NoticeLevel::Warning => "▲",
        NoticeLevel::Error => "✗",
    };
    // A message that could not be taken ends the wait for it.
    if notice.level == NoticeLevel::Error && model.activity.phase == Phase::Sending {
        model.activity.phase = Phase::Idle;
    }
    // The rows of the transcript that would show it are behind the question.
    if model.has_question() && notice.level != NoticeLevel::Info {
        model.say(notice.level, notice.text.clone());
    }
    remark(model, sign, notice.level, notice.text, notice.hint);
}

fn turn_finished(model: &mut Model, end: TurnEnd) {
    model.activity.phase = Phase::Idle;
    model.activity.compaction = None;
    let is_aborted = end.stop == StopReason::Aborted && end.error.is_none();
    model.conversation.turn_finished(is_aborted);
    model.completion.files.forget();
    not_stopping(model);
    if let Some(error) = end.error {
        noticed(model, error);
    }
}

fn pruned(model: &mut Model, trimmed: u64, cleared: u64, tokens_saved: u64, dry_run: bool) {
    let what = format!(
        "{trimmed} trimmed, {cleared} cleared, {} tokens",
        numbers::tokens(tokens_saved)
    );
    if dry_run {
        let text = format!("a prune now would free: {what}");
        remark(model, "✂", NoticeLevel::Info, text, None);
    } else {
        // The entry in the log leaves the line in the transcript.
        model.say(NoticeLevel::Info, format!("pruned: {what} freed"));
    }
}

fn compaction_started(model: &mut Model, trigger: Trigger, tokens_before: u64, summarized: u64) {
    model.activity.compaction = Some(Compacting {
        trigger,
        tokens_before,
        summarized,
        stage: String::new(),
        since: model.now,
    });
    model.conversation.end_compacting();
    model.conversation.compacting("");
}

fn compaction_applied(model: &mut Model, entry: &EntryId, compaction: &Compaction) {
    end_compaction(model);
    let text = format!(
        "compacted {} → {} ({entry})",
        numbers::tokens(compaction.tokens_before),
        numbers::tokens(compaction.details.tokens_after)
    );
    model.say(NoticeLevel::Info, text);
}

fn compaction_undone(model: &mut Model, target: &EntryId, tokens_after: u64, is_over: bool) {
    model.conversation.undo_compaction(target);
    // It may still say that the compaction was applied.
    model.toast = None;
    let text = format!(
        "compaction undone: {} in the window · /redo puts it back",
        numbers::tokens(tokens_after)
    );
    let hint = is_over.then(|| {
        "this is beyond the load line; the next message compacts again unless you prune or drop"
            .to_owned()
    });
    let level = if is_over {
        NoticeLevel::Warning
    } else {
        NoticeLevel::Info
    };
    remark(model, "⚓", level, text, hint);
}

/// What was to stop has stopped.
fn not_stopping(model: &mut Model) {
    model.toast.take_if(|toast| toast.text == STOPPING);
}

/// The summary is written or given up.
pub(super) fn end_compaction(model: &mut Model) {
    not_stopping(model);
    model.activity.compaction = None;
    model.conversation.end_compacting();
}

/// Writes something between the messages.
pub(super) fn remark(
    model: &mut Model,
    sign: &'static str,
    level: NoticeLevel,
    text: String,
    hint: Option<String>,
) {
    model.conversation.push_note(Note {
        sign,
        level,
        text,
        hint,
    });
}

/// What an event says for itself, between the messages,
fn told(model: &mut Model, sign: &'static str, words: Option<Notice>) {
    if let Some(words) = words {
        remark(model, sign, words.level, words.text, words.hint);
    }
}

/// or on the status line, where it passes.
fn hinted_at(model: &mut Model, words: Option<Notice>) {
    if let Some(words) = words {
        model.say(words.level, words.text);
    }
}

/// Asks for a list that an overlay will show.
pub(super) fn ask(op: Op) -> Vec<Effect> {
    vec![Effect::Send(op)]
}
