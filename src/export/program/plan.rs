//! The active branch as other programs keep one: what was typed, injected and answered, each
//! result right after its call, compactions with what stays word for word. Linear, pairs
//! complete, without what was undone or dropped.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::ids::{CallIds, tool_name};
use super::losses::Losses;
use crate::export::branch::{BranchReading, Place};
use crate::transcript::{
    AssistantMessage, AssistantPart, BashExecution, Compaction, CompactionStanding, CutForm,
    Decision, Entry, EntryBody, EntryId, EntryOverride, Message, Part, StopReason, Timestamp,
    ToolCall, Transcript, Trigger, Usage, is_server_summary,
};

/// What a call without a result gets as one.
pub(super) const NO_RESULT: &str = "no result recorded";

const LOST_DROPPED: &str = "message that was dropped from the context: left out";
const LOST_UNDONE: &str = "message that was undone: left out";
const LOST_EDITED: &str = "message that was edited in the context: written as it is sent";
const LOST_TRIMMED: &str = "result that is sent trimmed: written in full";
const LOST_RESULT: &str = "result without its call: left out";
const LOST_CALL: &str = "call of an answer that broke off: left out";
const LOST_EXCLUDED: &str = "command that was kept out of the context: left out";
const LOST_SERVER_SUMMARY: &str = "summary of a provider's server: left out";
const LOST_BRANCH: &str = "entry on another branch: left out";
const LOST_FILES: &str = "record of changed files, for undo: left out";
const MALFORMED: &str = "call whose arguments are not an object: written as text in one";
const NO_RESULT_LOSS: &str = "call without a result: written with one that says so";

/// A part of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum AnswerPart {
    Text(String),
    Reasoning {
        text: String,
        signature: Option<String>,
    },
    /// Reasoning that the provider encrypted.
    Sealed(String),
    Call(PlannedCall),
}

/// A call with an id that is unique in the file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlannedCall {
    pub(super) id: String,
    pub(super) name: String,
    /// An object.
    pub(super) arguments: Value,
}

/// What an entry is to another program.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum StepBody {
    /// A person typed it.
    Typed(Vec<Part>),
    /// A program told the model.
    Injected(Vec<Part>),
    /// A model answered; the results of its calls follow.
    Answer {
        parts: Vec<AnswerPart>,
        provider: String,
        model: String,
        usage: Option<Usage>,
        stop: StopReason,
    },
    /// Why an answer broke off.
    Failure(String),
    /// The result of a call.
    Result {
        call: String,
        content: Vec<Part>,
        is_error: bool,
    },
    /// A summary replaces what is before it but for the kept steps.
    Compaction {
        summary: String,
        trigger: Trigger,
        tokens_before: u64,
        tokens_after: u64,
        /// Numbers of steps, ascending.
        kept: Vec<usize>,
    },
    /// Results that are no longer sent, by the ids of their calls.
    Cleared(Vec<String>),
}

/// One of them, with the entry that it is of.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    pub(super) entry: EntryId,
    pub(super) at: Timestamp,
    pub(super) body: StepBody,
}

/// A branch, ready to be written.
#[derive(Debug, Default)]
pub(super) struct ExportPlan {
    pub(super) steps: Vec<Step>,
    pub(super) losses: Losses,
}

impl ExportPlan {
    pub(super) fn of(transcript: &Transcript) -> Self {
        let reading = BranchReading::of(transcript);
        let mut planner = Planner {
            reading: &reading,
            plan: Self::default(),
            ids: CallIds::default(),
            calls: HashMap::new(),
            cleared: HashSet::new(),
        };
        for at in 0..reading.entries.len() {
            planner.place(at);
        }
        let mut plan = planner.plan;
        plan.losses.add_many(LOST_BRANCH, reading.off_branch as u64);
        plan
    }
}

/// Makes steps of entries.
struct Planner<'a> {
    reading: &'a BranchReading,
    plan: ExportPlan,
    ids: CallIds,
    /// The written id of the call that each result entry answers.
    calls: HashMap<Place, String>,
    cleared: HashSet<EntryId>,
}

