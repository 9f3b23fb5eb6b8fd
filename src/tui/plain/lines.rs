//! Events as lines to read one after the other. The text is not made safe here: who prints
//! does that, for all of it.

use std::time::Duration;

use crate::agent::{
    AgentEvent, AnswerDelta, AnswerEvent, ChangesReport, ChildInfo, CompactionEvent, ContextEvent,
    JobInfo, ModelChoice, Notice, NoticeLevel, PermissionList, QueryReply, QueuedInput,
    ReturnedInput, RuleList, RuleListing, SessionEvent, SessionInfo, SessionListing, SubmitWhen,
    TurnEvent,
};
use crate::context::fidelity::FidelityScore;
use crate::context::{ContextView, Disposition};
use crate::transcript::{Entry, EntryId, Message, TodoList, TodoState};
use crate::tui::command::{self, PlainListing};
use crate::tui::marks;
use crate::tui::model::Model;
use crate::tui::numbers;
use crate::tui::overlay::inspect::summaries::Summaries;
use crate::tui::overlay::inspect::tables::Tables;
use crate::tui::overlay::lists::agents::in_words as agent_words;
use crate::tui::overlay::lists::changes::remarks;
use crate::tui::overlay::lists::permissions::{grant_words, mode_sentence};
use crate::tui::overlay::lists::servers;

/// Columns of a table; a terminal that can only print does not tell its width.
const COLUMNS: u16 = 80;

/// Below it a time says nothing: `0.0s`.
const WORTH_A_TIME: Duration = Duration::from_millis(100);

/// Turns events into lines; keeps the line of an answer that is not complete yet.
#[derive(Debug, Default)]
pub(super) struct EventNarrator {
    unfinished: String,
    is_thinking: bool,
    /// Calls that run, by id.
    running: Vec<String>,
    /// How much the newest result is, in words, with the id of its call.
    result: Option<(String, String)>,
    /// The inputs that wait, which were told of.
    queued: Vec<u64>,
}

/// An event in words.
#[derive(Debug, Default)]
pub(super) struct SpokenEvent {
    /// The lines to print.
    pub lines: Vec<String>,
    /// They say what happened: whatever the screen would say besides is not said again.
    pub is_told: bool,
}

impl EventNarrator {
    /// The lines that an event is worth.
    pub(super) fn on_event(&mut self, event: &AgentEvent) -> SpokenEvent {
        if let AgentEvent::Session(SessionEvent::Entry(entry)) = event {
            self.note_result(entry);
        }
        match event {
            AgentEvent::Stream(AnswerEvent::Delta(delta)) => SpokenEvent {
                lines: self.on_delta(delta),
                is_told: false,
            },
            AgentEvent::Stream(AnswerEvent::Usage { .. } | AnswerEvent::ToolOutput { .. })
            | AgentEvent::Context(ContextEvent::View(_)) => SpokenEvent::default(),
            AgentEvent::Stream(event) => self.after_answer(|it| it.on_stream(event)),
            AgentEvent::Turn(event) => self.after_answer(|it| it.on_turn(event)),
            AgentEvent::Context(event) => self.after_answer(|_| on_context(event)),
            AgentEvent::Compaction(event) => self.after_answer(|_| on_compaction(event)),
            AgentEvent::Session(event) => self.after_answer(|_| on_session(event)),
            AgentEvent::Child(event) => self.after_answer(|_| in_words(event.in_words())),
            AgentEvent::Reply { reply, .. } => self.after_answer(|_| on_reply(reply)),
            AgentEvent::Notice(notice) => self.after_answer(|_| said(notice)),
        }
    }

    /// Ends the line of the answer before what an event says.
    fn after_answer(&mut self, told: impl FnOnce(&mut Self) -> Vec<String>) -> SpokenEvent {
        let mut lines = self.finish();
        let told = told(self);
        let is_told = !told.is_empty();
        lines.extend(told);
        SpokenEvent { lines, is_told }
    }

    fn on_stream(&mut self, event: &AnswerEvent) -> Vec<String> {
        match event {
            AnswerEvent::ToolStarted {
                call_id,
                name,
                title,
            } => {
                self.running.push(call_id.clone());
                vec![format!("tool: {name} {title}")]
            }
            AnswerEvent::ToolFinished {
                call_id,
                is_error,
                elapsed,
            } => vec![self.finished(call_id, *is_error, *elapsed)],
            AnswerEvent::Retrying { .. } => in_words(event.in_words()),
            AnswerEvent::RequestStarted { .. }
            | AnswerEvent::Delta(_)
            | AnswerEvent::ToolOutput { .. }
            | AnswerEvent::Usage { .. } => Vec::new(),
        }
    }

