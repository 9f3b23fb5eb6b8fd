//! Hooks around a tool call: before it, they may refuse it, ask, or change its arguments; after
//! it, they may add to its result. What a hook says is in the result, with its name.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::answer::{HookPermission, HookText};
use super::call_form::{names_of, own_arguments, shared_call, shared_response};
use super::run_event::EventHooks;
use crate::agent::mailbox::TurnStop;
use crate::agent::protocol::Notice;
use crate::agent::turn::batch::ToolBatch;
use crate::config::HookEvent;
use crate::engine::text::one_line;
use crate::tool::{Plan, Tool, ToolOutcome, Verdict};
use crate::transcript::{Part, ToolCall, ToolResult};

/// Characters of a reason in a notice.
const REASON_CHARS: usize = 200;

/// What the hooks before a call want.
#[derive(Debug)]
pub(in crate::agent) struct CallAdvice {
    /// The call as it shall be run.
    pub call: ToolCall,
    /// The answer instead of a run.
    pub refusal: Option<String>,
    /// The turn ends with the refusal.
    pub ends_turn: bool,
    pub permission: Option<HookPermission>,
    /// Texts that stand after the result.
    notes: Vec<String>,
}

impl CallAdvice {
    /// Of a call that no hook is asked about.
    fn refused(call: &ToolCall, why: String) -> Self {
        Self {
            call: call.clone(),
            refusal: Some(why),
            ends_turn: false,
            permission: None,
            notes: Vec::new(),
        }
    }
}

impl ToolBatch<'_> {
    /// What the user's rules say of a call, and a hook within them: it may ask about what would
    /// run, and spare a question about what touches nothing that asks by itself.
    pub(in crate::agent) fn verdict(
        &self,
        advice: &CallAdvice,
        tool: &Arc<dyn Tool>,
        plan: &Plan,
    ) -> Verdict {
        let policy = &self.agent.toolbox.policy;
        let verdict = policy.decide(&advice.call.name, tool.effect(), plan);
        match (verdict, advice.permission) {
            (Verdict::Allow, Some(HookPermission::Ask)) => Verdict::Ask,
            (Verdict::Ask, Some(HookPermission::Allow)) if plan.is_inside() => Verdict::Allow,
            (verdict, _) => verdict,
        }
    }

    /// Asks the hooks before a call.
    pub(in crate::agent) async fn before_call(
        &mut self,
        call: &ToolCall,
    ) -> Result<CallAdvice, TurnStop> {
        let event = HookEvent::PreToolUse;
        let call = &self.agent.toolbox.tools.meant(call);
        if let Some(error) = self.unusable(call) {
            return Ok(CallAdvice::refused(call, error));
        }
        let words = self.call_words(call);
        let verdict = EventHooks::of(self.agent)
            .run_hooks(event, &names_of(call), words)
            .await?;
        let mut advice = CallAdvice {
            call: call.clone(),
            refusal: None,
            ends_turn: false,
            permission: verdict.permission,
            notes: notes_of(&verdict.contexts),
        };
        if let Some(HookText { hook, text }) = &verdict.block {
            advice.refusal = Some(format!("The hook `{hook}` refused this call: {text}"));
            let reason = one_line(text, REASON_CHARS);
            let text = format!("the hook {hook} refused {}: {reason}", call.name);
            self.agent.events.notice(Notice::warning(text)).await;
        } else if let Some((hook, input)) = &verdict.input {
            advice.call.arguments = Value::Object(own_arguments(call, input));
            advice.notes.push(format!(
                "[The hook `{hook}` changed the arguments of this call.]"
            ));
        }
        if let Some(HookText { hook, text }) = &verdict.stop {
            self.tell_stop(hook, text).await;
            advice.ends_turn = true;
            advice
                .refusal
                .get_or_insert_with(|| format!("The hook `{hook}` ended the turn: {text}"));
        }
        Ok(advice)
    }

    /// Tells the hooks after a call, and adds to its result what they say; true ends the turn.
    pub(in crate::agent) async fn after_call(
        &mut self,
        advice: CallAdvice,
        outcome: &mut ToolOutcome,
    ) -> Result<bool, TurnStop> {
        let call = &advice.call;
        let mut notes = advice.notes;
        let text = ToolResult {
            content: outcome.content.clone(),
            ..ToolResult::default()
        }
        .text();
        let mut words = self.call_words(call);
        words["tool_response"] = shared_response(call, &text, outcome.is_error);
        let event = HookEvent::PostToolUse;
        let asked = EventHooks::of(self.agent)
            .run_hooks(event, &names_of(call), words)
            .await;
        let verdict = match asked {
            Ok(verdict) => verdict,
            Err(stop) => {
                add_notes(outcome, notes);
                return Err(stop);
            }
        };
        if let Some(HookText { hook, text }) = &verdict.block {
            notes.push(format!(
                "[The hook `{hook}` objects to this result: {text}]"
            ));
        }
        notes.extend(notes_of(&verdict.contexts));
        add_notes(outcome, notes);
        if let Some(HookText { hook, text }) = &verdict.stop {
            self.tell_stop(hook, text).await;
        }
        Ok(verdict.stop.is_some())
    }

    /// Tells the hooks that the user is asked about a call.
    pub(in crate::agent) async fn call_user(&mut self, call: &ToolCall) {
        let shared = shared_call(call, &self.agent.toolbox.scope.cwd);
        let name = shared.map_or(call.name.as_str(), |shared| shared.name);
        let message = format!("Plimsoll needs your permission to use {name}");
        EventHooks::of(self.agent)
            .notify_hooks("permission_prompt", &message)
            .await;
    }

    async fn tell_stop(&mut self, hook: &str, why: &str) {
        let why = one_line(why, REASON_CHARS);
        let notice = Notice::warning(format!("the hook {hook} ended the turn: {why}"));
        self.agent.events.notice(notice).await;
    }

    fn call_words(&self, call: &ToolCall) -> Value {
        let shared = shared_call(call, &self.agent.toolbox.scope.cwd);
        let (name, input): (&str, Map<String, Value>) = match shared {
            Some(shared) => (shared.name, shared.input),
            None => (call.name.as_str(), call.arguments_object()),
        };
        json!({
            "tool_name": name,
            "tool_input": input,
            "tool_use_id": call.id,
            "tool": {"name": call.name, "input": call.arguments},
        })
    }
}

fn notes_of(contexts: &[HookText]) -> Vec<String> {
    let contexts = contexts.iter();
    contexts
        .map(|HookText { hook, text }| format!("[From the hook `{hook}`: {text}]"))
        .collect()
}

fn add_notes(outcome: &mut ToolOutcome, notes: Vec<String>) {
    outcome.content.extend(notes.into_iter().map(Part::Text));
}
