//! Events as JSON objects, one each, with a `type`. What a script cannot use (queues,
//! lists for pickers, drafts of answers) has none.
//!
//! Every `tool_call` has a `tool_result`, which says so when the call was not run. Calls of an
//! answer that broke off are neither: they were never made, and the log alone has them.

use serde_json::{Map, Value, json};

use super::compaction::audit_json;
use super::context::view_json;
use super::outcome::{stop_name, usage_json};
use crate::agent::{
    AgentEvent, AnswerDelta, AnswerEvent, ChildEvent, ChildInfo, CompactionEvent, ContextEvent,
    Notice, NoticeLevel, SessionEvent, SessionInfo, TurnEnd, TurnEvent,
};
use crate::context::{ContextView, RepairReport};
use crate::transcript::{AssistantMessage, Compaction, Entry, EntryId, Message, ReasoningState};

/// Turns events into objects. Remembers what is needed to leave out repetitions.
#[derive(Debug, Default)]
pub struct EventWriter {
    /// An answer is streaming: its views move too often to be worth a line.
    is_streaming: bool,
    last_view: Option<Map<String, Value>>,
    last_repair: RepairReport,
}

impl EventWriter {
    /// The objects of an event; none when there is nothing to say.
    pub fn objects(&mut self, event: &AgentEvent) -> Vec<Value> {
        match event {
            AgentEvent::Stream(event) => self.stream(event).into_iter().collect(),
            AgentEvent::Turn(event) => self.turn(event).into_iter().collect(),
            AgentEvent::Context(ContextEvent::View(view)) => self.view(view),
            AgentEvent::Context(event) => context(event).into_iter().collect(),
            AgentEvent::Compaction(event) => compaction(event).into_iter().collect(),
            AgentEvent::Session(event) => self.session(event),
            AgentEvent::Child(event) => child(event).into_iter().collect(),
            // Lists are for screens.
            AgentEvent::Reply { .. } => Vec::new(),
            AgentEvent::Notice(notice) => vec![notice_json(notice)],
        }
    }

    fn stream(&mut self, event: &AnswerEvent) -> Option<Value> {
        match event {
            AnswerEvent::RequestStarted { .. } => {
                self.is_streaming = true;
                None
            }
            AnswerEvent::Delta(delta) => delta_json(delta),
            AnswerEvent::Usage { request, session } => Some(json!({
                "type": "usage",
                "request": usage_json(request),
                "session": usage_json(session),
            })),
            AnswerEvent::Retrying {
                attempt,
                max_attempts,
                after,
                reason,
            } => Some(json!({
                "type": "retrying",
                "attempt": attempt,
                "max_attempts": max_attempts,
                "after_ms": u64::try_from(after.as_millis()).unwrap_or(u64::MAX),
                "reason": reason,
            })),
            // The entries of the call and of its result say it.
            AnswerEvent::ToolStarted { .. }
            | AnswerEvent::ToolOutput { .. }
            | AnswerEvent::ToolFinished { .. } => None,
        }
    }

    fn turn(&mut self, event: &TurnEvent) -> Option<Value> {
        match event {
            TurnEvent::Approval(request) => Some(json!({
                "type": "approval",
                "call_id": request.call.id,
                "name": request.call.name,
                "title": request.title,
                "decision": "refused",
            })),
            TurnEvent::Finished(end) => {
                self.is_streaming = false;
                Some(turn_finished(end))
            }
            TurnEvent::ApprovalClosed { .. }
            | TurnEvent::Oversize(_)
            | TurnEvent::OversizeClosed { .. }
            | TurnEvent::Form(_)
            | TurnEvent::FormClosed { .. }
            | TurnEvent::InputReturned(_)
            | TurnEvent::Queued(_)
            | TurnEvent::Jobs(_) => None,
        }
    }