    fn on_turn(&mut self, event: &TurnEvent) -> Vec<String> {
        match event {
            TurnEvent::Finished(end) => end.error.as_ref().map(said).unwrap_or_default(),
            TurnEvent::InputReturned(inputs) => inputs.iter().map(returned).collect(),
            TurnEvent::Queued(inputs) => self.queued(inputs),
            // `question` asks; jobs are listed when they are asked for.
            TurnEvent::Approval(_)
            | TurnEvent::ApprovalClosed { .. }
            | TurnEvent::Oversize(_)
            | TurnEvent::OversizeClosed { .. }
            | TurnEvent::Form(_)
            | TurnEvent::FormClosed { .. }
            | TurnEvent::Jobs(_) => Vec::new(),
        }
    }

    fn on_delta(&mut self, delta: &AnswerDelta) -> Vec<String> {
        match delta {
            AnswerDelta::Text(text) => {
                self.is_thinking = false;
                self.unfinished.push_str(text);
                let Some((complete, rest)) = self.unfinished.rsplit_once('\n') else {
                    return Vec::new();
                };
                let lines = complete.split('\n').map(str::to_owned).collect();
                self.unfinished = rest.to_owned();
                lines
            }
            AnswerDelta::Thinking(_) if !self.is_thinking => {
                self.is_thinking = true;
                vec!["thinking".to_owned()]
            }
            AnswerDelta::Thinking(_) | AnswerDelta::ToolCall { .. } => Vec::new(),
            // Only what nobody has seen is asked for again.
            AnswerDelta::Reset => {
                self.unfinished.clear();
                Vec::new()
            }
        }
    }

    /// How a call ended. One that was answered without being run has not failed.
    fn finished(&mut self, call_id: &str, is_error: bool, elapsed: Duration) -> String {
        let before = self.running.len();
        self.running.retain(|id| id != call_id);
        if self.running.len() == before {
            return "tool not run".to_owned();
        }
        let how = if is_error { "failed" } else { "done" };
        let mut text = format!("tool {how}");
        if elapsed >= WORTH_A_TIME {
            text = format!("{text} after {}", numbers::elapsed(elapsed));
        }
        match self.result.take_if(|(id, _)| id == call_id) {
            Some((_, size)) => format!("{text}: {size}"),
            None => text,
        }
    }

    /// Notes how much a result is, which is published before its call is said to be over.
    fn note_result(&mut self, entry: &Entry) {
        if let Some(Message::ToolResult(result)) = entry.message().map(AsRef::as_ref) {
            let text = Message::ToolResult(result.clone()).text();
            let lines = numbers::plural(text.lines().count() as u64, "line");
            self.result = Some((result.call_id.clone(), lines));
        }
    }

    /// The inputs that wait since the last time.
    fn queued(&mut self, inputs: &[QueuedInput]) -> Vec<String> {
        let known = std::mem::take(&mut self.queued);
        self.queued = inputs.iter().map(|input| input.id).collect();
        let new = inputs.iter().filter(|input| !known.contains(&input.id));
        new.map(|input| {
            let until = match input.when {
                SubmitWhen::NextStep => "this step",
                SubmitWhen::AfterTurn => "this turn",
            };
            format!(
                "queued until {until} ends: {} (/unqueue cancels it)",
                input.text
            )
        })
        .collect()
    }

    /// The rest of an answer that has ended.
    fn finish(&mut self) -> Vec<String> {
        self.is_thinking = false;
        let rest = std::mem::take(&mut self.unfinished);
        if rest.is_empty() {
            Vec::new()
        } else {
            vec![rest]
        }
    }
}

/// The input that was not run, to be copied and typed again.
fn returned(input: &ReturnedInput) -> String {
    let done = if input.is_command { "run" } else { "sent" };
    format!("not {done}: {}", input.text)
}

/// A list from the model alone, without asking the agent.
pub(super) fn listing(model: &Model, listing: PlainListing) -> Vec<String> {
    match listing {
        PlainListing::Help => help(model),
        PlainListing::Context => ledger(model, true),
        PlainListing::Pruned => ledger(model, false),
        PlainListing::Summaries => summaries(model),
        PlainListing::Jobs => jobs(&model.session.background.jobs),
        PlainListing::Agents => agents(&model.session.background.agents),
        PlainListing::Todo => todo(model.session.todo.list.as_ref()),
    }
}

