//! The last object of a run: what was answered, what it cost, how it ended.

use serde_json::{Map, Value, json};

use crate::agent::{
    AgentEvent, AnswerEvent, CompactionEvent, Notice, SaveOutcome, SessionEvent, TurnEnd,
    TurnEvent, UnsavedSession,
};
use crate::transcript::{EntryBody, StopReason, Usage};

/// Exit code of a run that failed.
const FAILED: u8 = 1;
/// Exit code of a run that was interrupted, unless another signal did it.
pub(super) const INTERRUPTED: u8 = 130;
/// The status when part of a session is not on disk.
const UNSAVED: &str = "unsaved";
/// The status of a run that never began or never ended.
const BROKEN_OFF: &str = "broken_off";
/// The status of a run whose context did not fit.
const OVERFLOW: &str = "context_overflow";

/// The result of a run.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The session's id.
    pub session: String,
    /// Usage of the requests of this run, summaries included.
    pub usage: Usage,
    /// Compactions that were applied.
    pub compactions: u64,
    /// Why room could not be made, as the newest failure named it.
    pub cause: Option<&'static str>,
    /// How the turn ended; `None` while it runs.
    pub end: Option<TurnEnd>,
    /// How much of the session is on disk; `None` before the agent has ended.
    pub kept: Option<SaveOutcome>,
    /// The exit code of the signal that stopped it.
    pub stopped_by: Option<u8>,
}

impl Outcome {
    /// Takes note of an event.
    pub fn observe(&mut self, event: &AgentEvent) {
        if let AgentEvent::Session(event) = event {
            self.observe_session(event);
        }
        if let AgentEvent::Stream(AnswerEvent::Usage { request, .. }) = event {
            self.usage = self.usage.plus(*request);
        }
        if let AgentEvent::Compaction(CompactionEvent::Applied { compaction, .. }) = event {
            self.compactions += 1;
            self.usage = self.usage.plus(compaction.details.cost.usage);
        }
        if let AgentEvent::Compaction(CompactionEvent::Failed { cause, .. }) = event {
            self.cause = Some(cause);
        }
        if let AgentEvent::Turn(TurnEvent::Finished(end)) = event {
            self.end = Some(end.clone());
        }
    }

    fn observe_session(&mut self, event: &SessionEvent) {
        match event {
            SessionEvent::Opened(info) => self.session.clone_from(&info.id),
            SessionEvent::Entry(entry) => {
                if let EntryBody::Expense(expense) = &entry.body {
                    self.usage = self.usage.plus(expense.usage);
                }
                let link = match &entry.body {
                    EntryBody::Child(link) => link.end.as_ref(),
                    _ => None,
                };
                if let Some(end) = link {
                    self.usage = self.usage.plus(end.usage);
                }
            }
            SessionEvent::Ended(kept) => self.kept = Some(kept.clone()),
            SessionEvent::BranchMoved(_)
            | SessionEvent::Saved(_)
            | SessionEvent::ModelSwitched { .. }
            | SessionEvent::Reasoning(_)
            | SessionEvent::Engine(_)
            | SessionEvent::PlanMode(_)
            | SessionEvent::Approvals(_)
            | SessionEvent::ServersOffer(_)
            | SessionEvent::ModelsListed(_) => {}
        }
    }