    fn session(&mut self, event: &SessionEvent) -> Vec<Value> {
        let one = match event {
            SessionEvent::Opened(info) => Some(session(info)),
            SessionEvent::Entry(entry) => return self.entry(entry),
            SessionEvent::ModelSwitched { model, reason } => {
                let fields = json!({"model": model.to_string(), "reason": reason});
                event
                    .in_words()
                    .map(|notice| told("model_switched", &notice, fields))
            }
            SessionEvent::Engine(id) => Some(json!({ "type": "engine", "engine": id })),
            SessionEvent::Reasoning(state) => Some(json!({
                "type": "reasoning",
                "reasoning": state.as_ref().map(ReasoningState::json),
            })),
            SessionEvent::PlanMode(on) => Some(json!({"type": "plan_mode", "on": on})),
            SessionEvent::BranchMoved(_)
            | SessionEvent::Saved(_)
            | SessionEvent::Approvals(_)
            | SessionEvent::ServersOffer(_)
            | SessionEvent::ModelsListed(_)
            | SessionEvent::Ended(_) => None,
        };
        one.into_iter().collect()
    }

    fn view(&mut self, view: &ContextView) -> Vec<Value> {
        if self.is_streaming {
            return Vec::new();
        }
        let mut objects = Vec::new();
        let numbers = view_json(view);
        if view.repair != self.last_repair {
            self.last_repair = view.repair;
            objects.push(typed(
                "repaired",
                numbers.get("repair").cloned().unwrap_or_default(),
            ));
        }
        if self.last_view.as_ref() != Some(&numbers) {
            objects.push(typed("view", Value::Object(numbers.clone())));
            self.last_view = Some(numbers);
        }
        objects
    }

    fn entry(&mut self, entry: &Entry) -> Vec<Value> {
        match entry.message().map(AsRef::as_ref) {
            Some(Message::Assistant(answer)) => {
                self.is_streaming = false;
                if answer.stop.is_broken() {
                    return Vec::new();
                }
                tool_calls(entry, answer)
            }
            Some(Message::ToolResult(result)) => vec![json!({
                "type": "tool_result",
                "entry": entry.id.as_str(),
                "call_id": result.call_id,
                "name": result.tool_name,
                "is_error": result.is_error,
                "text": result.text(),
            })],
            _ => Vec::new(),
        }
    }
}

/// `type` first, then the fields of an object.
fn typed(kind: &str, fields: Value) -> Value {
    let mut out = Map::new();
    out.insert("type".to_owned(), json!(kind));
    if let Value::Object(fields) = fields {
        out.extend(fields);
    }
    Value::Object(out)
}

fn session(info: &SessionInfo) -> Value {
    json!({
        "type": "session",
        "session": info.id,
        "name": info.name,
        "path": info.path.as_ref().map(|path| path.display().to_string()),
        "cwd": info.cwd.display().to_string(),
        "model": info.model.to_string(),
        "model_reason": info.model_reason,
        "reasoning": info.reasoning.as_ref().map(ReasoningState::json),
        "engine": info.engine,
        "resumed": info.resumed,
        "plan_mode": info.plan_mode,
        "read_only": info.read_only,
    })
}

fn tool_calls(entry: &Entry, answer: &AssistantMessage) -> Vec<Value> {
    answer
        .tool_calls()
        .map(|call| {
            json!({
                "type": "tool_call",
                "entry": entry.id.as_str(),
                "call_id": call.id,
                "name": call.name,
                "arguments": call.arguments,
            })
        })
        .collect()
}

fn delta_json(delta: &AnswerDelta) -> Option<Value> {
    match delta {
        AnswerDelta::Text(text) => Some(json!({"type": "text_delta", "text": text})),
        AnswerDelta::Thinking(text) => Some(json!({"type": "thinking_delta", "text": text})),
        AnswerDelta::ToolCall { .. } | AnswerDelta::Reset => None,
    }
}

fn turn_finished(end: &TurnEnd) -> Value {
    json!({
        "type": "turn_finished",
        "stop_reason": stop_name(end.stop),
        "exit_code": end.exit_code,
    })
}

