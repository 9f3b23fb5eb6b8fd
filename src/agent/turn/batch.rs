//! The tool calls of one answer: planned, approved, run, answered. Whatever happens to
//! a call, the model gets a result that says so, and the log stays paired.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinError;
use tokio_util::sync::CancellationToken;

use crate::agent::actor::Actor;
use crate::agent::files::FileActs;
use crate::agent::hooks::CallAdvice;
use crate::agent::mailbox::TurnStop;
use crate::agent::protocol::{AnswerEvent, ApprovalDecision, ApprovalRequest, TurnEnd, TurnEvent};
use crate::agent::turn::state::{TurnState, refused_end};
use crate::checkpoint::{PendingRecord, shown};
use crate::clock::Stopwatch;
use crate::engine::recall::RECALL_TOOL;
use crate::engine::text::copied_cut;
use crate::session::{Durability, spill};
use crate::tool::{Effect, Plan, RecallSource, Tool, ToolJob, ToolOutcome, ToolQuestion, Verdict};
use crate::transcript::{
    AssistantMessage, AssistantPart, EntryBody, FileCause, FileRecord, FileState, Message, Part,
    StopReason, ToolCall, ToolResult,
};

/// Longer results are stored as head and tail, whole in the session's outputs folder.
const INGESTION_CHARS: usize = 400_000;
/// Characters kept of such a result at each end.
const INGESTION_KEEP_CHARS: usize = 100_000;
/// Pieces of output that may wait for the screen; more are dropped, the result has all.
const PROGRESS_CAPACITY: usize = 256;

/// The outcome of a step of a running tool.
enum CallStep {
    Printed(String),
    Noted(PendingRecord),
    Asked(ToolQuestion),
    Ended(Result<ToolOutcome, JoinError>),
}

/// The ruling on a call.
pub(super) enum CallRuling {
    Run(Arc<dyn Tool>, Plan),
    Answer(ToolOutcome),
    /// The user said no without a word.
    EndTurn(ToolOutcome),
}

/// Runs the tool calls of one answer.
pub(in crate::agent) struct ToolBatch<'a> {
    pub(in crate::agent) agent: &'a mut Actor,
}

impl<'a> ToolBatch<'a> {
    pub(crate) fn of(agent: &'a mut Actor) -> Self {
        Self { agent }
    }
}