/// Every compaction in a line, and the newest summary that counts.
fn summaries(model: &Model) -> Vec<String> {
    let Some(summaries) = Summaries::of(&model.scene()) else {
        return vec!["no compactions in this session yet".to_owned()];
    };
    summaries.in_words()
}

/// What a compaction left within reach.
fn fidelity(entry: &EntryId, score: &FidelityScore) -> String {
    let phrase = score.phrase();
    format!("compaction {entry}, facts found only in its summary: {phrase}")
}

/// The steps of the model, one a line.
fn todo(list: Option<&TodoList>) -> Vec<String> {
    let Some(list) = list.filter(|list| !list.items.is_empty()) else {
        let text = "no list of steps; the model writes one for longer tasks";
        return vec![text.to_owned()];
    };
    let head = format!("todo: {} of {} done", list.done(), list.items.len());
    let steps = list.items.iter().map(|step| {
        let state = match step.state {
            TodoState::Pending => "to do",
            TodoState::InProgress => "in progress",
            TodoState::Done => "done",
        };
        format!("{state}: {}", step.text)
    });
    std::iter::once(head).chain(steps).collect()
}

/// Commands in the background, one a line.
fn jobs(jobs: &[JobInfo]) -> Vec<String> {
    if jobs.is_empty() {
        return vec!["no background commands".to_owned()];
    }
    let line = |job: &JobInfo| {
        let how = job.end.as_ref().map_or("running", |end| end.how.as_str());
        let time = numbers::elapsed(job.elapsed);
        format!("job {}: {how}, {time}: {}", job.id, job.command)
    };
    jobs.iter().map(line).collect()
}

/// Sub-agents, one a line.
fn agents(agents: &[ChildInfo]) -> Vec<String> {
    if agents.is_empty() {
        return vec!["no sub-agents in this session yet".to_owned()];
    }
    agents.iter().map(agent_words).collect()
}

/// Files that the session changed, one a line.
fn changes(report: &ChangesReport) -> Vec<String> {
    let mut lines: Vec<String> = report
        .files
        .iter()
        .map(|file| format!("{} {}: {}", file.kind.name(), file.shown, remarks(file)))
        .collect();
    if report.unlisted > 0 {
        lines.push(format!(
            "{} by commands not listed",
            numbers::plural(report.unlisted, "change")
        ));
    }
    if let Some(why) = &report.unseen {
        lines.push(format!("some changes by commands are unknown: {why}"));
    }
    if lines.is_empty() {
        lines.push("no files changed in this session".to_owned());
    }
    lines
}

/// The standing rules, one a line, and how they are changed.
fn rules(list: &RuleList) -> Vec<String> {
    if list.rules.is_empty() {
        return vec![
            "no rules found in your messages".to_owned(),
            RuleList::ABOUT.to_owned(),
            "add one with /rules add TEXT".to_owned(),
        ];
    }
    let line = |listing: &RuleListing| {
        let rule = &listing.standing.rule;
        let turn = listing
            .turn
            .map_or_else(String::new, |turn| format!(", turn {turn}"));
        format!(
            "rule {}: {}, {}, {}{turn}: {}",
            rule.id,
            listing.state_word(),
            listing.place_words(),
            numbers::plural(listing.standing.tokens, "token"),
            rule.text
        )
    };
    let mut lines = vec![format!("rules: {}", list.totals())];
    lines.extend(list.rules.iter().map(line));
    let how = "change them with /rules strike ID, restore ID, confirm ID, reword ID TEXT or add \
        TEXT";
    lines.push(how.to_owned());
    lines
}

fn permissions(list: &PermissionList) -> Vec<String> {
    let mut lines = vec![format!("mode {}", mode_sentence(list.mode))];
    lines.extend(list.permissions.iter().map(|it| {
        let calls = it.calls();
        format!("allowed: {}: {calls}; {}", it.tool, grant_words(it.grant))
    }));
    lines.push(format!("saved permissions are in {}", list.file.display()));
    lines
}

fn said(notice: &Notice) -> Vec<String> {
    let sign = match notice.level {
        NoticeLevel::Info => "note",
        NoticeLevel::Warning => "warning",
        NoticeLevel::Error => "error",
    };
    let mut lines = vec![format!("{sign}: {}", notice.text)];
    lines.extend(notice.hint.iter().map(|hint| format!("hint: {hint}")));
    lines
}

