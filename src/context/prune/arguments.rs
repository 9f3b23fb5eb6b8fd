//! Old arguments of calls that wrote files: what they hold is on disk, or was overwritten. The
//! call keeps its name, its path and its short arguments; what is missing is said in one field
//! beside them, never as a value that could be taken for content.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::{CutPrice, call_of};
use super::{CutReason, CutTarget, PrunableResult, PruneInput, PrunePlan};
use crate::context::appendix::{is_path_argument, written_files};
use crate::context::cut::argument_note;
use crate::context::view::Disposition;
use crate::transcript::{
    ArgumentCut, AssistantPart, CutForm, CutPhase, EntryId, Message, ModelRef, ToolCall, grouped,
    is_server_summary,
};

/// Calls lose arguments of at least so many characters in all: 1,000 tokens.
const MIN_CHARS: usize = 4_000;
/// Shorter arguments stay.
const SHORT_CHARS: usize = 200;
/// Paths that a reason names.
const NAMED_PATHS: usize = 2;

/// A call that loses arguments.
struct LongCall<'a> {
    number: usize,
    call: &'a ToolCall,
    files: Vec<&'a str>,
    names: Vec<&'a str>,
    chars: usize,
}

impl<'a> LongCall<'a> {
    /// The long arguments of a call that changed files and succeeded.
    fn of(result: PrunableResult<'a>) -> Option<Self> {
        let place = result.info.call.as_ref()?;
        let call = call_of(result.info).filter(|_| !result.info.is_error)?;
        let long: Vec<(&str, usize)> = call
            .arguments
            .as_object()?
            .iter()
            .filter(|(name, _)| !is_path_argument(name))
            .map(|(name, value)| (name.as_str(), length(value)))
            .filter(|(_, chars)| *chars > SHORT_CHARS)
            .collect();
        let chars = long.iter().map(|(_, chars)| chars).sum();
        if chars < MIN_CHARS {
            return None;
        }
        let files = written_files(call);
        (!files.is_empty()).then(|| Self {
            number: place.number(),
            call,
            files,
            names: long.into_iter().map(|(name, _)| name).collect(),
            chars,
        })
    }

    fn cut(&self, answer: &EntryId, is_rough: bool) -> ArgumentCut {
        ArgumentCut {
            call: self.number,
            names: self.names.iter().map(ToString::to_string).collect(),
            note: if is_rough {
                String::new()
            } else {
                argument_note(&self.names, self.chars, answer)
            },
        }
    }

    fn describe(&self) -> String {
        let named: Vec<&str> = self.files.iter().copied().take(NAMED_PATHS).collect();
        let more = self.files.len() - named.len();
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        format!("{} {}{more}", self.call.name, named.join(", "))
    }
}

/// Leaves out the arguments of the calls that these results answer. `why` ends each reason.
pub(super) fn decide(
    input: &PruneInput<'_>,
    candidates: &[PrunableResult<'_>],
    why: &dyn Fn() -> String,
    plan: &mut PrunePlan,
    price: &mut CutPrice<'_>,
) {
    if !input.settings.arguments {
        return;
    }
    let mut answers: BTreeMap<usize, Vec<LongCall<'_>>> = BTreeMap::new();
    for result in candidates {
        let Some(place) = &result.info.call else {
            continue;
        };
        if let Some(call) = LongCall::of(*result) {
            answers.entry(place.at).or_default().push(call);
        }
    }
    for (at, mut calls) in answers {
        let Some(item) = input.list.items.get(at) else {
            continue;
        };
        let (Some(entry), Some(whole)) = (&item.entry, &item.sent) else {
            continue;
        };
        if item.disposition != Disposition::Sent || is_checked(input.checked, whole) {
            continue;
        }
        calls.sort_by_key(|call| call.number);
        let target = CutTarget {
            at,
            entry,
            whole,
            chars: calls.iter().map(|call| call.chars).sum(),
            item,
        };
        let form = CutForm::Arguments {
            calls: calls
                .iter()
                .map(|call| call.cut(entry, input.is_rough))
                .collect(),
        };
        let text = || {
            let calls: Vec<String> = calls.iter().map(LongCall::describe).collect();
            format!(
                "arguments of {}, {} characters, done and on disk: left out {}",
                calls.join("; "),
                grouped(target.chars as u64),
                why()
            )
        };
        let reason = CutReason {
            phase: CutPhase::Arguments,
            text: &text,
        };
        plan.cut(target, form, &reason, price);
    }
}

/// Whether the model's server checks the calls of an answer against what it signed.
fn is_checked(checked: Option<&ModelRef>, message: &Arc<Message>) -> bool {
    checked.is_some_and(|model| is_signed_by(message, model))
}

/// Whether an answer holds reasoning that a model signed.
pub(in crate::context) fn is_signed_by(message: &Message, model: &ModelRef) -> bool {
    let Message::Assistant(answer) = message else {
        return false;
    };
    let is_own = answer.provider == model.provider && answer.model == model.model;
    is_own
        && answer.content.iter().any(|part| match part {
            AssistantPart::Thinking { signature, .. } => signature.is_some(),
            AssistantPart::RedactedThinking { data } => !is_server_summary(data),
            AssistantPart::Text(_) | AssistantPart::ToolCall(_) => false,
        })
}

/// About how many characters of JSON a value is; nothing is written for it.
fn length(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 4,
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(length).sum(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| name.len() + length(value))
            .sum(),
    }
}