impl ToolBatch<'_> {
    /// Runs the calls of an answer in order. `Some` ends the turn.
    pub(crate) async fn run_tools(
        &mut self,
        answer: &AssistantMessage,
        turn: &mut TurnState,
    ) -> Result<Option<TurnEnd>, TurnStop> {
        self.agent.thread.context.tools_running = true;
        FileActs::of(self.agent).look_early();
        let calls: Vec<ToolCall> = answer.tool_calls().cloned().collect();
        let cut = cut_call(answer);
        let mut end = None;
        let mut index = 0;
        while let Some(call) = calls.get(index) {
            if cut.is_some_and(|cut| cut.id == call.id) {
                let why = "not run: the answer was cut off in the middle of this call";
                self.answer_rest(&calls[index..], why).await;
                break;
            }
            // A call that was cut off is the last one.
            let whole = &calls[index..calls.len() - usize::from(cut.is_some())];
            let together = self.group_len(whole);
            let ran = if together > 0 {
                self.run_together(&whole[..together], turn).await
            } else {
                self.run_call(call, turn).await
            };
            let ended = match ran {
                Ok(ended) => ended,
                Err(stop) => {
                    self.answer_rest(&calls[index..], "stopped by the user before it finished")
                        .await;
                    self.agent.thread.context.tools_running = false;
                    return Err(stop);
                }
            };
            index += together.max(1);
            if ended {
                self.answer_rest(
                    &calls[index..],
                    "not run: the user refused a call before it",
                )
                .await;
                end = Some(refused_end(&turn.text()));
                break;
            }
            self.agent.thread.publish_view().await;
        }
        self.agent.thread.context.tools_running = false;
        Ok(end)
    }

    /// Answers the calls of an answer that a content filter ended: what was asked for in it
    /// is not done, and the log stays paired.
    pub(crate) async fn leave_calls(&mut self, answer: &AssistantMessage) {
        let calls: Vec<ToolCall> = answer.tool_calls().cloned().collect();
        let why = "not run: the answer was stopped by the model or a content filter";
        self.answer_rest(&calls, why).await;
    }

    /// Runs one call; true ends the turn. Its result is in the log when this returns,
    /// except when it was stopped.
    async fn run_call(&mut self, call: &ToolCall, turn: &mut TurnState) -> Result<bool, TurnStop> {
        let advice = self.before_call(call).await?;
        let (outcome, elapsed, ends) = match self.rule(&advice, turn).await? {
            CallRuling::Answer(outcome) => (outcome, Duration::ZERO, false),
            CallRuling::EndTurn(outcome) => (outcome, Duration::ZERO, true),
            CallRuling::Run(tool, plan) => {
                let began = Stopwatch::start();
                let policy = &self.agent.toolbox.policy;
                let name = &advice.call.name;
                let is_unasked = policy.runs_as_read_only(name, tool.effect(), &plan);
                let ran = self.run_tool(&advice.call, tool, plan, FileCause::Command);
                let (mut outcome, stop) = ran.await;
                let elapsed = began.elapsed();
                if is_unasked {
                    note_unasked(&mut outcome);
                }
                let heard = match stop {
                    Some(stop) => Err(stop),
                    None => self.after_call(advice, &mut outcome).await,
                };
                match heard {
                    Ok(ends) => (outcome, elapsed, ends),
                    Err(stop) => {
                        self.keep_result(call, outcome, elapsed).await;
                        return Err(stop);
                    }
                }
            }
        };
        self.keep_result(call, outcome, elapsed).await;
        Ok(ends)
    }

    pub(super) async fn rule(
        &mut self,
        advice: &CallAdvice,
        turn: &mut TurnState,
    ) -> Result<CallRuling, TurnStop> {
        let call = &advice.call;
        let tool = match self.tool_of(advice) {
            Ok(tool) => tool,
            Err(why) if advice.ends_turn => {
                return Ok(CallRuling::EndTurn(ToolOutcome::error(why)));
            }
            Err(why) => return Ok(CallRuling::Answer(ToolOutcome::error(why))),
        };
        let mut plan = match self.plan(call, &tool).await? {
            Ok(plan) => plan,
            Err(error) => return Ok(CallRuling::Answer(ToolOutcome::error(error))),
        };
        let verdict = self.verdict(advice, &tool, &plan);
        match self.heed_loop(call, turn, &mut plan, verdict) {
            Verdict::Allow => Ok(CallRuling::Run(tool, plan)),
            Verdict::Refuse(reason) => {
                turn.was_refused = true;
                Ok(CallRuling::Answer(ToolOutcome::error(reason)))
            }
            Verdict::Ask if !self.agent.setup.can_ask() => {
                turn.was_refused = true;
                let request = self.approval_request(call, &plan);
                let id = request.id;
                self.agent
                    .events
                    .emit(TurnEvent::Approval(Box::new(request)))
                    .await;
                self.agent
                    .events
                    .emit(TurnEvent::ApprovalClosed { id })
                    .await;
                Ok(CallRuling::Answer(ToolOutcome::error(format!(
                    "`{}` was not run: it needs the user's approval and nobody can be asked. \
                     Say what you would do instead.",
                    call.name
                ))))
            }
            Verdict::Ask => {
                turn.repeats.forget();
                self.approve(call, tool, plan).await
            }
        }
    }

    /// What would only repeat itself asks, where somebody can be asked.
    fn heed_loop(
        &self,
        call: &ToolCall,
        turn: &TurnState,
        plan: &mut Plan,
        verdict: Verdict,
    ) -> Verdict {
        let setup = &self.agent.setup;
        let is_guarded = setup.can_ask() && setup.settings.agent.tools.loop_guard;
        if !is_guarded || matches!(verdict, Verdict::Refuse(_)) || !turn.repeats.is_again(call) {
            return verdict;
        }
        plan.cautions.push(turn.repeats.caution());
        Verdict::Ask
    }

    /// The tool of a call that no hook refused.
    fn tool_of(&self, advice: &CallAdvice) -> Result<Arc<dyn Tool>, String> {
        if let Some(refusal) = &advice.refusal {
            return Err(refusal.clone());
        }
        let tools = &self.agent.toolbox.tools;
        let name = &advice.call.name;
        let tool = tools.get(name);
        tool.ok_or_else(|| tools.unknown(name).to_string())
    }

    /// Why the arguments of a call cannot be what the model wants to pass.
    pub(in crate::agent) fn unusable(&self, call: &ToolCall) -> Option<String> {
        if let Some(raw) = &call.malformed {
            let shown: String = raw.chars().take(200).collect();
            return Some(format!(
                "The arguments of this call are not a JSON object, so it was not run. They begin: {shown}"
            ));
        }
        let branch = self.agent.thread.conversation.transcript().branch();
        copied_cut(call, &branch).map(|copied| copied.to_string())
    }

    /// Planning an edit reads files: not on the actor's thread.
    async fn plan(
        &mut self,
        call: &ToolCall,
        tool: &Arc<dyn Tool>,
    ) -> Result<Result<Plan, String>, TurnStop> {
        let (tool, scope) = (Arc::clone(tool), self.agent.toolbox.scope.clone());
        let arguments = call.arguments_object();
        let planned = self
            .agent
            .wait(tokio::task::spawn_blocking(move || {
                tool.plan(&arguments, &scope)
            }))
            .await?;
        Ok(match planned {
            Ok(planned) => planned.map_err(|error| error.to_string()),
            Err(_) => Err("The tool failed while it looked at the arguments.".to_owned()),
        })
    }

    fn approval_request(&mut self, call: &ToolCall, plan: &Plan) -> ApprovalRequest {
        ApprovalRequest {
            id: self.agent.mailbox.fresh_id(),
            call: call.clone(),
            title: plan.title.clone(),
            cwd: self.agent.toolbox.scope.cwd.clone(),
            diff: plan.diff.clone(),
            pattern: plan.pattern.clone(),
            outside: plan.outside.clone(),
            cautions: plan.cautions.clone(),
            asked_by: None,
        }
    }

    async fn approve(
        &mut self,
        call: &ToolCall,
        tool: Arc<dyn Tool>,
        plan: Plan,
    ) -> Result<CallRuling, TurnStop> {
        let request = self.approval_request(call, &plan);
        let id = request.id;
        let turn = self.agent.children.question_turn();
        let turn = self.agent.wait(turn).await?;
        self.call_user(call).await;
        self.agent.mailbox.answers.approval = None;
        self.agent
            .events
            .emit(TurnEvent::Approval(Box::new(request)))
            .await;
        let decision = loop {
            match self.agent.mailbox.answers.approval.take() {
                Some((answered, decision)) if answered == id => break Ok(decision),
                _ => {}
            }
            if let Err(stop) = self.agent.wait_for_answer().await {
                break Err(stop);
            }
        };
        self.agent
            .events
            .emit(TurnEvent::ApprovalClosed { id })
            .await;
        drop(turn);
        Ok(match decision? {
            ApprovalDecision::Once => CallRuling::Run(tool, plan),
            ApprovalDecision::Session => {
                self.agent.allow_for_session(&call.name, None).await;
                CallRuling::Run(tool, plan)
            }
            ApprovalDecision::Pattern(pattern) => {
                self.agent.allow_pattern(&call.name, pattern).await;
                CallRuling::Run(tool, plan)
            }
            ApprovalDecision::Always(pattern) => {
                self.agent.allow_always(&call.name, pattern).await;
                CallRuling::Run(tool, plan)
            }
            ApprovalDecision::Deny {
                feedback: Some(words),
            } if !words.trim().is_empty() => CallRuling::Answer(ToolOutcome::error(format!(
                "The user refused this call and says: {}",
                words.trim()
            ))),
            ApprovalDecision::Deny { .. } => {
                CallRuling::EndTurn(ToolOutcome::error("The user refused this call."))
            }
        })
    }

    pub(super) async fn run_tool(
        &mut self,
        call: &ToolCall,
        tool: Arc<dyn Tool>,
        plan: Plan,
        cause: FileCause,
    ) -> (ToolOutcome, Option<TurnStop>) {
        self.agent
            .events
            .emit(AnswerEvent::ToolStarted {
                call_id: call.id.clone(),
                name: call.name.clone(),
                title: plan.title,
            })
            .await;
        let is_command = matches!(tool.effect(), Effect::Execute | Effect::Serve);
        let look = if is_command {
            FileActs::of(self.agent).look_before().await
        } else {
            None
        };
        self.agent.toolbox.reached.extend(plan.target.clone());
        let (mut outcome, stopped) = self.attend(call, tool, plan.target).await;
        if let Some(record) = FileActs::of(self.agent).look_after(look, cause).await {
            let files = files_of(&record, &self.agent.toolbox.scope.cwd);
            add_detail(&mut outcome, "files", files);
        }
        (outcome, stopped)
    }

    /// Runs a tool to its end, with what it prints shown and what it is about to change in
    /// the log.
    async fn attend(
        &mut self,
        call: &ToolCall,
        tool: Arc<dyn Tool>,
        target: Option<PathBuf>,
    ) -> (ToolOutcome, Option<TurnStop>) {
        let (progress, mut output) = mpsc::channel(PROGRESS_CAPACITY);
        let (notes, mut records) = mpsc::channel(1);
        let (questions, mut asked) = mpsc::channel(1);
        let (cancel, detach) = (CancellationToken::new(), CancellationToken::new());
        self.agent.toolbox.detach = (tool.effect() == Effect::Execute).then(|| detach.clone());
        let recall = self.recall_source(call);
        let job = ToolJob {
            call_id: call.id.clone(),
            scope: self.agent.toolbox.scope.clone(),
            progress,
            questions,
            cancel: cancel.clone(),
            detach,
            notes,
            recall,
            target,
        };
        let arguments = call.arguments_object();
        let mut running = tokio::spawn(async move { tool.run(arguments, job).await });
        let mut stopped = None;
        loop {
            // A tool that was cancelled says how far it came.
            let next = async {
                tokio::select! {
                    biased;
                    Some(record) = records.recv() => CallStep::Noted(record),
                    Some(text) = output.recv() => CallStep::Printed(text),
                    Some(question) = asked.recv() => CallStep::Asked(question),
                    outcome = &mut running => CallStep::Ended(outcome),
                }
            };
            let event = if stopped.is_some() {
                Ok(next.await)
            } else {
                self.agent.wait(next).await
            };
            match event {
                Err(stop) => {
                    cancel.cancel();
                    self.agent.close_form().await;
                    stopped = Some(stop);
                }
                Ok(CallStep::Asked(_)) if stopped.is_some() => {}
                Ok(CallStep::Asked(question)) => stopped = self.open_form(question, &cancel).await,
                Ok(CallStep::Noted(record)) => FileActs::of(self.agent).note_files(record).await,
                Ok(CallStep::Printed(text)) => {
                    let call_id = call.id.clone();
                    self.agent
                        .events
                        .emit(AnswerEvent::ToolOutput { call_id, text })
                        .await;
                }
                Ok(CallStep::Ended(outcome)) => {
                    self.agent.toolbox.detach = None;
                    self.agent.close_form().await;
                    return (outcome_of(outcome), stopped);
                }
            }
        }
    }

    /// What answers a call of the recall tool.
    fn recall_source(&mut self, call: &ToolCall) -> Option<Arc<dyn RecallSource>> {
        let desk = (call.name == RECALL_TOOL).then(|| self.agent.toolbox.recall.clone())?;
        Some(desk.source(&mut self.agent.thread, &self.agent.setup))
    }

    /// Calls that will not run any more get a result all the same.
    async fn answer_rest(&mut self, calls: &[ToolCall], why: &str) {
        for call in calls {
            if !self.has_result(call) {
                let outcome = ToolOutcome::error(format!("`{}` was {why}.", call.name));
                self.keep_result(call, outcome, Duration::ZERO).await;
            }
        }
    }

    /// Whether the running batch has already answered this call.
    fn has_result(&self, call: &ToolCall) -> bool {
        let transcript = self.agent.thread.conversation.transcript();
        transcript
            .entries()
            .iter()
            .rev()
            .map_while(|entry| match entry.message().map(AsRef::as_ref) {
                Some(Message::Assistant(_)) => None,
                other => Some(other.cloned()),
            })
            .any(|message| matches!(message, Some(Message::ToolResult(result)) if result.call_id == call.id))
    }

    pub(super) async fn keep_result(
        &mut self,
        call: &ToolCall,
        outcome: ToolOutcome,
        elapsed: Duration,
    ) {
        let content = self.fit(outcome.content, &call.name);
        let result = ToolResult {
            call_id: call.id.clone(),
            tool_name: call.name.clone(),
            content,
            is_error: outcome.is_error,
            details: outcome.details,
        };
        let is_error = result.is_error;
        let body = EntryBody::Message(Arc::new(Message::ToolResult(result)));
        self.agent.thread.append(body, Durability::Buffered).await;
        let call_id = call.id.clone();
        self.agent
            .events
            .emit(AnswerEvent::ToolFinished {
                call_id,
                is_error,
                elapsed,
            })
            .await;
    }

    /// The ingestion guard: what is far too long for any window is kept in a file.
    fn fit(&self, content: Vec<Part>, tool: &str) -> Vec<Part> {
        let mut fitted = Vec::with_capacity(content.len());
        for part in content {
            match part {
                Part::Text(text) if text.chars().nth(INGESTION_CHARS).is_some() => {
                    let text = self.spill_text(&text, tool);
                    fitted.push(Part::Text(text));
                }
                other => fitted.push(other),
            }
        }
        fitted
    }

    fn spill_text(&self, text: &str, tool: &str) -> String {
        let total = text.chars().count();
        let head: String = text.chars().take(INGESTION_KEEP_CHARS).collect();
        let tail: String = text.chars().skip(total - INGESTION_KEEP_CHARS).collect();
        let name = format!("{}-{tool}.txt", self.agent.thread.conversation.next_id());
        let kept = self
            .agent
            .thread
            .conversation
            .path()
            .and_then(|path| spill(&path, &name, text.as_bytes()).ok())
            .map_or_else(
                || "the rest was not kept".to_owned(),
                |path| format!("the whole text is in {}; read it in pages", path.display()),
            );
        let omitted = total - 2 * INGESTION_KEEP_CHARS;
        format!("{head}\n[… {omitted} characters left out; {kept} …]\n{tail}")
    }
}

