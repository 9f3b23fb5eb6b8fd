//! What the agent says.

use std::sync::Arc;

use super::{call, given_back, open, overlay, settings};
use crate::agent::{
    Account, AgentEvent, AnswerDelta, ApprovalRequest, CompactionPlan, JobInfo, Notice,
    NoticeLevel, Op, SessionInfo, TurnEnd, UndoWay,
};
use crate::context::ContextView;
use crate::transcript::{
    Compaction, Entry, EntryBody, EntryId, Message, StopReason, Timestamp, TodoList, Trigger,
};
use crate::tui::effect::Effect;
use crate::tui::model::{Compacting, Model, Phase};
use crate::tui::numbers;
use crate::tui::overlay::tables::Tables;
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
        AgentEvent::CompactionReview(proposal) => return open::review(model, proposal),
        AgentEvent::CompactionShown {
            entry,
            standing,
            proposal,
        } => return open::stored_review(model, entry, standing, proposal),
        AgentEvent::Approval(request) => return asked(model, request),
        AgentEvent::Oversize(offer) => {
            enter(model, Phase::Asking);
            return open::oversize(model, offer);
        }
        AgentEvent::InputReturned(inputs) => return given_back::take(model, inputs),
        AgentEvent::Wire(wire) => return open::wire(model, wire),
        AgentEvent::Notes(notes) => return open::notes(model, notes),
        AgentEvent::Cost(account) => return open::tables(model, Tables::cost(&account)),
        AgentEvent::Tools(tools) => return open::tables(model, Tables::tools(&tools)),
        AgentEvent::Models(models) => return open::models(model, models),
        AgentEvent::Sessions(sessions) => return open::sessions(model, sessions),
        AgentEvent::Settings(report) => return settings::reported(model, *report),
        AgentEvent::Logins(choices) => return open::logins(model, choices),
        AgentEvent::Permissions(list) => return open::permissions(model, *list),
        AgentEvent::Changes(report) => return open::changes(model, *report),
        AgentEvent::RewindPlanned(plan) => return open::rewind(model, *plan),
        AgentEvent::UndoPlanned(plan) => return open::undo(model, *plan),
        AgentEvent::History(transcript) => return open::history(model, transcript),
        AgentEvent::SessionOpened(info) => session_opened(model, *info),
        AgentEvent::Entry(entry) => entry_written(model, &entry),
        AgentEvent::BranchMoved(branch) => branch_moved(model, &branch),
        AgentEvent::View(view) => viewed(model, view),
        AgentEvent::RequestStarted { model: by } => enter(model, Phase::Waiting(by)),
        AgentEvent::Delta(delta) => streamed(model, &delta),
        AgentEvent::ToolStarted {
            call_id,
            name,
            title,
        } => {
            tool_started(model, &call_id, &name, &title);
        }
        AgentEvent::ToolOutput { call_id, text } => {
            model.conversation.tool_output(&call_id, &text);
        }
        AgentEvent::ToolFinished {
            call_id, elapsed, ..
        } => {
            model.conversation.tool_finished(&call_id, elapsed);
            tool_finished(model);
        }
        AgentEvent::ApprovalClosed { .. } | AgentEvent::OversizeClosed { .. } => {}
        AgentEvent::Queued(queued) => model.session.queued = queued,
        AgentEvent::Jobs(jobs) => jobs_changed(model, jobs),
        AgentEvent::Notice(notice) => noticed(model, notice),
        AgentEvent::TurnFinished(end) => turn_finished(model, end),
        other => apply_context(model, other),
    }
    Vec::new()
}

/// What concerns the window: retries, overflow, pruning, compaction.
fn apply_context(model: &mut Model, event: AgentEvent) {
    let words = event.in_words();
    match event {
        AgentEvent::Retrying {
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
        AgentEvent::Overflow { .. } => told(model, "▲", words),
        AgentEvent::Pruned {
            trimmed,
            cleared,
            tokens_saved,
            dry_run,
            ..
        } => {
            pruned(model, trimmed, cleared, tokens_saved, dry_run);
        }
        AgentEvent::Guarded { .. } => hinted_at(model, words),
        AgentEvent::OverrideApplied {
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
        AgentEvent::ActUndone {
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
        AgentEvent::ModelSwitched { model: to, reason } => {
            hinted_at(model, words);
            model.session.model = to;
            model.session.model_reason = reason;
        }
        AgentEvent::PlanMode(on) => {
            model.session.plan_mode = on;
            hinted_at(model, words);
        }
        other => apply_compaction(model, other),
    }
}

/// Compactions, from the start to the end or back.
fn apply_compaction(model: &mut Model, event: AgentEvent) {
    let words = event.in_words();
    match event {
        AgentEvent::CompactionStarted {
            trigger,
            tokens_before,
            summarized,
            ..
        } => {
            compaction_started(model, trigger, tokens_before, summarized);
        }
        AgentEvent::CompactionProgress { stage } => {
            if let Some(compaction) = &mut model.activity.compaction {
                compaction.stage = safe::one_line(&stage, STATUS_COLUMNS);
            }
        }
        AgentEvent::CompactionDelta(text) => model.conversation.compacting(&text),
        AgentEvent::CompactionPlanned(plan) => planned(model, &plan),
        AgentEvent::CompactionApplied { entry, compaction } => {
            compaction_applied(model, &entry, &compaction);
        }
        AgentEvent::CompactionCancelled { .. } | AgentEvent::CompactionFailed { .. } => {
            end_compaction(model);
            told(model, "⚓", words);
        }
        AgentEvent::CompactionUndone {
            target,
            tokens_after,
            over_load_line,
        } => {
            compaction_undone(model, &target, tokens_after, over_load_line);
        }
        _ => {}
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