    /// A run that never began, or was stopped before it did.
    pub fn of_nothing(error: Option<(&'static str, Notice)>, exit_code: u8) -> Self {
        let (kind, error) = error.unzip();
        let stop = match error {
            Some(_) => StopReason::Error,
            None => StopReason::Aborted,
        };
        Self {
            end: Some(TurnEnd {
                stop,
                text: String::new(),
                error,
                error_kind: kind,
                exit_code,
            }),
            ..Self::default()
        }
    }

    /// How the process ends: without an end of its turn, the run has failed, and so it has
    /// when not all of it is saved.
    pub fn exit_code(&self) -> u8 {
        match (&self.end, self.stopped_by) {
            (None, Some(code)) => code,
            (None, None) => FAILED,
            (Some(end), Some(code)) if end.exit_code == INTERRUPTED => code,
            (Some(end), _) if end.exit_code == 0 && self.unsaved().is_some() => FAILED,
            (Some(end), _) => end.exit_code,
        }
    }

    /// The part of the session that is not saved.
    pub fn unsaved(&self) -> Option<&UnsavedSession> {
        match &self.kept {
            Some(SaveOutcome::Unsaved(unsaved)) => Some(unsaved),
            _ => None,
        }
    }

    /// The error with its name for programs: first of the answer, then of saving.
    pub fn error(&self) -> Option<(&'static str, Notice)> {
        let Some(end) = &self.end else {
            let notice = Notice::error("the run ended before the answer was complete");
            let hint = "everything up to then is saved in the session";
            return self
                .stopped_by
                .is_none()
                .then(|| (BROKEN_OFF, notice.with_hint(hint)));
        };
        let of_answer = end.error.clone().map(|error| {
            let kind = end.error_kind.unwrap_or(BROKEN_OFF);
            (kind, error)
        });
        of_answer.or_else(|| Some((UNSAVED, self.unsaved()?.notice())))
    }

    /// Whether the session is on disk; `None` where nothing was to be kept.
    fn is_saved(&self) -> Option<bool> {
        match &self.kept {
            Some(SaveOutcome::Saved) => Some(true),
            Some(SaveOutcome::Nothing) => None,
            Some(SaveOutcome::Unsaved(_)) => Some(false),
            // It never began, or nobody knows.
            None => (!self.session.is_empty()).then_some(false),
        }
    }

    /// `{"type":"result", …}`. `error` is there when something went wrong, `copy` when the
    /// session could not be saved and all of it is in another file.
    pub fn json(&self) -> Value {
        let mut out = Map::new();
        let text = self.end.as_ref().map_or("", |end| end.text.as_str());
        let broken_off = match self.stopped_by {
            Some(_) => StopReason::Aborted,
            None => StopReason::Error,
        };
        let stop = stop_name(self.end.as_ref().map_or(broken_off, |end| end.stop));
        out.insert("type".to_owned(), json!("result"));
        out.insert("text".to_owned(), json!(text));
        out.insert("stop_reason".to_owned(), json!(stop));
        out.insert("exit_code".to_owned(), json!(self.exit_code()));
        out.insert("usage".to_owned(), usage_json(&self.usage));
        out.insert("cost".to_owned(), json!(self.usage.cost_usd));
        out.insert("session".to_owned(), json!(self.session));
        out.insert("compactions".to_owned(), json!(self.compactions));
        out.insert("saved".to_owned(), json!(self.is_saved()));
        if let Some(copy) = self.unsaved().and_then(UnsavedSession::copy_path) {
            out.insert("copy".to_owned(), json!(copy.display().to_string()));
        }
        if let Some((kind, error)) = self.error() {
            let mut error = json!({"kind": kind, "message": error.text, "hint": error.hint});
            if let Some(cause) = self.cause.filter(|_| kind == OVERFLOW) {
                error["cause"] = json!(cause);
            }
            out.insert("error".to_owned(), error);
        }
        Value::Object(out)
    }
}

/// Why an answer ended, as the session log names it.
pub(super) fn stop_name(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Stop => "stop",
        StopReason::Length => "length",
        StopReason::ToolUse => "toolUse",
        StopReason::Refusal => "refusal",
        StopReason::Paused => "paused",
        StopReason::Error => "error",
        StopReason::Aborted => "aborted",
    }
}

/// Reported tokens; `reasoning` is part of `output`; `cost` in US dollars, `null` when no
/// price is known; `server_cut` only where a server shortened a prompt, 0 when it does not
/// say by how much.
pub fn usage_json(usage: &Usage) -> Value {
    let mut out = json!({
        "input": usage.input_tokens,
        "output": usage.output_tokens,
        "reasoning": usage.reasoning_tokens,
        "cache_read": usage.cache_read_tokens,
        "cache_write": usage.cache_write_tokens,
        "cost": usage.cost_usd,
    });
    if let Some(cut) = usage.server_cut_tokens {
        out["server_cut"] = json!(cut);
    }
    out
}