fn child(event: &ChildEvent) -> Option<Value> {
    match event {
        ChildEvent::Started(info) => Some(typed("agent_started", child_fields(info))),
        ChildEvent::Ended(info) => {
            let mut fields = child_fields(info);
            fields["state"] = json!(info.state.name());
            fields["requests"] = json!(info.requests);
            fields["usage"] = usage_json(&info.usage);
            fields["elapsed_ms"] =
                json!(u64::try_from(info.elapsed.as_millis()).unwrap_or(u64::MAX));
            Some(typed("agent_finished", fields))
        }
        // It says how they are between the two.
        ChildEvent::Listed(_) => None,
    }
}

fn child_fields(info: &ChildInfo) -> Value {
    json!({
        "id": info.id.as_str(),
        "agent": info.agent,
        "task": info.task,
        "call_id": info.call_id,
        "model": info.model.to_string(),
        "background": info.is_background,
        "path": info.session.as_ref().map(|path| path.display().to_string()),
    })
}

fn context(event: &ContextEvent) -> Option<Value> {
    match event {
        ContextEvent::Pruned {
            trimmed,
            cleared,
            tokens_saved,
            cache_given_up_tokens,
            reasoning_lost,
            dry_run,
            ..
        } => Some(json!({
            "type": "pruned",
            "trimmed": trimmed,
            "cleared": cleared,
            "tokens_saved": tokens_saved,
            "cache_given_up": cache_given_up_tokens,
            "reasoning_lost": reasoning_lost,
            "dry_run": dry_run,
        })),
        ContextEvent::Guarded { truncated, cleared } => Some(json!({
            "type": "guarded",
            "truncated": truncated,
            "cleared": cleared,
        })),
        ContextEvent::Overflow {
            is_foreseen,
            requested_tokens,
            limit_tokens,
            attempt,
        } => {
            let fields = json!({
                "requested_tokens": requested_tokens,
                "limit_tokens": limit_tokens,
                "attempt": attempt,
                "sent": !is_foreseen,
            });
            Some(told("overflow", &event.in_words()?, fields))
        }
        ContextEvent::Replayed {
            original,
            replay,
            stripped,
            ..
        } => {
            let fields = json!({
                "original": original.as_str(),
                "replay": replay.as_str(),
                "stripped": stripped,
            });
            Some(told("replayed", &event.in_words()?, fields))
        }
        ContextEvent::View(_)
        | ContextEvent::OverrideApplied { .. }
        | ContextEvent::RuleChanged { .. }
        | ContextEvent::ActUndone { .. }
        | ContextEvent::UndoPlanned(_) => None,
    }
}

fn compaction(event: &CompactionEvent) -> Option<Value> {
    Some(match event {
        CompactionEvent::Started {
            trigger,
            tokens_before,
            summarized,
            kept_turns,
        } => json!({
            "type": "compaction_started",
            "trigger": trigger.name(),
            "tokens_before": tokens_before,
            "summarized": summarized,
            "kept_turns": kept_turns,
        }),
        CompactionEvent::Progress { stage } => {
            json!({"type": "compaction_progress", "stage": stage})
        }
        CompactionEvent::Audited(audit) => typed("compaction_audited", audit_json(audit)),
        CompactionEvent::Applied { entry, compaction } => {
            let text = event.in_words().map(|notice| notice.text);
            applied(entry, compaction, text.as_deref())
        }
        CompactionEvent::Cancelled { reason } => {
            json!({"type": "compaction_cancelled", "reason": reason})
        }
        CompactionEvent::Failed {
            trigger,
            cause,
            message,
            attempts,
            ..
        } => json!({
            "type": "compaction_failed",
            "trigger": trigger.name(),
            "cause": cause,
            "message": message,
            "attempts": attempts,
        }),
        CompactionEvent::Undone {
            target,
            tokens_after,
            over_load_line,
        } => json!({
            "type": "compaction_undone",
            "entry": target.as_str(),
            "tokens_after": tokens_after,
            "over_load_line": over_load_line,
        }),
        CompactionEvent::Delta(_)
        | CompactionEvent::Review(_)
        | CompactionEvent::Sources(_)
        | CompactionEvent::Planned(_) => return None,
    })
}