impl Planner<'_> {
    fn place(&mut self, at: Place) {
        let reading = self.reading;
        let Some(entry) = reading.entries.get(at) else {
            return;
        };
        if entry.body.speaks_to_model() && self.is_left_out(entry) {
            return;
        }
        match &entry.body {
            EntryBody::Message(message) => self.message(at, entry, message),
            EntryBody::Compaction(compaction) => self.compaction(at, entry, compaction),
            EntryBody::BranchSummary { summary, .. } => {
                self.injected(entry, vec![Part::Text(summary.clone())]);
            }
            EntryBody::CustomMessage { content, .. } => {
                let content = self.content(entry, content);
                self.injected(entry, content);
            }
            EntryBody::Decision(decision) => self.decision(entry, decision),
            EntryBody::Files(_) => self.plan.losses.add(LOST_FILES),
            EntryBody::ContextEdit { .. }
            | EntryBody::Measurement(_)
            | EntryBody::Expense(_)
            | EntryBody::Child(_)
            | EntryBody::Import(_)
            | EntryBody::Custom { .. }
            | EntryBody::Label { .. }
            | EntryBody::SessionInfo { .. }
            | EntryBody::ModelChange { .. }
            | EntryBody::ThinkingLevelChange { .. }
            | EntryBody::Unknown { .. } => {}
        }
    }

    /// What the next request does not have because a person or a recovery said so.
    fn is_left_out(&mut self, entry: &Entry) -> bool {
        let reading = self.reading;
        if reading.override_of(&entry.id) == Some(EntryOverride::Drop) {
            self.plan.losses.add(LOST_DROPPED);
            return true;
        }
        let is_compaction = matches!(entry.body, EntryBody::Compaction(_));
        if reading.is_undone(&entry.id) && !is_compaction {
            self.plan.losses.add(LOST_UNDONE);
            return true;
        }
        // Its copy stands where it was sent again.
        reading.resent_as(&entry.id).is_some()
    }

    fn push(&mut self, entry: &Entry, body: StepBody) {
        self.plan.steps.push(Step {
            entry: entry.id.clone(),
            at: entry.timestamp,
            body,
        });
    }

    /// The content of a message as it is sent.
    fn content(&mut self, entry: &Entry, content: &[Part]) -> Vec<Part> {
        match self.reading.edit_of(&entry.id) {
            Some(edited) => {
                self.plan.losses.add(LOST_EDITED);
                edited.to_vec()
            }
            None => content.to_vec(),
        }
    }

    fn injected(&mut self, entry: &Entry, content: Vec<Part>) {
        if !is_blank(&content) {
            self.push(entry, StepBody::Injected(content));
        }
    }

    fn message(&mut self, at: Place, entry: &Entry, message: &Message) {
        match message {
            Message::User(user) => {
                let content = self.content(entry, &user.content);
                if !is_blank(&content) {
                    self.push(entry, StepBody::Typed(content));
                }
            }
            Message::Assistant(answer) => self.answer(at, entry, answer),
            // Written with the answer that called for it.
            Message::ToolResult(_) if self.reading.answer_of(at).is_some() => {}
            Message::ToolResult(_) => self.plan.losses.add(LOST_RESULT),
            Message::BashExecution(run) => self.run(entry, run),
        }
    }

    fn run(&mut self, entry: &Entry, run: &BashExecution) {
        if run.excluded {
            self.plan.losses.add(LOST_EXCLUDED);
        } else {
            let content = vec![Part::Text(run.as_user_text())];
            self.injected(entry, content);
        }
    }

    fn answer(&mut self, at: Place, entry: &Entry, answer: &AssistantMessage) {
        let reading = self.reading;
        let edited = reading.edit_of(&entry.id);
        let mut parts = Vec::new();
        let mut results = Vec::new();
        let mut number = 0;
        if let Some(edited) = edited {
            self.plan.losses.add(LOST_EDITED);
            parts.extend(text_of(edited).map(AnswerPart::Text));
        }
        for part in &answer.content {
            match part {
                AssistantPart::Text(text) if edited.is_none() && !text.trim().is_empty() => {
                    parts.push(AnswerPart::Text(text.clone()));
                }
                AssistantPart::Text(_) => {}
                AssistantPart::Thinking { text, signature } => {
                    parts.push(AnswerPart::Reasoning {
                        text: text.clone(),
                        signature: signature.clone(),
                    });
                }
                AssistantPart::RedactedThinking { data } if is_server_summary(data) => {
                    self.plan.losses.add(LOST_SERVER_SUMMARY);
                }
                AssistantPart::RedactedThinking { data } => {
                    parts.push(AnswerPart::Sealed(data.clone()));
                }
                AssistantPart::ToolCall(call) => {
                    let result = reading.result_of(at, number);
                    number += 1;
                    if answer.stop.is_broken() && result.is_none() {
                        self.plan.losses.add(LOST_CALL);
                        continue;
                    }
                    let planned = self.call(entry, number, call);
                    results.push((planned.id.clone(), result.map(|(at, _)| at)));
                    parts.push(AnswerPart::Call(planned));
                }
            }
        }
        self.push_answer(entry, answer, parts);
        for (call, result) in results {
            self.result(entry, call, result);
        }
    }

    fn push_answer(&mut self, entry: &Entry, answer: &AssistantMessage, parts: Vec<AnswerPart>) {
        let has_content = parts
            .iter()
            .any(|part| matches!(part, AnswerPart::Text(_) | AnswerPart::Call(_)));
        // Reasoning alone is no answer, and providers refuse it as one.
        if has_content {
            self.push(
                entry,
                StepBody::Answer {
                    parts,
                    provider: answer.provider.clone(),
                    model: answer.model.clone(),
                    usage: answer.usage,
                    stop: answer.stop,
                },
            );
        }
        if answer.stop.is_broken() {
            let words = match answer.stop {
                StopReason::Aborted => "stopped by the user",
                _ => "the answer broke off",
            };
            let words = answer.error.clone().unwrap_or_else(|| words.to_owned());
            self.push(entry, StepBody::Failure(words));
        }
    }

    fn call(&mut self, entry: &Entry, number: usize, call: &ToolCall) -> PlannedCall {
        let arguments = match (&call.malformed, &call.arguments) {
            (None, object @ Value::Object(_)) => object.clone(),
            (None, Value::Null) => json!({}),
            (None, other) => {
                self.plan.losses.add(MALFORMED);
                json!({ "malformed": other.to_string() })
            }
            (Some(raw), _) => {
                self.plan.losses.add(MALFORMED);
                json!({ "malformed": raw })
            }
        };
        PlannedCall {
            id: self.ids.take(&call.id, &format!("{}/{number}", entry.id)),
            name: tool_name(&call.name),
            arguments,
        }
    }

    /// The result at a place; without one, a result that says so.
    fn result(&mut self, answer: &Entry, call: String, at: Option<Place>) {
        let reading = self.reading;
        let found = at.and_then(|at| Some((at, reading.entries.get(at)?)));
        let found = found.and_then(|(at, entry)| match entry.message()?.as_ref() {
            Message::ToolResult(result) => Some((at, entry, result)),
            _ => None,
        });
        let Some((at, entry, result)) = found else {
            self.plan.losses.add(NO_RESULT_LOSS);
            let body = StepBody::Result {
                call,
                content: vec![Part::Text(NO_RESULT.to_owned())],
                is_error: true,
            };
            return self.push(answer, body);
        };
        self.calls.insert(at, call.clone());
        let content = self.content(entry, &result.content);
        if let Some(cut) = reading.cut_of(&entry.id)
            && matches!(cut.form, CutForm::Trim { .. })
        {
            self.plan.losses.add(LOST_TRIMMED);
        }
        let body = StepBody::Result {
            call,
            content,
            is_error: result.is_error,
        };
        self.push(entry, body);
    }

    fn decision(&mut self, entry: &Entry, decision: &Decision) {
        let (Decision::Prune { cuts, .. } | Decision::Guard { cuts }) = decision else {
            return;
        };
        let reading = self.reading;
        if reading.is_undone(&entry.id) {
            return;
        }
        let mut calls = Vec::new();
        for cut in cuts {
            let holds = reading.cut_of(&cut.target) == Some(cut);
            let is_clear = matches!(cut.form, CutForm::Clear { .. });
            let place = reading.place(&cut.target);
            if let Some(call) = place.and_then(|at| self.calls.get(&at))
                && holds
                && is_clear
                && self.cleared.insert(cut.target.clone())
            {
                calls.push(call.clone());
            }
        }
        if !calls.is_empty() {
            self.push(entry, StepBody::Cleared(calls));
        }
    }

    fn compaction(&mut self, at: Place, entry: &Entry, compaction: &Compaction) {
        let mut places = self.reading.compactions.iter();
        let Some(place) = places.find(|it| it.at == at).copied() else {
            return;
        };
        if place.standing == CompactionStanding::Undone {
            return;
        }
        let others = &compaction.details.appendix.for_others;
        // The text for other programs has the messages that are kept from before the tail.
        let asks: &[EntryId] = if others.is_empty() {
            &compaction.details.exceptions.kept_asks
        } else {
            &[]
        };
        // An answer and the results of its calls stay together.
        let answer = self.reading.answer_of(place.first_kept);
        let first_kept = answer.unwrap_or(place.first_kept);
        let is_kept = |step: &Step| {
            let of = self.reading.place(&step.entry);
            let is_tail = of.is_some_and(|of| (first_kept..at).contains(&of));
            let is_said = !matches!(
                step.body,
                StepBody::Compaction { .. } | StepBody::Cleared(_)
            );
            is_said && (is_tail || asks.contains(&step.entry))
        };
        let steps = self.plan.steps.iter().enumerate();
        let kept = steps.filter(|(_, step)| is_kept(step)).map(|(at, _)| at);
        let body = StepBody::Compaction {
            kept: kept.collect(),
            summary: if others.is_empty() {
                compaction.summary.clone()
            } else {
                format!("{}\n\n{others}", compaction.summary.trim_end())
            },
            trigger: compaction.details.cause.trigger,
            tokens_before: compaction.tokens_before,
            tokens_after: compaction.details.tokens_after,
        };
        self.push(entry, body);
    }
}

/// Whether there is nothing in it that a provider accepts.
pub(super) fn is_blank(parts: &[Part]) -> bool {
    parts
        .iter()
        .all(|part| matches!(part, Part::Text(text) if text.trim().is_empty()))
}

/// The text of parts, joined by newlines; `None` where there is none.
fn text_of(parts: &[Part]) -> Option<String> {
    let texts = parts.iter().filter_map(|part| match part {
        Part::Text(text) if !text.trim().is_empty() => Some(text.as_str()),
        _ => None,
    });
    let text = texts.collect::<Vec<_>>().join("\n");
    (!text.is_empty()).then_some(text)
}
