//! The last object of a run: what was answered, what it cost, how it ended.

use serde_json::{Map, Value, json};

use crate::agent::{AgentEvent, TurnEnd};
use crate::transcript::{EntryBody, Overlay, StopReason, Usage};

/// Exit code of a run that failed.
const FAILED: u8 = 1;
/// What the end of a run is called whose context did not fit.
const OVERFLOW: &str = "context_overflow";

/// What a run adds up to.
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
}

impl Outcome {
    /// Takes note of an event.
    pub fn observe(&mut self, event: &AgentEvent) {
        match event {
            AgentEvent::SessionOpened(info) => self.session.clone_from(&info.id),
            AgentEvent::Usage { request, .. } => self.usage = self.usage.plus(*request),
            AgentEvent::CompactionApplied { compaction, .. } => {
                self.compactions += 1;
                self.usage = self.usage.plus(compaction.details.usage);
            }
            AgentEvent::Entry(entry) => {
                if let EntryBody::Overlay(Overlay::Expense(expense)) = &entry.body {
                    self.usage = self.usage.plus(expense.usage);
                }
            }
            AgentEvent::CompactionFailed { cause, .. } => self.cause = Some(cause),
            AgentEvent::TurnFinished(end) => self.end = Some(end.clone()),
            _ => {}
        }
    }

    /// How the process ends: without an end of its turn, the run has failed.
    pub fn exit_code(&self) -> u8 {
        self.end.as_ref().map_or(FAILED, |end| end.exit_code)
    }

    /// `{"type":"result", …}`. `error` is there when something went wrong.
    pub fn json(&self) -> Value {
        let mut out = Map::new();
        let text = self.end.as_ref().map_or("", |end| end.text.as_str());
        let stop = self.end.as_ref().map_or("error", |end| stop_name(end.stop));
        out.insert("type".to_owned(), json!("result"));
        out.insert("text".to_owned(), json!(text));
        out.insert("stop_reason".to_owned(), json!(stop));
        out.insert("exit_code".to_owned(), json!(self.exit_code()));
        out.insert("usage".to_owned(), usage_json(&self.usage));
        out.insert("cost".to_owned(), json!(self.usage.cost_usd));
        out.insert("session".to_owned(), json!(self.session));
        out.insert("compactions".to_owned(), json!(self.compactions));
        if let Some(error) = self.end.as_ref().and_then(|end| end.error.as_ref()) {
            let kind = self.end.as_ref().and_then(|end| end.error_kind);
            let mut error = json!({"kind": kind, "message": error.text, "hint": error.hint});
            if let Some(cause) = self.cause.filter(|_| kind == Some(OVERFLOW)) {
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