fn applied(entry: &EntryId, compaction: &Compaction, text: Option<&str>) -> Value {
    let details = &compaction.details;
    json!({
        "type": "compaction_applied",
        "entry": entry.as_str(),
        "trigger": details.cause.trigger.name(),
        "model": details.model,
        "tokens_before": compaction.tokens_before,
        "tokens_after": details.tokens_after,
        "summarized": details.summarized_messages,
        "engine_reason": details.cause.engine_reason,
        "degraded": details.degraded,
        "label": details.author_label(),
        "text": text,
    })
}

/// A notice that says in `event` what it is about, with its numbers as fields.
fn told(event: &str, notice: &Notice, fields: Value) -> Value {
    let mut out = notice_json(notice);
    out["event"] = json!(event);
    if let (Value::Object(out), Value::Object(fields)) = (&mut out, fields) {
        out.extend(fields);
    }
    out
}

fn notice_json(notice: &Notice) -> Value {
    json!({
        "type": "notice",
        "level": match notice.level {
            NoticeLevel::Info => "info",
            NoticeLevel::Warning => "warning",
            NoticeLevel::Error => "error",
        },
        "text": notice.text,
        "hint": notice.hint,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::transcript::{EntryBody, EntryId, ModelRef, StopReason, Timestamp};

    #[test]
    fn only_calls_that_get_a_result_are_told_of() {
        let answer = |stop| {
            let call = crate::transcript::ToolCall {
                id: "c1".to_owned(),
                name: "shell".to_owned(),
                arguments: json!({"command": "ls"}),
                malformed: None,
            };
            let message = AssistantMessage {
                content: vec![crate::transcript::AssistantPart::ToolCall(call)],
                provider: "p".to_owned(),
                model: "m".to_owned(),
                usage: None,
                stop,
                error: None,
                ..AssistantMessage::default()
            };
            AgentEvent::Session(SessionEvent::Entry(Arc::new(Entry {
                id: EntryId::new("e1"),
                parent: None,
                timestamp: Timestamp(0),
                body: EntryBody::Message(Arc::new(Message::Assistant(message))),
            })))
        };
        let told = |stop| EventWriter::default().objects(&answer(stop)).len();
        for stop in [StopReason::Aborted, StopReason::Error] {
            assert_eq!(told(stop), 0, "{stop:?}: it broke off, nothing was run");
        }
        // A call of a refused answer has a result, too: it says that it was not run.
        for stop in [StopReason::ToolUse, StopReason::Refusal, StopReason::Length] {
            assert_eq!(told(stop), 1, "{stop:?}");
        }
    }

    #[test]
    fn notices_about_recovery_carry_their_numbers() {
        let overflow = AgentEvent::Context(ContextEvent::Overflow {
            requested_tokens: Some(212_345),
            limit_tokens: Some(200_000),
            attempt: 2,
            is_foreseen: false,
        });
        let replayed = AgentEvent::Context(ContextEvent::Replayed {
            original: EntryId::new("a"),
            replay: EntryId::new("b"),
            stripped: true,
            is_foreseen: false,
        });
        let switched = AgentEvent::Session(SessionEvent::ModelSwitched {
            model: ModelRef::new("p", "m"),
            reason: "why".to_owned(),
        });
        for (event, name, fields) in [
            (
                overflow,
                "overflow",
                json!({"requested_tokens": 212_345, "limit_tokens": 200_000, "attempt": 2, "sent": true}),
            ),
            (
                replayed,
                "replayed",
                json!({"original": "a", "replay": "b", "stripped": true}),
            ),
            (
                switched,
                "model_switched",
                json!({"model": "p/m", "reason": "why"}),
            ),
        ] {
            let object = EventWriter::default().objects(&event).remove(0);
            assert_eq!(
                (&object["type"], &object["event"]),
                (&json!("notice"), &json!(name))
            );
            for (key, value) in fields.as_object().into_iter().flatten() {
                assert_eq!(&object[key], value, "{object}");
            }
        }
    }
}