fn opened(info: &SessionInfo) -> String {
    let entries = numbers::plural(info.branch.len() as u64, "entry");
    let name = if info.name.is_empty() {
        &info.id
    } else {
        &info.name
    };
    let reasoning = info.reasoning.as_ref();
    let reasoning = reasoning.map_or_else(String::new, |state| {
        format!("; reasoning: {}", state.words())
    });
    format!(
        "session {name}, {entries}; {} answers, because {}{reasoning}",
        info.model, info.model_reason
    )
}

/// The reply that the user asked for.
fn on_reply(reply: &QueryReply) -> Vec<String> {
    let lines: Vec<String> = match reply {
        QueryReply::Changes(report) => changes(report),
        QueryReply::Wire(wire) => wire.body.lines().map(str::to_owned).collect(),
        QueryReply::Notes(notes) => notes.text.lines().map(str::to_owned).collect(),
        QueryReply::Cost(account) => Tables::cost(account).printed(COLUMNS),
        QueryReply::Tools(tools) => Tables::tools(tools).printed(COLUMNS),
        QueryReply::Servers(reports) => servers::lines(reports),
        QueryReply::Engines(engines) => Tables::engines(engines).printed(COLUMNS),
        QueryReply::Models(models) => models.iter().map(model).collect(),
        QueryReply::Recall(report) => report.lines(),
        QueryReply::Rules(list) => rules(list),
        QueryReply::Fidelity(scores) => {
            let each = scores.iter().map(|(entry, score)| fidelity(entry, score));
            each.collect()
        }
        QueryReply::Permissions(list) => permissions(list),
        QueryReply::Sessions(list) if list.sessions.is_empty() && list.all => {
            vec!["no sessions yet".to_owned()]
        }
        // Then those of other directories are asked for.
        QueryReply::Sessions(list) if list.sessions.is_empty() => return Vec::new(),
        QueryReply::Sessions(list) => list.sessions.iter().map(session).collect(),
        // Screens for these are not there line by line.
        QueryReply::Child(_)
        | QueryReply::Compaction { .. }
        | QueryReply::Foreseen { .. }
        | QueryReply::Settings(_)
        | QueryReply::Logins(_)
        | QueryReply::RewindPlan(_)
        | QueryReply::SessionPeek(_)
        | QueryReply::History(_) => return Vec::new(),
    };
    if lines.is_empty() {
        return vec!["nothing to list".to_owned()];
    }
    lines
}

fn model(choice: &ModelChoice) -> String {
    let end = choice.record.end();
    let end = end.map_or_else(String::new, |end| format!(", {end}"));
    match (&choice.missing, choice.window_tokens) {
        (Some(missing), _) => format!("{}: {missing}", choice.model),
        (None, None) => format!("{}: {}{end}", choice.model, choice.abilities.words()),
        (None, Some(tokens)) => format!(
            "{}: window {}, {}{end}",
            choice.model,
            numbers::grouped(tokens),
            choice.abilities.words()
        ),
    }
}

fn session(it: &SessionListing) -> String {
    let title = it.label();
    format!("{}: {title} (plim --resume {})", it.id, it.id)
}

/// Events of the window. The words of the screen's status line come from there.
fn on_context(event: &ContextEvent) -> Vec<String> {
    match event {
        ContextEvent::Guarded { .. } => Vec::new(),
        ContextEvent::View(_)
        | ContextEvent::Overflow { .. }
        | ContextEvent::Replayed { .. }
        | ContextEvent::Pruned { .. }
        | ContextEvent::OverrideApplied { .. }
        | ContextEvent::RuleChanged { .. }
        | ContextEvent::ActUndone { .. }
        | ContextEvent::UndoPlanned(_) => in_words(event.in_words()),
    }
}

fn on_compaction(event: &CompactionEvent) -> Vec<String> {
    match event {
        CompactionEvent::Planned(plan) => {
            let sizes = format!(
                "compacting now: {} → {}{} tokens, {} summarised",
                numbers::tokens(plan.tokens_before),
                plan.about(),
                numbers::tokens(plan.tokens_after),
                numbers::plural(plan.summarized, "message"),
            );
            [Some(sizes), plan.cut_label()]
                .into_iter()
                .flatten()
                .collect()
        }
        // The status line says the sizes.
        CompactionEvent::Applied { compaction, .. } => {
            vec![format!("audit: {}", compaction.details.check.in_words())]
        }
        CompactionEvent::Started { .. }
        | CompactionEvent::Progress { .. }
        | CompactionEvent::Delta(_)
        | CompactionEvent::Audited(_)
        | CompactionEvent::Review(_)
        | CompactionEvent::Sources(_)
        | CompactionEvent::Cancelled { .. }
        | CompactionEvent::Failed { .. }
        | CompactionEvent::Undone { .. } => in_words(event.in_words()),
    }
}

