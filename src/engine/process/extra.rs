//! The calls that a program may ask for: where a compaction cuts, how it is carried out, and what
//! happened. None of its answers is taken unchecked.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::ProcessEngine;
use super::protocol::{
    ExtraCall, Notification, PlanShrinkResult, PrepareSubagentResult, ShrinkParams, ShrinkResult,
};
use crate::context::ContextView;
use crate::context::tail::TailPlan;
use crate::engine::EngineFailure;
use crate::engine::happening::{EndedSubagent, EndedTurn, EntryOrigin, SubagentWish};
use crate::engine::recall::spoken_text;
use crate::engine::shrinking::{ShrinkChoice, ShrinkPlan, ShrinkRequest, ShrinkStep};
use crate::engine::text::{cleaned, one_line};
use crate::transcript::{Entry, EntryId};

/// Characters of a reason.
const REASON_CHARS: usize = 160;
/// Characters of a summary, of instructions, of a note to a sub-agent; the rest is cut.
const TEXT_CHARS: usize = 16_000;

impl ProcessEngine {
    /// Whether the program asked for a call.
    fn wants(&self, call: ExtraCall) -> bool {
        self.said.calls.iter().any(|name| name == call.method())
    }

    /// Calls the program and takes its answer; `None` when it did not ask for this call, or
    /// does not run at the moment.
    fn ask_for<T: DeserializeOwned>(
        &mut self,
        call: ExtraCall,
        params: &impl Serialize,
    ) -> Result<Option<T>, EngineFailure> {
        if !self.wants(call) {
            return Ok(None);
        }
        let Some(mut program) = self.program.take() else {
            return Ok(None);
        };
        let params = serde_json::to_value(params).unwrap_or_default();
        let answered = program.call(call.method(), params, self.launcher.limit());
        match answered {
            Ok(answered) => {
                self.program = Some(program);
                Ok(Some(answered))
            }
            Err(failure) => {
                self.deaths += usize::from(matches!(failure, EngineFailure::Ended(_)));
                Err(failure)
            }
        }
    }

    /// Tells the program something; what it makes of it is its own business.
    fn tell(&mut self, call: ExtraCall, params: serde_json::Value) {
        if !self.wants(call) {
            return;
        }
        if let Some(program) = &mut self.program {
            // One that has ended is told of where its answer is awaited.
            let _ = program.link.send(Notification::line(call.method(), params));
        }
    }

    pub(super) fn ask_plan(
        &mut self,
        view: &ContextView,
        request: &ShrinkRequest<'_>,
        usual: Option<&TailPlan>,
    ) -> Result<ShrinkChoice, EngineFailure> {
        let keep_from = usual.and_then(|plan| plan.first_kept.as_ref());
        let params = params(view, request, keep_from.map(ToString::to_string));
        let answered: Option<PlanShrinkResult> = self.ask_for(ExtraCall::PlanShrink, &params)?;
        let Some(answered) = answered else {
            return Ok(ShrinkChoice::Usual);
        };
        let Some(entry) = answered.keep_from else {
            return Ok(ShrinkChoice::Usual);
        };
        let reason = one_line(answered.reason.as_deref().unwrap_or_default(), REASON_CHARS);
        if reason.is_empty() {
            let text = "it says where a compaction cuts, and does not say why";
            return Err(EngineFailure::Failed(text.to_owned()));
        }
        Ok(ShrinkChoice::KeepFrom {
            entry: EntryId::new(entry),
            reason,
            needs_model: !answered.has_summary,
        })
    }

    pub(super) fn ask_shrink(
        &mut self,
        plan: &ShrinkPlan,
        request: &ShrinkRequest<'_>,
    ) -> Result<ShrinkStep, EngineFailure> {
        let params = ShrinkParams {
            keep_from: plan.tail.first_kept.as_ref().map(ToString::to_string),
            reason: request.trigger.name(),
            attempt: request.attempt,
            instructions: request.instructions.map(str::to_owned),
            ..ShrinkParams::default()
        };
        let answered: Option<ShrinkResult> = self.ask_for(ExtraCall::Shrink, &params)?;
        let Some(answered) = answered else {
            return Ok(ShrinkStep::Summarise);
        };
        if let Some(why) = answered.nothing {
            return Ok(ShrinkStep::Nothing(one_line(&why, REASON_CHARS)));
        }
        if let Some(summary) = text_of(answered.summary) {
            return Ok(ShrinkStep::Summary(summary));
        }
        Ok(match text_of(answered.instructions) {
            Some(text) => ShrinkStep::SummariseFor(text),
            None => ShrinkStep::Summarise,
        })
    }

    pub(super) fn tell_entry(&mut self, entry: &Entry) {
        if !self.wants(ExtraCall::Ingest) {
            return;
        }
        let Some(origin) = EntryOrigin::of(entry) else {
            return;
        };
        let spoken = spoken_text(entry).map(|spoken| spoken.text);
        let text: String = spoken
            .unwrap_or_default()
            .chars()
            .take(self.max_chars())
            .collect();
        let params = json!({ "entry": entry.id.as_str(), "origin": origin.name(), "text": text });
        self.tell(ExtraCall::Ingest, params);
    }

    pub(super) fn tell_turn(&mut self, turn: &EndedTurn) {
        let params = json!({
            "outcome": turn.outcome,
            "prompt_tokens": turn.prompt_tokens,
            "expected_tokens": turn.expected_tokens,
        });
        self.tell(ExtraCall::AfterTurn, params);
    }

    pub(super) fn ask_subagent(
        &mut self,
        wish: &SubagentWish,
    ) -> Result<Option<String>, EngineFailure> {
        let params = json!({
            "call": wish.call,
            "agent": wish.agent,
            "task": wish.task,
            "inherit": wish.inherit,
            "cap_tokens": wish.cap_tokens,
            "caller_tokens": wish.caller_tokens,
            "ttl_secs": wish.ttl_secs,
        });
        let answered: Option<PrepareSubagentResult> =
            self.ask_for(ExtraCall::PrepareSubagent, &params)?;
        Ok(answered.and_then(|answered| text_of(answered.note)))
    }

    pub(super) fn tell_subagent_end(&mut self, ended: &EndedSubagent) {
        let params = json!({
            "call": ended.call,
            "reason": ended.reason,
            "result": ended.result.chars().take(self.max_chars()).collect::<String>(),
        });
        self.tell(ExtraCall::SubagentEnded, params);
    }
}

fn params(
    view: &ContextView,
    request: &ShrinkRequest<'_>,
    keep_from: Option<String>,
) -> ShrinkParams {
    let usable = view.window.tokens.map(|_| view.window.usable);
    let fit = request.kept.fit_usable_tokens;
    ShrinkParams {
        reason: request.trigger.name(),
        attempt: request.attempt,
        instructions: request.instructions.map(str::to_owned),
        tokens: view.usage.tokens,
        usable_tokens: usable.into_iter().chain(fit).min(),
        keep_from,
    }
}

/// A text of a program, without what nobody would see; `None` when nothing is left.
fn text_of(text: Option<String>) -> Option<String> {
    let cut: String = text?.chars().take(TEXT_CHARS).collect();
    let clean = cleaned(&cut).text.trim().to_owned();
    (!clean.is_empty()).then_some(clean)
}