/// The outcome of a tool, also of one that broke down.
fn outcome_of(ended: Result<ToolOutcome, JoinError>) -> ToolOutcome {
    ended.unwrap_or_else(|_| {
        ToolOutcome::error("The tool failed unexpectedly; its effect is not known.")
    })
}

/// Leaves a fact about a call for the screen; the model is not told.
pub(super) fn add_detail(outcome: &mut ToolOutcome, name: &str, value: Value) {
    let details = outcome
        .details
        .get_or_insert_with(|| Value::Object(Map::new()));
    if let Some(details) = details.as_object_mut() {
        details.insert(name.to_owned(), value);
    }
}

/// Notes that nobody was asked, because the command only looks.
fn note_unasked(outcome: &mut ToolOutcome) {
    add_detail(outcome, "readOnly", Value::Bool(true));
}

/// The call that the output limit cut off: the last thing in its answer, without arguments or
/// with the beginning of some. A JSON object that is closed is whole.
fn cut_call(answer: &AssistantMessage) -> Option<&ToolCall> {
    let Some(AssistantPart::ToolCall(call)) = answer.content.last() else {
        return None;
    };
    let is_whole = call.malformed.is_none() && !call.arguments_object().is_empty();
    (answer.stop == StopReason::Length && !is_whole).then_some(call)
}

/// A command's changes to files, for its result: what is removed is no longer a file that the
/// session changed.
pub(super) fn files_of(record: &FileRecord, cwd: &Path) -> Value {
    let named = |is_removed: bool| -> Vec<String> {
        let changes = record.changes.iter();
        let of_kind = changes.filter(|it| (it.after == FileState::Absent) == is_removed);
        of_kind.map(|it| shown(&it.path, cwd)).collect()
    };
    json!({
        "root": cwd.display().to_string(),
        "changed": named(false),
        "removed": named(true),
    })
}