fn on_session(event: &SessionEvent) -> Vec<String> {
    match event {
        SessionEvent::Opened(info) => vec![opened(info)],
        SessionEvent::Entry(entry) => match entry.message().map(AsRef::as_ref) {
            Some(Message::BashExecution(run)) => run.output.lines().map(str::to_owned).collect(),
            // Text was printed as it came; of reasoning only that there is some.
            Some(Message::Assistant(answer)) => {
                let words = answer.words_on_the_way();
                words.map_or_else(Vec::new, |words| words.lines().map(str::to_owned).collect())
            }
            _ => TodoList::of_entry(entry).map_or_else(Vec::new, |list| todo(Some(&list))),
        },
        // The status line says these; the farewell is the runner's.
        SessionEvent::PlanMode(_)
        | SessionEvent::Saved(_)
        | SessionEvent::Approvals(_)
        | SessionEvent::ModelSwitched { .. }
        | SessionEvent::Reasoning(_)
        | SessionEvent::Engine(_)
        | SessionEvent::BranchMoved(_)
        | SessionEvent::ServersOffer(_)
        | SessionEvent::ModelsListed(_)
        | SessionEvent::Ended(_) => Vec::new(),
    }
}

fn in_words(notice: Option<Notice>) -> Vec<String> {
    notice.map(|notice| said(&notice)).unwrap_or_default()
}

/// How full the window is, as a sentence; `None` before the first view.
pub(super) fn gauge(model: &Model) -> Option<String> {
    let view = model.session.view.as_deref()?;
    let about = if view.usage.exact { "" } else { "about " };
    let used = numbers::tokens(view.usage.tokens);
    let mut text = match view.window.tokens.filter(|window| *window > 0) {
        Some(window) => format!(
            "context: {about}{}% full, {used} of {} tokens; {}",
            percent(view.usage.tokens, window),
            numbers::tokens(window),
            to_compaction(view)
        ),
        None => format!("context: {about}{used} tokens; the window is unknown"),
    };
    if let Some(cost) = model.session.cost_usd {
        text = format!("{text}; ${cost:.2} so far");
    }
    Some(text)
}

fn percent(tokens: u64, window: u64) -> u64 {
    (tokens as f64 * 100.0 / window as f64).round() as u64
}

fn to_compaction(view: &ContextView) -> String {
    let Some(at) = view.compaction.compacts_at else {
        return "automatic compaction is off".to_owned();
    };
    match at.checked_sub(view.usage.tokens) {
        Some(left) => format!("{} to the next compaction", numbers::tokens(left)),
        None => "the next request compacts first".to_owned(),
    }
}

/// The commands that work line by line, one a line.
fn help(model: &Model) -> Vec<String> {
    let rows = command::COMMANDS.iter();
    let rows = rows.filter_map(command::Command::plain_row);
    let own = model.user_commands.known.commands.iter();
    let own = own.map(|it| format!("/{} {}: {}", it.name, it.arguments, it.description));
    let mut lines: Vec<String> = rows.chain(own).collect();
    lines.push(
        "!command runs a shell command; a backslash at the end continues the line".to_owned(),
    );
    lines
}

/// The items of the next request, one a line; without `all` only those that are not sent
/// in full.
fn ledger(model: &Model, all: bool) -> Vec<String> {
    let Some(view) = model.session.view.as_deref() else {
        return vec!["the context is empty".to_owned()];
    };
    let wanted = |disposition: Disposition| all || disposition != Disposition::Sent;
    let items = view.items.iter().filter(|item| wanted(item.disposition));
    let items = items.map(|item| {
        let id = item
            .entry
            .as_ref()
            .map_or_else(String::new, |id| format!("{id} "));
        let reason = item
            .reason
            .as_ref()
            .map_or_else(String::new, |why| format!(", {why}"));
        format!(
            "{id}{}, {} tokens, {}{reason}: {}",
            item.category.name(),
            numbers::grouped(item.tokens),
            marks::word(item.disposition),
            item.preview
        )
    });
    let left_out = view.left_out.iter().map(|item| {
        format!(
            "{} {}, {}",
            item.entry,
            marks::word(item.disposition),
            item.reason
        )
    });
    let mut lines: Vec<String> = items.chain(left_out).collect();
    if lines.is_empty() {
        lines.push("everything is sent in full".to_owned());
    }
    lines.extend(gauge(model));
    lines
}
